/* Hastening: valid plans stay valid, nobody comes later, and what could be sooner is. */
#include "base/memory.h"
#include "engine/planner.h"
#include "lacam/lacam.h"
#include "mapf/check.h"
#include "order/hasten.h"
#include "support.h"

typedef struct world {
    dl_instance *instance;
    dl_distance *distance;
    dl_planner *planner;
    dl_hasten hasten;
} world;

static void open_world(world *w, dl_instance *instance)
{
    w->instance = instance;
    w->distance = dl_distance_create(instance);
    w->planner = dl_planner_create(instance, w->distance, DL_ENGINE_AUTO);
    assert_true(w->distance && w->planner && dl_hasten_begin(&w->hasten, w->planner->instance));
}

static int64_t find(world *w)
{
    dl_planner *p = w->planner;
    return dl_hasten_find(&w->hasten, p->track, p->makespan, p->spare, NULL);
}

static void close_world(world *w)
{
    dl_hasten_end(&w->hasten);
    dl_planner_free(w->planner);
    dl_distance_free(w->distance);
    dl_instance_free(w->instance);
}

static void read_plan(world *w, const dl_plan *plan)
{
    dl_planner_clear(w->planner);
    for (int agent = 0; agent < plan->agents; agent++) {
        assert_true(dl_planner_read_path(w->planner, agent, &plan->path[agent]));
        assert_true(dl_planner_insert(w->planner, agent));
    }
}

static int64_t cost_of(const world *w)
{
    int64_t soc = 0;
    for (int agent = 0; agent < w->instance->agents; agent++) soc += w->planner->track[agent].cost;
    return soc;
}

static void expect_valid(const world *w)
{
    dl_plan *plan = dl_planner_write_plan(w->planner);
    assert_true(dl_check_valid(w->instance, plan));
    dl_plan_free(plan);
    assert_true(w->planner->ops->audit(w->planner));
}

/* A plan where everybody waits now and then: all paths of a plan of LaCAM stretched at the same times. */
static dl_plan *stretched(const dl_plan *plan, dl_rng *rng)
{
    int makespan = dl_plan_makespan(plan);
    dl_plan *slow = dl_plan_create(plan->agents);
    for (int time = 0; time <= makespan; time++) {
        int times = 1 + (int)dl_rng_below(rng, 3);
        for (int agent = 0; agent < plan->agents; agent++)
            for (int i = 0; i < times; i++)
                assert_true(dl_path_append(&slow->path[agent], dl_path_at(&plan->path[agent], time)));
    }
    dl_plan_trim(slow);
    return slow;
}

static void hastened_plans_are_valid_and_nobody_comes_later(void **state)
{
    (void)state;
    int64_t all_saved = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('h', 'a', 's', 't'), 0);
        int side = 3 + (int)dl_rng_below(&rng, 6);
        dl_instance *instance =
            test_random_instance(&rng, side, side, 0.1, 1 + (int)dl_rng_below(&rng, side * side * 3 / 4));
        world w;
        open_world(&w, instance);
        dl_lacam_options options = dl_lacam_lean(seed);
        options.anytime = false;
        options.expansions = 20000;
        dl_lacam_result found;
        if (dl_lacam_solve(instance, w.distance, &options, dl_no_deadline(), &found, NULL) == DIFFLNS_OK) {
            dl_plan *slow = stretched(found.plan, &rng);
            read_plan(&w, slow);
            int64_t before = cost_of(&w), saved = find(&w);
            assert_true(saved >= 0);
            assert_int_equal(cost_of(&w), before); /* nothing has happened yet */
            int32_t *cost = DL_ARRAY(int32_t, instance->agents);
            for (int agent = 0; agent < instance->agents; agent++) cost[agent] = w.planner->track[agent].cost;
            assert_true(dl_planner_adopt_all(w.planner, w.hasten.changed, w.hasten.count));
            assert_int_equal(cost_of(&w), before - saved);
            for (int agent = 0; agent < instance->agents; agent++)
                assert_true(w.planner->track[agent].cost <= cost[agent]);
            expect_valid(&w);
            assert_true(cost_of(&w) <= found.soc); /* the common waits are gone */
            assert_int_equal(find(&w), 0);         /* there is nothing more to be had */
            all_saved += saved;
            free(cost);
            dl_plan_free(slow);
        }
        dl_lacam_result_release(&found);
        close_world(&w);
    }
    assert_true(all_saved > 0);
}

static void a_full_ring_turns_at_once(void **state)
{
    (void)state;
    world w;
    open_world(&w, test_instance("../..", 4, (const int[][4]){{0, 0, 0, 1}, {0, 1, 1, 1}, {1, 1, 1, 0}, {1, 0, 0, 0}}));
    static const difflns_cell RING[] = {{0, 0}, {0, 1}, {1, 1}, {1, 0}};
    dl_plan *plan = dl_plan_create(4);
    for (int agent = 0; agent < 4; agent++)
        for (int t = 0; t < 5; t++)
            assert_true(dl_path_append(&plan->path[agent], RING[(agent + (t == 4)) % 4])); /* after three waits */
    read_plan(&w, plan);
    assert_int_equal(find(&w), 12);
    assert_int_equal(w.hasten.count, 4);
    assert_true(dl_planner_adopt_all(w.planner, w.hasten.changed, w.hasten.count));
    expect_valid(&w);
    dl_plan_free(plan);
    close_world(&w);
}

static void a_loop_nobody_needs_is_left_out(void **state)
{
    (void)state;
    world w;
    open_world(&w, test_instance("....", 1, (const int[][4]){{0, 0, 0, 2}}));
    static const int COLUMN[] = {0, 1, 2, 3, 2};
    dl_plan *plan = dl_plan_create(1);
    for (int t = 0; t < 5; t++) assert_true(dl_path_append(&plan->path[0], (difflns_cell){0, COLUMN[t]}));
    read_plan(&w, plan);
    assert_int_equal(find(&w), 2);
    assert_true(dl_planner_adopt_all(w.planner, w.hasten.changed, w.hasten.count));
    assert_int_equal(cost_of(&w), 2);
    dl_plan_free(plan);
    close_world(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hastened_plans_are_valid_and_nobody_comes_later),
        cmocka_unit_test(a_full_ring_turns_at_once),
        cmocka_unit_test(a_loop_nobody_needs_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
