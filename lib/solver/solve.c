#include "solver/solve.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "complete/lower_bound.h"
#include "complete/solvability.h"
#include "mapf/check.h"
#include "solver/solving.h"

/* Looking for a proof that there is no plan may take this share of the limit: large maps take seconds. */
static const double PROOF_SHARE = 0.25;

/* Is there an obvious or provable reason why no plan exists? */
static dl_status check_solvable(const dl_solving *s, dl_error *err)
{
    const dl_instance *instance = s->instance;
    dl_report *report = s->report;
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
        dl_deadline share = dl_deadline_within(s->deadline, PROOF_SHARE * s->seconds);
        if (!dl_solvability_within(instance, DL_RULES_MAPF, &share, &test))
            return dl_deadline_passed(&share) ? DIFFLNS_OK : dl_out_of_memory(err); /* late: a plan may tell */
        if (test.verdict == DL_SOLVABLE) return DIFFLNS_OK;
        snprintf(report->reason, sizeof report->reason, "%s", test.reason);
    }
    return dl_fail(err, DIFFLNS_UNSOLVABLE, "unsolvable: %s", report->reason);
}

static void explain_failure(const dl_solving *s, dl_report *report)
{
    int64_t least = -1;
    for (int i = 0; i < s->next; i++) {
        int64_t left = s->candidate[i].conflicts_left;
        if (left >= 0 && (least < 0 || left < least)) least = left;
    }
    if (atomic_load(&s->exhausted))
        snprintf(report->reason, sizeof report->reason, "out of memory");
    else if (least < 0)
        snprintf(report->reason, sizeof report->reason, "the limit was reached before every agent had a path");
    else
        snprintf(report->reason, sizeof report->reason, "%lld colliding pairs are left in the best of %d candidates",
                 (long long)least, s->next);
}

/* Fills the report and hands over the plan, if there is one and the checker agrees. */
static dl_status conclude(dl_solving *s, dl_plan **plan, dl_error *err)
{
    dl_report *report = s->report;
    bool solved = s->best_soc >= 0;
    if (solved && s->by_number) s->next = dl_counted_candidates(s);
    report->candidates = s->next;
    report->candidate = s->candidate;
    for (int i = 0; i < s->next; i++) {
        report->repair_iterations += s->candidate[i].iterations;
        report->repair_seconds += s->candidate[i].seconds;
    }
    report->sum_of_distances = dl_distance_lower_bound_within(s->distance, &s->deadline);
    report->lower_bound = report->sum_of_distances;
    bool stopped = dl_deadline_canceled(&s->deadline);
    dl_status status = stopped                      ? DIFFLNS_STOPPED
                       : solved                     ? DIFFLNS_OK
                       : atomic_load(&s->exhausted) ? DIFFLNS_OUT_OF_MEMORY
                                                    : DIFFLNS_UNSOLVED;
    if (s->as_it_is) {
        *plan = s->as_it_is;
        report->soc = s->best_soc;
        report->makespan = dl_plan_makespan(*plan);
    } else if (solved) {
        *plan = dl_best_write(s);
        dl_check_result check = {.soc = -1};
        bool judged = *plan && dl_check(s->instance, *plan, &check, NULL, 0, NULL);
        report->soc = check.soc;
        report->makespan = check.makespan;
        if (!judged) {
            dl_plan_free(*plan);
            *plan = NULL;
            status = dl_out_of_memory(err);
        } else if (check.violations > 0 || check.soc != s->best_soc) {
            dl_plan_free(*plan);
            *plan = NULL;
            status = dl_fail(err, DIFFLNS_INTERNAL, "internal error: the plan found did not pass the checker");
        }
    } else {
        explain_failure(s, report);
        if (status == DIFFLNS_OUT_OF_MEMORY)
            dl_out_of_memory(err);
        else
            dl_fail(err, status, "%s: %s", stopped ? "stopped" : "not solved", report->reason);
    }
    report->seconds = dl_now() - s->began;
    return status;
}

/* By time, every worker improves as soon as it has something to improve, whatever the others do. */
static void *repair_and_improve(void *argument)
{
    dl_worker *w = argument;
    dl_repair_phase(w);
    if (dl_worth_improving(w->s)) dl_improve_phase(w);
    return NULL;
}

/* Everything is there: candidates, the plan of last resort, improvement, the result. */
static dl_status run(dl_solving *s, dl_worker *workers, int threads, dl_plan **plan, dl_error *err)
{
    for (int i = 0; i < threads; i++) workers[i] = (dl_worker){.s = s, .number = i};
    dl_distance_until(s->distance, s->deadline);
    bool is_improved = false;
    if (!dl_solved_already(&workers[0])) {
        dl_status status = check_solvable(s, err);
        if (status != DIFFLNS_OK) {
            free(s->candidate);
            return status;
        }
        dl_last_resort_prepare(s, threads);
        dl_run_phase(workers, threads, s->repeatable ? dl_repair_phase : repair_and_improve);
        is_improved = !dl_last_resort_use(s) && !s->repeatable;
    }
    if (!is_improved && dl_worth_improving(s)) dl_run_phase(workers, s->repeatable ? 1 : threads, dl_improve_phase);
    for (int i = 0; i < threads; i++) dl_plan_free(workers[i].grew_from);
    return conclude(s, plan, err);
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
    const dl_instance *instance = input->instance;
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
    dl_start_input start_input = {.instance = instance,
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
    DL_TRY(dl_start_check(options->init, &start_input, threads, err));
    start_input.distance = dl_distance_create(instance);
    dl_scratch own = {0}, *scratch = input->scratch ? input->scratch : &own;
    dl_solving s = {.instance = instance,
                    .scratch = scratch,
                    .input = input,
                    .options = options,
                    .seconds = dl_options_seconds(options),
                    .distance = start_input.distance,
                    .starts = start_input.distance ? dl_starts_create(&start_input) : NULL,
                    .in_rounds = asked && asked->rounds,
                    .from_plan = asked && asked->needs == DL_START_NEEDS_A_PLAN,
                    .deadline = {began + dl_options_seconds(options), input->stop},
                    .began = began,
                    .repeatable = options->iterations > 0,
                    .by_number = options->iterations > 0 || options->repair == DL_REPAIR_AS_PUBLISHED,
                    .winner = DL_NO_WINNER,
                    .best = DL_ARRAY(dl_track, instance->agents),
                    .best_soc = -1,
                    .lower_bound = -1,
                    .candidate = DL_ARRAY(dl_candidate, 1),
                    .candidate_room = 1,
                    .fewest_pairs = -1,
                    .report = report};
    dl_worker *workers = DL_ARRAY(dl_worker, threads);
    dl_stop_rule_begin(&s.rule, dl_options_stop(options), s.repeatable ? DL_SETTLED_ITERATIONS : DL_SETTLED_SECONDS);
    pthread_mutex_init(&s.lock, NULL);
    pthread_mutex_init(&s.telling, NULL);
    dl_tell(&s, DIFFLNS_EVENT_STARTED, -1, -1, 0);
    report->threads = threads;
    bool fits = s.distance && s.starts && s.best && s.candidate && workers && dl_scratch_reserve(scratch, threads);
    dl_status status = fits ? run(&s, workers, threads, plan, err) : dl_out_of_memory(err);
    if (!fits) free(s.candidate);
    dl_tell(&s, DIFFLNS_EVENT_FINISHED, *plan ? 0 : s.fewest_pairs, report->soc,
            report->repair_iterations + report->improve_iterations);
    dl_scratch_park(scratch);
    dl_scratch_free(&own);
    for (int agent = 0; s.best && agent < instance->agents; agent++) free(s.best[agent].at);
    free(s.best);
    free(workers);
    pthread_mutex_destroy(&s.lock);
    pthread_mutex_destroy(&s.telling);
    dl_starts_free(s.starts);
    dl_distance_free(s.distance);
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
