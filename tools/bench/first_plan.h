/* The plan that all ways of improving it begin with. */
#ifndef DL_BENCH_FIRST_PLAN_H
#define DL_BENCH_FIRST_PLAN_H

#include "engine/planner.h"

/* Repaired from prioritized planning or a PIBT rollout within some thousand iterations, otherwise LaCAM's. NULL if it
 * finds none within a minute. Uses the planner. */
dl_plan *dl_first_plan_make(dl_planner *p, uint64_t seed);
/* Fills the planner's table with it. */
void dl_first_plan_take_up(dl_planner *p, const dl_plan *plan);

#endif
