#include "solver/solve.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "complete/lower_bound.h"
#include "complete/solvability.h"
#include "mapf/check.h"
#include "solver/policies.h"

/* Looking for a proof that there is no plan may take this share of the limit: large maps take seconds. */
static const double PROOF_SHARE = 0.25;

/* Is there an obvious or provable reason why no plan exists? */
static dl_status check_solvable(const dl_portfolio *f, dl_error *err)
{
    const dl_instance *instance = f->instance;
    dl_report *report = f->report;
    int agent = dl_instance_cut_off_agent(instance), pair[2], time;
    bool fits, collide = dl_instance_prefixes_collide(instance, pair, &time, &fits);
    if (!fits) return dl_out_of_memory(err);
    if (collide) {
        snprintf(report->reason, sizeof report->reason, "the prefixes of agents %d and %d collide at time %d", pair[0],
                 pair[1], time);
    } else if (agent >= 0) {
        snprintf(report->reason, sizeof report->reason, "agent %d cannot reach its goal: no way leads there", agent);
    } else {
        dl_solvability test;
        dl_deadline share = dl_deadline_within(f->deadline, PROOF_SHARE * f->seconds);
        if (!dl_solvability_within(instance, DL_RULES_MAPF, &share, &test))
            return dl_deadline_passed(&share) ? DIFFLNS_OK : dl_out_of_memory(err); /* late: a plan may tell */
        if (test.verdict == DL_SOLVABLE) return DIFFLNS_OK;
        snprintf(report->reason, sizeof report->reason, "%s", test.reason);
    }
    return dl_fail(err, DIFFLNS_UNSOLVABLE, "unsolvable: %s", report->reason);
}

static void explain_failure(const dl_portfolio *f, dl_report *report)
{
    int64_t least = -1;
    for (int i = 0; i < f->next; i++) {
        int64_t left = f->candidate[i].conflicts_left;
        if (left >= 0 && (least < 0 || left < least)) least = left;
    }
    if (atomic_load(&f->exhausted))
        snprintf(report->reason, sizeof report->reason, "out of memory");
    else if (least < 0)
        snprintf(report->reason, sizeof report->reason, "the limit was reached before every agent had a path");
    else
        snprintf(report->reason, sizeof report->reason, "%lld colliding pairs are left in the best of %d candidates",
                 (long long)least, f->next);
}

/* What the report says of all candidates and of what no plan can cost less than. */
static void sum_up(dl_portfolio *f, bool solved)
{
    dl_report *report = f->report;
    if (solved) f->next = dl_counted_candidates(f);
    report->candidates = f->next;
    report->candidate = f->candidate;
    for (int i = 0; i < f->next; i++) {
        report->repair_iterations += f->candidate[i].iterations;
        report->repair_seconds += f->candidate[i].seconds;
    }
    report->sum_of_distances = dl_distance_lower_bound_within(f->distance, &f->deadline);
    report->lower_bound = report->sum_of_distances;
}

/* The best plan, once the checker agrees. */
static dl_status hand_over(dl_portfolio *f, dl_plan **plan, dl_error *err)
{
    dl_report *report = f->report;
    *plan = dl_best_write(f);
    dl_check_result check = {.soc = -1};
    bool judged = *plan && dl_check(f->instance, *plan, &check, NULL, 0, NULL);
    report->soc = check.soc;
    report->makespan = check.makespan;
    if (judged && check.violations == 0 && check.soc == f->best_soc) return DIFFLNS_OK;
    dl_plan_free(*plan);
    *plan = NULL;
    if (!judged) return dl_out_of_memory(err);
    return dl_fail(err, DIFFLNS_INTERNAL, "internal error: the plan found did not pass the checker");
}

/* Fills the report and hands over the plan, if there is one. */
static dl_status solve_conclude(dl_portfolio *f, dl_plan **plan, dl_error *err)
{
    dl_report *report = f->report;
    bool stopped = dl_deadline_canceled(&f->deadline);
    if (atomic_load(&f->resort.stage) == DL_RESORT_READY) dl_publish_last_resort(f, true);
    bool solved = f->best_soc >= 0;
    sum_up(f, solved);
    dl_status status = stopped ? DIFFLNS_STOPPED : DIFFLNS_OK;
    if (f->as_it_is) {
        *plan = f->as_it_is;
        report->soc = f->best_soc;
        report->makespan = dl_plan_makespan(*plan);
    } else if (solved) {
        dl_status handed = hand_over(f, plan, err);
        if (handed != DIFFLNS_OK) status = handed;
    } else {
        explain_failure(f, report);
        if (!stopped) status = atomic_load(&f->exhausted) ? DIFFLNS_OUT_OF_MEMORY : DIFFLNS_UNSOLVED;
        if (status == DIFFLNS_OUT_OF_MEMORY)
            dl_out_of_memory(err);
        else
            dl_fail(err, status, "%s: %s", stopped ? "stopped" : "not solved", report->reason);
    }
    assert(!*plan || report->soc >= report->lower_bound);
    report->seconds = dl_now() - f->began;
    return status;
}

static void end_workers(dl_worker *workers, int count)
{
    for (int i = 0; i < count; i++)
        for (int lane = 0; lane < DL_PLACES; lane++) dl_lane_close(&workers[i].lanes[lane]);
}

/* Everything is there: the given plan, the proof, the portfolio, the result. */
static dl_status solve_run(dl_portfolio *f, dl_worker *workers, dl_plan **plan, dl_error *err)
{
    int count = f->threads + 1;
    for (int i = 0; i < count; i++) {
        workers[i] = (dl_worker){.f = f, .number = i};
        for (int place = 0; place < DL_PLACES; place++) {
            workers[i].lane[place] = &workers[i].lanes[place];
            workers[i].lanes[place].worker = &workers[i];
        }
    }
    dl_distance_until(f->distance, f->deadline);
    dl_portfolio_begin(&workers[0]);
    dl_status status = dl_is_repaired(f) ? DIFFLNS_OK : check_solvable(f, err);
    if (status == DIFFLNS_OK) dl_portfolio_run(f, workers);
    end_workers(workers, count);
    if (status == DIFFLNS_OK) return solve_conclude(f, plan, err);
    free(f->candidate);
    return status;
}

/* False when memory is out; close it all the same. */
static bool portfolio_open(dl_portfolio *f, const dl_solve_input *input, const dl_start_input *start,
                           dl_scratch *scratch)
{
    const dl_options *options = input->options;
    bool repeatable = options->iterations > 0;
    dl_stop_rule_begin(&f->rule, dl_options_stop(options), repeatable ? DL_SETTLED_ITERATIONS : DL_SETTLED_SECONDS);
    pthread_mutex_init(&f->lock, NULL);
    pthread_mutex_init(&f->telling, NULL);
    f->scratch = scratch;
    f->distance = start->distance;
    f->starts = start->distance ? dl_starts_create(start) : NULL;
    f->best = DL_ARRAY(dl_track, input->instance->agents);
    f->candidate_room = 1;
    f->candidate = DL_ARRAY(dl_candidate, f->candidate_room);
    f->resort.options = (dl_last_resort_options){options->seed, options->iterations, .quick = dl_is_crowded(f)};
    return f->starts && f->best && f->candidate && dl_scratch_reserve(scratch, f->threads * DL_PLACES);
}

static void portfolio_close(dl_portfolio *f)
{
    for (int agent = 0; f->best && agent < f->instance->agents; agent++) free(f->best[agent].at);
    free(f->best);
    if (!f->as_it_is) dl_plan_free(f->resort.result.plan);
    pthread_mutex_destroy(&f->lock);
    pthread_mutex_destroy(&f->telling);
    dl_starts_free(f->starts);
    dl_distance_free(f->distance);
}

static dl_status solve_with(const dl_solve_input *input, const dl_start_input *start, int threads, double began,
                            dl_plan **plan, dl_report *report, dl_error *err)
{
    double seconds = dl_options_seconds(input->options);
    dl_scratch own = {0}, *scratch = input->scratch ? input->scratch : &own;
    dl_portfolio f = {.instance = input->instance,
                      .input = input,
                      .options = input->options,
                      .seconds = seconds,
                      .deadline = {began + seconds, input->stop},
                      .began = began,
                      .threads = threads,
                      .winner = DL_NO_WINNER,
                      .best_soc = -1,
                      .fewest_pairs = -1,
                      .report = report};
    dl_worker *workers = DL_ARRAY(dl_worker, threads + 1);
    bool fits = portfolio_open(&f, input, start, scratch) && workers;
    dl_tell(&f, DIFFLNS_EVENT_STARTED, -1, -1, 0);
    dl_status status = fits ? solve_run(&f, workers, plan, err) : dl_out_of_memory(err);
    if (!fits) free(f.candidate);
    dl_tell(&f, DIFFLNS_EVENT_FINISHED, *plan ? 0 : f.fewest_pairs, report->soc,
            report->repair_iterations + report->improve_iterations);
    dl_scratch_park(scratch);
    dl_scratch_free(&own);
    free(workers);
    portfolio_close(&f);
    return status;
}

/* After the solve and outside its limit: what no plan can cost less than. */
static void find_bound(const dl_solve_input *input, dl_report *report)
{
    dl_deadline until_stopped = {__builtin_inf(), input->stop};
    dl_distance *distance = dl_distance_create(input->instance);
    if (!distance) return;
    dl_distance_until(distance, until_stopped);
    int64_t bound = dl_lower_bound(input->instance, distance, &until_stopped);
    if (bound > report->lower_bound) report->lower_bound = bound;
    dl_distance_free(distance);
}

dl_status dl_solve(const dl_solve_input *input, dl_plan **plan, dl_report *report, dl_error *err)
{
    const dl_options *options = input->options;
    *report = (dl_report){.soc = -1,
                          .first_soc = -1,
                          .sum_of_distances = -1,
                          .lower_bound = -1,
                          .first_seconds = -1,
                          .init = DL_START_AUTO};
    *plan = NULL;
    double began = dl_now();
    DL_TRY(dl_options_check(options, err));
    const dl_start *asked = dl_start_at(options->init - 1);
    if (asked) report->init = asked->name;
    dl_start_input start = {.instance = input->instance,
                            .seed = options->seed,
                            .iterations = options->iterations,
                            .choice = options->init,
                            .plan = input->init_plan,
                            .model = input->model,
                            .sampling = options->sampling == DL_SAMPLING_OF_PAPER ? DL_START_SAMPLED_AS_PAPER
                                                                                  : DL_START_SAMPLED_AS_MODEL,
                            .steps = options->steps,
                            .horizon = options->horizon};
    int threads = options->threads > 0 ? options->threads : dl_cores();
    report->threads = threads;
    DL_TRY(dl_start_check(options->init, &start, threads, err));
    start.distance = dl_distance_create(input->instance);
    dl_status status = solve_with(input, &start, threads, began, plan, report, err);
    if (options->bound && report->soc >= 0) find_bound(input, report);
    return status;
}

void dl_report_free(dl_report *report)
{
    free(report->candidate);
    dl_plan_free(report->start);
    dl_plan_free(report->colliding);
    *report = (dl_report){.init = report->init};
}
