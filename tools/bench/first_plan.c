#include "bench/first_plan.h"

#include "lacam/lacam.h"
#include "lacam/pibt_rollout.h"
#include "lns/prioritized.h"
#include "lns/repair.h"
#include "memory/need.h"

/* Starts tried before LaCAM makes the first plan, and the iterations their repair may take. */
enum { MOST_STARTS = 6, REPAIR_ITERATIONS = 20000, ROLLOUT_STEPS = 100 };

/* Repair from prioritized planning and PIBT rollouts in turn. */
static bool repair_first_plan(dl_planner *p, uint64_t seed)
{
    dl_repair_options options = DL_REPAIR_DEFAULTS;
    dl_deadline none = dl_no_deadline();
    dl_repair repair;
    need(dl_repair_begin(&repair, p, &options));
    bool solved = false;
    for (uint64_t start = 0; start < MOST_STARTS && !solved; start++) {
        dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('b', 'i', 'm', 'p'), start);
        dl_planner_clear(p);
        if (start % 2 == 0)
            dl_prioritized(p, &rng, DL_PRIORITY_RANDOM, DL_LATE_DEPARTURE, &none);
        else
            dl_pibt_rollout(p, &rng, ROLLOUT_STEPS, &none);
        solved = dl_repair_start(&repair, seed, start, &none) && dl_repair_run(&repair, REPAIR_ITERATIONS, &none);
    }
    dl_repair_end(&repair);
    return solved;
}

dl_plan *dl_first_plan_make(dl_planner *p, uint64_t seed)
{
    if (repair_first_plan(p, seed)) return needed(dl_planner_write_plan(p));
    dl_lacam_options options = dl_lacam_lean(seed);
    dl_lacam_result found;
    options.anytime = false;
    dl_status status = dl_lacam_solve(p->instance, p->distance, &options, dl_deadline_after(60, NULL), &found, NULL);
    dl_plan *plan = status == DIFFLNS_OK ? needed(dl_plan_copy(found.plan)) : NULL;
    dl_lacam_result_release(&found);
    return plan;
}

void dl_first_plan_take_up(dl_planner *p, const dl_plan *plan)
{
    dl_planner_clear(p);
    for (int agent = 0; agent < plan->agents; agent++) {
        need(dl_planner_read_path(p, agent, &plan->path[agent]));
        need(dl_planner_insert(p, agent));
    }
}
