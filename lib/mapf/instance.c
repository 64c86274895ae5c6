#include "mapf/instance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"

/* Messages say column and row: x is the column in MovingAI files, the row in POGEMA's. */
static dl_status place(const dl_grid *grid, const char *source, const dl_task *task, int agent, const char *what,
                       difflns_cell at, dl_cell *out, dl_error *err)
{
    char where[16] = "";
    if (task->line > 0) snprintf(where, sizeof where, ":%d", task->line);
    if (!dl_grid_inside(grid, at.row, at.col))
        return dl_fail(err, DIFFLNS_BAD_INPUT,
                       "%s%s: %s of agent %d at column %d, row %d is outside the map of %d columns, %d rows", source,
                       where, what, agent, at.col, at.row, grid->width, grid->height);
    *out = dl_grid_cell(grid, at.row, at.col);
    if (*out == DL_NO_CELL)
        return dl_fail(err, DIFFLNS_BAD_INPUT,
                       "%s%s: %s of agent %d at column %d, row %d is an obstacle, expected a free cell", source, where,
                       what, agent, at.col, at.row);
    return DIFFLNS_OK;
}

/* Refuses a cell that is the `what` of two agents. */
static dl_status distinct(const dl_grid *grid, const char *source, const dl_task *tasks, int agents,
                          const dl_cell *cells, const char *what, dl_error *err)
{
    int32_t *owner = DL_ARRAY(int32_t, grid->cells);
    if (!owner) return dl_out_of_memory(err);
    dl_status status = DIFFLNS_OK;
    for (int agent = 0; agent < agents; agent++) {
        int earlier = owner[cells[agent]] - 1; /* 0 = nobody */
        if (earlier >= 0) {
            difflns_cell at = dl_grid_position(grid, cells[agent]);
            char where[16] = "";
            if (tasks[agent].line > 0) snprintf(where, sizeof where, ":%d", tasks[agent].line);
            status = dl_fail(err, DIFFLNS_BAD_INPUT,
                             "%s%s: agents %d and %d have the same %s (column %d, row %d), expected different ones",
                             source, where, earlier, agent, what, at.col, at.row);
            break;
        }
        owner[cells[agent]] = agent + 1;
    }
    free(owner);
    return status;
}

dl_status dl_instance_create_on(dl_map *map, const char *map_name, const char *source, int agents, const dl_task *tasks,
                                dl_instance **out, dl_error *err)
{
    *out = NULL;
    if (agents < 1 || agents > DL_MAX_AGENTS)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: %d agents: expected 1 to %d", source, agents, DL_MAX_AGENTS);
    const dl_grid *grid = dl_map_grid(map);
    dl_instance *instance = DL_NEW(dl_instance);
    if (!instance) return dl_out_of_memory(err);
    instance->map = dl_map_share(map);
    instance->grid = grid;
    instance->agents = agents;
    instance->start = DL_ARRAY(dl_cell, agents);
    instance->goal = DL_ARRAY(dl_cell, agents);
    instance->map_name = dl_strdup(map_name);
    instance->scen_name = dl_strdup(dl_file_base_name(source));
    dl_status status = DIFFLNS_OK;
    if (!instance->start || !instance->goal || !instance->map_name || !instance->scen_name)
        status = dl_out_of_memory(err);
    for (int agent = 0; agent < agents && status == DIFFLNS_OK; agent++) {
        const dl_task *task = &tasks[agent];
        status = place(grid, source, task, agent, "start", task->start, &instance->start[agent], err);
        if (status == DIFFLNS_OK)
            status = place(grid, source, task, agent, "goal", task->goal, &instance->goal[agent], err);
    }
    if (status == DIFFLNS_OK) status = distinct(grid, source, tasks, agents, instance->start, "start", err);
    if (status == DIFFLNS_OK) status = distinct(grid, source, tasks, agents, instance->goal, "goal", err);
    if (status != DIFFLNS_OK) {
        dl_instance_free(instance);
        return status;
    }
    *out = instance;
    return DIFFLNS_OK;
}

dl_status dl_instance_create(dl_grid *grid, const char *map_name, const char *source, int agents, const dl_task *tasks,
                             dl_instance **out, dl_error *err)
{
    *out = NULL;
    dl_map *map = dl_map_create(grid);
    if (!map) return dl_out_of_memory(err);
    dl_status status = dl_instance_create_on(map, map_name, source, agents, tasks, out, err);
    dl_map_free(map); /* the instance has its own share */
    return status;
}

void dl_instance_free(dl_instance *instance)
{
    if (!instance) return;
    dl_map_free(instance->map);
    free(instance->start);
    free(instance->goal);
    for (int agent = 0; instance->errand && agent < instance->agents; agent++) {
        free(instance->errand[agent].prefix);
        free(instance->errand[agent].stop);
    }
    free(instance->errand);
    free(instance->map_name);
    free(instance->scen_name);
    free(instance);
}

size_t dl_instance_map_stem(const dl_instance *instance)
{
    size_t length = strlen(instance->map_name);
    bool named = length > 4 && strcmp(instance->map_name + length - 4, ".map") == 0;
    return named ? length - 4 : length;
}

int dl_instance_cut_off_agent(const dl_instance *instance)
{
    const int32_t *component = instance->grid->component;
    for (int agent = 0; agent < instance->agents; agent++) {
        int32_t own = component[instance->start[agent]];
        if (own != component[instance->goal[agent]]) return agent;
        for (int i = 0; i < dl_instance_stops(instance, agent); i++)
            if (own != component[instance->errand[agent].stop[i]]) return agent;
    }
    return -1;
}
