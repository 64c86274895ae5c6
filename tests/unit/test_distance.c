#include "support.h"

#include <stdatomic.h>
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
        dl_field field = {0};
        for (dl_cell goal = 0; goal < grid->cells; goal++) {
            assert_true(dl_field_fill(&field, grid, goal, NULL));
            for (dl_cell cell = 0; cell < grid->cells; cell++)
                if (dl_field_at(&field, cell) != expected[goal * grid->cells + cell])
                    fail_msg("seed %llu: from %d to %d", (unsigned long long)seed, cell, goal);
        }
        free(expected);
        dl_field_free(&field);
        dl_instance_free(instance);
    }
}

/* A corridor folded into rows: the cells in order from one end to the other, and a grid to measure it on. */
static dl_grid *serpentine(int side, dl_cell *order)
{
    uint8_t *blocked = DL_ARRAY(uint8_t, side * side);
    for (int row = 1; row < side; row += 2)
        for (int col = 0; col < side; col++) blocked[row * side + col] = col != (row / 2 % 2 ? 0 : side - 1);
    dl_grid *grid;
    dl_error err;
    assert_int_equal(dl_grid_create(side, side, blocked, &grid, &err), DIFFLNS_OK);
    free(blocked);
    int count = 0;
    for (int row = 0; row < side; row++)
        for (int i = 0; i < side; i++) {
            dl_cell cell = dl_grid_cell(grid, row, row / 2 % 2 ? side - 1 - i : i);
            if (cell != DL_NO_CELL) order[count++] = cell;
        }
    assert_int_equal(count, grid->cells);
    return grid;
}

static void distances_beyond_sixteen_bits_are_exact(void **state)
{
    (void)state;
    enum { SIDE = 401 };
    dl_cell *order = DL_ARRAY(dl_cell, SIDE * SIDE);
    dl_grid *grid = serpentine(SIDE, order);
    dl_field field = {0};
    assert_true(grid->cells > 0x10000);
    /* From both ends, from goals whose farthest cell just fits 16 bits and just does not, and from the middle: the same
     * field becomes wide and narrow again. */
    int last = grid->cells - 1, goals[] = {0, 0xFFFD, last - 0xFFFD, last - 0xFFFF, last, last / 2};
    for (size_t i = 0; i < sizeof goals / sizeof goals[0]; i++) {
        assert_true(dl_field_fill(&field, grid, order[goals[i]], NULL));
        int farthest = goals[i] > last - goals[i] ? goals[i] : last - goals[i];
        assert_int_equal(field.wide != NULL, farthest > 0xFFFD);
        assert_int_equal(field.narrow != NULL, farthest <= 0xFFFD);
        for (int k = 0; k < grid->cells; k++) assert_int_equal(dl_field_at(&field, order[k]), abs(k - goals[i]));
    }
    dl_field_free(&field);
    free(order);
    dl_grid_free(grid);
}

static void a_step_leads_nearer_until_the_goal(void **state)
{
    (void)state;
    dl_grid *grid = test_grid("...@./.@.@./...@.");
    dl_field field = {0};
    dl_cell goal = dl_grid_cell(grid, 1, 2), at = dl_grid_cell(grid, 0, 0), apart = dl_grid_cell(grid, 0, 4);
    assert_true(dl_field_fill(&field, grid, goal, NULL));
    for (int left = 3; left > 0; left--, at = dl_field_step(&field, grid, at))
        assert_int_equal(dl_field_at(&field, at), left);
    assert_int_equal(at, goal);
    assert_int_equal(dl_field_step(&field, grid, goal), goal);
    assert_int_equal(dl_field_at(&field, apart), DL_UNREACHABLE);
    assert_int_equal(dl_field_step(&field, grid, apart), apart);
    dl_field_free(&field);
    dl_grid_free(grid);
}

static dl_instance *crowd(int side, double density, int agents, uint64_t seed)
{
    dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('c', 'r', 'w', 'd'), 0);
    dl_instance *instance = test_random_instance(&rng, side, side, density, agents);
    assert_non_null(instance);
    return instance;
}

static bool same_field(const dl_grid *grid, const dl_field *a, const dl_field *b)
{
    for (dl_cell cell = 0; cell < grid->cells; cell++)
        if (dl_field_at(a, cell) != dl_field_at(b, cell)) return false;
    return true;
}

static void a_parallel_fill_equals_a_serial_one_and_fields_on_demand(void **state)
{
    (void)state;
    dl_instance *instance[3]; /* the same three times, each on a map of its own */
    dl_distance *distance[3];
    for (int i = 0; i < 3; i++) {
        instance[i] = crowd(40, 0.2, 300, 1);
        distance[i] = dl_distance_create(instance[i]);
    }
    assert_true(dl_distance_whole(distance[0]));
    dl_distance_fill(distance[0], 1, NULL);
    dl_distance_fill(distance[1], FILL_THREADS, NULL);
    size_t bytes = sizeof(uint16_t) * (size_t)instance[0]->grid->cells;
    assert_int_equal(dl_map_bytes(instance[0]->map), 300 * bytes);
    assert_int_equal(dl_map_bytes(instance[1]->map), 300 * bytes);
    assert_int_equal(dl_map_bytes(instance[2]->map), 0);
    for (int agent = 299; agent >= 0; agent--) {
        const dl_field *field = dl_distance_acquire(distance[0], agent);
        for (int i = 1; i < 3; i++) {
            assert_true(same_field(instance[0]->grid, field, dl_distance_acquire(distance[i], agent)));
            dl_distance_release(distance[i], agent);
        }
        dl_distance_release(distance[0], agent);
    }
    assert_true(dl_distance_lower_bound(distance[0]) > 0);
    assert_int_equal(dl_distance_lower_bound(distance[0]), dl_distance_lower_bound(distance[2]));
    for (int i = 0; i < 3; i++) {
        dl_distance_free(distance[i]);
        dl_instance_free(instance[i]);
    }
}

static void a_map_is_whole_for_an_instance_whose_fields_all_fit(void **state)
{
    (void)state;
    dl_instance *instance = crowd(30, 0.2, 200, 3);
    dl_distance *distance = dl_distance_create(instance);
    size_t bytes = sizeof(uint16_t) * (size_t)instance->grid->cells;
    dl_map_limit(instance->map, 200 * bytes);
    assert_true(dl_distance_whole(distance));
    dl_map_limit(instance->map, 200 * bytes - 1);
    assert_false(dl_distance_whole(distance));
    dl_distance_fill(distance, FILL_THREADS, NULL); /* does nothing */
    assert_int_equal(dl_map_bytes(instance->map), 0);
    int64_t bound = dl_distance_lower_bound(distance);
    assert_int_equal(dl_map_bytes(instance->map), 199 * bytes);
    dl_map_limit(instance->map, 0);
    assert_int_equal(dl_map_bytes(instance->map), 0);
    assert_int_equal(dl_distance_lower_bound(distance), bound); /* remembered: no field is made for it */
    assert_int_equal(dl_map_bytes(instance->map), 0);
    dl_distance_free(distance);
    dl_instance_free(instance);
}

static void a_second_view_finds_the_fields_of_the_first(void **state)
{
    (void)state;
    dl_instance *instance = crowd(20, 0.2, 50, 6);
    dl_distance *first = dl_distance_create(instance), *second = dl_distance_create(instance);
    const dl_field *made[50];
    for (int agent = 0; agent < 50; agent++) {
        made[agent] = dl_distance_acquire(first, agent);
        dl_distance_release(first, agent);
    }
    dl_distance_free(first);
    for (int agent = 0; agent < 50; agent++) {
        assert_ptr_equal(dl_distance_acquire(second, agent), made[agent]);
        dl_distance_release(second, agent);
    }
    assert_int_equal(dl_map_bytes(instance->map), 50 * sizeof(uint16_t) * (size_t)instance->grid->cells);
    dl_distance_free(second);
    dl_instance_free(instance);
}

/* Large maps are measured only as far as time allows; small ones do not look at the clock. */
static void a_field_of_a_large_map_is_not_made_after_the_deadline(void **state)
{
    (void)state;
    const atomic_int stop = 1;
    dl_deadline over = {0, &stop};
    dl_instance *large = crowd(350, 0, 2, 7), *small = crowd(20, 0, 2, 8);
    dl_distance *far = dl_distance_create(large), *near = dl_distance_create(small);
    dl_distance_until(far, over);
    dl_distance_until(near, over);
    assert_null(dl_distance_acquire(far, 0));
    assert_int_equal(dl_distance_of_start(far, 1), DL_UNREACHABLE);
    assert_int_equal(dl_distance_lower_bound(far), -1);
    assert_false(dl_distance_starved(far));
    assert_int_equal(dl_map_bytes(large->map), 0);
    assert_true(dl_distance_lower_bound(near) > 0);
    dl_distance_until(far, dl_no_deadline());
    assert_true(dl_distance_lower_bound(far) > 0);
    dl_distance_free(far);
    dl_distance_free(near);
    dl_instance_free(large);
    dl_instance_free(small);
}

/* Beyond that size there are no fields: what is asked for is measured, as far as time allows. */
static void nothing_is_measured_on_a_very_large_map_after_the_deadline(void **state)
{
    (void)state;
    const atomic_int stop = 1;
    dl_instance *instance = crowd(400, 0, 2, 7);
    dl_distance *distance = dl_distance_create(instance);
    assert_true(dl_grid_is_large(instance->grid));
    dl_distance_until(distance, (dl_deadline){0, &stop});
    const dl_field *field = dl_distance_acquire(distance, 0);
    assert_non_null(field);
    assert_int_equal(dl_field_at(field, instance->start[0]), DL_UNREACHABLE);
    dl_distance_release(distance, 0);
    assert_int_equal(dl_distance_of_start(distance, 1), DL_UNREACHABLE);
    assert_int_equal(dl_distance_lower_bound(distance), -1);
    assert_false(dl_distance_starved(distance));
    dl_distance_until(distance, dl_no_deadline());
    assert_true(dl_distance_lower_bound(distance) > 0);
    dl_distance_free(distance);
    dl_instance_free(instance);
}

static void a_goal_in_another_component_has_no_lower_bound(void **state)
{
    (void)state;
    dl_instance *instance = test_instance("..@..", 2, (const int[][4]){{0, 0, 0, 1}, {0, 1, 0, 3}});
    dl_distance *distance = dl_distance_create(instance);
    assert_int_equal(dl_distance_lower_bound(distance), -1);
    assert_int_equal(dl_distance_of_start(distance, 1), DL_UNREACHABLE);
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
    dl_distance *distance = dl_distance_create(instance);
    assert_true(dl_distance_whole(distance));
    dl_distance_fill(distance, FILL_THREADS, NULL);
    assert_int_equal(dl_map_bytes(instance->map), (size_t)256 * 256 * 1000 * 2);
    for (int agent = 0; agent < instance->agents; agent += 111) {
        difflns_cell s = dl_grid_position(instance->grid, instance->start[agent]);
        difflns_cell g = dl_grid_position(instance->grid, instance->goal[agent]);
        assert_int_equal(dl_distance_of_start(distance, agent), abs(s.row - g.row) + abs(s.col - g.col));
    }
    long resident = resident_kilobytes();
    print_message("fields %zu MB, peak resident %ld MB\n", dl_map_bytes(instance->map) >> 20, resident >> 10);
    if (!SANITIZED) assert_true(resident < 200L * 1000); /* sanitizers keep a shadow of everything */
    dl_distance_free(distance);
    dl_instance_free(instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bfs_equals_floyd_warshall),
        cmocka_unit_test(distances_beyond_sixteen_bits_are_exact),
        cmocka_unit_test(a_step_leads_nearer_until_the_goal),
        cmocka_unit_test(a_parallel_fill_equals_a_serial_one_and_fields_on_demand),
        cmocka_unit_test(a_map_is_whole_for_an_instance_whose_fields_all_fit),
        cmocka_unit_test(a_second_view_finds_the_fields_of_the_first),
        cmocka_unit_test(a_field_of_a_large_map_is_not_made_after_the_deadline),
        cmocka_unit_test(nothing_is_measured_on_a_very_large_map_after_the_deadline),
        cmocka_unit_test(a_goal_in_another_component_has_no_lower_bound),
        cmocka_unit_test(a_large_map_with_a_thousand_agents_stays_under_200_mb),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
