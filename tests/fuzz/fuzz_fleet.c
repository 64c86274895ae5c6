/* Fleets that are told wrong things: contradictory observations, far away, on rings, after robots came and went, holds
 * until any tick. Whatever is refused, the robots stand on cells of their own and the next steps are legal. */
#include <string.h>

#include "difflns.h"
#include "fuzz.h"

const bool FUZZ_WITHOUT_MEMORY = true;

enum { MOST_HEIGHT = 6, MOST_WIDTH = 8, MOST_ROBOTS = 24, MOST_CALLS = 400 };

/* Bytes one after the other; behind the end all are 0. */
typedef struct reader {
    const uint8_t *data;
    size_t size, at;
} reader;

typedef struct world {
    reader bytes;
    int height, width;
    uint8_t blocked[MOST_HEIGHT * MOST_WIDTH];
    difflns_fleet *fleet;
    bool present[MOST_ROBOTS];
    int64_t hold[MOST_ROBOTS];
} world;

static int draw(world *w, int n)
{
    reader *r = &w->bytes;
    return (r->at < r->size ? r->data[r->at++] : 0) % n;
}

/* Any cell, free or not, and now and then one outside the map. */
static difflns_cell draw_cell(world *w)
{
    return (difflns_cell){draw(w, w->height + 1), draw(w, w->width + 1)};
}

static bool same(difflns_cell a, difflns_cell b)
{
    return a.row == b.row && a.col == b.col;
}

/* OK, or refused, or out of memory while memory is short. */
static bool done(difflns_status status)
{
    MUST(status == DIFFLNS_OK || status == DIFFLNS_BAD_INPUT || (status == DIFFLNS_OUT_OF_MEMORY && fuzz_starved()));
    return status == DIFFLNS_OK;
}

static void check_positions(const world *w)
{
    for (int a = 0; a < MOST_ROBOTS; a++) {
        difflns_cell at = difflns_fleet_at(w->fleet, a);
        MUST(w->present[a] == (at.row >= 0));
        if (!w->present[a]) continue;
        MUST(at.row < w->height && at.col < w->width && !w->blocked[at.row * w->width + at.col]);
        for (int b = 0; b < a; b++) MUST(!w->present[b] || !same(at, difflns_fleet_at(w->fleet, b)));
    }
}

static void check_steps(const world *w)
{
    for (int a = 0; a < MOST_ROBOTS; a++) {
        if (!w->present[a]) continue;
        difflns_cell at = difflns_fleet_at(w->fleet, a), next = difflns_fleet_next(w->fleet, a);
        int length = abs(at.row - next.row) + abs(at.col - next.col);
        MUST(length <= 1 && (length == 0 || difflns_fleet_now(w->fleet) >= w->hold[a]));
        MUST(!w->blocked[next.row * w->width + next.col]);
        for (int b = 0; b < a; b++) {
            if (!w->present[b]) continue;
            MUST(!same(next, difflns_fleet_next(w->fleet, b)));
            MUST(length == 0 || !same(next, difflns_fleet_at(w->fleet, b)) ||
                 !same(at, difflns_fleet_next(w->fleet, b)));
        }
    }
}

static void add(world *w)
{
    int robot;
    if (difflns_fleet_robots(w->fleet) == MOST_ROBOTS) return;
    if (!done(difflns_fleet_add(w->fleet, draw_cell(w), &robot, NULL))) return;
    MUST(robot >= 0 && robot < MOST_ROBOTS && !w->present[robot]);
    w->present[robot] = true;
    w->hold[robot] = 0;
}

static void remove_robot(world *w, int robot)
{
    MUST(done(difflns_fleet_remove(w->fleet, robot, NULL)) == w->present[robot]);
    w->present[robot] = false;
}

static void hold(world *w, int robot)
{
    static const int64_t SOON = 3;
    const int64_t until[] = {difflns_fleet_now(w->fleet) + SOON, INT64_MIN, -1, 0, INT64_MAX, INT64_MAX - 1};
    int64_t chosen = until[draw(w, 6)];
    if (done(difflns_fleet_hold(w->fleet, robot, chosen, NULL))) w->hold[robot] = chosen;
}

/* Beside its cell, or anywhere. */
static void observe(world *w, int robot)
{
    static const int AWAY[5][2] = {{0, 0}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    difflns_cell at = difflns_fleet_at(w->fleet, robot);
    int way = draw(w, 6);
    difflns_cell seen = way < 5 ? (difflns_cell){at.row + AWAY[way][0], at.col + AWAY[way][1]} : draw_cell(w);
    if (!done(difflns_fleet_observe(w->fleet, robot, seen, NULL))) return;
    MUST(same(difflns_fleet_at(w->fleet, robot), seen));
}

static void plan(world *w)
{
    difflns_status status = difflns_fleet_plan(w->fleet, draw(w, 8) == 0 ? 0 : 1000, NULL);
    if (!done(status)) return;
    check_steps(w);
}

static void call(world *w)
{
    int robot = draw(w, MOST_ROBOTS);
    switch (draw(w, 16)) {
    case 0:
        remove_robot(w, robot);
        break;
    case 1:
        hold(w, robot);
        break;
    case 2:
        done(difflns_fleet_clear_goals(w->fleet, robot, NULL));
        break;
    case 3:
        done(difflns_fleet_set_window(w->fleet, draw(w, 20), NULL));
        break;
    case 4:
    case 5:
        add(w);
        break;
    case 6:
    case 7:
    case 8:
        done(difflns_fleet_add_goal(w->fleet, robot, draw_cell(w), NULL));
        break;
    case 9:
    case 10:
        plan(w);
        break;
    case 11:
    case 12:
        MUST(difflns_fleet_tick(w->fleet, NULL) == DIFFLNS_OK);
        break;
    default:
        observe(w, robot);
    }
}

void fuzz_one(const uint8_t *data, size_t size)
{
    world w = {.bytes = {data, size, 0}};
    w.height = 1 + draw(&w, MOST_HEIGHT);
    w.width = 1 + draw(&w, MOST_WIDTH);
    for (int i = 0; i < w.height * w.width; i++) w.blocked[i] = draw(&w, 4) == 3;
    difflns_map *map;
    if (!done(difflns_map_create(w.height, w.width, w.blocked, &map, NULL))) return;
    if (done(difflns_fleet_create(map, &w.fleet, NULL))) {
        int robots = draw(&w, MOST_ROBOTS);
        for (int i = 0; i < robots; i++) add(&w);
        done(difflns_fleet_set_iterations(w.fleet, draw(&w, 40) - 1, NULL));
        for (int calls = 0; calls < MOST_CALLS && w.bytes.at < w.bytes.size; calls++) {
            call(&w);
            check_positions(&w);
        }
    }
    difflns_fleet_free(w.fleet);
    difflns_map_free(map);
}
