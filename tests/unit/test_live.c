/* The simulation of `difflns live`: nobody collides, nobody is left standing, and its task files. */
#include "live/simulation.h"
#include "support.h"

/* No robot with a task goes longer without a move. */
enum { BOUND = 1000 };

static dl_live_run run_on(const char *family, double share, int ticks, double delay)
{
    dl_instance *instance = test_preset_instance(family, 1, 7);
    int part = dl_grid_largest_component(instance->grid);
    dl_live_settings settings = {.map = instance->map,
                                 .robots = (int)(share * instance->grid->component_size[part]),
                                 .ticks = ticks,
                                 .iterations = 20,
                                 .delay = delay,
                                 .seed = 3};
    dl_live_run run;
    assert_int_equal(dl_live_simulate(&settings, false, NULL, &run, NULL), DIFFLNS_OK);
    dl_instance_free(instance);
    return run;
}

static void fleets_neither_collide_nor_stand_still(void **state)
{
    (void)state;
    const char *const families[] = {"small-random", "medium-maze", "medium-room", "medium-warehouse", "large-maze"};
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        dl_live_run run = run_on(families[i], 0.3, 1200, 0.1);
        assert_int_equal(run.collisions, 0);
        assert_int_equal(run.ticks, 1200);
        assert_in_range(run.longest_still, 0, BOUND);
        assert_true(run.reached > run.robots);
        dl_live_run_free(&run);
    }
    dl_live_run run = run_on("medium-warehouse", 0.6, 1200, 0.1);
    assert_int_equal(run.collisions, 0);
    assert_in_range(run.longest_still, 0, BOUND);
    assert_true(run.reached > run.robots);
    dl_live_run_free(&run);
}

static void improvement_reaches_more_goals_than_pibt_alone(void **state)
{
    (void)state;
    dl_instance *instance = test_preset_instance("medium-warehouse", 1, 7);
    int64_t reached[2];
    for (int i = 0; i < 2; i++) {
        dl_live_settings settings = {
            .map = instance->map, .robots = 150, .ticks = 200, .iterations = 200 * i, .seed = 3};
        dl_live_run run;
        assert_int_equal(dl_live_simulate(&settings, false, NULL, &run, NULL), DIFFLNS_OK);
        reached[i] = run.reached;
        dl_live_run_free(&run);
    }
    assert_true(10 * reached[1] > 13 * reached[0]);
    dl_instance_free(instance);
}

/* Whether its ticks take less than 100 ms is for `difflns live --report` to say, on an idle machine. */
static void a_thousand_robots_drive_on_a_large_map(void **state)
{
    (void)state;
    enum { SIDE = 64 };
    dl_rng rng = dl_rng_stream(1, DL_PURPOSE('l', 'i', 'v', 'e'), 64);
    uint8_t blocked[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++) blocked[i] = dl_rng_below(&rng, 5) == 0;
    difflns_map *map;
    assert_int_equal(difflns_map_create(SIDE, SIDE, blocked, &map, NULL), DIFFLNS_OK);
    dl_live_settings settings = {.map = map, .robots = 1000, .ticks = 60, .iterations = 200, .delay = 0.1};
    dl_live_run run;
    assert_int_equal(dl_live_simulate(&settings, false, NULL, &run, NULL), DIFFLNS_OK);
    assert_int_equal(run.collisions, 0);
    assert_true(run.reached > 300);
    dl_live_run_free(&run);
    difflns_map_free(map);
}

/* In a corridor nobody passes anybody. */
static void a_random_goal_that_cannot_be_reached_is_taken_back(void **state)
{
    (void)state;
    enum { ROBOTS = 3 };
    difflns_map *map;
    assert_int_equal(difflns_map_create(1, 4, (const uint8_t[4]){0}, &map, NULL), DIFFLNS_OK);
    dl_live_settings settings = {.map = map, .robots = ROBOTS, .ticks = 600, .iterations = 4, .seed = 1};
    dl_live_run run;
    assert_int_equal(dl_live_simulate(&settings, true, NULL, &run, NULL), DIFFLNS_OK);
    assert_int_equal(run.collisions, 0);
    assert_true(run.taken_back > 0);
    assert_in_range(run.goals - run.reached, 0, ROBOTS); /* a page expects all but the last of each to be reached */
    assert_in_range(run.longest_task, 1, 100);
    dl_live_run_free(&run);
    difflns_map_free(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fleets_neither_collide_nor_stand_still),
                                       cmocka_unit_test(improvement_reaches_more_goals_than_pibt_alone),
                                       cmocka_unit_test(a_thousand_robots_drive_on_a_large_map),
                                       cmocka_unit_test(a_random_goal_that_cannot_be_reached_is_taken_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
