#include "lns/destroy.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/ablation.h"
#include "base/memory.h"

/* Walks that meet nobody new before a neighborhood is left as small as it is. */
enum { MOST_FAILED_WALKS = 10 };
/* Below this a strategy would never be drawn again, and congestion changes which one is useful. */
static const double LEAST_WEIGHT = 0.001;

bool dl_destroy_begin(dl_destroy *d, dl_planner *planner, dl_conflicts *conflicts, dl_rng *rng, int size)
{
    const dl_grid *grid = planner->instance->grid;
    int agents = planner->instance->agents;
    *d = (dl_destroy){.planner = planner, .conflicts = conflicts, .rng = rng, .most = size < agents ? size : agents};
    d->size = d->most;
    d->chosen = DL_ARRAY(int32_t, agents);
    d->list = DL_ARRAY(int32_t, agents);
    d->mark = DL_ARRAY(uint32_t, agents);
    d->tabu = DL_ARRAY(uint8_t, agents);
    if (!conflicts) d->junction = DL_ARRAY(dl_cell, grid->cells);
    d->corridor = dl_corridor_create(grid->cells, agents);
    if (!conflicts) d->shortest = DL_ARRAY(int32_t, agents);
    if (!conflicts) d->in_vain = DL_ARRAY(uint16_t, agents);
    if (!d->chosen || !d->list || !d->mark || !d->tabu || !d->corridor ||
        (!conflicts && (!d->junction || !d->shortest || !d->in_vain)))
        return false;
    for (dl_cell cell = 0; !conflicts && cell < grid->cells; cell++)
        if (dl_grid_degree(grid, cell) >= 3) d->junction[d->junctions++] = cell;
    for (int agent = 0; !conflicts && agent < agents; agent++) {
        d->shortest[agent] = dl_distance_of_start(planner->distance, agent);
        if (d->shortest[agent] == DL_UNREACHABLE) return false; /* its field could not be made */
    }
    dl_destroy_restart(d);
    return true;
}

void dl_destroy_end(dl_destroy *d)
{
    free(d->chosen);
    free(d->list);
    free(d->mark);
    free(d->tabu);
    free(d->junction);
    free(d->shortest);
    free(d->in_vain);
    dl_corridor_free(d->corridor);
}

/* ---- the set being chosen ---- */

static void start_choosing(dl_destroy *d)
{
    d->count = 0;
    d->seed = -1;
    if (++d->stamp) return;
    memset(d->mark, 0, sizeof *d->mark * (size_t)d->planner->instance->agents);
    d->stamp = 1;
}

static bool is_chosen(const dl_destroy *d, int agent)
{
    return d->mark[agent] == d->stamp;
}

/* True if the agent is new to the set; a full set takes nobody. */
static bool destroy_choose(dl_destroy *d, int agent)
{
    if (is_chosen(d, agent) || d->count == d->size) return false;
    assert(agent >= 0 && agent < d->planner->instance->agents);
    d->mark[agent] = d->stamp;
    d->chosen[d->count++] = agent;
    return true;
}

static int draw_chosen(dl_destroy *d)
{
    return d->chosen[dl_rng_below(d->rng, (uint32_t)d->count)];
}

static void choose_everybody(dl_destroy *d)
{
    for (int agent = 0; agent < d->planner->instance->agents; agent++) destroy_choose(d, agent);
}

/* A uniform choice among staying and the free neighbors. */
static dl_cell random_step(dl_destroy *d, dl_cell cell)
{
    const dl_cell *neighbor = d->planner->instance->grid->neighbor[cell];
    dl_cell options[DL_ACTIONS] = {cell};
    int count = 1;
    for (int k = 0; k < DL_DIRECTIONS; k++)
        if (neighbor[k] != DL_NO_CELL) options[count++] = neighbor[k];
    return options[dl_rng_below(d->rng, (uint32_t)count)];
}

/* ---- repair: collision ---- */

/* Chooses the component of `agent` in the conflict graph; false if it has more members than fit. */
static bool choose_component(dl_destroy *d, int agent)
{
    destroy_choose(d, agent);
    for (int i = 0; i < d->count; i++) {
        const dl_colliders *others = &d->conflicts->of[d->chosen[i]];
        for (int k = 0; k < others->count; k++) {
            if (is_chosen(d, others->agent[k])) continue;
            if (!destroy_choose(d, others->agent[k])) return false;
        }
    }
    return true;
}

/* Walks along conflicts from agent to agent, choosing all it comes by. */
static void walk_on_conflicts(dl_destroy *d, int agent)
{
    destroy_choose(d, agent);
    while (d->count < d->size) {
        const dl_colliders *others = &d->conflicts->of[agent];
        agent = others->agent[dl_rng_below(d->rng, (uint32_t)others->count)];
        destroy_choose(d, agent);
    }
}

/* Wanders through space and time from somewhere on the agent's path until it meets another agent; -1 if it does not. */
static int walk_in_space_time(dl_destroy *d, int agent)
{
    dl_planner *p = d->planner;
    const dl_track *track = &p->track[agent];
    int t = (int)dl_rng_below(d->rng, (uint32_t)track->cost + 1), count;
    for (dl_cell cell = track->at[t]; t <= p->makespan; t++) {
        const int32_t *here = p->ops->passing_at(p, cell, t, &count);
        if (count > 1 || (count == 1 && here[0] != agent)) return here[dl_rng_below(d->rng, (uint32_t)count)];
        cell = random_step(d, cell);
    }
    return -1;
}

static bool choose_by_collision(dl_destroy *d)
{
    int agent = dl_conflicts_draw_involved(d->conflicts, d->rng);
    start_choosing(d);
    if (!choose_component(d, agent)) {
        start_choosing(d);
        walk_on_conflicts(d, agent);
        return true;
    }
    for (int failures = 0; d->count < d->size && failures < MOST_FAILED_WALKS;) {
        int met = walk_in_space_time(d, draw_chosen(d));
        if (met < 0 || !destroy_choose(d, met)) failures++;
    }
    return true;
}

/* ---- repair: target ---- */

/* Fills up with owners of goals that lie on the chosen agents' own paths. */
static void choose_owners_on_paths(dl_destroy *d)
{
    const dl_planner *p = d->planner;
    int visited = 0; /* members are visited in a random order; those visited stand first */
    while (d->count < d->size && visited < d->count) {
        int pick = visited + (int)dl_rng_below(d->rng, (uint32_t)(d->count - visited));
        int agent = d->chosen[pick], owners = 0, drawn = -1;
        d->chosen[pick] = d->chosen[visited];
        d->chosen[visited++] = agent;
        const dl_track *track = &p->track[agent];
        for (int t = 0; t <= track->cost; t++) {
            int owner = dl_planner_goal_owner(p, track->at[t]);
            if (owner >= 0 && dl_rng_below(d->rng, (uint32_t)++owners) == 0) drawn = owner;
        }
        if (drawn >= 0) destroy_choose(d, drawn);
    }
}

static bool choose_by_target(dl_destroy *d)
{
    dl_planner *p = d->planner;
    int agent = dl_conflicts_draw_by_degree(d->conflicts, d->rng), passers;
    start_choosing(d);
    destroy_choose(d, agent);
    int goals =
        dl_corridor_goals(d->corridor, p, agent, (int)dl_rng_below(d->rng, DL_DIRECTIONS), d->list, d->deadline);
    if (goals < 0) return false;
    dl_rng_shuffle(d->rng, d->list, goals);
    const dl_passing *all = p->ops->passing(p, p->instance->start[agent], &passers);
    int others = 0, first = -1;
    for (int i = 0; i < passers; i++)
        if (all[i].agent != agent) {
            if (first < 0) first = all[i].agent;
            others++;
        }
    if (others > 0 && goals >= d->size) destroy_choose(d, first);
    for (int i = 0; i < goals; i++) destroy_choose(d, d->list[i]);
    for (int i = 0; i < passers; i++) destroy_choose(d, all[i].agent);
    if (others + goals > 0 && others + goals < d->size - 1) choose_owners_on_paths(d);
    return true;
}

/* ---- repair and improvement: random ---- */

static bool choose_at_random(dl_destroy *d)
{
    start_choosing(d);
    if (d->size == d->planner->instance->agents) {
        choose_everybody(d);
        return true;
    }
    while (d->count < d->size) {
        int agent = d->conflicts ? dl_conflicts_draw_any(d->conflicts, d->rng)
                                 : (int)dl_rng_below(d->rng, (uint32_t)d->planner->instance->agents);
        destroy_choose(d, agent);
    }
    return true;
}

/* ---- improvement: random walk ---- */

/* With a chance that grows with the delay and falls with what was tried in vain; -1 if nobody is delayed. Delays are
 * small on large maps, and going over all delayed agents again and again spends most searches where nothing gains.
 * Chosen on den520d with 700 agents, ost003d with 400 and warehouse-10-20-10-2-1 with 250 (random-2, 10 s). */
static int draw_by_delay(dl_destroy *d)
{
    const dl_planner *p = d->planner;
    double sum = 0;
    int drawn = -1;
    for (int agent = 0; agent < p->instance->agents; agent++) {
        int delay = p->track[agent].cost - d->shortest[agent];
        if (delay <= 0) continue;
        double weight = (double)delay / (1 + d->in_vain[agent]);
        sum += weight;
        if (dl_rng_unit(d->rng) * sum < weight) drawn = agent;
    }
    return drawn;
}

/* The most delayed agent that did not have its turn lately; -1 if nobody is delayed. */
static int draw_most_delayed(dl_destroy *d)
{
    const dl_planner *p = d->planner;
    int agents = p->instance->agents, worst = -1, most = 0;
    for (int agent = 0; agent < agents; agent++) {
        if (d->tabu[agent]) continue;
        assert(p->track[agent].cost >= d->shortest[agent]);
        int delay = p->track[agent].cost - d->shortest[agent];
        if (delay > most) {
            most = delay;
            worst = agent;
        }
    }
    if (worst >= 0) {
        d->tabu[worst] = 1;
        d->tabu_count++;
    }
    if (worst < 0 || d->tabu_count == agents) {
        memset(d->tabu, 0, (size_t)agents);
        d->tabu_count = 0;
    }
    return worst;
}

/* Chooses the agents met by the step from (cell, t) to (to, t + 1). */
static void agents_meet(dl_destroy *d, dl_cell cell, dl_cell to, int t)
{
    dl_planner *p = d->planner;
    int count;
    const int32_t *there = p->ops->passing_at(p, to, t + 1, &count);
    for (int i = 0; i < count; i++) destroy_choose(d, there[i]);
    if (dl_planner_rest_time(p, to) <= t) destroy_choose(d, dl_planner_goal_owner(p, to));
    if (to == cell) return;
    there = p->ops->passing_at(p, cell, t + 1, &count);
    for (int i = 0; i < count; i++)
        if (t <= p->track[there[i]].cost && p->track[there[i]].at[t] == to) destroy_choose(d, there[i]);
}

/* Walks from time t of the agent's path as long as it would still arrive earlier than now. */
static void walk_ahead(dl_destroy *d, int agent, int t)
{
    dl_planner *p = d->planner;
    const dl_track *track = &p->track[agent];
    const dl_field *distance = dl_planner_acquire(p, agent);
    if (!distance) return;
    dl_cell cell = track->at[t];
    for (; d->count < d->size; t++) {
        const dl_cell *neighbor = p->instance->grid->neighbor[cell];
        dl_cell options[DL_ACTIONS];
        int count = 0;
        for (int k = -1; k < DL_DIRECTIONS; k++) {
            dl_cell to = k < 0 ? cell : neighbor[k];
            if (to != DL_NO_CELL && t + 1 + dl_field_at(distance, to) < track->cost) options[count++] = to;
        }
        if (count == 0) break;
        dl_cell to = options[dl_rng_below(d->rng, (uint32_t)count)];
        agents_meet(d, cell, to, t);
        cell = to;
    }
    dl_distance_release(p->distance, agent);
}

/* The agent and those that keep it from arriving earlier. */
static bool choose_around(dl_destroy *d, int agent)
{
    start_choosing(d);
    if (d->size == d->planner->instance->agents) {
        choose_everybody(d);
        return true;
    }
    destroy_choose(d, agent);
    walk_ahead(d, agent, 0);
    for (int walks = 0; d->count < d->size && walks < MOST_FAILED_WALKS; walks++) {
        walk_ahead(d, agent, (int)dl_rng_below(d->rng, (uint32_t)d->planner->track[agent].cost + 1));
        agent = draw_chosen(d);
    }
    return d->count >= 2;
}

static bool choose_by_delay(dl_destroy *d)
{
    bool is_board = d->planner->instance->grid->cells <= DL_BOARD_CELLS;
    int agent = is_board ? draw_most_delayed(d) : draw_by_delay(d);
    if (agent < 0) return false;
    bool chosen = choose_around(d, agent);
    d->seed = agent;
    if (!chosen) dl_destroy_note(d, false);
    return chosen;
}

/* ---- improvement: intersection ---- */

/* Chooses those that pass the cell around a moment, or a random one if that is negative; nearest in time first. */
static void choose_passers(dl_destroy *d, dl_cell cell, int moment)
{
    dl_planner *p = d->planner;
    int count;
    const dl_passing *all = p->ops->passing(p, cell, &count);
    if (count == 0 || all[count - 1].time == 0) return;
    if (moment < 0) moment = (int)dl_rng_below(d->rng, (uint32_t)all[count - 1].time);
    int after = 0;
    while (after < count && all[after].time < moment) after++;
    int before = after - 1;
    while (d->count < d->size && (before >= 0 || after < count)) {
        bool earlier = after >= count || (before >= 0 && moment - all[before].time <= all[after].time - moment);
        destroy_choose(d, all[earlier ? before-- : after++].agent);
    }
}

/* The junctions from a cell on, nearest first, while there is room and time. */
static bool choose_passers_from(dl_destroy *d, dl_cell first, int moment)
{
    struct dl_corridor *c = d->corridor;
    const dl_grid *grid = d->planner->instance->grid;
    start_choosing(d);
    dl_corridor_begin(c);
    int tail = 0;
    c->queue[tail++].cell = first;
    c->settled[first] = c->stamp;
    for (int head = 0; head < tail && d->count < d->size; head++) {
        dl_cell cell = c->queue[head].cell;
        if (dl_is_late_at(d->deadline, (size_t)head)) return false;
        if (dl_grid_degree(grid, cell) >= 3) choose_passers(d, cell, moment);
        for (int k = 0; k < DL_DIRECTIONS; k++) {
            dl_cell v = grid->neighbor[cell][k];
            if (v == DL_NO_CELL || c->settled[v] == c->stamp) continue;
            c->settled[v] = c->stamp;
            c->queue[tail++].cell = v;
        }
    }
    return d->count >= 2;
}

/* A junction and those around it. Where there is none, chance serves. */
static bool choose_by_intersection(dl_destroy *d)
{
    if (d->junctions == 0) return choose_at_random(d);
    return choose_passers_from(d, d->junction[dl_rng_below(d->rng, (uint32_t)d->junctions)], -1);
}

/* ---- which there are ---- */

/* A neighborhood is a function and a row. It fills d->chosen, or returns false if it finds nothing to do or time is
 * out; repair's always find at least one agent. */
static bool (*const FOR_REPAIR[])(dl_destroy *) = {
    choose_by_collision,
    choose_by_target,
    choose_at_random,
};
static bool (*const FOR_IMPROVEMENT[])(dl_destroy *) = {
    choose_by_delay,
    choose_by_intersection,
    choose_at_random,
};
enum {
    REPAIRING = sizeof FOR_REPAIR / sizeof FOR_REPAIR[0],
    IMPROVING = sizeof FOR_IMPROVEMENT / sizeof FOR_IMPROVEMENT[0]
};
_Static_assert((int)REPAIRING <= DL_MOST_STRATEGIES && (int)IMPROVING <= DL_MOST_STRATEGIES, "more room for weights");

bool dl_destroy_choose(dl_destroy *d, int strategy, const dl_deadline *deadline)
{
    assert(strategy >= 0 && strategy < d->strategies && d->size <= d->most);
    d->deadline = deadline;
    return d->conflicts ? FOR_REPAIR[strategy](d) : FOR_IMPROVEMENT[strategy](d);
}

static bool is_left_out(const dl_destroy *d, int strategy)
{
    static const dl_technique TECHNIQUE[IMPROVING] = {DL_TECHNIQUE_by_delay, DL_TECHNIQUE_by_intersection,
                                                      DL_TECHNIQUE_at_random};
    return !d->conflicts && dl_is_without(TECHNIQUE[strategy]);
}

void dl_destroy_restart(dl_destroy *d)
{
    d->strategies = d->conflicts ? REPAIRING : IMPROVING;
    for (int k = 0; k < d->strategies; k++) d->weight[k] = is_left_out(d, k) ? 0 : 1;
    memset(d->tabu, 0, (size_t)d->planner->instance->agents);
    d->tabu_count = 0;
    d->seed = -1;
    if (d->in_vain) memset(d->in_vain, 0, sizeof *d->in_vain * (size_t)d->planner->instance->agents);
}

int dl_destroy_draw_strategy(const dl_destroy *d)
{
    double sum = 0;
    for (int k = 0; k < d->strategies; k++) sum += d->weight[k];
    double r = dl_rng_unit(d->rng) * sum;
    for (int k = 0; k < d->strategies - 1; k++) {
        if (r < d->weight[k]) return k;
        r -= d->weight[k];
    }
    return d->strategies - 1;
}

void dl_destroy_reward(dl_destroy *d, int strategy, double rate, double reward)
{
    if (is_left_out(d, strategy)) return;
    double *weight = &d->weight[strategy];
    *weight += rate * (reward - *weight);
    if (*weight < LEAST_WEIGHT) *weight = LEAST_WEIGHT;
    assert(isfinite(*weight));
}

void dl_destroy_note(dl_destroy *d, bool gained)
{
    if (d->seed < 0) return;
    uint16_t *in_vain = &d->in_vain[d->seed];
    if (gained)
        *in_vain = 0;
    else if (*in_vain < UINT16_MAX)
        (*in_vain)++;
}

bool dl_destroy_near(dl_destroy *d, int agent, const dl_deadline *deadline)
{
    d->deadline = deadline;
    if (d->junctions == 0 || dl_rng_below(d->rng, 2) == 0) return choose_around(d, agent);
    const dl_track *track = &d->planner->track[agent];
    int moment = (int)dl_rng_below(d->rng, (uint32_t)track->cost + 1);
    return choose_passers_from(d, track->at[moment], moment);
}
