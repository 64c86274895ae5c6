/* The complete solver: push-and-swap with rotations from any configuration, several orders, the best plan. For tools.
 */
#ifndef DL_COMPLETE_COMPLETE_SOLVER_H
#define DL_COMPLETE_COMPLETE_SOLVER_H

#include "base/deadline.h"
#include "complete/rules.h"
#include "mapf/plan.h"

typedef struct dl_complete_options {
    uint64_t seed;
    int orders;     /* random orders tried; the cheapest plan is kept (at least 1) */
    dl_rules rules; /* DL_RULES_PEBBLE: a plan without rotations */
} dl_complete_options;

/* Plans from the configuration `from` [agents] (NULL: the starts) to the goals. DIFFLNS_OK and a checked plan;
 * DIFFLNS_UNSOLVED if time ran out or no way was found, which proves nothing: ask dl_solvability; OUT_OF_MEMORY. */
dl_status dl_complete_solve(const dl_instance *instance, const dl_cell *from, const dl_complete_options *options,
                            dl_deadline deadline, dl_plan **out, dl_error *err);

/* Follows `prefix`, a plan from the starts that keeps the rules but need not reach the goals, and completes it from
 * where it ends; from the starts if that is better or only possible there. prefix = NULL: from the starts. */
dl_status dl_complete_from(const dl_instance *instance, const dl_plan *prefix, const dl_complete_options *options,
                           dl_deadline deadline, dl_plan **out, dl_error *err);

#endif
