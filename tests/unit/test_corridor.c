/* Corridors: whose goals lie in an agent's way, against the plainest search for the same. */
#include "lns/corridor.h"

#include "support.h"

enum { WORLDS = 60, AGENTS = 20, MOST_CELLS = 100 };

/* Foreign goals on the way from start to goal, by relaxing until nothing changes. */
static int fewest_goals(const dl_planner *p, int agent)
{
    const dl_grid *grid = p->instance->grid;
    dl_cell goal = p->instance->goal[agent];
    int met[MOST_CELLS];
    for (dl_cell cell = 0; cell < grid->cells; cell++) met[cell] = MOST_CELLS;
    met[p->instance->start[agent]] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (dl_cell cell = 0; cell < grid->cells; cell++)
            for (int k = 0; k < DL_DIRECTIONS; k++) {
                dl_cell to = grid->neighbor[cell][k];
                if (to == DL_NO_CELL) continue;
                int count = met[cell] + (to != goal && dl_planner_goal_owner(p, to) >= 0);
                if (count >= met[to]) continue;
                met[to] = count;
                changed = true;
            }
    }
    return met[goal];
}

static void check_list(const dl_planner *p, int agent, int expected, const int32_t *list, int count)
{
    bool seen[AGENTS] = {0};
    assert_int_equal(count, expected);
    for (int i = 0; i < count; i++) {
        assert_true(list[i] >= 0 && list[i] < p->instance->agents && list[i] != agent);
        assert_false(seen[list[i]]);
        seen[list[i]] = true;
    }
}

static void fewest_goals_are_in_the_way_also_when_asked_again(void **state)
{
    (void)state;
    dl_rng rng = dl_rng_stream(7, DL_PURPOSE('c', 'o', 'r', 'r'), 0);
    for (int world = 0; world < WORLDS; world++) {
        dl_instance *instance = test_random_instance(&rng, 8, 8, 0.2, AGENTS);
        if (!instance) continue;
        dl_distance *distance = dl_distance_create(instance);
        dl_planner *p = dl_planner_create(instance, distance, DL_ENGINE_BOARDS);
        dl_corridor *c = dl_corridor_create(instance->grid->cells, AGENTS);
        if (world % 2) c->room = 40; /* most lists are not kept */
        for (int agent = 0; agent < AGENTS; agent++) {
            int32_t list[AGENTS], again[AGENTS];
            int fewest = fewest_goals(p, agent);
            for (int turn = 0; turn < DL_DIRECTIONS; turn++) {
                check_list(p, agent, fewest, list, dl_corridor_goals(c, p, agent, turn, list, NULL));
                assert_int_equal(dl_corridor_goals(c, p, agent, turn, again, NULL), fewest);
                assert_memory_equal(again, list, sizeof *list * (size_t)fewest);
            }
        }
        dl_corridor_free(c);
        dl_planner_free(p);
        dl_distance_free(distance);
        dl_instance_free(instance);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fewest_goals_are_in_the_way_also_when_asked_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
