/* Working memory kept from solve to solve changes nothing but the time it takes. */
#include <math.h>

#include "base/memory.h"
#include "mapf/distance.h"
#include "solver/scratch.h"
#include "solver/solve.h"
#include "support.h"

/* Instances of 3, 4, ... agents on one map, drawn anew each. */
static dl_instance *another_instance(dl_map *map, dl_rng *rng, int agents)
{
    const dl_grid *grid = dl_map_grid(map);
    int32_t *cells = DL_ARRAY(int32_t, grid->cells);
    dl_task *tasks = DL_ARRAY(dl_task, agents);
    for (int cell = 0; cell < grid->cells; cell++) cells[cell] = cell;
    dl_rng_shuffle(rng, cells, grid->cells);
    for (int i = 0; i < agents; i++) tasks[i].start = dl_grid_position(grid, cells[i]);
    dl_rng_shuffle(rng, cells, grid->cells);
    for (int i = 0; i < agents; i++) tasks[i].goal = dl_grid_position(grid, cells[i]);
    dl_instance *instance;
    assert_int_equal(dl_instance_create_on(map, "m", "s", agents, tasks, &instance, NULL), DIFFLNS_OK);
    free(cells);
    free(tasks);
    return instance;
}

static dl_plan *solve(const dl_instance *instance, dl_scratch *scratch)
{
    dl_options options;
    dl_options_default(&options);
    options.iterations = 2000;
    options.threads = 2;
    options.stop = DL_STOP_FIRST;
    dl_solve_input input = {.instance = instance, .options = &options, .scratch = scratch};
    dl_plan *plan;
    dl_report report;
    assert_int_equal(dl_solve(&input, &plan, &report, NULL), DIFFLNS_OK);
    dl_report_free(&report);
    return plan;
}

static void expect_equal(const dl_plan *a, const dl_plan *b)
{
    assert_int_equal(a->agents, b->agents);
    for (int agent = 0; agent < a->agents; agent++) {
        assert_int_equal(a->path[agent].length, b->path[agent].length);
        assert_memory_equal(a->path[agent].at, b->path[agent].at,
                            sizeof *a->path[agent].at * (size_t)a->path[agent].length);
    }
}

static void solves_with_kept_scratch_equal_solves_without(void **state)
{
    (void)state;
    static const int SIDE[] = {9, 70}; /* boards, SIPPS */
    dl_scratch scratch = {0};
    for (int k = 0; k < 4; k++) { /* maps take turns: planners of the other one do not fit */
        dl_grid *grid;
        uint8_t *blocked = DL_ARRAY(uint8_t, SIDE[k % 2] * SIDE[k % 2]);
        assert_int_equal(dl_grid_create(SIDE[k % 2], SIDE[k % 2], blocked, &grid, NULL), DIFFLNS_OK);
        free(blocked);
        dl_map *map = dl_map_create(grid);
        dl_rng rng = dl_rng_stream((uint64_t)k, DL_PURPOSE('s', 'c', 'r', 'a'), 0);
        static const int AGENTS[] = {30, 20, 30, 35, 10};
        for (int i = 0; i < 5; i++) {
            dl_instance *instance = another_instance(map, &rng, AGENTS[i]);
            dl_plan *with = solve(instance, &scratch), *without = solve(instance, NULL);
            expect_equal(with, without);
            dl_plan_free(with);
            dl_plan_free(without);
            dl_instance_free(instance);
        }
        dl_map_free(map);
    }
    dl_scratch_free(&scratch);
}

static void a_parked_planner_is_empty_on_its_next_instance(void **state)
{
    (void)state;
    static const dl_engine ENGINES[] = {DL_ENGINE_BOARDS, DL_ENGINE_SIPPS};
    for (int k = 0; k < 2; k++) {
        dl_map *map = dl_map_create(test_grid("....../....../......"));
        dl_rng rng = dl_rng_stream((uint64_t)k, DL_PURPOSE('p', 'a', 'r', 'k'), 0);
        dl_instance *first = another_instance(map, &rng, 6), *second = another_instance(map, &rng, 4);
        dl_distance *distance = dl_distance_create(first), *other = dl_distance_create(second);
        dl_planner *planner = dl_planner_create(first, distance, ENGINES[k]);
        dl_request request = DL_SOFT_REQUEST;
        for (int agent = 0; agent < 6; agent++) {
            assert_true(dl_planner_plan(planner, agent, &request) >= 0);
            dl_planner_exchange(planner, agent);
            assert_true(dl_planner_insert(planner, agent));
        }
        dl_planner_park(planner);
        dl_distance_free(distance);
        dl_instance_free(first);
        assert_true(dl_planner_reuse(planner, second, other));
        assert_true(planner->ops->audit(planner));
        assert_int_equal(planner->makespan, 0);
        for (dl_cell cell = 0; cell < second->grid->cells; cell++) {
            int owner = dl_planner_goal_owner(planner, cell);
            assert_true(owner < 0 || second->goal[owner] == cell);
            assert_int_equal(dl_planner_rest_time(planner, cell), DL_NEVER);
        }
        dl_planner_park(planner);
        dl_instance *larger = another_instance(map, &rng, 7);
        assert_false(dl_planner_reuse(planner, larger, other));
        dl_instance_free(larger);
        dl_planner_free(planner);
        dl_distance_free(other);
        dl_instance_free(second);
        dl_map_free(map);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solves_with_kept_scratch_equal_solves_without),
        cmocka_unit_test(a_parked_planner_is_empty_on_its_next_instance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
