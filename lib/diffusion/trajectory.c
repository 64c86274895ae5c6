#include "diffusion/trajectory.h"

#include <assert.h>
#include <math.h>

#include "diffusion/tokens.h"

/* An action taken with certainty beats every cost along the way; without a bound, k = 0 would ask for log of zero. */
static const double MOST_EVIDENCE = 30;

static dl_status infer_likeliest_path(const dl_noisy_plan *x, int agent, dl_likeliest *planner,
                                      const dl_deadline *deadline, float *score, dl_cell *cells)
{
    const uint8_t *token = x->token + (size_t)agent * (size_t)x->horizon;
    double evidence = fmin(dl_schedule_log_evidence(x->schedule, x->k), MOST_EVIDENCE);
    for (int t = 0; t < x->horizon; t++)
        for (int a = 0; a < DL_ACTIONS; a++) score[t * DL_ACTIONS + a] = a == token[t] ? (float)evidence : 0;
    const dl_instance *instance = x->scene->instance;
    const dl_field *distance = dl_distance_acquire(x->scene->distance, agent);
    if (!distance) return dl_scene_without_field(x->scene);
    dl_likeliest_costs costs = {.step = (float)x->config->diffusion.map_step_cost,
                                .distance = (float)x->config->diffusion.map_distance_cost};
    cells[0] = instance->start[agent];
    dl_likeliest_until(planner, deadline);
    float value = dl_likeliest_path(planner, distance, instance->goal[agent], x->horizon, score, costs, NULL, cells);
    dl_likeliest_until(planner, NULL);
    dl_distance_release(x->scene->distance, agent);
    if (value > -INFINITY) return DIFFLNS_OK;
    return dl_is_late(deadline) ? DIFFLNS_STOPPED : DIFFLNS_OUT_OF_MEMORY;
}

static void set_position(const dl_grid *grid, dl_cell cell, real *position)
{
    difflns_cell at = dl_grid_position(grid, cell);
    position[0] = (real)at.row;
    position[1] = (real)at.col;
}

/* The paper's soft trajectory: prefix sums of the displacements. */
static void sum_displacements(const dl_grid *grid, dl_cell start, const uint8_t *token, int horizon, real *position)
{
    static const int row_step[DL_ACTIONS] = {0, -1, 1, 0, 0}, col_step[DL_ACTIONS] = {0, 0, 0, -1, 1};
    real at[2];
    set_position(grid, start, at);
    for (int t = 0; t < horizon; t++) {
        position[2 * t] = at[0] += (real)row_step[token[t]];
        position[2 * t + 1] = at[1] += (real)col_step[token[t]];
    }
}

dl_trajectory dl_trajectory_infer(const dl_noisy_plan *x, dl_likeliest *planner, const dl_deadline *deadline,
                                  dl_arena *arena)
{
    assert(x->k >= 1 && x->k <= x->schedule->steps && x->horizon > 0);
    const dl_instance *instance = x->scene->instance;
    int horizon = x->horizon;
    dl_trajectory out = {.agents = instance->agents, .horizon = horizon};
    size_t tokens = (size_t)instance->agents * (size_t)horizon;
    out.position = DL_ARENA_ARRAY(arena, real, 2 * tokens);
    out.cell = DL_ARENA_ARRAY(arena, dl_cell, tokens + (size_t)instance->agents);
    dl_arena_mark mark = dl_arena_position(arena);
    float *score = DL_ARENA_ARRAY(arena, float, (size_t)horizon *DL_ACTIONS);
    if (!out.position || !out.cell || !score) return (dl_trajectory){.status = DIFFLNS_OUT_OF_MEMORY};
    for (int agent = 0; agent < instance->agents && !dl_is_late(deadline); agent++) {
        dl_cell *cells = out.cell + (size_t)agent * (size_t)(horizon + 1), start = instance->start[agent];
        real *position = out.position + 2 * (size_t)agent * (size_t)horizon;
        if (x->config->network.trajectory == DL_TRAJECTORY_MAP) {
            out.status = infer_likeliest_path(x, agent, planner, deadline, score, cells);
            if (out.status != DIFFLNS_OK) return out;
            for (int t = 0; t < horizon; t++) set_position(instance->grid, cells[t], position + 2 * t);
        } else {
            const uint8_t *token = x->token + (size_t)agent * (size_t)horizon;
            dl_tokens_rollout(instance->grid, start, token, horizon, cells);
            sum_displacements(instance->grid, start, token, horizon, position);
        }
    }
    dl_arena_rewind(arena, mark);
    return out;
}
