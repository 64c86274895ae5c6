/* Questions about a portfolio at work: whatever decides if a policy is due asks here, and nothing here changes
 * anything. */
#ifndef DL_SOLVER_POLICIES_H
#define DL_SOLVER_POLICIES_H

#include "solver/portfolio.h"

/* Without a thread of its own the last resort begins at this share of the time limit; at the second share repair gives
 * way to it, and the rest of the time lowers its cost. */
#define DL_LAST_RESORT_SHARE 0.5
#define DL_GIVE_WAY_SHARE    0.9

/* ---- the instance and the options ---- */

/* Results must not depend on time: one thread lowers. */
static inline bool dl_is_repeatable(const dl_portfolio *f)
{
    return f->options->iterations > 0;
}

/* Candidates are judged by number, not by which is first: where results must not depend on time, and as in the paper.
 */
static inline bool dl_is_by_number(const dl_portfolio *f)
{
    return dl_is_repeatable(f) || f->options->repair == DL_REPAIR_AS_PUBLISHED;
}

static inline const dl_start *dl_start_asked(const dl_portfolio *f)
{
    return dl_start_at(f->options->init - 1); /* NULL: auto */
}

/* Candidates come in rounds, all of one are repaired and the best is taken: Algorithm 1. */
static inline bool dl_is_in_rounds(const dl_portfolio *f)
{
    const dl_start *asked = dl_start_asked(f);
    return asked && asked->rounds;
}

static inline bool dl_is_from_plan(const dl_portfolio *f)
{
    const dl_start *asked = dl_start_asked(f);
    return asked && asked->needs == DL_START_NEEDS_A_PLAN;
}

static inline bool dl_is_board(const dl_portfolio *f)
{
    return f->instance->grid->cells <= DL_BOARD_CELLS;
}

static inline dl_stop dl_stop_of(const dl_portfolio *f)
{
    return f->rule.stop;
}

static inline double dl_time_spent(const dl_portfolio *f)
{
    return dl_now() - f->began;
}

/* ---- how far it has come ---- */

/* Was a candidate repaired? */
static inline bool dl_is_repaired(const dl_portfolio *f)
{
    return atomic_load_explicit(&f->winner, memory_order_relaxed) != DL_NO_WINNER;
}

static inline bool dl_has_plan(const dl_portfolio *f)
{
    return atomic_load_explicit(&f->best_soc, memory_order_relaxed) >= 0;
}

static inline int dl_stage_of_resort(const dl_portfolio *f)
{
    return atomic_load(&f->resort.stage);
}

/* Is, or was, the best plan that of last resort? */
static inline bool dl_is_of_last_resort(const dl_portfolio *f)
{
    return dl_stage_of_resort(f) >= DL_RESORT_HANDED_IN;
}

static inline bool dl_is_extra(const dl_worker *w)
{
    return w->number == w->f->threads;
}

/* Does this worker make the last resort? */
static inline bool dl_makes_last_resort(const dl_worker *w)
{
    return w->f->has_extra_worker ? dl_is_extra(w) : w->number == 0;
}

/* Are all other workers waiting, or gone? */
static inline bool dl_others_are_idle(const dl_worker *w)
{
    return atomic_load(&w->f->idle) >= atomic_load(&w->f->workers) - 1;
}

static inline const dl_lane *dl_champion_of(const dl_worker *w)
{
    return w->lane[DL_CHAMPION]->policy ? w->lane[DL_CHAMPION] : NULL;
}

static inline bool dl_is_at_work(const dl_worker *w, dl_place place)
{
    return w->lane[place]->policy != NULL;
}

/* ---- candidates.c and policies.c ---- */

/* So full that the last resort makes its plan early, and that is lowered beside repair. */
bool dl_is_crowded(const dl_portfolio *f);
/* Would most of the time left go into handling a plan of this length? */
bool dl_time_is_short(const dl_portfolio *f, int makespan);
/* Candidates of one round count together: Algorithm 1 takes the best of each. Without rounds each one is a round of its
 * own, but one that comes first for haste shares it with the next. */
int dl_round_of(const dl_portfolio *f, int index);
/* Is the first plan made in haste, by LaCAM? */
bool dl_is_in_haste(const dl_portfolio *f);
/* Is this candidate repaired without making room, which costs less where it succeeds? */
bool dl_is_tight(const dl_portfolio *f, int index);
/* May a plan be found that is worth lowering, though the best one counts as settled? */
bool dl_renews_rule(const dl_portfolio *f);
/* Is there a candidate left for this worker to begin? */
bool dl_may_begin_candidate(const dl_worker *w);
/* The iterations a new candidate gets now; 0 = there is to be none. Under the lock. */
uint64_t dl_next_budget(const dl_portfolio *f);
/* How many candidates count once there is a winner: its round and those before. What else had begun is chance. */
int dl_counted_candidates(const dl_portfolio *f);
/* The iterations that candidates left to lowering, where iterations are limited. */
uint64_t dl_lowering_budget(const dl_portfolio *f);
/* Has the candidate at work lost its purpose, or its hope? */
bool dl_candidate_is_over(const dl_worker *w, const dl_lane *lane);
/* Is the solve over? */
bool dl_is_over(const dl_worker *w);
/* Nothing is due: may something become due? */
bool dl_may_become_due(const dl_worker *w);
/* When the last resort is due, on the clock of dl_now(), with a worker of its own. */
double dl_last_resort_due(const dl_portfolio *f);

#endif
