#include "support.h"

#include <math.h>

#include "diffusion/draft.h"
#include "diffusion/tokens.h"
#include "mapf/check.h"

static void assert_path(const dl_plan *plan, int agent, const char *expected)
{
    char text[256] = "";
    for (int t = 0; t < plan->path[agent].length; t++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%d,%d", t ? " " : "", plan->path[agent].at[t].row,
                 plan->path[agent].at[t].col);
    assert_string_equal(text, expected);
}

static dl_plan *roll_out(dl_instance *instance, const char *actions, int horizon, dl_draft_reach *reach)
{
    uint8_t token[64];
    for (int i = 0; actions[i]; i++) token[i] = (uint8_t)(strchr("wudlr", actions[i]) - "wudlr");
    dl_scene *scene = dl_scene_create(instance);
    dl_plan *plan = dl_draft_roll_out(scene, horizon, token, reach);
    dl_scene_free(scene);
    return plan;
}

static void illegal_moves_become_waits(void **state)
{
    (void)state;
    const int tasks[1][4] = {{0, 0, 0, 1}};
    dl_instance *instance = test_instance("../@.", 1, tasks);
    dl_draft_reach reach;
    dl_plan *plan = roll_out(instance, "uldr", 4, &reach); /* off the map, off the map, an obstacle, free */
    assert_path(plan, 0, "0,0 0,0 0,0 0,0 0,1");
    assert_int_equal(reach.at_goal, 1);
    dl_plan_free(plan);
    dl_instance_free(instance);
}

static void what_follows_the_first_arrival_is_removed(void **state)
{
    (void)state;
    const int tasks[2][4] = {{0, 0, 0, 1}, {1, 2, 1, 2}};
    dl_instance *instance = test_instance(".../...", 2, tasks);
    dl_draft_reach reach;
    dl_plan *plan = roll_out(instance, "wrrlulld", 4, &reach);
    assert_path(plan, 0, "0,0 0,0 0,1");
    assert_path(plan, 1, "1,2");
    assert_int_equal(reach.at_goal, 2);
    assert_int_equal(reach.remaining, 0);
    dl_plan_free(plan);
    dl_instance_free(instance);
}

static void unfinished_paths_are_completed_around_obstacles(void **state)
{
    (void)state;
    const int tasks[1][4] = {{0, 0, 0, 2}};
    dl_instance *instance = test_instance(".@./.@./...", 1, tasks);
    dl_draft_reach reach;
    dl_plan *plan = roll_out(instance, "dw", 2, &reach);
    assert_path(plan, 0, "0,0 1,0 1,0 2,0 2,1 2,2 1,2 0,2");
    assert_int_equal(reach.at_goal, 0);
    assert_int_equal(reach.remaining, 5);
    dl_plan_free(plan);
    dl_instance_free(instance);
}

static void decoding_keeps_a_detour_that_leaves_the_goal_and_returns(void **state)
{
    (void)state;
    const int tasks[1][4] = {{0, 0, 0, 1}};
    dl_instance *instance = test_instance(".../...", 1, tasks);
    dl_scene *scene = dl_scene_create(instance);
    dl_likeliest *planner = dl_likeliest_create(instance->grid);
    const char *wanted = "rrlww";
    float score[5 * DL_ACTIONS];
    for (int t = 0; t < 5; t++)
        for (int a = 0; a < DL_ACTIONS; a++) score[t * DL_ACTIONS + a] = "wudlr"[a] == wanted[t] ? 0 : -20;
    dl_draft_reach reach;
    dl_path_rule rule = {.costs = {1, 3, 0}, .sweeps = 1};
    dl_plan *plan = dl_draft_decode(scene, 5, score, &rule, NULL, planner, NULL, &reach);
    assert_path(plan, 0, "0,0 0,1 0,2 0,1");
    dl_plan_free(plan);
    dl_likeliest_free(planner);
    dl_scene_free(scene);
    dl_instance_free(instance);
}

/* Two agents must change ends of a corridor with a pocket near the second one's start. */
static void agents_decoded_later_make_way_for_those_before(void **state)
{
    (void)state;
    enum { HORIZON = 12 };
    const int tasks[2][4] = {{0, 0, 0, 5}, {0, 5, 0, 0}};
    const int32_t order[] = {0, 1};
    dl_instance *instance = test_instance("....../@@@@.@", 2, tasks);
    dl_scene *scene = dl_scene_create(instance);
    dl_likeliest *planner = dl_likeliest_create(instance->grid);
    const float score[2 * HORIZON * DL_ACTIONS] = {0};
    dl_draft_reach reach;
    for (int cost = 0; cost <= 10; cost += 10) {
        dl_path_rule rule = {.costs = {1, 20, (float)cost}, .sweeps = 1};
        dl_plan *plan = dl_draft_decode(scene, HORIZON, score, &rule, order, planner, NULL, &reach);
        dl_collisions collisions;
        assert_true(dl_plan_collisions(instance, plan, &collisions));
        assert_int_equal(collisions.pairs, cost == 0);
        assert_int_equal(dl_path_cost(&plan->path[0]), 5);
        dl_plan_free(plan);
    }
    dl_likeliest_free(planner);
    dl_scene_free(scene);
    dl_instance_free(instance);
}

/* The same corridor, the agent with the pocket first: only a second sweep sends him there. */
static void in_a_second_sweep_those_before_make_way_too(void **state)
{
    (void)state;
    enum { HORIZON = 12 };
    const int tasks[2][4] = {{0, 0, 0, 5}, {0, 5, 0, 0}};
    const int32_t order[] = {1, 0};
    dl_instance *instance = test_instance("....../@@@@.@", 2, tasks);
    dl_scene *scene = dl_scene_create(instance);
    dl_likeliest *planner = dl_likeliest_create(instance->grid);
    const float score[2 * HORIZON * DL_ACTIONS] = {0};
    dl_draft_reach reach;
    for (int sweeps = 1; sweeps <= 4; sweeps++) {
        dl_path_rule rule = {.costs = {1, 20, 10}, .sweeps = sweeps};
        dl_plan *plan = dl_draft_decode(scene, HORIZON, score, &rule, order, planner, NULL, &reach);
        dl_collisions collisions;
        assert_true(dl_plan_collisions(instance, plan, &collisions));
        assert_int_equal(collisions.pairs, sweeps == 1);
        assert_true(sweeps == 1 ? dl_path_cost(&plan->path[1]) == 5 : dl_path_cost(&plan->path[1]) > 5);
        dl_plan_free(plan);
    }
    dl_likeliest_free(planner);
    dl_scene_free(scene);
    dl_instance_free(instance);
}

enum { CROWDED = 10, CROWDED_HORIZON = 12 };

/* What decoding maximizes, all agents together: every collision of a pair counts once. */
static double worth_of_all(const dl_scene *scene, const float *score, dl_likeliest_costs costs, const dl_cell *cells)
{
    double worth = 0;
    for (int i = 0; i < CROWDED; i++) {
        const dl_cell *a = cells + i * (CROWDED_HORIZON + 1);
        const dl_field *distance = dl_distance_acquire(scene->distance, i);
        for (int t = 0; t < CROWDED_HORIZON; t++) {
            int action = dl_action_between(scene->instance->grid, a[t], a[t + 1]);
            worth += score[(i * CROWDED_HORIZON + t) * DL_ACTIONS + action];
            if (a[t + 1] != scene->instance->goal[i]) worth -= costs.step;
            for (int k = 0; k < i; k++) {
                const dl_cell *b = cells + k * (CROWDED_HORIZON + 1);
                if (a[t + 1] == b[t + 1]) worth -= costs.collision;
                if (a[t] != a[t + 1] && a[t] == b[t + 1] && a[t + 1] == b[t]) worth -= costs.collision;
            }
        }
        worth -= costs.distance * dl_field_at(distance, a[CROWDED_HORIZON]);
        dl_distance_release(scene->distance, i);
    }
    return worth;
}

static void every_sweep_makes_the_plan_as_a_whole_likelier(void **state)
{
    (void)state;
    int better = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('s', 'w', 'e', 'p'), 0);
        dl_instance *instance = test_random_instance(&rng, 5, 5, 0.1, CROWDED);
        dl_scene *scene = dl_scene_create(instance);
        dl_likeliest *planner = dl_likeliest_create(instance->grid);
        float score[CROWDED * CROWDED_HORIZON * DL_ACTIONS];
        for (size_t i = 0; i < sizeof score / sizeof *score; i++) score[i] = (float)(-3 * dl_rng_unit(&rng));
        dl_path_rule rule = {.costs = {0.5f, 3, 4}};
        dl_cell cells[CROWDED * (CROWDED_HORIZON + 1)];
        double first = 0, worth = -INFINITY;
        for (rule.sweeps = 1; rule.sweeps <= 6; rule.sweeps++) {
            assert_int_equal(dl_decode_paths(scene, CROWDED_HORIZON, score, &rule, NULL, planner, NULL, cells),
                             DIFFLNS_OK);
            double now = worth_of_all(scene, score, rule.costs, cells);
            if (now < worth - 1e-3)
                fail_msg("seed %llu, sweep %d: from %g to %g", (unsigned long long)seed, rule.sweeps, worth, now);
            worth = now;
            if (rule.sweeps == 1) first = worth;
        }
        better += worth > first + 1e-3;
        dl_likeliest_free(planner);
        dl_scene_free(scene);
        dl_instance_free(instance);
    }
    if (better < 20) fail_msg("sweeps helped in %d of 40 worlds only", better);
}

static void drafts_of_random_tokens_break_no_rule_but_collisions(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('d', 'r', 'f', 't'), 0);
        int agents = 1 + (int)dl_rng_below(&rng, 12), horizon = 1 + (int)dl_rng_below(&rng, 30);
        dl_instance *instance = test_random_instance(&rng, 8, 9, 0.2, agents);
        dl_scene *scene = dl_scene_create(instance);
        uint8_t token[12 * 30];
        for (int i = 0; i < agents * horizon; i++) token[i] = (uint8_t)dl_rng_below(&rng, DL_ACTIONS);
        dl_draft_reach reach;
        dl_plan *plan = dl_draft_roll_out(scene, horizon, token, &reach);
        dl_check_result check;
        assert_true(dl_check(instance, plan, &check, NULL, 0, NULL));
        dl_collisions collisions;
        assert_true(dl_plan_collisions(instance, plan, &collisions));
        if (check.violations != check.by_kind[DIFFLNS_VERTEX] + check.by_kind[DIFFLNS_SWAP] ||
            collisions.vertex != check.by_kind[DIFFLNS_VERTEX] || collisions.swap != check.by_kind[DIFFLNS_SWAP])
            fail_msg("seed %llu", (unsigned long long)seed);
        assert_true(collisions.pairs <= collisions.vertex + collisions.swap);
        assert_true((collisions.pairs > 0) == (check.violations > 0));
        dl_plan_free(plan);
        dl_scene_free(scene);
        dl_instance_free(instance);
    }
}

static void a_pair_that_collides_often_counts_once(void **state)
{
    (void)state;
    const int tasks[2][4] = {{0, 0, 0, 2}, {0, 2, 0, 0}};
    dl_instance *instance = test_instance(".../...", 2, tasks);
    dl_scene *scene = dl_scene_create(instance);
    dl_plan *plan = dl_draft_shortest_paths(scene);
    dl_collisions collisions;
    assert_true(dl_plan_collisions(instance, plan, &collisions));
    assert_int_equal(collisions.vertex, 1);
    assert_int_equal(collisions.swap, 0);
    assert_int_equal(collisions.pairs, 1);
    dl_plan_free(plan);
    dl_scene_free(scene);
    dl_instance_free(instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(illegal_moves_become_waits),
        cmocka_unit_test(what_follows_the_first_arrival_is_removed),
        cmocka_unit_test(unfinished_paths_are_completed_around_obstacles),
        cmocka_unit_test(decoding_keeps_a_detour_that_leaves_the_goal_and_returns),
        cmocka_unit_test(agents_decoded_later_make_way_for_those_before),
        cmocka_unit_test(in_a_second_sweep_those_before_make_way_too),
        cmocka_unit_test(every_sweep_makes_the_plan_as_a_whole_likelier),
        cmocka_unit_test(drafts_of_random_tokens_break_no_rule_but_collisions),
        cmocka_unit_test(a_pair_that_collides_often_counts_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
