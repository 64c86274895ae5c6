#include "complete/complete_solver.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "complete/push_and_swap.h"
#include "mapf/check.h"
#include "order/timetable.h"

/* Further orders are not tried once so many moves were logged: on maps that large one order takes its second already.
 */
static const size_t ENOUGH_MOVES = (size_t)1 << 21;
/* Nor after this share of the time the first one left: a plan must be checked and handed over, too. */
static const double FURTHER_SHARE = 0.5;

/* The checker does not look at the clock: so long it takes for an agent's timestep, and there is no hurry below the
 * second bound. */
static const double CHECK_SECONDS = 40e-9, CHECK_AT_ONCE = 0.02;

typedef struct tools {
    dl_blocks blocks;
    dl_rotation_swaps rotations;
    dl_pebbles pebbles;
    dl_swapper swapper;
} tools;

/* False when memory or time is out. */
static bool prepare(tools *t, const dl_instance *instance, const dl_cell *from, dl_rules rules,
                    const dl_deadline *deadline)
{
    const dl_grid *grid = instance->grid;
    *t = (tools){0};
    if (!dl_blocks_find(grid, deadline, &t->blocks)) return false;
    if (dl_is_late(deadline) || !dl_rotation_swaps_create(&t->rotations, grid, &t->blocks)) return false;
    if (dl_is_late(deadline) || !dl_pebbles_create(&t->pebbles, grid, instance->agents, from)) return false;
    return !dl_is_late(deadline) && dl_swapper_create(&t->swapper, &t->pebbles, &t->rotations, rules);
}

static void put_away(tools *t)
{
    dl_swapper_free(&t->swapper);
    dl_pebbles_free(&t->pebbles);
    dl_rotation_swaps_free(&t->rotations);
    dl_blocks_free(&t->blocks);
}

static bool time_to_check(const dl_plan *plan, const dl_deadline *deadline)
{
    double seconds = CHECK_SECONDS * plan->agents * dl_plan_makespan(plan);
    if (seconds < CHECK_AT_ONCE) return true;
    return !dl_deadline_canceled(deadline) && seconds < dl_deadline_left(deadline);
}

/* The last word on a plan from the configuration `from`: hands it over, or frees it and says why. */
static dl_status judge(const dl_instance *instance, const dl_cell *from, dl_plan *plan, dl_plan **out, dl_error *err)
{
    dl_instance moved = *instance; /* the checker wants plans that begin at the instance's starts */
    moved.start = (dl_cell *)from;
    moved.errand = NULL;
    dl_check_result check;
    bool known = dl_check(&moved, plan, &check, NULL, 0, NULL);
    if (known && check.violations == 0) {
        *out = plan;
        return DIFFLNS_OK;
    }
    dl_plan_free(plan);
    if (!known) return dl_out_of_memory(err);
    return dl_fail(err, DIFFLNS_INTERNAL, "a plan of push-and-swap did not pass the checker");
}

/* What several orders came to. */
typedef struct outcome {
    dl_plan *best;
    bool stuck, exhausted; /* some order found no way, or no memory */
} outcome;

static outcome try_orders(tools *t, const dl_instance *instance, const dl_cell *from,
                          const dl_complete_options *options, dl_deadline deadline)
{
    assert(options->orders >= 1);
    outcome found = {0};
    int64_t best = 0;
    size_t moves = 0;
    dl_deadline limit = deadline;
    for (int order = 0; order == 0 || (order < options->orders && moves < ENOUGH_MOVES); order++) {
        dl_rng rng = dl_rng_stream(options->seed, DL_PURPOSE('p', 'e', 'e', 'l'), (uint64_t)order);
        if (order > 0) dl_pebbles_reset(&t->pebbles, from);
        dl_push_outcome pushed = dl_push_and_swap(&t->swapper, instance->goal, &rng, &limit);
        found.exhausted = t->pebbles.exhausted;
        if (pushed == DL_PUSH_STOPPED) break;
        moves += t->pebbles.moves;
        found.stuck |= pushed == DL_PUSH_STUCK;
        if (pushed != DL_PUSH_SOLVED) continue;
        dl_plan *plan =
            dl_timetable_plan(instance->grid, instance->agents, from, t->pebbles.log, t->pebbles.moves, &limit);
        if (!plan) {
            found.exhausted = !dl_deadline_passed(&limit);
            break;
        }
        int64_t cost = dl_plan_soc(plan);
        if (!found.best) limit = dl_deadline_within(deadline, FURTHER_SHARE * dl_deadline_left(&deadline));
        if (found.best && cost >= best) {
            dl_plan_free(plan);
            continue;
        }
        dl_plan_free(found.best);
        found.best = plan;
        best = cost;
    }
    return found;
}

dl_status dl_complete_solve(const dl_instance *instance, const dl_cell *from, const dl_complete_options *options,
                            dl_deadline deadline, dl_plan **out, dl_error *err)
{
    if (!from) from = instance->start;
    *out = NULL;
    tools t;
    outcome found = {0};
    if (prepare(&t, instance, from, options->rules, &deadline))
        found = try_orders(&t, instance, from, options, deadline);
    else
        found.exhausted = !dl_deadline_passed(&deadline);
    put_away(&t);
    if (found.best && time_to_check(found.best, &deadline)) return judge(instance, from, found.best, out, err);
    dl_plan_free(found.best);
    if (!found.best && found.exhausted) return dl_out_of_memory(err);
    return dl_fail(err, DIFFLNS_UNSOLVED,
                   found.stuck ? "push-and-swap found no way to exchange two agents" : "push-and-swap ran out of time");
}

/* The agent stays where it is until `time`. */
static bool wait_until(dl_path *path, int time)
{
    assert(path->length > 0);
    while (path->length < time)
        if (!dl_path_append(path, path->at[path->length - 1])) return false;
    return true;
}

/* Waits until `time`, then walks the rest of another path, which begins where this one ends. */
static bool append_path(dl_path *path, int time, const dl_path *rest)
{
    if (!wait_until(path, time)) return false;
    for (int t = 1; t < rest->length; t++)
        if (!dl_path_append(path, rest->at[t])) return false;
    return true;
}

/* `first`, then `second`, which starts where `first` ends. NULL when memory is out. */
static dl_plan *concatenate(const dl_plan *first, const dl_plan *second)
{
    assert(first && second && first->agents == second->agents);
    dl_plan *plan = dl_plan_copy(first);
    if (!plan) return NULL;
    dl_plan_trim(plan);
    int length = dl_plan_makespan(first) + 1;
    for (int agent = 0; agent < plan->agents; agent++) {
        if (second->path[agent].length == 1) continue;
        if (append_path(&plan->path[agent], length, &second->path[agent])) continue;
        dl_plan_free(plan);
        return NULL;
    }
    dl_plan_trim(plan);
    return plan;
}

dl_status dl_complete_from(const dl_instance *instance, const dl_plan *prefix, const dl_complete_options *options,
                           dl_deadline deadline, dl_plan **out, dl_error *err)
{
    if (!prefix) return dl_complete_solve(instance, NULL, options, deadline, out, err);
    *out = NULL;
    dl_cell *from = DL_ARRAY(dl_cell, instance->agents);
    if (!from) return dl_out_of_memory(err);
    for (int agent = 0; agent < instance->agents; agent++) {
        difflns_cell end = prefix->path[agent].at[prefix->path[agent].length - 1];
        from[agent] = dl_grid_cell(instance->grid, end.row, end.col);
    }
    dl_plan *rest;
    dl_status status = dl_complete_solve(instance, from, options, deadline, &rest, err);
    free(from);
    /* The prefix may have used rotations that pebble moves can't take back: then only the starts are left. */
    if (status == DIFFLNS_UNSOLVED) return dl_complete_solve(instance, NULL, options, deadline, out, err);
    DL_TRY(status);
    dl_plan *whole = concatenate(prefix, rest);
    dl_plan_free(rest);
    return whole ? judge(instance, instance->start, whole, out, err) : dl_out_of_memory(err);
}
