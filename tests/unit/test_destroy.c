/* Neighborhoods: who is replanned together, in repair and in improvement. */
#include "lns/destroy.h"

#include <math.h>

#include "lns/slack.h"
#include "support.h"

enum { AGENTS = 30, SIZE = 6, DRAWS = 200 };

typedef struct world {
    dl_instance *instance;
    dl_distance *distance;
    dl_planner *planner;
    dl_conflicts conflicts;
    dl_rng rng;
    dl_destroy destroy;
} world;

/* Joins agents that collide, as repair does. */
static void join_colliding(world *w)
{
    int32_t list[AGENTS];
    for (int agent = 0; agent < w->instance->agents; agent++) {
        int partners = dl_planner_partners(w->planner, &w->planner->track[agent], w->instance->agents, list);
        for (int i = 0; i < partners; i++) assert_true(dl_conflicts_join(&w->conflicts, agent, list[i]));
        assert_true(dl_planner_insert(w->planner, agent));
    }
}

static void open_world(world *w, dl_instance *instance, bool repair, int size)
{
    assert_non_null(instance);
    *w = (world){.instance = instance,
                 .distance = dl_distance_create(instance),
                 .rng = dl_rng_stream(1, DL_PURPOSE('d', 'e', 's', 't'), 0)};
    dl_deadline never = dl_no_deadline();
    w->planner = dl_planner_create(instance, w->distance, DL_ENGINE_BOARDS);
    dl_slack_paths(w->planner, &w->rng, &(dl_slack){.waits = 5, .deadline = &never});
    assert_true(dl_conflicts_begin(&w->conflicts, instance->agents));
    join_colliding(w);
    assert_true(dl_destroy_begin(&w->destroy, w->planner, repair ? &w->conflicts : NULL, &w->rng, size));
}

static void open_random_world(world *w, bool repair, int size)
{
    dl_rng rng = dl_rng_stream(4, DL_PURPOSE('d', 'e', 's', 't'), 1);
    open_world(w, test_random_instance(&rng, 9, 9, 0.15, AGENTS), repair, size);
}

static void close_world(world *w)
{
    dl_destroy_end(&w->destroy);
    dl_conflicts_end(&w->conflicts);
    dl_planner_free(w->planner);
    dl_distance_free(w->distance);
    dl_instance_free(w->instance);
}

static bool contains(const dl_destroy *d, int agent)
{
    for (int i = 0; i < d->count; i++)
        if (d->chosen[i] == agent) return true;
    return false;
}

static void expect_different_agents(const dl_destroy *d)
{
    bool seen[AGENTS] = {false};
    assert_in_range(d->count, 1, d->size);
    for (int i = 0; i < d->count; i++) {
        assert_in_range(d->chosen[i], 0, d->planner->instance->agents - 1);
        assert_false(seen[d->chosen[i]]);
        seen[d->chosen[i]] = true;
    }
}

static void every_neighborhood_holds_different_agents_and_no_more_than_asked_for(void **state)
{
    (void)state;
    for (int repair = 0; repair < 2; repair++) {
        world w;
        open_random_world(&w, repair, SIZE);
        for (int strategy = 0; strategy < w.destroy.strategies; strategy++) {
            int found = 0;
            for (int i = 0; i < DRAWS; i++) {
                w.destroy.size = 2 + i % (SIZE - 1);
                if (!dl_destroy_choose(&w.destroy, strategy, NULL)) continue;
                expect_different_agents(&w.destroy);
                found++;
            }
            assert_true(repair ? found == DRAWS : found > DRAWS / 4);
        }
        close_world(&w);
    }
}

/* Two pairs that meet head-on, far from each other, and one agent that meets nobody. */
static const char *const PAIRS = "...../@@@@@/...../@@@@@/.....";
static const int MEETING[][4] = {{0, 0, 0, 4}, {0, 4, 0, 0}, {2, 0, 2, 4}, {2, 4, 2, 0}, {4, 0, 4, 1}};

static void a_collision_neighborhood_is_a_component_of_the_conflict_graph(void **state)
{
    (void)state;
    world w;
    open_world(&w, test_instance(PAIRS, 5, MEETING), true, 4);
    assert_int_equal(w.conflicts.pairs, 2);
    int first = 0;
    for (int i = 0; i < DRAWS; i++) {
        assert_true(dl_destroy_choose(&w.destroy, 0, NULL));
        assert_true(contains(&w.destroy, 0) == contains(&w.destroy, 1));
        assert_true(contains(&w.destroy, 2) == contains(&w.destroy, 3));
        assert_false(contains(&w.destroy, 4));
        first += contains(&w.destroy, 0);
    }
    assert_in_range(first, DRAWS / 4, 3 * DRAWS / 4);
    close_world(&w);
}

/* Agent 0 must pass the goal of agent 1; agent 2 is elsewhere. */
static void a_target_neighborhood_has_the_owners_of_goals_in_the_way(void **state)
{
    (void)state;
    static const int TASKS[][4] = {{0, 0, 0, 4}, {0, 4, 0, 2}, {2, 0, 2, 4}};
    world w;
    open_world(&w, test_instance("...../@@@@@/.....", 3, TASKS), true, 2);
    assert_int_equal(w.conflicts.pairs, 1);
    for (int i = 0; i < DRAWS; i++) {
        assert_true(dl_destroy_choose(&w.destroy, 1, NULL));
        assert_true(contains(&w.destroy, 0) && contains(&w.destroy, 1));
    }
    close_world(&w);
}

static void improvement_begins_with_whoever_is_delayed(void **state)
{
    (void)state;
    world w;
    open_random_world(&w, false, SIZE);
    bool delayed[AGENTS];
    for (int agent = 0; agent < AGENTS; agent++)
        delayed[agent] = w.planner->track[agent].cost > dl_distance_of_start(w.distance, agent);
    for (int i = 0; i < DRAWS; i++)
        if (dl_destroy_choose(&w.destroy, 0, NULL)) assert_true(delayed[w.destroy.chosen[0]]);
    close_world(&w);
}

static void a_neighborhood_near_an_agent_is_about_its_way(void **state)
{
    (void)state;
    world w;
    open_random_world(&w, false, SIZE);
    int with = 0, found = 0;
    for (int i = 0; i < DRAWS; i++) {
        int agent = i % AGENTS;
        if (!dl_destroy_near(&w.destroy, agent, NULL)) continue;
        expect_different_agents(&w.destroy);
        found++;
        with += contains(&w.destroy, agent);
    }
    assert_true(found > DRAWS / 2 && with > found / 2);
    close_world(&w);
}

static void as_many_as_there_are_is_everybody(void **state)
{
    (void)state;
    for (int repair = 0; repair < 2; repair++) {
        world w;
        open_random_world(&w, repair, 10 * AGENTS);
        assert_int_equal(w.destroy.size, AGENTS);
        assert_true(dl_destroy_choose(&w.destroy, 2, NULL));
        assert_int_equal(w.destroy.count, AGENTS);
        close_world(&w);
    }
}

static void a_rewarded_strategy_is_drawn_more_often_and_none_is_forgotten(void **state)
{
    (void)state;
    world w;
    open_random_world(&w, true, SIZE);
    dl_destroy_reward(&w.destroy, 1, 0.1, 31);
    assert_true(fabs(w.destroy.weight[1] - 4) < 1e-9);
    for (int i = 0; i < 1000; i++) dl_destroy_reward(&w.destroy, 2, 0.5, 0);
    assert_true(w.destroy.weight[2] > 0);
    int drawn[DL_MOST_STRATEGIES] = {0};
    for (int i = 0; i < 10000; i++) drawn[dl_destroy_draw_strategy(&w.destroy)]++;
    assert_in_range(drawn[1], 7700, 8300); /* four fifths */
    assert_in_range(drawn[0], 1700, 2300);
    dl_destroy_restart(&w.destroy);
    for (int k = 0; k < w.destroy.strategies; k++) assert_true(w.destroy.weight[k] == 1);
    close_world(&w);
}

/* On a map that is not small: whoever is delayed has a turn, nobody else has, and those around whom something gains
 * have more of them. */
static void delayed_agents_around_whom_nothing_gains_are_chosen_less_often(void **state)
{
    (void)state;
    world w;
    dl_rng rng = dl_rng_stream(4, DL_PURPOSE('d', 'e', 's', 't'), 2);
    open_world(&w, test_random_instance(&rng, 70, 70, 0, AGENTS), false, SIZE);
    int turns[AGENTS] = {0}, favorite = -1, delayed = 0, had_turn = 0;
    for (int i = 0; i < 20 * AGENTS; i++) {
        if (!dl_destroy_choose(&w.destroy, 0, NULL)) continue;
        int seed = w.destroy.seed;
        assert_in_range(seed, 0, AGENTS - 1);
        assert_true(contains(&w.destroy, seed) && w.planner->track[seed].cost > w.destroy.shortest[seed]);
        if (favorite < 0) favorite = seed;
        turns[seed]++;
        dl_destroy_note(&w.destroy, seed == favorite);
    }
    assert_true(favorite >= 0);
    for (int agent = 0; agent < AGENTS; agent++) {
        delayed += w.planner->track[agent].cost > w.destroy.shortest[agent];
        had_turn += turns[agent] > 0;
        if (agent != favorite) assert_true(turns[agent] < turns[favorite]);
    }
    assert_true(had_turn > 1 && had_turn <= delayed);
    close_world(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_neighborhood_holds_different_agents_and_no_more_than_asked_for),
        cmocka_unit_test(a_collision_neighborhood_is_a_component_of_the_conflict_graph),
        cmocka_unit_test(a_target_neighborhood_has_the_owners_of_goals_in_the_way),
        cmocka_unit_test(improvement_begins_with_whoever_is_delayed),
        cmocka_unit_test(a_neighborhood_near_an_agent_is_about_its_way),
        cmocka_unit_test(as_many_as_there_are_is_everybody),
        cmocka_unit_test(a_rewarded_strategy_is_drawn_more_often_and_none_is_forgotten),
        cmocka_unit_test(delayed_agents_around_whom_nothing_gains_are_chosen_less_often),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
