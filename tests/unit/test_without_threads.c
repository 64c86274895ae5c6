/* Where threads can't be had, in a browser for example, solve does everything in its own. */
#include <errno.h>
#include <pthread.h>

#include "mapf/check.h"
#include "solver/solve.h"
#include "support.h"

/* Takes the place of the C library's in this program. */
// NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name): the C library's names are its own
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument)
{
    (void)thread, (void)attributes, (void)run, (void)argument;
    return EAGAIN;
}

static dl_status solve(const dl_instance *instance, dl_options *options, dl_plan **plan, dl_report *report)
{
    options->time = 60;
    options->stop = DL_STOP_FIRST;
    return dl_solve(&(dl_solve_input){.instance = instance, .options = options}, plan, report, NULL);
}

static void repair_uses_the_one_thread_there_is(void **state)
{
    (void)state;
    dl_rng rng = dl_rng_stream(3, DL_PURPOSE('a', 'l', 'o', 'n'), 0);
    dl_instance *instance = test_random_instance(&rng, 10, 10, 0.15, 30);
    dl_options options;
    dl_options_default(&options);
    options.threads = 4;
    dl_plan *plan;
    dl_report report;
    assert_int_equal(solve(instance, &options, &plan, &report), DIFFLNS_OK);
    assert_true(dl_check_valid(instance, plan));
    dl_plan_free(plan);
    dl_report_free(&report);
    dl_instance_free(instance);
}

static void the_last_resort_comes_after_repair(void **state)
{
    (void)state;
    dl_rng rng = dl_rng_stream(11, DL_PURPOSE('f', 'u', 'l', 'l'), 0);
    dl_instance *instance = test_random_instance(&rng, 6, 6, 0, 36); /* only rotations move anybody */
    dl_options options;
    dl_options_default(&options);
    options.rounds = options.candidates = 1; /* then repair has nothing left to try */
    dl_plan *plan;
    dl_report report;
    assert_int_equal(solve(instance, &options, &plan, &report), DIFFLNS_OK);
    assert_true(dl_check_valid(instance, plan));
    assert_true(strcmp(report.init, "push-and-swap") == 0 || strcmp(report.init, "lacam") == 0);
    dl_plan_free(plan);
    dl_report_free(&report);
    dl_instance_free(instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(repair_uses_the_one_thread_there_is),
                                       cmocka_unit_test(the_last_resort_comes_after_repair)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
