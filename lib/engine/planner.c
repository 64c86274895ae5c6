#include "engine/planner.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/boards/board.h"
#include "engine/boards/sweep.h"
#include "engine/sipps/sipps.h"

static bool suits_boards(const dl_instance *instance)
{
    const dl_grid *grid = instance->grid;
    return grid->cells <= DL_BOARD_CELLS && dl_board_bits(grid) <= DL_BOARD_BITS &&
           dl_instance_longest_prefix(instance) <= DL_BOARD_PREFIX;
}

int dl_planner_last_time(const dl_instance *instance)
{
    return suits_boards(instance) ? DL_BOARD_LAST_TIME : DL_LAST_TIME;
}

static bool lay_prefixes(dl_planner *p);
static void take_all_out(dl_planner *p);

dl_planner *dl_planner_create(const dl_instance *instance, dl_distance *distance, dl_engine engine)
{
    bool boards = engine == DL_ENGINE_BOARDS || (engine == DL_ENGINE_AUTO && suits_boards(instance));
    dl_planner *p = boards ? dl_sweep_planner_create(instance, distance) : dl_sipps_planner_create(instance, distance);
    if (!p) return NULL;
    p->chooses = engine == DL_ENGINE_AUTO;
    if (lay_prefixes(p)) return p;
    dl_planner_free(p);
    return NULL;
}

void dl_planner_free(dl_planner *p)
{
    if (p) p->ops->free(p);
}

/* Empties the arrays over agents for an instance that fits. */
static void set_out(dl_planner *p, const dl_instance *instance, dl_distance *distance)
{
    p->instance = instance;
    p->distance = distance;
    for (int agent = 0; agent < instance->agents; agent++) {
        p->track[agent].cost = p->spare[agent].cost = DL_NO_TRACK;
        p->goal_of[instance->goal[agent]] = 1 + agent;
    }
    p->exhausted = false;
    p->rng = dl_rng_stream(0, DL_PURPOSE('t', 'i', 'e', 's'), 0);
}

bool dl_planner_begin(dl_planner *p, const dl_planner_ops *ops, const dl_instance *instance, dl_distance *distance)
{
    int agents = instance->agents;
    p->ops = ops;
    p->map = dl_map_share(instance->map);
    p->room = agents;
    p->last_time = DL_LAST_TIME;
    p->track = DL_ARRAY(dl_track, agents);
    p->spare = DL_ARRAY(dl_track, agents);
    p->in_table = DL_ARRAY(bool, agents);
    p->goal_of = DL_ARRAY(int32_t, instance->grid->cells);
    if (!p->track || !p->spare || !p->in_table || !p->goal_of) return false;
    set_out(p, instance, distance);
    return true;
}

bool dl_planner_reuse(dl_planner *p, const dl_instance *instance, dl_distance *distance)
{
    assert(!p->instance && p->makespan == 0); /* it is parked */
    if (instance->map != p->map || instance->agents > p->room) return false;
    if (p->chooses && p->last_time != dl_planner_last_time(instance)) return false;
    set_out(p, instance, distance);
    if (lay_prefixes(p)) return true;
    dl_planner_park(p);
    return false;
}

void dl_planner_park(dl_planner *p)
{
    take_all_out(p);
    for (int agent = 0; agent < p->instance->agents; agent++) p->goal_of[p->instance->goal[agent]] = 0;
    p->instance = NULL;
    p->distance = NULL;
}

void dl_planner_end(dl_planner *p)
{
    for (int agent = 0; agent < p->room; agent++) {
        if (p->track) free(p->track[agent].at);
        if (p->spare) free(p->spare[agent].at);
    }
    free(p->track);
    free(p->spare);
    free(p->in_table);
    free(p->goal_of);
    free(p->arrivals);
    dl_map_free(p->map);
}

void dl_planner_clear(dl_planner *p)
{
    take_all_out(p);
    if (!lay_prefixes(p)) p->exhausted = true;
}

/* ---- the table ---- */

static bool reserve_arrival(dl_planner *p, int cost)
{
    if (cost >= p->arrivals_room) {
        int room = p->arrivals_room;
        if (!DL_GROW(p->arrivals, p->arrivals_room, cost + 1)) return false;
        memset(p->arrivals + room, 0, sizeof *p->arrivals * (size_t)(p->arrivals_room - room));
    }
    return true;
}

static void count_arrival(dl_planner *p, int cost)
{
    assert(cost >= 0 && cost < p->arrivals_room && p->arrivals[cost] >= 0);
    p->arrivals[cost]++;
    if (cost > p->makespan) p->makespan = cost;
}

static void forget_arrival(dl_planner *p, int cost)
{
    assert(cost >= 0 && cost <= p->makespan && p->arrivals[cost] > 0);
    p->arrivals[cost]--;
    while (p->makespan > 0 && p->arrivals[p->makespan] == 0) p->makespan--;
}

static void take_all_out(dl_planner *p)
{
    p->ops->clear(p);
    for (int agent = 0; agent < p->instance->agents; agent++) {
        int fixed = dl_instance_fixed(p->instance, agent);
        if (p->in_table[agent]) p->arrivals[p->track[agent].cost] = 0;
        if (fixed > 0 && fixed < p->arrivals_room) p->arrivals[fixed] = 0;
        p->in_table[agent] = false;
        p->track[agent].cost = DL_NO_TRACK;
    }
    p->makespan = 0;
    p->exhausted = false;
    assert(p->arrivals_room == 0 || p->arrivals[0] == 0);
}

/* Begins a track with the agent's prefix. */
static bool begin_with_prefix(const dl_planner *p, int agent, dl_track *track)
{
    const dl_errand *errand = &p->instance->errand[agent];
    if (!dl_track_reserve(track, errand->fixed)) return false;
    dl_errand_write(errand, errand->fixed, track->at);
    return true;
}

/* The makespan is never less than what is fixed, so an arrival is counted for each prefix. */
static bool lay_prefixes(dl_planner *p)
{
    for (int agent = 0; p->instance->errand && agent < p->instance->agents; agent++) {
        int fixed = dl_instance_fixed(p->instance, agent);
        if (fixed == 0) continue;
        if (!begin_with_prefix(p, agent, &p->track[agent]) || !begin_with_prefix(p, agent, &p->spare[agent]) ||
            !reserve_arrival(p, fixed))
            return false;
        count_arrival(p, fixed);
        if (!p->ops->fix(p, agent)) return false;
    }
    return true;
}

bool dl_planner_insert(dl_planner *p, int agent)
{
    int cost = p->track[agent].cost;
    assert(!p->in_table[agent] && cost >= 0);
    bool complete = cost >= dl_instance_fixed(p->instance, agent) || begin_with_prefix(p, agent, &p->track[agent]);
    assert(!complete || (p->track[agent].at[0] == p->instance->start[agent] &&
                         p->track[agent].at[cost] == p->instance->goal[agent]));
    assert(cost <= p->last_time);
    if (!complete || !reserve_arrival(p, cost)) {
        p->exhausted = true;
        return false;
    }
    count_arrival(p, cost);
    p->in_table[agent] = true;
    if (p->ops->insert(p, agent)) return true;
    forget_arrival(p, cost);
    p->in_table[agent] = false;
    p->exhausted = true;
    return false;
}

void dl_planner_put_back(dl_planner *p, int agent)
{
    bool fits = dl_planner_insert(p, agent);
    assert(fits);
    (void)fits;
}

void dl_planner_remove(dl_planner *p, int agent)
{
    assert(p->in_table[agent]);
    forget_arrival(p, p->track[agent].cost);
    p->in_table[agent] = false;
    p->ops->remove(p, agent);
}

bool dl_planner_adopt_all(dl_planner *p, const int32_t *agent, int count)
{
    for (int i = 0; i < count; i++) dl_planner_remove(p, agent[i]);
    for (int i = 0; i < count; i++)
        if (!dl_planner_adopt(p, agent[i])) return false;
    return true;
}

static bool is_step(const dl_grid *grid, dl_cell from, dl_cell to)
{
    if (from == to) return true;
    for (int d = 0; d < DL_DIRECTIONS; d++)
        if (grid->neighbor[from][d] == to) return true;
    return false;
}

dl_route dl_planner_errand_route(const dl_planner *p, int agent)
{
    const dl_instance *instance = p->instance;
    const dl_errand *errand = &instance->errand[agent];
    int visited = dl_instance_stops_in_prefix(instance, agent);
    assert(visited >= 0 && visited <= errand->stops);
    return (dl_route){.from = dl_instance_released(instance, agent),
                      .time = errand->fixed,
                      .goal = instance->goal[agent],
                      .stop = errand->stops > 0 ? errand->stop + visited : NULL,
                      .legs = errand->stops - visited + 1,
                      .visited = visited};
}

int dl_planner_touches_prefix(dl_planner *p, int agent)
{
    const dl_errand *errand = &p->instance->errand[agent];
    int touched = 0;
    for (int t = 0; t <= errand->fixed; t++) {
        dl_cell cell = dl_errand_at(errand, t), before = dl_errand_at(errand, t > 0 ? t - 1 : 0);
        int count, others = dl_planner_goal_owner(p, cell) != agent && dl_planner_rest_time(p, cell) < t;
        const int32_t *there = p->ops->passing_at(p, cell, t, &count);
        for (int i = 0; i < count; i++) others += there[i] != agent;
        if (cell != before) { /* an agent that is where this one came from, and came from where it is */
            there = p->ops->passing_at(p, before, t, &count);
            for (int i = 0; i < count; i++) others += p->track[there[i]].at[t - 1] == cell;
        }
        touched += others > 0;
    }
    return touched;
}

static bool keeps_errand(const dl_instance *instance, int agent, const dl_track *track, int cost)
{
    const dl_errand *errand = &instance->errand[agent];
    int visited = 0;
    for (int t = 0; t <= cost || t <= errand->fixed; t++) {
        dl_cell cell = track->at[t < cost ? t : cost];
        if (errand->fixed > 0 && t <= errand->fixed && cell != dl_errand_at(errand, t)) return false;
        visited = dl_errand_visit(errand, visited, cell);
    }
    return visited == errand->stops;
}

/* The path's cells into the track; false if they are no path of this agent. */
static bool read_cells(const dl_planner *p, int agent, const dl_path *path, int cost, dl_track *track)
{
    const dl_instance *instance = p->instance;
    for (int t = 0; t <= cost; t++) {
        dl_cell cell = dl_grid_cell(instance->grid, path->at[t].row, path->at[t].col);
        if (cell == DL_NO_CELL || (t > 0 && !is_step(instance->grid, track->at[t - 1], cell))) return false;
        track->at[t] = cell;
    }
    if (track->at[0] != instance->start[agent] || track->at[cost] != instance->goal[agent]) return false;
    return !instance->errand || keeps_errand(instance, agent, track, cost);
}

bool dl_planner_read_path(dl_planner *p, int agent, const dl_path *path)
{
    dl_track *track = &p->track[agent];
    track->cost = DL_NO_TRACK;
    int cost = dl_path_cost(path), fixed = dl_instance_fixed(p->instance, agent);
    if (path->length < 1 || cost > p->last_time) return false;
    if (!dl_track_reserve(track, cost > fixed ? cost : fixed)) {
        p->exhausted = true;
        return false;
    }
    bool is_path = read_cells(p, agent, path, cost, track);
    if (is_path) track->cost = cost;
    if (fixed > 0 && !begin_with_prefix(p, agent, track)) p->exhausted = true; /* there is room */
    return is_path;
}

dl_plan *dl_planner_write_plan(const dl_planner *p)
{
    dl_plan *plan = dl_plan_create(p->instance->agents);
    for (int agent = 0; plan && agent < p->instance->agents; agent++) {
        const dl_track *track = &p->track[agent];
        if (track->cost < 0 || dl_plan_set(plan, p->instance->grid, agent, track->at, track->cost + 1)) continue;
        dl_plan_free(plan);
        return NULL;
    }
    return plan;
}
