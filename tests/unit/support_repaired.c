#include "support_repaired.h"

#include "lns/prioritized.h"
#include "lns/repair.h"
#include "mapf/check.h"

enum { ENOUGH = 100000 };

bool repaired_open(repaired *w, dl_instance *instance, dl_engine engine, uint64_t seed)
{
    *w = (repaired){.instance = instance, .deadline = dl_no_deadline()};
    w->distance = dl_distance_create(instance);
    w->planner = dl_planner_create(instance, w->distance, engine);
    dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('t', 'e', 's', 't'), 0);
    dl_prioritized(w->planner, &rng, DL_PRIORITY_RANDOM, DL_LATE_DEPARTURE, &w->deadline);
    dl_repair_options options = DL_REPAIR_DEFAULTS;
    dl_repair repair;
    assert_true(dl_repair_begin(&repair, w->planner, &options));
    bool solved = dl_repair_start(&repair, seed, 0, &w->deadline) && dl_repair_run(&repair, ENOUGH, &w->deadline);
    w->soc = repair.soc;
    dl_repair_end(&repair);
    return solved;
}

void repaired_close(repaired *w)
{
    dl_planner_free(w->planner);
    dl_distance_free(w->distance);
    dl_instance_free(w->instance);
}

void repaired_expect_valid(const repaired *w, const dl_track *track, int64_t soc)
{
    dl_plan *plan = dl_plan_create(w->instance->agents);
    for (int agent = 0; agent < w->instance->agents; agent++)
        assert_true(dl_plan_set(plan, w->instance->grid, agent, track[agent].at, track[agent].cost + 1));
    dl_check_result check;
    assert_true(dl_check(w->instance, plan, &check, NULL, 0, NULL));
    assert_int_equal(check.violations, 0);
    assert_int_equal(check.soc, soc);
    dl_plan_free(plan);
}
