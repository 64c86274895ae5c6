#include "lacam/lacam.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"
#include "mapf/check.h"

enum {
    FIRST_ATTEMPT = 2000, /* expansions; most solvable instances need fewer, see docs/expert.md */
    MANY_SAMPLES = 10,    /* PIBT calls for a successor, as published */
    SEARCH_SLICE = 256    /* expansions between two looks at the cost of the plan */
};
#define DEFAULT_MEMORY ((size_t)1 << 30)

dl_lacam_options dl_lacam_lean(uint64_t seed)
{
    return (dl_lacam_options){
        .seed = seed,
        .search = {.swap = true, .samples = 1, .root_rate = 0.001, .random_rate = 0.01, .memory = DEFAULT_MEMORY},
        .restart_after = FIRST_ATTEMPT,
        .anytime = true,
    };
}

dl_lacam_options dl_lacam_varied(uint64_t seed, uint64_t turn, uint64_t steps)
{
    dl_lacam_options options = dl_lacam_lean(seed);
    if (turn % 2 == 0) options.search.samples = MANY_SAMPLES;
    options.anytime = false;
    options.expansions = steps / (uint64_t)options.search.samples;
    return options;
}

typedef struct run {
    const dl_instance *instance;
    const dl_lacam_options *options;
    dl_deadline deadline;
    double begin;
    dl_pibt_tables *tables;
    dl_lacam_search search;
    int64_t lower_bound;
    dl_lacam_result *result;
} run;

/* ---- The order of the agents ---- */

/* Counting sort, stable. */
static bool longest_way_first(const run *r, int32_t *order)
{
    int agents = r->instance->agents;
    int32_t most = 0;
    for (int i = 0; i < agents; i++)
        if (r->tables->start_distance[i] > most) most = r->tables->start_distance[i];
    int *place = DL_ARRAY(int, most + 2);
    if (!place) return false;
    assert(most < DL_UNREACHABLE);
    for (int i = 0; i < agents; i++) place[most - r->tables->start_distance[i] + 1]++;
    for (int d = 0; d < most; d++) place[d + 1] += place[d];
    for (int i = 0; i < agents; i++) order[place[most - r->tables->start_distance[i]]++] = i;
    free(place);
    return true;
}

/* Longest way first; every second attempt draws an order instead. False when memory is out. */
static bool first_order(const run *r, uint64_t attempt, uint16_t *order)
{
    int agents = r->instance->agents;
    int32_t *list = DL_ARRAY(int32_t, agents);
    bool fits = list != NULL;
    for (int i = 0; i < agents && fits; i++) list[i] = i;
    if (fits && attempt % 2 == 1) {
        dl_rng rng = dl_rng_stream(r->options->seed, DL_PURPOSE('o', 'r', 'd', 'r'), attempt);
        dl_rng_shuffle(&rng, list, agents);
    } else if (fits) {
        fits = longest_way_first(r, list);
    }
    for (int i = 0; i < agents && fits; i++) order[i] = (uint16_t)list[i];
    free(list);
    return fits;
}

/* ---- Plans ---- */

/* Keeps the plan (and owns it) if it is the best so far. NULL, or a plan that can't be checked, for want of memory is
 * no loss to a run that has one already. */
static dl_status lacam_keep(run *r, dl_plan *plan, dl_error *err)
{
    int64_t soc = plan ? dl_plan_soc(plan) : 0;
    if (plan && r->result->plan && soc >= r->result->soc) {
        dl_plan_free(plan);
        return DIFFLNS_OK;
    }
    dl_check_result check;
    if (!plan || !dl_check(r->instance, plan, &check, NULL, 0, NULL)) {
        dl_plan_free(plan);
        return r->result->plan ? DIFFLNS_OK : dl_out_of_memory(err);
    }
    if (check.violations > 0) {
        dl_plan_free(plan);
        return dl_fail(err, DIFFLNS_INTERNAL, "lacam: a plan did not pass the checker");
    }
    assert(soc >= r->lower_bound);
    if (!r->result->plan) {
        r->result->first_seconds = dl_now() - r->begin;
        r->result->first_soc = soc;
    }
    dl_plan_free(r->result->plan);
    r->result->plan = plan;
    r->result->soc = soc;
    return DIFFLNS_OK;
}

/* Keeps the way to the configuration of least sum of distances seen in any attempt. */
static void keep_nearest(run *r, int64_t *least)
{
    int64_t h = dl_lacam_graph_node(&r->search.graph, r->search.nearest)->h;
    if (h >= *least) return;
    *least = h;
    dl_plan_free(r->result->nearest);
    r->result->nearest = dl_lacam_search_plan(&r->search, r->search.nearest);
}

/* ---- The first solution ---- */

static uint64_t expansions_left(const run *r)
{
    uint64_t limit = r->options->expansions;
    if (limit == 0) return UINT64_MAX;
    return limit > r->search.expansions ? limit - r->search.expansions : 0;
}

static dl_status give_up(const run *r, dl_lacam_outcome outcome, dl_error *err)
{
    unsigned long long tried = r->search.expansions;
    switch (outcome) {
    case DL_LACAM_EXHAUSTED:
        return dl_fail(err, DIFFLNS_UNSOLVABLE, "lacam: no plan exists: every step was tried");
    case DL_LACAM_MEMORY:
        return dl_fail(err, DIFFLNS_UNSOLVED,
                       "lacam: no plan within the memory limit of %zu MB (%u configurations kept)",
                       r->options->search.memory >> 20, r->search.graph.nodes);
    case DL_LACAM_STARVED:
        return dl_out_of_memory(err);
    case DL_LACAM_LIMIT:
        return dl_fail(err, DIFFLNS_UNSOLVED, "lacam: no plan within the limit of %llu expansions", tried);
    default:
        if (dl_deadline_canceled(&r->deadline)) return dl_fail(err, DIFFLNS_STOPPED, "lacam: stopped");
        return dl_fail(err, DIFFLNS_UNSOLVED, "lacam: no plan within the time limit (%llu expansions)", tried);
    }
}

static dl_status first_solution(run *r, dl_error *err)
{
    const dl_lacam_options *options = r->options;
    uint16_t *order = DL_ARRAY(uint16_t, r->instance->agents);
    if (!order) return dl_out_of_memory(err);
    int64_t least = INT64_MAX;
    dl_lacam_outcome outcome;
    for (uint64_t attempt = 0, patience = options->restart_after;; attempt++, patience *= 2) {
        dl_rng seeds = dl_rng_stream(options->seed, DL_PURPOSE('t', 'r', 'y', ' '), attempt);
        outcome = DL_LACAM_STARVED;
        if (!first_order(r, attempt, order) ||
            !dl_lacam_search_begin(&r->search, r->instance->start, r->lower_bound, order, dl_rng_u64(&seeds)))
            break;
        uint64_t limit = expansions_left(r);
        outcome = dl_lacam_search_run(&r->search, patience > 0 && patience < limit ? patience : limit, &r->deadline);
        if (outcome == DL_LACAM_REACHED) break;
        keep_nearest(r, &least);
        bool again = outcome == DL_LACAM_LIMIT ? expansions_left(r) > 0 : outcome == DL_LACAM_MEMORY;
        if (!again || patience == 0) break;
        r->result->restarts++;
    }
    free(order);
    if (outcome != DL_LACAM_REACHED) return give_up(r, outcome, err);
    dl_plan_free(r->result->nearest);
    r->result->nearest = NULL;
    return lacam_keep(r, dl_lacam_search_plan(&r->search, r->search.goal), err);
}

/* ---- The anytime phase ---- */

static bool budget_is_left(const run *r)
{
    return r->result->soc > r->lower_bound && expansions_left(r) > 0 && !dl_deadline_passed(&r->deadline);
}

static dl_status lacam_improve(run *r, dl_error *err)
{
    int64_t loss = INT64_MAX;
    dl_lacam_outcome outcome = DL_LACAM_LIMIT;
    while (outcome == DL_LACAM_LIMIT && budget_is_left(r)) {
        uint64_t limit = expansions_left(r);
        outcome = dl_lacam_search_run(&r->search, limit < SEARCH_SLICE ? limit : SEARCH_SLICE, &r->deadline);
        int64_t now = dl_lacam_graph_node(&r->search.graph, r->search.goal)->g;
        assert(now <= loss);
        if (now == loss) continue;
        loss = now;
        DL_TRY(lacam_keep(r, dl_lacam_search_plan(&r->search, r->search.goal), err));
    }
    r->result->optimal = outcome == DL_LACAM_EXHAUSTED || r->result->soc == r->lower_bound;
    return DIFFLNS_OK;
}

/* ---- The whole ---- */

static dl_status solve_with_tables(run *r, dl_error *err)
{
    dl_status status = first_solution(r, err);
    if (status == DIFFLNS_OK && r->options->anytime) status = lacam_improve(r, err);
    r->result->expansions = r->search.expansions;
    r->result->configurations = r->search.graph.nodes;
    return status;
}

dl_status dl_lacam_solve(const dl_instance *instance, dl_distance *distance, const dl_lacam_options *options,
                         dl_deadline deadline, dl_lacam_result *result, dl_error *err)
{
    *result = (dl_lacam_result){0};
    assert(!instance->errand);
    run r = {.instance = instance, .options = options, .deadline = deadline, .begin = dl_now(), .result = result};
    int cut_off = dl_instance_cut_off_agent(instance);
    if (cut_off >= 0)
        return dl_fail(err, DIFFLNS_UNSOLVABLE, "agent %d: start and goal are in different components", cut_off);
    size_t bytes = dl_pibt_tables_bytes(instance);
    if (bytes >= options->search.memory)
        return dl_fail(err, DIFFLNS_UNSOLVED, "lacam: %d agents on %d cells need %zu MB, more than the limit of %zu MB",
                       instance->agents, instance->grid->cells, bytes >> 20, options->search.memory >> 20);
    r.tables = dl_pibt_tables_create(instance, distance, &deadline);
    if (!r.tables) return give_up(&r, dl_deadline_passed(&deadline) ? DL_LACAM_TIME : DL_LACAM_STARVED, err);
    for (int agent = 0; agent < instance->agents; agent++) r.lower_bound += r.tables->start_distance[agent];
    dl_lacam_settings settings = options->search;
    settings.memory -= bytes;
    dl_status status = DIFFLNS_OK;
    if (dl_lacam_search_init(&r.search, r.tables, settings))
        status = solve_with_tables(&r, err);
    else
        status = dl_out_of_memory(err);
    dl_lacam_search_release(&r.search);
    dl_pibt_tables_free(r.tables);
    return status;
}

void dl_lacam_result_release(dl_lacam_result *result)
{
    dl_plan_free(result->plan);
    dl_plan_free(result->nearest);
    *result = (dl_lacam_result){0};
}
