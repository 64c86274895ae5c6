/* Every robot of a fleet reaches its goals, again and again, unless it is said to be stuck, and then it is: on all
 * small maps against what moves can reach, and in mazes and rooms up to 90 % full. */
#include <math.h>

#include "live/simulation.h"
#include "support_worlds.h"

/* ---- Small worlds ---- */

/* Goals that every robot must reach, and the ticks in which it must. */
enum { GOALS = 2, BOUND = 2500 };

typedef struct driven {
    const world *w;
    const world_reach *reach;
    difflns_map *map;
    difflns_fleet *fleet;
    int robots;
    dl_rng rng;
    int at[WORLD_MAX_CELLS]; /* [robots] cells */
} driven;

static difflns_cell position(const driven *d, int cell)
{
    return dl_grid_position(d->w->grid, (dl_cell)cell);
}

static bool can_reach(const driven *d, int robot)
{
    uint32_t occupied = 0;
    for (int i = 0; i < d->robots; i++) occupied |= 1u << d->at[i];
    difflns_cell goal = difflns_fleet_goal(d->fleet, robot, 0);
    return world_reach_from(d->reach, occupied, d->at[robot]) >> dl_grid_cell(d->w->grid, goal.row, goal.col) & 1;
}

/* Some robots fail to move, and with them those who would enter their cells. */
static void pass_tick(driven *d)
{
    int next[WORLD_MAX_CELLS];
    bool still[WORLD_MAX_CELLS];
    for (int i = 0; i < d->robots; i++) {
        difflns_cell to = difflns_fleet_next(d->fleet, i);
        next[i] = dl_grid_cell(d->w->grid, to.row, to.col);
        still[i] = next[i] == d->at[i] || dl_rng_below(&d->rng, 10) == 0;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < d->robots; i++)
            for (int k = 0; k < d->robots && !still[i]; k++)
                if (k != i && still[k] && d->at[k] == next[i]) still[i] = changed = true;
    }
    assert_int_equal(difflns_fleet_tick(d->fleet, NULL), DIFFLNS_OK);
    for (int i = 0; i < d->robots; i++) {
        if (!still[i]) d->at[i] = next[i];
        if (still[i] && next[i] != d->at[i])
            assert_int_equal(difflns_fleet_observe(d->fleet, i, position(d, d->at[i]), NULL), DIFFLNS_OK);
    }
    for (int i = 0; i < d->robots; i++)
        for (int k = 0; k < i; k++) assert_int_not_equal(d->at[i], d->at[k]);
}

/* Has it its goals, or is it rightly said to be stuck? */
static bool is_done(const driven *d, int robot)
{
    if (difflns_fleet_reached(d->fleet, robot) >= GOALS) return true;
    if (!difflns_fleet_stuck(d->fleet, robot)) return false;
    assert_false(can_reach(d, robot));
    return true;
}

static void drive(driven *d, uint32_t map)
{
    int left = d->robots;
    for (int t = 0; left > 0; t++) {
        if (t == BOUND) fail_msg("map %x, %d robots: %d of them reached no goal in time", map, d->robots, left);
        for (int i = 0; i < d->robots; i++)
            if (difflns_fleet_goals(d->fleet, i) == 0) {
                difflns_cell goal = position(d, (int)dl_rng_below(&d->rng, (uint32_t)d->w->grid->cells));
                assert_int_equal(difflns_fleet_add_goal(d->fleet, i, goal, NULL), DIFFLNS_OK);
            }
        assert_int_equal(difflns_fleet_plan(d->fleet, INFINITY, NULL), DIFFLNS_OK);
        left = 0;
        for (int i = 0; i < d->robots; i++) left += !is_done(d, i);
        pass_tick(d);
    }
}

static void drive_world(const world *w, const world_reach *reach, int robots, uint32_t map)
{
    driven d = {.w = w, .reach = reach, .robots = robots};
    d.rng = dl_rng_stream(map, DL_PURPOSE('t', 'p', 'r', 'o'), (uint64_t)robots);
    int32_t cells[WORLD_MAX_CELLS];
    for (int i = 0; i < w->grid->cells; i++) cells[i] = i;
    dl_rng_shuffle(&d.rng, cells, w->grid->cells);
    assert_int_equal(difflns_map_create(w->grid->height, w->grid->width, w->grid->blocked, &d.map, NULL), DIFFLNS_OK);
    assert_int_equal(difflns_fleet_create(d.map, &d.fleet, NULL), DIFFLNS_OK);
    assert_int_equal(difflns_fleet_set_iterations(d.fleet, 2, NULL), DIFFLNS_OK);
    for (int i = 0; i < robots; i++) {
        int robot;
        d.at[i] = cells[i];
        assert_int_equal(difflns_fleet_add(d.fleet, position(&d, d.at[i]), &robot, NULL), DIFFLNS_OK);
        assert_int_equal(robot, i);
    }
    drive(&d, map);
    difflns_fleet_free(d.fleet);
    difflns_map_free(d.map);
}

static void drive_all(int height, int width, int stride)
{
    world *w = DL_NEW(world);
    for (uint32_t map = 1; map < 1u << (height * width); map += (uint32_t)stride) {
        world_create(w, height, width, map);
        if (w->grid->components == 1) {
            world_reach reach;
            world_reach_find(w, &reach);
            for (int robots = 1; robots <= w->grid->cells; robots++) drive_world(w, &reach, robots, map);
            world_reach_free(&reach);
        }
        world_free(w);
    }
    free(w);
}

static void everybody_arrives_or_is_stuck_on_every_map_of_3x3(void **state)
{
    (void)state;
    drive_all(3, 3, 1);
}

static void everybody_arrives_or_is_stuck_on_maps_of_2x5_and_3x4(void **state)
{
    (void)state;
    drive_all(2, 5, getenv("DIFFLNS_LONG") ? 1 : 7);
    drive_all(3, 4, getenv("DIFFLNS_LONG") ? 1 : 61);
}

/* ---- Mazes and rooms ---- */

/* No task takes longer than these ticks and so many for each robot. */
enum { TASK_LEAST = 64, TASK_PER_ROBOT = 6 };

static void everybody_arrives_in_full_mazes_and_rooms(void **state)
{
    (void)state;
    const char *const families[] = {"medium-maze", "medium-room"};
    const double shares[] = {0.4, 0.6, 0.75, 0.9};
    for (int k = 0; k < 8; k++) {
        dl_instance *instance = test_preset_instance(families[k / 4], 1, 7);
        int cells = instance->grid->component_size[dl_grid_largest_component(instance->grid)];
        dl_live_settings settings = {.map = instance->map, .iterations = 4, .delay = 0.1, .seed = 3};
        settings.robots = (int)(shares[k % 4] * cells);
        settings.ticks = TASK_LEAST + TASK_PER_ROBOT * settings.robots;
        dl_live_run run;
        assert_int_equal(dl_live_simulate(&settings, false, NULL, &run, NULL), DIFFLNS_OK);
        print_message("%s, %d robots: %lld goals in %lld ticks, the longest task took %lld\n", families[k / 4],
                      settings.robots, (long long)run.reached, (long long)run.ticks, (long long)run.longest_task);
        assert_int_equal(run.collisions, 0);
        assert_int_equal(run.never_reached, 0);
        assert_in_range(run.longest_task, 1, settings.ticks - 1);
        dl_live_run_free(&run);
        dl_instance_free(instance);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(everybody_arrives_or_is_stuck_on_every_map_of_3x3),
                                       cmocka_unit_test(everybody_arrives_or_is_stuck_on_maps_of_2x5_and_3x4),
                                       cmocka_unit_test(everybody_arrives_in_full_mazes_and_rooms)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
