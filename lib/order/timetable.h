/* From an order of moves to times: loops that no agent needs are deleted, then every move happens as early as the order
 * of visits at each cell allows. A cell may be entered in the step in which it is left; rotations stay whole. */
#ifndef DL_ORDER_TIMETABLE_H
#define DL_ORDER_TIMETABLE_H

#include "base/deadline.h"
#include "mapf/plan.h"

/* One move of a log: moves are listed in an order in which they can be made one by one. */
typedef struct dl_move {
    int32_t agent;
    dl_cell from, to;
    int32_t ring; /* 0 = alone; k = one of the k consecutive entries of a rotation, in ring order */
} dl_move;

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
                                     const dl_move *log, size_t moves, const dl_deadline *deadline);
void dl_timetable_free(dl_timetable *s);

/* The plan of `agents` that start at `from` and make the `moves` of `log`; NULL if the deadline (may be
 * NULL) passed before, or memory is out. */
DL_MUST_CHECK dl_plan *dl_timetable_plan(const dl_grid *grid, int agents, const dl_cell *from, const dl_move *log,
                                         size_t moves, const dl_deadline *deadline);

#endif
