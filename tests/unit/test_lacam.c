/* LaCAM against exhaustive search on small worlds, and its parts one by one. */
#include "lacam/lacam.h"
#include "mapf/check.h"
#include "support.h"

/* ---- The truth: Dijkstra over joint states ---- */

enum { MOST_CELLS = 6, MOST_AGENTS = 4, MOST_STATES = 1296 };

static int code_of(const dl_instance *instance, const dl_cell *at)
{
    int code = 0;
    for (int i = 0; i < instance->agents; i++) code = code * instance->grid->cells + at[i];
    return code;
}

static void decode(const dl_instance *instance, int code, dl_cell *at)
{
    for (int i = instance->agents - 1; i >= 0; i--, code /= instance->grid->cells) at[i] = code % instance->grid->cells;
}

/* All legal successors of `at`, one agent after the other. */
static void relax_joint(const dl_instance *instance, const dl_cell *at, dl_cell *to, int agent, int base, int *best,
                        bool *changed)
{
    if (agent == instance->agents || agent == MOST_AGENTS) {
        int cost = base;
        for (int i = 0; i < agent; i++) cost += at[i] != instance->goal[i] || to[i] != instance->goal[i];
        int code = code_of(instance, to);
        if (cost < best[code]) {
            best[code] = cost;
            *changed = true;
        }
        return;
    }
    for (int d = -1; d < DL_DIRECTIONS; d++) {
        dl_cell cell = d < 0 ? at[agent] : instance->grid->neighbor[at[agent]][d];
        bool free_cell = cell != DL_NO_CELL;
        for (int j = 0; j < agent && free_cell; j++)
            free_cell = to[j] != cell && !(to[j] == at[agent] && at[j] == cell);
        if (!free_cell) continue;
        to[agent] = cell;
        relax_joint(instance, at, to, agent + 1, base, best, changed);
    }
}

/* The least sum of loss, or -1 if the goals can't be reached. */
static int least_sum_of_loss(const dl_instance *instance)
{
    static int best[MOST_STATES];
    int states = 1;
    for (int i = 0; i < instance->agents; i++) states *= instance->grid->cells;
    for (int i = 0; i < states; i++) best[i] = INT32_MAX;
    best[code_of(instance, instance->start)] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (int code = 0; code < states; code++) {
            if (best[code] == INT32_MAX) continue;
            dl_cell at[MOST_AGENTS], to[MOST_AGENTS];
            decode(instance, code, at);
            relax_joint(instance, at, to, 0, best[code], best, &changed);
        }
    }
    int result = best[code_of(instance, instance->goal)];
    return result == INT32_MAX ? -1 : result;
}

static int64_t sum_of_loss(const dl_instance *instance, const dl_plan *plan)
{
    int64_t loss = 0;
    for (int i = 0; i < plan->agents; i++) {
        difflns_cell goal = dl_grid_position(instance->grid, instance->goal[i]);
        for (int t = 1; t <= dl_plan_makespan(plan); t++) {
            difflns_cell before = dl_path_at(&plan->path[i], t - 1), after = dl_path_at(&plan->path[i], t);
            bool home =
                before.row == goal.row && before.col == goal.col && after.row == goal.row && after.col == goal.col;
            loss += !home;
        }
    }
    return loss;
}

static dl_lacam_options rewiring_only(uint64_t seed)
{
    dl_lacam_options options = dl_lacam_lean(seed);
    return options;
}

static void small_worlds_are_solved_exactly_when_they_can_be_and_then_optimally(void **state)
{
    (void)state;
    static const char *const WORLDS[] = {"....../@@@@@@", ".../...",   "@.@/.../@.@",
                                         "..../.@@.",     "@..@/....", "...../@@.@@"};
    int solvable = 0, unsolvable = 0;
    for (uint64_t seed = 0; seed < 240; seed++) {
        dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('t', 'i', 'n', 'y'), 0);
        const char *world = WORLDS[seed % (sizeof WORLDS / sizeof *WORLDS)];
        dl_grid *grid = test_grid(world);
        int agents = 1 + (int)dl_rng_below(&rng, MOST_AGENTS), tasks[MOST_AGENTS][4];
        int32_t from[MOST_CELLS], to[MOST_CELLS];
        for (int i = 0; i < grid->cells; i++) from[i] = to[i] = i;
        dl_rng_shuffle(&rng, from, grid->cells);
        dl_rng_shuffle(&rng, to, grid->cells);
        for (int i = 0; i < agents; i++) {
            difflns_cell a = dl_grid_position(grid, from[i]), b = dl_grid_position(grid, to[i]);
            int task[4] = {a.row, a.col, b.row, b.col};
            memcpy(tasks[i], task, sizeof task);
        }
        dl_grid_free(grid);
        dl_instance *instance = test_instance(world, agents, (const int(*)[4])tasks);
        dl_distance *distance = dl_distance_create(instance);
        dl_lacam_options options = rewiring_only(seed);
        options.search.samples = seed % 3 == 0 ? 4 : 1;
        options.search.swap = seed % 5 != 0;
        dl_lacam_result result;
        dl_error err;
        dl_status status = dl_lacam_solve(instance, distance, &options, dl_no_deadline(), &result, &err);
        int truth = least_sum_of_loss(instance);
        if (status != (truth >= 0 ? DIFFLNS_OK : DIFFLNS_UNSOLVABLE))
            fail_msg("seed %d: %s, truth %d", (int)seed, difflns_status_name(status), truth);
        if (truth >= 0) {
            assert_true(dl_check_valid(instance, result.plan));
            assert_true(result.optimal);
            /* The plan kept has the lowest sum of costs, which bounds the loss from above. */
            if (sum_of_loss(instance, result.plan) < truth) fail_msg("seed %d: below the optimum", (int)seed);
            assert_true(result.soc >= truth);
        }
        solvable += truth >= 0;
        unsolvable += truth < 0;
        dl_lacam_result_release(&result);
        dl_distance_free(distance);
        dl_instance_free(instance);
    }
    assert_true(solvable > 50 && unsolvable > 20);
}

/* ---- The search object ---- */

typedef struct bench {
    dl_instance *instance;
    dl_distance *distance;
    dl_pibt_tables *tables;
    dl_lacam_search search;
    uint16_t *order;
} bench;

static bench open_bench(dl_instance *instance, uint64_t seed)
{
    bench b = {.instance = instance, .distance = dl_distance_create(instance)};
    b.tables = dl_pibt_tables_create(instance, b.distance, &(dl_deadline){__builtin_inf(), NULL});
    assert_true(dl_lacam_search_init(&b.search, b.tables, dl_lacam_lean(seed).search));
    b.order = calloc((size_t)instance->agents, sizeof *b.order);
    for (int i = 0; i < instance->agents; i++) b.order[i] = (uint16_t)i;
    assert_true(dl_lacam_search_begin(&b.search, instance->start, dl_distance_lower_bound(b.distance), b.order, seed));
    return b;
}

static void close_bench(bench *b)
{
    dl_lacam_search_release(&b->search);
    dl_pibt_tables_free(b->tables);
    dl_distance_free(b->distance);
    dl_instance_free(b->instance);
    free(b->order);
}

static void small_worlds_end_with_the_least_sum_of_loss(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('l', 'o', 's', 's'), 0);
        dl_instance *instance = test_random_instance(&rng, 2, 3, 0.1, 2 + (int)(seed % 3));
        if (!instance) continue;
        bench b = open_bench(instance, seed);
        dl_deadline none = dl_no_deadline();
        int truth = least_sum_of_loss(instance);
        dl_lacam_outcome outcome = dl_lacam_search_run(&b.search, UINT64_MAX, &none);
        assert_int_equal(outcome, truth < 0 ? DL_LACAM_EXHAUSTED : DL_LACAM_REACHED);
        if (truth >= 0) {
            assert_int_equal(dl_lacam_search_run(&b.search, UINT64_MAX, &none), DL_LACAM_EXHAUSTED);
            int64_t g = dl_lacam_graph_node(&b.search.graph, b.search.goal)->g;
            if (g != truth) fail_msg("seed %d: loss %d, least %d", (int)seed, (int)g, truth);
        }
        close_bench(&b);
    }
}

static void the_cost_of_the_goal_is_the_loss_of_its_plan_after_every_rewiring(void **state)
{
    (void)state;
    int improvements = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('w', 'i', 'r', 'e'), 0);
        dl_instance *instance = test_random_instance(&rng, 5, 5, 0.15, 7);
        if (!instance) continue;
        bench b = open_bench(instance, seed);
        dl_deadline none = dl_no_deadline();
        if (dl_lacam_search_run(&b.search, 20000, &none) == DL_LACAM_REACHED) {
            int64_t before = INT64_MAX;
            for (int slice = 0; slice < 40; slice++) {
                const dl_lacam_node *goal = dl_lacam_graph_node(&b.search.graph, b.search.goal);
                dl_plan *plan = dl_lacam_search_plan(&b.search, b.search.goal);
                assert_true(dl_check_valid(instance, plan));
                assert_int_equal(goal->g, sum_of_loss(instance, plan));
                assert_true(goal->g <= before);
                improvements += slice > 0 && goal->g < before;
                before = goal->g;
                dl_plan_free(plan);
                dl_lacam_search_run(&b.search, 200, &none);
            }
        }
        close_bench(&b);
    }
    assert_true(improvements > 0);
}

static void incremental_hash_and_distances_equal_the_recomputed_ones(void **state)
{
    (void)state;
    dl_rng rng = dl_rng_stream(7, DL_PURPOSE('h', 'a', 's', 'h'), 0);
    dl_instance *instance = test_random_instance(&rng, 8, 8, 0.2, 20);
    bench b = open_bench(instance, 7);
    dl_deadline none = dl_no_deadline();
    dl_lacam_search_run(&b.search, 500, &none);
    assert_true(b.search.graph.nodes > 10);
    for (uint32_t n = 0; n < b.search.graph.nodes; n++) {
        dl_lacam_node *node = dl_lacam_graph_node(&b.search.graph, n);
        int64_t h = 0;
        for (int i = 0; i < instance->agents; i++) {
            h += dl_field_at(dl_distance_acquire(b.distance, i), node->at[i]);
            dl_distance_release(b.distance, i);
        }
        assert_int_equal(node->h, h);
        assert_int_equal(node->hash, dl_lacam_hash(instance->agents, node->at));
        assert_int_equal(dl_lacam_graph_find(&b.search.graph, node->at, node->hash), n);
    }
    close_bench(&b);
}

/* ---- Parts ---- */

static void the_enumeration_visits_every_assignment_exactly_once(void **state)
{
    (void)state;
    const int tasks[][4] = {{0, 0, 2, 2}, {1, 1, 0, 0}, {2, 1, 0, 1}};
    bench b = open_bench(test_instance("..@/.../...", 3, tasks), 1);
    const dl_cell *at = b.instance->start;
    const uint16_t order[] = {2, 0, 1};
    static int seen[4][DL_ACTIONS * DL_ACTIONS * DL_ACTIONS];
    memset(seen, 0, sizeof seen);
    uint16_t agent[3];
    dl_cell cell[3];
    dl_constraints out = {.agent = agent, .cell = cell};
    dl_constraint_cursor cursor = {0};
    int ready = 0, rejected = 0, last_level = 0;
    for (;;) {
        dl_constraint_outcome outcome = dl_constraint_next(b.tables, at, order, 42, &cursor, &out);
        if (outcome == DL_CONSTRAINT_EXHAUSTED) break;
        assert_true((int)cursor.level >= last_level); /* breadth first */
        last_level = (int)cursor.level;
        if (outcome == DL_CONSTRAINT_REJECTED) {
            rejected++;
            continue;
        }
        assert_int_equal(out.count, cursor.level);
        int code = 0;
        for (int k = 0; k < out.count; k++) {
            assert_int_equal(out.agent[k], order[k]);
            int action = 0;
            while (b.tables->step[at[agent[k]]][action] != cell[k]) action++;
            code = code * DL_ACTIONS + action;
        }
        assert_int_equal(seen[out.count][code]++, 0);
        ready++;
    }
    /* Degrees 3, 2 and 4: 1 + 4 + 4*3 + 4*3*5 assignments; the colliding ones are the rejected ones. */
    assert_int_equal(ready + rejected, 1 + 4 + 12 + 60);
    int legal = 0;
    for (int a = 0; a < DL_ACTIONS; a++)
        for (int c = 0; c < DL_ACTIONS; c++)
            for (int e = 0; e < DL_ACTIONS; e++) {
                dl_cell to[3] = {b.tables->step[at[0]][a], b.tables->step[at[1]][c], b.tables->step[at[2]][e]};
                bool good = to[0] != DL_NO_CELL && to[1] != DL_NO_CELL && to[2] != DL_NO_CELL;
                for (int i = 0; i < 3; i++)
                    for (int j = 0; j < i; j++) good &= to[i] != to[j] && !(to[i] == at[j] && to[j] == at[i]);
                legal += good;
            }
    int found = 0;
    for (int code = 0; code < DL_ACTIONS * DL_ACTIONS * DL_ACTIONS; code++) found += seen[3][code];
    assert_int_equal(found, legal);
    close_bench(&b);
}

/* The published rule: +1 a step on the way, back to the fraction at home; sorted by decreasing priority. */
static void the_order_follows_the_real_valued_priorities(void **state)
{
    (void)state;
    enum { AGENTS = 12 };
    for (uint64_t seed = 0; seed < 50; seed++) {
        dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('p', 'r', 'i', 'o'), 0);
        dl_instance *instance = test_random_instance(&rng, 6, 6, 0.1, AGENTS);
        bench b = open_bench(instance, seed);
        double priority[AGENTS];
        uint16_t order[AGENTS], after[AGENTS];
        for (int i = 0; i < AGENTS; i++) {
            order[i] = b.search.home_order[i] = (uint16_t)i;
            priority[i] = 0.9 - 0.01 * i; /* distinct fractions, decreasing in the order */
        }
        for (int step = 0; step < 30; step++) {
            dl_cell at[AGENTS];
            for (int i = 0; i < AGENTS; i++) {
                bool home = dl_rng_below(&rng, 2) == 0;
                at[i] = home ? instance->goal[i] : (instance->goal[i] + 1) % instance->grid->cells;
                priority[i] = home ? priority[i] - (int)priority[i] : priority[i] + 1;
            }
            dl_lacam_next_order(&b.search, at, order, after);
            memcpy(order, after, sizeof order);
            for (int k = 1; k < AGENTS; k++)
                if (priority[order[k - 1]] < priority[order[k]]) fail_msg("seed %d step %d", (int)seed, step);
        }
        close_bench(&b);
    }
}

static uint64_t expansions_of_corridor(bool swap, uint64_t seed)
{
    const int tasks[][4] = {{1, 0, 1, 8}, {1, 8, 1, 0}};
    dl_instance *instance = test_instance("@@@@.@@@@/.........", 2, tasks);
    dl_distance *distance = dl_distance_create(instance);
    dl_lacam_options options = rewiring_only(seed);
    options.anytime = false;
    options.restart_after = 0;
    options.search.swap = swap;
    dl_lacam_result result;
    assert_int_equal(dl_lacam_solve(instance, distance, &options, dl_no_deadline(), &result, NULL), DIFFLNS_OK);
    uint64_t expansions = result.expansions;
    dl_lacam_result_release(&result);
    dl_distance_free(distance);
    dl_instance_free(instance);
    return expansions;
}

static void the_swap_rule_saves_expansions_where_two_must_pass_at_a_pocket(void **state)
{
    (void)state;
    uint64_t with = 0, without = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        with += expansions_of_corridor(true, seed);
        without += expansions_of_corridor(false, seed);
    }
    if (without < 2 * with) fail_msg("with the rule %d expansions, without %d", (int)with, (int)without);
}

static void dense_random_instances_are_solved_the_same_way_every_time(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 12; seed++) {
        dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('d', 'e', 'n', 's'), 0);
        dl_instance *instance = test_random_instance(&rng, 10, 10, 0.17, 45);
        if (!instance) continue;
        dl_lacam_result result[2];
        dl_error err;
        for (int i = 0; i < 2; i++) {
            dl_distance *distance = dl_distance_create(instance);
            dl_lacam_options options = dl_lacam_varied(seed, seed, 20000);
            options.expansions = 20000;
            if (dl_lacam_solve(instance, distance, &options, dl_no_deadline(), &result[i], &err) != DIFFLNS_OK &&
                seed % 3 != 2)
                fail_msg("seed %d: %s", (int)seed, err.message);
            dl_distance_free(distance);
        }
        assert_int_equal(result[0].expansions, result[1].expansions);
        assert_int_equal(result[0].first_soc, result[1].first_soc);
        assert_int_equal(result[0].soc, result[1].soc);
        if (result[0].plan) assert_true(dl_check_valid(instance, result[0].plan));
        dl_lacam_result_release(&result[0]);
        dl_lacam_result_release(&result[1]);
        dl_instance_free(instance);
    }
}

/* ---- Limits ---- */

static void without_a_plan_the_nearest_configuration_is_handed_on(void **state)
{
    (void)state;
    const int tasks[][4] = {{0, 0, 0, 5}, {0, 3, 0, 1}}; /* a corridor nobody can pass in */
    dl_instance *instance = test_instance("......", 2, tasks);
    dl_distance *distance = dl_distance_create(instance);
    dl_lacam_options options = rewiring_only(1);
    options.expansions = 40;
    options.restart_after = 10;
    dl_lacam_result result;
    dl_error err;
    assert_int_equal(dl_lacam_solve(instance, distance, &options, dl_no_deadline(), &result, &err), DIFFLNS_UNSOLVED);
    assert_non_null(strstr(err.message, "40 expansions"));
    assert_null(result.plan);
    assert_non_null(result.nearest);
    dl_check_result check;
    assert_true(dl_check(instance, result.nearest, &check, NULL, 0, NULL));
    assert_int_equal(check.violations, check.by_kind[DIFFLNS_WRONG_GOAL]); /* legal, just not there yet */
    dl_lacam_result_release(&result);
    dl_distance_free(distance);
    dl_instance_free(instance);
}

static void limits_are_named_when_they_are_hit(void **state)
{
    (void)state;
    dl_rng rng = dl_rng_stream(1, DL_PURPOSE('l', 'i', 'm', 't'), 0);
    dl_instance *instance = test_random_instance(&rng, 30, 30, 0.0, 300);
    dl_distance *distance = dl_distance_create(instance);
    dl_lacam_result result;
    dl_error err;
    dl_lacam_options options = rewiring_only(1);
    options.search.memory = 100000; /* not even the tables */
    assert_int_equal(dl_lacam_solve(instance, distance, &options, dl_no_deadline(), &result, &err), DIFFLNS_UNSOLVED);
    assert_non_null(strstr(err.message, "300 agents on 900 cells"));
    dl_lacam_result_release(&result);
    options.search.memory = dl_pibt_tables_bytes(instance) + (64 << 10); /* the tables and a first chunk of nodes */
    options.restart_after = 0;
    assert_int_equal(dl_lacam_solve(instance, distance, &options, dl_no_deadline(), &result, &err), DIFFLNS_UNSOLVED);
    assert_non_null(strstr(err.message, "memory limit"));
    dl_lacam_result_release(&result);
    atomic_int cancel = 1;
    options = rewiring_only(1);
    assert_int_equal(
        dl_lacam_solve(instance, distance, &options, (dl_deadline){dl_now() + 100, &cancel}, &result, &err),
        DIFFLNS_STOPPED);
    dl_lacam_result_release(&result);
    assert_int_equal(dl_lacam_solve(instance, distance, &options, dl_deadline_after(0, NULL), &result, &err),
                     DIFFLNS_UNSOLVED);
    assert_non_null(strstr(err.message, "time limit"));
    dl_lacam_result_release(&result);
    dl_distance_free(distance);
    dl_instance_free(instance);
}

static void a_full_memory_stops_the_search_with_the_plan_it_has(void **state)
{
    (void)state;
    dl_rng rng = dl_rng_stream(2, DL_PURPOSE('f', 'u', 'l', 'l'), 0);
    dl_instance *instance = test_random_instance(&rng, 10, 10, 0.1, 40);
    dl_distance *distance = dl_distance_create(instance);
    dl_lacam_options options = dl_lacam_lean(1);
    options.search.memory = dl_pibt_tables_bytes(instance) + (1 << 20); /* one chunk of nodes */
    options.expansions = 60000;
    dl_lacam_result result;
    dl_error err;
    if (dl_lacam_solve(instance, distance, &options, dl_no_deadline(), &result, &err) != DIFFLNS_OK)
        fail_msg("%s", err.message);
    assert_true(dl_check_valid(instance, result.plan));
    assert_true(result.soc <= result.first_soc);
    assert_true(result.expansions < 60000 || result.optimal);
    assert_true(result.configurations < 10000);
    uint64_t kept = result.configurations;
    dl_lacam_result_release(&result);
    options.search.memory <<= 6;
    assert_int_equal(dl_lacam_solve(instance, distance, &options, dl_no_deadline(), &result, &err), DIFFLNS_OK);
    assert_true(result.configurations > kept); /* it was the memory that stopped it */
    dl_lacam_result_release(&result);
    dl_distance_free(distance);
    dl_instance_free(instance);
}

static void dense_instances_are_solved(void **state)
{
    (void)state;
    static const struct {
        const char *family;
        int agents;
    } CASES[] = {{"small-random", 60}, {"medium-room", 192}, {"medium-maze", 190}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        dl_instance *instance = test_preset_instance(CASES[i].family, CASES[i].agents, 1);
        dl_distance *distance = dl_distance_create(instance);
        dl_lacam_options options = dl_lacam_lean(1);
        options.anytime = false;
        options.expansions = 200000;
        dl_lacam_result result;
        dl_error err;
        if (dl_lacam_solve(instance, distance, &options, dl_no_deadline(), &result, &err) != DIFFLNS_OK)
            fail_msg("%s: %s", CASES[i].family, err.message);
        assert_true(dl_check_valid(instance, result.plan));
        dl_lacam_result_release(&result);
        dl_distance_free(distance);
        dl_instance_free(instance);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_worlds_are_solved_exactly_when_they_can_be_and_then_optimally),
        cmocka_unit_test(small_worlds_end_with_the_least_sum_of_loss),
        cmocka_unit_test(the_cost_of_the_goal_is_the_loss_of_its_plan_after_every_rewiring),
        cmocka_unit_test(incremental_hash_and_distances_equal_the_recomputed_ones),
        cmocka_unit_test(the_enumeration_visits_every_assignment_exactly_once),
        cmocka_unit_test(the_order_follows_the_real_valued_priorities),
        cmocka_unit_test(the_swap_rule_saves_expansions_where_two_must_pass_at_a_pocket),
        cmocka_unit_test(dense_random_instances_are_solved_the_same_way_every_time),
        cmocka_unit_test(without_a_plan_the_nearest_configuration_is_handed_on),
        cmocka_unit_test(limits_are_named_when_they_are_hit),
        cmocka_unit_test(a_full_memory_stops_the_search_with_the_plan_it_has),
        cmocka_unit_test(dense_instances_are_solved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
