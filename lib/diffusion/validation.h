/* How good drafts are on demonstrations the network has never seen, by real sampling, beside what needs no network. */
#ifndef DL_DIFFUSION_VALIDATION_H
#define DL_DIFFUSION_VALIDATION_H

#include "base/json.h"
#include "base/ranks.h"
#include "diffusion/examples.h"
#include "diffusion/sampler.h"

/* A start of repair. Means per agent; `solved` and `iterations` are means over instances, weighted by agents. */
typedef struct dl_start_quality {
    double conflicts, pairs, cost;
    double solved, iterations; /* of a short repair: share without collisions in the end, iterations it took */
    double improved; /* what short improvement makes of the solved ones: cost over the expert's, times `solved` */
} dl_start_quality;

typedef struct dl_validation {
    double examples, agents;                 /* examples done: fewer than asked for if the deadline passed */
    double at_goal, remaining;               /* decoded drafts, before completion: share of agents, distance left */
    double argmax_at_goal, argmax_remaining; /* the same of the likeliest tokens, rolled out */
    double argmax_conflicts, argmax_pairs;   /* ... and completed with shortest paths */
    dl_start_quality drafts, prioritized, shortest_paths;
    double expert_cost;
} dl_validation;

/* Demonstrations kept from training. */
typedef struct dl_held_out {
    const dl_examples *examples;
    const int32_t *example; /* [count]: which of them */
    int count;
} dl_held_out;

/* The examples are shared out over the ranks; every rank gets the result, and hears of any trouble: OUT_OF_MEMORY, or
 * an example too large to sample. */
dl_status dl_validate(const dl_model *model, const dl_held_out *held, int threads, dl_ranks ranks,
                      const dl_deadline *deadline, dl_validation *out, dl_error *err);
/* As an object for the training log; NULL when memory is out. */
json_t *dl_validation_json(const dl_validation *validation);

#endif
