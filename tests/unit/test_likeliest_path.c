#include "support.h"

#include <math.h>

#include "base/deadline.h"
#include "base/memory.h"
#include "diffusion/drawn_path.h"
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
    int alphabet;
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
        uint8_t relative[DL_ACTIONS];
        dl_relative_tokens(p->grid, p->distance, cells[t], relative);
        value += p->score[t * p->alphabet + (p->alphabet == DL_ACTIONS ? token : relative[token])];
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
        int alphabet = seed % 2 ? DL_ACTIONS : DL_RELATIVE_TOKENS;
        bool crowded = seed / 2 % 2;
        float score[TINY_HORIZON * DL_MAX_TOKENS];
        for (int i = 0; i < TINY_HORIZON * alphabet; i++) score[i] = (float)(-3 * dl_rng_unit(&rng));
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
        problem p = {instance->grid, &distance, instance->goal[0], score, alphabet, costs, others};
        float value = dl_likeliest_path(planner, &distance, instance->start[0], instance->goal[0], TINY_HORIZON, score,
                                        alphabet, costs, crowd, cells);
        trial[0] = instance->start[0];
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

/* How often each step should be taken, and was: by time, cell it starts from and cell it ends on. */
enum { TINY_CELLS = 25 };
typedef double step_shares[TINY_HORIZON][TINY_CELLS][TINY_CELLS];

static void count_steps(const dl_cell *cells, double weight, step_shares count)
{
    for (int t = 0; t < TINY_HORIZON; t++) count[t][cells[t]][cells[t + 1]] += weight;
}

/* Adds all paths by their weight; returns the sum of the weights. */
static double weigh_by_hand(const problem *p, dl_cell *cells, int t, step_shares count)
{
    if (t == TINY_HORIZON) {
        double weight = exp(value_of(p, cells));
        count_steps(cells, weight, count);
        return weight;
    }
    cells[t + 1] = cells[t];
    double sum = weigh_by_hand(p, cells, t + 1, count);
    for (int d = 0; d < DL_DIRECTIONS; d++) {
        cells[t + 1] = p->grid->neighbor[cells[t]][d];
        if (cells[t + 1] != DL_NO_CELL) sum += weigh_by_hand(p, cells, t + 1, count);
    }
    return sum;
}

/* A path is a chain: if every step is as likely as it should be, so is every path. */
static void drawn_paths_come_as_often_as_their_weight_says(void **state)
{
    (void)state;
    enum { DRAWS = 4000 };
    for (uint64_t seed = 0; seed < 40; seed++) {
        dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('t', 'e', 's', 't'), 2);
        int height = 2 + (int)dl_rng_below(&rng, 4), width = 2 + (int)dl_rng_below(&rng, 4);
        dl_instance *instance = test_random_instance(&rng, height, width, 0.25, 1);
        if (!instance) continue;
        int alphabet = seed % 2 ? DL_ACTIONS : DL_RELATIVE_TOKENS;
        bool crowded = seed / 2 % 2;
        float score[TINY_HORIZON * DL_MAX_TOKENS];
        for (int i = 0; i < TINY_HORIZON * alphabet; i++) score[i] = (float)(-3 * dl_rng_unit(&rng));
        dl_likeliest_costs costs = {0.5f * (float)(seed % 3), 1, crowded ? 2 : 0};
        dl_field distance = distances(instance, 0);
        dl_likeliest *planner = dl_likeliest_create(instance->grid);
        dl_crowd *crowd = crowded ? dl_crowd_create(planner, TINY_HORIZON) : NULL;
        dl_cell cells[TINY_HORIZON + 1], others[CROWD][TINY_HORIZON + 1];
        for (int i = 0; i < CROWD; i++) {
            walk_randomly(instance->grid, &rng, others[i]);
            if (crowded) dl_crowd_add(crowd, planner, others[i]);
        }
        problem p = {instance->grid, &distance, instance->goal[0], score, alphabet, costs, others};
        static step_shares wanted, found;
        memset(wanted, 0, sizeof wanted);
        memset(found, 0, sizeof found);
        cells[0] = instance->start[0];
        double sum = weigh_by_hand(&p, cells, 0, wanted);
        for (int i = 0; i < DRAWS; i++) {
            assert_true(dl_drawn_path(planner, &distance, instance->start[0], instance->goal[0], TINY_HORIZON, score,
                                      alphabet, costs, crowd, &rng, cells));
            assert_int_equal(cells[0], instance->start[0]);
            for (int t = 0; t < TINY_HORIZON; t++) /* 0 for what is no legal step */
                assert_true(wanted[t][cells[t]][cells[t + 1]] > 0);
            count_steps(cells, 1.0 / DRAWS, found);
        }
        for (int i = 0; i < TINY_HORIZON * TINY_CELLS * TINY_CELLS; i++) {
            double share = (&wanted[0][0][0])[i] / sum, seen = (&found[0][0][0])[i];
            if (fabs(seen - share) > 5 * sqrt(share * (1 - share) / DRAWS) + 1e-3)
                fail_msg("seed %llu: a step drawn %g of the time, expected %g", (unsigned long long)seed, seen, share);
        }
        dl_crowd_free(crowd);
        dl_likeliest_free(planner);
        dl_field_free(&distance);
        dl_instance_free(instance);
    }
}

/* Far goals, short horizons, sure or senseless numbers: always a legal path. */
static void drawn_paths_are_legal_whatever_the_numbers_say(void **state)
{
    (void)state;
    enum { HORIZON = 40 };
    static const float sizes[] = {1, 100, 1e5f, INFINITY};
    for (uint64_t seed = 0; seed < 60; seed++) {
        dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('t', 'e', 's', 't'), 3);
        dl_instance *instance = test_random_instance(&rng, 15, 15, 0.2, 1);
        if (!instance) continue;
        float score[HORIZON * DL_ACTIONS], size = sizes[seed % 4];
        for (int i = 0; i < HORIZON * DL_ACTIONS; i++)
            score[i] = isinf(size) ? NAN : (float)(-size * dl_rng_unit(&rng));
        dl_field distance = distances(instance, 0);
        dl_likeliest *planner = dl_likeliest_create(instance->grid);
        dl_cell cells[HORIZON + 1];
        int horizon = 1 + (int)dl_rng_below(&rng, HORIZON);
        dl_likeliest_costs costs = {seed % 2 ? 0.3f : 1000, seed % 3 ? 3 : 1000, 0};
        assert_true(dl_drawn_path(planner, &distance, instance->start[0], instance->goal[0], horizon, score, DL_ACTIONS,
                                  costs, NULL, &rng, cells));
        assert_int_equal(cells[0], instance->start[0]);
        for (int t = 0; t < horizon; t++)
            assert_true(cells[t + 1] == cells[t] ||
                        dl_action_between(instance->grid, cells[t], cells[t + 1]) != DL_STAY);
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
        dl_cell cells[HORIZON + 1];
        assert_true(dl_likeliest_path(planner, &distance, instance->start[0], instance->goal[0], HORIZON, score,
                                      DL_ACTIONS, (dl_likeliest_costs){1.5f, 3, 0}, NULL, cells) > -INFINITY);
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
    dl_cell truth[HORIZON + 1], cells[HORIZON + 1];
    dl_tokens_rollout(instance->grid, &distance, instance->start[0], DL_TOKENS_ABSOLUTE, token, HORIZON, truth);
    dl_tokens_encode(instance->grid, &distance, DL_TOKENS_ABSOLUTE, truth, HORIZON, token);
    float score[HORIZON * DL_ACTIONS] = {0};
    for (int t = 0; t < HORIZON; t++) score[t * DL_ACTIONS + token[t]] = 100;
    dl_likeliest *planner = dl_likeliest_create(instance->grid);
    assert_true(dl_likeliest_path(planner, &distance, instance->start[0], instance->goal[0], HORIZON, score, DL_ACTIONS,
                                  (dl_likeliest_costs){1.5f, 3, 0}, NULL, cells) > -INFINITY);
    assert_memory_equal(cells, truth, sizeof cells);
    dl_likeliest_free(planner);
    dl_field_free(&distance);
    dl_instance_free(instance);
}

static void relative_tokens_bring_most_paths_back(void **state)
{
    (void)state;
    enum { HORIZON = 50 };
    int exact = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('t', 'e', 's', 't'), 4);
        dl_instance *instance = test_random_instance(&rng, 15, 15, 0.25, 1);
        dl_field distance = distances(instance, 0);
        uint8_t token[HORIZON];
        dl_cell cells[HORIZON + 1], again[HORIZON + 1];
        for (int t = 0; t < HORIZON; t++) token[t] = (uint8_t)dl_rng_below(&rng, DL_ACTIONS);
        dl_tokens_rollout(instance->grid, &distance, instance->start[0], DL_TOKENS_ABSOLUTE, token, HORIZON, cells);
        dl_tokens_encode(instance->grid, &distance, DL_TOKENS_RELATIVE, cells, HORIZON, token);
        dl_tokens_rollout(instance->grid, &distance, instance->start[0], DL_TOKENS_RELATIVE, token, HORIZON, again);
        exact += memcmp(cells, again, sizeof cells) == 0;
        dl_field_free(&distance);
        dl_instance_free(instance);
    }
    assert_in_range(exact, 160, 200);
}

static void relative_tokens_rank_moves_by_progress(void **state)
{
    (void)state;
    const int tasks[1][4] = {{1, 1, 0, 2}};
    dl_instance *instance = test_instance("...../...../.....", 1, tasks);
    dl_field distance = distances(instance, 0);
    const dl_grid *grid = instance->grid;
    dl_cell here = instance->start[0];
    const int target[DL_RELATIVE_TOKENS][2] = {{1, 1}, {0, 1}, {1, 2}, {2, 1}, {1, 0}, {1, 0}};
    for (int token = 0; token < DL_RELATIVE_TOKENS; token++)
        assert_int_equal(dl_token_target(grid, &distance, here, DL_TOKENS_RELATIVE, token),
                         dl_grid_cell(grid, target[token][0], target[token][1]));
    assert_int_equal(dl_token_target(grid, &distance, instance->goal[0], DL_TOKENS_RELATIVE, DL_ADVANCE_1),
                     instance->goal[0]);
    assert_int_equal(dl_token_target(grid, &distance, instance->goal[0], DL_TOKENS_ABSOLUTE, DL_UP), DL_NO_CELL);
    dl_field_free(&distance);
    dl_instance_free(instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_path_is_the_best_of_all_paths_on_tiny_maps),
        cmocka_unit_test(drawn_paths_come_as_often_as_their_weight_says),
        cmocka_unit_test(drawn_paths_are_legal_whatever_the_numbers_say),
        cmocka_unit_test(without_evidence_the_path_is_a_shortest_one),
        cmocka_unit_test(strong_evidence_is_followed_to_the_letter),
        cmocka_unit_test(relative_tokens_bring_most_paths_back),
        cmocka_unit_test(relative_tokens_rank_moves_by_progress),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
