#include "support.h"

#include <math.h>

#include "base/deadline.h"
#include "base/memory.h"
#include "diffusion/likeliest_path.h"
#include "diffusion/tokens.h"
#include "mapf/distance.h"

static dl_field distances(const dl_instance *instance, int agent)
{
    dl_field field = {0};
    assert_true(dl_field_fill(&field, instance->grid, instance->goal[agent], NULL));
    return field;
}

enum { CROWD = 3, TINY_HORIZON = 6 };

/* One problem on a tiny map, and the paths that are in the way. */
typedef struct problem {
    const dl_grid *grid;
    const dl_field *distance;
    dl_cell goal;
    const float *score;
    dl_likeliest_costs costs;
    dl_cell (*crowd)[TINY_HORIZON + 1];
} problem;

static int collisions_of(const problem *p, const dl_cell *cells)
{
    int count = 0;
    for (int i = 0; i < CROWD; i++)
        for (int t = 0; t < TINY_HORIZON; t++) {
            const dl_cell *other = p->crowd[i];
            count += cells[t + 1] == other[t + 1];
            count += cells[t] != cells[t + 1] && cells[t] == other[t + 1] && cells[t + 1] == other[t];
        }
    return count;
}

/* The value of a path as the header defines it. */
static double value_of(const problem *p, const dl_cell *cells)
{
    double value = -p->costs.collision * collisions_of(p, cells);
    for (int t = 0; t < TINY_HORIZON; t++) {
        int token = dl_action_between(p->grid, cells[t], cells[t + 1]);
        value += p->score[t * DL_ACTIONS + token];
        if (cells[t + 1] != p->goal) value -= p->costs.step;
    }
    return value - p->costs.distance * dl_field_at(p->distance, cells[TINY_HORIZON]);
}

static double best_by_hand(const problem *p, dl_cell *cells, int t)
{
    if (t == TINY_HORIZON) return value_of(p, cells);
    cells[t + 1] = cells[t];
    double best = best_by_hand(p, cells, t + 1);
    for (int d = 0; d < DL_DIRECTIONS; d++) {
        cells[t + 1] = p->grid->neighbor[cells[t]][d];
        if (cells[t + 1] != DL_NO_CELL) best = fmax(best, best_by_hand(p, cells, t + 1));
    }
    return best;
}

static void walk_randomly(const dl_grid *grid, dl_rng *rng, dl_cell *cells)
{
    cells[0] = (dl_cell)dl_rng_below(rng, (uint32_t)grid->cells);
    for (int t = 0; t < TINY_HORIZON; t++) {
        int action = (int)dl_rng_below(rng, DL_ACTIONS);
        dl_cell next = action == DL_STAY ? DL_NO_CELL : grid->neighbor[cells[t]][action - 1];
        cells[t + 1] = next == DL_NO_CELL ? cells[t] : next;
    }
}

static void the_path_is_the_best_of_all_paths_on_tiny_maps(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 400; seed++) {
        dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('t', 'e', 's', 't'), 1);
        int height = 1 + (int)dl_rng_below(&rng, 5), width = 2 + (int)dl_rng_below(&rng, 4);
        dl_instance *instance = test_random_instance(&rng, height, width, 0.25, 1);
        if (!instance) continue;
        bool crowded = seed % 2;
        float score[TINY_HORIZON * DL_ACTIONS];
        for (int i = 0; i < TINY_HORIZON * DL_ACTIONS; i++) score[i] = (float)(-3 * dl_rng_unit(&rng));
        dl_likeliest_costs costs = {(float)(seed % 3), 3, crowded ? 2 : 0};
        dl_field distance = distances(instance, 0);
        dl_likeliest *planner = dl_likeliest_create(instance->grid);
        dl_crowd *crowd = crowded ? dl_crowd_create(planner, TINY_HORIZON) : NULL;
        dl_cell cells[TINY_HORIZON + 1], trial[TINY_HORIZON + 1], others[CROWD][TINY_HORIZON + 1];
        for (int i = 0; i < CROWD; i++) {
            walk_randomly(instance->grid, &rng, others[i]);
            if (crowded) dl_crowd_add(crowd, planner, others[i]);
        }
        walk_randomly(instance->grid, &rng, cells); /* one who comes and goes */
        if (crowded) dl_crowd_add(crowd, planner, cells);
        if (crowded) dl_crowd_remove(crowd, planner, cells);
        problem p = {instance->grid, &distance, instance->goal[0], score, costs, others};
        cells[0] = trial[0] = instance->start[0];
        float value =
            dl_likeliest_path(planner, &distance, instance->goal[0], TINY_HORIZON, score, costs, crowd, cells);
        double best = best_by_hand(&p, trial, 0), reached = value_of(&p, cells);
        if (fabs(value - best) > 1e-3 || fabs(reached - best) > 1e-3)
            fail_msg("seed %llu: value %g, path worth %g, best %g", (unsigned long long)seed, value, reached, best);
        assert_int_equal(cells[0], instance->start[0]);
        dl_crowd_free(crowd);
        dl_likeliest_free(planner);
        dl_field_free(&distance);
        dl_instance_free(instance);
    }
}

static void without_evidence_the_path_is_a_shortest_one(void **state)
{
    (void)state;
    enum { HORIZON = 64 };
    for (uint64_t seed = 0; seed < 50; seed++) {
        dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('t', 'e', 's', 't'), 2);
        dl_instance *instance = test_random_instance(&rng, 12, 15, 0.2, 1);
        float score[HORIZON * DL_ACTIONS] = {0};
        dl_field distance = distances(instance, 0);
        dl_likeliest *planner = dl_likeliest_create(instance->grid);
        dl_cell cells[HORIZON + 1] = {instance->start[0]};
        assert_true(dl_likeliest_path(planner, &distance, instance->goal[0], HORIZON, score,
                                      (dl_likeliest_costs){1.5f, 3, 0}, NULL, cells) > -INFINITY);
        int steps = dl_field_at(&distance, instance->start[0]);
        for (int t = 0; t <= HORIZON; t++)
            assert_int_equal(dl_field_at(&distance, cells[t]), t < steps ? steps - t : 0);
        dl_likeliest_free(planner);
        dl_field_free(&distance);
        dl_instance_free(instance);
    }
}

static void strong_evidence_is_followed_to_the_letter(void **state)
{
    (void)state;
    enum { HORIZON = 40 };
    dl_rng rng = dl_rng_stream(3, DL_PURPOSE('t', 'e', 's', 't'), 3);
    dl_instance *instance = test_random_instance(&rng, 10, 10, 0.2, 1);
    dl_field distance = distances(instance, 0);
    uint8_t token[HORIZON];
    for (int t = 0; t < HORIZON; t++) token[t] = (uint8_t)dl_rng_below(&rng, DL_ACTIONS);
    dl_cell truth[HORIZON + 1], cells[HORIZON + 1] = {instance->start[0]};
    dl_tokens_rollout(instance->grid, instance->start[0], token, HORIZON, truth);
    dl_tokens_encode(instance->grid, truth, HORIZON, token);
    float score[HORIZON * DL_ACTIONS] = {0};
    for (int t = 0; t < HORIZON; t++) score[t * DL_ACTIONS + token[t]] = 100;
    dl_likeliest *planner = dl_likeliest_create(instance->grid);
    assert_true(dl_likeliest_path(planner, &distance, instance->goal[0], HORIZON, score,
                                  (dl_likeliest_costs){1.5f, 3, 0}, NULL, cells) > -INFINITY);
    assert_memory_equal(cells, truth, sizeof cells);
    dl_likeliest_free(planner);
    dl_field_free(&distance);
    dl_instance_free(instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_path_is_the_best_of_all_paths_on_tiny_maps),
        cmocka_unit_test(without_evidence_the_path_is_a_shortest_one),
        cmocka_unit_test(strong_evidence_is_followed_to_the_letter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
