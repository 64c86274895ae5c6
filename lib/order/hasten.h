/* Hastening a plan: every step is made as early as the order in which agents visit each cell allows, and loops that no
 * agent needs are left out. Who follows whom stays as it is, so the result has no collisions either, and nobody comes
 * later than before. Replanning a few agents around all others can't do that: on full boards everybody waits for
 * somebody else. */
#ifndef DL_ORDER_HASTEN_H
#define DL_ORDER_HASTEN_H

#include "mapf/instance.h"
#include "mapf/track.h"
#include "order/timetable.h"

typedef struct dl_hasten {
    const dl_instance *instance; /* not owned */
    dl_timetable timetable;
    dl_move *log; /* the plan as single moves, in an order in which they can be made one by one */
    size_t moves;
    int32_t *mover; /* agents that move, by time: those of time t are first[t] .. first[t + 1] */
    int32_t *first;
    size_t log_room, mover_room, first_room;
    int32_t *occupant; /* [cells]: 1 + the agent there; all 0 between calls, so that nobody has to go over the map */
    int32_t *turn;     /* [agents]: the last time at which the agent's move was logged */
    int32_t *chain;    /* [agents]: agents that follow each other, in one step */
    int32_t *changed;  /* [count]: who comes sooner or goes another way */
    int count;
    void *memory; /* of the arrays of cells and agents */
} dl_hasten;

/* False when memory is out; end it all the same. */
DL_MUST_CHECK bool dl_hasten_begin(dl_hasten *h, const dl_instance *instance);
void dl_hasten_end(dl_hasten *h);

/* From tracks [agents] that do not collide and whose last arrival is at `makespan` to `sooner` [agents], which cost as
 * much or less. Returns the cost that is saved, and lists who changes. 0 when time (NULL: no limit) is out, -1 when
 * memory is: then nobody changes. */
DL_MUST_CHECK int64_t dl_hasten_find(dl_hasten *h, const dl_track *track, int makespan, dl_track *sooner,
                                     const dl_deadline *deadline);

#endif
