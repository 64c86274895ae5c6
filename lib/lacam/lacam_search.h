/* LaCAM*: depth-first search over configurations. The one on top of the stack asks PIBT for a successor that keeps its
 * next constraint; a successor seen before is put on top again, so that it goes on with its own next constraint. Every
 * assignment is tried in the end, hence complete. Known transitions are kept and costs propagated along them, so that
 * the plan only gets better, and is of least sum of loss once the stack is empty. */
#ifndef DL_LACAM_LACAM_SEARCH_H
#define DL_LACAM_LACAM_SEARCH_H

#include "base/deadline.h"
#include "lacam/lacam_graph.h"
#include "mapf/plan.h"

typedef struct dl_lacam_settings {
    bool swap;          /* PIBT's swap rule */
    int samples;        /* PIBT calls for one successor, the best is kept */
    double root_rate;   /* how often a known successor puts the root on top instead of itself */
    double random_rate; /* how often, once a plan is known, a random configuration of the stack is extended */
    size_t memory;      /* bytes for the graph */
} dl_lacam_settings;

typedef enum dl_lacam_outcome {
    DL_LACAM_REACHED,   /* the goals, for the first time: run again to improve */
    DL_LACAM_EXHAUSTED, /* nothing left to try: the plan is optimal, or there is none */
    DL_LACAM_LIMIT,     /* the expansions are used up */
    DL_LACAM_TIME,
    DL_LACAM_MEMORY, /* the bytes of the settings are used up */
    DL_LACAM_STARVED /* the machine has no more to give */
} dl_lacam_outcome;

typedef struct dl_lacam_search {
    const dl_pibt_tables *tables;
    dl_lacam_settings settings;
    dl_lacam_graph graph;
    dl_pibt pibt;
    dl_rng rng;
    uint32_t *open; /* the stack; a node may be on it several times */
    size_t opened, open_capacity;
    uint32_t root, goal;  /* goal = DL_NO_NODE until reached */
    uint32_t nearest;     /* lowest sum of distances so far */
    uint16_t *home_order; /* [agents] the order among agents at their goals */
    uint64_t expansions;  /* in all searches of this object */
    uint64_t seed;        /* of the constraint order */
    dl_constraints constraints;
    dl_cell *to, *best; /* [agents] */
    uint32_t *queue;    /* of cost propagation */
    size_t queue_capacity;
    bool exhausted; /* something could not be recorded for want of memory: the search is over */
    void *memory;   /* of the arrays of agents */
} dl_lacam_search;

/* False when memory is out; release it all the same. */
DL_MUST_CHECK bool dl_lacam_search_init(dl_lacam_search *search, const dl_pibt_tables *tables,
                                        dl_lacam_settings settings);
void dl_lacam_search_release(dl_lacam_search *search);

/* Starts anew from `root`, whose sum of distances is h, with `order` as the agents' first priorities. False when
 * memory is out. */
DL_MUST_CHECK bool dl_lacam_search_begin(dl_lacam_search *search, const dl_cell *root, int64_t h, const uint16_t *order,
                                         uint64_t seed);
/* Goes on for up to `expansions` more. */
dl_lacam_outcome dl_lacam_search_run(dl_lacam_search *search, uint64_t expansions, const dl_deadline *deadline);
/* The way from the root to a node. NULL when memory is out. */
DL_MUST_CHECK dl_plan *dl_lacam_search_plan(const dl_lacam_search *search, uint32_t node);
/* The order of a configuration that follows one with order `before`: agents on the way in their old order, then those
 * at their goals. */
void dl_lacam_next_order(const dl_lacam_search *search, const dl_cell *at, const uint16_t *before, uint16_t *after);

#endif
