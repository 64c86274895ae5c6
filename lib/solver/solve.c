#include "solver/solve.h"

#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/deadline.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/status.h"
#include "mapf/check.h"
#include "search/iterated.h"
#include "search/repair.h"
#include "search/solvability.h"
#include "solver/closing.h"
#include "solver/event.h"
#include "solver/options.h"
#include "solver/reserve.h"
#include "start/start.h"

/* Threads look up from their work this often: to see what the others found and to report. */
static const double BURST_SECONDS = 0.01;
/* Improving threads compare their plans this often. */
static const double SYNC_SECONDS = 0.2;
static const double REPORT_SECONDS = 0.1;
/* Without a spare core the fallback begins at this share of the time limit; at the second share repair gives way to it
 * and the rest of the time lowers its cost. */
static const double FALLBACK_SHARE = 0.5, SURRENDER_SHARE = 0.9;
/* Looking for a proof that there is no plan may take this share of the limit: large maps take seconds. */
static const double PROOF_SHARE = 0.25;
/* The first candidate is repaired tightly: its plan costs less, and most instances need no more iterations. */
static const uint64_t FIRST_RUN = 3000;
/* The others keep the room they make. Their shortest run; Luby's sequence multiplies it. */
static const uint64_t SHORT_RUN = 20000;
/* A plan is improved only with so many times the time left that handing it over takes: taking it up takes longer still.
 */
static const double LONG_CLOSING = 3;
enum { NO_WINNER = INT_MAX };

/* What all threads share. Behind `lock` unless said otherwise. */
typedef struct solver {
    const dl_instance *instance;
    dl_scratch *scratch; /* without the lock: each worker has its own place */
    const dl_solve_input *input;
    const dl_options *options;
    double seconds; /* the time limit; infinite = none */
    dl_distance *distance;
    dl_starts *starts;
    bool in_rounds; /* candidates come in rounds: see round_of() */
    dl_deadline deadline;
    double began;
    bool repeatable; /* limited by iterations: then candidates must be judged by number, not by who is first */
    pthread_mutex_t lock;
    pthread_mutex_t telling; /* one listener's call at a time */
    int next;                /* number of the next candidate */
    uint64_t granted;        /* iterations handed out to candidates */
    atomic_int winner;       /* the lowest number of a repaired candidate; read without the lock */
    dl_candidate *candidate;
    int candidate_room;
    dl_track *best; /* [agents]: the best valid plan */
    int64_t best_soc;
    int64_t fewest_pairs; /* of report->colliding; -1 = there is none */
    dl_reserve reserve;
    bool fell_back;        /* the best plan grew from the one in reserve ... */
    dl_plan *untouched;    /* ... and is that one, checked when it was made: there is no time to do more with it */
    atomic_bool exhausted; /* memory ran out somewhere: that thread stopped, and the others went on */
    dl_report *report;
} solver;

typedef struct worker {
    solver *s;
    int number;
    dl_planner *planner;
    dl_repair repair;
    double next_report;
} worker;

uint64_t dl_solve_patience(int index)
{
    if (index == 0) return FIRST_RUN;
    /* Luby's sequence 1 1 2 1 1 2 4 ...: numbered from 1, 2^k - 1 gets 2^(k-1), others repeat from the beginning. */
    for (uint64_t i = (uint64_t)index;;) {
        uint64_t power = 1;
        while (power - 1 < i) power *= 2;
        if (power - 1 == i) return SHORT_RUN * (power / 2);
        i -= power / 2 - 1;
    }
}

/* ---- the best plan ---- */

/* Copies tracks as the best plan. False when memory is out: the best plan is as it was. */
static bool replace_best(solver *s, const dl_track *track, int64_t soc)
{
    for (int agent = 0; agent < s->instance->agents; agent++)
        if (!dl_track_reserve(&s->best[agent], track[agent].cost)) return false;
    for (int agent = 0; agent < s->instance->agents; agent++)
        if (!dl_track_copy(&s->best[agent], &track[agent])) return false; /* there is room */
    s->best_soc = soc;
    return true;
}

/* Makes the worker's plan the best one. It must not be lost: without memory for a copy the worker gives it away. */
static void hand_over(worker *w, int64_t soc)
{
    solver *s = w->s;
    dl_planner *p = w->planner;
    if (replace_best(s, p->track, soc)) return;
    for (int agent = 0; agent < s->instance->agents; agent++) {
        dl_planner_remove(p, agent);
        dl_track given = p->track[agent];
        p->track[agent] = s->best[agent];
        s->best[agent] = given;
    }
    p->exhausted = true;
    s->best_soc = soc;
}

/* Makes the worker's table that of the best plan; false if there was no time or memory for all of it. */
static bool adopt(worker *w, const dl_deadline *deadline)
{
    dl_planner *p = w->planner;
    const dl_track *best = w->s->best;
    for (int agent = 0; agent < w->s->instance->agents; agent++) {
        if (dl_deadline_passed(deadline)) return false;
        if (p->in_table[agent] && dl_track_equal(&p->track[agent], &best[agent])) continue;
        if (p->in_table[agent]) dl_planner_remove(p, agent);
        if (!dl_track_copy(&p->track[agent], &best[agent]) || !dl_planner_insert(p, agent)) return false;
    }
    return true;
}

static int makespan_of_best(const solver *s)
{
    int makespan = 0;
    for (int agent = 0; agent < s->instance->agents; agent++)
        if (s->best[agent].cost > makespan) makespan = s->best[agent].cost;
    return makespan;
}

/* ---- candidates ---- */

/* Is it time for repair to give way to the plan in reserve? */
static bool surrendered(solver *s)
{
    if (atomic_load_explicit(&s->winner, memory_order_relaxed) != NO_WINNER) return false;
    return dl_now() >= s->began + SURRENDER_SHARE * s->seconds && dl_reserve_has_plan(&s->reserve);
}

/* Algorithm 1 works in rounds: the candidates of one all run to their end, and the best of them is the result. Other
 * starts stop at the first success: every candidate is a round of its own. */
static int round_of(const solver *s, int index)
{
    return s->in_rounds ? index / s->options->candidates : index;
}

static uint64_t patience(const solver *s, int index)
{
    const dl_options *options = s->options;
    if (!s->in_rounds) return dl_solve_patience(index);
    if (!s->repeatable) return UINT64_MAX; /* only its repair time bounds a draft */
    return (options->iterations + (uint64_t)options->candidates - 1) / (uint64_t)options->candidates;
}

static const dl_start *start_of(const solver *s, int index)
{
    return dl_start_of(s->options->init, dl_starts_input(s->starts), index);
}

/* Takes the next candidate; false if there is nothing left to start. */
static bool next_candidate(solver *s, int *index, uint64_t *budget)
{
    const dl_options *options = s->options;
    bool more = !dl_deadline_passed(&s->deadline) && !surrendered(s);
    pthread_mutex_lock(&s->lock);
    int winner = atomic_load(&s->winner);
    if (winner != NO_WINNER && round_of(s, s->next) != round_of(s, winner)) more = false;
    if (options->rounds > 0 && s->next >= options->candidates * options->rounds) more = false;
    *index = s->next;
    *budget = patience(s, *index);
    if (s->repeatable && *budget > options->iterations - s->granted) *budget = options->iterations - s->granted;
    if (*budget == 0) more = false;
    /* One place more than is used is kept for the plan in reserve. */
    if (more && !DL_GROW(s->candidate, s->candidate_room, s->next + 2)) {
        atomic_store(&s->exhausted, true);
        more = false;
    }
    if (more) {
        s->next++;
        if (s->repeatable) s->granted += *budget;
        s->candidate[*index] = (dl_candidate){start_of(s, *index)->name, -1, -1, 0, 0};
    }
    pthread_mutex_unlock(&s->lock);
    return more;
}

/* Has this candidate lost its purpose? */
static bool overtaken(const solver *s, int index)
{
    int winner = atomic_load_explicit(&s->winner, memory_order_relaxed);
    if (winner == NO_WINNER) return false;
    return s->repeatable ? round_of(s, winner) < round_of(s, index) : round_of(s, winner) != round_of(s, index);
}

/* How many candidates count once there is a winner: its round and those before. What else had begun is chance. */
static int counted_candidates(const solver *s)
{
    int end = atomic_load(&s->winner) + 1;
    if (s->in_rounds) end = (round_of(s, end - 1) + 1) * s->options->candidates;
    return end < s->next ? end : s->next;
}

/* Is a repaired candidate better than the winner so far? Earlier rounds come first, then the cost, then the number. */
static bool beats_winner(const solver *s, int index, int64_t soc)
{
    int winner = atomic_load(&s->winner);
    if (winner == NO_WINNER) return true;
    if (round_of(s, index) != round_of(s, winner)) return round_of(s, index) < round_of(s, winner);
    return soc < s->best_soc || (soc == s->best_soc && index < winner);
}

/* How many iterations fill a burst, from the last one. */
static uint64_t burst_after(uint64_t iterations, double seconds)
{
    double fit = (double)iterations * BURST_SECONDS / (seconds + 1e-6);
    return fit < 1 ? 1 : fit > 4096 ? 4096 : (uint64_t)fit;
}

/* NULL when memory is out. */
static dl_plan *write_best(const solver *s)
{
    dl_plan *plan = dl_plan_create(s->instance->agents);
    for (int agent = 0; plan && agent < s->instance->agents; agent++) {
        if (dl_plan_set(plan, s->instance->grid, agent, s->best[agent].at, s->best[agent].cost + 1)) continue;
        dl_plan_free(plan);
        return NULL;
    }
    return plan;
}

/* A copy of the best valid plan, for listeners. */
static dl_status copy_best(void *solve, dl_plan **out, dl_error *err)
{
    solver *s = solve;
    pthread_mutex_lock(&s->lock);
    bool found = s->best_soc >= 0;
    *out = !found ? NULL : s->untouched ? dl_plan_copy(s->untouched) : write_best(s);
    pthread_mutex_unlock(&s->lock);
    if (!found) return dl_fail(err, DIFFLNS_UNSOLVED, "there is no valid plan yet");
    return *out ? DIFFLNS_OK : dl_out_of_memory(err);
}

/* One call at a time, and never under `lock`, which a listener needs for a copy of the plan. */
static void tell(solver *s, difflns_event_type type, int64_t conflicts, int64_t soc, uint64_t iterations)
{
    if (!s->input->listener) return;
    const difflns_event event = {.type = type,
                                 .seconds = dl_now() - s->began,
                                 .conflicts = conflicts,
                                 .soc = soc,
                                 .iterations = iterations,
                                 .copy_best = copy_best,
                                 .solve = s};
    pthread_mutex_lock(&s->telling);
    s->input->listener(s->input->user, &event);
    pthread_mutex_unlock(&s->telling);
}

/* Is it time for the first worker to say how far it is? */
static bool report_is_due(worker *w)
{
    if (!w->s->input->listener || w->number != 0 || dl_now() < w->next_report) return false;
    w->next_report = dl_now() + REPORT_SECONDS;
    return true;
}

/* Keeps the plan that collides least, for callers who get no other. */
static void keep_colliding(worker *w)
{
    solver *s = w->s;
    if (s->fewest_pairs >= 0 && w->repair.conflicts.pairs >= s->fewest_pairs) return;
    dl_plan *plan = dl_planner_write_plan(w->planner);
    if (!plan) return;
    dl_plan_free(s->report->colliding);
    s->report->colliding = plan;
    s->fewest_pairs = w->repair.conflicts.pairs;
}

static void run_candidate(worker *w, int index, uint64_t budget)
{
    solver *s = w->s;
    dl_repair *r = &w->repair;
    const dl_start *start = start_of(s, index);
    double began = dl_now();
    int64_t conflicts = -1;
    bool tight = index == 0 || s->in_rounds;
    r->options.lateness = tight ? DL_REPAIR_DEFAULTS.lateness : DL_LATENESS_ALWAYS_KEPT;
    bool started = dl_start_make(start, s->starts, w->planner, index, &s->deadline);
    /* The time of a repair begins when there is something to repair: waiting for a draft is none of it. */
    dl_deadline limit = dl_deadline_within(s->deadline, s->options->repair_time);
    started = started && dl_repair_start(r, s->options->seed, (uint64_t)index, &limit);
    if (started) conflicts = r->conflicts.pairs;
    dl_plan *grew_from = started && s->input->keep_start ? dl_planner_write_plan(w->planner) : NULL;
    uint64_t burst = 1;
    while (started && r->conflicts.pairs > 0 && r->iterations < budget) {
        uint64_t done = r->iterations, wanted = budget - done < burst ? budget - done : burst;
        double now = dl_now();
        dl_repair_run(r, wanted, &limit);
        burst = burst_after(r->iterations - done, dl_now() - now);
        if (report_is_due(w)) tell(s, DIFFLNS_EVENT_REPAIRING, r->conflicts.pairs, r->soc, r->iterations);
        if (overtaken(s, index) || dl_deadline_passed(&limit) || surrendered(s) || w->planner->exhausted) break;
    }
    pthread_mutex_lock(&s->lock);
    dl_candidate *record = &s->candidate[index];
    record->conflicts = conflicts;
    record->conflicts_left = started ? r->conflicts.pairs : -1;
    record->iterations = started ? r->iterations : 0;
    record->seconds = dl_now() - began;
    bool is_first = false, is_better = false;
    if (started && r->conflicts.pairs > 0 && atomic_load(&s->winner) == NO_WINNER) keep_colliding(w);
    if (started && r->conflicts.pairs == 0 && beats_winner(s, index, r->soc)) {
        is_first = atomic_load(&s->winner) == NO_WINNER;
        is_better = !is_first;
        atomic_store(&s->winner, index);
        hand_over(w, r->soc);
        s->report->first_seconds = dl_now() - s->began;
        s->report->first_soc = r->soc;
        s->report->init = start->name;
        dl_plan *loser = s->report->start;
        s->report->start = grew_from;
        grew_from = loser;
    }
    pthread_mutex_unlock(&s->lock);
    if (is_first) tell(s, DIFFLNS_EVENT_FIRST_PLAN, 0, r->soc, r->iterations);
    if (is_better) tell(s, DIFFLNS_EVENT_BETTER_PLAN, 0, r->soc, r->iterations);
    dl_plan_free(grew_from);
}

/* Takes a planner, unless the worker has one; false when memory is out, here and below. */
static bool equip(worker *w)
{
    if (!w->planner) w->planner = dl_scratch_planner(w->s->scratch, w->number, w->s->instance, w->s->distance);
    return w->planner != NULL;
}

static bool begin_repair(worker *w)
{
    dl_repair_options options = DL_REPAIR_DEFAULTS;
    options.neighbors = w->s->options->neighbors;
    if (!equip(w)) return false;
    if (dl_repair_begin(&w->repair, w->planner, &options)) return true;
    dl_repair_end(&w->repair);
    return false;
}

static void *repair_phase(void *argument)
{
    worker *w = argument;
    int index;
    uint64_t budget;
    /* A thread that comes too late needs no planner. */
    if (!next_candidate(w->s, &index, &budget)) return NULL;
    bool able = begin_repair(w);
    if (able) {
        do {
            run_candidate(w, index, budget);
            able = !w->planner->exhausted;
        } while (able && next_candidate(w->s, &index, &budget));
        dl_repair_end(&w->repair);
    }
    if (!able) atomic_store(&w->s->exhausted, true);
    return NULL;
}

/* A given plan without collisions is the first plan at once: without a proof that there is one, other threads, or a
 * reserve. Otherwise nothing has happened. */
static bool solved_already(worker *w)
{
    solver *s = w->s;
    int index;
    uint64_t budget;
    if (start_of(s, 0)->needs != DL_START_NEEDS_A_PLAN || !next_candidate(s, &index, &budget)) return false;
    if (begin_repair(w)) {
        run_candidate(w, index, 0);
        dl_repair_end(&w->repair);
    }
    if (atomic_load(&s->winner) != NO_WINNER) return true;
    s->next = 0;
    s->granted = 0;
    return false;
}

/* ---- the fallback ---- */

/* Prepares the reserve; with a spare core, or if somebody is still at work late in the limit, it runs beside repair. */
static void begin_reserve(solver *s, int threads)
{
    const dl_options *o = s->options;
    bool spare_core = threads < dl_cores();
    s->reserve = (dl_reserve){.instance = s->instance,
                              .distance = s->distance,
                              .options = {.seed = o->seed, .expansions = o->iterations},
                              .due = s->began + (spare_core ? 0 : FALLBACK_SHARE * s->seconds),
                              .end = s->deadline.end};
    if (o->fallback && !s->repeatable && !dl_deadline_passed(&s->deadline)) dl_reserve_begin(&s->reserve);
}

/* Would most of the time left go into handling a plan of this length? */
static bool time_is_short(const solver *s, int makespan)
{
    double closing = dl_closing_seconds(s->instance->agents, makespan);
    return dl_deadline_canceled(&s->deadline) || dl_deadline_left(&s->deadline) < LONG_CLOSING * closing;
}

/* Makes a valid plan the best one; false when memory is out. */
static bool take_up(solver *s, const dl_plan *plan)
{
    for (int agent = 0; agent < plan->agents; agent++) {
        const dl_path *path = &plan->path[agent];
        dl_track *track = &s->best[agent];
        if (!dl_track_reserve(track, dl_path_cost(path))) return false;
        track->cost = dl_path_cost(path);
        for (int t = 0; t <= track->cost; t++)
            track->at[t] = dl_grid_cell(s->instance->grid, path->at[t].row, path->at[t].col);
    }
    return true;
}

/* Repair is over: without a winner the plan in reserve takes its place, as one more candidate. */
static void fall_back(solver *s)
{
    bool wanted = s->options->fallback && atomic_load(&s->winner) == NO_WINNER;
    dl_reserve *r = &s->reserve;
    dl_reserve_finish(r, wanted, &s->deadline);
    if (wanted && s->repeatable) {
        dl_fallback_run(s->instance, s->distance, &r->options, s->deadline, &r->result);
        r->finished = dl_now();
    }
    dl_plan *plan = r->result.plan;
    if (wanted && plan) {
        const char *init = r->result.by_lacam ? "lacam" : "rotate";
        s->candidate[s->next] = (dl_candidate){.init = init};
        atomic_store(&s->winner, s->next++);
        s->fell_back = true;
        s->best_soc = s->report->first_soc = dl_plan_soc(plan);
        s->report->first_seconds = r->finished - s->began;
        s->report->init = init;
        if (s->input->keep_start) s->report->start = dl_plan_copy(plan);
        if (time_is_short(s, dl_plan_makespan(plan)) || !take_up(s, plan)) {
            dl_plan_trim(plan);
            s->untouched = plan;
            plan = NULL;
        }
        tell(s, DIFFLNS_EVENT_FIRST_PLAN, 0, s->best_soc, 0);
    }
    if (wanted && r->result.exhausted) atomic_store(&s->exhausted, true);
    dl_plan_free(plan);
}

/* Is there a plan, and time to improve it? The fallback's is improved in any case: it is far from good. */
static bool worth_improving(const solver *s)
{
    if (atomic_load(&s->winner) == NO_WINNER || s->untouched) return false;
    if (time_is_short(s, makespan_of_best(s))) return false;
    if (makespan_of_best(s) > dl_planner_last_time(s->instance->grid)) return false;
    return s->options->anytime || (s->fell_back && isfinite(s->seconds) && !s->repeatable);
}

/* ---- improvement ---- */

/* The better of the worker's plan and the best one becomes both; false if memory or time is out. A worker takes up
 * another's plan only between rounds: a kick needs its time to show what it is worth. */
static bool synchronize(worker *w, dl_iterated *m, bool between_rounds, const dl_deadline *deadline)
{
    solver *s = w->s;
    bool done = true;
    pthread_mutex_lock(&s->lock);
    bool is_better = m->best.soc < s->best_soc;
    if (is_better) done = is_better = replace_best(s, m->best.track, m->best.soc);
    if (between_rounds && m->best.soc > s->best_soc) done = dl_iterated_adopt(m, s->best, s->best_soc, deadline);
    pthread_mutex_unlock(&s->lock);
    if (is_better) tell(s, DIFFLNS_EVENT_BETTER_PLAN, 0, m->best.soc, m->iterations);
    return done;
}

static void improve(worker *w, dl_iterated *m, uint64_t budget, const dl_deadline *deadline)
{
    solver *s = w->s;
    uint64_t burst = 1, round = 0;
    double next_sync = dl_now() + SYNC_SECONDS;
    while (m->iterations < budget && !dl_deadline_passed(deadline)) {
        uint64_t done = m->iterations, wanted = budget - done < burst ? budget - done : burst;
        double now = dl_now();
        dl_iterated_run(m, wanted, deadline);
        if (m->iterations == done) break; /* nothing can be better */
        burst = burst_after(m->iterations - done, dl_now() - now);
        if (report_is_due(w)) tell(s, DIFFLNS_EVENT_IMPROVING, 0, m->best.soc, m->iterations);
        bool new_round = m->rounds != round;
        if (!s->repeatable && (new_round || dl_now() >= next_sync)) { /* when it would be shown is chance */
            if (!synchronize(w, m, new_round, deadline)) break;
            next_sync = dl_now() + SYNC_SECONDS;
        }
        round = m->rounds;
    }
    synchronize(w, m, false, deadline);
}

static void *improve_phase(void *argument)
{
    worker *w = argument;
    solver *s = w->s;
    dl_iterated_options options = DL_ITERATED_DEFAULTS;
    uint64_t budget = UINT64_MAX;
    if (s->repeatable) { /* what the candidates left over */
        budget = s->options->iterations;
        for (int i = 0; i < counted_candidates(s); i++) budget -= s->candidate[i].iterations;
    }
    if (!equip(w)) return NULL;
    pthread_mutex_lock(&s->lock);
    double closing = dl_closing_seconds(s->instance->agents, makespan_of_best(s));
    dl_deadline deadline = dl_deadline_before_closing(s->deadline, closing);
    bool ready = adopt(w, &deadline);
    pthread_mutex_unlock(&s->lock);
    if (!ready) return NULL;
    dl_iterated m;
    if (dl_iterated_begin(&m, w->planner, &options) && dl_iterated_start(&m, s->options->seed, (uint64_t)w->number))
        improve(w, &m, budget, &deadline);
    pthread_mutex_lock(&s->lock);
    s->report->improve_iterations += m.iterations;
    pthread_mutex_unlock(&s->lock);
    dl_iterated_end(&m);
    return NULL;
}

/* ---- the whole ---- */

/* Runs a phase on all workers; the first is the calling thread. */
static void run_phase(worker *workers, int threads, void *(*phase)(void *))
{
    pthread_t thread[DL_MOST_THREADS];
    int started = 1;
    while (started < threads && pthread_create(&thread[started], NULL, phase, &workers[started]) == 0) started++;
    phase(&workers[0]);
    for (int i = 1; i < started; i++) pthread_join(thread[i], NULL);
}

/* Is there an obvious or provable reason why no plan exists? */
static dl_status check_solvable(const solver *s, dl_error *err)
{
    const dl_instance *instance = s->instance;
    dl_report *report = s->report;
    int agent = dl_instance_cut_off_agent(instance);
    if (agent >= 0) {
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

static void explain_failure(const solver *s, dl_report *report)
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
static dl_status conclude(solver *s, dl_plan **plan, dl_error *err)
{
    dl_report *report = s->report;
    bool solved = atomic_load(&s->winner) != NO_WINNER;
    if (solved && s->repeatable) s->next = counted_candidates(s);
    report->candidates = s->next;
    report->candidate = s->candidate;
    for (int i = 0; i < s->next; i++) {
        report->repair_iterations += s->candidate[i].iterations;
        report->repair_seconds += s->candidate[i].seconds;
    }
    report->sum_of_distances = dl_distance_lower_bound_within(s->distance, &s->deadline);
    bool stopped = dl_deadline_canceled(&s->deadline);
    dl_status status = stopped                      ? DIFFLNS_STOPPED
                       : solved                     ? DIFFLNS_OK
                       : atomic_load(&s->exhausted) ? DIFFLNS_OUT_OF_MEMORY
                                                    : DIFFLNS_UNSOLVED;
    if (s->untouched) {
        *plan = s->untouched;
        report->soc = s->best_soc;
        report->makespan = dl_plan_makespan(*plan);
    } else if (solved) {
        *plan = write_best(s);
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

/* Everything is there: candidates, the plan in reserve, improvement, the result. */
static dl_status run(solver *s, worker *workers, int threads, dl_plan **plan, dl_error *err)
{
    for (int i = 0; i < threads; i++) workers[i] = (worker){.s = s, .number = i};
    dl_distance_until(s->distance, s->deadline);
    if (!solved_already(&workers[0])) {
        dl_status status = check_solvable(s, err);
        if (status != DIFFLNS_OK) {
            free(s->candidate);
            return status;
        }
        begin_reserve(s, threads);
        run_phase(workers, threads, repair_phase);
        fall_back(s);
    }
    if (worth_improving(s)) run_phase(workers, s->repeatable ? 1 : threads, improve_phase);
    return conclude(s, plan, err);
}

dl_status dl_solve(const dl_solve_input *input, dl_plan **plan, dl_report *report, dl_error *err)
{
    const dl_instance *instance = input->instance;
    const dl_options *options = input->options;
    *report =
        (dl_report){.soc = -1, .first_soc = -1, .sum_of_distances = -1, .first_seconds = -1, .init = DL_START_AUTO};
    *plan = NULL;
    double began = dl_now();
    DL_TRY(dl_options_check(options, err));
    const dl_start *asked = dl_start_at(options->init - 1);
    if (asked) report->init = asked->name;
    dl_start_input start_input = {.instance = instance,
                                  .seed = options->seed,
                                  .iterations = options->iterations,
                                  .plan = input->init_plan,
                                  .model = input->model,
                                  .steps = options->steps,
                                  .horizon = options->horizon};
    int threads = options->threads > 0 ? options->threads : dl_cores();
    DL_TRY(dl_start_check(options->init, &start_input, threads, err));
    start_input.distance = dl_distance_create(instance);
    dl_scratch own = {0}, *scratch = input->scratch ? input->scratch : &own;
    solver s = {.instance = instance,
                .scratch = scratch,
                .input = input,
                .options = options,
                .seconds = dl_options_seconds(options),
                .distance = start_input.distance,
                .starts = start_input.distance ? dl_starts_create(&start_input) : NULL,
                .in_rounds = asked && asked->rounds,
                .deadline = {began + dl_options_seconds(options), input->stop},
                .began = began,
                .repeatable = options->iterations > 0,
                .winner = NO_WINNER,
                .best = DL_ARRAY(dl_track, instance->agents),
                .best_soc = -1,
                .candidate = DL_ARRAY(dl_candidate, 1),
                .candidate_room = 1,
                .fewest_pairs = -1,
                .report = report};
    worker *workers = DL_ARRAY(worker, threads);
    pthread_mutex_init(&s.lock, NULL);
    pthread_mutex_init(&s.telling, NULL);
    tell(&s, DIFFLNS_EVENT_STARTED, -1, -1, 0);
    report->threads = threads;
    bool fits = s.distance && s.starts && s.best && s.candidate && workers && dl_scratch_reserve(scratch, threads);
    dl_status status = fits ? run(&s, workers, threads, plan, err) : dl_out_of_memory(err);
    if (!fits) free(s.candidate);
    tell(&s, DIFFLNS_EVENT_FINISHED, *plan ? 0 : s.fewest_pairs, report->soc,
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
    return status;
}

void dl_report_free(dl_report *report)
{
    free(report->candidate);
    dl_plan_free(report->start);
    dl_plan_free(report->colliding);
    *report = (dl_report){.init = report->init};
}
