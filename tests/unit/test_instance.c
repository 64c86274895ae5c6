#include "support.h"

static void expect_refusal(int agents, const dl_task *tasks, const char *message)
{
    dl_instance *instance = (dl_instance *)&message;
    dl_error err;
    assert_int_equal(dl_instance_create(test_grid(".../.@."), "m.map", "s.scen", agents, tasks, &instance, &err),
                     DIFFLNS_BAD_INPUT);
    assert_null(instance);
    assert_string_equal(err.message, message);
    assert_int_equal(err.status, DIFFLNS_BAD_INPUT);
}

/* Messages speak of columns and rows, and name the line when there is one. */
static void bad_tasks_are_refused_by_name(void **state)
{
    (void)state;
    expect_refusal(1, &(dl_task){.start = {0, 3}, .goal = {0, 0}, .line = 7},
                   "s.scen:7: start of agent 0 at column 3, row 0 is outside the map of 3 columns, 2 rows");
    expect_refusal(1, &(dl_task){.start = {0, 0}, .goal = {-1, 0}, .line = 7},
                   "s.scen:7: goal of agent 0 at column 0, row -1 is outside the map of 3 columns, 2 rows");
    expect_refusal(1, &(dl_task){.start = {1, 1}, .goal = {0, 0}},
                   "s.scen: start of agent 0 at column 1, row 1 is an obstacle, expected a free cell");
    expect_refusal(1, &(dl_task){.start = {0, 0}, .goal = {1, 1}, .line = 2},
                   "s.scen:2: goal of agent 0 at column 1, row 1 is an obstacle, expected a free cell");
    const dl_task same_start[] = {{{0, 0}, {0, 1}, 2}, {{0, 1}, {0, 2}, 3}, {{0, 0}, {1, 0}, 4}};
    expect_refusal(3, same_start,
                   "s.scen:4: agents 0 and 2 have the same start (column 0, row 0), expected different ones");
    const dl_task same_goal[] = {{{0, 0}, {0, 1}, 2}, {{0, 1}, {0, 1}, 3}};
    expect_refusal(2, same_goal,
                   "s.scen:3: agents 0 and 1 have the same goal (column 1, row 0), expected different ones");
    expect_refusal(0, same_goal, "s.scen: 0 agents: expected 1 to 65534");
    expect_refusal(DL_MAX_AGENTS + 1, same_goal, "s.scen: 65535 agents: expected 1 to 65534");
}

static void one_agents_start_may_be_anothers_goal(void **state)
{
    (void)state;
    dl_instance *instance = test_instance("../..", 3, (const int[][4]){{0, 0, 0, 1}, {0, 1, 0, 0}, {1, 1, 1, 1}});
    assert_int_equal(instance->agents, 3);
    assert_int_equal(instance->start[0], instance->goal[1]);
    assert_int_equal(instance->start[2], instance->goal[2]);
    assert_string_equal(instance->map_name, "test.map");
    dl_instance_free(instance);
}

static void an_agent_that_is_cut_off_is_named(void **state)
{
    (void)state;
    dl_instance *fine = test_instance("..@..", 2, (const int[][4]){{0, 0, 0, 1}, {0, 4, 0, 3}});
    assert_int_equal(dl_instance_cut_off_agent(fine), -1);
    dl_instance_free(fine);
    dl_instance *cut = test_instance("..@..", 2, (const int[][4]){{0, 0, 0, 1}, {0, 1, 0, 3}});
    assert_int_equal(dl_instance_cut_off_agent(cut), 1);
    dl_instance_free(cut);
}

static void an_error_is_optional(void **state)
{
    (void)state;
    dl_instance *instance;
    const dl_task task = {.start = {9, 9}, .goal = {0, 0}};
    assert_int_equal(dl_instance_create(test_grid("."), "m", "s", 1, &task, &instance, NULL), DIFFLNS_BAD_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_tasks_are_refused_by_name),
        cmocka_unit_test(one_agents_start_may_be_anothers_goal),
        cmocka_unit_test(an_agent_that_is_cut_off_is_named),
        cmocka_unit_test(an_error_is_optional),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
