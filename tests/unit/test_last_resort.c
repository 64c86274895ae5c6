/* The plan of last resort inside solve: there is always one, it is repeatable, and its thread stops when told.
 */
#include <limits.h>
#include <math.h>
#include <stdatomic.h>

#include "mapf/check.h"
#include "solver/solve.h"
#include "support.h"

static dl_instance *crowded_board(int agents)
{
    dl_rng rng = dl_rng_stream(11, DL_PURPOSE('c', 'r', 'w', 'd'), (uint64_t)agents);
    return test_random_instance(&rng, 8, 8, 0, agents);
}

static void where_repair_fails_the_fallback_solves_and_repeats(void **state)
{
    (void)state;
    dl_instance *instance = crowded_board(60);
    difflns_plan *first = NULL;
    for (int threads = 1; threads <= 2; threads++) {
        dl_options options;
        dl_options_default(&options);
        options.iterations = 60;
        options.threads = threads;
        difflns_plan *plan;
        dl_report report;
        assert_int_equal(dl_solve(&(dl_solve_input){.instance = instance, .options = &options}, &plan, &report, NULL),
                         DIFFLNS_OK);
        assert_true(dl_check_valid(instance, plan));
        assert_true(strcmp(report.init, "push-and-swap") == 0 || strcmp(report.init, "lacam") == 0);
        assert_int_equal(report.soc, dl_plan_soc(plan));
        if (first)
            for (int agent = 0; agent < instance->agents; agent++) {
                assert_int_equal(plan->path[agent].length, first->path[agent].length);
                assert_memory_equal(plan->path[agent].at, first->path[agent].at,
                                    sizeof(difflns_cell) * (size_t)plan->path[agent].length);
            }
        dl_report_free(&report);
        if (threads == 1)
            first = plan;
        else
            difflns_plan_free(plan);
    }
    difflns_plan_free(first);
    dl_instance_free(instance);
}

static void on_a_full_board_half_of_the_iterations_improve_the_plan_of_last_resort(void **state)
{
    (void)state;
    dl_instance *instance = crowded_board(60);
    dl_options options;
    dl_options_default(&options);
    options.iterations = 2000;
    options.stop = DL_STOP_LIMIT;
    difflns_plan *plan;
    dl_report report;
    dl_solve_input input = {.instance = instance, .options = &options};
    assert_int_equal(dl_solve(&input, &plan, &report, NULL), DIFFLNS_OK);
    assert_true(dl_check_valid(instance, plan));
    assert_int_equal(report.repair_iterations, 1000);
    assert_int_equal(report.improve_iterations, 1000);
    assert_true(report.soc < report.first_soc);
    dl_report_free(&report);
    difflns_plan_free(plan);
    dl_instance_free(instance);
}

/* By time: the plan of last resort is not kept back, and what it becomes beside repair is valid. */
static void on_a_full_board_the_first_plan_does_not_wait_for_the_limit(void **state)
{
    (void)state;
    dl_instance *instance = crowded_board(62);
    for (int threads = 1; threads <= 3; threads++) {
        dl_options options;
        dl_options_default(&options);
        options.threads = threads;
        options.stop = threads == 1 ? DL_STOP_LIMIT : DL_STOP_FIRST;
        options.time = threads == 1 ? 2 : 600;
        difflns_plan *plan;
        dl_report report;
        dl_solve_input input = {.instance = instance, .options = &options, .keep_start = true};
        assert_int_equal(dl_solve(&input, &plan, &report, NULL), DIFFLNS_OK);
        assert_true(dl_check_valid(instance, plan));
        assert_true(report.first_seconds < 100 && report.soc <= report.first_soc);
        if (options.stop == DL_STOP_FIRST) assert_int_equal(report.improve_iterations, 0);
        assert_non_null(report.start);
        dl_report_free(&report);
        difflns_plan_free(plan);
    }
    dl_instance_free(instance);
}

/* Stops a solve that does nothing but improve. Beside repair, one event of three is about that. */
typedef struct patience {
    atomic_int stop;
    int improving; /* events in a row */
} patience;

static void wait_for_improvement(void *user, const difflns_event *event)
{
    enum { ENOUGH = 12 };
    patience *p = user;
    difflns_event_type kind = difflns_event_kind(event);
    if (kind == DIFFLNS_EVENT_REPAIRING) p->improving = 0;
    if (kind == DIFFLNS_EVENT_IMPROVING && ++p->improving == ENOUGH) atomic_store(&p->stop, 1);
}

/* However long the limit: three candidates beside the first one, each until it is stuck, and no more. */
static void where_repair_has_no_hope_it_gives_way(void **state)
{
    (void)state;
    dl_rng rng = dl_rng_stream(13, DL_PURPOSE('h', 'o', 'p', 'e'), 0);
    dl_instance *instance = test_random_instance(&rng, 9, 9, 0.2, 60);
    dl_options options;
    dl_options_default(&options);
    options.threads = 1;
    options.stop = DL_STOP_LIMIT;
    options.time = 15;
    patience p = {0};
    difflns_plan *plan;
    dl_report report;
    dl_solve_input input = {
        .instance = instance, .options = &options, .stop = &p.stop, .listener = wait_for_improvement, .user = &p};
    dl_status status = dl_solve(&input, &plan, &report, NULL);
    assert_true(status == DIFFLNS_STOPPED || status == DIFFLNS_OK);
    int hopeless = 0;
    for (int i = 1; i < report.candidates; i++) hopeless += report.candidate[i].iterations > 0; /* the last resort: 0 */
    print_message("%d candidates after the first, at most 3\n", hopeless);
    assert_in_range(hopeless, 1, 3);
    dl_report_free(&report);
    difflns_plan_free(plan);
    dl_instance_free(instance);
}

/* Once the plan of last resort counts as settled, no candidate is begun that would be given up at its first step. */
static void where_the_last_resort_is_settled_repair_ends(void **state)
{
    (void)state;
    enum { FEW = 20 };
    for (int agents = 69; agents <= 72; agents += 3) {
        dl_instance *instance = test_preset_instance("small-random", agents, 870102);
        dl_options options;
        dl_options_default(&options);
        options.threads = 2;
        options.time = 4;
        difflns_plan *plan;
        dl_report report;
        dl_solve_input input = {.instance = instance, .options = &options};
        assert_int_equal(dl_solve(&input, &plan, &report, NULL), DIFFLNS_OK);
        print_message("%d agents: %d candidates, at most %d\n", agents, report.candidates, FEW);
        assert_in_range(report.candidates, 1, FEW);
        dl_report_free(&report);
        difflns_plan_free(plan);
        dl_instance_free(instance);
    }
}

static void candidates_get_more_and_more_iterations(void **state)
{
    (void)state;
    assert_true(dl_solve_patience(0) < dl_solve_patience(1));
    for (int index = 1; index < 60; index++)
        assert_in_range(dl_solve_patience(index + 1), dl_solve_patience(index) * 5 / 4, dl_solve_patience(index) * 2);
    assert_true(dl_solve_patience(INT_MAX) >= dl_solve_patience(60));
}

static void without_the_fallback_the_same_is_unsolved(void **state)
{
    (void)state;
    dl_instance *instance = crowded_board(60);
    dl_options options;
    dl_options_default(&options);
    options.iterations = 60;
    options.threads = 1;
    options.fallback = 0;
    difflns_plan *plan;
    dl_report report;
    dl_solve_input input = {.instance = instance, .options = &options};
    assert_int_equal(dl_solve(&input, &plan, &report, NULL), DIFFLNS_UNSOLVED);
    assert_null(plan);
    assert_non_null(report.colliding); /* what there is when there is no plan */
    assert_false(dl_check_valid(instance, report.colliding));
    dl_report_free(&report);
    dl_instance_free(instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(where_repair_fails_the_fallback_solves_and_repeats),
        cmocka_unit_test(on_a_full_board_half_of_the_iterations_improve_the_plan_of_last_resort),
        cmocka_unit_test(on_a_full_board_the_first_plan_does_not_wait_for_the_limit),
        cmocka_unit_test(where_repair_has_no_hope_it_gives_way),
        cmocka_unit_test(where_the_last_resort_is_settled_repair_ends),
        cmocka_unit_test(candidates_get_more_and_more_iterations),
        cmocka_unit_test(without_the_fallback_the_same_is_unsolved)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
