#include "support.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/parallel.h"

enum { COUNT = 1000 };

static void count_visit(void *context, int index)
{
    atomic_int *visits = context;
    atomic_fetch_add(&visits[index], 1);
}

static void every_index_is_visited_once(void **state)
{
    (void)state;
    for (int threads = 0; threads <= 5; threads++) {
        static atomic_int visits[COUNT];
        for (int i = 0; i < COUNT; i++) atomic_store(&visits[i], 0);
        dl_parallel_for(COUNT, threads, count_visit, visits);
        for (int i = 0; i < COUNT; i++) assert_int_equal(atomic_load(&visits[i]), 1);
    }
}

/* Each waits for the other, so they can only finish at the same time. */
static void meet(void *context, int index)
{
    (void)index;
    pthread_barrier_wait(context);
}

static void threads_really_run_side_by_side(void **state)
{
    (void)state;
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, NULL, 3);
    dl_parallel_for(3, 3, meet, &barrier);
    pthread_barrier_destroy(&barrier);
}

static void nothing_to_do_is_done(void **state)
{
    (void)state;
    dl_parallel_for(0, 4, count_visit, NULL);
    assert_true(dl_cores() >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_index_is_visited_once),
        cmocka_unit_test(threads_really_run_side_by_side),
        cmocka_unit_test(nothing_to_do_is_done),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
