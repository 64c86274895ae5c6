/* What steps cost beyond themselves: guidance for fleets, one-way streets, closed cells and edges, all in one table by
 * cell and direction. A table is made, filled and then shared; shared, it never changes: new costs are a new table, and
 * distances say which table they were measured with (dl_map_under, map.h). NULL stands for no costs everywhere. */
#ifndef DL_MAPF_EDGE_COSTS_H
#define DL_MAPF_EDGE_COSTS_H

#include <stdatomic.h>

#include "mapf/grid.h"

/* A step costs so many units, and as many more as the table says: at most DL_COST_MOST, or DL_COST_NEVER where it must
 * not be made at all. */
enum { DL_STEP_UNITS = 4, DL_COST_MOST = 254, DL_COST_NEVER = 255 };

typedef struct dl_edge_costs {
    atomic_int owners;
    uint8_t (*extra)[DL_DIRECTIONS]; /* [cells]: of the step from there in each direction */
} dl_edge_costs;

/* All zero. NULL when memory is out. */
dl_edge_costs *dl_edge_costs_create(const dl_grid *grid);
/* A table like it, to be changed. NULL when memory is out. */
dl_edge_costs *dl_edge_costs_copy(const dl_edge_costs *costs, const dl_grid *grid);
/* One more owner; takes NULL. */
dl_edge_costs *dl_edge_costs_share(dl_edge_costs *costs);
/* One owner less; takes NULL. */
void dl_edge_costs_free(dl_edge_costs *costs);

/* Closes an edge in one direction, or a cell: nobody may enter it, who is there may leave. Before sharing. */
void dl_edge_costs_close_edge(dl_edge_costs *costs, dl_cell from, int direction);
void dl_edge_costs_close_cell(dl_edge_costs *costs, const dl_grid *grid, dl_cell cell);

/* Beyond the step itself; 0 where there is no table. */
static inline int dl_edge_cost(const dl_edge_costs *costs, dl_cell from, int direction)
{
    return costs ? costs->extra[from][direction] : 0;
}

#endif
