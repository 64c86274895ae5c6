#include "mapf/errand.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mapf/instance.h"

/* Makes the table of errands when the first agent gets one. */
static dl_status reserve(dl_instance *instance, dl_error *err)
{
    if (!instance->errand) instance->errand = DL_ARRAY(dl_errand, instance->agents);
    return instance->errand ? DIFFLNS_OK : dl_out_of_memory(err);
}

static dl_status place(const dl_instance *instance, int agent, const char *what, int index, difflns_cell at,
                       dl_cell *out, dl_error *err)
{
    *out = dl_grid_cell(instance->grid, at.row, at.col);
    if (*out != DL_NO_CELL) return DIFFLNS_OK;
    return dl_fail(err, DIFFLNS_BAD_INPUT, "%s %d of agent %d at column %d, row %d: expected a free cell of the map",
                   what, index, agent, at.col, at.row);
}

static bool is_step(const dl_grid *grid, dl_cell from, dl_cell to)
{
    bool legal = from == to;
    for (int d = 0; d < DL_DIRECTIONS; d++) legal = legal || grid->neighbor[from][d] == to;
    return legal;
}

static dl_status read_prefix(const dl_instance *instance, int agent, const difflns_cell *cells, int count,
                             dl_cell *prefix, dl_error *err)
{
    for (int t = 0; t < count; t++) {
        DL_TRY(place(instance, agent, "prefix cell", t, cells[t], &prefix[t], err));
        if (t == 0 && prefix[0] != instance->start[agent])
            return dl_fail(err, DIFFLNS_BAD_INPUT, "prefix of agent %d does not begin on its start", agent);
        if (t > 0 && !is_step(instance->grid, prefix[t - 1], prefix[t]))
            return dl_fail(err, DIFFLNS_BAD_INPUT,
                           "prefix of agent %d: no step leads from cell %d to cell %d, expected a wait or a move to "
                           "a neighbor",
                           agent, t - 1, t);
    }
    return DIFFLNS_OK;
}

/* Takes over the cells of a walk [walk + 1], also on failure. */
static dl_status fix_agent(dl_instance *instance, int agent, dl_cell *prefix, int walk, int fixed, dl_error *err)
{
    int64_t steps = instance->fixed_steps - dl_instance_fixed(instance, agent) + fixed;
    dl_status status = DIFFLNS_OK;
    if (steps > DL_MOST_FIXED_STEPS)
        status =
            dl_fail(err, DIFFLNS_BAD_INPUT,
                    "the prefixes and departures of all agents fix %lld steps with agent %d's: expected at most %d",
                    (long long)steps, agent, DL_MOST_FIXED_STEPS);
    if (status == DIFFLNS_OK) status = reserve(instance, err);
    if (status != DIFFLNS_OK || fixed == 0) {
        free(prefix);
        prefix = NULL;
    }
    DL_TRY(status);
    assert(walk >= 0 && walk <= fixed);
    dl_errand *errand = &instance->errand[agent];
    free(errand->prefix);
    errand->prefix = prefix;
    errand->walk = walk;
    errand->fixed = fixed;
    instance->fixed_steps = steps;
    assert(fixed == 0 || dl_errand_at(errand, 0) == instance->start[agent]);
    return DIFFLNS_OK;
}

dl_status dl_instance_set_prefix(dl_instance *instance, int agent, const difflns_cell *cells, int count, dl_error *err)
{
    if (count < 0 || count > DL_LONGEST_PREFIX + 1)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "prefix of %d cells for agent %d: expected 0 to %d", count, agent,
                       DL_LONGEST_PREFIX + 1);
    dl_cell *prefix = DL_ARRAY(dl_cell, count);
    if (!prefix) return dl_out_of_memory(err);
    dl_status status = read_prefix(instance, agent, cells, count, prefix, err);
    if (status != DIFFLNS_OK) {
        free(prefix);
        return status;
    }
    int fixed = count > 1 ? count - 1 : 0, walk = fixed;
    while (walk > 0 && prefix[walk - 1] == prefix[walk]) walk--;
    return fix_agent(instance, agent, prefix, walk, fixed, err);
}

dl_status dl_instance_set_departure(dl_instance *instance, int agent, int time, dl_error *err)
{
    if (time < 0 || time > DL_LONGEST_PREFIX)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "departure of agent %d at time %d: expected 0 to %d", agent, time,
                       DL_LONGEST_PREFIX);
    dl_cell *start = DL_NEW(dl_cell);
    if (!start) return dl_out_of_memory(err);
    *start = instance->start[agent];
    return fix_agent(instance, agent, start, 0, time, err);
}

dl_status dl_instance_set_goals(dl_instance *instance, int agent, const difflns_cell *cells, int count, dl_error *err)
{
    if (count < 1 || count > DL_MOST_GOALS)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%d goals for agent %d: expected 1 to %d", count, agent, DL_MOST_GOALS);
    dl_cell goal[DL_MOST_GOALS];
    int kept = 0; /* who stands on a goal has visited it as often as it comes in a row */
    for (int i = 0; i < count; i++) {
        DL_TRY(place(instance, agent, "goal", i, cells[i], &goal[kept], err));
        if (kept == 0 || goal[kept] != goal[kept - 1]) kept++;
    }
    for (int other = 0; other < instance->agents; other++)
        if (other != agent && instance->goal[other] == goal[kept - 1])
            return dl_fail(err, DIFFLNS_BAD_INPUT,
                           "agents %d and %d have the same last goal (column %d, row %d), expected different ones",
                           other, agent, cells[count - 1].col, cells[count - 1].row);
    DL_TRY(reserve(instance, err));
    dl_errand *errand = &instance->errand[agent];
    dl_cell *stop = NULL;
    if (kept > 1) {
        stop = DL_ARRAY(dl_cell, kept - 1);
        if (!stop) return dl_out_of_memory(err);
        memcpy(stop, goal, sizeof *stop * (size_t)(kept - 1));
    }
    free(errand->stop);
    errand->stop = stop;
    errand->stops = kept - 1;
    instance->goal[agent] = goal[kept - 1];
    return DIFFLNS_OK;
}

bool dl_instance_ahead(const dl_instance *instance, dl_instance *ahead)
{
    *ahead = *instance;
    ahead->errand = NULL;
    ahead->start = DL_ARRAY(dl_cell, instance->agents);
    ahead->goal = DL_ARRAY(dl_cell, instance->agents);
    if (!ahead->start || !ahead->goal) {
        dl_instance_ahead_free(ahead);
        return false;
    }
    for (int agent = 0; agent < instance->agents; agent++) {
        int visited = dl_instance_stops_in_prefix(instance, agent), stops = dl_instance_stops(instance, agent);
        assert(visited <= stops);
        ahead->start[agent] = dl_instance_released(instance, agent);
        ahead->goal[agent] = visited < stops ? instance->errand[agent].stop[visited] : instance->goal[agent];
    }
    return true;
}

void dl_instance_ahead_free(dl_instance *ahead)
{
    free(ahead->start);
    free(ahead->goal);
    ahead->start = ahead->goal = NULL;
}

int dl_instance_longest_prefix(const dl_instance *instance)
{
    int longest = 0;
    for (int agent = 0; instance->errand && agent < instance->agents; agent++)
        if (instance->errand[agent].fixed > longest) longest = instance->errand[agent].fixed;
    return longest;
}

int dl_instance_stops_in_prefix(const dl_instance *instance, int agent)
{
    if (dl_instance_stops(instance, agent) == 0) return 0;
    const dl_errand *errand = &instance->errand[agent];
    int visited = dl_errand_visit(errand, 0, instance->start[agent]);
    for (int t = 1; t <= errand->walk; t++) visited = dl_errand_visit(errand, visited, errand->prefix[t]);
    return visited;
}

int dl_instance_prefix_arrival(const dl_instance *instance, int agent)
{
    return dl_instance_fixed(instance, agent) > 0 ? instance->errand[agent].walk : 0;
}

/* Who is where in a step of the prefixes: 1 + the agent, 0 = nobody. */
typedef struct prefix_step {
    const dl_instance *instance;
    int32_t *here, *before; /* [cells]: now, and one step ago */
    int time;
} prefix_step;

static bool is_held(const prefix_step *s, int agent)
{
    return s->instance->errand[agent].fixed >= s->time;
}

static dl_cell held_at(const prefix_step *s, int agent, int time)
{
    return dl_errand_at(&s->instance->errand[agent], time);
}

/* Two on one cell; everybody is put down. */
static bool find_meeting(prefix_step *s, int pair[2])
{
    bool found = false;
    for (int agent = 0; agent < s->instance->agents; agent++) {
        if (!is_held(s, agent)) continue;
        int32_t *cell = &s->here[held_at(s, agent, s->time)];
        if (*cell && !found) {
            pair[0] = *cell - 1;
            pair[1] = agent;
            found = true;
        }
        *cell = agent + 1;
        s->before[held_at(s, agent, s->time - 1)] = agent + 1;
    }
    return found;
}

static bool find_exchange(const prefix_step *s, int pair[2])
{
    for (int agent = 0; agent < s->instance->agents; agent++) {
        if (!is_held(s, agent)) continue;
        int other = s->before[held_at(s, agent, s->time)] - 1;
        if (other < 0 || other == agent) continue;
        if (held_at(s, other, s->time) != held_at(s, agent, s->time - 1)) continue;
        pair[0] = other < agent ? other : agent;
        pair[1] = other < agent ? agent : other;
        return true;
    }
    return false;
}

static void take_up(prefix_step *s)
{
    for (int agent = 0; agent < s->instance->agents; agent++)
        if (is_held(s, agent)) s->here[held_at(s, agent, s->time)] = s->before[held_at(s, agent, s->time - 1)] = 0;
}

bool dl_instance_prefixes_collide(const dl_instance *instance, int pair[2], int *time, bool *fits)
{
    int last = 0; /* when nobody moves any more, nobody new collides */
    for (int agent = 0; instance->errand && agent < instance->agents; agent++)
        if (instance->errand[agent].walk > last) last = instance->errand[agent].walk;
    *fits = true;
    if (last == 0) return false;
    prefix_step s = {.instance = instance,
                     .here = DL_ARRAY(int32_t, instance->grid->cells),
                     .before = DL_ARRAY(int32_t, instance->grid->cells)};
    *fits = s.here && s.before;
    bool found = false;
    for (int t = 1; t <= last && *fits && !found; t++) {
        *time = s.time = t;
        found = find_meeting(&s, pair) || find_exchange(&s, pair);
        take_up(&s);
    }
    free(s.here);
    free(s.before);
    return found;
}
