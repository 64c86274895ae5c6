#include "bench/improving.h"

#include <math.h>

#include "base/clock.h"
#include "bench/first_plan.h"
#include "lns/race.h"
#include "mapf/check.h"
#include "memory/need.h"
#include "solver/redrafting_options.h"

/* Iterations between two looks at the clock. */
enum { BURST = 16 };

/* Improves the plan in the planner's table until the limit is over. What was found in the burst that crossed it came
 * too late. */
static dl_status improve(const dl_method *method, const dl_bench_case *c, dl_planner *p,
                         const dl_iterated_options *options, dl_record *record)
{
    dl_deadline asked = {INFINITY, c->stop}, never = dl_no_deadline();
    dl_race race;
    const dl_iterated *m = &race.iterated;
    double began = dl_thread_now();
    need(dl_race_begin(&race, p, options, method->challenged ? DL_CHALLENGES_EARLY : DL_CHALLENGES_NEVER));
    need(dl_race_start(&race, c->seed, 0));
    for (uint64_t before = UINT64_MAX; m->iterations != before && !dl_deadline_canceled(&asked);) {
        before = m->iterations;
        record->soc = dl_race_best(&race)->soc;
        record->candidates = (int)m->rounds;
        record->iterations = m->iterations;
        dl_race_run(&race, BURST, &asked);
        double seconds = dl_thread_now() - began;
        if (seconds > c->limit) break;
        if (race.policy == DL_CHALLENGES_EARLY && seconds > DL_EARLY_SHARE * c->limit)
            race.policy = DL_CHALLENGES_STALLED;
        record->seconds = seconds;
    }
    const dl_snapshot *best = dl_race_best(&race);
    if (record->seconds < c->limit / 2) record->soc = best->soc; /* it ended because nothing can be better */
    need(dl_race_adopt(&race, best->track, best->soc, &never));
    dl_race_end(&race);
    return dl_deadline_canceled(&asked) ? DIFFLNS_STOPPED : DIFFLNS_OK;
}

/* What the method's redrafts are drawn with; NULL if it makes none. */
static dl_redrafting *prepare(const dl_method *method, const dl_bench_case *c, const dl_scene *scene)
{
    if (!method->redrafts) return NULL;
    return needed(dl_redrafting_create_with(method->untrained ? c->untrained : c->model, scene, method->redrafts, 1));
}

dl_status dl_improving_run(const dl_method *method, const dl_bench_case *c, dl_record *record, dl_error *err)
{
    dl_distance *distance = needed(dl_distance_create(c->instance));
    dl_planner *planner = needed(dl_planner_create(c->instance, distance, DL_ENGINE_AUTO));
    dl_scene *scene = needed(dl_scene_create_with(c->instance, distance));
    dl_redrafting *redrafting = prepare(method, c, scene);
    dl_iterated_options options = DL_ITERATED_DEFAULTS;
    options.redrafter = dl_redrafting_redrafter(redrafting);
    if (method->kinds) options.kinds = method->kinds;
    dl_status status = DIFFLNS_OK;
    dl_plan *first = dl_first_plan_make(planner, c->seed), *plan = NULL;
    record->sum_of_distances = dl_distance_lower_bound(distance);
    if (first) {
        dl_first_plan_take_up(planner, first);
        status = improve(method, c, planner, &options, record);
        plan = needed(dl_planner_write_plan(planner));
        record->outcome = dl_check_valid(c->instance, plan) ? DL_RUN_SOLVED : DL_RUN_INVALID;
        record->makespan = dl_plan_makespan(plan);
    }
    dl_plan_free(plan);
    dl_plan_free(first);
    dl_redrafting_free(redrafting);
    dl_scene_free(scene);
    dl_planner_free(planner);
    dl_distance_free(distance);
    return status == DIFFLNS_OK ? status : dl_fail(err, status, "stopped");
}
