#include "fleet/guidance.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "fleet/fleet.h"
#include "fleet/guidance_file.h"
#include "fleet/trial.h"

/* Tuned on the maps of docs/guidance.md with other tasks than are reported there. Flat: twice or half of a number costs
 * 1 or 2%, but for lanes in dense warehouses, which want them high, and in sorting halls, which want them low. */
const dl_guidance_rules DL_GUIDANCE_RULES[DL_GUIDANCE_CHOICES] = {
    [DL_GUIDANCE_NONE] = {.lanes = {0}},
    [DL_GUIDANCE_TRAFFIC] = {.weights = {4, 16}},
    [DL_GUIDANCE_LANES] = {.lanes = {1, 1, 4}, .weights = {4, 16}},
    {.lanes = {1, 2, 1}, .weights = {2, 8}},
    {.lanes = {1, 1, 8}, .weights = {8, 16}},
    {.lanes = {1, 4, 6}, .weights = {8, 16}},
};

/* The flow is looked at so often, and then so much of what is known is new: costs change slowly enough that plans live.
 */
enum { EPOCH = 20 };
static const double FRESH = 0.5;
/* Where fewer of the cells are taken, or robots are so few, nobody is in the others' way; where more, they jam soon. */
static const double CROWDED = 0.05, DENSE = 0.3;
enum { FEWEST_ROBOTS = 16, MANY_ROBOTS = 300 };
/* Steps of a trial per plan where no deadline says how many fit. */
enum { TRIAL_STEPS = 4 };
/* A trial is repeated when goals per tick fall to this share of the best since, but not before so many ticks. */
static const double FALLEN = 0.7;
enum { REPEAT_TICKS = 512, SMOOTH_TICKS = 64 };

static bool has_flow(const dl_guidance_rules *rules)
{
    return rules->weights.against > 0 || rules->weights.crowd > 0;
}

static void forget(dl_guidance *g)
{
    dl_edge_costs_free(g->table);
    dl_flow_release(&g->flow);
    g->table = NULL;
    g->rules = (dl_guidance_rules){0};
}

void dl_guidance_release(dl_guidance *g)
{
    dl_trial_free(g->trial);
    forget(g);
    *g = (dl_guidance){0};
}

/* `table` is shared; NULL: what the rules' lanes say. */
static dl_status hold(dl_fleet *fleet, const dl_guidance_rules *rules, dl_edge_costs *table, dl_error *err)
{
    dl_guidance *g = &fleet->guidance;
    dl_flow flow = {0};
    bool lanes = !table && rules->lanes.extra > 0, done = !has_flow(rules) || dl_flow_create(&flow, fleet->grid);
    dl_edge_costs *base = lanes && done ? dl_lanes_lay(fleet->grid, &rules->lanes) : dl_edge_costs_share(table);
    if (!done || (lanes && !base)) {
        dl_flow_release(&flow);
        dl_edge_costs_free(base);
        return dl_out_of_memory(err);
    }
    dl_status status = dl_fleet_set_costs(fleet, base, err);
    if (status != DIFFLNS_OK) {
        dl_flow_release(&flow);
        dl_edge_costs_free(base);
        return status;
    }
    assert(fleet->closures.base == base);
    forget(g);
    g->rules = *rules;
    g->table = base;
    g->flow = flow;
    return DIFFLNS_OK;
}

dl_status dl_fleet_set_rules(dl_fleet *fleet, const dl_guidance_rules *rules, dl_error *err)
{
    fleet->guidance.automatic = false;
    return hold(fleet, rules, NULL, err);
}

dl_status dl_fleet_set_table(dl_fleet *fleet, dl_edge_costs *table, dl_error *err)
{
    fleet->guidance.automatic = false;
    return hold(fleet, &DL_GUIDANCE_RULES[DL_GUIDANCE_NONE], table, err);
}

dl_status dl_fleet_set_guidance(dl_fleet *fleet, const char *guidance, dl_error *err)
{
    static const char *const NAME[] = {"none", "traffic", "lanes"};
    dl_guidance *g = &fleet->guidance;
    dl_status status;
    if (strcmp(guidance, "auto") == 0) {
        g->automatic = !dl_grid_is_large(fleet->grid);
        return DIFFLNS_OK;
    }
    for (int i = 0; i < 3; i++)
        if (strcmp(guidance, NAME[i]) == 0) return dl_fleet_set_rules(fleet, &DL_GUIDANCE_RULES[i], err);
    dl_edge_costs *table;
    DL_TRY(dl_guidance_read(guidance, fleet->grid, &table, err));
    status = dl_fleet_set_table(fleet, table, err);
    dl_edge_costs_free(table);
    return status;
}

/* ---- While driving ---- */

/* Robots without a task stand where they are in nobody's way, or make way: they say nothing about the flow. */
static void count_moves(dl_fleet *fleet)
{
    for (int i = 0; i < fleet->window.robots; i++) {
        const dl_robot *r = &fleet->robot[fleet->window.rank[i]];
        if (r->goals > 0) dl_flow_count(&fleet->guidance.flow, r->before, r->at);
    }
    dl_flow_tick(&fleet->guidance.flow);
}

/* Costs stay as they are where memory is out. */
static void follow_flow(dl_fleet *fleet)
{
    dl_guidance *g = &fleet->guidance;
    assert(has_flow(&g->rules) && g->flow.ticks <= DL_FLOW_TICKS);
    dl_flow_smooth(&g->flow, FRESH);
    dl_edge_costs *costs = dl_flow_costs(&g->flow, g->table, &g->rules.weights);
    if (costs && dl_fleet_set_costs(fleet, costs, NULL) != DIFFLNS_OK) g->flow.ticks = 0;
    dl_edge_costs_free(costs);
}

void dl_fleet_guide(dl_fleet *fleet, int reached)
{
    dl_guidance *g = &fleet->guidance;
    if (g->counted == fleet->now) return; /* a second plan in the same tick */
    g->counted = fleet->now;
    g->recent += (reached - g->recent) / SMOOTH_TICKS;
    if (g->recent > g->best) g->best = g->recent;
    if (!has_flow(&g->rules)) return;
    count_moves(fleet);
    if (g->flow.ticks >= EPOCH) follow_flow(fleet);
}

/* ---- By itself ---- */

static double share_taken(const dl_fleet *fleet)
{
    int part = dl_grid_largest_component(fleet->grid);
    return (double)fleet->window.robots / fleet->grid->component_size[part];
}

/* The first plan, or one after goals per tick have fallen though there are as many to be had. */
static bool is_due(const dl_fleet *fleet)
{
    const dl_guidance *g = &fleet->guidance;
    if (fleet->now < g->due || fleet->window.robots < FEWEST_ROBOTS || share_taken(fleet) < CROWDED) return false;
    if (g->due == 0) return true;
    int busy = 0;
    for (int i = 0; i < fleet->window.robots; i++) busy += fleet->robot[fleet->window.rank[i]].goals > 0;
    return g->recent < FALLEN * g->best && 2 * busy > fleet->window.robots;
}

/* Until the first trial is over: for many robots that takes so long that they jam. For few the guess would cost more
 * than it is worth: up to a quarter of the goals on a small map at random. */
static void begin_with(dl_fleet *fleet)
{
    if (fleet->window.robots < MANY_ROBOTS) return;
    int guess = share_taken(fleet) >= DENSE ? DL_GUIDANCE_LANES : DL_GUIDANCE_TRAFFIC;
    (void)!hold(fleet, &DL_GUIDANCE_RULES[guess], NULL, NULL);
}

static bool are_equal(const dl_guidance_rules *a, const dl_guidance_rules *b)
{
    return a->lanes.rows == b->lanes.rows && a->lanes.cols == b->lanes.cols && a->lanes.extra == b->lanes.extra &&
           a->weights.against == b->weights.against && a->weights.crowd == b->weights.crowd;
}

static void end_trial(dl_fleet *fleet, dl_status status)
{
    dl_guidance *g = &fleet->guidance;
    if (status == DIFFLNS_OK) {
        const dl_guidance_rules *best = &DL_GUIDANCE_RULES[dl_trial_winner(g->trial)];
        if (!are_equal(best, &g->rules)) (void)!hold(fleet, best, NULL, NULL);
    }
    dl_trial_free(g->trial);
    g->trial = NULL;
    g->due = fleet->now + REPEAT_TICKS;
    g->best = g->recent;
}

void dl_fleet_try_guidance(dl_fleet *fleet, const dl_deadline *deadline)
{
    dl_guidance *g = &fleet->guidance;
    if (!g->automatic) return;
    if (!g->trial && is_due(fleet)) {
        g->trial = dl_trial_create(fleet);
        if (!g->trial) g->due = fleet->now + REPEAT_TICKS;
        if (g->trial && g->due == 0) begin_with(fleet);
    }
    bool limited = isfinite(deadline->end);
    for (int i = 0; g->trial && (limited || i < TRIAL_STEPS); i++) {
        if (dl_deadline_left(deadline) <= 2 * dl_trial_longest_step(g->trial) || dl_deadline_passed(deadline)) return;
        dl_status status;
        if (dl_trial_step(g->trial, &status) || status != DIFFLNS_OK) end_trial(fleet, status);
    }
}
