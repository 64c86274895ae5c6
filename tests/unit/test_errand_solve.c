/* Errands through the whole solver, as a caller of the public interface meets them. */
#include "support.h"

#include "difflns.h"

static difflns_solver *solver_with(const char *init, const char *iterations)
{
    difflns_solver *solver;
    assert_int_equal(difflns_solver_create(&solver, NULL), DIFFLNS_OK);
    assert_int_equal(difflns_solver_set(solver, "init", init, NULL), DIFFLNS_OK);
    assert_int_equal(difflns_solver_set(solver, "iterations", iterations, NULL), DIFFLNS_OK);
    assert_int_equal(difflns_solver_set(solver, "threads", "1", NULL), DIFFLNS_OK);
    return solver;
}

/* A crowd with a random prefix of `most` steps for each agent, all legal together because they are those of a plan, and
 * up to `goals` goals. */
static difflns_instance *crowd(const char *family, int agents, uint64_t seed, int most, int goals)
{
    difflns_instance *instance;
    difflns_error err;
    if (difflns_generate(family, agents, seed, &instance, &err) != DIFFLNS_OK) fail_msg("%s", err.message);
    difflns_solver *solver = solver_with("auto", "20000");
    assert_int_equal(difflns_solver_set(solver, "stop", "first", NULL), DIFFLNS_OK);
    difflns_plan *plan;
    assert_int_equal(difflns_solver_solve(solver, instance, &plan, NULL), DIFFLNS_OK);
    dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('c', 'r', 'o', 'w'), 0);
    for (int agent = 0; agent < agents; agent++) {
        difflns_cell cell[64];
        int count = (int)dl_rng_below(&rng, (uint32_t)most + 1), queue = (int)dl_rng_below(&rng, (uint32_t)goals);
        for (int t = 0; t < count; t++) cell[t] = difflns_plan_at(plan, agent, t);
        assert_int_equal(difflns_instance_set_prefix(instance, agent, cell, count, NULL), DIFFLNS_OK);
        for (int i = 0; i < queue; i++) /* anybody's goals and starts can be reached */
            cell[i] = difflns_instance_start(instance, (int)dl_rng_below(&rng, (uint32_t)agents));
        cell[queue] = difflns_instance_goal(instance, agent);
        assert_int_equal(difflns_instance_set_goals(instance, agent, cell, queue + 1, NULL), DIFFLNS_OK);
    }
    difflns_plan_free(plan);
    difflns_solver_free(solver);
    return instance;
}

static void expect_valid(const difflns_instance *instance, const difflns_plan *plan, const char *what)
{
    int64_t violations;
    int safe;
    assert_non_null(plan);
    assert_int_equal(difflns_plan_check(instance, plan, NULL, 0, &violations, NULL), DIFFLNS_OK);
    if (violations > 0) fail_msg("%s: %lld violations", what, (long long)violations);
    assert_true(difflns_plan_soc(plan) >= difflns_instance_sum_of_distances(instance));
    assert_int_equal(difflns_plan_safe_time(instance, plan, &safe, NULL), DIFFLNS_OK);
    assert_int_equal(safe, difflns_plan_makespan(plan));
}

static void solve_with(const difflns_instance *instance, const char *init)
{
    difflns_solver *solver = solver_with(init, "6000");
    assert_int_equal(difflns_solver_set(solver, "stop", "first", NULL), DIFFLNS_OK);
    difflns_plan *plan;
    difflns_error err;
    if (difflns_solver_solve(solver, instance, &plan, &err) != DIFFLNS_OK) fail_msg("%s: %s", init, err.message);
    expect_valid(instance, plan, init);
    difflns_plan_free(plan);
    difflns_solver_free(solver);
}

static const char *const STARTS[] = {"pp", "slack", "paths", "traffic", "auto"};

static void every_start_solves_instances_with_prefixes(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 4; seed++) {
        difflns_instance *instance = crowd("small-random", 40, seed, 9, 1);
        for (size_t i = 0; i < sizeof STARTS / sizeof STARTS[0]; i++) solve_with(instance, STARTS[i]);
        difflns_instance_free(instance);
    }
}

static void every_start_solves_instances_with_several_goals(void **state)
{
    (void)state;
    for (uint64_t seed = 10; seed < 13; seed++) {
        difflns_instance *instance = crowd("small-random", 30, seed, 6, 4);
        for (size_t i = 0; i < sizeof STARTS / sizeof STARTS[0]; i++) solve_with(instance, STARTS[i]);
        difflns_instance_free(instance);
    }
}

static void expect_refusal(const difflns_instance *instance, const char *init, const char *why)
{
    difflns_solver *solver = solver_with(init, "6000");
    difflns_plan *plan;
    difflns_error err;
    assert_int_equal(difflns_solver_solve(solver, instance, &plan, &err), DIFFLNS_BAD_INPUT);
    assert_non_null(strstr(err.message, why));
    assert_null(plan);
    difflns_solver_free(solver);
}

static void starts_that_know_no_errands_say_so(void **state)
{
    (void)state;
    difflns_instance *instance = crowd("small-random", 30, 10, 6, 4);
    expect_refusal(instance, "lacam", "no departures, prefixes or goals in between");
    expect_refusal(instance, "pibt", "no departures or prefixes");
    difflns_instance_free(instance);
}

static void a_map_too_large_for_boards_knows_errands_too(void **state)
{
    (void)state;
    uint8_t *blocked = calloc(80 * 80, 1);
    enum { AGENTS = 60 };
    difflns_cell start[AGENTS], goal[AGENTS], queue[3];
    for (int i = 0; i < AGENTS; i++) {
        start[i] = (difflns_cell){40, i};
        goal[i] = (difflns_cell){i, 79 - i};
    }
    difflns_instance *instance;
    assert_int_equal(difflns_instance_create(80, 80, blocked, AGENTS, start, goal, &instance, NULL), DIFFLNS_OK);
    for (int i = 0; i < AGENTS; i++) {
        queue[0] = (difflns_cell){60, 60}; /* everybody's */
        queue[1] = start[(i + 7) % AGENTS];
        queue[2] = goal[i];
        if (i % 3 == 0) assert_int_equal(difflns_instance_set_departure(instance, i, i, NULL), DIFFLNS_OK);
        if (i % 2 == 0) assert_int_equal(difflns_instance_set_goals(instance, i, queue, 3, NULL), DIFFLNS_OK);
    }
    solve_with(instance, "pp");
    solve_with(instance, "auto");
    difflns_instance_free(instance);
    free(blocked);
}

/* Makes improvement work, too: it must keep to errands and count the same cost. */
static void improvement_keeps_to_errands(void **state)
{
    (void)state;
    for (int goals = 1; goals <= 3; goals += 2) {
        difflns_instance *instance = crowd("small-random", 30, 5, 8, goals);
        difflns_solver *solver = solver_with("auto", "4000");
        difflns_plan *first, *better;
        assert_int_equal(difflns_solver_set(solver, "stop", "first", NULL), DIFFLNS_OK);
        assert_int_equal(difflns_solver_solve(solver, instance, &first, NULL), DIFFLNS_OK);
        assert_int_equal(difflns_solver_set(solver, "stop", "limit", NULL), DIFFLNS_OK);
        assert_int_equal(difflns_solver_solve(solver, instance, &better, NULL), DIFFLNS_OK);
        expect_valid(instance, better, "improved");
        assert_true(difflns_plan_soc(better) < difflns_plan_soc(first));
        difflns_plan_free(first);
        difflns_plan_free(better);
        difflns_solver_free(solver);
        difflns_instance_free(instance);
    }
}

/* A robot falls behind: it stays where it is for five steps, and the others plan around it from the plan they drive. */
static void a_delayed_robot_is_planned_around(void **state)
{
    (void)state;
    difflns_instance *instance;
    assert_int_equal(difflns_generate("small-random", 40, 3, &instance, NULL), DIFFLNS_OK);
    difflns_solver *solver = solver_with("auto", "20000");
    assert_int_equal(difflns_solver_set(solver, "stop", "first", NULL), DIFFLNS_OK);
    difflns_plan *plan, *again;
    assert_int_equal(difflns_solver_solve(solver, instance, &plan, NULL), DIFFLNS_OK);
    assert_int_equal(difflns_instance_set_departure(instance, 7, 5, NULL), DIFFLNS_OK);
    assert_int_equal(difflns_solver_set(solver, "init", "plan", NULL), DIFFLNS_OK);
    assert_int_equal(difflns_solver_set_start(solver, plan, NULL), DIFFLNS_OK);
    assert_int_equal(difflns_solver_solve(solver, instance, &again, NULL), DIFFLNS_OK);
    expect_valid(instance, again, "delayed");
    difflns_cell start = difflns_instance_start(instance, 7);
    for (int t = 0; t <= 5; t++) {
        difflns_cell at = difflns_plan_at(again, 7, t);
        assert_true(at.row == start.row && at.col == start.col);
    }
    difflns_plan_free(plan);
    difflns_plan_free(again);
    difflns_solver_free(solver);
    difflns_instance_free(instance);
}

static difflns_instance *corridor(const char *rows, int agents, const int tasks[][4])
{
    return (difflns_instance *)test_instance(rows, agents, tasks);
}

static void colliding_prefixes_are_unsolvable(void **state)
{
    (void)state;
    difflns_error err;
    difflns_plan *plan;
    difflns_instance *instance = corridor("..../....", 2, (const int[][4]){{0, 0, 0, 3}, {0, 2, 1, 0}});
    const difflns_cell right[] = {{0, 0}, {0, 1}}, left[] = {{0, 2}, {0, 1}};
    assert_int_equal(difflns_instance_set_prefix(instance, 0, right, 2, NULL), DIFFLNS_OK);
    assert_int_equal(difflns_instance_set_prefix(instance, 1, left, 2, NULL), DIFFLNS_OK);
    difflns_solver *solver = solver_with("auto", "100");
    assert_int_equal(difflns_solver_solve(solver, instance, &plan, &err), DIFFLNS_UNSOLVABLE);
    assert_non_null(strstr(err.message, "prefixes of agents 0 and 1 collide at time 1"));
    assert_null(plan);
    difflns_solver_free(solver);
    difflns_instance_free(instance);
}

static void senseless_errands_get_a_status(void **state)
{
    (void)state;
    difflns_error err;
    difflns_cell cell = {0, 0}, list[4];
    difflns_instance *instance = corridor("..../....", 2, (const int[][4]){{0, 0, 0, 3}, {1, 0, 1, 3}});
    assert_int_equal(difflns_instance_set_departure(NULL, 0, 1, &err), DIFFLNS_BAD_INPUT);
    assert_int_equal(difflns_instance_set_departure(instance, 2, 1, &err), DIFFLNS_BAD_INPUT);
    assert_string_equal(err.message, "agent 2: expected 0 to 1");
    assert_int_equal(difflns_instance_set_departure(instance, -1, 1, NULL), DIFFLNS_BAD_INPUT);
    assert_int_equal(difflns_instance_set_departure(instance, 0, -1, NULL), DIFFLNS_BAD_INPUT);
    assert_int_equal(difflns_instance_set_departure(instance, 0, 1000001, NULL), DIFFLNS_BAD_INPUT);
    assert_int_equal(difflns_instance_set_prefix(NULL, 0, &cell, 1, NULL), DIFFLNS_BAD_INPUT);
    assert_int_equal(difflns_instance_set_prefix(instance, 0, NULL, 1, NULL), DIFFLNS_BAD_INPUT);
    assert_int_equal(difflns_instance_set_prefix(instance, 0, NULL, -1, NULL), DIFFLNS_BAD_INPUT);
    assert_int_equal(difflns_instance_set_prefix(instance, 0, NULL, 0, NULL), DIFFLNS_OK);
    assert_int_equal(difflns_instance_set_goals(NULL, 0, &cell, 1, NULL), DIFFLNS_BAD_INPUT);
    assert_int_equal(difflns_instance_set_goals(instance, 0, NULL, 1, NULL), DIFFLNS_BAD_INPUT);
    assert_int_equal(difflns_instance_set_goals(instance, 9, &cell, 1, NULL), DIFFLNS_BAD_INPUT);
    assert_int_equal(difflns_instance_prefix(NULL, 0, list, 4), -1);
    assert_int_equal(difflns_instance_goals(instance, 2, list, 4), -1);
    assert_int_equal(difflns_instance_prefix(instance, 0, list, 4), 0);
    assert_int_equal(difflns_instance_set_departure(instance, 0, 2, NULL), DIFFLNS_OK);
    assert_int_equal(difflns_instance_prefix(instance, 0, NULL, 0), 3);
    assert_int_equal(difflns_instance_prefix(instance, 0, list, 4), 3);
    assert_true(list[2].row == 0 && list[2].col == 0);
    assert_int_equal(difflns_instance_set_departure(instance, 0, 0, NULL), DIFFLNS_OK);
    assert_int_equal(difflns_instance_prefix(instance, 0, list, 4), 0);
    const difflns_cell goals[] = {{1, 2}, {0, 1}};
    assert_int_equal(difflns_instance_set_goals(instance, 1, goals, 2, NULL), DIFFLNS_OK);
    assert_int_equal(difflns_instance_goals(instance, 1, list, 4), 2);
    assert_true(list[0].row == 1 && list[0].col == 2 && list[1].row == 0 && list[1].col == 1);
    assert_int_equal(difflns_instance_goals(instance, 1, list, 1), 2);
    assert_int_equal(difflns_instance_goal(instance, 1).col, 1);
    difflns_instance_free(instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_start_solves_instances_with_prefixes),
        cmocka_unit_test(every_start_solves_instances_with_several_goals),
        cmocka_unit_test(starts_that_know_no_errands_say_so),
        cmocka_unit_test(a_map_too_large_for_boards_knows_errands_too),
        cmocka_unit_test(improvement_keeps_to_errands),
        cmocka_unit_test(a_delayed_robot_is_planned_around),
        cmocka_unit_test(colliding_prefixes_are_unsolvable),
        cmocka_unit_test(senseless_errands_get_a_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
