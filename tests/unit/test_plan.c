#include "support.h"

static void fill(dl_path *path, int length, const int *columns)
{
    path->length = 0;
    for (int t = 0; t < length; t++) assert_true(dl_path_append(path, (difflns_cell){0, columns[t]}));
}

static void a_path_costs_its_last_arrival(void **state)
{
    (void)state;
    dl_plan *plan = dl_plan_create(1);
    dl_path *path = &plan->path[0];
    assert_int_equal(dl_path_cost(path), 0);
    fill(path, 1, (const int[]){4});
    assert_int_equal(dl_path_cost(path), 0);
    fill(path, 5, (const int[]){4, 4, 4, 4, 4});
    assert_int_equal(dl_path_cost(path), 0);
    fill(path, 6, (const int[]){0, 1, 2, 2, 2, 2});
    assert_int_equal(dl_path_cost(path), 2);
    fill(path, 6, (const int[]){0, 1, 1, 2, 1, 1}); /* at its goal at time 1, but it leaves and returns */
    assert_int_equal(dl_path_cost(path), 4);
    dl_plan_free(plan);
}

static void sums_and_makespan_cover_all_agents(void **state)
{
    (void)state;
    dl_plan *plan = dl_plan_create(3);
    fill(&plan->path[0], 4, (const int[]){0, 1, 2, 2});
    fill(&plan->path[1], 3, (const int[]){5, 5, 5});
    fill(&plan->path[2], 6, (const int[]){9, 8, 8, 8, 7, 6});
    assert_int_equal(dl_plan_soc(plan), 2 + 0 + 5);
    assert_int_equal(dl_plan_makespan(plan), 5);
    dl_plan_free(plan);
}

static void a_path_with_trailing_waits_is_trimmed(void **state)
{
    (void)state;
    dl_plan *plan = dl_plan_create(4);
    fill(&plan->path[0], 6, (const int[]){0, 1, 1, 2, 2, 2});
    fill(&plan->path[1], 3, (const int[]){5, 5, 5});
    fill(&plan->path[2], 2, (const int[]){5, 6});
    int64_t soc = dl_plan_soc(plan);
    dl_plan_trim(plan);
    assert_int_equal(plan->path[0].length, 4);
    assert_int_equal(plan->path[1].length, 1);
    assert_int_equal(plan->path[2].length, 2);
    assert_int_equal(plan->path[3].length, 0);
    assert_int_equal(dl_plan_soc(plan), soc);
    dl_plan_free(plan);
}

static void an_agent_rests_where_its_path_ends(void **state)
{
    (void)state;
    dl_plan *plan = dl_plan_create(1);
    fill(&plan->path[0], 3, (const int[]){0, 1, 2});
    assert_int_equal(dl_path_at(&plan->path[0], 1).col, 1);
    assert_int_equal(dl_path_at(&plan->path[0], 2).col, 2);
    assert_int_equal(dl_path_at(&plan->path[0], 1000).col, 2);
    dl_plan_free(plan);
}

static void cell_numbers_become_coordinates(void **state)
{
    (void)state;
    dl_grid *grid = test_grid(".@./...");
    dl_plan *plan = dl_plan_create(1);
    assert_true(dl_plan_set(plan, grid, 0, (const dl_cell[]){0, 2, 3, 4, 1}, 5));
    static const int EXPECTED[5][2] = {{0, 0}, {1, 0}, {1, 1}, {1, 2}, {0, 2}};
    assert_int_equal(plan->path[0].length, 5);
    for (int t = 0; t < 5; t++) {
        assert_int_equal(plan->path[0].at[t].row, EXPECTED[t][0]);
        assert_int_equal(plan->path[0].at[t].col, EXPECTED[t][1]);
    }
    assert_true(dl_plan_set(plan, grid, 0, (const dl_cell[]){4}, 1)); /* replaces, does not append */
    assert_int_equal(plan->path[0].length, 1);
    assert_int_equal(plan->path[0].at[0].col, 2);
    dl_plan_free(plan);
    dl_grid_free(grid);
}

static void a_copy_is_its_own(void **state)
{
    (void)state;
    dl_plan *plan = dl_plan_create(2);
    for (int t = 0; t < 1000; t++) assert_true(dl_path_append(&plan->path[0], (difflns_cell){t, -t}));
    dl_plan *copy = dl_plan_copy(plan);
    plan->path[0].at[500].row = 7;
    assert_true(dl_path_append(&copy->path[1], (difflns_cell){1, 1})); /* an empty path can grow as well */
    assert_true(dl_path_append(&copy->path[0], (difflns_cell){1, 1}));
    assert_int_equal(copy->path[0].length, 1001);
    assert_int_equal(copy->path[0].at[500].row, 500);
    assert_int_equal(copy->path[0].at[999].col, -999);
    assert_int_equal(plan->path[0].length, 1000);
    assert_int_equal(plan->path[1].length, 0);
    dl_plan_free(plan);
    dl_plan_free(copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_costs_its_last_arrival),         cmocka_unit_test(sums_and_makespan_cover_all_agents),
        cmocka_unit_test(a_path_with_trailing_waits_is_trimmed), cmocka_unit_test(an_agent_rests_where_its_path_ends),
        cmocka_unit_test(cell_numbers_become_coordinates),       cmocka_unit_test(a_copy_is_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
