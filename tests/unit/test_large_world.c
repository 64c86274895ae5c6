/* Worlds too large for whole distance fields: solved like others, and the same for any number of threads. */
#include <malloc.h>
#include <stdio.h>
#include <unistd.h>

#include "lns/repair.h"
#include "mapf/check.h"
#include "mapf/map.h"
#include "order/hasten.h"
#include "solver/solve.h"
#include "support.h"

enum { SIDE = 380, AGENTS = 120, ITERATIONS = 40 };

static int64_t solve(const dl_instance *instance, dl_options *options)
{
    dl_plan *plan = NULL;
    dl_report report;
    dl_check_result check;
    assert_int_equal(dl_solve(&(dl_solve_input){.instance = instance, .options = options}, &plan, &report, NULL),
                     DIFFLNS_OK);
    assert_true(dl_check(instance, plan, &check, NULL, 0, NULL));
    assert_int_equal(check.violations, 0);
    assert_int_equal(check.soc, report.soc);
    assert_true(report.soc >= report.sum_of_distances);
    /* Most agents are undelayed where there is so much room. */
    assert_true(report.soc < report.sum_of_distances + report.sum_of_distances / 20);
    int64_t soc = report.soc;
    dl_plan_free(plan);
    dl_report_free(&report);
    return soc;
}

static dl_instance *large_world(uint64_t seed)
{
    dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('l', 'a', 'r', 'g'), 0);
    dl_instance *instance = test_random_instance(&rng, SIDE, SIDE, 0.05, AGENTS);
    assert_non_null(instance);
    assert_true(dl_grid_is_large(instance->grid));
    return instance;
}

static void a_large_world_is_solved_in_less_memory_than_fields_would_take(void **state)
{
    (void)state;
    dl_instance *instance = large_world(1);
    dl_options options;
    dl_options_default(&options);
    options.stop = DL_STOP_FIRST;
    solve(instance, &options);
    assert_true(dl_map_bytes(instance->map) < sizeof(uint16_t) * (size_t)instance->grid->cells * AGENTS);
    dl_instance_free(instance);
}

static void a_large_world_is_solved_though_hardly_a_search_can_be_kept(void **state)
{
    (void)state;
    dl_instance *instance = large_world(2);
    dl_options options;
    dl_options_default(&options);
    options.stop = DL_STOP_FIRST;
    dl_map_limit(instance->map, (size_t)1 << 18);
    solve(instance, &options);
    dl_instance_free(instance);
}

static void iterations_give_the_same_plan_for_any_number_of_threads(void **state)
{
    (void)state;
    int64_t soc[2];
    for (int i = 0; i < 2; i++) {
        dl_instance *instance = large_world(3); /* with a fresh map, where nothing was asked before */
        dl_options options;
        dl_options_default(&options);
        options.iterations = ITERATIONS;
        options.stop = DL_STOP_LIMIT;
        options.threads = 1 + 2 * i;
        if (i == 1) dl_map_limit(instance->map, (size_t)1 << 20); /* and searches are given back and made anew */
        soc[i] = solve(instance, &options);
        dl_instance_free(instance);
    }
    assert_int_equal(soc[0], soc[1]);
}

static long resident_bytes(void)
{
    long all, resident = 0;
    FILE *statm = fopen("/proc/self/statm", "r");
    assert_non_null(statm);
    assert_int_equal(fscanf(statm, "%ld %ld", &all, &resident), 2);
    fclose(statm);
    return resident * sysconf(_SC_PAGESIZE);
}

/* Memory is zero when it is new. A writer that fills it with something else must go over all of it, which takes a tenth
 * of a second for several workers on a map of millions of cells, and nobody looks at the clock meanwhile. */
static void a_planner_and_a_repair_touch_only_the_memory_of_cells_they_need(void **state)
{
    (void)state;
    enum { WIDE = 1500, MOST_BYTES = 4 << 20 };
    mallopt(M_MMAP_THRESHOLD, 1 << 20); /* all that is large is new */
    dl_rng rng = dl_rng_stream(4, DL_PURPOSE('l', 'a', 'r', 'g'), 0);
    dl_instance *instance = test_random_instance(&rng, WIDE, WIDE, 0, 2);
    dl_distance *distance = dl_distance_create(instance);
    long before = resident_bytes();
    dl_planner *planner = dl_planner_create(instance, distance, DL_ENGINE_AUTO);
    dl_repair repair;
    assert_true(dl_repair_begin(&repair, planner, &DL_REPAIR_DEFAULTS));
    assert_in_range(resident_bytes() - before, 0, MOST_BYTES);
    dl_repair_end(&repair);
    dl_planner_free(planner);
    dl_distance_free(distance);
    dl_instance_free(instance);
}

static void hastening_touches_only_the_memory_of_cells_on_the_way(void **state)
{
    (void)state;
    enum { WIDE = 1500, MOST_BYTES = 4 << 20 };
    static const dl_task TASKS[] = {{.start = {0, 0}, .goal = {0, 9}}};
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
    dl_hasten hasten;
    dl_grid *grid;
    dl_instance *instance;
    dl_request request = DL_SOFT_REQUEST;
    static uint8_t blocked[WIDE * WIDE];
    assert_int_equal(dl_grid_create(WIDE, WIDE, blocked, &grid, NULL), DIFFLNS_OK);
    assert_int_equal(dl_instance_create(grid, "", "", 1, TASKS, &instance, NULL), DIFFLNS_OK);
    dl_distance *distance = dl_distance_create(instance);
    dl_planner *planner = dl_planner_create(instance, distance, DL_ENGINE_AUTO);
    assert_true(dl_planner_plan(planner, 0, &request) >= 0);
    assert_true(dl_planner_adopt(planner, 0));
    long before = resident_bytes();
    assert_true(dl_hasten_begin(&hasten, planner->instance));
    assert_int_equal(dl_hasten_find(&hasten, planner->track, planner->makespan, planner->spare, NULL), 0);
    assert_in_range(resident_bytes() - before, 0, MOST_BYTES);
    dl_hasten_end(&hasten);
    dl_planner_free(planner);
    dl_distance_free(distance);
    dl_instance_free(instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_planner_and_a_repair_touch_only_the_memory_of_cells_they_need),
        cmocka_unit_test(hastening_touches_only_the_memory_of_cells_on_the_way),
        cmocka_unit_test(a_large_world_is_solved_in_less_memory_than_fields_would_take),
        cmocka_unit_test(a_large_world_is_solved_though_hardly_a_search_can_be_kept),
        cmocka_unit_test(iterations_give_the_same_plan_for_any_number_of_threads),
    };
    return cmocka_run_group_tests_name("large_world", tests, NULL, NULL);
}
