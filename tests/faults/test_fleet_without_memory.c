/* Fleets when memory is out, and ticks that need none. */
#include <math.h>

#include "everywhere.h"
#include "faults.h"
#include "support.h"

enum { HEIGHT = 8, WIDTH = 9, ROBOTS = 20 };

/* Walls between rows, open at one end: robots get past each other only with the help of escorts. */
static const uint8_t *comb(void)
{
    static uint8_t blocked[HEIGHT * WIDTH];
    for (int i = 0; i < HEIGHT * WIDTH; i++) blocked[i] = i / WIDTH % 2 == 1 && i % WIDTH > 0;
    return blocked;
}

static difflns_cell cell_at(uint32_t index)
{
    return (difflns_cell){(int32_t)index / WIDTH, (int32_t)index % WIDTH};
}

/* Every robot gets a new goal as soon as it has none; the first status that is not OK. */
static dl_status drive(difflns_fleet *fleet, dl_rng *rng, int ticks)
{
    for (int t = 0; t < ticks; t++) {
        for (int robot = 0; robot < difflns_fleet_robots(fleet); robot++)
            while (difflns_fleet_goals(fleet, robot) < 2)
                DL_TRY(difflns_fleet_add_goal(fleet, robot, cell_at(dl_rng_below(rng, HEIGHT * WIDTH)), NULL));
        DL_TRY(difflns_fleet_plan(fleet, INFINITY, NULL));
        difflns_cell late = difflns_fleet_at(fleet, t % ROBOTS);
        DL_TRY(difflns_fleet_tick(fleet, NULL));
        DL_TRY(difflns_fleet_observe(fleet, t % ROBOTS, late, NULL));
    }
    return DIFFLNS_OK;
}

static dl_status populate(difflns_fleet *fleet)
{
    DL_TRY(difflns_fleet_set_iterations(fleet, 5, NULL));
    DL_TRY(difflns_fleet_set_window(fleet, 6, NULL));
    for (uint32_t i = 0; i < ROBOTS; i++) {
        int robot;
        DL_TRY(difflns_fleet_add(fleet, cell_at(2 * i), &robot, NULL));
    }
    return DIFFLNS_OK;
}

static dl_status work(void *user)
{
    dl_rng rng = *(dl_rng *)user;
    const uint8_t blocked[HEIGHT * WIDTH] = {0};
    difflns_map *map = NULL;
    difflns_fleet *fleet = NULL;
    dl_status status = difflns_map_create(HEIGHT, WIDTH, blocked, &map, NULL);
    if (status == DIFFLNS_OK) status = difflns_fleet_create(map, &fleet, NULL);
    if ((status == DIFFLNS_OK) != (fleet != NULL)) return DIFFLNS_INTERNAL;
    if (status == DIFFLNS_OK) status = populate(fleet);
    if (status == DIFFLNS_OK) status = drive(fleet, &rng, 3);
    difflns_fleet_free(fleet);
    difflns_map_free(map);
    return status;
}

static void a_fleet_needs_memory_or_says_so(void **state)
{
    (void)state;
    dl_rng rng = dl_rng_stream(1, DL_PURPOSE('t', 'f', 'l', 'm'), 0);
    assert_true(faults_everywhere(work, &rng, 1) > 50);
}

static void a_tick_allocates_nothing_after_warm_up(void **state)
{
    (void)state;
    dl_rng rng = dl_rng_stream(1, DL_PURPOSE('t', 'f', 'l', 'm'), 1);
    const uint8_t blocked[HEIGHT * WIDTH] = {0};
    difflns_map *map;
    difflns_fleet *fleet;
    assert_int_equal(difflns_map_create(HEIGHT, WIDTH, blocked, &map, NULL), DIFFLNS_OK);
    assert_int_equal(difflns_fleet_create(map, &fleet, NULL), DIFFLNS_OK);
    assert_int_equal(difflns_fleet_set_guidance(fleet, "none", NULL), DIFFLNS_OK);
    assert_int_equal(populate(fleet), DIFFLNS_OK);
    assert_int_equal(drive(fleet, &rng, 300), DIFFLNS_OK); /* every cell has been a goal */
    faults_arm(1, FAULTS_ONWARDS);
    dl_status status = drive(fleet, &rng, 300);
    bool allocated = faults_disarm();
    assert_int_equal(status, DIFFLNS_OK);
    assert_false(allocated);
    difflns_fleet_free(fleet);
    difflns_map_free(map);
}

/* Everybody on the comb but for a few free cells, with goals anywhere on it. */
static void escorts_allocate_nothing_after_warm_up(void **state)
{
    (void)state;
    dl_rng rng = dl_rng_stream(1, DL_PURPOSE('t', 'f', 'l', 'm'), 2);
    difflns_map *map;
    difflns_fleet *fleet;
    assert_int_equal(difflns_map_create(HEIGHT, WIDTH, comb(), &map, NULL), DIFFLNS_OK);
    assert_int_equal(difflns_fleet_create(map, &fleet, NULL), DIFFLNS_OK);
    assert_int_equal(difflns_fleet_set_guidance(fleet, "none", NULL), DIFFLNS_OK);
    assert_int_equal(difflns_fleet_set_iterations(fleet, 0, NULL), DIFFLNS_OK);
    for (int i = 0, robot; i < HEIGHT * WIDTH; i += 2)
        if (!comb()[i]) assert_int_equal(difflns_fleet_add(fleet, cell_at((uint32_t)i), &robot, NULL), DIFFLNS_OK);
    int robots = difflns_fleet_robots(fleet);
    bool allocated = false;
    int64_t reached = 0;
    for (int half = 0; half < 2; half++) {
        if (half > 0) faults_arm(1, FAULTS_ONWARDS);
        for (int t = 0; t < 3000; t++) {
            for (int robot = 0; robot < robots; robot++) {
                uint32_t cell = dl_rng_below(&rng, HEIGHT * WIDTH);
                if (difflns_fleet_goals(fleet, robot) < 2 && !comb()[cell])
                    difflns_fleet_add_goal(fleet, robot, cell_at(cell), NULL);
            }
            difflns_fleet_plan(fleet, INFINITY, NULL);
            difflns_fleet_tick(fleet, NULL);
        }
        if (half > 0) allocated = faults_disarm();
        for (int robot = 0; robot < robots; robot++) {
            assert_true(half == 0 || difflns_fleet_reached(fleet, robot) > 0);
            reached += difflns_fleet_reached(fleet, robot);
        }
    }
    assert_false(allocated);
    assert_true(reached > 3 * robots);
    difflns_fleet_free(fleet);
    difflns_map_free(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_fleet_needs_memory_or_says_so),
                                       cmocka_unit_test(a_tick_allocates_nothing_after_warm_up),
                                       cmocka_unit_test(escorts_allocate_nothing_after_warm_up)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
