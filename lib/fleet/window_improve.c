/* Improvement of a window by large neighborhood search: a robot that loses time, those in its way and those in theirs
 * give up their paths and search new ones, one after the other, around everybody else. */
#include <limits.h>
#include <string.h>

#include "fleet/window.h"

/* Small groups fail less, large ones can do more: sizes are drawn between these. */
enum { GROUP_LEAST = 2, GROUP_MOST = 10 };
/* The seed of a group is the one that loses most of so many drawn at random. */
enum { SEED_DRAWS = 3 };

typedef struct group {
    int count, wanted;
    uint16_t robot[GROUP_MOST];
} group;

static void add(dl_window *window, group *g, int robot)
{
    if (g->count == g->wanted || robot == DL_BARRED || window->fixed[robot] || window->mark[robot]) return;
    window->mark[robot] = 1;
    g->robot[g->count++] = (uint16_t)robot;
}

static int64_t lost(const dl_window *window, int robot)
{
    return (int64_t)window->trip[robot].weight * (window->cost[robot] - dl_window_least_cost(window, robot));
}

static int draw_robot(dl_window *window)
{
    return window->rank[dl_rng_below(&window->rng, (uint32_t)window->robots)];
}

static int draw_seed(dl_window *window)
{
    int seed = draw_robot(window);
    for (int i = 1; i < SEED_DRAWS; i++) {
        int other = draw_robot(window);
        if (lost(window, other) > lost(window, seed)) seed = other;
    }
    return seed;
}

/* Adds those who keep `robot` from coming closer at some step of its path. */
static void add_blockers(dl_window *window, group *g, int robot)
{
    const dl_trip *trip = &window->trip[robot];
    const dl_cell *path = dl_window_path(window, robot);
    for (int t = 0, stage = 0; t < window->steps && stage < trip->goals; t++) {
        int ahead = dl_trip_ahead(trip, stage, path[t]);
        int next_stage = dl_trip_stage(trip, stage, path[t + 1]);
        if (dl_trip_ahead(trip, next_stage, path[t + 1]) >= ahead && t >= trip->hold)
            for (int d = 0; d < DL_DIRECTIONS; d++) {
                dl_cell near = window->grid->neighbor[path[t]][d];
                if (near == DL_NO_CELL || dl_trip_ahead(trip, stage, near) >= ahead) continue;
                const uint16_t *there = dl_window_taken(window, near) + t;
                if (there[1]) add(window, g, there[1] - 1);
                if (there[0]) add(window, g, there[0] - 1);
            }
        stage = next_stage;
    }
}

/* Adds somebody who crosses the way of a member. */
static void add_neighbor(dl_window *window, group *g)
{
    const dl_cell *path = dl_window_path(window, g->robot[dl_rng_below(&window->rng, (uint32_t)g->count)]);
    uint32_t draw = dl_rng_u32(&window->rng);
    int t = (int)(draw / DL_DIRECTIONS % (uint32_t)(window->steps + 1));
    dl_cell near = window->grid->neighbor[path[t]][draw % DL_DIRECTIONS];
    if (near == DL_NO_CELL) return;
    int other = dl_window_taken(window, near)[t];
    if (other) add(window, g, other - 1);
}

static void gather(dl_window *window, group *g)
{
    g->count = 0;
    g->wanted = GROUP_LEAST + (int)dl_rng_below(&window->rng, GROUP_MOST - GROUP_LEAST + 1);
    add(window, g, draw_seed(window));
    for (int i = 0; i < g->count; i++) add_blockers(window, g, g->robot[i]);
    for (int tries = 0; tries < 2 * GROUP_MOST && g->count > 0 && g->count < g->wanted; tries++)
        add_neighbor(window, g);
    for (int i = 0; i < g->count; i++) window->mark[g->robot[i]] = 0;
}

static void shuffle(dl_window *window, group *g)
{
    for (int i = g->count - 1; i > 0; i--) {
        int j = (int)dl_rng_below(&window->rng, (uint32_t)i + 1);
        uint16_t swap = g->robot[i];
        g->robot[i] = g->robot[j];
        g->robot[j] = swap;
    }
}

/* Replans the group; true if that costs less. Whatever does not cost more is kept. */
static bool replan(dl_window *window, const group *g)
{
    size_t bytes = sizeof(dl_cell) * (size_t)(window->steps + 1);
    int32_t before[GROUP_MOST];
    int64_t old = 0, reserve = 0, spent = 0; /* reserve: what those not yet planned cost at least */
    for (int i = 0; i < g->count; i++) {
        int robot = g->robot[i];
        dl_window_leave(window, robot);
        memcpy(window->spare + (size_t)i * (size_t)(window->steps + 1), dl_window_path(window, robot), bytes);
        before[i] = window->cost[robot];
        old += (int64_t)window->trip[robot].weight * before[i];
        reserve += (int64_t)window->trip[robot].weight * dl_window_least_cost(window, robot);
    }
    int planned = 0;
    for (; planned < g->count; planned++) {
        int robot = g->robot[planned];
        int64_t weight = window->trip[robot].weight;
        reserve -= weight * dl_window_least_cost(window, robot);
        int cost = dl_window_search(window, robot, (int)((old - spent - reserve) / weight));
        if (cost == DL_NO_PATH) break;
        spent += weight * cost;
        window->cost[robot] = cost;
        dl_window_enter(window, robot);
    }
    if (planned == g->count) return spent < old;
    for (int i = 0; i < planned; i++) dl_window_leave(window, g->robot[i]);
    for (int i = 0; i < g->count; i++) {
        int robot = g->robot[i];
        memcpy(dl_window_path(window, robot), window->spare + (size_t)i * (size_t)(window->steps + 1), bytes);
        window->cost[robot] = before[i];
        dl_window_enter(window, robot);
    }
    return false;
}

/* Nobody else goes where only robots with fixed paths may; or may again. */
static void bar(dl_window *window, bool barred)
{
    if (window->barred_cells == 0) return; /* a large map has many to look at */
    for (dl_cell cell = 0; cell < window->grid->cells; cell++) {
        if (!window->barred[cell]) continue;
        uint16_t *taken = dl_window_taken(window, cell);
        for (int t = 0; t <= window->steps; t++)
            if (!barred || !taken[t]) taken[t] = barred ? DL_BARRED + 1 : 0;
    }
}

static bool is_barred(const dl_window *window, int robot)
{
    const dl_cell *path = dl_window_path(window, robot);
    bool barred = false;
    for (int t = 1; t <= window->steps && !window->fixed[robot]; t++) barred |= window->barred[path[t]];
    return barred;
}

bool dl_window_clear(dl_window *window)
{
    for (int i = 0; i < window->robots; i++) {
        int robot = window->rank[i];
        window->made[robot] = is_barred(window, robot);
        if (!window->made[robot]) dl_window_enter(window, robot);
    }
    bar(window, true);
    bool clear = true;
    for (int i = 0; i < window->robots && clear; i++) {
        int robot = window->rank[i];
        if (!window->made[robot]) continue;
        clear = dl_window_search(window, robot, INT_MAX) != DL_NO_PATH;
        window->made[robot] = !clear;
        if (clear) dl_window_enter(window, robot);
    }
    bar(window, false);
    for (int i = 0; i < window->robots; i++)
        if (!window->made[window->rank[i]]) dl_window_leave(window, window->rank[i]);
    return clear;
}

int64_t dl_window_improve(dl_window *window, const dl_window_effort *effort)
{
    if (window->robots == 0) return 0;
    for (int i = 0; i < window->robots; i++) dl_window_enter(window, window->rank[i]);
    bar(window, true);
    int64_t iteration = 0, gained = 0;
    group g = {0};
    for (; iteration < effort->iterations && iteration - gained < effort->patience; iteration++) {
        if (dl_deadline_passed(&effort->deadline)) break;
        gather(window, &g);
        shuffle(window, &g);
        if (replan(window, &g)) gained = iteration;
    }
    bar(window, false);
    for (int i = 0; i < window->robots; i++) dl_window_leave(window, window->rank[i]);
    return iteration;
}
