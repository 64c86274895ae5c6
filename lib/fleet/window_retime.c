/* Retiming: who passes a cell after whom stays as planned, only the times change. Such a plan never needs repair after
 * a delay, however many robots are late. */
#include <assert.h>
#include <string.h>

#include "fleet/window.h"

enum { NOBODY = -1 };

/* after[robot][t]: robot * (steps + 1) + time of the last to be on the cell that `robot` enters at t, before it. */
static void find_order(dl_window *window)
{
    int steps = window->steps, times = steps + 1;
    for (int i = 0; i < window->robots; i++) {
        const dl_cell *path = dl_window_path(window, window->rank[i]);
        for (int t = 0; t <= steps; t++) window->last[path[t]] = NOBODY;
    }
    for (int t = 0; t <= steps; t++) {
        for (int i = 0; i < window->robots && t > 0; i++) {
            int robot = window->rank[i];
            const dl_cell *path = dl_window_path(window, robot);
            int32_t last = path[t] == path[t - 1] ? NOBODY : window->last[path[t]];
            window->after[robot * times + t] = last != NOBODY && last / times == robot ? NOBODY : last;
        }
        for (int i = 0; i < window->robots; i++) {
            int robot = window->rank[i];
            window->last[dl_window_path(window, robot)[t]] = robot * times + t;
        }
    }
}

/* Has the one that must leave first left, or does it leave now? */
static bool may_enter(const dl_window *window, int32_t after, bool now)
{
    if (after == NOBODY) return true;
    int other = after / (window->steps + 1), time = after % (window->steps + 1);
    return window->made[other] > time || (now && window->made[other] == time && window->mark[other]);
}

static bool is_consistent(const dl_window *window, const uint8_t *done)
{
    for (int i = 0; i < window->robots; i++) {
        int robot = window->rank[i];
        for (int t = 1; t <= done[robot]; t++)
            if (!may_enter(window, window->after[robot * (window->steps + 1) + t], false)) return false;
    }
    return true;
}

/* Everybody who may steps: the largest set of robots in which nobody enters a cell before the one ahead leaves it. */
static void step(dl_window *window, int time)
{
    int times = window->steps + 1;
    for (int i = 0; i < window->robots; i++) {
        int robot = window->rank[i];
        window->mark[robot] = window->made[robot] < window->steps && time > window->trip[robot].hold;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < window->robots; i++) {
            int robot = window->rank[i];
            if (!window->mark[robot]) continue;
            if (may_enter(window, window->after[robot * times + window->made[robot] + 1], true)) continue;
            window->mark[robot] = 0;
            changed = true;
        }
    }
    for (int i = 0; i < window->robots; i++) {
        int robot = window->rank[i];
        window->made[robot] = (uint8_t)(window->made[robot] + window->mark[robot]);
        window->spare[robot * times + time] = dl_window_path(window, robot)[window->made[robot]];
        window->mark[robot] = 0;
    }
}

bool dl_window_retime(dl_window *window, const uint8_t *done)
{
    int times = window->steps + 1;
    find_order(window);
    for (int i = 0; i < window->robots; i++) {
        int robot = window->rank[i];
        assert(done[robot] <= window->steps);
        window->made[robot] = done[robot];
        window->spare[robot * times] = dl_window_path(window, robot)[done[robot]];
    }
    if (!is_consistent(window, done)) return false;
    for (int time = 1; time <= window->steps; time++) step(window, time);
    for (int i = 0; i < window->robots; i++) {
        int robot = window->rank[i];
        memcpy(dl_window_path(window, robot), window->spare + robot * times, sizeof(dl_cell) * (size_t)times);
    }
    return true;
}
