#include "fleet/window.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool dl_window_create(dl_window *window, const dl_grid *grid, int steps)
{
    size_t cells = (size_t)grid->cells, times = (size_t)steps + 1, side = 2 * (size_t)steps + 1;
    assert(steps >= 1 && steps <= DL_WINDOW_MOST);
    *window = (dl_window){.grid = grid, .steps = steps};
    window->taken = DL_ARRAY(uint16_t, cells * times);
    window->seen = DL_ARRAY(uint32_t, side * side * times * (DL_TRIP_GOALS + 1));
    window->node = dl_malloc(sizeof *window->node * DL_SEARCH_NODES);
    window->bucket = dl_malloc(sizeof *window->bucket * DL_SEARCH_BUCKETS);
    window->now = dl_malloc(sizeof *window->now * cells);
    window->next = dl_malloc(sizeof *window->next * cells);
    window->last = dl_malloc(sizeof *window->last * cells);
    window->exits = DL_ARRAY(uint8_t, cells);
    window->dead_ends = DL_ARRAY(uint8_t, cells);
    window->barred = DL_ARRAY(uint8_t, cells);
    if (!window->exits || !window->dead_ends || !window->barred || !window->taken || !window->seen || !window->node ||
        !window->bucket || !window->now || !window->next || !window->last)
        return false;
    memset(window->now, 0xFF, sizeof *window->now * cells);
    memset(window->next, 0xFF, sizeof *window->next * cells);
    for (dl_cell cell = 0; cell < grid->cells; cell++)
        for (int d = 0; d < DL_DIRECTIONS; d++) {
            dl_cell neighbor = grid->neighbor[cell][d];
            if (neighbor == DL_NO_CELL) continue;
            window->exits[cell] |= (uint8_t)(1 << d);
            if (dl_grid_degree(grid, neighbor) == 1) window->dead_ends[cell] |= (uint8_t)(1 << d);
        }
    return true;
}

void dl_window_release(dl_window *window)
{
    void *const memory[] = {window->rank,      window->trip,   window->path,  window->cost,  window->taken,
                            window->node,      window->bucket, window->seen,  window->now,   window->next,
                            window->at,        window->to,     window->turn,  window->stage, window->spare,
                            window->after,     window->last,   window->made,  window->mark,  window->exits,
                            window->dead_ends, window->fixed,  window->barred};
    for (size_t i = 0; i < sizeof memory / sizeof memory[0]; i++) free(memory[i]);
    *window = (dl_window){0};
}

/* Larger arrays that failed to come all the same do no harm: `room` says what counts. */
#define FIT(array, count) dl_fit((void **)&(array), sizeof *(array), (size_t)(count))

static bool dl_fit(void **array, size_t size, size_t count)
{
    void *grown = dl_realloc(*array, count, size);
    if (grown) *array = grown;
    return grown != NULL;
}

bool dl_window_fit(dl_window *window, int robots)
{
    assert(robots <= DL_FLEET_MOST);
    if (robots <= window->room) return true;
    int room = robots < 2 * window->room ? 2 * window->room : robots;
    size_t times = (size_t)window->steps + 1;
    if (!FIT(window->rank, room) || !FIT(window->trip, room) || !FIT(window->path, (size_t)room * times) ||
        !FIT(window->cost, room) || !FIT(window->at, room) || !FIT(window->to, room) || !FIT(window->stage, room) ||
        !FIT(window->turn, room) || !FIT(window->spare, (size_t)room * times) ||
        !FIT(window->after, (size_t)room * times) || !FIT(window->made, room) || !FIT(window->mark, room) ||
        !FIT(window->fixed, room))
        return false;
    memset(window->mark, 0, (size_t)room);
    memset(window->fixed + window->room, 0, (size_t)(room - window->room));
    window->room = room;
    return true;
}

void dl_window_enter(dl_window *window, int robot)
{
    const dl_cell *path = dl_window_path(window, robot);
    assert(robot >= 0 && robot < window->room);
    for (int t = 0; t <= window->steps; t++) {
        assert(dl_window_taken(window, path[t])[t] == 0 || window->fixed[robot]);
        dl_window_taken(window, path[t])[t] = (uint16_t)(robot + 1);
    }
}

void dl_window_leave(dl_window *window, int robot)
{
    const dl_cell *path = dl_window_path(window, robot);
    assert(dl_window_taken(window, path[0])[0] == robot + 1 || window->barred[path[0]]); /* improvement opens those */
    for (int t = 0; t <= window->steps; t++) dl_window_taken(window, path[t])[t] = 0;
}

/* Of the step from at[0] to at[1]. */
static int extra_of_step(const dl_window *window, const dl_trip *trip, int stage, const dl_cell *at)
{
    if (!trip->costs[stage] || at[0] == at[1]) return 0;
    const dl_cell *neighbor = window->grid->neighbor[at[0]];
    int d = 0;
    while (d < DL_DIRECTIONS - 1 && neighbor[d] != at[1]) d++;
    return dl_edge_cost(trip->costs[stage], at[0], d);
}

int dl_window_path_cost(const dl_window *window, int robot)
{
    const dl_trip *trip = &window->trip[robot];
    const dl_cell *path = dl_window_path(window, robot);
    int cost = 0, stage = 0;
    for (int t = 1; t <= window->steps; t++) {
        if (stage < trip->goals)
            cost += DL_STEP_COST + extra_of_step(window, trip, stage, path + t - 1);
        else if (path[t] != path[t - 1])
            cost += DL_MAKE_WAY_COST;
        stage = dl_trip_stage(trip, stage, path[t]);
    }
    return cost + dl_trip_ahead(trip, stage, path[window->steps]);
}

int dl_window_least_cost(const dl_window *window, int robot)
{
    return dl_trip_ahead(&window->trip[robot], 0, dl_window_path(window, robot)[0]);
}

int64_t dl_window_measure(dl_window *window)
{
    int64_t sum = 0;
    for (int i = 0; i < window->robots; i++) {
        int robot = window->rank[i];
        window->cost[robot] = dl_window_path_cost(window, robot);
        sum += (int64_t)window->trip[robot].weight * window->cost[robot];
    }
    return sum;
}

static bool adjacent(const dl_grid *grid, dl_cell from, dl_cell to)
{
    const dl_cell *n = grid->neighbor[from];
    return to == from || to == n[0] || to == n[1] || to == n[2] || to == n[3];
}

bool dl_window_legal(dl_window *window)
{
    bool legal = true;
    for (int i = 0; i < window->robots; i++) {
        int robot = window->rank[i];
        const dl_cell *path = dl_window_path(window, robot);
        legal = legal && path[1] >= 0 && adjacent(window->grid, path[0], path[1]) &&
                (path[1] == path[0] || (window->trip[robot].hold == 0 && dl_window_is_open(window, path[0], path[1])));
        window->now[path[0]] = (uint16_t)robot;
    }
    for (int i = 0; i < window->robots && legal; i++) {
        int robot = window->rank[i];
        const dl_cell *path = dl_window_path(window, robot);
        int other = window->now[path[1]];
        if (window->next[path[1]] != DL_NO_ROBOT) legal = false;
        if (other != DL_NO_ROBOT && other != robot && dl_window_path(window, other)[1] == path[0]) legal = false;
        window->next[path[1]] = (uint16_t)robot;
    }
    for (int i = 0; i < window->robots; i++) {
        const dl_cell *path = dl_window_path(window, window->rank[i]);
        window->now[path[0]] = DL_NO_ROBOT;
        if (path[1] >= 0) window->next[path[1]] = DL_NO_ROBOT;
    }
    return legal;
}
