#include "solver/last_resort.h"

#include <assert.h>

#include "base/ablation.h"
#include "complete/complete_solver.h"
#include "lacam/lacam.h"
#include "lacam/windows.h"
#include "solver/handover.h"

/* Orders of push-and-swap: a handful costs milliseconds on dense maps and saves a quarter of the cost. */
enum { ORDERS = 6 };
/* LaCAM's share of the time, and the least and most it makes sense to give. */
static const double LACAM_SHARE = 0.2, LACAM_LEAST = 0.2, LACAM_MOST = 20;
/* How long LaCAM may try, in seconds or expansions, when a plan is wanted at once. */
static const double QUICK_SECONDS = 0.1;
static const uint64_t QUICK_EXPANSIONS = 20000;
/* And how long later. */
static const double AGAIN_SECONDS = 3;
/* Windows of a rigid plan: most that can be solved are solved much sooner. */
static const double WINDOW_SECONDS = 0.5;
enum { WINDOW_STEPS = 64 };

static void keep_cheaper(dl_plan **best, dl_plan *plan)
{
    if (*best && (!plan || dl_plan_soc(plan) >= dl_plan_soc(*best))) {
        dl_plan_free(plan);
        return;
    }
    dl_plan_free(*best);
    *best = plan;
}

/* LaCAM's plan, or its way to the configuration nearest to the goals completed by push-and-swap. */
static dl_plan *plan_of_lacam(const dl_instance *instance, dl_distance *distance, const dl_last_resort_options *options,
                              const dl_complete_options *complete, dl_deadline deadline, bool *solved, bool *exhausted)
{
    double share = LACAM_SHARE * dl_deadline_left(&deadline);
    share = share < LACAM_LEAST ? LACAM_LEAST : share > LACAM_MOST ? LACAM_MOST : share;
    dl_lacam_options lean = dl_lacam_lean(options->seed);
    lean.anytime = false;
    lean.expansions = options->expansions;
    if (options->quick) share = QUICK_SECONDS;
    if (options->quick && lean.expansions > QUICK_EXPANSIONS) lean.expansions = QUICK_EXPANSIONS;
    dl_lacam_result found;
    dl_deadline limit = options->expansions ? deadline : dl_deadline_within(deadline, share);
    dl_status status = dl_lacam_solve(instance, distance, &lean, limit, &found, NULL);
    dl_plan *plan = found.plan;
    found.plan = NULL; /* it goes to the caller */
    *solved = status == DIFFLNS_OK;
    if (!plan && found.nearest) status = dl_complete_from(instance, found.nearest, complete, deadline, &plan, NULL);
    if (status == DIFFLNS_OUT_OF_MEMORY) *exhausted = true;
    dl_lacam_result_release(&found);
    return plan;
}

static double last_resort_handover(const dl_plan *plan)
{
    return dl_handover_seconds(plan->agents, dl_plan_makespan(plan));
}

/* Loosens the plan; nothing happens without one, or if most of the time would go into reading and writing it. */
static void resolve_windows(const dl_instance *instance, const dl_last_resort_options *options, dl_deadline deadline,
                            dl_plan **plan)
{
    if (!*plan || options->quick || dl_is_without(DL_TECHNIQUE_last_windows)) return;
    double handling = 2 * last_resort_handover(*plan);
    deadline = dl_deadline_before_handover(deadline, handling);
    if (dl_deadline_left(&deadline) < handling) return;
    dl_window_lacam lacam = {.seed = options->seed, .expansions = options->expansions};
    dl_windows_options windows = {
        .width = WINDOW_STEPS, .window_seconds = WINDOW_SECONDS, .solver = dl_window_by_lacam, .user = &lacam};
    if (options->expansions) windows.window_seconds = __builtin_inf();
    dl_windows_improve(instance, &windows, deadline, plan, NULL);
}

/* Notes what push-and-swap said, and spends half of the time left on shortening its plan. */
static void take_pushes(const dl_instance *instance, const dl_last_resort_options *options, dl_status status,
                        double began, dl_deadline deadline, dl_last_resort_result *result)
{
    assert((status == DIFFLNS_OK) == (result->plan != NULL));
    if (status == DIFFLNS_OK) result->pushed_soc = dl_plan_soc(result->plan);
    result->exhausted = status == DIFFLNS_OUT_OF_MEMORY;
    result->pushed_seconds = dl_now() - began;
    dl_deadline half = dl_deadline_within(deadline, dl_deadline_left(&deadline) / 2);
    resolve_windows(instance, options, half, &result->plan);
}

void dl_last_resort_run(const dl_instance *instance, dl_distance *distance, const dl_last_resort_options *options,
                        dl_deadline deadline, dl_last_resort_result *result)
{
    *result = (dl_last_resort_result){.pushed_soc = -1};
    double began = dl_now();
    dl_complete_options complete = {
        .seed = options->seed, .orders = options->quick ? 1 : ORDERS, .rules = DL_RULES_MAPF};
    if (instance->errand) return; /* neither push-and-swap nor LaCAM plans them */
    dl_status status = dl_complete_solve(instance, NULL, &complete, deadline, &result->plan, NULL);
    take_pushes(instance, options, status, began, deadline, result);
    if (dl_deadline_passed(&deadline)) return;
    bool solved;
    dl_plan *other = plan_of_lacam(instance, distance, options, &complete, deadline, &solved, &result->exhausted);
    resolve_windows(instance, options, deadline, &other);
    result->by_lacam = solved && other && (!result->plan || dl_plan_soc(other) < dl_plan_soc(result->plan));
    keep_cheaper(&result->plan, other);
}

dl_plan *dl_last_resort_again(const dl_instance *instance, dl_distance *distance, const dl_last_resort_options *options,
                              dl_deadline deadline)
{
    if (instance->errand) return NULL;
    dl_lacam_options lean = dl_lacam_lean(options->seed + 1);
    lean.anytime = false;
    dl_lacam_result found;
    dl_lacam_solve(instance, distance, &lean, dl_deadline_within(deadline, AGAIN_SECONDS), &found, NULL);
    dl_plan *plan = found.plan;
    found.plan = NULL;
    dl_lacam_result_release(&found);
    return plan;
}
