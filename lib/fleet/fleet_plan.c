/* One tick's planning: from the plan being driven, or from nothing, to the next window. */
#include <string.h>

#include "fleet/fleet.h"

/* A robot's cost counts once more for each of these ticks it has been on the way to its goal. */
enum { WEIGHT_TICKS = 32 };
/* Improvement ends when so many iterations per robot have brought nothing. */
enum { SETTLED = 2 };

/* A robot that has the right of way among its neighbors and still comes no nearer for so many ticks gives it up for the
 * time being: then the others resolve what it can't. Drawn between the two, so that no two take turns for ever. */
enum { PATIENCE_LEAST = 12, PATIENCE_MOST = 36 };

static bool is_most_urgent_around(const dl_fleet *fleet, const dl_robot *r)
{
    for (int d = 0; d < DL_DIRECTIONS; d++) {
        dl_cell near = fleet->grid->neighbor[r->at][d];
        int other = near == DL_NO_CELL ? DL_NO_ROBOT : fleet->on[near];
        if (other != DL_NO_ROBOT && fleet->robot[other].goals > 0 && fleet->robot[other].since < r->since) return false;
    }
    return true;
}

static void watch_progress(dl_fleet *fleet)
{
    for (int i = 0; i < fleet->window.robots; i++) {
        dl_robot *r = &fleet->robot[fleet->window.rank[i]];
        if (r->goals == 0 || !r->field[0]) continue;
        int distance = dl_field_at(r->field[0], r->at);
        if (distance < r->nearest) {
            r->nearest = distance;
            r->nearer = fleet->now;
        }
        int patience = PATIENCE_LEAST + (int)dl_rng_below(&fleet->window.rng, PATIENCE_MOST - PATIENCE_LEAST + 1);
        if (fleet->now - r->nearer < patience || !is_most_urgent_around(fleet, r)) continue;
        r->since = r->nearer = fleet->now;
        r->nearest = distance;
    }
}

static bool is_more_urgent(const dl_fleet *fleet, int a, int b)
{
    const dl_robot *x = &fleet->robot[a], *y = &fleet->robot[b];
    if ((x->goals > 0) != (y->goals > 0)) return x->goals > 0;
    return x->since < y->since;
}

/* Those longest on their way first. The order is nearly right from the last tick: insertion. */
static void rank_robots(dl_fleet *fleet)
{
    uint16_t *rank = fleet->window.rank;
    for (int i = 1; i < fleet->window.robots; i++) {
        uint16_t robot = rank[i];
        int place = i;
        for (; place > 0 && is_more_urgent(fleet, robot, rank[place - 1]); place--) rank[place] = rank[place - 1];
        rank[place] = robot;
    }
}

static void set_errand(const dl_fleet *fleet, int robot, dl_errand *errand)
{
    const dl_robot *r = &fleet->robot[robot];
    int64_t hold = r->hold - fleet->now;
    *errand = (dl_errand){.weight = 1};
    if (hold > 0) errand->hold = hold > fleet->window.steps ? fleet->window.steps : (int)hold;
    while (errand->goals < DL_ERRAND_GOALS && errand->goals < r->goals && r->field[errand->goals]) {
        int k = errand->goals++;
        errand->goal[k] = r->queue[r->first + k];
        errand->field[k] = r->field[k];
        if (k > 0) errand->beyond[k - 1] = dl_field_at(r->field[k], errand->goal[k - 1]);
    }
    if (errand->goals > 0) errand->weight += (int)((fleet->now - r->since) / WEIGHT_TICKS);
}

/* How many steps of the plan a robot has made: -1 if it is on none of the cells it can have got to. */
static int steps_made(const dl_fleet *fleet, int robot)
{
    const dl_cell *path = dl_window_path(&fleet->window, robot);
    int made = fleet->ticks;
    while (made >= 0 && path[made] != fleet->robot[robot].at) made--;
    return made;
}

/* The plan being driven, from where the robots are. */
static bool go_on(dl_fleet *fleet)
{
    dl_window *window = &fleet->window;
    if (!fleet->planned) return false;
    for (int i = 0; i < window->robots; i++) {
        int made = steps_made(fleet, window->rank[i]);
        if (made < 0) return false;
        fleet->driven[window->rank[i]] = (uint8_t)made;
    }
    if (!dl_window_retime(window, fleet->driven)) return false;
    dl_window_pibt(window, window->steps - 1);
    return true;
}

static void begin(dl_fleet *fleet)
{
    dl_window *window = &fleet->window;
    for (int i = 0; i < window->robots; i++) {
        int robot = window->rank[i];
        dl_window_path(window, robot)[0] = fleet->robot[robot].at;
    }
    dl_window_pibt(window, 0);
}

/* The cheaper of the two: the plan being driven knows no goals that came since, a new one none of its improvements. */
static void start(dl_fleet *fleet)
{
    dl_window *window = &fleet->window;
    size_t bytes = sizeof *window->path * (size_t)window->room * (size_t)(window->steps + 1);
    bool warm = fleet->iterations != 0 && go_on(fleet);
    int64_t cost = warm ? dl_window_measure(window) : INT64_MAX;
    if (warm) memcpy(window->spare, window->path, bytes);
    begin(fleet);
    if (warm && cost <= dl_window_measure(window)) memcpy(window->path, window->spare, bytes);
}

/* Nobody moves: always legal. */
static void stand_still(dl_fleet *fleet)
{
    dl_window *window = &fleet->window;
    for (int i = 0; i < window->robots; i++) {
        int robot = window->rank[i];
        dl_cell *path = dl_window_path(window, robot);
        for (int t = 0; t <= window->steps; t++) path[t] = fleet->robot[robot].at;
    }
}

dl_status dl_fleet_plan(dl_fleet *fleet, const dl_deadline *deadline, dl_error *err)
{
    dl_window *window = &fleet->window;
    window->rng = dl_rng_stream(fleet->seed, DL_PURPOSE('f', 'l', 'e', 'e'), (uint64_t)fleet->now);
    dl_fleet_take_goals(fleet, deadline);
    watch_progress(fleet);
    rank_robots(fleet);
    for (int i = 0; i < window->robots; i++) set_errand(fleet, window->rank[i], &window->errand[window->rank[i]]);
    fleet->spent = 0;
    start(fleet);
    if (fleet->iterations != 0) {
        dl_window_effort effort = {.iterations = fleet->iterations, .deadline = *deadline};
        effort.patience = (int64_t)SETTLED * window->robots;
        if (fleet->iterations == DL_FLEET_SETTLED) effort.iterations = INT64_MAX;
        dl_window_measure(window);
        fleet->spent = dl_window_improve(window, &effort);
    }
    fleet->planned = true;
    fleet->astray = false;
    fleet->ticks = 0;
    if (dl_window_legal(window)) return DIFFLNS_OK;
    stand_still(fleet);
    return dl_fail(err, DIFFLNS_INTERNAL, "tick %lld: the planned step was not legal, so that everybody waits",
                   (long long)fleet->now);
}
