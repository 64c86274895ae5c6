/* The store of distance fields: shared, bounded, made once. */
#include <pthread.h>

#include "base/memory.h"
#include "mapf/map.h"
#include "support.h"

static dl_map *open_map(int side)
{
    dl_grid *grid;
    uint8_t *blocked = DL_ARRAY(uint8_t, side * side);
    assert_int_equal(dl_grid_create(side, side, blocked, &grid, NULL), DIFFLNS_OK);
    free(blocked);
    dl_map *map = dl_map_create(grid);
    assert_non_null(map);
    return map;
}

static size_t bytes_of_a_field(const dl_map *map)
{
    return sizeof(uint16_t) * (size_t)dl_map_grid(map)->cells;
}

static void touch(dl_map *map, dl_cell goal)
{
    assert_non_null(dl_map_acquire(map, goal, NULL));
    dl_map_release(map, goal);
}

static void a_map_lives_as_long_as_somebody_shares_it(void **state)
{
    (void)state;
    dl_map *map = open_map(5);
    assert_ptr_equal(dl_map_share(map), map);
    dl_map_free(map);
    touch(map, 3);
    dl_map_free(map);
    dl_map_free(NULL);
}

static void an_instance_keeps_the_map_it_was_made_on(void **state)
{
    (void)state;
    dl_map *map = open_map(5);
    dl_task tasks[2] = {{.start = {0, 0}, .goal = {4, 4}}, {.start = {1, 0}, .goal = {1, 0}}};
    dl_instance *first, *second;
    assert_int_equal(dl_instance_create_on(map, "m", "s", 1, tasks, &first, NULL), DIFFLNS_OK);
    assert_int_equal(dl_instance_create_on(map, "m", "s", 2, tasks, &second, NULL), DIFFLNS_OK);
    tasks[1].start = tasks[0].start;
    dl_instance *refused;
    assert_int_equal(dl_instance_create_on(map, "m", "s", 2, tasks, &refused, NULL), DIFFLNS_BAD_INPUT);
    assert_null(refused);
    dl_map_free(map);
    assert_ptr_equal(first->map, second->map);
    assert_ptr_equal(first->grid, second->grid);
    dl_instance_free(first);
    touch(second->map, 7);
    dl_instance_free(second);
}

static void the_field_least_recently_used_is_given_back_first(void **state)
{
    (void)state;
    dl_map *map = open_map(6);
    dl_map_limit(map, 3 * bytes_of_a_field(map));
    for (dl_cell goal = 0; goal < 3; goal++) touch(map, goal);
    const dl_field *kept = dl_map_acquire(map, 0, NULL); /* 1 is now the oldest */
    dl_map_release(map, 0);
    touch(map, 3);
    assert_int_equal(dl_map_bytes(map), 3 * bytes_of_a_field(map));
    /* 0 is still there, so asking for it gives nothing back: 2 goes when 4 comes, then 3 when 1 comes again. */
    assert_ptr_equal(dl_map_acquire(map, 0, NULL), kept);
    assert_false(dl_map_has(map, 1));
    dl_map_release(map, 0);
    touch(map, 4);
    assert_false(dl_map_has(map, 2));
    touch(map, 1);
    assert_false(dl_map_has(map, 3));
    assert_true(dl_map_has(map, 0) && dl_map_has(map, 1) && dl_map_has(map, 4));
    dl_map_free(map);
}

static void fields_that_are_held_stay_beyond_the_limit(void **state)
{
    (void)state;
    dl_map *map = open_map(6);
    const dl_field *held[5];
    dl_map_limit(map, bytes_of_a_field(map));
    for (dl_cell goal = 0; goal < 5; goal++) held[goal] = dl_map_acquire(map, goal, NULL);
    for (dl_cell goal = 0; goal < 5; goal++)
        for (dl_cell cell = 0; cell < 6; cell++) assert_int_equal(dl_field_at(held[goal], cell), abs(cell - goal));
    assert_int_equal(dl_map_bytes(map), 5 * bytes_of_a_field(map));
    for (dl_cell goal = 0; goal < 5; goal++) dl_map_release(map, goal);
    touch(map, 9);
    assert_int_equal(dl_map_bytes(map), bytes_of_a_field(map));
    dl_map_limit(map, 0);
    assert_int_equal(dl_map_bytes(map), 0);
    dl_map_free(map);
}

/* ---- Threads ---- */

typedef struct reader {
    dl_map *map;
    uint64_t seed;
    int goals, held; /* of so many goals, so many at once */
    pthread_barrier_t *start;
    int wrong;
} reader;

enum { MOST_HELD = 4 };

static bool is_right(const dl_grid *grid, dl_cell goal, const dl_field *field)
{
    difflns_cell to = dl_grid_position(grid, goal);
    for (dl_cell cell = 0; cell < grid->cells; cell++) {
        difflns_cell at = dl_grid_position(grid, cell);
        if (dl_field_at(field, cell) != abs(at.row - to.row) + abs(at.col - to.col)) return false;
    }
    return true;
}

static void *read_fields(void *argument)
{
    reader *r = argument;
    const dl_grid *grid = dl_map_grid(r->map);
    dl_rng rng = dl_rng_stream(r->seed, DL_PURPOSE('r', 'e', 'a', 'd'), 0);
    pthread_barrier_wait(r->start);
    for (int round = 0; round < 20; round++) {
        dl_cell goal[MOST_HELD];
        const dl_field *field[MOST_HELD];
        for (int i = 0; i < r->held; i++) {
            goal[i] = (dl_cell)dl_rng_below(&rng, (uint32_t)r->goals);
            field[i] = dl_map_acquire(r->map, goal[i], NULL);
        }
        for (int i = 0; i < r->held; i++) { /* all of them are still theirs after the last was made */
            r->wrong += !field[i] || !is_right(grid, goal[i], field[i]);
            if (field[i]) dl_map_release(r->map, goal[i]);
        }
    }
    return NULL;
}

static void read_with_threads(dl_map *map, int threads, int goals, int held)
{
    reader *readers = DL_ARRAY(reader, threads);
    pthread_t *thread = DL_ARRAY(pthread_t, threads);
    pthread_barrier_t start;
    pthread_barrier_init(&start, NULL, (unsigned)threads);
    for (int i = 0; i < threads; i++) {
        readers[i] = (reader){map, (uint64_t)i, goals, held, &start, 0};
        assert_int_equal(pthread_create(&thread[i], NULL, read_fields, &readers[i]), 0);
    }
    for (int i = 0; i < threads; i++) {
        pthread_join(thread[i], NULL);
        assert_int_equal(readers[i].wrong, 0);
    }
    pthread_barrier_destroy(&start);
    free(readers);
    free(thread);
}

static void threads_that_want_the_same_field_make_it_once(void **state)
{
    (void)state;
    dl_map *map = open_map(30);
    read_with_threads(map, 4, 40, 3);
    assert_int_equal(dl_map_made(map), 40);
    assert_int_equal(dl_map_bytes(map), 40 * bytes_of_a_field(map));
    dl_map_free(map);
}

static void a_bounded_map_gives_fields_back_under_four_threads(void **state)
{
    (void)state;
    dl_map *map = open_map(30);
    dl_map_limit(map, 20 * bytes_of_a_field(map));
    read_with_threads(map, 4, 400, MOST_HELD);
    touch(map, 0);
    assert_int_equal(dl_map_bytes(map), 20 * bytes_of_a_field(map));
    dl_map_free(map);
}

static void more_threads_than_fields_fit_do_no_harm(void **state)
{
    (void)state;
    dl_map *map = open_map(16);
    dl_map_limit(map, bytes_of_a_field(map));
    read_with_threads(map, 100, 200, 2);
    /* Fields held to the last may lie beyond the limit until somebody makes room again. */
    dl_map_limit(map, bytes_of_a_field(map));
    assert_int_equal(dl_map_bytes(map), bytes_of_a_field(map));
    dl_map_free(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_map_lives_as_long_as_somebody_shares_it),
        cmocka_unit_test(an_instance_keeps_the_map_it_was_made_on),
        cmocka_unit_test(the_field_least_recently_used_is_given_back_first),
        cmocka_unit_test(fields_that_are_held_stay_beyond_the_limit),
        cmocka_unit_test(threads_that_want_the_same_field_make_it_once),
        cmocka_unit_test(a_bounded_map_gives_fields_back_under_four_threads),
        cmocka_unit_test(more_threads_than_fields_fit_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
