/* Improvement: neighborhoods replanned together. */
#include "lns/improve.h"

#include "support.h"

/* The second agent's goal is in the first one's way, so it must come later. Planning it first leaves no way for
 * the other. */
enum { AGENTS = 2, CHEAPEST = 5 };
static const char *const CROSSING = "..../@.@@";
static const int TASKS[AGENTS][4] = {{0, 0, 0, 3}, {1, 1, 0, 1}};
/* ... as it is driven at first: the one waits for three steps, and the other for it. */
static const difflns_cell LOOSE[AGENTS][7] = {{{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 1}, {0, 2}, {0, 3}},
                                              {{1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, {0, 1}, {0, 1}}};

static int64_t cost_after_one_step(uint64_t seed)
{
    dl_instance *instance = test_instance(CROSSING, AGENTS, TASKS);
    dl_distance *distance = dl_distance_create(instance);
    dl_planner *planner = dl_planner_create(instance, distance, DL_ENGINE_BOARDS);
    for (int agent = 0; agent < AGENTS; agent++) {
        dl_path path = {.at = (difflns_cell *)LOOSE[agent], .length = 7};
        assert_true(dl_planner_read_path(planner, agent, &path));
        assert_true(dl_planner_insert(planner, agent));
    }
    dl_improve_options options = DL_IMPROVE_DEFAULTS;
    options.audit = true;
    dl_improve improve;
    dl_deadline deadline = dl_no_deadline();
    assert_true(dl_improve_begin(&improve, planner, &options));
    dl_improve_start(&improve, seed, 0);
    improve.other_orders = 1;
    do dl_improve_step(&improve, &deadline);
    while (improve.destroy.count < AGENTS);
    int64_t soc = improve.soc;
    dl_improve_end(&improve);
    dl_planner_free(planner);
    dl_distance_free(distance);
    dl_instance_free(instance);
    return soc;
}

static void a_pair_is_tried_in_both_orders(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++)
        if (cost_after_one_step(seed) != CHEAPEST) fail_msg("seed %d: one order only", (int)seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pair_is_tried_in_both_orders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
