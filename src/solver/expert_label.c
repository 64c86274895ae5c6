#include "solver/expert_label.h"

#include <stdlib.h>

#include "mapf/check.h"
#include "search/improve.h"
#include "search/lacam.h"
#include "search/repair.h"
#include "search/slack.h"

enum {
    STARTS = 4,               /* first solutions of LaCAM to choose from: each costs a few ms */
    MOST_EXPANSIONS = 200000, /* of LaCAM and ... */
    MOST_REPAIRS = 20000      /* ... iterations of repair, when iterations are the budget: then time never decides */
};
/* Repair may take this share of the time; what it has not solved by then it rarely solves. */
static const double REPAIR_SHARE = 0.6;
static const dl_slack LOOSE = {.waits = 4, .detour = 0.2, .stretch = 8};

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
    options.starts = STARTS;
    options.refinements = t->budget->iterations;
    if (t->budget->iterations) options.expansions = MOST_EXPANSIONS;
    return options;
}

static dl_status label_by_lacam(const task *t, bool anytime, dl_plan **plan, dl_error *err)
{
    dl_lacam_options options = lacam_options(t);
    options.anytime = anytime;
    dl_lacam_result result;
    dl_status status = dl_lacam_solve(t->instance, t->distance, &options, t->deadline, &result, err);
    if (status == DIFFLNS_OK) {
        *plan = result.plan;
        result.plan = NULL;
    }
    dl_lacam_result_release(&result);
    return status;
}

/* Repairs loosened shortest paths in the planner. */
static bool repair(const task *t, dl_planner *planner)
{
    dl_deadline limit = t->deadline;
    uint64_t iterations = t->budget->iterations ? MOST_REPAIRS : UINT64_MAX;
    if (t->budget->iterations == 0) limit = dl_deadline_within(limit, REPAIR_SHARE * dl_deadline_left(&limit));
    dl_rng rng = dl_rng_stream(t->seed, DL_PURPOSE('l', 'o', 'o', 's'), 0);
    planner->rng = rng;
    dl_slack_paths(planner, &rng, &LOOSE);
    dl_repair r;
    dl_repair_begin(&r, planner, &DL_REPAIR_DEFAULTS);
    bool solved = dl_repair_start(&r, t->seed, 0, &limit) && dl_repair_run(&r, iterations, &limit);
    dl_repair_end(&r);
    return solved;
}

static bool load(dl_planner *planner, const dl_plan *plan)
{
    dl_planner_clear(planner);
    for (int agent = 0; agent < plan->agents; agent++)
        if (!dl_planner_read_path(planner, agent, &plan->path[agent])) return false;
    for (int agent = 0; agent < plan->agents; agent++) dl_planner_insert(planner, agent);
    return true;
}

static dl_plan *improved(const task *t, dl_planner *planner)
{
    dl_improve m;
    dl_improve_begin(&m, planner, &DL_IMPROVE_DEFAULTS);
    dl_improve_start(&m, t->seed, 0);
    dl_improve_run(&m, t->budget->iterations ? t->budget->iterations : UINT64_MAX, &t->deadline);
    dl_improve_end(&m);
    return dl_planner_write_plan(planner);
}

static dl_status label_by_repair(const task *t, dl_plan **plan, dl_error *err)
{
    dl_planner *planner = dl_planner_create(t->instance, t->distance, DL_ENGINE_AUTO);
    dl_status status = DIFFLNS_OK;
    if (repair(t, planner)) {
        *plan = improved(t, planner);
    } else {
        status = dl_fail(err, DIFFLNS_UNSOLVED, "lns2: not repaired within the limit");
    }
    dl_planner_free(planner);
    return status;
}

/* Both starts, then improvement of the better one. */
static dl_status label_by_best(const task *t, dl_plan **plan, dl_expert_solver *won, dl_error *err)
{
    dl_status status = label_by_lacam(t, false, plan, err);
    if (status != DIFFLNS_OK && status != DIFFLNS_UNSOLVED) return status;
    dl_planner *planner = dl_planner_create(t->instance, t->distance, DL_ENGINE_AUTO);
    int64_t soc = 0;
    bool repaired = repair(t, planner);
    for (int agent = 0; repaired && agent < t->instance->agents; agent++) soc += planner->track[agent].cost;
    *won = repaired && (!*plan || soc < dl_plan_soc(*plan)) ? DL_EXPERT_LNS2 : DL_EXPERT_LACAM;
    if (*won == DL_EXPERT_LNS2 || (*plan && load(planner, *plan))) {
        dl_plan_free(*plan);
        *plan = improved(t, planner);
        status = DIFFLNS_OK;
    }
    dl_planner_free(planner);
    return status;
}

dl_status dl_expert_label(const dl_instance *instance, dl_distance *distance, const dl_expert_budget *budget,
                          uint64_t seed, const atomic_int *cancel, dl_plan **plan, dl_expert_solver *won, dl_error *err)
{
    dl_deadline deadline = dl_no_deadline();
    if (budget->iterations == 0) deadline = dl_deadline_after(budget->seconds, cancel);
    deadline.cancel = cancel;
    task t = {instance, distance, budget, seed, deadline};
    *plan = NULL;
    *won = budget->solver;
    dl_status status = DIFFLNS_OK;
    switch (budget->solver) {
    case DL_EXPERT_LACAM:
        status = label_by_lacam(&t, true, plan, err);
        break;
    case DL_EXPERT_LNS2:
        status = label_by_repair(&t, plan, err);
        break;
    case DL_EXPERT_BEST:
        status = label_by_best(&t, plan, won, err);
        break;
    }
    if (dl_deadline_cancelled(&deadline)) status = dl_fail(err, DIFFLNS_STOPPED, "stopped");
    if (status == DIFFLNS_OK && !dl_check_valid(instance, *plan))
        status = dl_fail(err, DIFFLNS_INTERNAL, "expert: a plan did not pass the checker");
    if (status != DIFFLNS_OK) {
        dl_plan_free(*plan);
        *plan = NULL;
    }
    return status;
}
