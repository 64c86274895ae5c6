/* The public interface of difflns.h: thin calls into the rooms. */
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "mapf/check.h"
#include "mapf/distance.h"
#include "mapf/load.h"
#include "mapf/plan_io.h"

const char *difflns_version(void)
{
    return DIFFLNS_VERSION_STRING;
}

const char *difflns_status_name(difflns_status status)
{
    switch (status) {
    case DIFFLNS_OK:
        return "ok";
    case DIFFLNS_UNSOLVED:
        return "unsolved";
    case DIFFLNS_BAD_INPUT:
        return "bad input";
    case DIFFLNS_UNSOLVABLE:
        return "unsolvable";
    case DIFFLNS_IO:
        return "cannot write";
    case DIFFLNS_STOPPED:
        return "stopped";
    case DIFFLNS_INTERNAL:
        return "internal error";
    case DIFFLNS_OUT_OF_MEMORY:
        return "out of memory";
    }
    return "unknown";
}

difflns_status difflns_instance_load(const char *map_path, const char *scen_path, int agents, difflns_instance **out,
                                     difflns_error *err)
{
    return dl_instance_load(map_path, scen_path, agents, out, err);
}

difflns_status difflns_instance_load_named(const char *map_path, const char *map_name, const char *scen_path,
                                           const char *scenario, int agents, difflns_instance **out, difflns_error *err)
{
    return dl_instance_load_named(map_path, map_name, scen_path, scenario, agents, out, err);
}

difflns_status difflns_instance_create(int height, int width, const uint8_t *blocked, int agents,
                                       const difflns_cell *starts, const difflns_cell *goals, difflns_instance **out,
                                       difflns_error *err)
{
    *out = NULL;
    if (agents < 1 || agents > DL_MAX_AGENTS)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%d agents: expected 1 to %d", agents, DL_MAX_AGENTS);
    dl_grid *grid;
    DL_TRY(dl_grid_create(height, width, blocked, &grid, err));
    dl_task *tasks = DL_ARRAY(dl_task, agents);
    if (!tasks) {
        dl_grid_free(grid);
        return dl_out_of_memory(err);
    }
    for (int i = 0; i < agents; i++) tasks[i] = (dl_task){.start = starts[i], .goal = goals[i]};
    dl_status status = dl_instance_create(grid, "array.map", "instance", agents, tasks, out, err);
    free(tasks);
    return status;
}

void difflns_instance_free(difflns_instance *instance)
{
    dl_instance_free(instance);
}

int difflns_instance_agents(const difflns_instance *instance)
{
    return instance->agents;
}

int difflns_instance_height(const difflns_instance *instance)
{
    return instance->grid->height;
}

int difflns_instance_width(const difflns_instance *instance)
{
    return instance->grid->width;
}

int difflns_instance_blocked(const difflns_instance *instance, int row, int col)
{
    return dl_grid_cell(instance->grid, row, col) == DL_NO_CELL;
}

difflns_cell difflns_instance_start(const difflns_instance *instance, int agent)
{
    return dl_grid_position(instance->grid, instance->start[agent]);
}

difflns_cell difflns_instance_goal(const difflns_instance *instance, int agent)
{
    return dl_grid_position(instance->grid, instance->goal[agent]);
}

int64_t difflns_instance_sum_of_distances(const difflns_instance *instance)
{
    /* One row at a time is enough here: the smallest table. */
    dl_distance *distance = dl_distance_create(instance, 0);
    int64_t sum = dl_distance_lower_bound(distance);
    dl_distance_free(distance);
    return sum;
}

difflns_status difflns_plan_read(const difflns_instance *instance, const char *path, difflns_plan **out,
                                 difflns_error *err)
{
    return dl_plan_read(instance, path, DIFFLNS_ORDER_AUTO, out, err);
}

difflns_status difflns_plan_read_order(const difflns_instance *instance, const char *path, difflns_order order,
                                       difflns_plan **out, difflns_error *err)
{
    return dl_plan_read(instance, path, order, out, err);
}

difflns_status difflns_plan_create(int agents, const int32_t *lengths, const difflns_cell *cells, difflns_plan **out,
                                   difflns_error *err)
{
    *out = NULL;
    if (agents < 1 || agents > DL_MAX_AGENTS)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "plan of %d agents: expected 1 to %d", agents, DL_MAX_AGENTS);
    for (int i = 0; i < agents; i++)
        if (lengths[i] < 1 || lengths[i] > DL_MAX_PATH)
            return dl_fail(err, DIFFLNS_BAD_INPUT, "path of agent %d has %d cells: expected 1 to %d", i, lengths[i],
                           DL_MAX_PATH);
    dl_plan *plan = dl_plan_create(agents);
    if (!plan) return dl_out_of_memory(err);
    for (int i = 0; i < agents; i++)
        for (int t = 0; t < lengths[i]; t++)
            if (!dl_path_append(&plan->path[i], *cells++)) {
                dl_plan_free(plan);
                return dl_out_of_memory(err);
            }
    *out = plan;
    return DIFFLNS_OK;
}

difflns_status difflns_plan_write(const difflns_instance *instance, const difflns_plan *plan, difflns_format format,
                                  const char *path, difflns_error *err)
{
    return dl_plan_write(instance, plan, format, path, err);
}

void difflns_plan_free(difflns_plan *plan)
{
    dl_plan_free(plan);
}

int difflns_plan_agents(const difflns_plan *plan)
{
    return plan->agents;
}

int difflns_plan_length(const difflns_plan *plan, int agent)
{
    return dl_path_cost(&plan->path[agent]) + 1;
}

difflns_cell difflns_plan_at(const difflns_plan *plan, int agent, int time)
{
    return dl_path_at(&plan->path[agent], time);
}

difflns_status difflns_plan_check(const difflns_instance *instance, const difflns_plan *plan, difflns_check *result,
                                  difflns_violation *list, size_t room, size_t *listed)
{
    return dl_check(instance, plan, result, list, room, listed) ? DIFFLNS_OK : DIFFLNS_OUT_OF_MEMORY;
}

const char *difflns_violation_name(difflns_violation_kind kind)
{
    static const char *const NAME[DIFFLNS_VIOLATION_KINDS] = {
        [DIFFLNS_VERTEX] = "vertex",         [DIFFLNS_SWAP] = "swap",
        [DIFFLNS_TELEPORT] = "teleport",     [DIFFLNS_OBSTACLE] = "obstacle",
        [DIFFLNS_BOUNDS] = "bounds",         [DIFFLNS_WRONG_START] = "wrong-start",
        [DIFFLNS_WRONG_GOAL] = "wrong-goal", [DIFFLNS_AGENT_COUNT] = "agent-count"};
    return kind < DIFFLNS_VIOLATION_KINDS ? NAME[kind] : "unknown";
}
