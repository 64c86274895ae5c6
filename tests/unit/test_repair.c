#include "support.h"

#include <string.h>

#include "base/memory.h"
#include "lns/improve.h"
#include "lns/prioritized.h"
#include "lns/repair.h"
#include "lns/slack.h"
#include "mapf/check.h"
#include "mapf/distance.h"

enum { PLENTY = 4000 }; /* iterations within which every small world below is repaired if it ever is */

typedef struct world {
    dl_instance *instance;
    dl_distance *distance;
    dl_planner *planner;
    dl_repair repair;
    dl_deadline deadline;
} world;

static void open_engine(world *w, dl_instance *instance, dl_engine engine, const dl_repair_options *options)
{
    w->instance = instance;
    w->distance = dl_distance_create(instance);
    w->planner = dl_planner_create(instance, w->distance, engine);
    w->deadline = dl_no_deadline();
    assert_true(dl_repair_begin(&w->repair, w->planner, options));
}

/* Audited and without escapes: the plain algorithm of the specification. */
static void open_world(world *w, dl_instance *instance)
{
    dl_repair_options options = DL_REPAIR_DEFAULTS;
    options.audit = true;
    options.escape = 0;
    open_engine(w, instance, DL_ENGINE_BOARDS, &options);
}

static void close_world(world *w)
{
    dl_repair_end(&w->repair);
    dl_planner_free(w->planner);
    dl_distance_free(w->distance);
    dl_instance_free(w->instance);
}

static void start_prioritized(world *w, uint64_t seed)
{
    dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('t', 'e', 's', 't'), 0);
    w->planner->rng = dl_rng_stream(seed, DL_PURPOSE('t', 'e', 's', 't'), 1);
    dl_prioritized(w->planner, &rng, DL_PRIORITY_RANDOM, DL_LATE_DEPARTURE, &w->deadline);
    assert_true(dl_repair_start(&w->repair, seed, 0, &w->deadline));
}

static void expect_valid(const world *w)
{
    dl_plan *plan = dl_planner_write_plan(w->planner);
    dl_check_result check;
    assert_true(dl_check(w->instance, plan, &check, NULL, 0, NULL));
    assert_int_equal(check.violations, 0);
    assert_int_equal(check.soc, w->repair.soc);
    dl_plan_free(plan);
}

/* From prioritized planning, any seed: solved, at a cost from `low` to `high`. */
static void expect_solved(const char *rows, int agents, const int tasks[][4], int low, int high)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        world w;
        open_world(&w, test_instance(rows, agents, tasks));
        start_prioritized(&w, seed);
        assert_true(dl_repair_run(&w.repair, PLENTY, &w.deadline));
        expect_valid(&w);
        assert_in_range(w.repair.soc, low, high);
        close_world(&w);
    }
}

static void expect_one_pair_for_ever(const char *rows, int agents, const int tasks[][4])
{
    for (uint64_t seed = 0; seed < 5; seed++) {
        world w;
        open_world(&w, test_instance(rows, agents, tasks));
        start_prioritized(&w, seed);
        assert_false(dl_repair_run(&w.repair, 200, &w.deadline));
        assert_int_equal(w.repair.conflicts.pairs, 1);
        close_world(&w);
    }
}

/* ---- section 7 of the specification; coordinates here are row, column ---- */

static const int ACROSS[][4] = {{0, 0, 0, 4}, {0, 4, 0, 0}};

static void t1_a_pocket_near_one_agent_is_used(void **state)
{
    (void)state;
    expect_solved("...../@.@@@", 2, ACROSS, 11, 11);
}

static void t2_the_first_agent_never_makes_room_by_itself(void **state)
{
    (void)state;
    expect_one_pair_for_ever("...../@@.@@", 2, ACROSS);
}

static void t2_is_solved_by_an_escape(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        world w;
        dl_repair_options options = DL_REPAIR_DEFAULTS;
        options.audit = true;
        open_engine(&w, test_instance("...../@@.@@", 2, ACROSS), DL_ENGINE_BOARDS, &options);
        start_prioritized(&w, seed);
        assert_true(dl_repair_run(&w.repair, 100000, &w.deadline));
        expect_valid(&w);
        assert_true(w.repair.soc >= 11);
        close_world(&w);
    }
}

static void t3_an_agent_on_its_goal_steps_aside(void **state)
{
    (void)state;
    expect_solved("...../@@.@@", 2, (const int[][4]){{0, 2, 0, 2}, {0, 0, 0, 4}}, 7, 7);
}

static void t4_an_agent_on_its_goal_without_room_is_no_success(void **state)
{
    (void)state;
    expect_one_pair_for_ever("...", 2, (const int[][4]){{0, 1, 0, 1}, {0, 0, 0, 2}});
}

static void t5_a_goal_in_the_way_is_gone_round(void **state)
{
    (void)state;
    expect_solved("...../@...@", 2, (const int[][4]){{0, 1, 0, 2}, {0, 0, 0, 4}}, 7, 7);
}

static void t6_who_would_block_the_way_comes_later(void **state)
{
    (void)state;
    expect_solved("...../@@@.@", 2, (const int[][4]){{0, 2, 0, 3}, {0, 0, 0, 4}}, 8, 8);
}

static void t7_a_swap_with_room_costs_two_steps(void **state)
{
    (void)state;
    expect_solved("../..", 2, (const int[][4]){{0, 0, 0, 1}, {0, 1, 0, 0}}, 4, 4);
}

static void t8_a_swap_without_room_is_no_success(void **state)
{
    (void)state;
    expect_one_pair_for_ever("..", 2, (const int[][4]){{0, 0, 0, 1}, {0, 1, 0, 0}});
}

static const int ROTATION[][4] = {{0, 0, 0, 1}, {0, 1, 1, 1}, {1, 1, 1, 0}, {1, 0, 0, 0}};

static void t9_four_agents_rotate(void **state)
{
    (void)state;
    expect_solved("../..", 4, ROTATION, 4, 4);
}

static void t10_agents_follow_each_other(void **state)
{
    (void)state;
    expect_solved(".....", 2, (const int[][4]){{0, 0, 0, 3}, {0, 1, 0, 4}}, 6, 6);
}

static void t11_a_single_agent_takes_the_shortest_path(void **state)
{
    (void)state;
    expect_solved(".../@@./...", 1, (const int[][4]){{0, 0, 2, 0}}, 6, 6);
}

static void t13_four_agents_cross(void **state)
{
    (void)state;
    expect_solved(".../.../...", 4, (const int[][4]){{0, 0, 2, 2}, {2, 2, 0, 0}, {0, 2, 2, 0}, {2, 0, 0, 2}}, 16, 40);
}

/* ---- warm starts ---- */

static void load(world *w, const char *const *paths)
{
    for (int agent = 0; agent < w->instance->agents; agent++) {
        dl_path path = {0};
        for (const char *c = paths[agent]; *c; c += 2)
            assert_true(dl_path_append(&path, (difflns_cell){c[0] - '0', c[1] - '0'}));
        dl_planner_read_path(w->planner, agent, &path);
        free(path.at);
    }
    assert_true(dl_repair_start(&w->repair, 1, 0, &w->deadline));
}

static void a_swap_given_as_a_plan_is_repaired(void **state)
{
    (void)state;
    world w;
    open_world(&w, test_instance("../..", 2, (const int[][4]){{0, 0, 0, 1}, {0, 1, 0, 0}}));
    load(&w, (const char *const[]){"0001", "0100"});
    assert_int_equal(w.repair.conflicts.pairs, 1);
    assert_int_equal(w.repair.soc, 2);
    assert_true(dl_repair_run(&w.repair, PLENTY, &w.deadline));
    assert_int_equal(w.repair.soc, 4);
    expect_valid(&w);
    close_world(&w);
}

static void a_head_on_meeting_given_as_a_plan_is_repaired(void **state)
{
    (void)state;
    world w;
    open_world(&w, test_instance("...../@.@@@", 2, ACROSS));
    load(&w, (const char *const[]){"0001020304", "0403020100"});
    assert_int_equal(w.repair.conflicts.pairs, 1);
    assert_int_equal(w.repair.soc, 8);
    assert_true(dl_repair_run(&w.repair, PLENTY, &w.deadline));
    assert_int_equal(w.repair.soc, 11);
    close_world(&w);
}

static void a_plan_without_conflicts_is_kept_as_it_is(void **state)
{
    (void)state;
    world w;
    open_world(&w, test_instance("../..", 4, ROTATION));
    load(&w, (const char *const[]){"0001", "0111", "1110", "1000"});
    assert_int_equal(w.repair.conflicts.pairs, 0);
    assert_int_equal(w.repair.soc, 4);
    close_world(&w);
}

static void waits_behind_the_arrival_are_trimmed(void **state)
{
    (void)state;
    world w;
    open_world(&w, test_instance("../..", 2, (const int[][4]){{0, 0, 0, 1}, {1, 0, 1, 1}}));
    load(&w, (const char *const[]){"0000010101", "1011"});
    assert_int_equal(w.planner->track[0].cost, 2);
    assert_int_equal(w.repair.soc, 3);
    close_world(&w);
}

static void unusable_paths_are_planned_anew(void **state)
{
    (void)state;
    static const char *const BAD[] = {"", "01", "0002", "000110", "00", "0009", "0000"};
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        world w;
        open_world(&w, test_instance(".../...", 2, (const int[][4]){{0, 0, 0, 2}, {1, 0, 1, 2}}));
        load(&w, (const char *const[]){BAD[i], "101112"});
        assert_int_equal(w.repair.soc, 4);
        assert_int_equal(w.repair.conflicts.pairs, 0);
        close_world(&w);
    }
}

/* ---- properties ---- */

/* Repairs a random instance with every check on; returns whether it was solved. */
static bool repair_random(uint64_t seed, int side, double density, int share, dl_engine engine, uint64_t iterations,
                          uint64_t *audited)
{
    dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('r', 'a', 'n', 'd'), 0);
    dl_instance *instance =
        test_random_instance(&rng, side, side, density, side * side / 8 + (int)dl_rng_below(&rng, (uint32_t)share));
    if (!instance) return false;
    world w;
    dl_repair_options options = DL_REPAIR_DEFAULTS;
    options.audit = true;
    options.neighbors = 1 + (int)dl_rng_below(&rng, 12);
    open_engine(&w, instance, engine, &options);
    if (seed % 2) {
        dl_slack slack = {(int)dl_rng_below(&rng, 30), dl_rng_unit(&rng), 10, NULL};
        dl_slack_paths(w.planner, &rng, &slack);
        assert_true(dl_repair_start(&w.repair, seed, 0, &w.deadline));
    } else {
        start_prioritized(&w, seed);
    }
    assert_true(dl_repair_audit(&w.repair));
    int64_t pairs = w.repair.conflicts.pairs;
    bool solved = dl_repair_run(&w.repair, iterations, &w.deadline);
    *audited += w.repair.iterations;
    if (w.repair.conflicts.pairs > pairs) fail_msg("seed %d: more pairs than before", (int)seed);
    if (solved) {
        expect_valid(&w);
        dl_improve_options improve_options = DL_IMPROVE_DEFAULTS;
        improve_options.audit = true;
        improve_options.level = seed % 3 == 0;
        dl_improve m;
        assert_true(dl_improve_begin(&m, w.planner, &improve_options));
        dl_improve_start(&m, seed, 0);
        dl_improve_run(&m, iterations, &w.deadline);
        *audited += m.iterations;
        if (m.soc > w.repair.soc) fail_msg("seed %d: improvement made it worse", (int)seed);
        w.repair.soc = m.soc;
        expect_valid(&w);
        dl_improve_end(&m);
    }
    close_world(&w);
    return solved;
}

/* How many iterations to recount; the long run of a release has DIFFLNS_AUDITS=1000000 in the environment. */
static uint64_t audits_wanted(void)
{
    const char *wish = getenv("DIFFLNS_AUDITS");
    return wish ? strtoull(wish, NULL, 10) : 5000;
}

static void state_equals_a_recount_after_every_iteration(void **state)
{
    (void)state;
    int solved = 0, instances = 0;
    for (uint64_t audited = 0; audited < audits_wanted(); instances++)
        solved += repair_random((uint64_t)instances, 5 + instances % 5, 0.15, 20, DL_ENGINE_BOARDS, 50, &audited);
    assert_true(solved * 4 > instances);
}

static void sipps_keeps_its_state_as_well(void **state)
{
    (void)state;
    int solved = 0;
    uint64_t audited = 0;
    for (int seed = 0; seed < 60; seed++)
        solved += repair_random((uint64_t)seed, 5 + seed % 4, 0.15, 16, DL_ENGINE_SIPPS, 50, &audited);
    assert_true(solved > 15);
}

static void the_same_seed_gives_the_same_repair(void **state)
{
    (void)state;
    dl_plan *first = NULL;
    for (int run = 0; run < 3; run++) {
        dl_rng rng = dl_rng_stream(7, DL_PURPOSE('s', 'a', 'm', 'e'), 0);
        world w;
        dl_repair_options options = DL_REPAIR_DEFAULTS;
        open_engine(&w, test_random_instance(&rng, 10, 10, 0.1, 40), DL_ENGINE_BOARDS, &options);
        for (int before = 0; before <= run; before++) { /* what ran on the planner before does not matter */
            start_prioritized(&w, before < run ? 99 : 5);
            dl_repair_run(&w.repair, 300, &w.deadline);
        }
        dl_plan *plan = dl_planner_write_plan(w.planner);
        if (first) {
            for (int agent = 0; agent < 40; agent++) {
                assert_int_equal(plan->path[agent].length, first->path[agent].length);
                assert_memory_equal(plan->path[agent].at, first->path[agent].at,
                                    sizeof *first->path[agent].at * (size_t)first->path[agent].length);
            }
            dl_plan_free(plan);
        } else {
            first = plan;
        }
        close_world(&w);
    }
    dl_plan_free(first);
}

static void slack_paths_are_legal_and_as_long_as_allowed(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('s', 'l', 'a', 'c'), 0);
        world w;
        open_world(&w, test_random_instance(&rng, 9, 11, 0.2, 12));
        dl_slack slack = {(int)dl_rng_below(&rng, 20), seed % 3 * 0.5, (int)dl_rng_below(&rng, 9), NULL};
        dl_slack_paths(w.planner, &rng, &slack);
        dl_plan *plan = dl_planner_write_plan(w.planner);
        for (int agent = 0; agent < 12; agent++) {
            int shortest = dl_distance_of_start(w.distance, agent);
            int most =
                shortest + (shortest || slack.detour > 0 ? slack.waits : 0) + (slack.detour > 0 ? slack.stretch : 0);
            assert_in_range(w.planner->track[agent].cost, shortest, most);
            assert_true(dl_planner_read_path(w.planner, agent, &plan->path[agent]));
        }
        dl_plan_free(plan);
        close_world(&w);
    }
}

/* ---- what is ours and what is published ---- */

/* Stands between repair and its planner and keeps what searches are asked for. */
static struct {
    const dl_planner_ops *real;
    int searches, late, of_rule[DL_TIE_RULES];
    int heavy; /* pairs that weighed more than others in the end */
} spy;

static int spied_plan(dl_planner *p, int agent, const dl_request *request)
{
    spy.searches++;
    spy.late += request->earliest > 0;
    spy.of_rule[request->rule]++;
    return spy.real->plan(p, agent, request);
}

/* Many iterations without a gain: the world has no solution. */
static void repair_spied(dl_repair_options options)
{
    static const int TASKS[][4] = {{0, 0, 0, 4}, {0, 4, 0, 0}, {2, 0, 2, 4}, {2, 4, 2, 1}};
    world w;
    options.neighbors = 4;
    open_engine(&w, test_instance("...../@@@@@/.....", 4, TASKS), DL_ENGINE_BOARDS, &options);
    dl_planner_ops ops = *w.planner->ops;
    memset(&spy, 0, sizeof spy);
    spy.real = w.planner->ops;
    ops.plan = spied_plan;
    w.planner->ops = &ops;
    assert_true(dl_repair_start(&w.repair, 1, 0, &w.deadline));
    for (int i = 0; i < 2000; i++) {
        dl_repair_step(&w.repair, &w.deadline);
        if (!options.vary) assert_int_equal(w.repair.destroy.size, options.neighbors);
    }
    w.planner->ops = spy.real;
    spy.heavy = w.repair.weights.count;
    close_world(&w);
    assert_true(spy.searches > 1000);
}

static void published_options_use_nothing_of_ours(void **state)
{
    (void)state;
    dl_repair_options published = DL_REPAIR_PUBLISHED;
    assert_int_equal(published.neighbors, 8);
    assert_false(published.vary);
    repair_spied(published);
    assert_int_equal(spy.late, 0);
    assert_int_equal(spy.of_rule[DL_WAIT_FIRST], spy.searches);
    assert_int_equal(spy.heavy, 0);
}

/* The two in the corridor meet, whatever is done, and weigh one more for every stretch without a new low. */
static void pairs_that_stay_weigh_more_and_more(void **state)
{
    (void)state;
    static const int TASKS[][4] = {{0, 0, 0, 4}, {0, 4, 0, 0}};
    enum { STALL = 50, STALLS = 8 };
    dl_repair_options options = DL_REPAIR_DEFAULTS;
    options.audit = true;
    options.breakout = STALL;
    world w;
    open_engine(&w, test_instance(".....", 2, TASKS), DL_ENGINE_BOARDS, &options);
    for (int again = 0; again < 2; again++) { /* a new repair has not heard of the last one */
        assert_true(dl_repair_start(&w.repair, 1, 0, &w.deadline));
        assert_int_equal(w.repair.conflicts.pairs, 1);
        for (int i = 0; i < STALL * STALLS; i++) {
            assert_int_equal(dl_breakout_weight(&w.repair.weights, 0, 1), 1 + i / STALL);
            dl_repair_step(&w.repair, &w.deadline);
        }
        assert_int_equal(w.repair.fewest, 1);
    }
    close_world(&w);
}

/* Repairs of full boards that end within so many iterations. */
static int count_repaired(uint64_t breakout)
{
    enum { BOARDS = 12, ITERATIONS = 12000 };
    dl_repair_options options = DL_REPAIR_DEFAULTS;
    options.lateness = DL_LATENESS_ALWAYS_KEPT;
    options.breakout = breakout;
    int repaired = 0;
    for (uint64_t seed = 0; seed < BOARDS; seed++) {
        world w;
        open_engine(&w, test_preset_instance("small-random", 64, 4400 + seed), DL_ENGINE_BOARDS, &options);
        start_prioritized(&w, seed);
        repaired += dl_repair_run(&w.repair, ITERATIONS, &w.deadline);
        close_world(&w);
    }
    return repaired;
}

static void full_boards_are_repaired_by_breaking_out(void **state)
{
    (void)state;
    int without = count_repaired(0), with = count_repaired(DL_REPAIR_DEFAULTS.breakout);
    print_message("repaired: %d without, %d with\n", without, with);
    assert_true(with > without);
}

/* The largest neighborhood of so many iterations; milestones are what a plain count says. */
static int largest_neighborhood(dl_lateness lateness)
{
    enum { ITERATIONS = 4000 };
    dl_repair_options options = DL_REPAIR_DEFAULTS;
    options.lateness = lateness;
    world w;
    open_engine(&w, test_preset_instance("small-random", 68, 4500), DL_ENGINE_BOARDS, &options);
    start_prioritized(&w, 1);
    int64_t milestone = w.repair.conflicts.pairs;
    uint64_t reached = 0;
    int largest = 0, stuck = 0;
    for (uint64_t i = 1; i <= ITERATIONS; i++) {
        dl_repair_step(&w.repair, &w.deadline);
        if (10 * w.repair.conflicts.pairs <= 9 * milestone) {
            milestone = w.repair.conflicts.pairs;
            reached = i;
        }
        assert_int_equal(dl_repair_is_stuck(&w.repair), i >= 2 * reached);
        stuck += dl_repair_is_stuck(&w.repair);
        if (w.repair.destroy.count > largest) largest = w.repair.destroy.count;
    }
    assert_in_range(stuck, 1, ITERATIONS - 1);
    close_world(&w);
    return largest;
}

static void few_agents_are_replanned_together_while_lateness_is_always_kept(void **state)
{
    (void)state;
    assert_int_equal(largest_neighborhood(DL_LATENESS_ALWAYS_KEPT), DL_FEW_NEIGHBORS);
    assert_int_equal(largest_neighborhood(DL_LATENESS_KEPT_WHEN_STALE), DL_NEIGHBORS);
}

static void lateness_is_kept_when_it_is_said(void **state)
{
    (void)state;
    dl_repair_options options = DL_REPAIR_DEFAULTS;
    options.escape = 0;
    repair_spied(options);
    assert_in_range(spy.late, 1, spy.searches - 1); /* once stale */
    options.lateness = DL_LATENESS_ALWAYS_KEPT;
    repair_spied(options);
    int starts = 4; /* an agent without a path can't be late */
    assert_int_equal(spy.late, spy.searches - starts);
    options.lateness = DL_LATENESS_NEVER_KEPT;
    repair_spied(options);
    assert_int_equal(spy.late, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(t1_a_pocket_near_one_agent_is_used),
        cmocka_unit_test(t2_the_first_agent_never_makes_room_by_itself),
        cmocka_unit_test(t2_is_solved_by_an_escape),
        cmocka_unit_test(t3_an_agent_on_its_goal_steps_aside),
        cmocka_unit_test(t4_an_agent_on_its_goal_without_room_is_no_success),
        cmocka_unit_test(t5_a_goal_in_the_way_is_gone_round),
        cmocka_unit_test(t6_who_would_block_the_way_comes_later),
        cmocka_unit_test(t7_a_swap_with_room_costs_two_steps),
        cmocka_unit_test(t8_a_swap_without_room_is_no_success),
        cmocka_unit_test(t9_four_agents_rotate),
        cmocka_unit_test(t10_agents_follow_each_other),
        cmocka_unit_test(t11_a_single_agent_takes_the_shortest_path),
        cmocka_unit_test(t13_four_agents_cross),
        cmocka_unit_test(a_swap_given_as_a_plan_is_repaired),
        cmocka_unit_test(a_head_on_meeting_given_as_a_plan_is_repaired),
        cmocka_unit_test(a_plan_without_conflicts_is_kept_as_it_is),
        cmocka_unit_test(waits_behind_the_arrival_are_trimmed),
        cmocka_unit_test(unusable_paths_are_planned_anew),
        cmocka_unit_test(state_equals_a_recount_after_every_iteration),
        cmocka_unit_test(sipps_keeps_its_state_as_well),
        cmocka_unit_test(the_same_seed_gives_the_same_repair),
        cmocka_unit_test(slack_paths_are_legal_and_as_long_as_allowed),
        cmocka_unit_test(published_options_use_nothing_of_ours),
        cmocka_unit_test(pairs_that_stay_weigh_more_and_more),
        cmocka_unit_test(full_boards_are_repaired_by_breaking_out),
        cmocka_unit_test(few_agents_are_replanned_together_while_lateness_is_always_kept),
        cmocka_unit_test(lateness_is_kept_when_it_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
