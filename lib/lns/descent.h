/* A descent: one plan on its way down. Its tracks are made by a start, repaired until no agents collide, and then the
 * cost is lowered, in rounds (rounds.h) once improvement alone has stalled: a kick (kick.h) leaves the valley, repair
 * takes away the collisions it made, improvement leads down into another valley. A round that ends well becomes the
 * plan to go on from; otherwise the plan goes back to where it was, which costs what the round touched. Now and then
 * the plan is hastened (hasten.h).
 *
 * A descent knows no other descents, no threads and no listener: what it does follows from its options and from how far
 * it was run, however the run was cut. For tools. */
#ifndef DL_LNS_DESCENT_H
#define DL_LNS_DESCENT_H

#include "lns/improve.h"
#include "lns/kick.h"
#include "lns/repair.h"
#include "lns/rounds.h"
#include "lns/snapshot.h"
#include "order/hasten.h"

/* Stages come in this order. */
typedef enum dl_stage {
    DL_STARTING,  /* there are no tracks yet */
    DL_REPAIRING, /* there are, and some agents collide */
    DL_LOWERING,  /* there is a plan */
    DL_OVER       /* nothing more comes of it: no start, no memory, or no plan costs less */
} dl_stage;

enum { DL_AGE_LEVELS = 40 };

/* Where the tracks come from. */
typedef struct dl_source {
    /* Sets the planner's tracks, colliding or missing ones allowed; adds to *searches what that took, in searches.
     * False if there was nothing to set, or no time. */
    bool (*make)(void *user, dl_planner *planner, uint64_t *searches, const dl_deadline *deadline);
    void *user;
} dl_source;

typedef struct dl_descent_options {
    uint64_t seed, stream; /* random choices come from this stream of the seed */
    dl_source source;
    dl_repair_options repair; /* of the start */
    dl_improve_options improve;
    unsigned kinds; /* of rounds: bits 1 << dl_round; 0 = improvement alone, without rounds */
    bool audit;     /* recompute everything at the end of each round and abort() on a difference: for tests */
} dl_descent_options;

#define DL_DESCENT_DEFAULTS                                                                                            \
    ((dl_descent_options){.repair = DL_REPAIR_DEFAULTS, .improve = DL_IMPROVE_DEFAULTS, .kinds = DL_ALL_ROUNDS})

typedef struct dl_descent {
    dl_planner *planner; /* not owned; between calls its table may hold collisions */
    dl_descent_options options;
    dl_stage stage;
    int64_t pairs;                  /* that collide, -1 while starting, 0 while lowering */
    int64_t soc;                    /* of the best plan, before there is one of the tracks; -1 while starting */
    uint64_t iterations, searches;  /* of all stages */
    uint64_t born;                  /* searches when it was repaired: its age is counted from there */
    int64_t cost_at[DL_AGE_LEVELS]; /* [levels]: the cost when it came to each level's age */
    int levels;
    dl_repair repair;
    /* While lowering: */
    bool lowers; /* what follows is there */
    dl_improve improve;
    dl_kick kick;
    dl_hasten hasten;
    dl_snapshot best; /* the best plan; its cost never rises */
    dl_snapshot base; /* the plan this round began with */
    dl_rng rng;
    int64_t least;                    /* the sum of distances: no plan costs less */
    uint64_t hasten_at, hasten_pause; /* searches at the next try, and from one to the next */
    uint64_t hasten_was;              /* ... at the last one */
    int64_t hasten_cost;              /* what the plan cost then */
    /* Opening: before the first round. Resting: between two rounds. In a round, the kick is mended, then polished. */
    enum { DL_OPENING, DL_RESTING, DL_MENDING, DL_POLISHING } phase;
    dl_round kind;             /* of this round */
    int64_t record;            /* the best cost before it */
    uint64_t began;            /* searches before it */
    uint64_t stretch;          /* searches from one judgment of its progress to the next */
    uint64_t pause;            /* searches at the next one */
    int64_t cost_was;          /* at the last one */
    int64_t opening_cost;      /* where the opening led to; 0 = it goes on */
    uint64_t opening_searches; /* ... with so many */
    dl_rounds known;
    uint64_t rounds, kept;
} dl_descent;

/* False when memory is out; end it all the same. */
DL_MUST_CHECK bool dl_descent_begin(dl_descent *d, dl_planner *planner, const dl_descent_options *options);
void dl_descent_end(dl_descent *d);

/* Makes the start, or goes on for so many iterations, or until the stage changes, time or memory is out. */
void dl_descent_run(dl_descent *d, uint64_t iterations, const dl_deadline *deadline);
/* Goes on from a plan without collisions, which becomes the best one: that of another descent, or its own best, to have
 * it in the planner's table. False when memory or time was out: then it is over, and the best plan is what it was. */
DL_MUST_CHECK bool dl_descent_adopt(dl_descent *d, const dl_track *track, int64_t soc, const dl_deadline *deadline);

/* [agents]: the best plan, before there is one the tracks. */
static inline const dl_track *dl_descent_tracks(const dl_descent *d)
{
    return d->lowers ? d->best.track : d->planner->track;
}

/* Searches since it was repaired. */
static inline uint64_t dl_descent_age(const dl_descent *d)
{
    return d->searches - d->born;
}

#endif
