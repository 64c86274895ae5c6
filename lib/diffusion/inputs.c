#include "diffusion/inputs.h"

#include <assert.h>
#include <string.h>

#include "diffusion/social_graph.h"
#include "diffusion/tokens.h"

/* A blocked move is worse than any legal one, which changes the distance by at most 1. */
static const real BLOCKED_COST = 2;

/* The cell each action leads to; DL_NO_CELL where blocked. */
static void targets(const dl_grid *grid, dl_cell cell, dl_cell target[DL_ACTIONS])
{
    target[DL_STAY] = cell;
    memcpy(target + 1, grid->neighbor[cell], sizeof grid->neighbor[cell]);
}

/* [(T+1)*cells]: how many inferred trajectories are on a cell at each time. NULL when memory is out. */
static uint8_t *count_occupants(const dl_trajectory *trajectory, const dl_grid *grid, dl_arena *arena)
{
    size_t cells = (size_t)grid->cells;
    uint8_t *count = dl_arena_calloc(arena, cells * (size_t)(trajectory->horizon + 1));
    for (int agent = 0; count && agent < trajectory->agents; agent++) {
        const dl_cell *path = dl_trajectory_of(trajectory, agent);
        for (int t = 0; t <= trajectory->horizon; t++) {
            uint8_t *here = &count[(size_t)t * cells + (size_t)path[t]];
            *here = *here < UINT8_MAX ? *here + 1 : UINT8_MAX;
        }
    }
    return count;
}

static void fill_row(const dl_grid *grid, const dl_feature_layout *layout, const dl_field *distance,
                     const uint8_t *count_now, dl_cell here, dl_cell next, real *row)
{
    dl_cell target[DL_ACTIONS];
    targets(grid, here, target);
    if (layout->inferred >= 0) row[layout->inferred + dl_action_between(grid, here, next)] = 1;
    if (layout->cost >= 0)
        for (int a = 0; a < DL_ACTIONS; a++)
            row[layout->cost + a] = target[a] == DL_NO_CELL
                                        ? BLOCKED_COST
                                        : (real)(dl_field_at(distance, target[a]) - dl_field_at(distance, here));
    if (layout->occupancy < 0) return;
    const uint8_t *count_next = count_now + grid->cells;
    for (int a = 0; a < DL_ACTIONS; a++) {
        if (target[a] == DL_NO_CELL) continue;
        row[layout->occupancy + a] = (real)(count_now[target[a]] - (target[a] == here));
        row[layout->occupancy + DL_ACTIONS + a] = (real)(count_next[target[a]] - (target[a] == next));
    }
}

static real *build_features(const dl_noisy_plan *x, const dl_trajectory *trajectory, const dl_deadline *deadline,
                            dl_arena *arena)
{
    const dl_grid *grid = x->scene->instance->grid;
    dl_feature_layout layout = dl_config_features(x->config);
    size_t horizon = (size_t)x->horizon, tokens = (size_t)trajectory->agents * horizon, width = (size_t)layout.count;
    real *features = dl_arena_calloc(arena, sizeof(real) * tokens * width);
    dl_arena_mark mark = dl_arena_position(arena);
    const uint8_t *count = layout.occupancy >= 0 ? count_occupants(trajectory, grid, arena) : NULL;
    if (!features || (layout.occupancy >= 0 && !count)) return NULL;
    for (int agent = 0; agent < trajectory->agents && !dl_is_late(deadline); agent++) {
        const dl_cell *path = dl_trajectory_of(trajectory, agent);
        const dl_field *distance = dl_distance_acquire(x->scene->distance, agent);
        if (!distance) return NULL;
        for (size_t t = 0; t < horizon; t++) {
            size_t token = (size_t)agent * horizon + t;
            real *row = features + token * width;
            assert(x->token[token] < DL_ACTIONS);
            row[layout.noisy + x->token[token]] = 1;
            fill_row(grid, &layout, distance, count ? count + t * (size_t)grid->cells : NULL, path[t], path[t + 1],
                     row);
        }
        dl_distance_release(x->scene->distance, agent);
    }
    dl_arena_rewind(arena, mark);
    return features;
}

dl_denoiser_input dl_inputs_build(const dl_noisy_plan *x, dl_likeliest *planner, const dl_deadline *deadline,
                                  dl_arena *arena)
{
    const dl_instance *instance = x->scene->instance;
    dl_trajectory trajectory = dl_trajectory_infer(x, planner, deadline, arena);
    if (trajectory.status != DIFFLNS_OK) return (dl_denoiser_input){.status = trajectory.status};
    if (dl_is_late(deadline)) return (dl_denoiser_input){.deadline = deadline};
    dl_social_graph graph = dl_social_graph_build(x, trajectory.position, deadline, arena);
    size_t tokens = (size_t)instance->agents * (size_t)x->horizon;
    real *entropy = DL_ARENA_ARRAY(arena, real, tokens);
    const real *features = build_features(x, &trajectory, deadline, arena);
    if (!graph.neighbor || !entropy || !features) return (dl_denoiser_input){.status = DIFFLNS_OUT_OF_MEMORY};
    /* x_k itself is one-hot; what it leaves open about the clean token is the same for all tokens of a step. */
    for (size_t i = 0; i < tokens; i++) entropy[i] = (real)dl_schedule_entropy(x->schedule, x->k);
    return (dl_denoiser_input){
        .agents = instance->agents,
        .horizon = x->horizon,
        .step = x->k,
        .features = features,
        .position = trajectory.position,
        .entropy = entropy,
        .neighbors = graph.width,
        .neighbor = graph.neighbor,
        .start = x->scene->start,
        .goal = x->scene->goal,
        .height = instance->grid->height,
        .width = instance->grid->width,
        .free_cells = instance->grid->cells,
        .map = x->scene->map,
        .deadline = deadline,
    };
}
