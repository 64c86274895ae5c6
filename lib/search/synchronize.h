/* From a log of single moves to a synchronous plan: loops nobody needs are deleted, then every move happens as early as
 * the order of visits at each cell allows. A cell may be entered in the step in which it is left; rotations stay whole.
 */
#ifndef DL_SEARCH_SYNCHRONIZE_H
#define DL_SEARCH_SYNCHRONIZE_H

#include "base/deadline.h"
#include "mapf/plan.h"
#include "search/pebbles.h"

/* Where followers may tread. */
typedef enum dl_following {
    DL_FOLLOW_AT_ONCE, /* a cell may be entered in the step in which it is left (MAPF) */
    DL_FOLLOW_LATER    /* only in a later step: for worlds that forbid following; rotations must not occur */
} dl_following;

/* The plan of `agents` that start at `from` and make the `moves` of `log`; NULL if the deadline (may be
 * NULL) passed before, or memory is out. */
DL_MUST_CHECK dl_plan *dl_synchronize(const dl_grid *grid, int agents, const dl_cell *from, const dl_move *log,
                                      size_t moves, dl_following following, const dl_deadline *deadline);

/* `first`, then `second`, which starts where `first` ends. NULL when memory is out. */
DL_MUST_CHECK dl_plan *dl_plan_concatenate(const dl_plan *first, const dl_plan *second);

#endif
