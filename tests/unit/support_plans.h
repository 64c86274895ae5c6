/* Plans without collisions that no solver made: from strings, and from random legal steps. */
#ifndef DL_TESTS_SUPPORT_PLANS_H
#define DL_TESTS_SUPPORT_PLANS_H

#include "support.h"

typedef struct test_walk {
    int row, col;      /* where it begins */
    const char *moves; /* u d l r w */
} test_walk;

/* The plan of these walks and the instance whose starts and goals are their ends. */
dl_instance *test_walks(const char *rows, int agents, const test_walk *walks, dl_plan **plan);
/* Random legal steps of all agents together; now and then four agents in a square turn around. Each agent waits with
 * probability `wait`. The goals are where they end. NULL if the agents do not fit. */
dl_instance *test_random_walks(dl_rng *rng, int height, int width, double density, int agents, int steps, double wait,
                               dl_plan **plan);
/* The same plan, begun `steps` later: as valid, and more expensive. */
dl_plan *test_delayed_plan(const dl_plan *plan, int steps);
/* A plan by LaCAM, or NULL if it has none within a fixed effort. */
dl_plan *test_solved_plan(const dl_instance *instance, uint64_t seed);

#endif
