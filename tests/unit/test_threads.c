/* Threads that can't be made: the solver does with those it has. */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

#include "mapf/check.h"
#include "solver/solve.h"
#include "support.h"

/* How many of the next threads can't be made. */
static atomic_int refused;

typedef int create_function(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

/* Stands in front of the C library's. */
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument)
{
    create_function *real;
    *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
    int left = atomic_load(&refused);
    while (left > 0)
        if (atomic_compare_exchange_weak(&refused, &left, left - 1)) return EAGAIN;
    return real(thread, attributes, run, argument);
}

/* A crowd takes more than one phase: repair, and then improvement for what is left of the time. */
static void solve_without(int threads_refused)
{
    dl_rng rng = dl_rng_stream(5, DL_PURPOSE('t', 'h', 'r', 'd'), 0);
    dl_instance *instance = test_random_instance(&rng, 10, 10, 0, 60);
    dl_options options;
    dl_options_default(&options);
    options.time = 0.3;
    options.threads = 4;
    options.fallback = false; /* its thread would be the first */
    options.anytime = true;
    dl_solve_input input = {.instance = instance, .options = &options};
    dl_plan *plan;
    dl_report report;
    atomic_store(&refused, threads_refused);
    dl_status status = dl_solve(&input, &plan, &report, NULL);
    atomic_store(&refused, 0);
    assert_true(status == DIFFLNS_OK || status == DIFFLNS_UNSOLVED);
    if (plan) assert_true(dl_check_valid(instance, plan));
    dl_plan_free(plan);
    dl_report_free(&report);
    dl_instance_free(instance);
}

static void a_thread_refused_in_the_first_phase_works_in_the_second(void **state)
{
    (void)state;
    solve_without(1);
}

static void one_thread_is_enough(void **state)
{
    (void)state;
    solve_without(1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thread_refused_in_the_first_phase_works_in_the_second),
        cmocka_unit_test(one_thread_is_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
