#include "search/complete_solver.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mapf/check.h"
#include "search/push_and_swap.h"
#include "search/synchronize.h"

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
    dl_swap_search *search;
    dl_swapper swapper;
} tools;

static void prepare(tools *t, const dl_instance *instance, const dl_cell *from, dl_rules rules)
{
    const dl_grid *grid = instance->grid;
    dl_blocks_find(grid, &t->blocks);
    dl_rotation_swaps_create(&t->rotations, grid, &t->blocks);
    dl_pebbles_create(&t->pebbles, grid, instance->agents, from);
    t->search = dl_swap_search_create(grid, &t->rotations);
    dl_swapper_create(&t->swapper, &t->pebbles, &t->rotations, t->search, rules);
}

static void put_away(tools *t)
{
    dl_swapper_free(&t->swapper);
    dl_swap_search_free(t->search);
    dl_pebbles_free(&t->pebbles);
    dl_rotation_swaps_free(&t->rotations);
    dl_blocks_free(&t->blocks);
}

/* The checker wants plans that begin at the instance's starts; this one begins elsewhere. */
static bool valid_from(const dl_instance *instance, const dl_cell *from, const dl_plan *plan)
{
    dl_instance moved = *instance;
    moved.start = (dl_cell *)from;
    return dl_check_valid(&moved, plan);
}

static bool time_to_check(const dl_plan *plan, const dl_deadline *deadline)
{
    double seconds = CHECK_SECONDS * plan->agents * dl_plan_makespan(plan);
    if (seconds < CHECK_AT_ONCE) return true;
    return !dl_deadline_canceled(deadline) && seconds < dl_deadline_left(deadline);
}

dl_status dl_complete_solve(const dl_instance *instance, const dl_cell *from, const dl_complete_options *options,
                            dl_deadline deadline, dl_plan **out, dl_error *err)
{
    if (!from) from = instance->start;
    *out = NULL;
    tools t;
    prepare(&t, instance, from, options->rules);
    bool stuck = false;
    int64_t best = 0;
    size_t moves = 0;
    dl_deadline limit = deadline;
    for (int order = 0; order == 0 || (order < options->orders && moves < ENOUGH_MOVES); order++) {
        dl_rng rng = dl_rng_stream(options->seed, DL_PURPOSE('p', 'e', 'e', 'l'), (uint64_t)order);
        if (order > 0) dl_pebbles_reset(&t.pebbles, from);
        dl_push_outcome outcome = dl_push_and_swap(&t.swapper, instance->goal, &rng, &limit);
        if (outcome == DL_PUSH_STOPPED) break;
        moves += t.pebbles.moves;
        stuck |= outcome == DL_PUSH_STUCK;
        if (outcome != DL_PUSH_SOLVED) continue;
        dl_plan *plan = dl_synchronize(instance->grid, instance->agents, from, t.pebbles.log, t.pebbles.moves,
                                       DL_FOLLOW_AT_ONCE, &limit);
        if (!plan) break;
        int64_t cost = dl_plan_soc(plan);
        if (!*out) limit = dl_deadline_within(deadline, FURTHER_SHARE * dl_deadline_left(&deadline));
        if (*out && cost >= best) {
            dl_plan_free(plan);
            continue;
        }
        dl_plan_free(*out);
        *out = plan;
        best = cost;
    }
    put_away(&t);
    if (*out && !time_to_check(*out, &deadline)) {
        dl_plan_free(*out);
        *out = NULL;
    }
    if (!*out)
        return dl_fail(err, DIFFLNS_UNSOLVED,
                       stuck ? "push-and-swap found no way to exchange two agents" : "push-and-swap ran out of time");
    if (valid_from(instance, from, *out)) return DIFFLNS_OK;
    dl_plan_free(*out);
    *out = NULL;
    return dl_fail(err, DIFFLNS_INTERNAL, "the plan of push-and-swap did not pass the checker");
}

dl_status dl_complete_from(const dl_instance *instance, const dl_plan *prefix, const dl_complete_options *options,
                           dl_deadline deadline, dl_plan **out, dl_error *err)
{
    if (!prefix) return dl_complete_solve(instance, NULL, options, deadline, out, err);
    dl_cell *from = DL_ARRAY(dl_cell, instance->agents);
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
    *out = dl_plan_concatenate(prefix, rest);
    dl_plan_free(rest);
    if (dl_check_valid(instance, *out)) return DIFFLNS_OK;
    dl_plan_free(*out);
    *out = NULL;
    return dl_fail(err, DIFFLNS_INTERNAL, "the completed plan did not pass the checker");
}
