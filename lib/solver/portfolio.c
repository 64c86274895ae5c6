/* The one loop of every thread. */
#include "solver/portfolio.h"

#include <assert.h>
#include <math.h>
#include <time.h>

#include "base/memory.h"
#include "solver/handover.h"
#include "solver/policies.h"

/* Threads look up from their work this often: to see what the others found and to report. */
static const double BURST_SECONDS = 0.01;
enum { MOST_BURST = 4096 };
/* While costs are lowered, policies are looked at after so many iterations at most, and where iterations are limited
 * after exactly so many: then nothing depends on time. */
enum { SLICE_ITERATIONS = 64 };
/* Where iterations are limited, the rule for handing over is looked at after so many slices. */
enum { LOOK_SLICES = 16 };
/* How often a worker that waits looks whether there is something to do. */
static const struct timespec LOOK_UP = {.tv_nsec = 5000000};
/* Improving threads compare their plans this often. */
static const double EXCHANGE_SECONDS = 0.2;
/* Agents measured in one slice. */
enum { MEASURED_AGENTS = 16 };
/* A challenger's repair may be given up once it is stuck and has had so many iterations for each agent, and in all. */
static const uint64_t CHALLENGER_ITERATIONS = 250, LEAST_CHALLENGER = 50000;
/* ... and the steps LaCAM may try where it makes the start: a few tenths of a second on the fullest boards. */
static const uint64_t CHALLENGER_STEPS = 20000;
/* So many starts in a row that could not be repaired say that the board is too full for them: then each one doubles the
 * time to the next. */
enum { MOST_FAILED_CHALLENGES = 2 };
/* Challengers are numbered beyond all candidates, a worker's own after the others'. A multiple of all kinds of LaCAM.
 */
enum { FIRST_CHALLENGER = 3 << 18, WORKER_CHALLENGERS = 3 << 12 };

/* ---- lanes ---- */

static bool lane_make_start(void *user, dl_planner *planner, uint64_t *searches, const dl_deadline *deadline)
{
    dl_lane *lane = user;
    assert(lane->start);
    bool made = dl_start_make(lane->start, lane->worker->f->starts, planner, lane->index, &lane->effort, deadline);
    *searches += lane->effort.searches;
    return made;
}

void dl_lane_close(dl_lane *lane)
{
    if (lane->policy) dl_descent_end(&lane->descent);
    dl_plan_free(lane->grew_from);
    *lane = (dl_lane){.worker = lane->worker, .planner = lane->planner};
}

/* A planner that no other lane of the worker needs, or a new one; NULL when memory is out. */
static dl_planner *find_planner(dl_worker *w)
{
    dl_portfolio *f = w->f;
    for (int i = 0; i < DL_PLACES; i++) {
        dl_planner *planner = w->lanes[i].planner;
        if (w->lanes[i].policy || !planner) continue;
        w->lanes[i].planner = NULL;
        if (planner->exhausted) dl_planner_clear(planner);
        return planner;
    }
    assert(w->planners < DL_PLACES);
    return dl_scratch_planner(f->scratch, w->number * DL_PLACES + w->planners++, f->instance, f->distance);
}

/* False when memory is out. */
static bool lane_open(dl_lane *lane, const dl_policy *policy, dl_descent_options *options)
{
    dl_portfolio *f = lane->worker->f;
    assert(!lane->policy);
    lane->planner = find_planner(lane->worker);
    if (!lane->planner) return false;
    options->seed = f->options->seed;
    options->source = (dl_source){lane_make_start, lane};
    lane->policy = policy;
    lane->deadline = f->deadline;
    lane->burst = 1;
    lane->conflicts = -1;
    if (dl_descent_begin(&lane->descent, lane->planner, options)) return true;
    dl_lane_close(lane);
    return false;
}

static void worker_exhausted(dl_worker *w)
{
    atomic_store(&w->f->exhausted, true);
}

/* The descent of one place takes another; what was there goes where that one came from. */
static void change_places(dl_worker *w, dl_place from, dl_place to)
{
    dl_lane *lane = w->lane[from];
    assert(lane->policy && lane->descent.pairs == 0);
    if (w->lane[to]->policy) dl_publish_champion(w, w->lane[to]);
    w->lane[from] = w->lane[to];
    w->lane[to] = lane;
    dl_lane_close(w->lane[from]);
}

/* ---- who ---- */

/* Takes the next number; false if there is none left. */
static bool take_number(dl_worker *w, int *index, uint64_t *budget)
{
    dl_portfolio *f = w->f;
    pthread_mutex_lock(&f->lock);
    *index = f->next;
    *budget = dl_next_budget(f);
    bool taken = *budget > 0, fits = DL_GROW(f->candidate, f->candidate_room, f->next + 2);
    if (!fits) w->cannot_repair = true;
    if (taken && fits) {
        f->next++;
        if (dl_is_repeatable(f)) f->granted += *budget;
        const dl_start *start = dl_start_of(f->options->init, dl_starts_input(f->starts), *index);
        f->candidate[*index] = (dl_candidate){start->name, -1, -1, 0, 0};
    }
    pthread_mutex_unlock(&f->lock);
    if (!fits) worker_exhausted(w);
    return taken && fits;
}

static void begin_candidate(dl_worker *w, dl_lane *lane, const dl_policy *policy)
{
    dl_portfolio *f = w->f;
    int index;
    uint64_t budget;
    if (!take_number(w, &index, &budget)) return;
    dl_descent_options options = DL_DESCENT_DEFAULTS;
    assert(!dl_is_extra(w) && budget > 0 && index >= 0);
    bool is_tight = dl_is_tight(f, index);
    options.stream = (uint64_t)index;
    if (f->options->repair == DL_REPAIR_AS_PUBLISHED)
        options.repair = DL_REPAIR_PUBLISHED;
    else if (!is_tight)
        options.repair.lateness = DL_LATENESS_ALWAYS_KEPT;
    options.repair.neighbors = f->options->neighbors;
    if (!lane_open(lane, policy, &options)) {
        w->cannot_repair = true;
        worker_exhausted(w);
        return;
    }
    atomic_fetch_add(&f->repairing, 1);
    lane->start = dl_start_of(f->options->init, dl_starts_input(f->starts), index);
    lane->init = lane->start->name;
    lane->index = index;
    lane->budget = budget;
    lane->is_tight = is_tight;
    lane->is_own = true;
}

/* Before a plan is lowered for the first time: the end of its time, and of others' claim to be settled. */
static void lane_prepare(dl_worker *w, dl_lane *lane)
{
    dl_portfolio *f = w->f;
    pthread_mutex_lock(&f->lock);
    double handover = dl_handover_seconds(f->instance->agents, dl_best_makespan(f));
    lane->deadline = dl_deadline_before_handover(f->deadline, handover);
    lane->is_late = lane->is_own && dl_is_of_last_resort(f);
    /* What was best until now may have been settled for long, lowered or not. */
    bool renews = lane->is_late || dl_renews_rule(f);
    if (renews && !dl_is_repeatable(f)) dl_stop_rule_renew(&f->rule, dl_now() - f->began);
    pthread_mutex_unlock(&f->lock);
    lane->is_prepared = true;
    w->next_exchange = dl_now() + EXCHANGE_SECONDS;
}

static void begin_champion(dl_worker *w, dl_lane *lane, const dl_policy *policy)
{
    dl_descent_options options = DL_DESCENT_DEFAULTS;
    options.stream = (uint64_t)w->number;
    bool fits = lane_open(lane, policy, &options);
    if (fits) lane_prepare(w, lane);
    if (fits && dl_take_up_best(w, lane)) return;
    w->cannot_lower = true;
    dl_lane_close(lane);
}

static void begin_challenger(dl_worker *w, dl_lane *lane, const dl_policy *policy)
{
    const dl_portfolio *f = w->f;
    const dl_lane *champion = w->lane[DL_CHAMPION];
    assert(champion->policy && champion->descent.lowers);
    int number = FIRST_CHALLENGER + WORKER_CHALLENGERS * w->number + w->challenges++ % WORKER_CHALLENGERS;
    uint64_t most = CHALLENGER_ITERATIONS * (uint64_t)f->instance->agents;
    dl_descent_options options = DL_DESCENT_DEFAULTS;
    options.stream = (uint64_t)number;
    options.repair.lateness = DL_LATENESS_ALWAYS_KEPT;
    if (!lane_open(lane, policy, &options)) { /* no more of them; the champion goes on */
        w->pause = UINT64_MAX;
        return;
    }
    lane->start = dl_start_find(policy->who == DL_WHO_LACAM ? "lacam" : "traffic");
    lane->effort.limit = CHALLENGER_STEPS;
    lane->init = lane->start->name;
    lane->index = number;
    lane->budget = most > LEAST_CHALLENGER ? most : LEAST_CHALLENGER;
    lane->deadline = champion->deadline;
    lane->is_own = champion->is_own;
    lane->is_prepared = true;
}

/* ---- a slice ---- */

/* How many iterations fill a burst, the time between two looks up from work; from the last one. */
static uint64_t burst_after(uint64_t iterations, double seconds)
{
    double fit = (double)iterations * BURST_SECONDS / (seconds + 1e-6);
    return fit < 1 ? 1 : fit > MOST_BURST ? MOST_BURST : (uint64_t)fit;
}

static uint64_t least_of(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t slice_of(const dl_worker *w, const dl_lane *lane)
{
    const dl_portfolio *f = w->f;
    const dl_descent *d = &lane->descent;
    if (lane == w->lane[DL_CANDIDATE]) {
        uint64_t left = lane->budget > d->iterations ? lane->budget - d->iterations : UINT64_MAX;
        return least_of(lane->burst, left);
    }
    if (!dl_is_repeatable(f)) return least_of(lane->burst, SLICE_ITERATIONS);
    assert(w->lowered <= dl_lowering_budget(f));
    return least_of(SLICE_ITERATIONS, dl_lowering_budget(f) - w->lowered);
}

/* What is known once there are tracks. */
static void note_start(dl_worker *w, dl_lane *lane)
{
    dl_portfolio *f = w->f;
    if (lane->descent.stage == DL_OVER) return;
    lane->conflicts = lane->descent.pairs;
    if (f->input->keep_start) lane->grew_from = dl_planner_write_plan(lane->planner);
    /* The time of a repair begins when there is something to repair: waiting for a draft is none of it. */
    double most = f->options->repair_iterations > 0 ? INFINITY : f->options->repair_time;
    if (lane == w->lane[DL_CANDIDATE]) lane->deadline = dl_deadline_within(f->deadline, most);
}

/* Runs the descent for a slice, and accounts for it. */
static void lane_run(dl_worker *w, dl_lane *lane)
{
    dl_descent *d = &lane->descent;
    dl_stage stage = d->stage;
    uint64_t iterations = d->iterations, searches = d->searches, rounds = d->rounds;
    if (lane == w->lane[DL_CHAMPION] && !lane->is_prepared) lane_prepare(w, lane);
    double began = dl_now();
    dl_descent_run(d, slice_of(w, lane), &lane->deadline);
    double seconds = dl_now() - began;
    assert(d->stage >= stage && d->iterations >= iterations && d->searches >= searches);
    if (stage == DL_STARTING) note_start(w, lane);
    lane->seconds += seconds;
    lane->is_new_round = d->rounds != rounds;
    if (d->iterations > iterations) lane->burst = burst_after(d->iterations - iterations, seconds);
    if (lane == w->lane[DL_CANDIDATE]) {
        if (dl_is_of_last_resort(w->f)) w->repair_seconds += seconds;
    } else {
        w->lowered += d->iterations - iterations;
        w->searches += d->searches - searches;
        if (lane == w->lane[DL_CHALLENGER]) w->challenged += d->searches - searches;
        if (w->lane[DL_CANDIDATE]->policy) w->beside_seconds += seconds;
    }
    dl_tell_progress(w, d);
}

/* ---- judging ---- */

/* A candidate is entered in the report when it is over. A winner's plan is what its worker goes on with. */
static void judge_candidate(dl_worker *w, dl_lane *lane)
{
    if (!dl_candidate_is_over(w, lane)) return;
    bool started = lane->conflicts >= 0;
    w->failed_starts = started ? 0 : w->failed_starts + 1;
    if (lane->planner->exhausted) {
        w->cannot_repair = true;
        worker_exhausted(w);
    }
    bool won = dl_publish_candidate(w, lane);
    atomic_fetch_sub(&w->f->repairing, 1);
    /* Where iterations are limited, one thread lowers the plan of whichever won: which thread that was is chance. */
    bool goes_on = won && !dl_is_repeatable(w->f) && !dl_may_begin_candidate(w);
    if (goes_on)
        change_places(w, DL_CANDIDATE, DL_CHAMPION);
    else
        dl_lane_close(lane);
}

static void lane_lose(dl_worker *w, bool is_failure)
{
    w->failed_challenges = is_failure ? w->failed_challenges + 1 : 0;
    if (w->failed_challenges >= MOST_FAILED_CHALLENGES) w->pause = 2 * w->searches;
    dl_lane_close(w->lane[DL_CHALLENGER]);
}

/* A challenger that costs more than the champion did at the same age is given up; one that costs less than the champion
 * takes its place. */
static void judge_challenger(dl_worker *w, dl_lane *lane)
{
    const dl_descent *c = &lane->descent, *champion = &w->lane[DL_CHAMPION]->descent;
    bool is_stuck = c->iterations >= lane->budget && dl_repair_is_stuck(&c->repair);
    bool has_plan = c->lowers || c->stage == DL_LOWERING;
    assert(champion->lowers && lane->policy->against == DL_AGAINST_CHAMPION);
    if (c->planner->exhausted) {
        w->pause = UINT64_MAX;
        lane_lose(w, false);
    } else if (!has_plan) {
        if (c->stage == DL_OVER || is_stuck) lane_lose(w, true);
    } else if (c->soc < champion->soc) {
        w->failed_challenges = 0;
        change_places(w, DL_CHALLENGER, DL_CHAMPION);
    } else if (c->levels > champion->levels ||
               (c->levels > 0 && c->cost_at[c->levels - 1] > champion->cost_at[c->levels - 1])) {
        lane_lose(w, false);
    }
}

/* Where iterations are limited, only they count, and there is one thread. */
static void look_at_rule(dl_worker *w, const dl_lane *champion)
{
    dl_portfolio *f = w->f;
    if (!dl_is_repeatable(f) || ++w->slices % LOOK_SLICES != 0) return;
    double spent = (double)(f->options->iterations - dl_lowering_budget(f) + w->lowered);
    dl_stop_rule_note(&f->rule, spent, champion->descent.soc);
    if (dl_stop_rule_is_met(&f->rule, spent)) atomic_store(&f->is_over, true);
}

/* Publishes what the slice came to. */
static void judge_champion(dl_worker *w, dl_lane *lane)
{
    bool is_starved = lane->planner->exhausted;
    assert(lane->is_prepared && lane->descent.stage >= DL_LOWERING);
    bool is_best = lane->descent.stage == DL_OVER && !is_starved; /* no plan costs less */
    bool is_between = lane->is_new_round && !w->lane[DL_CHALLENGER]->policy;
    bool is_due = !dl_is_repeatable(w->f) && (is_between || dl_now() >= w->next_exchange);
    look_at_rule(w, lane);
    if (is_best || is_starved) dl_publish_champion(w, lane);
    if (is_best) atomic_store(&w->f->is_over, true);
    if (is_due && !is_best && !is_starved) {
        w->next_exchange = dl_now() + EXCHANGE_SECONDS;
        dl_publish_champion(w, lane);
        is_starved = !dl_take_up_better(w, lane, is_between);
    }
    if (!is_starved) return;
    w->cannot_lower = true;
    dl_lane_close(w->lane[DL_CHALLENGER]);
    dl_lane_close(lane);
}

/* ---- policies without a descent ---- */

static void run_measure(dl_worker *w)
{
    dl_portfolio *f = w->f;
    for (int i = 0; i < MEASURED_AGENTS && w->measured < f->instance->agents; i++)
        dl_distance_of_start(f->distance, f->instance->agents - 1 - w->measured++);
}

static void run_last_resort(dl_worker *w)
{
    dl_portfolio *f = w->f;
    dl_resort *r = &f->resort;
    dl_deadline deadline = f->deadline;
    if (f->has_extra_worker) deadline.cancel = &r->cancel; /* set when the solve is stopped, too */
    assert(atomic_load(&r->stage) == DL_RESORT_AHEAD && dl_makes_last_resort(w));
    atomic_store(&r->stage, DL_RESORT_AT_WORK);
    dl_last_resort_run(f->instance, f->distance, &r->options, deadline, &r->result);
    r->made = dl_now();
    if (r->result.exhausted) atomic_store(&f->exhausted, true);
    atomic_store(&r->stage, r->result.plan ? DL_RESORT_READY : DL_RESORT_UNUSED);
}

static void run_hand_in(dl_worker *w)
{
    dl_portfolio *f = w->f;
    assert(atomic_load(&f->resort.stage) == DL_RESORT_READY && f->resort.result.plan);
    bool is_final = f->rule.stop == DL_STOP_FIRST || dl_time_is_short(f, dl_plan_makespan(f->resort.result.plan));
    dl_publish_last_resort(f, is_final);
}

static void run_last_lacam(dl_worker *w)
{
    dl_portfolio *f = w->f;
    assert(dl_is_extra(w) && atomic_load(&f->resort.stage) == DL_RESORT_HANDED_IN);
    dl_deadline deadline = {f->deadline.end, &f->resort.cancel};
    dl_plan *plan = dl_last_resort_again(f->instance, f->distance, &f->resort.options, deadline);
    if (plan) dl_publish_lacam(f, plan);
    dl_plan_free(plan);
    atomic_store(&f->resort.stage, DL_RESORT_RETRIED);
}

/* ---- the loop ---- */

static dl_place place_of(const dl_policy *policy)
{
    if (policy->against == DL_AGAINST_CHAMPION) return DL_CHALLENGER;
    return policy->who == DL_WHO_BEST ? DL_CHAMPION : DL_CANDIDATE;
}

static void run_descent(dl_worker *w, const dl_policy *policy)
{
    static void (*const BEGIN[])(dl_worker *, dl_lane *, const dl_policy *) = {
        [DL_CANDIDATE] = begin_candidate, [DL_CHAMPION] = begin_champion, [DL_CHALLENGER] = begin_challenger};
    static void (*const JUDGE[])(dl_worker *, dl_lane *) = {
        [DL_CANDIDATE] = judge_candidate, [DL_CHAMPION] = judge_champion, [DL_CHALLENGER] = judge_challenger};
    dl_place place = place_of(policy);
    dl_lane *lane = w->lane[place];
    assert(lane->worker == w && (place == DL_CHALLENGER ? w->lane[DL_CHAMPION]->policy != NULL : true));
    if (!lane->policy) BEGIN[place](w, lane, policy);
    if (!lane->policy) return; /* no memory, or another worker was faster */
    lane_run(w, lane);
    JUDGE[place](w, lane);
}

static void run_policy(dl_worker *w, const dl_policy *policy)
{
    switch (policy->who) {
    case DL_WHO_ASKED:
    case DL_WHO_TRAFFIC:
    case DL_WHO_LACAM:
    case DL_WHO_BEST:
        run_descent(w, policy);
        break;
    case DL_WHO_MEASURE:
        run_measure(w);
        break;
    case DL_WHO_PUSHED:
        run_last_resort(w);
        break;
    case DL_WHO_HAND_IN:
        run_hand_in(w);
        break;
    case DL_WHO_LAST_LACAM:
        run_last_lacam(w);
        break;
    }
}

static void wait_for_others(dl_worker *w)
{
    atomic_fetch_add(&w->f->idle, 1);
    nanosleep(&LOOK_UP, NULL);
    int idle = atomic_fetch_sub(&w->f->idle, 1);
    assert(idle > 0 && idle <= atomic_load(&w->f->workers));
    (void)idle;
}

static void worker_leave(dl_worker *w)
{
    dl_portfolio *f = w->f;
    dl_lane *candidate = w->lane[DL_CANDIDATE], *champion = w->lane[DL_CHAMPION];
    if (candidate->policy) {
        dl_publish_candidate(w, candidate);
        atomic_fetch_sub(&f->repairing, 1);
    }
    if (champion->policy) dl_publish_champion(w, champion);
    pthread_mutex_lock(&f->lock);
    f->report->improve_iterations += w->lowered;
    pthread_mutex_unlock(&f->lock);
    if (dl_is_over(w) || dl_is_repaired(f)) atomic_store(&f->resort.cancel, 1);
    atomic_fetch_add(&f->idle, 1);
}

static void *worker_loop(void *argument)
{
    dl_worker *w = argument;
    while (!dl_is_over(w)) {
        /* Asked first: what others do in between may make something due, but nothing that was not to be hoped for. */
        bool has_hope = dl_may_become_due(w);
        const dl_policy *policy = dl_policy_due(w);
        if (!policy && !has_hope) break;
        if (policy)
            run_policy(w, policy);
        else
            wait_for_others(w);
    }
    worker_leave(w);
    return NULL;
}

void dl_portfolio_begin(dl_worker *first)
{
    const dl_policy *policy = dl_policy_due(first);
    if (policy && policy->how_long == DL_FOR_ONCE && policy->who == DL_WHO_ASKED) run_policy(first, policy);
}

/* Threads that can't be had have left. */
static int begin_threads(dl_portfolio *f, dl_worker *workers, pthread_t *thread)
{
    int begun = 1;
    while (begun < f->threads && pthread_create(&thread[begun], NULL, worker_loop, &workers[begun]) == 0) begun++;
    atomic_fetch_sub(&f->workers, f->threads - begun);
    return begun;
}

void dl_portfolio_run(dl_portfolio *f, dl_worker *workers)
{
    pthread_t thread[DL_MOST_THREADS], extra;
    bool wanted = f->options->fallback && !dl_is_repeatable(f) && !dl_is_over(&workers[0]);
    f->resort.due = dl_last_resort_due(f);
    atomic_store(&f->workers, f->threads + 1);
    /* Without a thread, in a browser for example, the first worker makes the plan of last resort after repair. */
    f->has_extra_worker = wanted; /* workers read it from here on */
    bool has_begun = wanted && pthread_create(&extra, NULL, worker_loop, &workers[f->threads]) == 0;
    if (!has_begun) {
        f->has_extra_worker = false;
        atomic_fetch_sub(&f->workers, 1);
    }
    int begun = begin_threads(f, workers, thread);
    worker_loop(&workers[0]);
    for (int i = 1; i < begun; i++) pthread_join(thread[i], NULL);
    if (has_begun) pthread_join(extra, NULL);
}
