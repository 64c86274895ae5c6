#include "support.h"

#include <pthread.h>
#include <sys/resource.h>

#include "base/memory.h"
#include "mapf/distance.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

/* GCC's OpenMP library tells ThreadSanitizer nothing of its barriers, which then sees races everywhere; the locks of
 * the table are put to the test by threads of our own. */
#ifdef __SANITIZE_THREAD__
enum { FILL_THREADS = 1 };
#else
enum { FILL_THREADS = 4 };
#endif

/* All distances between free cells the slow way; DL_UNREACHABLE where there is no path. */
static int *floyd_warshall(const dl_grid *grid)
{
    int n = grid->cells, *table = DL_ARRAY(int, n *n);
    for (int i = 0; i < n * n; i++) table[i] = DL_UNREACHABLE;
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
            difflns_cell p = dl_grid_position(grid, a), q = dl_grid_position(grid, b);
            int apart = abs(p.row - q.row) + abs(p.col - q.col);
            if (apart <= 1) table[a * n + b] = apart;
        }
    for (int k = 0; k < n; k++)
        for (int a = 0; a < n; a++)
            for (int b = 0; b < n; b++)
                if (table[a * n + k] + table[k * n + b] < table[a * n + b])
                    table[a * n + b] = table[a * n + k] + table[k * n + b];
    return table;
}

static void bfs_equals_floyd_warshall(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('d', 'i', 's', 't'), 0);
        int height = 1 + (int)dl_rng_below(&rng, 9), width = 1 + (int)dl_rng_below(&rng, 9);
        dl_instance *instance = test_random_instance(&rng, height, width, 0.4, 1);
        if (!instance) continue;
        const dl_grid *grid = instance->grid;
        int *expected = floyd_warshall(grid);
        uint16_t *row = DL_ARRAY(uint16_t, grid->cells);
        dl_cell *queue = DL_ARRAY(dl_cell, grid->cells);
        for (dl_cell goal = 0; goal < grid->cells; goal++) {
            dl_distance_bfs(grid, goal, row, queue);
            for (dl_cell cell = 0; cell < grid->cells; cell++)
                if (row[cell] != expected[goal * grid->cells + cell])
                    fail_msg("seed %llu: from %d to %d", (unsigned long long)seed, cell, goal);
        }
        free(expected);
        free(row);
        free(queue);
        dl_instance_free(instance);
    }
}

/* A corridor of over 65,535 steps, folded. */
static void distances_beyond_sixteen_bits_saturate_below_unreachable(void **state)
{
    (void)state;
    enum { SIDE = 401 };
    uint8_t *blocked = DL_ARRAY(uint8_t, SIDE * SIDE);
    for (int row = 1; row < SIDE; row += 2)
        for (int col = 0; col < SIDE; col++) blocked[row * SIDE + col] = col != (row / 2 % 2 ? 0 : SIDE - 1);
    dl_grid *grid;
    dl_error err;
    assert_int_equal(dl_grid_create(SIDE, SIDE, blocked, &grid, &err), DIFFLNS_OK);
    uint16_t *row = DL_ARRAY(uint16_t, grid->cells);
    dl_cell *queue = DL_ARRAY(dl_cell, grid->cells);
    dl_distance_bfs(grid, 0, row, queue);
    assert_true(grid->cells > 0x10000);
    for (int i = 0; i < grid->cells; i++) { /* the queue holds the corridor in order */
        int expected = i < DL_UNREACHABLE - 1 ? i : DL_UNREACHABLE - 1;
        assert_int_equal(row[queue[i]], expected);
    }
    free(row);
    free(queue);
    free(blocked);
    dl_grid_free(grid);
}

static dl_instance *crowd(int side, double density, int agents, uint64_t seed)
{
    dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('c', 'r', 'w', 'd'), 0);
    dl_instance *instance = test_random_instance(&rng, side, side, density, agents);
    assert_non_null(instance);
    return instance;
}

static void a_parallel_fill_equals_a_serial_one_and_rows_on_demand(void **state)
{
    (void)state;
    dl_instance *instance = crowd(40, 0.2, 300, 1);
    dl_distance *serial = dl_distance_create(instance, DL_DISTANCE_BYTES);
    dl_distance *parallel = dl_distance_create(instance, DL_DISTANCE_BYTES);
    dl_distance *on_demand = dl_distance_create(instance, DL_DISTANCE_BYTES);
    assert_true(dl_distance_whole(serial));
    dl_distance_fill(serial, 1, NULL);
    dl_distance_fill(parallel, FILL_THREADS, NULL);
    size_t bytes = sizeof(uint16_t) * (size_t)instance->grid->cells;
    for (int agent = instance->agents - 1; agent >= 0; agent--) {
        const uint16_t *row = dl_distance_acquire(serial, agent);
        assert_memory_equal(row, dl_distance_acquire(parallel, agent), bytes);
        assert_memory_equal(row, dl_distance_acquire(on_demand, agent), bytes);
    }
    assert_true(dl_distance_lower_bound(serial) > 0);
    assert_int_equal(dl_distance_lower_bound(serial), dl_distance_lower_bound(on_demand));
    dl_distance_free(serial);
    dl_distance_free(parallel);
    dl_distance_free(on_demand);
    dl_instance_free(instance);
}

typedef struct reader {
    dl_distance *table;       /* under test */
    const dl_distance *whole; /* filled: what is right */
    const dl_instance *instance;
    uint64_t seed;
    int wrong;
} reader;

enum { HELD = 12 }; /* rows a reader holds at once; four readers stay below the 64 that are always there */

static void *read_rows(void *argument)
{
    reader *r = argument;
    dl_rng rng = dl_rng_stream(r->seed, DL_PURPOSE('r', 'e', 'a', 'd'), 0);
    size_t bytes = sizeof(uint16_t) * (size_t)r->instance->grid->cells;
    for (int round = 0; round < 60; round++) {
        int agent[HELD];
        const uint16_t *row[HELD];
        for (int i = 0; i < HELD; i++) {
            agent[i] = (int)dl_rng_below(&rng, (uint32_t)r->instance->agents);
            row[i] = dl_distance_acquire(r->table, agent[i]);
        }
        for (int i = 0; i < HELD; i++) { /* all of them are still theirs after the last was made */
            const uint16_t *right = dl_distance_acquire((dl_distance *)r->whole, agent[i]);
            r->wrong += memcmp(row[i], right, bytes) != 0;
            dl_distance_release(r->table, agent[i]);
        }
    }
    return NULL;
}

static void a_bounded_table_recycles_rows_under_four_threads(void **state)
{
    (void)state;
    dl_instance *instance = crowd(30, 0.2, 400, 2);
    dl_distance *whole = dl_distance_create(instance, DL_DISTANCE_BYTES);
    dl_distance_fill(whole, FILL_THREADS, NULL);
    dl_distance *bounded = dl_distance_create(instance, 1);
    assert_false(dl_distance_whole(bounded));
    assert_int_equal(dl_distance_bytes(bounded), 64 * sizeof(uint16_t) * (size_t)instance->grid->cells);
    dl_distance_fill(bounded, FILL_THREADS, NULL); /* does nothing */
    reader readers[4];
    pthread_t thread[4];
    for (int i = 0; i < 4; i++) {
        readers[i] = (reader){bounded, whole, instance, (uint64_t)i, 0};
        pthread_create(&thread[i], NULL, read_rows, &readers[i]);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(thread[i], NULL);
        assert_int_equal(readers[i].wrong, 0);
    }
    assert_int_equal(dl_distance_lower_bound(bounded), dl_distance_lower_bound(whole));
    dl_distance_free(bounded);
    dl_distance_free(whole);
    dl_instance_free(instance);
}

static void *acquire_all(void *argument)
{
    reader *r = argument;
    size_t bytes = sizeof(uint16_t) * (size_t)r->instance->grid->cells;
    for (int i = 0; i < r->instance->agents; i++) {
        int agent = r->seed % 2 ? i : r->instance->agents - 1 - i;
        const uint16_t *right = dl_distance_acquire((dl_distance *)r->whole, agent);
        r->wrong += memcmp(dl_distance_acquire(r->table, agent), right, bytes) != 0;
    }
    return NULL;
}

static void threads_may_ask_for_the_same_rows_of_a_whole_table(void **state)
{
    (void)state;
    dl_instance *instance = crowd(30, 0.2, 200, 5);
    dl_distance *filled = dl_distance_create(instance, DL_DISTANCE_BYTES);
    dl_distance_fill(filled, 1, NULL);
    dl_distance *empty = dl_distance_create(instance, DL_DISTANCE_BYTES);
    reader readers[4];
    pthread_t thread[4];
    for (int i = 0; i < 4; i++) {
        readers[i] = (reader){empty, filled, instance, (uint64_t)i, 0};
        pthread_create(&thread[i], NULL, acquire_all, &readers[i]);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(thread[i], NULL);
        assert_int_equal(readers[i].wrong, 0);
    }
    dl_distance_free(empty);
    dl_distance_free(filled);
    dl_instance_free(instance);
}

static void the_bound_is_kept_between_the_extremes(void **state)
{
    (void)state;
    dl_instance *instance = crowd(30, 0.2, 200, 3);
    size_t row = sizeof(uint16_t) * (size_t)instance->grid->cells;
    dl_distance *exact = dl_distance_create(instance, 200 * row);
    assert_true(dl_distance_whole(exact));
    dl_distance *less = dl_distance_create(instance, 200 * row - 1);
    assert_false(dl_distance_whole(less));
    assert_int_equal(dl_distance_bytes(less), 199 * row);
    dl_distance_free(exact);
    dl_distance_free(less);
    dl_instance_free(instance);
}

static void a_goal_in_another_component_has_no_lower_bound(void **state)
{
    (void)state;
    dl_instance *instance = test_instance("..@..", 2, (const int[][4]){{0, 0, 0, 1}, {0, 1, 0, 3}});
    dl_distance *distance = dl_distance_create(instance, DL_DISTANCE_BYTES);
    assert_int_equal(dl_distance_lower_bound(distance), -1);
    assert_int_equal(dl_distance_acquire(distance, 1)[instance->start[1]], DL_UNREACHABLE);
    dl_distance_free(distance);
    dl_instance_free(instance);
}

static long resident_kilobytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

/* The promise of the design: 256x256 with 1,000 agents under 200 MB, everything counted. */
static void a_large_map_with_a_thousand_agents_stays_under_200_mb(void **state)
{
    (void)state;
    dl_instance *instance = crowd(256, 0, 1000, 4);
    dl_distance *distance = dl_distance_create(instance, DL_DISTANCE_BYTES);
    assert_true(dl_distance_whole(distance));
    assert_int_equal(dl_distance_bytes(distance), (size_t)256 * 256 * 1000 * 2);
    dl_distance_fill(distance, FILL_THREADS, NULL);
    for (int agent = 0; agent < instance->agents; agent += 111) {
        difflns_cell s = dl_grid_position(instance->grid, instance->start[agent]);
        difflns_cell g = dl_grid_position(instance->grid, instance->goal[agent]);
        assert_int_equal(dl_distance_acquire(distance, agent)[instance->start[agent]],
                         abs(s.row - g.row) + abs(s.col - g.col));
    }
    long resident = resident_kilobytes();
    print_message("rows %zu MB, peak resident %ld MB\n", dl_distance_bytes(distance) >> 20, resident >> 10);
    if (!SANITIZED) assert_true(resident < 200L * 1000); /* sanitizers keep a shadow of everything */
    dl_distance_free(distance);
    dl_instance_free(instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bfs_equals_floyd_warshall),
        cmocka_unit_test(distances_beyond_sixteen_bits_saturate_below_unreachable),
        cmocka_unit_test(a_parallel_fill_equals_a_serial_one_and_rows_on_demand),
        cmocka_unit_test(a_bounded_table_recycles_rows_under_four_threads),
        cmocka_unit_test(threads_may_ask_for_the_same_rows_of_a_whole_table),
        cmocka_unit_test(the_bound_is_kept_between_the_extremes),
        cmocka_unit_test(a_goal_in_another_component_has_no_lower_bound),
        cmocka_unit_test(a_large_map_with_a_thousand_agents_stays_under_200_mb),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
