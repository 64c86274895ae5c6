/* Kicks: moves that leave the valley a plan lies in. The routes of a good plan are worth more than its timing, which is
 * cheap to find again: a kick keeps the routes and moves waits to other places of them. Repair then takes away the
 * collisions this made. */
#ifndef DL_LNS_KICK_H
#define DL_LNS_KICK_H

#include "base/memory.h"
#include "engine/planner.h"

typedef struct dl_kick {
    dl_planner *planner; /* not owned */
    dl_rng *rng;         /* not owned */
    int32_t *agent;      /* those that the kick takes: [count] */
    int count;
    int from, to;            /* the span of time it is about */
    struct dl_nearby *order; /* [agents]: scratch */
} dl_kick;

/* False when memory is out; end it all the same. */
DL_MUST_CHECK bool dl_kick_begin(dl_kick *k, dl_planner *planner, dl_rng *rng);
void dl_kick_end(dl_kick *k);

/* Chooses the `size` agents that are nearest to a random moment of some delayed agent's way (delayed: costs more than
 * its `shortest`), or everybody if there are no more. Agents at home by then are not chosen: they have no timing left.
 * The kick is about `span` steps around that moment, or (0, and for everybody) about all time. */
void dl_kick_choose(dl_kick *k, int size, int span, const int32_t *shortest);

/* Moves about this share of the waits that each chosen agent has in the span, after its prefix, to random places of its
 * path there: before and after the span it is where it was. Agents that had any of theirs moved are taken out of the
 * table, the others leave k->agent. */
void dl_kick_move_waits(dl_kick *k, double share);

#endif
