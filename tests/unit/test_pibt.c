/* PIBT: every step is legal, constraints and preferences are kept, and the swap rule resolves what it is for. */
#include "lacam/pibt.h"
#include "lacam/pibt_rollout.h"
#include "mapf/check.h"
#include "support.h"

typedef struct world {
    dl_instance *instance;
    dl_distance *distance;
    dl_pibt_tables *tables;
    dl_pibt pibt;
} world;

static world open_world(dl_instance *instance, bool swap, uint64_t seed)
{
    world w = {.instance = instance, .distance = dl_distance_create(instance)};
    w.tables = dl_pibt_tables_create(instance, w.distance, &(dl_deadline){__builtin_inf(), NULL});
    assert_true(dl_pibt_init(&w.pibt, w.tables, swap, dl_rng_stream(seed, DL_PURPOSE('t', 'e', 's', 't'), 0)));
    return w;
}

static void close_world(world *w)
{
    dl_pibt_release(&w->pibt);
    dl_pibt_tables_free(w->tables);
    dl_distance_free(w->distance);
    dl_instance_free(w->instance);
}

static bool is_legal(const dl_instance *instance, const dl_cell *at, const dl_cell *to)
{
    for (int i = 0; i < instance->agents; i++) {
        bool adjacent = at[i] == to[i];
        for (int d = 0; d < DL_DIRECTIONS; d++) adjacent |= to[i] >= 0 && instance->grid->neighbor[at[i]][d] == to[i];
        if (!adjacent) return false;
        for (int j = 0; j < i; j++)
            if (to[i] == to[j] || (to[i] == at[j] && to[j] == at[i])) return false;
    }
    return true;
}

static void every_step_is_legal_and_keeps_its_constraints(void **state)
{
    (void)state;
    int successes = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('p', 'i', 'b', 't'), 1);
        int agents = 2 + (int)dl_rng_below(&rng, 20);
        dl_instance *instance = test_random_instance(&rng, 6, 6, 0.25, agents);
        if (!instance) continue;
        world w = open_world(instance, seed % 2, seed);
        dl_cell at[32], to[32], cell[3];
        uint16_t order[32], agent[3];
        memcpy(at, instance->start, sizeof *at * (size_t)agents);
        int32_t shuffled[32];
        for (int i = 0; i < agents; i++) shuffled[i] = i;
        for (int step = 0; step < 30; step++) {
            dl_rng_shuffle(&rng, shuffled, agents);
            for (int i = 0; i < agents; i++) order[i] = (uint16_t)shuffled[i];
            dl_constraints constraints = {.count = (int)dl_rng_below(&rng, 3), .agent = agent, .cell = cell};
            for (int k = 0; k < constraints.count; k++) {
                agent[k] = order[k];
                do cell[k] = w.tables->step[at[agent[k]]][dl_rng_below(&rng, DL_ACTIONS)];
                while (cell[k] == DL_NO_CELL);
            }
            bool done = dl_pibt_step(&w.pibt, at, order, &constraints, to);
            if (!done && constraints.count == 0) fail_msg("seed %d: failed without constraints", (int)seed);
            if (!done) continue;
            successes++;
            if (!is_legal(instance, at, to)) fail_msg("seed %d step %d: illegal", (int)seed, step);
            for (int k = 0; k < constraints.count; k++) assert_int_equal(to[agent[k]], cell[k]);
            memcpy(at, to, sizeof *at * (size_t)agents);
        }
        close_world(&w);
    }
    assert_true(successes > 1000);
}

static void a_full_ring_rotates_at_once(void **state)
{
    (void)state;
    const int tasks[][4] = {{0, 0, 0, 1}, {0, 1, 1, 1}, {1, 1, 1, 0}, {1, 0, 0, 0}};
    world w = open_world(test_instance("../..", 4, tasks), true, 1);
    const uint16_t order[] = {0, 1, 2, 3};
    dl_cell to[4];
    assert_true(dl_pibt_step(&w.pibt, w.instance->start, order, NULL, to));
    assert_memory_equal(to, w.instance->goal, sizeof to);
    close_world(&w);
}

/* Steps until everybody is home, or `limit`. Priorities as in LaCAM: those on the way first. */
static int steps_to_goals(world *w, int limit)
{
    int agents = w->instance->agents;
    dl_cell at[8], to[8];
    uint16_t order[8];
    memcpy(at, w->instance->start, sizeof *at * (size_t)agents);
    for (int step = 0; step < limit; step++) {
        int count = 0;
        for (int i = 0; i < agents; i++)
            if (at[i] != w->instance->goal[i]) order[count++] = (uint16_t)i;
        if (count == 0) return step;
        for (int i = 0; i < agents; i++)
            if (at[i] == w->instance->goal[i]) order[count++] = (uint16_t)i;
        assert_true(dl_pibt_step(&w->pibt, at, order, NULL, to));
        memcpy(at, to, sizeof *at * (size_t)agents);
    }
    return limit;
}

/* Two agents change ends of a corridor; the junction is behind agent 0. Greedy PIBT alone pushes to and fro. */
static void two_agents_in_a_corridor_change_places_by_the_swap_rule(void **state)
{
    (void)state;
    const int tasks[][4] = {{1, 2, 1, 4}, {1, 4, 1, 0}};
    world w = open_world(test_instance("@.@@@/...../@@@@@", 2, tasks), true, 3);
    assert_true(steps_to_goals(&w, 100) <= 12);
    close_world(&w);
    int stuck = 0;
    for (uint64_t seed = 0; seed < 10; seed++) {
        w = open_world(test_instance("@.@@@/...../@@@@@", 2, tasks), false, seed);
        stuck += steps_to_goals(&w, 100) == 100;
        close_world(&w);
    }
    assert_true(stuck > 0);
}

static void a_preference_replaces_the_order_by_distance(void **state)
{
    (void)state;
    const int tasks[][4] = {{1, 1, 1, 2}, {0, 0, 2, 2}};
    world w = open_world(test_instance(".../.../...", 2, tasks), true, 1);
    const uint16_t order[] = {0, 1};
    dl_action_order up_first = DL_UP | DL_LEFT << 4 | DL_STAY << 8 | DL_RIGHT << 12 | DL_DOWN << 16;
    dl_action_order stay_first = DL_STAY | DL_UP << 4 | DL_LEFT << 8 | DL_RIGHT << 12 | DL_DOWN << 16;
    dl_cell to[2];
    const dl_action_order only_first[] = {up_first, 0};
    w.pibt.preference = only_first;
    assert_true(dl_pibt_step(&w.pibt, w.instance->start, order, NULL, to));
    assert_int_equal(to[0], dl_grid_cell(w.instance->grid, 0, 1));
    assert_int_equal(to[1], dl_grid_cell(w.instance->grid, 1, 0));
    const dl_action_order both[] = {up_first, stay_first};
    w.pibt.preference = both;
    assert_true(dl_pibt_step(&w.pibt, w.instance->start, order, NULL, to));
    assert_int_equal(to[1], w.instance->start[1]);
    close_world(&w);
}

static void tied_directions_are_taken_equally_often(void **state)
{
    (void)state;
    const int tasks[][4] = {{0, 0, 2, 2}};
    world w = open_world(test_instance(".../.../...", 1, tasks), true, 5);
    const uint16_t order[] = {0};
    int down = 0;
    dl_cell to[1];
    for (int i = 0; i < 4000; i++) {
        assert_true(dl_pibt_step(&w.pibt, w.instance->start, order, NULL, to));
        down += to[0] == dl_grid_cell(w.instance->grid, 1, 0);
        assert_true(to[0] != w.instance->start[0]);
    }
    assert_in_range(down, 1800, 2200);
    close_world(&w);
}

/* Paths are legal, end at home, and collide only after the steps PIBT took. */
static void a_rollout_collides_only_behind_its_steps(void **state)
{
    (void)state;
    enum { STEPS = 12 };
    dl_deadline none = dl_no_deadline();
    for (uint64_t seed = 0; seed < 20; seed++) {
        dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('r', 'o', 'l', 'l'), 0);
        dl_instance *instance = test_random_instance(&rng, 10, 10, 0.2, 40);
        if (!instance) continue;
        dl_distance *distance = dl_distance_create(instance);
        dl_planner *planner = dl_planner_create(instance, distance, DL_ENGINE_AUTO);
        assert_true(dl_pibt_rollout(planner, &rng, STEPS, &none));
        dl_plan *plan = dl_planner_write_plan(planner);
        dl_check_result result;
        difflns_violation list[512];
        size_t listed = 0;
        assert_true(dl_check(instance, plan, &result, list, 512, &listed));
        if (result.violations != result.by_kind[DIFFLNS_VERTEX] + result.by_kind[DIFFLNS_SWAP])
            fail_msg("seed %d: a path is not legal", (int)seed);
        for (size_t i = 0; i < listed; i++)
            if (list[i].time <= STEPS) fail_msg("seed %d: collision at time %d", (int)seed, list[i].time);
        dl_plan_free(plan);
        dl_planner_free(planner);
        dl_distance_free(distance);
        dl_instance_free(instance);
    }
}

static void a_rollout_without_time_leaves_no_tracks(void **state)
{
    (void)state;
    const int tasks[][4] = {{0, 0, 1, 1}, {1, 1, 0, 0}};
    dl_instance *instance = test_instance("../..", 2, tasks);
    dl_distance *distance = dl_distance_create(instance);
    dl_planner *planner = dl_planner_create(instance, distance, DL_ENGINE_AUTO);
    dl_rng rng = dl_rng_stream(1, DL_PURPOSE('r', 'o', 'l', 'l'), 0);
    atomic_int cancel = 1;
    assert_false(dl_pibt_rollout(planner, &rng, 10, &(dl_deadline){__builtin_inf(), &cancel}));
    for (int agent = 0; agent < 2; agent++) assert_int_equal(planner->track[agent].cost, DL_NO_TRACK);
    dl_planner_free(planner);
    dl_distance_free(distance);
    dl_instance_free(instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_step_is_legal_and_keeps_its_constraints),
        cmocka_unit_test(a_full_ring_rotates_at_once),
        cmocka_unit_test(a_rollout_collides_only_behind_its_steps),
        cmocka_unit_test(a_rollout_without_time_leaves_no_tracks),
        cmocka_unit_test(two_agents_in_a_corridor_change_places_by_the_swap_rule),
        cmocka_unit_test(a_preference_replaces_the_order_by_distance),
        cmocka_unit_test(tied_directions_are_taken_equally_often),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
