/* The best plan so far, what the report says of it, and what a listener hears. */
#include <assert.h>

#include "base/memory.h"
#include "solver/event.h"
#include "solver/policies.h"

/* A repair that never had fewer colliding pairs an agent than this was far from its end. One such run means little, the
 * next may succeed; three in a row came before no success on 21 full boards. */
static const double HOPELESS_PAIRS = 0.1;
/* Another thread's plan is taken up between rounds if it costs less than this share of the own one: descents end
 * several percent apart, and two that go on from one plan find much the same. When this share of the limit is over, any
 * cheaper one is. */
static const double CHEAPER = 0.98, APART = 0.7;
/* A far cheaper one is taken up at once. */
static const double FAR_CHEAPER = 0.5;
/* How often the first worker tells how far it is. */
static const double REPORT_SECONDS = 0.1;

/* ---- the best plan, under the lock ---- */

int dl_best_makespan(const dl_portfolio *f)
{
    int makespan = 0;
    for (int agent = 0; agent < f->instance->agents; agent++)
        if (f->best[agent].cost > makespan) makespan = f->best[agent].cost;
    return makespan;
}

dl_plan *dl_best_write(const dl_portfolio *f)
{
    dl_plan *plan = dl_plan_create(f->instance->agents);
    for (int agent = 0; plan && agent < f->instance->agents; agent++) {
        if (dl_plan_set(plan, f->instance->grid, agent, f->best[agent].at, f->best[agent].cost + 1)) continue;
        dl_plan_free(plan);
        return NULL;
    }
    return plan;
}

/* Where iterations are limited, when a plan was found is chance: the thread that lowers counts there. */
static void best_note(dl_portfolio *f, int64_t soc)
{
    assert(soc >= 0);
    atomic_store(&f->best_soc, soc);
    if (!dl_is_repeatable(f)) dl_stop_rule_note(&f->rule, dl_now() - f->began, soc);
}

static int64_t soc_of(const dl_track *track, int agents)
{
    int64_t soc = 0;
    for (int agent = 0; agent < agents; agent++) soc += track[agent].cost;
    return soc;
}

/* Keeps these tracks as the best plan. False when memory is out: the best plan is as it was. */
static bool best_copy(dl_portfolio *f, const dl_track *track, int64_t soc)
{
    assert(soc == soc_of(track, f->instance->agents));
    for (int agent = 0; agent < f->instance->agents; agent++)
        if (!dl_track_reserve(&f->best[agent], track[agent].cost)) return false;
    for (int agent = 0; agent < f->instance->agents; agent++)
        if (!dl_track_copy(&f->best[agent], &track[agent])) return false; /* there is room */
    best_note(f, soc);
    return true;
}

/* The same for a plan that must not be lost: without memory for a copy the planner gives its tracks away. */
static void best_take(dl_portfolio *f, dl_planner *p, int64_t soc)
{
    if (best_copy(f, p->track, soc)) return;
    for (int agent = 0; agent < f->instance->agents; agent++) {
        dl_planner_remove(p, agent);
        dl_track given = p->track[agent];
        p->track[agent] = f->best[agent];
        f->best[agent] = given;
    }
    p->exhausted = true;
    best_note(f, soc);
}

/* The same for a plan from elsewhere. False when memory is out: then it is not the best one. */
static bool best_read(dl_portfolio *f, const dl_plan *plan)
{
    for (int agent = 0; agent < plan->agents; agent++) {
        const dl_path *path = &plan->path[agent];
        dl_track *track = &f->best[agent];
        if (!dl_track_reserve(track, dl_path_cost(path))) return false;
        track->cost = dl_path_cost(path);
        for (int t = 0; t <= track->cost; t++)
            track->at[t] = dl_grid_cell(f->instance->grid, path->at[t].row, path->at[t].col);
    }
    best_note(f, dl_plan_soc(plan));
    return true;
}

/* The best plan is a lane's now. A copy of its start stays with the lane, whose next plans grew from it, too. */
static void report_origin(dl_portfolio *f, const dl_lane *lane)
{
    f->report->init = lane->init;
    if (!lane->grew_from) return;
    dl_plan_free(f->report->start);
    f->report->start = dl_plan_copy(lane->grew_from);
}

/* The lane goes on from the best plan. */
static void take_up_origin(const dl_portfolio *f, dl_lane *lane)
{
    lane->init = f->report->init;
    lane->is_own = false;
    dl_plan_free(lane->grew_from);
    lane->grew_from = f->report->start ? dl_plan_copy(f->report->start) : NULL;
}

/* ---- candidates ---- */

/* Is a repaired candidate better than the winner so far? Earlier rounds come first, then the cost, then the number. */
static bool beats_winner(const dl_portfolio *f, int index, int64_t soc)
{
    int winner = atomic_load(&f->winner);
    if (winner == DL_NO_WINNER) return true;
    assert(winner < f->next && f->best_soc >= 0);
    int won = dl_round_of(f, winner), own = dl_round_of(f, index);
    if (own != won) return own < won;
    return soc < f->best_soc || (soc == f->best_soc && index < winner);
}

/* Keeps the plan that collides least, for callers who get no other. */
static void keep_colliding(dl_portfolio *f, const dl_lane *lane)
{
    int64_t pairs = lane->descent.pairs;
    if (f->best_soc >= 0 || (f->fewest_pairs >= 0 && pairs >= f->fewest_pairs)) return;
    dl_plan *plan = dl_planner_write_plan(lane->planner);
    if (!plan) return;
    dl_plan_free(f->report->colliding);
    f->report->colliding = plan;
    f->fewest_pairs = pairs;
}

/* Says whether repair, which had all of its iterations, was near its end. Not of the first one, whose run is short. */
static void note_hope(dl_portfolio *f, const dl_lane *lane)
{
    const dl_repair *r = &lane->descent.repair;
    if (lane->index == 0 || lane->descent.pairs == 0 || r->iterations < lane->budget) return;
    bool is_hopeless = (double)r->fewest > HOPELESS_PAIRS * f->instance->agents;
    atomic_store(&f->hopeless, is_hopeless ? atomic_load(&f->hopeless) + 1 : 0);
}

static void report_candidate(dl_portfolio *f, const dl_lane *lane)
{
    const dl_descent *d = &lane->descent;
    bool started = lane->conflicts >= 0;
    dl_candidate *record = &f->candidate[lane->index];
    assert(lane->index < f->next && record->iterations == 0);
    record->conflicts = lane->conflicts;
    record->conflicts_left = started ? d->pairs : -1;
    record->iterations = started ? d->repair.iterations : 0;
    record->seconds = lane->seconds;
    if (!started) return;
    note_hope(f, lane);
    if (d->pairs > 0) keep_colliding(f, lane);
}

/* Where iterations are limited, who comes first in time is chance: what counts is the plan that wins. */
static void publish_winner(dl_portfolio *f, dl_lane *lane, bool is_first)
{
    int64_t soc = lane->descent.soc;
    assert(lane->descent.pairs == 0 && is_first == (f->best_soc < 0));
    if (is_first) f->report->first_seconds = dl_now() - f->began;
    if (is_first || dl_is_repeatable(f)) f->report->first_soc = soc;
    best_take(f, lane->planner, soc);
    report_origin(f, lane);
}

bool dl_publish_candidate(dl_worker *w, dl_lane *lane)
{
    dl_portfolio *f = w->f;
    const dl_descent *d = &lane->descent;
    bool is_repaired = lane->conflicts >= 0 && d->stage == DL_LOWERING;
    pthread_mutex_lock(&f->lock);
    report_candidate(f, lane);
    bool won = is_repaired && beats_winner(f, lane->index, d->soc), is_first = won && f->best_soc < 0;
    /* Others may have a cheaper plan by now: then this one has to show what it is worth. */
    bool is_better = won && !is_first && (dl_is_by_number(f) || d->soc < f->best_soc);
    if (won) atomic_store(&f->winner, lane->index);
    if (is_first || is_better) publish_winner(f, lane, is_first);
    pthread_mutex_unlock(&f->lock);
    if (won) atomic_store(&f->resort.cancel, 1); /* it is not needed any more */
    if (is_first) dl_tell(f, DIFFLNS_EVENT_FIRST_PLAN, 0, d->soc, d->iterations);
    if (is_better) dl_tell(f, DIFFLNS_EVENT_BETTER_PLAN, 0, d->soc, d->iterations);
    return won;
}

/* ---- champions ---- */

void dl_publish_champion(dl_worker *w, dl_lane *champion)
{
    dl_portfolio *f = w->f;
    const dl_descent *d = &champion->descent;
    if (!d->lowers) return; /* it was published when it was repaired */
    pthread_mutex_lock(&f->lock);
    bool is_better = d->soc < f->best_soc && best_copy(f, d->best.track, d->soc);
    if (is_better) report_origin(f, champion);
    pthread_mutex_unlock(&f->lock);
    if (is_better) dl_tell(f, DIFFLNS_EVENT_BETTER_PLAN, 0, d->soc, d->iterations);
}

/* The share of the own plan's cost below which another's is taken up: hardly ever within a round, since a kick needs
 * its time to show what it is worth, and so does the opening, and a plan that came later than the other. */
static double taken_up_below(const dl_portfolio *f, const dl_lane *lane, bool between_rounds)
{
    if (!between_rounds) return FAR_CHEAPER;
    if (dl_now() - f->began >= APART * f->seconds) return 1;
    return lane->is_late ? FAR_CHEAPER : CHEAPER;
}

bool dl_take_up_better(dl_worker *w, dl_lane *champion, bool between_rounds)
{
    dl_portfolio *f = w->f;
    dl_descent *d = &champion->descent;
    pthread_mutex_lock(&f->lock);
    assert(f->best_soc >= 0 && f->best_soc <= d->soc);
    bool is_wanted = (double)f->best_soc < taken_up_below(f, champion, between_rounds) * (double)d->soc;
    bool done = !is_wanted || dl_descent_adopt(d, f->best, f->best_soc, &champion->deadline);
    if (is_wanted) {
        champion->is_late = false;
        take_up_origin(f, champion);
    }
    pthread_mutex_unlock(&f->lock);
    return done;
}

bool dl_take_up_best(dl_worker *w, dl_lane *champion)
{
    dl_portfolio *f = w->f;
    pthread_mutex_lock(&f->lock);
    assert(f->best_soc >= 0 && !f->as_it_is && !champion->start);
    bool done = dl_descent_adopt(&champion->descent, f->best, f->best_soc, &champion->deadline);
    take_up_origin(f, champion);
    pthread_mutex_unlock(&f->lock);
    return done;
}

/* ---- the last resort ---- */

/* Its plan counts as one more candidate. */
static void report_last_resort(dl_portfolio *f, const dl_plan *plan)
{
    const dl_resort *r = &f->resort;
    assert(f->next < f->candidate_room);
    f->report->init = r->result.by_lacam ? "lacam" : DL_PUSH_AND_SWAP;
    f->candidate[f->next++] = (dl_candidate){.init = f->report->init};
    f->report->first_soc = f->best_soc;
    f->report->first_seconds = r->made - f->began;
    if (f->input->keep_start) f->report->start = dl_plan_copy(plan);
}

void dl_publish_last_resort(dl_portfolio *f, bool as_it_is)
{
    dl_plan *plan = f->resort.result.plan;
    assert(plan && atomic_load(&f->resort.stage) == DL_RESORT_READY);
    pthread_mutex_lock(&f->lock);
    bool is_first = f->best_soc < 0;
    if (is_first) {
        /* A plan of millions of positions is not copied where it will not be lowered. */
        if (as_it_is || !best_read(f, plan)) {
            dl_plan_trim(plan);
            f->as_it_is = plan;
            atomic_store(&f->best_soc, dl_plan_soc(plan));
        }
        report_last_resort(f, plan);
    }
    atomic_store(&f->resort.stage, is_first ? DL_RESORT_HANDED_IN : DL_RESORT_UNUSED);
    int64_t soc = f->best_soc;
    pthread_mutex_unlock(&f->lock);
    if (is_first) dl_tell(f, DIFFLNS_EVENT_FIRST_PLAN, 0, soc, 0);
}

void dl_publish_lacam(dl_portfolio *f, const dl_plan *plan)
{
    int64_t soc = dl_plan_soc(plan);
    pthread_mutex_lock(&f->lock);
    bool is_better = !dl_is_repaired(f) && soc < f->best_soc && best_read(f, plan);
    if (is_better) f->report->init = "lacam";
    pthread_mutex_unlock(&f->lock);
    if (is_better) dl_tell(f, DIFFLNS_EVENT_BETTER_PLAN, 0, soc, 0);
}

/* ---- what a listener hears ---- */

/* A copy of the best valid plan, for listeners. */
static dl_status copy_best(void *solve, dl_plan **out, dl_error *err)
{
    dl_portfolio *f = solve;
    pthread_mutex_lock(&f->lock);
    bool found = f->best_soc >= 0;
    *out = !found ? NULL : f->as_it_is ? dl_plan_copy(f->as_it_is) : dl_best_write(f);
    pthread_mutex_unlock(&f->lock);
    if (!found) return dl_fail(err, DIFFLNS_UNSOLVED, "there is no valid plan yet");
    return *out ? DIFFLNS_OK : dl_out_of_memory(err);
}

void dl_tell(dl_portfolio *f, difflns_event_type type, int64_t conflicts, int64_t soc, uint64_t iterations)
{
    if (!f->input->listener) return;
    const difflns_event event = {.type = type,
                                 .seconds = dl_now() - f->began,
                                 .conflicts = conflicts,
                                 .soc = soc,
                                 .iterations = iterations,
                                 .copy_best = copy_best,
                                 .solve = f};
    pthread_mutex_lock(&f->telling);
    f->input->listener(f->input->user, &event);
    pthread_mutex_unlock(&f->telling);
}

void dl_tell_progress(dl_worker *w, const dl_descent *descent)
{
    if (!w->f->input->listener || w->number != 0 || descent->pairs < 0 || dl_now() < w->next_report) return;
    w->next_report = dl_now() + REPORT_SECONDS;
    difflns_event_type type = descent->pairs > 0 ? DIFFLNS_EVENT_REPAIRING : DIFFLNS_EVENT_IMPROVING;
    dl_tell(w->f, type, descent->pairs, descent->soc, descent->iterations);
}
