/* A random call of the solver with a time limit: map, agents, start, threads, limit, all drawn from one seed. */
#ifndef DL_TESTS_DEADLINES_TRIAL_H
#define DL_TESTS_DEADLINES_TRIAL_H

#include <stdbool.h>

#include "difflns.h"

typedef struct trial {
    uint64_t seed;
    char map[24]; /* a family, or the kind of a large map */
    int side;     /* of a large map; 0 = the family's own */
    int agents;
    const char *init, *stop;
    int threads;
    double limit; /* seconds */
} trial;

/* Nine in ten maps are of the families as they are, the others have sides of up to `most_side`, which may be 0. */
trial trial_draw(uint64_t seed, int most_side);
/* The instance of a trial, with nothing known of its distances; NULL if there is no such map, which can be. */
difflns_instance *trial_instance(const trial *t);
/* Solves the instance within the trial's limit. */
difflns_status trial_run(const trial *t, const difflns_instance *instance, const difflns_model *model,
                         difflns_error *err);

#endif
