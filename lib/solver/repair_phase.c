#include <math.h>

#include "base/memory.h"
#include "lns/prioritized.h"
#include "solver/solving.h"

/* The first candidate is repaired tightly: its plan costs less, and most instances need no more iterations. */
static const uint64_t FIRST_RUN = 3000;
/* The others keep the room they make, and each may go on for longer than the one before, or until it is stuck: on full
 * boards the last pairs take most of a run (docs/ablation.md). */
static const uint64_t SHORT_RUN = 40000;
static const double LONGER = 1.5;
static const double MOST_ITERATIONS = 1e15; /* more than any run reaches, and they fit an integer */
/* A repair that never had fewer colliding pairs an agent than this was far from its end. One such run means little, the
 * next may succeed; three in a row came before no success on 21 full boards. */
static const double HOPELESS_PAIRS = 0.1;
/* So many starts in a row that could not be made: more will not be either. */
enum { MOST_FAILED_STARTS = 8 };
/* How long the first candidate may go on once another one has a plan: in times that it took to find that, and seconds
 * at least. */
static const double FIRST_CANDIDATE_TIMES = 4, FIRST_CANDIDATE_SECONDS = 0.05;

uint64_t dl_solve_patience(int index)
{
    if (index == 0) return FIRST_RUN;
    double run = (double)SHORT_RUN * pow(LONGER, index - 1);
    return run < MOST_ITERATIONS ? (uint64_t)run : (uint64_t)MOST_ITERATIONS;
}

/* What its number is among the candidates that are not there for haste alone. */
static int turn_of(const dl_solving *s, int index)
{
    return dl_start_turn(dl_starts_input(s->starts), index);
}

/* Algorithm 1 works in rounds: the candidates of one all run to their end, and the best of them is the result. Other
 * starts stop at the first success: every candidate is a round of its own, but one that comes first for haste shares it
 * with the next. */
static int round_of(const dl_solving *s, int index)
{
    return s->in_rounds ? index / s->options->candidates : turn_of(s, index);
}

static uint64_t patience(const dl_solving *s, int index)
{
    const dl_options *options = s->options;
    if (!s->repeatable && options->repair_iterations > 0) return options->repair_iterations;
    if (!s->in_rounds) return dl_solve_patience(turn_of(s, index));
    if (!s->repeatable) return UINT64_MAX; /* only its repair time bounds a draft */
    return (options->iterations + (uint64_t)options->candidates - 1) / (uint64_t)options->candidates;
}

static const dl_start *start_of(const dl_solving *s, int index)
{
    return dl_start_of(s->options->init, dl_starts_input(s->starts), index);
}

/* Is there a plan to hand over, whatever repair might still find? */
static bool is_settled(dl_solving *s)
{
    return !s->repeatable && s->rule.stop != DL_STOP_FIRST && dl_is_time_to_stop(s);
}

/* Takes the next candidate; false if there is nothing left to start. */
static bool next_candidate(dl_worker *w, int *index, uint64_t *budget)
{
    dl_solving *s = w->s;
    const dl_options *options = s->options;
    bool more = !dl_deadline_passed(&s->deadline) && !dl_repair_gives_way(w) && !is_settled(s);
    pthread_mutex_lock(&s->lock);
    int winner = atomic_load(&s->winner);
    if (winner != DL_NO_WINNER && round_of(s, s->next) != round_of(s, winner)) more = false;
    if (winner != DL_NO_WINNER && s->rule.stop == DL_STOP_FIRST && !s->in_rounds) more = false;
    if (options->rounds > 0 && s->next >= options->candidates * options->rounds) more = false;
    *index = s->next;
    *budget = patience(s, *index);
    /* On a full board half of the iterations are for improving the plan of last resort, if it comes to that. */
    uint64_t most = s->is_crowded ? (options->iterations + 1) / 2 : options->iterations;
    if (s->repeatable && *budget > most - s->granted) *budget = most - s->granted;
    if (*budget == 0) more = false;
    /* One place more than is used is kept for the plan of last resort. */
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

/* The first candidate is the tightest, and alone it would have the first word: it may go on for a while after others
 * have a plan, so that more threads do not raise the cost of plans. */
static bool has_time_left(dl_solving *s, int index)
{
    bool alike = s->in_rounds || s->from_plan; /* no candidate is better than the others */
    if (index != 0 || s->repeatable || alike || dl_grid_is_large(s->instance->grid)) return false;
    pthread_mutex_lock(&s->lock);
    double first = s->report->first_seconds;
    pthread_mutex_unlock(&s->lock);
    double spent = dl_now() - s->began;
    return spent < FIRST_CANDIDATE_TIMES * first || spent < FIRST_CANDIDATE_SECONDS;
}

/* Has this candidate lost its purpose? */
static bool overtaken(dl_solving *s, int index)
{
    if (is_settled(s)) return true;
    int winner = atomic_load_explicit(&s->winner, memory_order_relaxed);
    if (winner == DL_NO_WINNER || has_time_left(s, index)) return false;
    return s->by_number ? round_of(s, winner) < round_of(s, index) : round_of(s, winner) != round_of(s, index);
}

int dl_counted_candidates(const dl_solving *s)
{
    int end = atomic_load(&s->winner) + 1;
    if (s->in_rounds) end = (round_of(s, end - 1) + 1) * s->options->candidates;
    return end < s->next ? end : s->next;
}

/* Is a repaired candidate better than the winner so far? Earlier rounds come first, then the cost, then the number. */
static bool beats_winner(const dl_solving *s, int index, int64_t soc)
{
    int winner = atomic_load(&s->winner);
    if (winner == DL_NO_WINNER) return true;
    if (round_of(s, index) != round_of(s, winner)) return round_of(s, index) < round_of(s, winner);
    return soc < s->best_soc || (soc == s->best_soc && index < winner);
}

/* Keeps the plan that collides least, for callers who get no other. */
static void keep_colliding(dl_worker *w)
{
    dl_solving *s = w->s;
    if (s->fewest_pairs >= 0 && w->repair.conflicts.pairs >= s->fewest_pairs) return;
    dl_plan *plan = dl_planner_write_plan(w->planner);
    if (!plan) return;
    dl_plan_free(s->report->colliding);
    s->report->colliding = plan;
    s->fewest_pairs = w->repair.conflicts.pairs;
}

/* Says whether repair, which had all of its iterations, was near its end. Not of the first one, whose run is short. */
static void note_hope(dl_solving *s, int index, const dl_repair *r, uint64_t budget)
{
    if (index == 0 || r->conflicts.pairs == 0 || r->iterations < budget) return;
    bool is_hopeless = (double)r->fewest > HOPELESS_PAIRS * s->instance->agents;
    atomic_store(&s->hopeless, is_hopeless ? atomic_load(&s->hopeless) + 1 : 0);
}

/* Where iterations are limited, each candidate has its share of them, however it fares. */
static bool may_go_on(const dl_solving *s, const dl_repair *r, bool tight, uint64_t budget)
{
    bool is_limited = s->repeatable || s->options->repair_iterations > 0;
    return r->iterations < budget || (!tight && !is_limited && !dl_repair_is_stuck(r));
}

/* False if there was nothing to repair: the start could not be made. */
static bool run_candidate(dl_worker *w, int index, uint64_t budget)
{
    dl_solving *s = w->s;
    dl_repair *r = &w->repair;
    const dl_start *start = start_of(s, index);
    double began = dl_now(), beside = 0;
    int64_t conflicts = -1;
    w->has_plan = false;
    bool tight = turn_of(s, index) == 0 || s->in_rounds;
    if (s->options->repair == DL_REPAIR_OURS)
        r->options.lateness = tight ? DL_REPAIR_DEFAULTS.lateness : DL_LATENESS_ALWAYS_KEPT;
    bool started = dl_start_make(start, s->starts, w->planner, index, &s->deadline);
    /* The time of a repair begins when there is something to repair: waiting for a draft is none of it. */
    double most = s->options->repair_iterations > 0 ? INFINITY : s->options->repair_time;
    dl_deadline limit = dl_deadline_within(s->deadline, most);
    started = started && dl_repair_start(r, s->options->seed, (uint64_t)index, &limit);
    if (started) conflicts = r->conflicts.pairs;
    dl_plan *grew_from = started && s->input->keep_start ? dl_planner_write_plan(w->planner) : NULL;
    uint64_t burst = 1;
    while (started && r->conflicts.pairs > 0 && may_go_on(s, r, tight, budget)) {
        uint64_t done = r->iterations, wanted = done < budget && budget - done < burst ? budget - done : burst;
        double now = dl_now();
        dl_repair_run(r, wanted, &limit);
        double seconds = dl_now() - now;
        burst = dl_burst_after(r->iterations - done, seconds);
        if (dl_tell_is_due(w)) dl_tell(s, DIFFLNS_EVENT_REPAIRING, r->conflicts.pairs, r->soc, r->iterations);
        if (overtaken(s, index) || dl_deadline_passed(&limit) || dl_repair_gives_way(w) || w->planner->exhausted) break;
        if (atomic_load(&s->reserved)) beside += dl_improve_beside(w, seconds);
    }
    pthread_mutex_lock(&s->lock);
    dl_candidate *record = &s->candidate[index];
    record->conflicts = conflicts;
    record->conflicts_left = started ? r->conflicts.pairs : -1;
    record->iterations = started ? r->iterations : 0;
    record->seconds = dl_now() - began - beside;
    bool is_first = false, is_better = false;
    if (started) note_hope(s, index, r, budget);
    if (started && r->conflicts.pairs > 0 && s->best_soc < 0) keep_colliding(w);
    if (started && r->conflicts.pairs == 0 && beats_winner(s, index, r->soc)) {
        is_first = s->best_soc < 0;
        /* Others may have a cheaper plan by now: then this one has to show what it is worth. */
        is_better = !is_first && (s->by_number || r->soc < s->best_soc);
        atomic_store(&s->winner, index);
        atomic_store(&s->repaired, true);
        w->has_plan = true;
        w->init = start->name;
        dl_plan_free(w->grew_from);
        w->grew_from = grew_from;
        grew_from = NULL;
    }
    if (is_first) s->report->first_seconds = dl_now() - s->began;
    /* Where iterations are limited, which comes first in time is chance: what counts is the plan that wins. */
    if (is_first || (is_better && s->repeatable)) s->report->first_soc = r->soc;
    if (is_first || is_better) {
        dl_best_take(w, r->soc);
        s->report->init = w->init;
        grew_from = s->report->start;
        s->report->start = w->grew_from;
        w->grew_from = NULL;
    }
    pthread_mutex_unlock(&s->lock);
    if (is_first) dl_tell(s, DIFFLNS_EVENT_FIRST_PLAN, 0, r->soc, r->iterations);
    if (is_better) dl_tell(s, DIFFLNS_EVENT_BETTER_PLAN, 0, r->soc, r->iterations);
    dl_plan_free(grew_from);
    return started;
}

static bool begin_repair(dl_worker *w)
{
    bool as_published = w->s->options->repair == DL_REPAIR_AS_PUBLISHED;
    dl_repair_options options = as_published ? DL_REPAIR_PUBLISHED : DL_REPAIR_DEFAULTS;
    options.neighbors = w->s->options->neighbors;
    if (!dl_worker_equip(w)) return false;
    if (dl_repair_begin(&w->repair, w->planner, &options)) return true;
    dl_repair_end(&w->repair);
    return false;
}

/* How often a worker that waits looks whether there is something to do. */
static const struct timespec LOOK_UP = {.tv_nsec = 5000000};

static bool first_candidate_is_over(dl_solving *s)
{
    pthread_mutex_lock(&s->lock);
    bool over = s->next > 0 && s->candidate[0].seconds > 0;
    pthread_mutex_unlock(&s->lock);
    return over;
}

/* Where there is room on a map that is not small, the first candidate nearly always does, with a plan cheaper than that
 * of others, which would take time and memory from it. So the other workers measure ways before it comes to them, and
 * wait for the outcome. */
static void help_first_candidate(const dl_worker *w)
{
    dl_solving *s = w->s;
    for (int agent = s->instance->agents - 1; agent >= 0 && !dl_deadline_passed(&s->deadline); agent--)
        dl_distance_of_start(s->distance, agent);
    while (!first_candidate_is_over(s) && !dl_deadline_passed(&s->deadline)) nanosleep(&LOOK_UP, NULL);
}

static bool is_helper(const dl_worker *w)
{
    const dl_solving *s = w->s;
    if (w->number == 0 || s->repeatable) return false;
    if (dl_start_begins_with_lacam(dl_starts_input(s->starts))) return s->rule.stop == DL_STOP_FIRST;
    if (start_of(s, 0) != dl_start_find("pp")) return false;
    return s->instance->grid->cells > DL_BOARD_CELLS && dl_is_roomy(s->instance);
}

/* This candidate and the next ones; false when memory is out. */
static bool repair_candidates(dl_worker *w, int index, uint64_t budget)
{
    if (!begin_repair(w)) return false;
    int failed = 0;
    do failed = run_candidate(w, index, budget) ? 0 : failed + 1;
    while (failed < MOST_FAILED_STARTS && !w->planner->exhausted && next_candidate(w, &index, &budget));
    dl_repair_end(&w->repair);
    return !w->planner->exhausted;
}

void *dl_repair_phase(void *argument)
{
    dl_worker *w = argument;
    dl_solving *s = w->s;
    int index;
    uint64_t budget;
    if (is_helper(w)) help_first_candidate(w);
    /* A thread that comes too late needs no planner. */
    if (!next_candidate(w, &index, &budget)) return NULL;
    atomic_fetch_add(&s->repairing, 1);
    bool able = dl_worker_equip(w);
    /* On a large map a planner takes a while. */
    if (able && !dl_deadline_passed(&s->deadline)) able = repair_candidates(w, index, budget);
    atomic_fetch_sub(&s->repairing, 1);
    dl_improve_beside_end(w);
    if (!able) atomic_store(&s->exhausted, true);
    return NULL;
}

bool dl_solved_already(dl_worker *w)
{
    dl_solving *s = w->s;
    int index;
    uint64_t budget;
    if (!s->from_plan || !next_candidate(w, &index, &budget)) return false;
    if (begin_repair(w)) {
        run_candidate(w, index, 0);
        dl_repair_end(&w->repair);
    }
    if (atomic_load(&s->winner) != DL_NO_WINNER) return true;
    s->next = 0;
    s->granted = 0;
    return false;
}
