/* Iterated local search: improvement that does not get stuck. Rounds go around improve.h: a kick (kick.h) leaves the
 * valley, repair takes away the collisions it made, improvement leads down into another valley. A round that ends well
 * becomes the plan to go on from; otherwise the plan goes back to where it was, which costs what the round touched.
 * Other rounds re-solve windows (windows.h) or just go on improving. Now and then the plan is hastened (hasten.h).
 * Which kind comes next is learned from what rounds gained for their searches, so a run limited by iterations is
 * repeatable. For tools. */
#ifndef DL_LNS_ITERATED_H
#define DL_LNS_ITERATED_H

#include "lns/improve.h"
#include "lns/kick.h"
#include "lns/repair.h"
#include "lns/snapshot.h"
#include "order/hasten.h"

/* What a round begins with. */
typedef enum dl_round {
    DL_ROUND_EVERYBODY, /* a kick of all agents */
    DL_ROUND_LARGE,     /* ... of the agents of a region: 40 % of them */
    DL_ROUND_MEDIUM,    /* ... 15 % */
    DL_ROUND_SMALL,     /* ... 5 % */
    DL_ROUND_WINDOWS,   /* LaCAM re-solves windows of time: where boards are too full for the ways of single agents */
    DL_ROUND_ON,        /* nothing: improvement goes on */
    DL_ROUNDS
} dl_round;

/* What a new descent begins with. */
typedef enum dl_fresh_start {
    DL_FRESH_TRAFFIC, /* ways of traffic.h, to be repaired */
    DL_FRESH_LACAM    /* LaCAM's plan: where boards are too full for repair */
} dl_fresh_start;

typedef struct dl_iterated_options {
    dl_improve_options improve;
    dl_repair_options repair;
    unsigned kinds;     /* bits 1 << dl_round; 0 = improvement alone, without rounds */
    double moved;       /* share of the waits that a kick moves */
    bool spans;         /* kicks of regions are about spans of time, not about whole ways */
    double deviation;   /* record-to-record travel: go on from a round that ends above the best by this share */
    double temperature; /* annealing: the mean of what a step may cost at the beginning of a cycle; 0 = nothing */
    bool audit;         /* recompute everything at the end of each round and abort() on a difference: for tests */
} dl_iterated_options;

/* The best of those measured in docs/ablation.md. */
#define DL_ITERATED_DEFAULTS                                                                                           \
    ((dl_iterated_options){.improve = DL_IMPROVE_DEFAULTS,                                                             \
                           .repair = DL_REPAIR_DEFAULTS,                                                               \
                           .kinds = (1 << DL_ROUNDS) - 1,                                                              \
                           .moved = 0.6,                                                                               \
                           .spans = true,                                                                              \
                           .deviation = 0.002})

/* What is known of a kind of round. */
typedef struct dl_round_record {
    uint64_t rounds, searches;
    double value; /* gain for a search, smoothed */
} dl_round_record;

/* What a descent has learned about itself. */
typedef struct dl_lessons {
    dl_round_record known[DL_ROUNDS];
    int64_t opening_cost;      /* where the opening, before the first round, led to */
    uint64_t opening_searches; /* ... with so many */
} dl_lessons;

typedef struct dl_iterated {
    dl_planner *planner; /* not owned; between calls its table may hold collisions */
    dl_iterated_options options;
    dl_rng rng;
    dl_improve improve;
    dl_repair repair;
    dl_kick kick;
    dl_hasten hasten;
    uint64_t hasten_at, hasten_pause; /* searches at the next try, and from one to the next */
    uint64_t hasten_was;              /* ... at the last one */
    int64_t hasten_cost;              /* what the plan cost then */
    dl_snapshot best;                 /* the best plan since the last start; its cost never rises */
    dl_snapshot base;                 /* the plan this round began with */
    /* Starting: a fresh start is repaired; stranded: in vain. Resting: between two rounds. */
    enum { DL_STARTING, DL_STRANDED, DL_OPENING, DL_RESTING, DL_REPAIRING, DL_POLISHING } phase;
    uint64_t iterations, searches; /* windows count as searches, too */
    dl_round kind;                 /* of this round */
    int64_t record;                /* the best cost before it */
    uint64_t began;                /* searches before it */
    uint64_t stretch;              /* searches from one judgment of its progress to the next */
    uint64_t pause;                /* searches at the next one */
    int64_t cost_was;              /* at the last one */
    dl_lessons lessons;
    uint64_t rounds, kept;
    uint64_t lacams; /* fresh starts made by LaCAM */
} dl_iterated;

/* False when memory is out; end it all the same. */
DL_MUST_CHECK bool dl_iterated_begin(dl_iterated *m, dl_planner *planner, const dl_iterated_options *options);
void dl_iterated_end(dl_iterated *m);

/* Starts from the planner's table, which must hold every agent and no collision. Random choices come from stream
 * `index` of `seed`. False when memory is out. */
DL_MUST_CHECK bool dl_iterated_start(dl_iterated *m, uint64_t seed, uint64_t index);
/* Runs until the time is over, memory is out, `iterations` more were made, or the cost is the lower bound. Rounds go on
 * from one call to the next. The result is m->best. */
void dl_iterated_run(dl_iterated *m, uint64_t iterations, const dl_deadline *deadline);
/* Goes on from another plan without collisions, which becomes the best one: somebody else's that is better, or the best
 * one itself, to have it in the planner's table. False when memory or time was out: then the table is of no use, and
 * m->best is what it was. */
DL_MUST_CHECK bool dl_iterated_adopt(dl_iterated *m, const dl_track *track, int64_t soc, const dl_deadline *deadline);

/* Begins anew: the plan that grows from the start becomes the best one, whatever it costs. If none does, the phase is
 * DL_STRANDED, m->best is what it was, and the next call must be dl_iterated_adopt. False when memory is out. */
DL_MUST_CHECK bool dl_iterated_restart(dl_iterated *m, dl_fresh_start start, const dl_deadline *deadline);

#endif
