/* Distances measured when asked for, against whole fields: exact in any order of questions, from any number of threads,
 * in no more memory than they need. */
#include <pthread.h>

#include "base/memory.h"
#include "mapf/distance.h"
#include "mapf/map.h"
#include "support.h"

static dl_grid *random_grid(dl_rng *rng, int height, int width, double density)
{
    dl_grid *grid;
    uint8_t *blocked = DL_ARRAY(uint8_t, height * width);
    for (int i = 1; i < height * width; i++) blocked[i] = dl_rng_unit(rng) < density;
    assert_int_equal(dl_grid_create(height, width, blocked, &grid, NULL), DIFFLNS_OK);
    free(blocked);
    return grid;
}

static dl_cell draw_cell(dl_rng *rng, const dl_grid *grid)
{
    return (dl_cell)dl_rng_below(rng, (uint32_t)grid->cells);
}

static void answers_are_those_of_a_whole_field_in_any_order(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('r', 'e', 'v', 's'), 0);
        int height = 1 + (int)dl_rng_below(&rng, 40), width = 1 + (int)dl_rng_below(&rng, 40);
        dl_grid *grid = random_grid(&rng, height, width, 0.6 * dl_rng_unit(&rng));
        dl_cell goal = draw_cell(&rng, grid);
        atomic_size_t bytes = 0;
        dl_asker asker = {.deadline = dl_no_deadline()};
        dl_reverse_search *search = dl_reverse_search_create(grid, goal, draw_cell(&rng, grid), &bytes);
        dl_field field = {0};
        assert_true(search && dl_field_fill(&field, grid, goal, NULL));
        for (int i = 0; i < 2 * grid->cells; i++) {
            dl_cell cell = i < grid->cells ? draw_cell(&rng, grid) : i - grid->cells;
            if (dl_reverse_search_at(search, cell, &asker) != dl_field_at(&field, cell))
                fail_msg("seed %llu: wrong distance of cell %d", (unsigned long long)seed, cell);
        }
        assert_true(bytes > 0);
        dl_reverse_search_free(search);
        assert_int_equal(bytes, 0);
        assert_false(asker.starved);
        dl_field_free(&field);
        dl_grid_free(grid);
    }
}

static void bounds_are_low_even_and_the_same_whatever_was_asked_before(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('r', 'e', 'v', 'o'), 0);
        dl_grid *grid = random_grid(&rng, 30, 50, 0.45 * dl_rng_unit(&rng));
        dl_cell goal = draw_cell(&rng, grid), toward = draw_cell(&rng, grid);
        atomic_size_t bytes = 0;
        dl_asker asker = {.deadline = dl_no_deadline()};
        dl_reverse_search *modest = dl_reverse_search_create(grid, goal, toward, &bytes);
        dl_reverse_search *curious = dl_reverse_search_create(grid, goal, toward, &bytes);
        for (int i = 0; i < 100; i++) dl_reverse_search_at(curious, draw_cell(&rng, grid), &asker);
        bool exact;
        int way = dl_reverse_search_at(modest, toward, &asker);
        assert_int_equal(dl_reverse_search_at(curious, toward, &asker), way);
        if (way != DL_UNREACHABLE) assert_int_equal(dl_reverse_search_bound(modest, toward, &exact), way);
        for (dl_cell cell = 0; cell < grid->cells; cell++) {
            bool as_exact;
            int bound = dl_reverse_search_bound(modest, cell, &exact);
            assert_int_equal(dl_reverse_search_bound(curious, cell, &as_exact), bound);
            assert_int_equal(as_exact, exact);
            assert_true(bound <= dl_reverse_search_at(curious, cell, &asker));
            if (exact) assert_int_equal(dl_reverse_search_at(curious, cell, &asker), bound);
            for (int d = 0; d < DL_DIRECTIONS; d++)
                if (grid->neighbor[cell][d] != DL_NO_CELL)
                    assert_in_range(dl_reverse_search_bound(modest, grid->neighbor[cell][d], &exact) + 1, bound,
                                    bound + 2);
        }
        dl_reverse_search_free(modest);
        dl_reverse_search_free(curious);
        dl_grid_free(grid);
    }
}

static void on_an_open_map_the_first_dive_settles_little_more_than_its_way(void **state)
{
    (void)state;
    enum { SIDE = 600, DRAWS = 50 };
    dl_rng rng = dl_rng_stream(1, DL_PURPOSE('r', 'e', 'v', 'd'), 0);
    dl_grid *grid = random_grid(&rng, SIDE, SIDE, 0);
    for (int draw = 0; draw < DRAWS; draw++) {
        atomic_size_t bytes = 0;
        dl_asker asker = {.deadline = dl_no_deadline()};
        dl_cell start = draw_cell(&rng, grid);
        dl_reverse_search *search = dl_reverse_search_create(grid, draw_cell(&rng, grid), start, &bytes);
        int steps = dl_reverse_search_at(search, start, &asker);
        assert_in_range(dl_reverse_search_settled(search), steps + 1, 2 * steps + 2);
        assert_true(bytes < sizeof(uint16_t) * SIDE * SIDE);
        dl_reverse_search_free(search);
    }
    dl_grid_free(grid);
}

/* Rows joined at alternating ends: a way through all of them. */
static void ways_too_long_for_tiles_are_measured_all_the_same(void **state)
{
    (void)state;
    enum { SIDE = 301, WAY = (SIDE + 1) / 2 * SIDE + SIDE / 2 };
    uint8_t *blocked = DL_ARRAY(uint8_t, SIDE * SIDE);
    for (int row = 1; row < SIDE; row += 2) memset(blocked + row * SIDE + (row % 4 == 3), 1, SIDE - 1);
    dl_grid *grid;
    assert_int_equal(dl_grid_create(SIDE, SIDE, blocked, &grid, NULL), DIFFLNS_OK);
    assert_int_equal(grid->cells, WAY);
    atomic_size_t bytes = 0;
    dl_asker asker = {.deadline = dl_no_deadline()};
    dl_reverse_search *search = dl_reverse_search_create(grid, 0, grid->cells - 1, &bytes);
    dl_field field = {0};
    assert_true(dl_field_fill(&field, grid, 0, NULL));
    assert_int_equal(dl_reverse_search_at(search, grid->cells - 1, &asker), WAY - 1);
    assert_true(WAY - 1 > INT16_MAX);
    for (dl_cell cell = 0; cell < grid->cells; cell++)
        assert_int_equal(dl_reverse_search_at(search, cell, &asker), dl_field_at(&field, cell));
    dl_reverse_search_free(search);
    dl_field_free(&field);
    dl_grid_free(grid);
    free(blocked);
}

typedef struct questioner {
    dl_map *map;
    const dl_field *field; /* [GOALS] */
    uint64_t number;
    bool wrong;
} questioner;

enum { THREADS = 4, GOALS = 8, QUESTIONS = 4000 };

/* Asks the searches of all goals, in turns so short that others are given back and made anew in between. */
static void *question(void *argument)
{
    questioner *q = argument;
    const dl_grid *grid = dl_map_grid(q->map);
    dl_asker asker = {.deadline = dl_no_deadline()};
    dl_rng rng = dl_rng_stream(q->number, DL_PURPOSE('r', 'e', 'v', 't'), 0);
    for (int i = 0; i < QUESTIONS; i++) {
        dl_cell goal = (dl_cell)dl_rng_below(&rng, GOALS), cell = draw_cell(&rng, grid);
        dl_reverse_search *const *search = dl_map_acquire_search(q->map, goal, grid->cells - 1 - goal);
        if (!search || dl_reverse_search_at(*search, cell, &asker) != dl_field_at(&q->field[goal], cell))
            q->wrong = true;
        if (search) dl_map_release(q->map, goal);
    }
    return NULL;
}

static void many_threads_ask_the_same_searches(void **state)
{
    (void)state;
    dl_rng rng = dl_rng_stream(2, DL_PURPOSE('r', 'e', 'v', 'm'), 0);
    dl_map *map = dl_map_create(random_grid(&rng, 60, 60, 0.2));
    dl_field field[GOALS] = {0};
    for (dl_cell goal = 0; goal < GOALS; goal++) assert_true(dl_field_fill(&field[goal], dl_map_grid(map), goal, NULL));
    for (int round = 0; round < 2; round++) {
        /* First all of them stay; then there is room for hardly one. */
        dl_map_limit(map, round == 0 ? DL_MAP_BYTES : (size_t)1 << 16);
        pthread_t thread[THREADS];
        questioner q[THREADS];
        for (uint64_t i = 0; i < THREADS; i++) {
            q[i] = (questioner){.map = map, .field = field, .number = i};
            assert_int_equal(pthread_create(&thread[i], NULL, question, &q[i]), 0);
        }
        for (int i = 0; i < THREADS; i++) {
            pthread_join(thread[i], NULL);
            assert_false(q[i].wrong);
        }
        if (round == 0) assert_int_equal(dl_map_made(map), GOALS);
    }
    assert_true(dl_map_made(map) > 2 * GOALS);
    for (dl_cell goal = 0; goal < GOALS; goal++) dl_field_free(&field[goal]);
    dl_map_free(map);
}

static void searches_keep_the_limit_of_their_map(void **state)
{
    (void)state;
    enum { LIMIT = 1 << 20, SEARCHES = 200 };
    dl_rng rng = dl_rng_stream(3, DL_PURPOSE('r', 'e', 'v', 'l'), 0);
    dl_map *map = dl_map_create(random_grid(&rng, 200, 200, 0.1));
    const dl_grid *grid = dl_map_grid(map);
    dl_asker asker = {.deadline = dl_no_deadline()};
    dl_map_limit(map, LIMIT);
    size_t most = 0;
    for (dl_cell goal = 0; goal < SEARCHES; goal++) {
        dl_reverse_search *const *search = dl_map_acquire_search(map, goal, draw_cell(&rng, grid));
        assert_non_null(search);
        assert_ptr_equal(search, dl_map_search(map, goal));
        size_t before = dl_map_bytes(map);
        dl_reverse_search_at(*search, draw_cell(&rng, grid), &asker);
        size_t grown = dl_map_bytes(map) - before;
        if (grown > most) most = grown;
        dl_map_release(map, goal);
        assert_true(dl_map_bytes(map) <= LIMIT + 2 * most + (1 << 18)); /* and the one in use */
    }
    assert_false(dl_map_has(map, 0));
    assert_true(dl_map_has(map, SEARCHES - 1));
    dl_map_limit(map, 0);
    assert_int_equal(dl_map_bytes(map), 0);
    dl_map_free(map);
}

static void an_instance_on_a_large_map_measures_what_is_asked_for(void **state)
{
    (void)state;
    enum { SIDE = 380, AGENTS = 20 };
    dl_rng rng = dl_rng_stream(4, DL_PURPOSE('r', 'e', 'v', 'i'), 0);
    dl_instance *instance = test_random_instance(&rng, SIDE, SIDE, 0.05, AGENTS);
    assert_true(dl_grid_is_large(instance->grid));
    dl_distance *distance = dl_distance_create(instance);
    dl_field field = {0};
    for (int agent = 0; agent < AGENTS; agent++) {
        assert_true(dl_field_fill(&field, instance->grid, instance->goal[agent], NULL));
        assert_int_equal(dl_distance_of_start(distance, agent), dl_field_at(&field, instance->start[agent]));
        const dl_field *asked = dl_distance_acquire(distance, agent);
        for (dl_cell cell = instance->start[agent]; cell != instance->goal[agent];) {
            assert_int_equal(dl_field_at(asked, cell), dl_field_at(&field, cell));
            dl_cell next = dl_field_step(asked, instance->grid, cell);
            assert_int_equal(dl_field_at(&field, next), dl_field_at(&field, cell) - 1);
            cell = next;
        }
        dl_distance_release(distance, agent);
    }
    assert_true(dl_map_bytes(instance->map) < AGENTS * dl_field_bytes(&field, instance->grid));
    dl_field_free(&field);
    dl_distance_free(distance);
    dl_instance_free(instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_those_of_a_whole_field_in_any_order),
        cmocka_unit_test(bounds_are_low_even_and_the_same_whatever_was_asked_before),
        cmocka_unit_test(on_an_open_map_the_first_dive_settles_little_more_than_its_way),
        cmocka_unit_test(ways_too_long_for_tiles_are_measured_all_the_same),
        cmocka_unit_test(many_threads_ask_the_same_searches),
        cmocka_unit_test(searches_keep_the_limit_of_their_map),
        cmocka_unit_test(an_instance_on_a_large_map_measures_what_is_asked_for),
    };
    return cmocka_run_group_tests_name("reverse_search", tests, NULL, NULL);
}
