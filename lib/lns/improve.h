/* Improvement (MAPF-LNS): lowers the sum of costs of a plan without collisions. An iteration takes a few agents out and
 * plans them again around all others; the result is kept if it costs less. For tools. */
#ifndef DL_LNS_IMPROVE_H
#define DL_LNS_IMPROVE_H

#include "base/deadline.h"
#include "engine/planner.h"
#include "lns/destroy.h"
#include "lns/neighborhood_size.h"

typedef struct dl_improve_options {
    int neighbors;    /* agents replanned in an iteration */
    bool vary;        /* ... at most: how many is drawn anew each time */
    dl_tie_rule rule; /* where paths spend their slack */
    bool level;       /* also keep changes that cost as much as before */
    bool audit;       /* recompute everything after each iteration and abort() on a difference: for tests */
} dl_improve_options;

/* The best of those measured in docs/ablation.md. */
#define DL_IMPROVE_DEFAULTS                                                                                            \
    ((dl_improve_options){.neighbors = DL_NEIGHBORS, .vary = true, .rule = DL_UNIFORM, .level = true})

typedef struct dl_improve {
    dl_planner *planner; /* not owned */
    dl_improve_options options;
    dl_rng rng;
    dl_destroy destroy;
    dl_sizes sizes;
    int64_t soc;
    /* 0 at the start, the caller's to raise: a group that finds no way in one order is tried in so many others. */
    int other_orders;
    uint64_t iterations, accepted, searches;
} dl_improve;

/* False when memory is out; end it all the same. */
DL_MUST_CHECK bool dl_improve_begin(dl_improve *m, dl_planner *planner, const dl_improve_options *options);
void dl_improve_end(dl_improve *m);

/* Starts from the planner's table, which must hold every agent and no collision. Random choices come from stream
 * `index` of `seed`. */
void dl_improve_start(dl_improve *m, uint64_t seed, uint64_t index);
/* One iteration; true if the plan changed. */
bool dl_improve_step(dl_improve *m, const dl_deadline *deadline);
/* The same with agents whose ways touch this one's. */
bool dl_improve_step_near(dl_improve *m, int agent, const dl_deadline *deadline);
/* Steps until the time is over, `iterations` more were made, or the cost is the lower bound. */
void dl_improve_run(dl_improve *m, uint64_t iterations, const dl_deadline *deadline);

#endif
