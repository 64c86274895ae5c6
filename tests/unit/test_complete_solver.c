/* The complete solver: its parts keep their promises, and on small random maps it solves exactly what is solvable. */
#include "base/memory.h"
#include "complete/complete_solver.h"
#include "complete/push_and_swap.h"
#include "complete/solvability.h"
#include "lacam/windows.h"
#include "mapf/check.h"
#include "order/timetable.h"
#include "support_worlds.h"

static dl_rng stream(uint64_t index)
{
    return dl_rng_stream(7, DL_PURPOSE('t', 'r', 'o', 't'), index);
}

static dl_status solve(const dl_instance *instance, dl_rules rules, int orders, dl_plan **plan)
{
    dl_complete_options options = {.seed = 1, .orders = orders, .rules = rules};
    return dl_complete_solve(instance, NULL, &options, dl_no_deadline(), plan, NULL);
}

static int least_blanks(const dl_instance *instance)
{
    const dl_grid *grid = instance->grid;
    int least = grid->cells;
    for (int id = 0; id < grid->components; id++) {
        int blanks = grid->component_size[id];
        for (int agent = 0; agent < instance->agents; agent++) blanks -= grid->component[instance->start[agent]] == id;
        if (blanks < least) least = blanks;
    }
    return least;
}

static void the_solver_solves_exactly_what_is_solvable(void **state)
{
    (void)state;
    int solved = 0, refused = 0;
    for (uint64_t run = 0; run < 600; run++) {
        dl_rng rng = stream(run);
        int height = 1 + (int)dl_rng_below(&rng, 4), width = 2 + (int)dl_rng_below(&rng, 3);
        int agents = 1 + (int)dl_rng_below(&rng, (uint32_t)(height * width));
        dl_instance *instance = test_random_instance(&rng, height, width, 0.25, agents);
        if (!instance) continue;
        for (dl_rules rules = DL_RULES_PEBBLE; rules <= DL_RULES_MAPF; rules++) {
            dl_solvability test;
            assert_true(dl_solvability_test(instance, rules, &test));
            dl_plan *plan;
            bool solvable = test.verdict == DL_SOLVABLE;
            /* Large boards of the fifteen puzzle's kind are the one thing beyond the solver under pebble rules. */
            if (solvable && rules == DL_RULES_PEBBLE && least_blanks(instance) < 2) continue;
            if (!solvable && instance->grid->cells > 9) continue; /* its last resort would take seconds to give up */
            dl_status status = solve(instance, rules, 1, &plan);
            if ((status == DIFFLNS_OK) != solvable)
                fail_msg("run %llu rules %d: %s but %s", (unsigned long long)run, rules,
                         solvable ? "solvable" : "unsolvable", status == DIFFLNS_OK ? "solved" : "not solved");
            solved += solvable;
            refused += !solvable;
            if (!solvable) continue;
            assert_true(dl_check_valid(instance, plan));
            dl_plan_free(plan);
        }
        dl_instance_free(instance);
    }
    assert_true(solved > 200 && refused > 50);
}

enum { FRAME_MAX = 16 * 20 };

/* A ring along the border of the frame with tails that grow inward, up to `cells` cells. Shy tails make no rings. */
static void grow_ring_with_tails(dl_rng *rng, int height, int width, int cells, uint8_t *blocked)
{
    memset(blocked, 1, (size_t)(height * width));
    int count = 0;
    for (int i = 0; i < height * width; i++) {
        int row = i / width, col = i % width;
        if (row > 0 && row + 1 < height && col > 0 && col + 1 < width) continue;
        blocked[i] = 0;
        count++;
    }
    for (int tries = 0; count < cells && tries < 50 * FRAME_MAX; tries++) {
        int row = 1 + (int)dl_rng_below(rng, (uint32_t)height - 2),
            col = 1 + (int)dl_rng_below(rng, (uint32_t)width - 2);
        int i = row * width + col;
        int open = !blocked[i - 1] + !blocked[i + 1] + !blocked[i - width] + !blocked[i + width];
        if (!blocked[i] || open != 1) continue;
        blocked[i] = 0;
        count++;
    }
}

/* A connected map that grows cell by cell, the shyer the more corridors. */
static void grow_anything(dl_rng *rng, int height, int width, int cells, uint8_t *blocked)
{
    memset(blocked, 1, (size_t)(height * width));
    blocked[dl_rng_below(rng, (uint32_t)(height * width))] = 0;
    uint32_t shyness = dl_rng_below(rng, 100);
    for (int count = 1, tries = 0; count < cells && tries < 50 * FRAME_MAX; tries++) {
        int i = (int)dl_rng_below(rng, (uint32_t)(height * width)), row = i / width, col = i % width;
        int open = (row > 0 && !blocked[i - width]) + (row + 1 < height && !blocked[i + width]) +
                   (col > 0 && !blocked[i - 1]) + (col + 1 < width && !blocked[i + 1]);
        if (!blocked[i] || open == 0 || (open > 1 && dl_rng_below(rng, 100) < shyness)) continue;
        blocked[i] = 0;
        count++;
    }
}

/* An instance on the map with that many free cells. Every other time the goals are the starts, shuffled. */
static dl_instance *nearly_full(dl_rng *rng, int height, int width, const uint8_t *blocked, int blanks)
{
    dl_grid *grid;
    assert_int_equal(dl_grid_create(height, width, blocked, &grid, NULL), DIFFLNS_OK);
    int32_t start[FRAME_MAX], goal[FRAME_MAX];
    for (int i = 0; i < grid->cells; i++) start[i] = goal[i] = i;
    dl_rng_shuffle(rng, start, grid->cells);
    memcpy(goal, start, sizeof goal);
    int agents = grid->cells - blanks;
    if (agents < 1) {
        dl_grid_free(grid);
        return NULL;
    }
    dl_rng_shuffle(rng, goal, dl_rng_below(rng, 2) ? agents : grid->cells);
    dl_task tasks[FRAME_MAX];
    for (int i = 0; i < agents; i++)
        tasks[i] = (dl_task){.start = dl_grid_position(grid, start[i]), .goal = dl_grid_position(grid, goal[i])};
    dl_instance *instance;
    assert_int_equal(dl_instance_create(grid, "full.map", "full", agents, tasks, &instance, NULL), DIFFLNS_OK);
    return instance;
}

/* Where pairs can be exchanged only on a lone ring of any length, or after crossing an isthmus that takes every free
 * cell. DIFFLNS_LONG is the number of maps then. */
static void nearly_full_rings_and_corridors_are_solved(void **state)
{
    (void)state;
    const char *wanted = getenv("DIFFLNS_LONG");
    uint64_t runs = wanted ? strtoull(wanted, NULL, 10) : 150;
    int solved = 0, refused = 0;
    for (uint64_t run = 0; run < runs; run++) {
        dl_rng rng = stream(60000 + run);
        uint8_t blocked[FRAME_MAX];
        int height = 4 + (int)dl_rng_below(&rng, 8), width = 4 + (int)dl_rng_below(&rng, 12);
        int cells = 5 + (int)dl_rng_below(&rng, (uint32_t)(height * width) / 2);
        (run % 2 ? grow_anything : grow_ring_with_tails)(&rng, height, width, cells, blocked);
        dl_instance *instance =
            nearly_full(&rng, height, width, blocked, 1 + (int)dl_rng_below(&rng, run % 3 ? 2 : 12));
        if (!instance) continue;
        dl_solvability test;
        assert_true(dl_solvability_test(instance, DL_RULES_MAPF, &test));
        if (test.verdict == DL_SOLVABLE) {
            dl_plan *plan;
            if (solve(instance, DL_RULES_MAPF, 1, &plan) != DIFFLNS_OK)
                fail_msg("run %llu: solvable but not solved", (unsigned long long)run);
            assert_true(dl_check_valid(instance, plan));
            dl_plan_free(plan);
        }
        solved += test.verdict == DL_SOLVABLE;
        refused += test.verdict == DL_UNSOLVABLE;
        dl_instance_free(instance);
    }
    print_message("%d solved, %d unsolvable\n", solved, refused);
    assert_true(solved > 20 && refused > 20);
}

static void verdicts_agree_with_the_joint_state_space(void **state)
{
    (void)state;
    int compared = 0;
    for (uint64_t run = 0; run < 400; run++) {
        dl_rng rng = stream(10000 + run);
        int agents = 1 + (int)dl_rng_below(&rng, 6);
        dl_instance *instance = test_random_instance(&rng, 3, 3, 0.3, agents);
        if (!instance) continue;
        double states = 1;
        for (int agent = 0; agent < agents; agent++) states *= instance->grid->cells;
        if (states < 3e5) {
            for (dl_rules rules = DL_RULES_PEBBLE; rules <= DL_RULES_MAPF; rules++) {
                dl_solvability test;
                assert_true(dl_solvability_test(instance, rules, &test));
                if ((world_shortest_plan(instance, rules) >= 0) != (test.verdict == DL_SOLVABLE))
                    fail_msg("run %llu rules %d", (unsigned long long)run, rules);
                compared++;
            }
        }
        dl_instance_free(instance);
    }
    assert_true(compared > 300);
}

static void the_way_back_is_solved_as_well(void **state)
{
    (void)state;
    for (uint64_t run = 0; run < 40; run++) {
        dl_rng rng = stream(20000 + run);
        dl_instance *instance = test_random_instance(&rng, 6, 6, 0.2, 18);
        if (!instance) continue;
        dl_plan *there, *back;
        dl_status status = solve(instance, DL_RULES_MAPF, 1, &there);
        dl_instance reversed = *instance;
        reversed.start = instance->goal;
        reversed.goal = instance->start;
        dl_solvability test, reverse_test;
        assert_true(dl_solvability_test(instance, DL_RULES_MAPF, &test));
        assert_true(dl_solvability_test(&reversed, DL_RULES_MAPF, &reverse_test));
        assert_int_equal(test.verdict, reverse_test.verdict);
        assert_true((status == DIFFLNS_OK) == (test.verdict == DL_SOLVABLE));
        assert_int_equal(solve(&reversed, DL_RULES_MAPF, 1, &back), status);
        if (status == DIFFLNS_OK) {
            assert_true(dl_check_valid(instance, there) && dl_check_valid(&reversed, back));
            dl_plan_free(there);
            dl_plan_free(back);
        }
        dl_instance_free(instance);
    }
}

/* ---- Swaps --------------------------------------------------------------------------------------------------------
 */

typedef struct bench {
    dl_blocks blocks;
    dl_rotation_swaps rotations;
    dl_pebbles pebbles;
    dl_swapper swapper;
} bench;

static void bench_create(bench *b, const dl_instance *instance, dl_rules rules)
{
    assert_true(dl_blocks_find(instance->grid, NULL, &b->blocks));
    assert_true(dl_rotation_swaps_create(&b->rotations, instance->grid, &b->blocks));
    assert_true(dl_pebbles_create(&b->pebbles, instance->grid, instance->agents, instance->start));
    assert_true(dl_swapper_create(&b->swapper, &b->pebbles, &b->rotations, rules));
}

static void bench_free(bench *b)
{
    dl_swapper_free(&b->swapper);
    dl_pebbles_free(&b->pebbles);
    dl_rotation_swaps_free(&b->rotations);
    dl_blocks_free(&b->blocks);
}

static void assert_exchanged(const dl_pebbles *p, const int32_t *before, dl_cell x, dl_cell y)
{
    for (dl_cell cell = 0; cell < p->grid->cells; cell++) {
        dl_cell source = cell == x ? y : cell == y ? x : cell;
        assert_int_equal(p->occupant[cell], before[source]);
    }
}

static void a_swap_exchanges_two_agents_and_nothing_else(void **state)
{
    (void)state;
    int swapped = 0;
    for (uint64_t run = 0; run < 120; run++) {
        dl_rng rng = stream(30000 + run);
        dl_instance *instance = test_random_instance(&rng, 5, 5, 0.35, 1 + (int)dl_rng_below(&rng, 13));
        if (!instance) continue;
        dl_rules rules = run % 2 ? DL_RULES_MAPF : DL_RULES_PEBBLE;
        bench b;
        bench_create(&b, instance, rules);
        int32_t *before = DL_ARRAY(int32_t, instance->grid->cells);
        for (int agent = 0; agent < instance->agents; agent++)
            for (int d = 0; d < DL_DIRECTIONS; d++) {
                dl_cell x = b.pebbles.place[agent], y = instance->grid->neighbor[x][d];
                if (y == DL_NO_CELL || dl_pebbles_free_cell(&b.pebbles, y)) continue;
                memcpy(before, b.pebbles.occupant, sizeof(int32_t) * (size_t)instance->grid->cells);
                size_t moves = b.pebbles.moves;
                bool done = dl_swap(&b.swapper, x, y);
                assert_exchanged(&b.pebbles, before, done ? x : 0, done ? y : 0);
                assert_true(done || b.pebbles.moves == moves);
                swapped += done;
            }
        free(before);
        bench_free(&b);
        dl_instance_free(instance);
    }
    assert_true(swapped > 100);
}

static void rotations_exchange_what_stands_on_any_edge_of_a_block(void **state)
{
    (void)state;
    int exchanged = 0;
    for (uint64_t run = 0; run < 60; run++) {
        dl_rng rng = stream(40000 + run);
        dl_instance *instance = test_random_instance(&rng, 6, 6, 0.3, (int)(run % 20) + 1);
        if (!instance) continue;
        bench b;
        bench_create(&b, instance, DL_RULES_MAPF);
        int32_t *before = DL_ARRAY(int32_t, instance->grid->cells);
        for (dl_cell x = 0; x < instance->grid->cells; x++)
            for (int d = 0; d < DL_DIRECTIONS; d++) {
                dl_cell y = instance->grid->neighbor[x][d];
                if (y == DL_NO_CELL) continue;
                const dl_rotation_swap *swap = dl_rotation_swap_find(&b.rotations, x, y);
                int block = dl_blocks_of_edge(&b.blocks, x, y);
                if (block >= 0 && !dl_blocks_is_ring(&b.blocks, block)) assert_non_null(swap);
                if (block < 0) assert_null(swap);
                if (!swap) continue;
                memcpy(before, b.pebbles.occupant, sizeof(int32_t) * (size_t)instance->grid->cells);
                dl_rotation_swap_apply(swap, &b.pebbles);
                assert_exchanged(&b.pebbles, before, x, y);
                exchanged++;
            }
        free(before);
        bench_free(&b);
        dl_instance_free(instance);
    }
    assert_true(exchanged > 500);
}

static void undoing_and_retracing_restore_everything(void **state)
{
    (void)state;
    dl_instance *instance =
        test_instance("...../.###./.....", 3, (const int[][4]){{0, 0, 2, 4}, {0, 1, 2, 3}, {2, 4, 0, 0}});
    dl_pebbles p;
    assert_true(dl_pebbles_create(&p, instance->grid, instance->agents, instance->start));
    dl_cell ring[] = {0, 1, 2, 3, 4, 6, 11, 10, 9, 8, 7, 5};
    dl_pebbles_rotate(&p, ring, 12);
    assert_int_equal(p.moves, 3);
    assert_true(dl_pebbles_vacate(&p, 1, NULL, 0, DL_REACH_ALL));
    size_t moves = p.moves;
    dl_pebbles_retrace(&p, 0, moves);
    assert_memory_equal(p.place, instance->start, sizeof(dl_cell) * 3);
    dl_pebbles_undo(&p, 0);
    assert_memory_equal(p.place, instance->start, sizeof(dl_cell) * 3);
    dl_pebbles_free(&p);
    dl_instance_free(instance);
}

/* ---- From log to plan
 * ------------------------------------------------------------------------------------------------ */

static void a_loop_nobody_needs_is_deleted(void **state)
{
    (void)state;
    dl_instance *instance = test_instance("...", 1, (const int[][4]){{0, 0, 0, 0}});
    dl_move log[] = {{0, 0, 1, 0}, {0, 1, 2, 0}, {0, 2, 1, 0}, {0, 1, 0, 0}};
    dl_plan *plan = dl_timetable_plan(instance->grid, 1, instance->start, log, 4, NULL);
    assert_int_equal(dl_plan_soc(plan), 0);
    dl_plan_free(plan);
    dl_instance_free(instance);
}

static void a_chain_moves_in_one_step(void **state)
{
    (void)state;
    dl_instance *instance = test_instance("....", 3, (const int[][4]){{0, 0, 0, 1}, {0, 1, 0, 2}, {0, 2, 0, 3}});
    dl_plan *plan;
    assert_int_equal(solve(instance, DL_RULES_PEBBLE, 1, &plan), DIFFLNS_OK);
    assert_int_equal(dl_plan_makespan(plan), 1);
    dl_plan_free(plan);
    dl_instance_free(instance);
}

/* ---- Larger worlds
 * ---------------------------------------------------------------------------------------------------- */

static dl_instance *full_board(int agents, uint64_t seed)
{
    dl_rng rng = stream(seed);
    int32_t start[100], goal[100], tasks[100][4];
    for (int i = 0; i < 100; i++) start[i] = goal[i] = i;
    dl_rng_shuffle(&rng, start, 100);
    dl_rng_shuffle(&rng, goal, 100);
    for (int i = 0; i < agents; i++) {
        tasks[i][0] = start[i] / 10;
        tasks[i][1] = start[i] % 10;
        tasks[i][2] = goal[i] / 10;
        tasks[i][3] = goal[i] % 10;
    }
    return test_instance("........../........../........../........../........../........../........../........../"
                         "........../..........",
                         agents, (const int(*)[4])tasks);
}

static void boards_with_two_one_and_no_free_cells_are_solved(void **state)
{
    (void)state;
    for (int agents = 95; agents <= 100; agents++) {
        dl_instance *instance = full_board(agents, 60000 + (uint64_t)agents);
        dl_plan *plan;
        assert_int_equal(solve(instance, DL_RULES_MAPF, 2, &plan), DIFFLNS_OK);
        assert_true(dl_check_valid(instance, plan));
        dl_plan_free(plan);
        if (agents <= 98) {
            assert_int_equal(solve(instance, DL_RULES_PEBBLE, 1, &plan), DIFFLNS_OK);
            assert_true(dl_check_valid(instance, plan));
            dl_plan_free(plan);
        }
        dl_instance_free(instance);
    }
}

static void one_transposition_of_the_fifteen_puzzle_needs_rotations(void **state)
{
    (void)state;
    int tasks[99][4];
    for (int i = 0; i < 99; i++) {
        tasks[i][0] = i / 10;
        tasks[i][1] = i % 10;
        int goal = i == 0 ? 1 : i == 1 ? 0 : i;
        tasks[i][2] = goal / 10;
        tasks[i][3] = goal % 10;
    }
    dl_instance *instance = test_instance("........../........../........../........../........../........../"
                                          "........../........../........../..........",
                                          99, (const int(*)[4])tasks);
    dl_solvability test;
    assert_true(dl_solvability_test(instance, DL_RULES_PEBBLE, &test));
    assert_int_equal(test.verdict, DL_UNSOLVABLE);
    assert_true(dl_solvability_test(instance, DL_RULES_MAPF, &test));
    assert_int_equal(test.verdict, DL_SOLVABLE);
    dl_plan *plan;
    assert_int_equal(solve(instance, DL_RULES_MAPF, 1, &plan), DIFFLNS_OK);
    assert_int_equal(dl_plan_makespan(plan), 3);
    dl_plan_free(plan);
    dl_instance_free(instance);
}

static void a_prefix_is_completed(void **state)
{
    (void)state;
    dl_instance *instance = test_instance("..../....", 2, (const int[][4]){{0, 0, 0, 3}, {0, 3, 0, 0}});
    dl_plan *prefix = dl_plan_create(2), *plan;
    assert_true(dl_path_append(&prefix->path[0], (difflns_cell){0, 0}));
    assert_true(dl_path_append(&prefix->path[0], (difflns_cell){1, 0}));
    assert_true(dl_path_append(&prefix->path[0], (difflns_cell){1, 1}));
    assert_true(dl_path_append(&prefix->path[1], (difflns_cell){0, 3}));
    dl_complete_options options = {.seed = 1, .orders = 1, .rules = DL_RULES_MAPF};
    assert_int_equal(dl_complete_from(instance, prefix, &options, dl_no_deadline(), &plan, NULL), DIFFLNS_OK);
    assert_true(dl_check_valid(instance, plan));
    assert_int_equal(dl_path_at(&plan->path[0], 2).col, 1);
    assert_int_equal(dl_path_at(&plan->path[0], 2).row, 1);
    dl_plan_free(plan);
    dl_plan_free(prefix);
    dl_instance_free(instance);
}

static void the_same_seed_gives_the_same_plan(void **state)
{
    (void)state;
    dl_instance *instance = full_board(70, 70000);
    dl_plan *a, *b;
    assert_int_equal(solve(instance, DL_RULES_MAPF, 3, &a), DIFFLNS_OK);
    assert_int_equal(solve(instance, DL_RULES_MAPF, 3, &b), DIFFLNS_OK);
    for (int agent = 0; agent < instance->agents; agent++) {
        assert_int_equal(a->path[agent].length, b->path[agent].length);
        assert_memory_equal(a->path[agent].at, b->path[agent].at, sizeof(difflns_cell) * (size_t)a->path[agent].length);
    }
    dl_plan_free(a);
    dl_plan_free(b);
    dl_instance_free(instance);
}

/* ---- Windows
 * ---------------------------------------------------------------------------------------------------------- */

static dl_status solve_nothing(void *user, const dl_instance *instance, dl_deadline deadline, dl_plan **out)
{
    (void)instance;
    (void)deadline;
    ++*(int *)user;
    *out = NULL;
    return DIFFLNS_UNSOLVED;
}

static void windows_lower_the_cost_and_keep_the_plan_valid(void **state)
{
    (void)state;
    dl_instance *instance = full_board(55, 80000);
    dl_plan *plan;
    assert_int_equal(solve(instance, DL_RULES_MAPF, 1, &plan), DIFFLNS_OK);
    int64_t before = dl_plan_soc(plan);
    dl_window_lacam lacam = {.seed = 1};
    dl_windows_options options = {.width = 16, .window_seconds = 5, .solver = dl_window_by_lacam, .user = &lacam};
    dl_windows_result result;
    dl_windows_improve(instance, &options, dl_no_deadline(), &plan, &result);
    assert_true(dl_check_valid(instance, plan));
    assert_int_equal(dl_plan_soc(plan), result.soc_after);
    assert_int_equal(before, result.soc_before);
    assert_true(2 * result.soc_after < before);
    dl_plan_free(plan);
    dl_instance_free(instance);
}

static void windows_nobody_can_solve_change_nothing(void **state)
{
    (void)state;
    dl_instance *instance = full_board(60, 80001);
    dl_plan *plan;
    assert_int_equal(solve(instance, DL_RULES_MAPF, 1, &plan), DIFFLNS_OK);
    int64_t before = dl_plan_soc(plan);
    int asked = 0;
    dl_windows_options options = {.width = 32, .window_seconds = 1, .solver = solve_nothing, .user = &asked};
    dl_windows_improve(instance, &options, dl_no_deadline(), &plan, NULL);
    assert_int_equal(dl_plan_soc(plan), before);
    assert_true(asked > 1);
    dl_plan_free(plan);
    dl_instance_free(instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_solver_solves_exactly_what_is_solvable),
                                       cmocka_unit_test(nearly_full_rings_and_corridors_are_solved),
                                       cmocka_unit_test(verdicts_agree_with_the_joint_state_space),
                                       cmocka_unit_test(the_way_back_is_solved_as_well),
                                       cmocka_unit_test(a_swap_exchanges_two_agents_and_nothing_else),
                                       cmocka_unit_test(rotations_exchange_what_stands_on_any_edge_of_a_block),
                                       cmocka_unit_test(undoing_and_retracing_restore_everything),
                                       cmocka_unit_test(a_loop_nobody_needs_is_deleted),
                                       cmocka_unit_test(a_chain_moves_in_one_step),
                                       cmocka_unit_test(boards_with_two_one_and_no_free_cells_are_solved),
                                       cmocka_unit_test(one_transposition_of_the_fifteen_puzzle_needs_rotations),
                                       cmocka_unit_test(a_prefix_is_completed),
                                       cmocka_unit_test(the_same_seed_gives_the_same_plan),
                                       cmocka_unit_test(windows_lower_the_cost_and_keep_the_plan_valid),
                                       cmocka_unit_test(windows_nobody_can_solve_change_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
