#include "support.h"

#include <math.h>
#include <stdatomic.h>

#include "base/choice.h"
#include "base/deadline.h"
#include "base/memory.h"
#include "complete/lower_bound.h"
#include "mapf/check.h"
#include "mapf/collisions.h"
#include "solver/solve.h"
#include "start/start.h"

static dl_options options_for(uint64_t iterations)
{
    dl_options o;
    dl_options_default(&o);
    o.iterations = iterations;
    o.threads = 1;
    o.stop = DL_STOP_FIRST;
    return o;
}

static int init_named(const char *name)
{
    return dl_choice_index(DL_START_CHOICES, name);
}

/* ---- exhaustive small worlds against joint-state search ---- */

enum { MOST_CELLS = 9, MOST_AGENTS = 3, INFINITE = 1 << 20 };

/* For one map and one set of goals the least sum of costs from every configuration, by Dijkstra's algorithm backward
 * over (cells of the agents, which of them are done). An agent that is done stays on its goal; the others pay one each
 * step. */
typedef struct joint {
    const dl_grid *grid;
    int agents, configurations;
    int cost[MOST_CELLS * MOST_CELLS * MOST_CELLS << MOST_AGENTS];
} joint;

static int cell_in(const joint *j, int configuration, int agent)
{
    for (int i = 0; i < agent; i++) configuration /= j->grid->cells;
    return configuration % j->grid->cells;
}

static bool legal_step(const joint *j, const int *from, const int *to)
{
    for (int a = 0; a < j->agents; a++)
        for (int b = 0; b < a; b++) {
            if (to[a] == to[b]) return false;
            if (to[a] == from[b] && to[b] == from[a]) return false;
        }
    return true;
}

static int options_of(const joint *j, int cell, bool done, int *list)
{
    int count = 0;
    list[count++] = cell;
    for (int d = 0; d < DL_DIRECTIONS && !done; d++)
        if (j->grid->neighbor[cell][d] >= 0) list[count++] = j->grid->neighbor[cell][d];
    return count;
}

/* Offers every predecessor of (to, done) the cost of coming from there; appends the improved to the bucket's list. */
static void relax(joint *j, const int *goal, int state, int32_t *bucket, int *bucket_count)
{
    int done = state & ((1 << j->agents) - 1), configuration = state >> j->agents;
    int to[MOST_AGENTS], from[MOST_AGENTS], list[MOST_AGENTS][5], count[MOST_AGENTS], total = 1;
    for (int a = 0; a < j->agents; a++) {
        to[a] = cell_in(j, configuration, a);
        count[a] = options_of(j, to[a], done >> a & 1, list[a]); /* moves are symmetric */
        total *= count[a];
    }
    for (int pick = 0; pick < total; pick++) {
        int rest = pick, before = 0;
        for (int a = j->agents - 1; a >= 0; a--) {
            from[a] = list[a][rest % count[a]];
            rest /= count[a];
            before = before * j->grid->cells + from[a];
        }
        if (!legal_step(j, from, to)) continue;
        int cost = j->cost[state] + j->agents - __builtin_popcount((unsigned)done), prior = before << j->agents | done;
        if (cost >= j->cost[prior]) continue;
        j->cost[prior] = cost;
        bucket[(*bucket_count)++] = prior;
    }
    /* becoming done costs nothing */
    for (int a = 0; a < j->agents; a++) {
        int prior = configuration << j->agents | (done & ~(1 << a));
        if (!(done >> a & 1) || to[a] != goal[a] || j->cost[state] >= j->cost[prior]) continue;
        j->cost[prior] = j->cost[state];
        bucket[(*bucket_count)++] = prior;
    }
}

/* Label correcting: the costs are small, the worlds tiny. */
static void fill_costs(joint *j, const int *goal)
{
    int states = j->configurations << j->agents, count = 0, head = 0;
    int32_t *queue = DL_ARRAY(int32_t, 64 * (size_t)states);
    for (int i = 0; i < states; i++) j->cost[i] = INFINITE;
    int end = 0;
    for (int a = j->agents - 1; a >= 0; a--) end = end * j->grid->cells + goal[a];
    end = end << j->agents | ((1 << j->agents) - 1);
    j->cost[end] = 0;
    queue[count++] = end;
    while (head < count) {
        assert_true(count < 60 * states);
        relax(j, goal, queue[head++], queue, &count);
    }
    free(queue);
}

static int optimum(const joint *j, const int *start)
{
    int configuration = 0;
    for (int a = j->agents - 1; a >= 0; a--) configuration = configuration * j->grid->cells + start[a];
    return j->cost[configuration << j->agents];
}

static int better_by_pairs;

static void solve_and_compare(const joint *j, const int *start, const int *goal, int best, int *solvable, int *solved)
{
    const dl_grid *grid = j->grid;
    uint8_t blocked[MOST_CELLS];
    difflns_cell starts[MOST_AGENTS], goals[MOST_AGENTS];
    for (int i = 0; i < grid->height * grid->width; i++) blocked[i] = grid->blocked[i];
    for (int a = 0; a < j->agents; a++) {
        starts[a] = dl_grid_position(grid, start[a]);
        goals[a] = dl_grid_position(grid, goal[a]);
    }
    difflns_instance *instance;
    difflns_error err;
    assert_int_equal(
        difflns_instance_create(grid->height, grid->width, blocked, j->agents, starts, goals, &instance, &err), 0);
    dl_options o = options_for(400);
    o.init = init_named("pp");
    o.anytime = 1;
    o.bound = true;
    difflns_plan *plan;
    dl_report report;
    difflns_status status = dl_solve(&(dl_solve_input){.instance = instance, .options = &o}, &plan, &report, &err);
    if (best < INFINITE) {
        /* three agents at most: what all of them cost together is found, whatever pairs show */
        dl_deadline none = dl_no_deadline();
        dl_distance *distance = dl_distance_create(instance);
        int64_t pairs = dl_lower_bound_of_pairs(instance, distance, &none);
        assert_in_range(pairs, dl_distance_lower_bound(distance), best);
        assert_int_equal(dl_lower_bound(instance, distance, &none), best);
        better_by_pairs += pairs > dl_distance_lower_bound(distance);
        dl_distance_free(distance);
    }
    *solvable += best < INFINITE;
    *solved += status == DIFFLNS_OK;
    if (status == DIFFLNS_OK) {
        assert_true(dl_check_valid(instance, plan));
        assert_true(best < INFINITE);
        assert_true(report.soc >= best && report.first_soc >= report.soc);
        assert_true(report.lower_bound <= best && report.lower_bound >= report.sum_of_distances);
        if (dl_report_optimal(&report)) assert_int_equal(report.soc, best);
    }
    if (status == DIFFLNS_UNSOLVABLE) assert_int_equal(best, INFINITE);
    dl_report_free(&report);
    difflns_plan_free(plan);
    difflns_instance_free(instance);
}

/* Choices of `count` different cells of `cells`, by number; false if the number stands for none. Agents have no names:
 * only increasing starts are looked at when `sorted`. */
static bool choice(int number, int cells, int count, bool sorted, int *out)
{
    for (int i = 0; i < count; i++, number /= cells) {
        out[i] = number % cells;
        for (int k = 0; k < i; k++)
            if (out[k] == out[i] || (sorted && out[k] > out[i])) return false;
    }
    return true;
}

static void every_world(int height, int width, int agents, int stride)
{
    static joint j;
    int area = height * width, solvable = 0, solved = 0, worlds = 0;
    for (int walls = 0; walls < 1 << area; walls++) {
        uint8_t blocked[MOST_CELLS];
        for (int i = 0; i < area; i++) blocked[i] = walls >> i & 1;
        dl_grid *grid;
        if (area - __builtin_popcount((unsigned)walls) < agents) continue;
        assert_int_equal(dl_grid_create(height, width, blocked, &grid, NULL), 0);
        j = (joint){.grid = grid, .agents = agents, .configurations = 1};
        for (int a = 0; a < agents; a++) j.configurations *= grid->cells;
        for (int ends = 0; ends < j.configurations; ends++) {
            int goal[MOST_AGENTS], start[MOST_AGENTS];
            if (!choice(ends, grid->cells, agents, false, goal) || worlds++ % stride) continue;
            fill_costs(&j, goal);
            for (int begins = 0; begins < j.configurations; begins++)
                if (choice(begins, grid->cells, agents, true, start) && (stride == 1 || (begins + ends) % 5 == 0))
                    solve_and_compare(&j, start, goal, optimum(&j, start), &solvable, &solved);
        }
        dl_grid_free(grid);
    }
    /* repair alone is no complete method, but close to one in worlds this small */
    if (solved * 100 < solvable * 97)
        fail_msg("%dx%d, %d agents: %d of %d solved", height, width, agents, solved, solvable);
}

static void small_worlds_agree_with_exhaustive_search(void **state)
{
    (void)state;
    bool all = getenv("DIFFLNS_ALL_WORLDS") != NULL; /* takes hours */
    every_world(1, 3, 2, 1);
    every_world(2, 2, 3, 1);
    every_world(2, 3, 2, all ? 1 : 5);
    every_world(2, 3, 3, all ? 1 : 29);
    every_world(3, 3, 2, all ? 1 : 211);
    every_world(3, 3, 3, all ? 1 : 9973);
    if (better_by_pairs < 10) fail_msg("pairs raised the bound in only %d worlds", better_by_pairs);
}

/* ---- repeatability ---- */

static void expect_equal(const difflns_plan *a, const difflns_plan *b)
{
    assert_int_equal(a->agents, b->agents);
    for (int agent = 0; agent < a->agents; agent++) {
        assert_int_equal(a->path[agent].length, b->path[agent].length);
        assert_memory_equal(a->path[agent].at, b->path[agent].at,
                            sizeof *a->path[agent].at * (size_t)a->path[agent].length);
    }
}

static void an_iteration_limit_gives_the_same_plan_for_any_threads(void **state)
{
    (void)state;
    static const uint64_t ITERATIONS[] = {30000, 200000, 30000}; /* settled long before its limit */
    for (uint64_t seed = 0; seed < 6; seed++) {
        dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('t', 'h', 'r', 'e'), 0);
        dl_instance *instance = test_random_instance(&rng, 10, 10, 0.1, 45);
        difflns_plan *first = NULL;
        dl_report expected = {0};
        for (int threads = 1; threads <= 4; threads++) {
            dl_options o = options_for(ITERATIONS[seed % 3]);
            o.threads = threads;
            o.seed = seed;
            o.stop = (int)(seed % 3);
            difflns_plan *plan;
            dl_report report;
            difflns_status status =
                dl_solve(&(dl_solve_input){.instance = instance, .options = &o}, &plan, &report, NULL);
            assert_int_equal(status, DIFFLNS_OK);
            uint64_t iterations = report.repair_iterations + report.improve_iterations;
            if (o.stop == DL_STOP_FIRST) assert_int_equal(report.improve_iterations, 0);
            if (o.stop == DL_STOP_SETTLED) assert_in_range(iterations, DL_SETTLED_ITERATIONS, o.iterations - 1);
            if (o.stop == DL_STOP_LIMIT) assert_int_equal(iterations, o.iterations);
            if (first) {
                expect_equal(first, plan);
                assert_int_equal(report.first_soc, expected.first_soc);
                assert_int_equal(report.candidates, expected.candidates);
                assert_int_equal(report.repair_iterations, expected.repair_iterations);
                assert_int_equal(report.improve_iterations, expected.improve_iterations);
                difflns_plan_free(plan);
            } else {
                first = plan;
                expected = report;
            }
            dl_report_free(&report);
        }
        difflns_plan_free(first);
        dl_instance_free(instance);
    }
}

static void every_source_leads_to_a_valid_plan(void **state)
{
    (void)state;
    static const char *const INIT[] = {"auto", "pp", "slack", "paths", "traffic", "lacam", "pibt"};
    dl_rng rng = dl_rng_stream(3, DL_PURPOSE('s', 'o', 'u', 'r'), 0);
    dl_instance *instance = test_random_instance(&rng, 10, 10, 0.1, 35);
    for (size_t i = 0; i < sizeof INIT / sizeof INIT[0]; i++) {
        dl_options o = options_for(100000);
        o.init = init_named(INIT[i]);
        difflns_plan *plan;
        dl_report report;
        assert_int_equal(dl_solve(&(dl_solve_input){.instance = instance, .options = &o}, &plan, &report, NULL),
                         DIFFLNS_OK);
        assert_true(dl_check_valid(instance, plan));
        assert_int_equal(report.soc, dl_plan_soc(plan));
        if (i > 0) assert_string_equal(report.init, INIT[i]);
        o.init = init_named("plan"); /* and back in as a plan that needs no repair */
        difflns_plan *again;
        dl_report_free(&report);
        dl_solve_input warm = {.instance = instance, .options = &o, .init_plan = plan};
        assert_int_equal(dl_solve(&warm, &again, &report, NULL), DIFFLNS_OK);
        expect_equal(plan, again);
        assert_int_equal(report.repair_iterations, 0);
        dl_report_free(&report);
        difflns_plan_free(plan);
        difflns_plan_free(again);
    }
    dl_instance_free(instance);
}

/* ---- the start of the winner ---- */

static void the_report_keeps_the_start_only_when_asked(void **state)
{
    (void)state;
    dl_rng rng = dl_rng_stream(5, DL_PURPOSE('k', 'e', 'e', 'p'), 0);
    dl_instance *instance = test_random_instance(&rng, 10, 10, 0.1, 40);
    difflns_plan *plan, *kept = NULL;
    dl_report report;
    for (int threads = 1; threads <= 3; threads++) {
        dl_options o = options_for(100000);
        o.threads = threads;
        assert_int_equal(dl_solve(&(dl_solve_input){.instance = instance, .options = &o}, &plan, &report, NULL),
                         DIFFLNS_OK);
        assert_null(report.start);
        dl_report_free(&report);
        difflns_plan *again;
        dl_solve_input keeping = {.instance = instance, .options = &o, .keep_start = true};
        assert_int_equal(dl_solve(&keeping, &again, &report, NULL), DIFFLNS_OK);
        expect_equal(plan, again);
        dl_collisions collisions;
        assert_true(dl_plan_collisions(instance, report.start, &collisions));
        int64_t pairs = collisions.pairs;
        assert_true(pairs > 0);
        assert_int_equal(pairs, report.candidate[report.candidates - 1].conflicts);
        if (kept)
            expect_equal(kept, report.start);
        else
            kept = dl_plan_copy(report.start);
        dl_report_free(&report);
        assert_null(report.start);
        difflns_plan_free(plan);
        difflns_plan_free(again);
    }
    dl_plan_free(kept);
    dl_instance_free(instance);
}

/* ---- refusals and limits ---- */

static void an_agent_cut_off_from_its_goal_is_unsolvable(void **state)
{
    (void)state;
    dl_instance *instance = test_instance(".@./.@.", 1, (const int[][4]){{0, 0, 0, 2}});
    dl_options o = options_for(100);
    difflns_plan *plan;
    dl_report report;
    difflns_error err;
    assert_int_equal(dl_solve(&(dl_solve_input){.instance = instance, .options = &o}, &plan, &report, &err),
                     DIFFLNS_UNSOLVABLE);
    assert_null(plan);
    assert_non_null(strstr(report.reason, "agent 0"));
    dl_report_free(&report);
    dl_instance_free(instance);
}

static void options_out_of_range_are_refused(void **state)
{
    (void)state;
    dl_instance *instance = test_instance("..", 1, (const int[][4]){{0, 0, 0, 1}});
    dl_options good = options_for(100), bad[10];
    for (int i = 0; i < 10; i++) bad[i] = good;
    bad[0].time = -1;
    bad[1].time = NAN;
    bad[2].neighbors = 0;
    bad[3].threads = -1;
    bad[4].init = init_named("plan");
    bad[5].iterations = 0;
    bad[5].time = DL_NO_TIME_LIMIT;
    bad[5].anytime = 1;
    bad[6].candidates = 0;
    bad[7].init = 99;
    bad[8].steps = -1;
    bad[9].horizon = -1;
    difflns_plan *plan;
    difflns_error err;
    dl_report report;
    for (int i = 0; i < 10; i++) {
        dl_solve_input input = {.instance = instance, .options = &bad[i]};
        assert_int_equal(dl_solve(&input, &plan, &report, &err), DIFFLNS_BAD_INPUT);
        assert_null(plan);
        dl_report_free(&report);
    }
    dl_solve_input input = {.instance = instance, .options = &good};
    assert_int_equal(dl_solve(&input, &plan, &report, &err), DIFFLNS_OK);
    dl_report_free(&report);
    difflns_plan_free(plan);
    dl_instance_free(instance);
}

static void a_stop_before_the_start_returns_at_once(void **state)
{
    (void)state;
    dl_rng rng = dl_rng_stream(3, DL_PURPOSE('s', 't', 'o', 'p'), 0);
    dl_instance *instance = test_random_instance(&rng, 12, 12, 0.05, 90);
    atomic_int stop = 1;
    dl_options o = options_for(0);
    difflns_plan *plan;
    dl_report report;
    dl_solve_input input = {.instance = instance, .options = &o, .stop = &stop};
    assert_int_equal(dl_solve(&input, &plan, &report, NULL), DIFFLNS_STOPPED);
    dl_report_free(&report);
    assert_null(plan);
    dl_instance_free(instance);
}

/* PIBT's tables are not made for maps that large: trying again until the limit would bring nothing, a million times. */
static void starts_that_can_t_be_made_leave_the_time_to_others(void **state)
{
    (void)state;
    dl_rng rng = dl_rng_stream(4, DL_PURPOSE('s', 't', 'a', 'r'), 0);
    dl_instance *instance = test_random_instance(&rng, 400, 400, 0, 2);
    assert_true(dl_grid_is_large(instance->grid));
    dl_options o = options_for(0);
    o.init = init_named("pibt");
    o.threads = 2;
    o.time = 10;
    difflns_plan *plan;
    dl_report report;
    dl_solve_input input = {.instance = instance, .options = &o};
    assert_int_equal(dl_solve(&input, &plan, &report, NULL), DIFFLNS_OK);
    assert_string_equal(report.init, "push-and-swap");
    assert_in_range(report.candidates, 2, 20);
    dl_report_free(&report);
    difflns_plan_free(plan);
    dl_instance_free(instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_worlds_agree_with_exhaustive_search),
        cmocka_unit_test(an_iteration_limit_gives_the_same_plan_for_any_threads),
        cmocka_unit_test(every_source_leads_to_a_valid_plan),
        cmocka_unit_test(the_report_keeps_the_start_only_when_asked),
        cmocka_unit_test(an_agent_cut_off_from_its_goal_is_unsolvable),
        cmocka_unit_test(options_out_of_range_are_refused),
        cmocka_unit_test(a_stop_before_the_start_returns_at_once),
        cmocka_unit_test(starts_that_can_t_be_made_leave_the_time_to_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
