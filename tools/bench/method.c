#include "bench/method.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/choice.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "bench/external.h"
#include "lacam/lacam.h"
#include "lns/repair.h"
#include "mapf/check.h"
#include "memory/need.h"
#include "solver/solve.h"

bool dl_method_needs_model(const dl_method *method)
{
    dl_compared_start start;
    return method->start && dl_compared_start_find(method->start, &start) && start.network;
}

/* Counts a plan if the checker agrees. */
static void record_plan(const dl_bench_case *c, const dl_plan *plan, dl_record *record)
{
    dl_check_result check;
    need(dl_check(c->instance, plan, &check, NULL, 0, NULL));
    record->outcome = check.violations == 0 ? DL_RUN_SOLVED : DL_RUN_INVALID;
    if (check.violations > 0) return;
    record->soc = check.soc;
    record->makespan = check.makespan;
    if (c->keep) c->keep(c->user, c->instance, plan, record);
}

static dl_status stopped(dl_error *err)
{
    return dl_fail(err, DIFFLNS_STOPPED, "stopped");
}

/* ---- the solver ---- */

static dl_status run_solver(const dl_method *method, const dl_bench_case *c, dl_record *record, dl_error *err)
{
    dl_options options;
    dl_options_default(&options);
    options.time = fmin(c->limit, DL_NO_TIME_LIMIT);
    options.seed = c->seed;
    options.threads = c->threads;
    options.init = dl_choice_index(DL_START_CHOICES, method->start);
    options.stop = (int)method->stop;
    options.fallback = options.init == 0; /* only auto: the others are measured by themselves */
    if (method->as_paper) DL_TRY(dl_option_set_text(dl_option_find("preset"), &options, "paper", err));
    dl_solve_input input = {.instance = c->instance, .options = &options, .stop = c->stop};
    if (dl_method_needs_model(method)) { /* auto by default draws no drafts */
        input.model = method->dense ? c->dense_model : c->model;
        options.repair_time = fmin(c->repair_limit, DL_NO_TIME_LIMIT); /* the paper's protocol */
    }
    dl_plan *plan;
    dl_report report;
    dl_status status = dl_solve(&input, &plan, &report, err);
    record->seconds = report.seconds;
    record->sum_of_distances = report.sum_of_distances;
    record->candidates = report.candidates;
    record->iterations = report.repair_iterations;
    record->first_seconds = report.first_seconds;
    record->first_soc = report.first_soc;
    if (report.candidates > 0) record->start_conflicts = report.candidate[0].conflicts;
    if (plan) {
        record_plan(c, plan, record);
        snprintf(record->init, sizeof record->init, "%s", report.init);
    }
    if (status == DIFFLNS_UNSOLVABLE) record->outcome = DL_RUN_UNSOLVABLE;
    dl_plan_free(plan);
    dl_report_free(&report);
    return status == DIFFLNS_UNSOLVED || status == DIFFLNS_UNSOLVABLE ? DIFFLNS_OK : status;
}

/* ---- rounds of starts ---- */

typedef struct attempt {
    dl_plan *plan; /* NULL = not repaired */
    int64_t conflicts;
    uint64_t iterations;
} attempt;

/* Making the start may take until `deadline`; only then does the time of its repair begin. */
static attempt try_start(const dl_method *method, const dl_bench_case *c, const dl_start_case *scene, int index,
                         const dl_deadline *deadline)
{
    attempt result = {.conflicts = -1};
    const dl_start_input *input = dl_starts_input(scene->starts);
    dl_planner *planner = needed(dl_planner_create(input->instance, input->distance, DL_ENGINE_AUTO));
    dl_repair repair;
    need(dl_repair_begin(&repair, planner, method->plain ? &DL_REPAIR_PUBLISHED : &DL_REPAIR_DEFAULTS));
    dl_compared_start start;
    bool made = dl_compared_start_find(method->start, &start) &&
                dl_compared_start_make(&start, scene, index, planner, deadline);
    dl_deadline limit = dl_deadline_within(*deadline, method->patient ? INFINITY : c->repair_limit);
    if (made && dl_repair_start(&repair, input->seed, (uint64_t)index, &limit)) {
        result.conflicts = repair.conflicts.pairs;
        dl_repair_run(&repair, c->iterations > 0 ? c->iterations : UINT64_MAX, &limit);
        result.iterations = repair.iterations;
        if (repair.conflicts.pairs == 0) result.plan = needed(dl_planner_write_plan(planner));
    }
    dl_repair_end(&repair);
    dl_planner_free(planner);
    return result;
}

/* The repaired plan of least cost, the first of equals; NULL if there is none. */
static const dl_plan *best_of(const attempt *attempts, int count)
{
    const dl_plan *best = NULL;
    for (int i = 0; i < count; i++)
        if (attempts[i].plan && (!best || dl_plan_soc(attempts[i].plan) < dl_plan_soc(best))) best = attempts[i].plan;
    return best;
}

typedef struct round_job {
    const dl_method *method;
    const dl_bench_case *c;
    const dl_start_case *scene;
    int first; /* number of the round's first start */
    const dl_deadline *deadline;
    attempt *attempts;
} round_job;

static void run_attempt(void *context, int i)
{
    round_job *j = context;
    j->attempts[i] = try_start(j->method, j->c, j->scene, j->first + i, j->deadline);
}

static bool run_round(const dl_method *method, const dl_bench_case *c, const dl_start_case *scene, int round,
                      dl_deadline deadline, dl_record *record)
{
    int count = method->candidates;
    attempt *attempts = needed(DL_ARRAY(attempt, count));
    round_job job = {method, c, scene, round * count, &deadline, attempts};
    dl_parallel_for(count, c->threads, run_attempt, &job);
    if (round == 0) record->start_conflicts = attempts[0].conflicts;
    const dl_plan *best = best_of(attempts, count);
    bool solved = best != NULL;
    if (solved) {
        record_plan(c, best, record);
        snprintf(record->init, sizeof record->init, "%s", method->start);
    }
    for (int i = 0; i < count; i++) {
        record->iterations += attempts[i].iterations;
        dl_plan_free(attempts[i].plan);
    }
    record->candidates += count;
    free(attempts);
    return solved;
}

static dl_status run_starts(const dl_method *method, const dl_bench_case *c, dl_record *record, dl_error *err)
{
    double began = dl_now();
    dl_deadline deadline = {began + c->limit, c->stop};
    dl_start_input input = {.instance = c->instance,
                            .distance = needed(dl_distance_create(c->instance)),
                            .seed = c->seed,
                            .sampling = method->as_paper ? DL_START_SAMPLED_AS_PAPER : DL_START_SAMPLED_AS_MODEL,
                            .model = method->dense ? c->dense_model : c->model};
    dl_start_input untrained = input;
    untrained.model = c->untrained;
    dl_start_case scene = {.starts = needed(dl_starts_create(&input)),
                           .untrained = needed(dl_starts_create(&untrained)),
                           .kept = method->candidates * method->rounds == 1 ? c->kept : NULL};
    for (int round = 0; round < method->rounds; round++)
        if (dl_deadline_passed(&deadline) || run_round(method, c, &scene, round, deadline, record)) break;
    record->seconds = dl_now() - began;
    record->sum_of_distances = dl_distance_lower_bound(input.distance);
    dl_starts_free(scene.starts);
    dl_starts_free(scene.untrained);
    dl_distance_free(input.distance);
    return dl_deadline_canceled(&deadline) ? stopped(err) : DIFFLNS_OK;
}

/* ---- LaCAM ---- */

static dl_status run_lacam(const dl_bench_case *c, const dl_method *method, dl_record *record, dl_error *err)
{
    double began = dl_now();
    record->limit = c->matched >= 0 && !method->patient ? c->matched : c->limit;
    if (isinf(record->limit))
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: expected a limit in seconds, not in iterations", method->name);
    dl_deadline deadline = {began + record->limit, c->stop};
    dl_lacam_options options = dl_lacam_lean(c->seed);
    dl_lacam_result result;
    dl_distance *distance = needed(dl_distance_create(c->instance));
    dl_status status = dl_lacam_solve(c->instance, distance, &options, deadline, &result, err);
    record->seconds = dl_now() - began;
    record->sum_of_distances = dl_distance_lower_bound(distance);
    if (result.plan) record_plan(c, result.plan, record);
    if (status == DIFFLNS_UNSOLVABLE) record->outcome = DL_RUN_UNSOLVABLE;
    dl_lacam_result_release(&result);
    dl_distance_free(distance);
    if (dl_deadline_canceled(&deadline)) return stopped(err);
    return status == DIFFLNS_UNSOLVED || status == DIFFLNS_UNSOLVABLE ? DIFFLNS_OK : status;
}

/* ---- other people's solvers ---- */

static dl_status run_external(const dl_method *method, const dl_bench_case *c, dl_record *record, dl_error *err)
{
    dl_external external = {.name = method->name,
                            .command = method->command,
                            .folder = c->folder,
                            .seconds = c->limit,
                            .seed = c->seed,
                            .stop = c->stop};
    dl_external_result result;
    DL_TRY(dl_external_run(&external, c->instance, &result, err));
    record->seconds = result.seconds;
    record->sum_of_distances = difflns_instance_sum_of_distances(c->instance);
    if (result.plan)
        record_plan(c, result.plan, record);
    else if (result.unusable.status == DIFFLNS_BAD_INPUT) /* a file that is no plan */
        record->outcome = DL_RUN_INVALID;
    /* A solver that admits a failure does not claim that what it left is a plan. */
    if (record->outcome == DL_RUN_INVALID && result.failed) record->outcome = DL_RUN_UNSOLVED;
    dl_plan_free(result.plan);
    return DIFFLNS_OK;
}

static dl_status run_kind(const dl_method *method, const dl_bench_case *c, dl_record *record, dl_error *err)
{
    switch (method->kind) {
    case DL_METHOD_SOLVE:
        return run_solver(method, c, record, err);
    case DL_METHOD_STARTS:
        return run_starts(method, c, record, err);
    case DL_METHOD_LACAM:
        return run_lacam(c, method, record, err);
    case DL_METHOD_EXTERNAL:
        return run_external(method, c, record, err);
    }
    return DIFFLNS_OK;
}

/* Of this process and of those that it waited for. */
static double processor_seconds(void)
{
    struct rusage own, others;
    getrusage(RUSAGE_SELF, &own);
    getrusage(RUSAGE_CHILDREN, &others);
    const struct timeval part[] = {own.ru_utime, own.ru_stime, others.ru_utime, others.ru_stime};
    double seconds = 0;
    for (int i = 0; i < 4; i++) seconds += (double)part[i].tv_sec + 1e-6 * (double)part[i].tv_usec;
    return seconds;
}

dl_status dl_method_run(const dl_method *method, const dl_bench_case *c, dl_record *record, dl_error *err)
{
    record->outcome = DL_RUN_UNSOLVED;
    record->soc = record->makespan = record->sum_of_distances = record->start_conflicts = record->first_soc = -1;
    record->first_seconds = -1;
    record->limit = isinf(c->limit) ? 0 : c->limit;
    record->threads = c->threads;
    record->lower_bound = c->lower_bound;
    double before = processor_seconds();
    dl_status status = run_kind(method, c, record, err);
    record->cpu_seconds = processor_seconds() - before;
    return status;
}
