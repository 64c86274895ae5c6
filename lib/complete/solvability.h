/* The exact solvability test: can this instance be solved at all? Linear in the map but for the gathering of agents,
 * so it is asked before any search. For tools. */
#ifndef DL_COMPLETE_SOLVABILITY_H
#define DL_COMPLETE_SOLVABILITY_H

#include "base/memory.h"
#include "complete/rules.h"
#include "mapf/instance.h"

typedef enum dl_verdict { DL_SOLVABLE, DL_UNSOLVABLE } dl_verdict;

typedef struct dl_solvability {
    dl_verdict verdict;
    dl_rules rules;   /* a verdict under pebble rules says nothing about MAPF rules when it is negative */
    int agent, other; /* who is in the way of whom; -1 = nobody in particular */
    char reason[400]; /* one line for people, with the rules; empty when solvable */
} dl_solvability;

/* False when memory is out: nothing is known then. */
DL_MUST_CHECK bool dl_solvability_test(const dl_instance *instance, dl_rules rules, dl_solvability *result);
/* The same, and false when time is out. */
DL_MUST_CHECK bool dl_solvability_within(const dl_instance *instance, dl_rules rules, const dl_deadline *deadline,
                                         dl_solvability *result);
/* Moves agents, no matter which, one at a time to free neighbors until exactly the cells of `wanted` [cells] are
 * occupied. `occupant` [cells] holds an agent or -1; every component holds as many agents as wanted cells. False
 * when memory or time (NULL: no limit) is out: then some may have moved. */
DL_MUST_CHECK bool dl_gather(const dl_grid *grid, const uint8_t *wanted, const dl_deadline *deadline,
                             int32_t *occupant);

#endif
