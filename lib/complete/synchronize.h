/* From a log of single moves to a synchronous plan: loops nobody needs are deleted, then every move happens as early as
 * the order of visits at each cell allows. A cell may be entered in the step in which it is left; rotations stay whole.
 */
#ifndef DL_COMPLETE_SYNCHRONIZE_H
#define DL_COMPLETE_SYNCHRONIZE_H

#include "base/deadline.h"
#include "complete/pebbles.h"
#include "mapf/plan.h"

/* Where followers may tread. */
typedef enum dl_following {
    DL_FOLLOW_AT_ONCE, /* a cell may be entered in the step in which it is left (MAPF) */
    DL_FOLLOW_LATER    /* only in a later step: for worlds that forbid following; rotations must not occur */
} dl_following;

/* One stay of an agent on a cell. Visit `agent` is its start, visit agents + i the one that move i of the log begins.
 */
typedef struct dl_visit {
    int32_t agent;
    dl_cell cell;
    int32_t before, after;  /* of the same agent; -1 = none, here and below */
    int32_t earlier, later; /* on the same cell */
    int32_t time;           /* when it begins */
    uint8_t gone, queued;
} dl_visit;

/* The visits of a log with their times, and the memory they take, for one log after the other. Zeroed, it is empty. */
typedef struct dl_timetable {
    const dl_move *log;
    int agents;
    int32_t visits;
    dl_visit *visit;
    int32_t *worklist, waiting;
    int32_t *last_of_agent, *last_on_cell;
    int visit_room, work_room, agent_room, cell_room;
} dl_timetable;

/* False if the deadline (may be NULL) passed before, or memory is out. An agent's visits begin with visit `agent`. */
DL_MUST_CHECK bool dl_timetable_make(dl_timetable *s, const dl_grid *grid, int agents, const dl_cell *from,
                                     const dl_move *log, size_t moves, dl_following following,
                                     const dl_deadline *deadline);
void dl_timetable_free(dl_timetable *s);

/* The plan of `agents` that start at `from` and make the `moves` of `log`; NULL if the deadline (may be
 * NULL) passed before, or memory is out. */
DL_MUST_CHECK dl_plan *dl_synchronize(const dl_grid *grid, int agents, const dl_cell *from, const dl_move *log,
                                      size_t moves, dl_following following, const dl_deadline *deadline);

/* `first`, then `second`, which starts where `first` ends. NULL when memory is out. */
DL_MUST_CHECK dl_plan *dl_plan_concatenate(const dl_plan *first, const dl_plan *second);

#endif
