#include "generate/generate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generate/generate_map.h"

static const dl_map_maker *const MAKER[] = {
    [DL_MAP_RANDOM] = &DL_RANDOM_MAPS,
    [DL_MAP_MAZE] = &DL_MAZE_MAPS,
    [DL_MAP_ROOM] = &DL_ROOM_MAPS,
    [DL_MAP_WAREHOUSE] = &DL_WAREHOUSE_MAPS,
};

#define MAZE_WALLS  .density = 0.4, .wall_length = 4, .straightness = 0.8, .connected = 0.97
#define ROOM_DOORS  .room_size = 3, .least_doors = 55, .most_doors = 71, .connected = 1
#define SHELVES_3X3 .shelf_height = 3, .shelf_width = 3, .shelf_columns = 4, .row_gap = 1, .column_gap = 1

static const dl_generate_params PRESET[] = {
    {.family = "small-random", .kind = DL_MAP_RANDOM, .height = 10, .width = 10, .density = 0.17},
    {.family = "medium-maze", .kind = DL_MAP_MAZE, .height = 25, .width = 25, MAZE_WALLS},
    {.family = "medium-room", .kind = DL_MAP_ROOM, .height = 23, .width = 23, ROOM_DOORS},
    {.family = "medium-warehouse",
     .kind = DL_MAP_WAREHOUSE,
     SHELVES_3X3,
     .shelf_rows = 6,
     .end_strip = 1,
     .side_strip = 5},
    {.family = "large-maze", .kind = DL_MAP_MAZE, .height = 33, .width = 33, MAZE_WALLS},
    {.family = "random", .kind = DL_MAP_RANDOM, .height = 23, .width = 23, .density = 0.17},
    {.family = "maze", .kind = DL_MAP_MAZE, .height = 23, .width = 23, MAZE_WALLS},
    {.family = "room", .kind = DL_MAP_ROOM, .height = 23, .width = 23, ROOM_DOORS},
    /* One row of shelves less and wider ends, narrower sides: 180 of 529 cells, 34.0% against 34.6% at 25x25. */
    {.family = "warehouse", .kind = DL_MAP_WAREHOUSE, SHELVES_3X3, .shelf_rows = 5, .end_strip = 2, .side_strip = 4},
};
enum { PRESETS = sizeof PRESET / sizeof PRESET[0] };

/* Maps are redrawn until one is connected enough and holds the agents. The patience is counted in squares drawn, so
 * that hopeless parameters are refused within about a second on maps of every size. */
static const int64_t PATIENCE = (int64_t)1 << 26;
enum { LEAST_ATTEMPTS = 16 };

void dl_generator_scratch_free(dl_generator_scratch *scratch)
{
    dl_arena_free(&scratch->arena);
}

const char *dl_generate_preset_name(int index)
{
    return index >= 0 && index < PRESETS ? PRESET[index].family : NULL;
}

dl_status dl_generate_preset(const char *family, dl_generate_params *out, dl_error *err)
{
    for (int i = 0; i < PRESETS; i++)
        if (strcmp(PRESET[i].family, family) == 0) {
            *out = PRESET[i];
            return DIFFLNS_OK;
        }
    char names[256] = "";
    for (int i = 0; i < PRESETS; i++) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s",
                 i == 0            ? ""
                 : i + 1 < PRESETS ? ", "
                                   : " or ",
                 PRESET[i].family);
    }
    return dl_fail(err, DIFFLNS_BAD_INPUT, "unknown family \"%.40s\": expected %s", family, names);
}

static dl_status within(const dl_generate_params *params, const char *what, int value, int low, int high, dl_error *err)
{
    if (value >= low && value <= high) return DIFFLNS_OK;
    return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: %s %d: expected %d to %d", params->family, what, value, low, high);
}

static dl_status is_share(const dl_generate_params *params, const char *what, double value, dl_error *err)
{
    if (value >= 0 && value <= 1) return DIFFLNS_OK;
    return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: %s %g: expected 0 to 1", params->family, what, value);
}

static dl_status set_warehouse_sides(dl_generate_params *params, dl_error *err)
{
    DL_TRY(within(params, "shelf height", params->shelf_height, 1, DL_MAX_SIDE, err));
    DL_TRY(within(params, "shelf width", params->shelf_width, 1, DL_MAX_SIDE, err));
    DL_TRY(within(params, "rows of shelves", params->shelf_rows, 1, DL_MAX_SIDE, err));
    DL_TRY(within(params, "columns of shelves", params->shelf_columns, 1, DL_MAX_SIDE, err));
    DL_TRY(within(params, "row gap", params->row_gap, 0, DL_MAX_SIDE, err));
    DL_TRY(within(params, "column gap", params->column_gap, 0, DL_MAX_SIDE, err));
    DL_TRY(within(params, "end strip", params->end_strip, 0, DL_MAX_SIDE, err));
    DL_TRY(within(params, "side strip", params->side_strip, 0, DL_MAX_SIDE, err));
    params->height = dl_warehouse_height(params);
    params->width = dl_warehouse_width(params);
    return DIFFLNS_OK;
}

static int cells_needed(const dl_generate_params *params)
{
    return params->placement == DL_PLACE_DISJOINT ? 2 * params->agents : params->agents;
}

/* Checks the parameters and fills in what follows from others. */
static dl_status settle(dl_generate_params *params, dl_error *err)
{
    const dl_map_maker *maker = MAKER[params->kind];
    DL_TRY(within(params, "agents", params->agents, 1, DL_MAX_AGENTS, err));
    if (params->kind == DL_MAP_WAREHOUSE) DL_TRY(set_warehouse_sides(params, err));
    DL_TRY(within(params, "height", params->height, 1, DL_MAX_SIDE, err));
    DL_TRY(within(params, "width", params->width, 1, DL_MAX_SIDE, err));
    DL_TRY(is_share(params, "connected share", params->connected, err));
    DL_TRY(is_share(params, "density", params->density, err));
    DL_TRY(is_share(params, "straightness", params->straightness, err));
    DL_TRY(maker->check(params, err));
    int most = maker->most_free_cells(params);
    if (cells_needed(params) > most)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: %d agents need %d free cells%s, its maps have at most %d",
                       params->family, params->agents, cells_needed(params),
                       params->placement == DL_PLACE_DISJOINT ? " for disjoint starts and goals" : "", most);
    return DIFFLNS_OK;
}

dl_status dl_generate_check(const dl_generate_params *params, dl_error *err)
{
    dl_generate_params settled = *params;
    return settle(&settled, err);
}

/* Free cells of the map, and of its largest component. Floods a copy with a blocked ring, so that no step needs a
 * bounds check. False when memory is out. */
static bool measure(const dl_generate_params *params, dl_arena *arena, const uint8_t *blocked, int *cells, int *largest)
{
    int pitch = params->width + 2, area = pitch * (params->height + 2), top = 0;
    uint8_t *closed = dl_arena_alloc(arena, (size_t)area);
    int32_t *stack = DL_ARENA_ARRAY(arena, int32_t, area);
    if (!closed || !stack) return false;
    memset(closed, 1, (size_t)area);
    for (int row = 0; row < params->height; row++)
        memcpy(&closed[(row + 1) * pitch + 1], &blocked[row * params->width], (size_t)params->width);
    const int step[DL_DIRECTIONS] = {-pitch, pitch, -1, 1};
    *cells = *largest = 0;
    for (int seed = pitch + 1; seed < area - pitch; seed++) {
        if (closed[seed]) continue;
        int size = 0;
        closed[seed] = 1;
        stack[top++] = seed;
        while (top > 0) {
            int at = stack[--top];
            size++;
            for (int d = 0; d < DL_DIRECTIONS; d++) {
                int next = at + step[d];
                if (closed[next]) continue;
                closed[next] = 1;
                stack[top++] = next;
            }
        }
        *cells += size;
        if (size > *largest) *largest = size;
    }
    return true;
}

/* Draws maps until one will do. */
static dl_status draw_map(const dl_generate_params *params, uint64_t seed, dl_arena *arena, uint8_t **out,
                          dl_error *err)
{
    dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('m', 'a', 'p', 's'), 0);
    size_t area = (size_t)params->height * (size_t)params->width;
    uint8_t *blocked = dl_arena_alloc(arena, area);
    if (!blocked) return dl_out_of_memory(err);
    dl_arena_mark mark = dl_arena_position(arena);
    int64_t attempts = PATIENCE / (int64_t)area;
    if (attempts < LEAST_ATTEMPTS) attempts = LEAST_ATTEMPTS;
    for (int64_t attempt = 0; attempt < attempts; attempt++) {
        int cells, largest;
        memset(blocked, 0, area);
        bool fits = MAKER[params->kind]->draw(params, &rng, arena, blocked) &&
                    measure(params, arena, blocked, &cells, &largest);
        dl_arena_rewind(arena, mark);
        if (!fits) return dl_out_of_memory(err);
        bool connected = (int64_t)largest * DL_MILLION >= cells * dl_millionths(params->connected);
        if (connected && largest >= cells_needed(params)) {
            *out = blocked;
            return DIFFLNS_OK;
        }
    }
    return dl_fail(err, DIFFLNS_BAD_INPUT,
                   "%s: seed %llu: no map with %d cells in one component that holds %g%% of the free cells turned "
                   "up: expected other parameters or fewer agents",
                   params->family, (unsigned long long)seed, cells_needed(params), 100 * params->connected);
}

/* Puts `count` cells of the largest component, drawn without repetition, first in `cell` [component_size]. */
static void draw_cells(const dl_grid *grid, dl_rng rng, dl_cell *cell, int count)
{
    int home = dl_grid_largest_component(grid), cells = 0;
    for (dl_cell c = 0; c < grid->cells; c++)
        if (grid->component[c] == home) cell[cells++] = c;
    for (int i = 0; i < count; i++) {
        int pick = i + (int)dl_rng_below(&rng, (uint32_t)(cells - i));
        dl_cell swap = cell[i];
        cell[i] = cell[pick];
        cell[pick] = swap;
    }
}

static dl_task *place_agents(const dl_generate_params *params, uint64_t seed, const dl_grid *grid, dl_arena *arena)
{
    dl_rng start_rng = dl_rng_stream(seed, DL_PURPOSE('s', 't', 'r', 't'), 0);
    dl_rng goal_rng = dl_rng_stream(seed, DL_PURPOSE('g', 'o', 'a', 'l'), 0);
    dl_cell *start = DL_ARENA_ARRAY(arena, dl_cell, grid->cells), *goal = DL_ARENA_ARRAY(arena, dl_cell, grid->cells);
    dl_task *tasks = DL_ARENA_ARRAY(arena, dl_task, params->agents);
    if (!start || !goal || !tasks) return NULL;
    bool disjoint = params->placement == DL_PLACE_DISJOINT;
    draw_cells(grid, start_rng, start, disjoint ? 2 * params->agents : params->agents);
    if (!disjoint) draw_cells(grid, goal_rng, goal, params->agents);
    for (int i = 0; i < params->agents; i++) /* disjoint: starts and goals in turn from one draw */
        tasks[i] = (dl_task){.start = dl_grid_position(grid, start[disjoint ? 2 * i : i]),
                             .goal = dl_grid_position(grid, disjoint ? start[2 * i + 1] : goal[i])};
    return tasks;
}

dl_status dl_generate(const dl_generate_params *params, uint64_t seed, dl_generator_scratch *scratch, dl_instance **out,
                      dl_error *err)
{
    *out = NULL;
    dl_generate_params settled = *params;
    DL_TRY(settle(&settled, err));
    dl_arena *arena = &scratch->arena;
    dl_arena_reset(arena);
    uint8_t *blocked = NULL;
    DL_TRY(draw_map(&settled, seed, arena, &blocked, err));
    dl_grid *grid;
    DL_TRY(dl_grid_create(settled.height, settled.width, blocked, &grid, err));
    char name[96];
    snprintf(name, sizeof name, "%.40s-%d-%llu.map", settled.family, settled.agents, (unsigned long long)seed);
    dl_task *tasks = place_agents(&settled, seed, grid, arena);
    if (!tasks) {
        dl_grid_free(grid);
        return dl_out_of_memory(err);
    }
    return dl_instance_create(grid, name, "generator", settled.agents, tasks, out, err);
}
