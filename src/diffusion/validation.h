/* How good drafts are on demonstrations the network has never seen, by real sampling, beside what needs no network. */
#ifndef DL_DIFFUSION_VALIDATION_H
#define DL_DIFFUSION_VALIDATION_H

#include "base/ranks.h"
#include "base/text.h"
#include "diffusion/examples.h"
#include "diffusion/sampler.h"

/* Shares and means per agent. */
typedef struct dl_validation {
    double agents;
    double at_goal, remaining;                    /* decoded drafts, before completion */
    double argmax_at_goal, argmax_remaining;      /* likeliest tokens, rolled out */
    double conflicts, pairs, cost;                /* completed drafts: conflicts, colliding pairs, path cost */
    double path_conflicts, path_pairs, path_cost; /* independent shortest paths */
    double expert_cost;
} dl_validation;

/* The examples are shared out over the ranks; every rank gets the result. */
dl_validation dl_validate(const dl_model *model, const dl_examples *examples, const int32_t *example, int count,
                          int threads, dl_ranks ranks);
/* As a JSON object. */
void dl_validation_write(const dl_validation *validation, dl_text *out);

#endif
