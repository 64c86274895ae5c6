/* Kicks: moves that leave the valley a plan lies in. The routes of a good plan are worth more than its timing, which is
 * cheap to find again: a kick keeps the routes and moves waits to other places of them. Or it takes new ways from
 * somebody who has an idea of good ones, a network for example. Repair then takes away the collisions this made. */
#ifndef DL_LNS_KICK_H
#define DL_LNS_KICK_H

#include "base/deadline.h"
#include "base/memory.h"
#include "base/status.h"
#include "engine/planner.h"

/* What of a plan is drawn anew; the same `number`, the same ways. */
typedef struct dl_redraft_part {
    const bool *chosen; /* [agents] */
    int from, to;       /* the span of time in which they leave their ways; to DL_LAST_TIME: for good */
    uint64_t number;
} dl_redraft_part;

/* Where new ways come from: another room, which is free to use a network. */
typedef struct dl_redrafter {
    /* Is the planner's plan one to draw from, as long as it now is? */
    bool (*suits)(void *user, const dl_planner *planner);
    /* The planner's plan with new ways in a part of it, colliding as they like. Adds to *searches what it took, counted
     * in searches, so that gains can be compared. Not OK: no plan. */
    dl_status (*draw)(void *user, const dl_planner *planner, const dl_redraft_part *part, const dl_deadline *deadline,
                      dl_plan **plan, uint64_t *searches);
    void *user;
} dl_redrafter;

typedef struct dl_kick {
    dl_planner *planner; /* not owned */
    dl_rng *rng;         /* not owned */
    int32_t *agent;      /* those that the kick takes: [count] */
    int count;
    int from, to;            /* the span of time it is about */
    struct dl_nearby *order; /* [agents]: scratch */
    bool *chosen;            /* [agents]: scratch */
} dl_kick;

/* False when memory is out; end it all the same. */
DL_MUST_CHECK bool dl_kick_begin(dl_kick *k, dl_planner *planner, dl_rng *rng);
void dl_kick_end(dl_kick *k);

/* Chooses the `size` agents that are nearest to a random moment of some delayed agent's way (delayed: dearer than its
 * `shortest`), or everybody if there are no more. Agents at home by then are not chosen: they have no timing left. The
 * kick is about `span` steps around that moment, or (0, and for everybody) about all time. */
void dl_kick_choose(dl_kick *k, int size, int span, const int32_t *shortest);

/* Moves about this share of the waits that each chosen agent has in the span, after its prefix, to random places of its
 * path there: before and after the span it is where it was. Agents that had any of theirs moved are taken out of the
 * table, the others leave k->agent. */
void dl_kick_move_waits(dl_kick *k, double share);
/* Gives the chosen agents new ways in the span. Those that changed are taken out of the table, the others leave
 * k->agent. What went wrong if not OK: then nothing has changed. */
DL_MUST_CHECK dl_status dl_kick_redraft(dl_kick *k, const dl_redrafter *redrafter, const dl_deadline *deadline,
                                        uint64_t *searches);

#endif
