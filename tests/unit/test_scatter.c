/* Scattered paths: what PIBT is recommended leads everybody home, hardly longer than needed, past the others. */
#include "lacam/scatter.h"

#include "support.h"

enum { PLENTY = 1 << 26, MOST_STEPS = 200 };

typedef struct scattered {
    dl_instance *instance;
    dl_distance *distance;
    dl_pibt_tables *tables;
} scattered;

static scattered open_tables(dl_instance *instance)
{
    dl_deadline never = dl_no_deadline();
    scattered s = {.instance = instance, .distance = dl_distance_create(instance)};
    s.tables = dl_pibt_tables_create(instance, s.distance, &never);
    assert_non_null(s.tables);
    return s;
}

static void close_tables(scattered *s)
{
    dl_pibt_tables_free(s->tables);
    dl_distance_free(s->distance);
    dl_instance_free(s->instance);
}

static int recommended(const scattered *s, int agent, dl_cell cell)
{
    return dl_pibt_guide(s->tables, agent, cell) >> DL_CLOSER_BITS;
}

/* Where an agent is after so many steps along its recommendations; it stays where there is none. */
static dl_cell follow(const scattered *s, int agent, int steps)
{
    dl_cell at = s->instance->start[agent];
    for (; steps > 0 && recommended(s, agent, at) != 0; steps--) {
        at = s->tables->step[at][recommended(s, agent, at)];
        assert_true(at >= 0);
    }
    return at;
}

static void recommendations_lead_home_within_the_margin(void **state)
{
    (void)state;
    dl_deadline never = dl_no_deadline();
    for (uint64_t seed = 0; seed < 30; seed++) {
        dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('s', 'c', 't', 'r'), 0);
        dl_instance *instance = test_random_instance(&rng, 10, 10, 0.15, 25);
        if (!instance) continue;
        int margin = (int)(seed % 5);
        scattered s = open_tables(instance);
        assert_true(dl_scatter(s.tables, s.distance, margin, seed, PLENTY, &never));
        for (int agent = 0; agent < instance->agents; agent++) {
            int most = s.tables->start_distance[agent] + margin;
            if (follow(&s, agent, most) != instance->goal[agent])
                fail_msg("seed %llu: agent %d is not at home after %d steps", (unsigned long long)seed, agent, most);
        }
        close_tables(&s);
    }
}

static bool meet(const scattered *s, int steps)
{
    for (int t = 0; t < steps; t++)
        for (int a = 0; a < s->instance->agents; a++)
            for (int b = 0; b < a; b++) {
                dl_cell here = follow(s, a, t), there = follow(s, b, t);
                if (here == there || (here == follow(s, b, t + 1) && there == follow(s, a, t + 1))) return true;
            }
    return false;
}

/* Shortest ways all lie in the middle row; with two steps to spare one of them goes round. */
static void agents_that_would_meet_go_different_ways(void **state)
{
    (void)state;
    dl_deadline never = dl_no_deadline();
    static const int ACROSS[][4] = {{1, 0, 1, 6}, {1, 6, 1, 0}};
    for (uint64_t seed = 0; seed < 10; seed++) {
        scattered s = open_tables(test_instance("......./......./.......", 2, ACROSS));
        assert_true(dl_scatter(s.tables, s.distance, 2, seed, PLENTY, &never));
        assert_false(meet(&s, 20));
        assert_true(dl_scatter(s.tables, s.distance, 0, seed, PLENTY, &never));
        assert_true(meet(&s, 20));
        close_tables(&s);
    }
}

static void more_memory_than_allowed_is_not_taken(void **state)
{
    (void)state;
    dl_deadline never = dl_no_deadline();
    scattered s = open_tables(test_instance("......./......./.......", 1, (const int[][4]){{1, 0, 1, 6}}));
    assert_false(dl_scatter(s.tables, s.distance, 2, 1, 1000, &never));
    for (dl_cell cell = 0; cell < s.instance->grid->cells; cell++) assert_int_equal(recommended(&s, 0, cell), 0);
    close_tables(&s);
}

/* One round is always finished: who has no path by then would be worse off than without any. */
static void without_time_everybody_still_has_a_path(void **state)
{
    (void)state;
    dl_deadline passed = {0, NULL};
    dl_rng rng = dl_rng_stream(3, DL_PURPOSE('s', 'c', 't', 'r'), 0);
    scattered s = open_tables(test_random_instance(&rng, 10, 10, 0.1, 20));
    assert_true(dl_scatter(s.tables, s.distance, 2, 1, PLENTY, &passed));
    for (int agent = 0; agent < s.instance->agents; agent++)
        assert_int_equal(follow(&s, agent, MOST_STEPS), s.instance->goal[agent]);
    close_tables(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recommendations_lead_home_within_the_margin),
        cmocka_unit_test(agents_that_would_meet_go_different_ways),
        cmocka_unit_test(more_memory_than_allowed_is_not_taken),
        cmocka_unit_test(without_time_everybody_still_has_a_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
