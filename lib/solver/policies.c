/* When a policy is due. Everything here asks and changes nothing. */
#include "solver/policies.h"

#include <assert.h>

#include "base/ablation.h"
#include "base/parallel.h"
#include "lns/prioritized.h"
#include "solver/handover.h"

/* A board is crowded if agents stand on this share of its cells. */
static const double CROWDED_SHARE = 0.35;

bool dl_is_crowded(const dl_portfolio *f)
{
    /* A start that was asked for is to show what becomes of it. */
    bool may_be = f->options->fallback && !dl_start_asked(f) && dl_is_board(f);
    return may_be && f->instance->agents >= CROWDED_SHARE * f->instance->grid->cells;
}

static bool worker_repairs(const dl_worker *w)
{
    return dl_is_at_work(w, DL_CANDIDATE) || dl_may_begin_candidate(w);
}

static bool when_plan_is_given(const dl_worker *w, const dl_policy *policy)
{
    (void)policy;
    return dl_is_from_plan(w->f) && w->number == 0 && w->f->next == 0;
}

/* Where there is room on a map that is not small, the first candidate nearly always gets a plan, cheaper than that of
 * others, which would take time and memory from it. So the other workers measure ways before it comes to them, and wait
 * for the outcome. */
static bool is_helper(const dl_worker *w)
{
    const dl_portfolio *f = w->f;
    if (w->number == 0 || dl_is_extra(w) || dl_is_repeatable(f) || dl_is_board(f)) return false;
    if (dl_is_in_haste(f)) return dl_stop_of(f) == DL_STOP_FIRST;
    return dl_start_of(f->options->init, dl_starts_input(f->starts), 0) == dl_start_find("pp") &&
           dl_is_roomy(f->instance);
}

static bool waits_for_first_candidate(const dl_worker *w)
{
    if (!is_helper(w)) return false;
    pthread_mutex_lock(&w->f->lock);
    bool is_over = w->f->next > 0 && w->f->candidate[0].seconds > 0;
    pthread_mutex_unlock(&w->f->lock);
    return !is_over;
}

static bool when_first_candidate_is_helped(const dl_worker *w, const dl_policy *policy)
{
    (void)policy;
    return w->measured < w->f->instance->agents && waits_for_first_candidate(w);
}

static bool when_there_is_no_plan(const dl_worker *w, const dl_policy *policy)
{
    (void)policy;
    return worker_repairs(w) && !waits_for_first_candidate(w);
}

/* ---- lowering ---- */

/* Beside repair, a second of it gives so many to lowering, where no other thread lowers: boards that repair solves in
 * some seconds end far cheaper that way. */
static const double BESIDE_SHARE = 0.5;
/* A plan is lowered only with so many times the time left that handing it over takes: taking it up takes longer still.
 */
static const double LONG_HANDOVER = 3;
/* To begin takes so long for each cell of the map: arrays are made, and every cell is looked at. */
static const double BEGIN_SECONDS = 2e-8;

bool dl_time_is_short(const dl_portfolio *f, int makespan)
{
    double handover = dl_handover_seconds(f->instance->agents, makespan);
    return dl_deadline_canceled(&f->deadline) || dl_deadline_left(&f->deadline) < LONG_HANDOVER * handover;
}

/* Is there a plan, and time to lower it? */
static bool is_worth_lowering(const dl_worker *w)
{
    dl_portfolio *f = w->f;
    if (dl_is_extra(w) || w->cannot_lower || dl_stop_of(f) == DL_STOP_FIRST || !dl_has_plan(f)) return false;
    if (dl_is_repeatable(f) && w->lowered >= dl_lowering_budget(f)) return false;
    if (dl_champion_of(w) && dl_champion_of(w)->is_prepared) return true;
    pthread_mutex_lock(&f->lock);
    int makespan = f->as_it_is ? -1 : dl_best_makespan(f);
    pthread_mutex_unlock(&f->lock);
    if (makespan < 0 || makespan > dl_planner_last_time(f->instance)) return false;
    if (dl_deadline_left(&f->deadline) < BEGIN_SECONDS * f->instance->grid->cells) return false;
    return !dl_time_is_short(f, makespan);
}

static bool when_beside_repair(const dl_worker *w, const dl_policy *policy)
{
    (void)policy;
    const dl_portfolio *f = w->f;
    if (f->threads > 1 || dl_is_repeatable(f) || !dl_is_at_work(w, DL_CANDIDATE) || !dl_is_of_last_resort(f))
        return false;
    if (dl_is_without(DL_TECHNIQUE_beside)) return false;
    return w->beside_seconds < BESIDE_SHARE * w->repair_seconds && is_worth_lowering(w);
}

static bool when_there_is_a_plan(const dl_worker *w, const dl_policy *policy)
{
    (void)policy;
    /* Where iterations are limited, one thread lowers what all have repaired. */
    if (dl_is_repeatable(w->f) && (w->number > 0 || !dl_others_are_idle(w))) return false;
    return !worker_repairs(w) && is_worth_lowering(w);
}

/* ---- challenges ---- */

/* Which descent will end lowest shows early, and to try one takes as long as the repair of its start and a few tenths
 * of a second: so early challenges have this share of a run, its time or its iterations. */
static const double EARLY_SHARE = 0.12;
/* A champion is challenged when its cost fell by less than this share while its age doubled: descents end farther apart
 * than that. */
static const double STALL = 0.01;
/* The share of all searches that challengers get at most, once the champion has stalled. */
static const double CHALLENGED_SHARE = 0.4;
/* LaCAM's tables would take too long for more cells times agents. */
static const int64_t MOST_LACAM_FIELDS = 1 << 20;

/* Is the champion's plan that of last resort, or did it grow from that? */
static bool champion_is_of_last_resort(const dl_worker *w)
{
    return dl_is_of_last_resort(w->f) && !dl_champion_of(w)->is_own;
}

/* Other starts may do better, where none was asked for and they are soon lowered: one-way traffic, and as long as
 * nothing was repaired, other plans of LaCAM's, which are no match for a repaired one. */
static bool suits_challenge(const dl_worker *w, dl_who who)
{
    const dl_portfolio *f = w->f;
    if (dl_start_asked(f) || f->instance->errand || !dl_is_board(f)) return false;
    if (dl_is_without(DL_TECHNIQUE_challengers)) return false;
    if (!champion_is_of_last_resort(w)) return who == DL_WHO_TRAFFIC;
    bool fits = (int64_t)f->instance->agents * f->instance->grid->cells <= MOST_LACAM_FIELDS;
    return who == DL_WHO_LACAM && fits && !dl_is_repaired(f);
}

static bool worker_lowers(const dl_worker *w)
{
    return when_beside_repair(w, NULL) || when_there_is_a_plan(w, NULL);
}

/* Goes on, or may begin if its time has come. */
static bool may_challenge(const dl_worker *w, const dl_policy *policy, bool has_come)
{
    const dl_policy *at_work = w->lane[DL_CHALLENGER]->policy;
    if (at_work) return at_work == policy && worker_lowers(w);
    const dl_lane *champion = dl_champion_of(w);
    if (!has_come || !champion || !champion->descent.lowers) return false;
    return suits_challenge(w, policy->who) && worker_lowers(w);
}

static bool is_challenged_at_once(const dl_worker *w)
{
    /* The first thread lowers the first plan, which may be handed over soon; the others do not have to. */
    return w->number > 0 && !dl_is_repeatable(w->f) && w->challenges == 0;
}

/* Later ones come only between two rounds: a kick needs its time to show what it is worth. On full boards the opening
 * lasts too long to wait for its end. */
static bool is_between_rounds(const dl_worker *w, dl_who who)
{
    const dl_lane *champion = dl_champion_of(w);
    if (!champion || w->searches < w->pause) return false;
    return champion->is_new_round ||
           (who == DL_WHO_LACAM && champion->descent.lowers && champion->descent.phase == DL_OPENING);
}

static bool is_early(const dl_worker *w)
{
    const dl_portfolio *f = w->f;
    if (dl_is_repeatable(f)) return (double)w->lowered < EARLY_SHARE * (double)dl_lowering_budget(f);
    return dl_time_spent(f) < EARLY_SHARE * f->seconds;
}

static bool has_stalled(const dl_worker *w)
{
    const dl_descent *d = &dl_champion_of(w)->descent;
    assert(w->challenged <= w->searches && d->levels <= DL_AGE_LEVELS);
    if (d->levels < 2 || (double)w->challenged > CHALLENGED_SHARE * (double)w->searches) return false;
    int64_t before = d->cost_at[d->levels - 2], after = d->cost_at[d->levels - 1];
    return (double)(before - after) < STALL * (double)before;
}

/* One after the other, as soon as there is an age to compare at. */
static bool is_challenged_early(const dl_worker *w, dl_who who)
{
    return is_between_rounds(w, who) && is_early(w) && dl_champion_of(w)->descent.levels > 0;
}

static bool is_challenged_late(const dl_worker *w, dl_who who)
{
    return is_between_rounds(w, who) && has_stalled(w);
}

static bool when_challenged_at_once(const dl_worker *w, const dl_policy *policy)
{
    return may_challenge(w, policy, is_challenged_at_once(w));
}

static bool when_challenged_early(const dl_worker *w, const dl_policy *policy)
{
    return may_challenge(w, policy, dl_stop_of(w->f) == DL_STOP_LIMIT && is_challenged_early(w, policy->who));
}

static bool when_challenged_late(const dl_worker *w, const dl_policy *policy)
{
    return may_challenge(w, policy, is_challenged_late(w, policy->who));
}

static bool when_challenged_by_lacam_early(const dl_worker *w, const dl_policy *policy)
{
    return may_challenge(w, policy, is_challenged_early(w, policy->who));
}

static bool when_challenged_by_lacam_late(const dl_worker *w, const dl_policy *policy)
{
    return may_challenge(w, policy, is_challenged_late(w, policy->who));
}

/* ---- the last resort ---- */

/* On a crowded board it begins after so many seconds, in which repair solves what is easy. */
static const double CROWDED_SECONDS = 0.25;

double dl_last_resort_due(const dl_portfolio *f)
{
    /* On a large map it takes all of a core and much memory for long, and repair hardly ever fails. */
    bool has_core = f->threads < dl_cores() && !dl_grid_is_large(f->instance->grid);
    return f->began + (dl_is_crowded(f) ? CROWDED_SECONDS : has_core ? 0 : DL_LAST_RESORT_SHARE * f->seconds);
}

static bool when_last_resort_is_due(const dl_worker *w, const dl_policy *policy)
{
    (void)policy;
    const dl_portfolio *f = w->f;
    if (!f->options->fallback || !dl_makes_last_resort(w) || dl_stage_of_resort(f) != DL_RESORT_AHEAD) return false;
    if (dl_has_plan(f)) return false;
    return dl_others_are_idle(w) || (f->has_extra_worker && dl_now() >= f->resort.due);
}

/* By then repair may still find a cheaper plan: the first plan waits for that, but on a full board. */
static bool when_last_resort_is_wanted(const dl_worker *w, const dl_policy *policy)
{
    (void)policy;
    const dl_portfolio *f = w->f;
    if (!dl_makes_last_resort(w) || dl_stage_of_resort(f) != DL_RESORT_READY || dl_has_plan(f)) return false;
    if (dl_others_are_idle(w) || dl_time_spent(f) >= DL_GIVE_WAY_SHARE * f->seconds) return true;
    return dl_is_crowded(f) && !dl_time_is_short(f, dl_plan_makespan(f->resort.result.plan));
}

static bool when_lacam_may_do_better(const dl_worker *w, const dl_policy *policy)
{
    (void)policy;
    const dl_portfolio *f = w->f;
    if (!dl_is_extra(w) || dl_stage_of_resort(f) != DL_RESORT_HANDED_IN || dl_is_repaired(f)) return false;
    return f->resort.options.quick && !f->resort.result.by_lacam;
}

/* ---- the end ---- */

/* A plan of last resort is not settled while repair goes on, up to this share of the limit. */
static const double PENDING_SHARE = 0.5;

/* The best plan is that of last resort, or one that was made in haste, and one that repair may yet find would end far
 * below it. */
static bool is_pending(const dl_portfolio *f)
{
    bool hopes = (dl_is_of_last_resort(f) && !dl_is_repaired(f)) || dl_is_in_haste(f);
    return hopes && atomic_load(&f->repairing) > 0 && dl_time_spent(f) < PENDING_SHARE * f->seconds;
}

/* For solves by time; those by iterations look at the rule when they have made so many. */
static bool is_time_to_hand_over(dl_portfolio *f)
{
    if (dl_is_repeatable(f) || dl_stop_of(f) == DL_STOP_FIRST || !dl_has_plan(f) || is_pending(f)) return false;
    pthread_mutex_lock(&f->lock);
    bool is_met = dl_stop_rule_is_met(&f->rule, dl_time_spent(f));
    pthread_mutex_unlock(&f->lock);
    return is_met;
}

bool dl_is_over(const dl_worker *w)
{
    return atomic_load(&w->f->is_over) || dl_deadline_passed(&w->f->deadline) || is_time_to_hand_over(w->f);
}

bool dl_may_become_due(const dl_worker *w)
{
    const dl_portfolio *f = w->f;
    int stage = dl_stage_of_resort(f);
    if (dl_is_extra(w)) return stage <= DL_RESORT_READY && !dl_has_plan(f);
    if (waits_for_first_candidate(w)) return true;
    bool first_waits = w->number == 0 || !dl_is_repeatable(f);
    if (dl_has_plan(f)) return dl_is_repeatable(f) && first_waits && !dl_others_are_idle(w);
    bool resort_may_come = f->has_extra_worker && stage <= DL_RESORT_READY;
    return first_waits && (resort_may_come || !dl_others_are_idle(w));
}

/* ---- the table ---- */

static const dl_policy TABLE[] = {
#define POLICY(name, who, when, how_long, against) {#name, DL_WHO_##who, when, DL_FOR_##how_long, DL_AGAINST_##against},
#include "solver/portfolio.def"
#undef POLICY
};
enum { ROWS = sizeof TABLE / sizeof TABLE[0] };

const dl_policy *dl_policy_at(int index)
{
    return index >= 0 && index < ROWS ? &TABLE[index] : NULL;
}

const dl_policy *dl_policy_due(const dl_worker *w)
{
    for (int i = 0; i < ROWS; i++)
        if (TABLE[i].when(w, &TABLE[i])) return &TABLE[i];
    return NULL;
}
