/* Lower bounds on the sum of costs: what is called optimal rests on them. Compared with Dijkstra over joint states. */
#include "complete/lower_bound.h"

#include "complete/joint_astar.h"
#include "support.h"
#include "support_joint.h"

enum { WORLDS = 60, ERRAND_WORLDS = 1000 };

/* ---- bounds ---- */

static dl_instance *draw_world(uint64_t number)
{
    dl_rng rng = dl_rng_stream(number, DL_PURPOSE('b', 'o', 'u', 'n'), 0);
    dl_instance *instance = test_random_instance(&rng, 3, 3, 0.2, 2 + (int)(number % 2));
    if (instance && instance->grid->components == 1) return instance;
    dl_instance_free(instance);
    return NULL;
}

static void a_bound_lies_between_the_distances_and_the_least_cost(void **state)
{
    (void)state;
    dl_deadline never = dl_no_deadline();
    int above = 0, compared = 0;
    for (uint64_t number = 0; number < WORLDS; number++) {
        dl_instance *instance = draw_world(number);
        if (!instance) continue;
        int least = joint_least_cost(instance);
        dl_distance *distance = dl_distance_create(instance);
        int64_t apart = dl_distance_lower_bound(distance);
        int64_t pairs = dl_lower_bound_of_pairs(instance, distance, &never);
        int64_t bound = dl_lower_bound(instance, distance, &never);
        if (least >= 0 && (pairs > least || bound != least))
            fail_msg("world %llu: bounds %lld and %lld, the least cost is %d", (unsigned long long)number,
                     (long long)pairs, (long long)bound, least);
        assert_true(apart <= pairs && pairs <= bound);
        compared += least >= 0;
        above += least >= 0 && pairs > apart;
        dl_distance_free(distance);
        dl_instance_free(instance);
    }
    assert_true(compared > 10 && above > 0);
}

static void a_search_that_is_cut_short_is_a_bound_all_the_same(void **state)
{
    (void)state;
    dl_deadline never = dl_no_deadline(), passed = {0, NULL};
    dl_joint_astar astar = {0};
    for (uint64_t number = 0; number < WORLDS; number++) {
        dl_instance *instance = draw_world(number);
        if (!instance) continue;
        int least = joint_least_cost(instance);
        dl_distance *distance = dl_distance_create(instance);
        int64_t apart = dl_distance_lower_bound(distance);
        const int32_t all[] = {0, 1, 2};
        for (int32_t most = 2; most < 300; most *= 3) {
            bool exact;
            int64_t bound = dl_joint_astar_run(&astar, instance, distance, all, instance->agents, most, &never, &exact);
            assert_true(least < 0 || (bound >= apart && bound <= least));
            if (exact) assert_int_equal(bound, least);
            bound = dl_joint_astar_run(&astar, instance, distance, all, instance->agents, most, &passed, &exact);
            assert_true(least < 0 || (bound >= apart && bound <= least));
        }
        dl_distance_free(distance);
        dl_instance_free(instance);
    }
    dl_joint_astar_free(&astar);
}

/* ---- errands ---- */

static difflns_cell anywhere(dl_rng *rng, const dl_grid *grid)
{
    return dl_grid_position(grid, (dl_cell)dl_rng_below(rng, (uint32_t)grid->cells));
}

/* A walk that waits often, or a departure. */
static void draw_prefix(dl_rng *rng, dl_instance *instance, int agent)
{
    const dl_grid *grid = instance->grid;
    difflns_cell cells[6];
    dl_cell at = instance->start[agent];
    int count = (int)dl_rng_below(rng, 6);
    bool departs = dl_rng_below(rng, 2) == 0;
    for (int t = 0; t < count; t++) {
        cells[t] = dl_grid_position(grid, at);
        dl_cell next = grid->neighbor[at][dl_rng_below(rng, DL_DIRECTIONS)];
        if (!departs && next != DL_NO_CELL) at = next;
    }
    assert_int_equal(dl_instance_set_prefix(instance, agent, cells, count, NULL), DIFFLNS_OK);
}

/* Two or three agents on up to nine cells, half of them with prefixes and half with further goals. */
static dl_instance *draw_errands(uint64_t number)
{
    dl_rng rng = dl_rng_stream(number, DL_PURPOSE('e', 'r', 'r', 'a'), 0);
    dl_instance *instance = test_random_instance(&rng, 3, 3, 0.2, 2 + (int)(number % 3 == 0));
    if (!instance) return NULL;
    for (int agent = 0; agent < instance->agents; agent++) {
        if (dl_rng_below(&rng, 2) == 0) draw_prefix(&rng, instance, agent);
        difflns_cell goals[3];
        int count = 1 + (int)dl_rng_below(&rng, 3);
        for (int i = 0; i < count; i++) goals[i] = anywhere(&rng, instance->grid);
        goals[count - 1] = dl_grid_position(instance->grid, instance->goal[agent]);
        assert_int_equal(dl_instance_set_goals(instance, agent, goals, count, NULL), DIFFLNS_OK);
    }
    int pair[2], time;
    bool fits, collide = dl_instance_prefixes_collide(instance, pair, &time, &fits);
    if (!collide && dl_instance_cut_off_agent(instance) < 0) return instance;
    dl_instance_free(instance);
    return NULL;
}

static void expect_sound(const dl_instance *instance, uint64_t number, int *above)
{
    dl_deadline never = dl_no_deadline();
    int least = joint_least_cost(instance);
    dl_distance *distance = dl_distance_create(instance);
    int64_t apart = dl_distance_lower_bound(distance);
    int64_t pairs = dl_lower_bound_of_pairs(instance, distance, &never);
    int64_t bound = dl_lower_bound(instance, distance, &never);
    if (least >= 0 && (apart > pairs || pairs > least || bound != least))
        fail_msg("world %llu: distances %lld, bounds %lld and %lld, the least cost is %d", (unsigned long long)number,
                 (long long)apart, (long long)pairs, (long long)bound, least);
    *above += least >= 0 && pairs > apart;
    dl_distance_free(distance);
    dl_instance_free((dl_instance *)instance);
}

/* DIFFLNS_ERRAND_WORLDS=10000 asks for more of them: two seconds. */
static void bounds_of_errands_are_no_higher_than_the_least_cost(void **state)
{
    (void)state;
    const char *asked = getenv("DIFFLNS_ERRAND_WORLDS");
    int worlds = asked ? atoi(asked) : ERRAND_WORLDS, compared = 0, above = 0;
    for (uint64_t number = 0; compared < worlds; number++) {
        dl_instance *instance = draw_errands(number);
        if (!instance) continue;
        expect_sound(instance, number, &above);
        compared++;
    }
    assert_true(above > worlds / 100);
}

/* Straight from start to last goal both would pass the middle of a side at once; over their stops they do not. */
static void stops_are_no_part_of_the_straight_way(void **state)
{
    (void)state;
    dl_instance *instance = test_instance(".../.@./...", 2, (const int[][4]){{0, 2, 2, 1}, {2, 2, 0, 1}});
    const difflns_cell first[] = {{2, 2}, {2, 1}}, second[] = {{1, 0}, {0, 1}};
    assert_int_equal(dl_instance_set_goals(instance, 0, first, 2, NULL), DIFFLNS_OK);
    assert_int_equal(dl_instance_set_goals(instance, 1, second, 2, NULL), DIFFLNS_OK);
    assert_int_equal(joint_least_cost(instance), 8);
    int above = 0;
    expect_sound(instance, 0, &above);
}

/* They meet in the middle of a corridor with one pocket: two steps aside for one of them. */
static void two_that_must_pass_each_other_cost_more(void **state)
{
    (void)state;
    dl_deadline never = dl_no_deadline();
    dl_instance *instance = test_instance("...../@@.@@", 2, (const int[][4]){{0, 0, 0, 4}, {0, 4, 0, 0}});
    dl_distance *distance = dl_distance_create(instance);
    assert_int_equal(dl_distance_lower_bound(distance), 8);
    assert_true(dl_lower_bound_of_pairs(instance, distance, &never) > 8);
    assert_int_equal(dl_lower_bound(instance, distance, &never), 11);
    dl_distance_free(distance);
    dl_instance_free(instance);
}

/* Pairs without a common agent add up, others do not. */
static void pairs_that_have_nothing_to_do_with_each_other_add_up(void **state)
{
    (void)state;
    dl_deadline never = dl_no_deadline();
    static const int TASKS[][4] = {{0, 0, 0, 4}, {0, 4, 0, 0}, {3, 0, 3, 4}, {3, 4, 3, 0}};
    dl_instance *both = test_instance("...../@@.@@/@@@@@/...../@@.@@", 4, TASKS);
    dl_instance *one = test_instance("...../@@.@@/@@@@@/...../@@.@@", 2, TASKS);
    dl_distance *distance[] = {dl_distance_create(both), dl_distance_create(one)};
    int64_t of_both = dl_lower_bound_of_pairs(both, distance[0], &never);
    int64_t of_one = dl_lower_bound_of_pairs(one, distance[1], &never);
    assert_int_equal(of_both, 2 * of_one);
    dl_distance_free(distance[0]);
    dl_distance_free(distance[1]);
    dl_instance_free(both);
    dl_instance_free(one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bound_lies_between_the_distances_and_the_least_cost),
        cmocka_unit_test(a_search_that_is_cut_short_is_a_bound_all_the_same),
        cmocka_unit_test(stops_are_no_part_of_the_straight_way),
        cmocka_unit_test(bounds_of_errands_are_no_higher_than_the_least_cost),
        cmocka_unit_test(two_that_must_pass_each_other_cost_more),
        cmocka_unit_test(pairs_that_have_nothing_to_do_with_each_other_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
