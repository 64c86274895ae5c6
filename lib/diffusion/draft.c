#include "diffusion/draft.h"

#include <stdlib.h>

#include "base/memory.h"
#include "diffusion/tokens.h"

/* Writes `cells`, `length` of them, and a shortest path from the last to the goal. */
static void finish_path(const dl_scene *scene, const dl_field *distance, int agent, const dl_cell *cells, int length,
                        dl_plan *plan, dl_draft_reach *reach)
{
    const dl_grid *grid = scene->instance->grid;
    dl_cell last = cells[length - 1], goal = scene->instance->goal[agent];
    int left = dl_field_at(distance, last);
    DL_OR_ABORT(dl_plan_set(plan, grid, agent, cells, length));
    if (reach) {
        reach->at_goal += last == goal;
        reach->remaining += left;
    }
    for (; left > 0 && left != DL_UNREACHABLE; left--) {
        last = dl_field_step(distance, grid, last);
        DL_OR_ABORT(dl_path_append(&plan->path[agent], dl_grid_position(grid, last)));
    }
}

dl_plan *dl_draft_roll_out(const dl_scene *scene, int kind, int horizon, const uint8_t *token, dl_draft_reach *reach)
{
    const dl_instance *instance = scene->instance;
    dl_plan *plan = dl_plan_create(instance->agents);
    dl_cell *cells = DL_ARRAY(dl_cell, horizon + 1);
    *reach = (dl_draft_reach){0};
    for (int agent = 0; agent < instance->agents; agent++) {
        const dl_field *distance = dl_distance_acquire(scene->distance, agent);
        if (!distance) {
            DL_OR_ABORT(dl_plan_set(plan, instance->grid, agent, &instance->start[agent], 1));
            continue;
        }
        dl_tokens_rollout(instance->grid, distance, instance->start[agent], kind,
                          token + (size_t)agent * (size_t)horizon, horizon, cells);
        int length = 1;
        while (length <= horizon && cells[length - 1] != instance->goal[agent]) length++;
        finish_path(scene, distance, agent, cells, length, plan, reach);
        dl_distance_release(scene->distance, agent);
    }
    free(cells);
    return plan;
}

dl_plan *dl_draft_decode(const dl_scene *scene, int horizon, const float *log_probability, int alphabet,
                         dl_likeliest_costs costs, const int32_t *order, dl_likeliest *planner,
                         const dl_deadline *deadline, dl_draft_reach *reach)
{
    const dl_instance *instance = scene->instance;
    dl_plan *plan = dl_plan_create(instance->agents);
    dl_cell *cells = DL_ARRAY(dl_cell, horizon + 1);
    dl_crowd *crowd = costs.collision > 0 ? dl_crowd_create(planner, horizon) : NULL;
    *reach = (dl_draft_reach){0};
    int done = 0;
    for (; done < instance->agents && !dl_is_late(deadline); done++) {
        int agent = order ? order[done] : done;
        const dl_field *distance = dl_distance_acquire(scene->distance, agent);
        if (!distance) break;
        size_t first = (size_t)agent * (size_t)horizon * (size_t)alphabet;
        dl_likeliest_path(planner, distance, instance->start[agent], instance->goal[agent], horizon,
                          log_probability + first, alphabet, costs, crowd, cells);
        if (crowd) dl_crowd_add(crowd, planner, cells);
        int length =
            horizon + 1; /* a path may leave its goal for others and come back; only the rest at the end goes */
        while (length > 1 && cells[length - 1] == instance->goal[agent] && cells[length - 2] == cells[length - 1])
            length--;
        finish_path(scene, distance, agent, cells, length, plan, reach);
        dl_distance_release(scene->distance, agent);
    }
    dl_crowd_free(crowd);
    free(cells);
    if (done == instance->agents) return plan;
    dl_plan_free(plan);
    return NULL;
}

dl_plan *dl_draft_shortest_paths(const dl_scene *scene)
{
    const dl_instance *instance = scene->instance;
    dl_plan *plan = dl_plan_create(instance->agents);
    for (int agent = 0; agent < instance->agents; agent++) {
        const dl_field *distance = dl_distance_acquire(scene->distance, agent);
        if (!distance) {
            DL_OR_ABORT(dl_plan_set(plan, instance->grid, agent, &instance->start[agent], 1));
            continue;
        }
        finish_path(scene, distance, agent, &instance->start[agent], 1, plan, NULL);
        dl_distance_release(scene->distance, agent);
    }
    return plan;
}
