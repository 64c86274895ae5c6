/* Candidates: how many iterations each gets, which of them count, and when one is over. Everything here asks and
 * changes nothing. */
#include <math.h>

#include "solver/policies.h"

#include <assert.h>

/* The first candidate is repaired tightly: its plan costs less, and most instances need no more iterations. */
static const uint64_t FIRST_RUN = 3000;
/* The others keep the room they make, and each may go on for longer than the one before, or until it is stuck: on full
 * boards the last pairs take most of a run (docs/ablation.md). */
static const uint64_t SHORT_RUN = 40000;
static const double LONGER = 1.5;
static const double MOST_ITERATIONS = 1e15; /* more than any run makes, and it fits an integer */
/* So many starts in a row that could not be made: more will not be either. */
enum { MOST_FAILED_STARTS = 8 };
/* How long the first candidate may go on once another one has a plan: in times that it took to find that, and seconds
 * at least. */
static const double FIRST_CANDIDATE_TIMES = 4, FIRST_CANDIDATE_SECONDS = 0.05;
/* So many hopeless candidates in a row, one from each kind of start, and all threads lower the plan of last resort. */
enum { HOPELESS_CANDIDATES = 3 };

uint64_t dl_solve_patience(int index)
{
    if (index == 0) return FIRST_RUN;
    double run = (double)SHORT_RUN * pow(LONGER, index - 1);
    return run < MOST_ITERATIONS ? (uint64_t)run : (uint64_t)MOST_ITERATIONS;
}

bool dl_is_in_haste(const dl_portfolio *f)
{
    return dl_start_begins_with_lacam(dl_starts_input(f->starts));
}

/* What its number is among the candidates that are not there for haste alone. */
static int turn_of(const dl_portfolio *f, int index)
{
    return dl_start_turn(dl_starts_input(f->starts), index);
}

int dl_round_of(const dl_portfolio *f, int index)
{
    return dl_is_in_rounds(f) ? index / f->options->candidates : turn_of(f, index);
}

bool dl_is_tight(const dl_portfolio *f, int index)
{
    return turn_of(f, index) == 0 || dl_is_in_rounds(f);
}

static uint64_t patience_of(const dl_portfolio *f, int index)
{
    const dl_options *options = f->options;
    if (!dl_is_repeatable(f) && options->repair_iterations > 0) return options->repair_iterations;
    if (!dl_is_in_rounds(f)) return dl_solve_patience(turn_of(f, index));
    if (!dl_is_repeatable(f)) return UINT64_MAX; /* only its repair time bounds a draft */
    return (options->iterations + (uint64_t)options->candidates - 1) / (uint64_t)options->candidates;
}

uint64_t dl_next_budget(const dl_portfolio *f)
{
    const dl_options *o = f->options;
    int winner = atomic_load(&f->winner);
    if (winner != DL_NO_WINNER && dl_round_of(f, f->next) != dl_round_of(f, winner)) return 0;
    if (winner != DL_NO_WINNER && dl_stop_of(f) == DL_STOP_FIRST && !dl_is_in_rounds(f)) return 0;
    if (o->rounds > 0 && f->next >= o->candidates * o->rounds) return 0;
    uint64_t budget = patience_of(f, f->next);
    if (!dl_is_repeatable(f)) return budget;
    /* On a full board half of the iterations are for lowering the plan of last resort, if it comes to that. */
    uint64_t most = dl_is_crowded(f) ? (o->iterations + 1) / 2 : o->iterations;
    assert(f->granted <= most);
    uint64_t left = most - f->granted;
    return budget < left ? budget : left;
}

int dl_counted_candidates(const dl_portfolio *f)
{
    int winner = atomic_load(&f->winner);
    if (winner == DL_NO_WINNER || !dl_is_by_number(f)) return f->next;
    assert(winner < f->next);
    int end = winner + 1;
    if (dl_is_in_rounds(f)) end = (dl_round_of(f, winner) + 1) * f->options->candidates;
    return end < f->next ? end : f->next;
}

uint64_t dl_lowering_budget(const dl_portfolio *f)
{
    if (!dl_is_repeatable(f)) return UINT64_MAX;
    uint64_t repaired = 0;
    for (int i = 0; i < dl_counted_candidates(f); i++) repaired += f->candidate[i].iterations;
    assert(repaired <= f->options->iterations);
    return f->options->iterations - repaired;
}

/* Does repair make room for the plan of last resort? On a full board all workers but the first do at once, and the
 * first when repair has no hope. */
static bool repair_gives_way(const dl_worker *w)
{
    const dl_portfolio *f = w->f;
    if (dl_is_repaired(f)) return false;
    if (dl_is_repeatable(f) || !f->options->fallback) return false;
    if (!f->has_extra_worker) return dl_time_spent(f) >= DL_LAST_RESORT_SHARE * f->seconds;
    if (dl_is_crowded(f)) {
        bool is_hopeless = atomic_load(&f->hopeless) >= HOPELESS_CANDIDATES;
        return dl_is_of_last_resort(f) && (w->number > 0 || dl_stop_of(f) == DL_STOP_FIRST || is_hopeless);
    }
    bool is_made = dl_stage_of_resort(f) >= DL_RESORT_READY && f->resort.result.plan;
    return is_made && dl_time_spent(f) >= DL_GIVE_WAY_SHARE * f->seconds;
}

/* The first candidate is the tightest, and alone it would have the first word: it may go on for a while after others
 * have a plan, so that more threads do not make plans cost more. */
static bool first_candidate_has_time(dl_portfolio *f, int index)
{
    bool alike = dl_is_in_rounds(f) || dl_is_from_plan(f); /* no candidate is better than the others */
    if (index != 0 || dl_is_repeatable(f) || alike || dl_grid_is_large(f->instance->grid)) return false;
    pthread_mutex_lock(&f->lock);
    double first = f->report->first_seconds;
    pthread_mutex_unlock(&f->lock);
    double spent = dl_time_spent(f);
    return spent < FIRST_CANDIDATE_TIMES * first || spent < FIRST_CANDIDATE_SECONDS;
}

static bool is_overtaken(dl_portfolio *f, int index)
{
    int winner = atomic_load_explicit(&f->winner, memory_order_relaxed);
    if (winner == DL_NO_WINNER || first_candidate_has_time(f, index)) return false;
    int won = dl_round_of(f, winner), own = dl_round_of(f, index);
    return dl_is_by_number(f) ? won < own : won != own;
}

/* Where iterations are limited, each candidate has its share of them, however it fares. */
static bool is_spent(const dl_portfolio *f, const dl_lane *lane)
{
    const dl_repair *r = &lane->descent.repair;
    assert(lane->budget > 0);
    if (r->iterations < lane->budget) return false;
    bool is_limited = dl_is_repeatable(f) || f->options->repair_iterations > 0;
    return lane->is_tight || is_limited || dl_repair_is_stuck(r);
}

bool dl_candidate_is_over(const dl_worker *w, const dl_lane *lane)
{
    return lane->descent.stage != DL_REPAIRING || is_spent(w->f, lane) || is_overtaken(w->f, lane->index) ||
           dl_deadline_passed(&lane->deadline) || repair_gives_way(w);
}

bool dl_may_begin_candidate(const dl_worker *w)
{
    dl_portfolio *f = w->f;
    if (dl_is_extra(w) || w->cannot_repair || w->failed_starts >= MOST_FAILED_STARTS || repair_gives_way(w))
        return false;
    pthread_mutex_lock(&f->lock);
    uint64_t budget = dl_next_budget(f);
    pthread_mutex_unlock(&f->lock);
    return budget > 0;
}

bool dl_renews_rule(const dl_portfolio *f)
{
    return dl_is_in_rounds(f) || dl_is_in_haste(f);
}
