#include "mapf/errand.h"

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

dl_status dl_instance_set_prefix(dl_instance *instance, int agent, const difflns_cell *cells, int count, dl_error *err)
{
    if (count < 0 || count > DL_LONGEST_PREFIX + 1)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "prefix of %d cells for agent %d: expected 0 to %d", count, agent,
                       DL_LONGEST_PREFIX + 1);
    dl_cell *prefix = DL_ARRAY(dl_cell, count);
    dl_status status = prefix ? reserve(instance, err) : dl_out_of_memory(err);
    for (int t = 0; t < count && status == DIFFLNS_OK; t++) {
        status = place(instance, agent, "prefix cell", t, cells[t], &prefix[t], err);
        if (status != DIFFLNS_OK) break;
        if (t == 0 && prefix[0] != instance->start[agent])
            status = dl_fail(err, DIFFLNS_BAD_INPUT, "prefix of agent %d does not begin on its start", agent);
        else if (t > 0 && !is_step(instance->grid, prefix[t - 1], prefix[t]))
            status = dl_fail(err, DIFFLNS_BAD_INPUT,
                             "prefix of agent %d: no step leads from cell %d to cell %d, expected a wait or a move to "
                             "a neighbor",
                             agent, t - 1, t);
    }
    if (status == DIFFLNS_OK) {
        dl_errand *errand = &instance->errand[agent];
        free(errand->prefix);
        errand->prefix = count > 1 ? prefix : NULL;
        errand->fixed = count > 1 ? count - 1 : 0;
        if (errand->prefix) prefix = NULL;
    }
    free(prefix);
    return status;
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
    for (int t = 1; t <= errand->fixed; t++) visited = dl_errand_visit(errand, visited, errand->prefix[t]);
    return visited;
}

int dl_instance_prefix_arrival(const dl_instance *instance, int agent)
{
    int time = dl_instance_fixed(instance, agent);
    while (time > 0 && instance->errand[agent].prefix[time - 1] == instance->errand[agent].prefix[time]) time--;
    return time;
}

bool dl_instance_prefixes_collide(const dl_instance *instance, int pair[2], int *time, bool *fits)
{
    int longest = dl_instance_longest_prefix(instance);
    *fits = true;
    if (longest == 0) return false;
    int32_t *here = DL_ARRAY(int32_t, instance->grid->cells); /* 1 + who is there now, one step ago; 0 = nobody */
    int32_t *before = DL_ARRAY(int32_t, instance->grid->cells);
    *fits = here && before;
    bool found = false;
    for (int t = 1; t <= longest && *fits && !found; t++) {
        for (int agent = 0; agent < instance->agents; agent++) {
            const dl_errand *errand = &instance->errand[agent];
            if (errand->fixed < t) continue;
            if (here[errand->prefix[t]] && !found) {
                found = true;
                pair[0] = here[errand->prefix[t]] - 1;
                pair[1] = agent;
            }
            here[errand->prefix[t]] = agent + 1;
            before[errand->prefix[t - 1]] = agent + 1;
        }
        for (int agent = 0; agent < instance->agents; agent++) {
            const dl_errand *errand = &instance->errand[agent];
            if (errand->fixed < t) continue;
            int other = before[errand->prefix[t]] - 1;
            bool exchanged = other >= 0 && other != agent && instance->errand[other].prefix[t] == errand->prefix[t - 1];
            if (exchanged && !found) {
                found = true;
                pair[0] = other < agent ? other : agent;
                pair[1] = other < agent ? agent : other;
            }
        }
        for (int agent = 0; agent < instance->agents; agent++) {
            const dl_errand *errand = &instance->errand[agent];
            if (errand->fixed < t) continue;
            here[errand->prefix[t]] = before[errand->prefix[t - 1]] = 0;
        }
        *time = t;
    }
    free(here);
    free(before);
    return found;
}
