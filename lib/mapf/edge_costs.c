#include "mapf/edge_costs.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

dl_edge_costs *dl_edge_costs_create(const dl_grid *grid)
{
    dl_edge_costs *costs = DL_NEW(dl_edge_costs);
    if (!costs) return NULL;
    atomic_init(&costs->owners, 1);
    costs->extra = dl_calloc((size_t)grid->cells, sizeof *costs->extra);
    if (costs->extra) return costs;
    free(costs);
    return NULL;
}

dl_edge_costs *dl_edge_costs_copy(const dl_edge_costs *costs, const dl_grid *grid)
{
    dl_edge_costs *copy = dl_edge_costs_create(grid);
    if (copy && costs) memcpy(copy->extra, costs->extra, sizeof *copy->extra * (size_t)grid->cells);
    return copy;
}

dl_edge_costs *dl_edge_costs_share(dl_edge_costs *costs)
{
    if (costs) atomic_fetch_add_explicit(&costs->owners, 1, memory_order_relaxed);
    return costs;
}

void dl_edge_costs_free(dl_edge_costs *costs)
{
    if (!costs) return;
    int owners = atomic_fetch_sub_explicit(&costs->owners, 1, memory_order_acq_rel);
    assert(owners > 0);
    if (owners > 1) return;
    free(costs->extra);
    free(costs);
}

void dl_edge_costs_close_edge(dl_edge_costs *costs, dl_cell from, int direction)
{
    assert(atomic_load(&costs->owners) == 1);
    costs->extra[from][direction] = DL_COST_NEVER;
}

void dl_edge_costs_close_cell(dl_edge_costs *costs, const dl_grid *grid, dl_cell cell)
{
    for (int d = 0; d < DL_DIRECTIONS; d++) {
        dl_cell near = grid->neighbor[cell][d];
        if (near != DL_NO_CELL) dl_edge_costs_close_edge(costs, near, d ^ 1);
    }
}
