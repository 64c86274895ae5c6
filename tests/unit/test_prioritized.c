/* Prioritized planning: whose turn comes first, and what that is worth where there is room. */
#include "lns/prioritized.h"
#include "support.h"

enum { SIDE = 40, AGENTS = 60, INSTANCES = 10 };

typedef struct outcome {
    bool complete;
    int64_t soc;
    bool shortest_undelayed; /* does the agent with the shortest way come without delay? */
} outcome;

static outcome plan_by(dl_instance *instance, dl_priority priority, dl_rng rng)
{
    dl_distance *distance = dl_distance_create(instance);
    dl_planner *planner = dl_planner_create(instance, distance, DL_ENGINE_SIPPS);
    dl_deadline never = dl_no_deadline();
    outcome o = {.complete = dl_prioritized(planner, &rng, priority, DL_LATE_DEPARTURE, &never)};
    int first = 0;
    for (int agent = 0; agent < instance->agents; agent++) {
        o.soc += planner->track[agent].cost;
        if (dl_distance_of_start(distance, agent) < dl_distance_of_start(distance, first)) first = agent;
    }
    o.shortest_undelayed = planner->track[first].cost == dl_distance_of_start(distance, first);
    dl_planner_free(planner);
    dl_distance_free(distance);
    return o;
}

static void short_ways_first_cost_less_where_there_is_room(void **state)
{
    (void)state;
    int64_t random_soc = 0, short_soc = 0;
    for (uint64_t seed = 0; seed < INSTANCES; seed++) {
        dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('t', 'e', 's', 't'), 0);
        dl_instance *instance = test_random_instance(&rng, SIDE, SIDE, 0.1, AGENTS);
        assert_non_null(instance);
        outcome drawn = plan_by(instance, DL_PRIORITY_RANDOM, rng);
        outcome ranked = plan_by(instance, DL_PRIORITY_SHORT_FIRST, rng);
        assert_true(drawn.complete && ranked.complete);
        assert_true(ranked.shortest_undelayed);
        random_soc += drawn.soc;
        short_soc += ranked.soc;
        dl_instance_free(instance);
    }
    assert_true(short_soc < random_soc);
}

static void an_order_by_length_needs_time(void **state)
{
    (void)state;
    dl_rng rng = dl_rng_stream(1, DL_PURPOSE('t', 'e', 's', 't'), 0);
    dl_instance *instance = test_random_instance(&rng, SIDE, SIDE, 0.1, AGENTS);
    dl_distance *distance = dl_distance_create(instance);
    dl_planner *planner = dl_planner_create(instance, distance, DL_ENGINE_SIPPS);
    dl_deadline over = dl_deadline_after(0, NULL);
    assert_false(dl_prioritized(planner, &rng, DL_PRIORITY_SHORT_FIRST, DL_LATE_DEPARTURE, &over));
    for (int agent = 0; agent < AGENTS; agent++) assert_int_equal(planner->track[agent].cost, DL_NO_TRACK);
    assert_false(planner->exhausted);
    dl_planner_free(planner);
    dl_distance_free(distance);
    dl_instance_free(instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_ways_first_cost_less_where_there_is_room),
        cmocka_unit_test(an_order_by_length_needs_time),
    };
    return cmocka_run_group_tests_name("prioritized", tests, NULL, NULL);
}
