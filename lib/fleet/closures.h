/* Closures: cells and edges that were closed while the fleet drives, and robots that stand still for long. What is
 * closed must not be entered: windows, PIBT and escorts look that up (shut); distances learn of it through the costs
 * of edges. A robot that is held costs whoever enters its cell as much time as it stays at least, so that others take
 * a detour where that is shorter; from DL_CLOSED_TICKS on its cell counts as closed. Large maps have no closures. */
#ifndef DL_FLEET_CLOSURES_H
#define DL_FLEET_CLOSURES_H

#include <stddef.h>

#include "base/memory.h"
#include "mapf/edge_costs.h"

/* A robot that is held so long or longer counts as closed: the most that costs of an edge can say. */
enum { DL_CLOSED_TICKS = 64 };

typedef struct dl_closures {
    uint8_t *said;       /* [cells] what was closed; NULL = nothing yet, and there is no memory for what follows */
    uint8_t *shut;       /* [cells] what follows from it: a bit for each direction in which the cell must not be left */
    uint8_t *standing;   /* [cells] what entering costs more, for robots that are held; as laid into the costs */
    int held;            /* cells of `standing` that are not zero */
    int closed;          /* cells of `said` that are not zero */
    bool changed;        /* the costs know nothing of it yet */
    dl_edge_costs *base; /* the costs without closures; NULL = none */
    int32_t *price;      /* [cells] scratch of searches, as below */
    dl_cell *from, *now, *next;
} dl_closures;

void dl_closures_release(dl_closures *closures);
/* `costs` (NULL: none) with what is closed: a table of its own or one more owner of the same, NULL if none is needed.
 * False when memory is out. */
DL_MUST_CHECK bool dl_closures_lay(const dl_closures *closures, const dl_grid *grid, dl_edge_costs *costs,
                                   dl_edge_costs **out);

#endif
