/* Traffic: ways that keep out of each other's, against plain counts of who comes toward whom. */
#include "lns/traffic.h"

#include "lns/slack.h"
#include "support.h"

enum { MOST_CELLS = 1024 };

typedef struct world {
    dl_instance *instance;
    dl_distance *distance;
    dl_planner *planner;
    dl_deadline never;
} world;

static world open_world(dl_instance *instance)
{
    assert_non_null(instance);
    world w = {.instance = instance, .distance = dl_distance_create(instance), .never = dl_no_deadline()};
    w.planner = dl_planner_create(instance, w.distance, DL_ENGINE_AUTO);
    return w;
}

static void close_world(world *w)
{
    dl_planner_free(w->planner);
    dl_distance_free(w->distance);
    dl_instance_free(w->instance);
}

static int step_of(const dl_grid *grid, dl_cell from, dl_cell to)
{
    for (int d = 0; d < DL_DIRECTIONS; d++)
        if (grid->neighbor[from][d] == to) return d;
    return -1;
}

/* Pairs of agents that use the same step in opposite directions; every track must lead home in steps. */
static int64_t head_on(const world *w)
{
    static int32_t steps[MOST_CELLS][DL_DIRECTIONS];
    const dl_grid *grid = w->instance->grid;
    int64_t pairs = 0;
    assert_true(grid->cells <= MOST_CELLS);
    memset(steps, 0, sizeof steps);
    for (int agent = 0; agent < w->instance->agents; agent++) {
        const dl_track *track = &w->planner->track[agent];
        assert_int_equal(track->at[0], w->instance->start[agent]);
        assert_int_equal(track->at[track->cost], w->instance->goal[agent]);
        assert_false(w->planner->in_table[agent]);
        for (int t = 0; t < track->cost; t++) {
            int d = step_of(grid, track->at[t], track->at[t + 1]);
            assert_true(d >= 0);
            steps[track->at[t]][d]++;
        }
    }
    for (dl_cell cell = 0; cell < grid->cells; cell++)
        for (int d = 0; d < DL_DIRECTIONS; d++)
            if (grid->neighbor[cell][d] != DL_NO_CELL)
                pairs += (int64_t)steps[cell][d] * steps[grid->neighbor[cell][d]][d ^ 1];
    return pairs / 2;
}

static int64_t steps_of(const world *w)
{
    int64_t sum = 0;
    for (int agent = 0; agent < w->instance->agents; agent++) sum += w->planner->track[agent].cost;
    return sum;
}

/* Two corridors of the same length between two rooms: each becomes a one-way street. */
static void two_corridors_become_one_way_streets(void **state)
{
    (void)state;
    static const int TASK[6][4] = {{0, 0, 0, 11}, {1, 0, 1, 11}, {2, 0, 2, 11},
                                   {0, 10, 0, 1}, {1, 10, 1, 1}, {2, 10, 2, 1}};
    world w = open_world(test_instance("............/..@@@@@@@@../............", 6, TASK));
    for (uint64_t seed = 0; seed < 20; seed++) {
        dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('t', 'r', 'a', 'f'), 0);
        dl_traffic_paths(w.planner, &rng, &w.never);
        if (head_on(&w) > 0) fail_msg("seed %d: %d pairs meet head-on", (int)seed, (int)head_on(&w));
    }
    close_world(&w);
}

static void far_fewer_meet_head_on_than_on_shortest_paths(void **state)
{
    (void)state;
    static const struct {
        const char *family;
        int agents;
    } SETTING[] = {{"small-random", 60}, {"medium-room", 192}, {"medium-maze", 190}, {"medium-warehouse", 252}};
    for (size_t i = 0; i < sizeof SETTING / sizeof SETTING[0]; i++)
        for (uint64_t seed = 1; seed <= 3; seed++) {
            world w = open_world(test_preset_instance(SETTING[i].family, SETTING[i].agents, seed));
            dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('t', 'r', 'a', 'f'), 1), copy = rng;
            dl_slack_paths(w.planner, &rng, &(dl_slack){.deadline = &w.never});
            int64_t shortest = head_on(&w), least = steps_of(&w);
            dl_traffic_paths(w.planner, &copy, &w.never);
            int64_t traffic = head_on(&w), steps = steps_of(&w);
            print_message("%s %d: %d pairs, on shortest paths %d; ways %.2f times as long\n", SETTING[i].family,
                          (int)seed, (int)traffic, (int)shortest, (double)steps / (double)least);
            assert_true(2 * traffic < shortest && 2 * steps < 3 * least);
            close_world(&w);
        }
}

/* Where there is one way only, it is taken, however many come toward one. */
static void the_only_way_is_taken(void **state)
{
    (void)state;
    static const int TASK[3][4] = {{0, 0, 0, 7}, {0, 7, 0, 0}, {0, 3, 0, 3}};
    world w = open_world(test_instance("........", 3, TASK));
    dl_rng rng = dl_rng_stream(1, DL_PURPOSE('t', 'r', 'a', 'f'), 2);
    dl_traffic_paths(w.planner, &rng, &w.never);
    assert_int_equal(head_on(&w), 7);
    assert_int_equal(w.planner->track[0].cost, 7);
    assert_int_equal(w.planner->track[2].cost, 0);
    close_world(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_corridors_become_one_way_streets),
        cmocka_unit_test(far_fewer_meet_head_on_than_on_shortest_paths),
        cmocka_unit_test(the_only_way_is_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
