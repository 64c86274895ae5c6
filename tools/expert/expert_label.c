#include "expert/expert_label.h"

#include <math.h>

#include "lacam/lacam.h"
#include "lns/descent.h"
#include "mapf/check.h"
#include "memory/need.h"
#include "solver/solve.h"

enum {
    MOST_EXPANSIONS = 200000, /* of LaCAM and ... */
    MOST_REPAIRS = 20000      /* ... iterations of repair, when iterations are the budget: then time never decides */
};
/* LaCAM's start, when repair is to have its turn too, and repair may take these shares of the time left; what they have
 * not solved by then they rarely solve. */
static const double LACAM_SHARE = 0.3, REPAIR_SHARE = 0.6;

static const char *const NAME[] = {"lacam", "lns2", "best"};

const char *dl_expert_solver_name(dl_expert_solver solver)
{
    return NAME[solver];
}

typedef struct task {
    const dl_instance *instance;
    dl_distance *distance;
    const dl_expert_budget *budget;
    uint64_t seed;
    dl_deadline deadline;
} task;

static dl_lacam_options lacam_options(const task *t)
{
    dl_lacam_options options = dl_lacam_lean(t->seed);
    options.anytime = false;
    if (t->budget->iterations) options.expansions = MOST_EXPANSIONS;
    return options;
}

static dl_status label_by_lacam(const task *t, dl_deadline deadline, dl_plan **plan, dl_error *err)
{
    dl_lacam_options options = lacam_options(t);
    dl_lacam_result result;
    dl_status status = dl_lacam_solve(t->instance, t->distance, &options, deadline, &result, err);
    if (status == DIFFLNS_OK) {
        *plan = result.plan;
        result.plan = NULL;
    }
    dl_lacam_result_release(&result);
    return status;
}

/* The first plan that repair finds. */
static dl_status repaired_plan(const task *t, dl_plan **plan, dl_error *err)
{
    dl_options options;
    dl_options_default(&options);
    options.seed = t->seed;
    options.threads = 1;
    options.stop = DL_STOP_FIRST;
    options.fallback = false; /* its plans are valid, not good: nothing to learn from */
    if (t->budget->iterations) {
        options.iterations = MOST_REPAIRS;
        options.time = DL_NO_TIME_LIMIT;
    } else {
        options.time = REPAIR_SHARE * dl_deadline_left(&t->deadline);
        if (options.time <= 0) return dl_fail(err, DIFFLNS_UNSOLVED, "lns2: no time left");
    }
    dl_solve_input input = {.instance = t->instance, .options = &options, .stop = t->deadline.cancel};
    dl_report report;
    dl_status status = dl_solve(&input, plan, &report, err);
    dl_report_free(&report);
    return status;
}

/* Runs until the first rounds begin; returns the plan there if pairs are wanted. */
static dl_plan *descend(const task *t, dl_descent *d)
{
    uint64_t most = t->budget->iterations ? t->budget->iterations : UINT64_MAX;
    while (d->phase == DL_OPENING && d->iterations < most) {
        uint64_t before = d->iterations;
        dl_descent_run(d, 1, &t->deadline);
        if (d->iterations == before) return NULL; /* time is over, or nothing can be better */
    }
    bool ended = d->phase != DL_OPENING;
    return t->budget->pairs && ended ? needed(dl_planner_write_plan(d->planner)) : NULL;
}

/* Improves the plan in the planner's table for the rest of the budget, as the product does. */
static void improve_table(const task *t, dl_planner *planner, dl_expert_plans *plans)
{
    dl_descent_options options = DL_DESCENT_DEFAULTS;
    options.seed = t->seed;
    dl_deadline never = dl_no_deadline();
    dl_descent d;
    need(dl_descent_begin(&d, planner, &options));
    need(dl_descent_adopt(&d, planner->track, dl_plan_soc(plans->plan), &never));
    plans->earlier = descend(t, &d);
    dl_descent_run(&d, t->budget->iterations ? t->budget->iterations - d.iterations : UINT64_MAX, &t->deadline);
    need(dl_descent_adopt(&d, d.best.track, d.best.soc, &never));
    dl_descent_end(&d);
}

/* A plan too long for the planner stays as it is. */
static void improve(const task *t, dl_expert_plans *plans)
{
    dl_planner *planner = needed(dl_planner_create(t->instance, t->distance, DL_ENGINE_AUTO));
    bool fits = true;
    for (int agent = 0; agent < t->instance->agents; agent++)
        fits = fits && dl_planner_read_path(planner, agent, &plans->plan->path[agent]);
    if (fits) {
        for (int agent = 0; agent < t->instance->agents; agent++) need(dl_planner_insert(planner, agent));
        improve_table(t, planner, plans);
        dl_plan_free(plans->plan);
        plans->plan = needed(dl_planner_write_plan(planner));
    }
    dl_planner_free(planner);
    if (plans->earlier && dl_plan_soc(plans->earlier) > dl_plan_soc(plans->plan)) return;
    dl_plan_free(plans->earlier);
    plans->earlier = NULL;
}

static dl_status label_by_repair(const task *t, dl_expert_plans *plans, dl_error *err)
{
    dl_status status = repaired_plan(t, &plans->plan, err);
    if (plans->plan) improve(t, plans);
    return status;
}

/* Both starts, then improvement of the better one. */
static dl_status label_by_best(const task *t, dl_expert_plans *plans, dl_error *err)
{
    dl_plan *repaired = NULL;
    dl_deadline share = t->deadline;
    if (t->budget->iterations == 0) share = dl_deadline_within(share, LACAM_SHARE * dl_deadline_left(&share));
    dl_status by_lacam = label_by_lacam(t, share, &plans->plan, err);
    if (by_lacam != DIFFLNS_OK && by_lacam != DIFFLNS_UNSOLVED) return by_lacam;
    dl_status by_repair = repaired_plan(t, &repaired, err);
    if (!plans->plan && !repaired) return by_repair;
    plans->won = DL_EXPERT_LACAM;
    if (repaired && (!plans->plan || dl_plan_soc(repaired) < dl_plan_soc(plans->plan))) {
        dl_plan *worse = plans->plan;
        plans->plan = repaired;
        repaired = worse;
        plans->won = DL_EXPERT_LNS2;
    }
    dl_plan_free(repaired);
    improve(t, plans);
    return DIFFLNS_OK;
}

static bool are_valid(const dl_instance *instance, const dl_expert_plans *plans)
{
    return dl_check_valid(instance, plans->plan) && (!plans->earlier || dl_check_valid(instance, plans->earlier));
}

dl_status dl_expert_label(const dl_instance *instance, dl_distance *distance, const dl_expert_budget *budget,
                          uint64_t seed, const atomic_int *cancel, dl_expert_plans *out, dl_error *err)
{
    dl_deadline deadline = dl_no_deadline();
    if (budget->iterations == 0) deadline = dl_deadline_after(budget->seconds, cancel);
    deadline.cancel = cancel;
    task t = {instance, distance, budget, seed, deadline};
    *out = (dl_expert_plans){.won = budget->solver};
    dl_status status = DIFFLNS_OK;
    switch (budget->solver) {
    case DL_EXPERT_LACAM:
        status = label_by_lacam(&t, t.deadline, &out->plan, err);
        if (status == DIFFLNS_OK) improve(&t, out);
        break;
    case DL_EXPERT_LNS2:
        status = label_by_repair(&t, out, err);
        break;
    case DL_EXPERT_BEST:
        status = label_by_best(&t, out, err);
        break;
    }
    if (dl_deadline_canceled(&deadline)) status = dl_fail(err, DIFFLNS_STOPPED, "stopped");
    if (status == DIFFLNS_OK && !are_valid(instance, out))
        status = dl_fail(err, DIFFLNS_INTERNAL, "expert: a plan did not pass the checker");
    if (status != DIFFLNS_OK) {
        dl_plan_free(out->plan);
        dl_plan_free(out->earlier);
        *out = (dl_expert_plans){.won = budget->solver};
    }
    return status;
}
