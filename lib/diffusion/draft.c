#include "diffusion/draft.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"
#include "diffusion/decode.h"
#include "diffusion/tokens.h"

/* Writes `cells`, `length` of them, and a shortest path from the last to the goal. False when memory is out. */
static bool finish_path(const dl_scene *scene, int agent, const dl_cell *cells, int length, dl_plan *plan,
                        dl_draft_reach *reach)
{
    const dl_grid *grid = scene->instance->grid;
    assert(length >= 1 && cells[0] == scene->instance->start[agent]);
    dl_cell last = cells[length - 1];
    const dl_field *distance = dl_distance_acquire(scene->distance, agent);
    if (!distance) return false;
    int left = dl_field_at(distance, last);
    bool room = dl_plan_set(plan, grid, agent, cells, length);
    if (reach) {
        reach->at_goal += last == scene->instance->goal[agent];
        reach->remaining += left;
    }
    for (; room && left > 0 && left != DL_UNREACHABLE; left--) {
        last = dl_field_step(distance, grid, last);
        room = dl_path_append(&plan->path[agent], dl_grid_position(grid, last));
    }
    dl_distance_release(scene->distance, agent);
    return room;
}

/* `plan` if it is whole; otherwise nothing. */
static dl_plan *whole_or_none(dl_plan *plan, bool whole)
{
    if (whole) return plan;
    dl_plan_free(plan);
    return NULL;
}

dl_plan *dl_draft_roll_out(const dl_scene *scene, int horizon, const uint8_t *token, dl_draft_reach *reach)
{
    const dl_instance *instance = scene->instance;
    dl_plan *plan = dl_plan_create(instance->agents);
    dl_cell *cells = DL_ARRAY(dl_cell, horizon + 1);
    bool whole = plan && cells;
    *reach = (dl_draft_reach){0};
    for (int agent = 0; whole && agent < instance->agents; agent++) {
        dl_tokens_rollout(instance->grid, instance->start[agent], token + (size_t)agent * (size_t)horizon, horizon,
                          cells);
        int length = 1;
        while (length <= horizon && cells[length - 1] != instance->goal[agent]) length++;
        whole = finish_path(scene, agent, cells, length, plan, reach);
    }
    free(cells);
    return whole_or_none(plan, whole);
}

dl_plan *dl_draft_of_cells(const dl_scene *scene, int horizon, const dl_cell *cells, dl_draft_reach *reach)
{
    const dl_instance *instance = scene->instance;
    dl_plan *plan = dl_plan_create(instance->agents);
    bool whole = plan;
    *reach = (dl_draft_reach){0};
    for (int agent = 0; whole && agent < instance->agents; agent++) {
        const dl_cell *path = cells + (size_t)agent * (size_t)(horizon + 1);
        int length =
            horizon + 1; /* a path may leave its goal for others and come back; only the rest at the end goes */
        while (length > 1 && path[length - 1] == instance->goal[agent] && path[length - 2] == path[length - 1])
            length--;
        whole = finish_path(scene, agent, path, length, plan, reach);
    }
    return whole_or_none(plan, whole);
}

dl_plan *dl_draft_decode(const dl_scene *scene, int horizon, const float *log_probability, const dl_path_rule *rule,
                         const int32_t *order, dl_likeliest *planner, const dl_deadline *deadline,
                         dl_draft_reach *reach)
{
    dl_cell *cells = DL_ARRAY(dl_cell, (size_t)scene->instance->agents * (size_t)(horizon + 1));
    dl_plan *plan = NULL;
    if (cells && dl_decode_paths(scene, horizon, log_probability, rule, order, planner, deadline, cells) == DIFFLNS_OK)
        plan = dl_draft_of_cells(scene, horizon, cells, reach);
    free(cells);
    return plan;
}

dl_plan *dl_draft_shortest_paths(const dl_scene *scene)
{
    const dl_instance *instance = scene->instance;
    dl_plan *plan = dl_plan_create(instance->agents);
    bool whole = plan;
    for (int agent = 0; whole && agent < instance->agents; agent++)
        whole = finish_path(scene, agent, &instance->start[agent], 1, plan, NULL);
    return whole_or_none(plan, whole);
}
