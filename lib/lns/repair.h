/* Repair (MAPF-LNS2): from any paths, colliding or missing, to paths without collisions. An iteration takes a few
 * agents out, plans them one after the other with the others as soft obstacles, and keeps the result unless more pairs
 * collide than before, or, once it has stalled, unless those weigh more (breakout.h). For tools. */
#ifndef DL_LNS_REPAIR_H
#define DL_LNS_REPAIR_H

#include "base/deadline.h"
#include "engine/planner.h"
#include "lns/breakout.h"
#include "lns/conflict_graph.h"
#include "lns/destroy.h"

/* When lateness is kept: nobody may come earlier than before. Room to pass is made of time, and shortest paths would
 * give it back. */
typedef enum dl_lateness {
    DL_LATENESS_NEVER_KEPT,
    DL_LATENESS_KEPT_WHEN_STALE, /* after `stale` iterations without gain, until the next gain */
    DL_LATENESS_ALWAYS_KEPT
} dl_lateness;

typedef struct dl_repair_options {
    int neighbors;    /* agents replanned in an iteration */
    bool vary;        /* ... at most: how many is drawn anew each time */
    dl_tie_rule rule; /* where paths spend their slack */
    double escape;    /* share of the searches told to come late: an agent on a shortest path makes no room */
    int delay;        /* ... by at most this much */
    dl_lateness lateness;
    uint64_t stale;
    uint64_t breakout; /* colliding pairs weigh one more after so many iterations without a new low; 0 = never */
    bool audit;        /* recompute everything after each iteration and abort() on a difference: for tests */
} dl_repair_options;

/* The best of those measured in docs/ablation.md. */
#define DL_REPAIR_DEFAULTS                                                                                             \
    ((dl_repair_options){.neighbors = DL_NEIGHBORS,                                                                    \
                         .vary = true,                                                                                 \
                         .rule = DL_LATE_DEPARTURE,                                                                    \
                         .escape = 0.01,                                                                               \
                         .delay = 16,                                                                                  \
                         .lateness = DL_LATENESS_KEPT_WHEN_STALE,                                                      \
                         .stale = 500,                                                                                 \
                         .breakout = 400})
/* LNS2 as published, with nothing of ours: neighborhoods of one size, and paths as SIPPS finds them, every arrival as
 * early as can be. */
#define DL_REPAIR_PUBLISHED ((dl_repair_options){.neighbors = DL_NEIGHBORS, .rule = DL_WAIT_FIRST})

typedef struct dl_repair {
    dl_planner *planner; /* not owned */
    dl_repair_options options;
    dl_rng rng;
    dl_conflicts conflicts;
    dl_destroy destroy;
    int64_t soc;
    uint64_t iterations, accepted, searches;
    uint64_t gained; /* the iteration that last lowered what pairs weigh */
    dl_breakout weights;
    int64_t fewest;        /* pairs since the start */
    uint64_t low_at;       /* the iteration that had so few for the first time, or last made pairs weigh more */
    int64_t milestone;     /* fewest pairs when they last were a tenth fewer than at the milestone before */
    uint64_t milestone_at; /* ... the iteration */
    int32_t *found;        /* partners of the agents replanned so far, one list after the other */
    int found_room;
    int *found_count; /* [neighbors]: how many of them belong to each */
} dl_repair;

/* One repair after the other may run on the same planner. False when memory is out; end it all the same. */
DL_MUST_CHECK bool dl_repair_begin(dl_repair *r, dl_planner *planner, const dl_repair_options *options);
void dl_repair_end(dl_repair *r);

/* Starts a repair from the planner's tracks as they are: any collisions, and agents without a track are planned softly.
 * Random choices come from stream `index` of `seed`. False if time or memory ran out before every agent had a path. */
bool dl_repair_start(dl_repair *r, uint64_t seed, uint64_t index, const dl_deadline *deadline);
/* Starts a repair of a plan without collisions in which these agents got other tracks: they, and nobody else, must be
 * out of the table. Goes on with the random choices of the last one, which may have been given up. False when memory
 * is out. */
DL_MUST_CHECK bool dl_repair_resume(dl_repair *r, const int32_t *agent, int count);
/* One iteration; there must be a colliding pair. True if the change was kept. */
bool dl_repair_step(dl_repair *r, const dl_deadline *deadline);
/* Steps until no pair collides (true), time or memory is out or `iterations` more were made (false). */
bool dl_repair_run(dl_repair *r, uint64_t iterations, const dl_deadline *deadline);
/* Is the last milestone as long ago as it took to get there? Until then it is better to go on than to begin anew, which
 * would lose what pairs weigh. */
bool dl_repair_is_stuck(const dl_repair *r);
/* For tests: is the incremental state what a recount says? */
bool dl_repair_audit(dl_repair *r);

#endif
