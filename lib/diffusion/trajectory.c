#include "diffusion/trajectory.h"

#include <math.h>

#include "diffusion/tokens.h"

/* An action taken with certainty beats every cost along the way; without a bound, k = 0 would ask for log of zero. */
static const double MOST_EVIDENCE = 30;

static dl_status infer_likeliest_path(const dl_config *config, const dl_schedule *schedule, const dl_scene *scene,
                                      int agent, int horizon, int k, const uint8_t *noisy, const bool *has_noise,
                                      dl_likeliest *planner, const dl_deadline *deadline, float *score, dl_cell *cells)
{
    int alphabet = dl_config_classes(config);
    double evidence = dl_schedule_log_evidence(schedule, k);
    if (!(evidence < MOST_EVIDENCE)) evidence = MOST_EVIDENCE;
    for (int t = 0; t < horizon; t++) {
        double here = !has_noise || has_noise[t] ? evidence : MOST_EVIDENCE;
        for (int a = 0; a < alphabet; a++) score[t * alphabet + a] = a == noisy[t] ? (float)here : 0;
    }
    const dl_instance *instance = scene->instance;
    const dl_field *distance = dl_distance_acquire(scene->distance, agent);
    if (!distance) return dl_scene_without_field(scene);
    dl_likeliest_costs costs = {.step = (float)config->diffusion.map_step_cost,
                                .distance = (float)config->diffusion.map_distance_cost};
    dl_likeliest_until(planner, deadline);
    float value = dl_likeliest_path(planner, distance, instance->start[agent], instance->goal[agent], horizon, score,
                                    alphabet, costs, NULL, cells);
    dl_likeliest_until(planner, NULL);
    dl_distance_release(scene->distance, agent);
    if (value > -INFINITY) return DIFFLNS_OK;
    return dl_is_late(deadline) ? DIFFLNS_STOPPED : DIFFLNS_OUT_OF_MEMORY;
}

static void set_position(const dl_grid *grid, dl_cell cell, real *position)
{
    difflns_cell at = dl_grid_position(grid, cell);
    position[0] = (real)at.row;
    position[1] = (real)at.col;
}

/* The paper's soft trajectory. Relative tokens have no displacement of their own: theirs is the rollout's. */
static void sum_displacements(const dl_grid *grid, int kind, const uint8_t *noisy, int horizon, const dl_cell *cells,
                              real *position)
{
    static const int row_step[DL_ACTIONS] = {0, -1, 1, 0, 0}, col_step[DL_ACTIONS] = {0, 0, 0, -1, 1};
    real at[2];
    set_position(grid, cells[0], at);
    for (int t = 0; t < horizon; t++) {
        if (kind == DL_TOKENS_ABSOLUTE) {
            at[0] += (real)row_step[noisy[t]];
            at[1] += (real)col_step[noisy[t]];
        } else
            set_position(grid, cells[t + 1], at);
        position[2 * t] = at[0];
        position[2 * t + 1] = at[1];
    }
}

dl_trajectory dl_trajectory_infer(const dl_config *config, const dl_schedule *schedule, const dl_scene *scene,
                                  int horizon, int k, const uint8_t *noisy, const bool *has_noise,
                                  dl_likeliest *planner, const dl_deadline *deadline, dl_arena *arena)
{
    const dl_instance *instance = scene->instance;
    dl_trajectory out = {.agents = instance->agents, .horizon = horizon};
    size_t tokens = (size_t)instance->agents * (size_t)horizon;
    out.position = DL_ARENA_ARRAY(arena, real, 2 * tokens);
    out.cell = DL_ARENA_ARRAY(arena, dl_cell, tokens + (size_t)instance->agents);
    dl_arena_mark mark = dl_arena_position(arena);
    float *score = DL_ARENA_ARRAY(arena, float, (size_t)horizon *DL_MAX_TOKENS);
    if (!out.position || !out.cell || !score) return (dl_trajectory){.status = DIFFLNS_OUT_OF_MEMORY};
    for (int agent = 0; agent < instance->agents && !dl_is_late(deadline); agent++) {
        const uint8_t *row = noisy + (size_t)agent * (size_t)horizon;
        dl_cell *cells = out.cell + (size_t)agent * (size_t)(horizon + 1);
        real *position = out.position + 2 * (size_t)agent * (size_t)horizon;
        if (config->network.trajectory == DL_TRAJECTORY_MAP) {
            const bool *own = has_noise ? has_noise + (size_t)agent * (size_t)horizon : NULL;
            out.status = infer_likeliest_path(config, schedule, scene, agent, horizon, k, row, own, planner, deadline,
                                              score, cells);
            if (out.status != DIFFLNS_OK) return out;
            for (int t = 0; t < horizon; t++) set_position(instance->grid, cells[t], position + 2 * t);
        } else {
            const dl_field *distance = dl_distance_acquire(scene->distance, agent);
            if (!distance) return (dl_trajectory){.status = dl_scene_without_field(scene)};
            dl_tokens_rollout(instance->grid, distance, instance->start[agent], config->diffusion.tokens, row, horizon,
                              cells);
            dl_distance_release(scene->distance, agent);
            sum_displacements(instance->grid, config->diffusion.tokens, row, horizon, cells, position);
        }
    }
    dl_arena_rewind(arena, mark);
    return out;
}
