#include "support.h"

#include <math.h>

#include "base/memory.h"
#include "diffusion/losses.h"
#include "diffusion/tokens.h"

typedef struct world {
    dl_instance *instance;
    dl_scene *scene;
    dl_schedule *schedule;
    uint8_t *clean, *noisy;
    double *logits, *gradient;
    size_t count;
    dl_loss_problem problem;
    dl_arena arena;
} world;

static world make_world(uint64_t seed, int agents, int horizon)
{
    dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('l', 'o', 's', 's'), 0);
    world w = {.instance = test_random_instance(&rng, 6, 7, 0.15, agents), .schedule = dl_schedule_create(100)};
    w.scene = dl_scene_create(w.instance);
    size_t elements = (size_t)agents * (size_t)horizon;
    w.count = elements * DL_ACTIONS;
    w.clean = DL_ARRAY(uint8_t, elements);
    w.noisy = DL_ARRAY(uint8_t, elements);
    w.logits = DL_ARRAY(double, w.count);
    w.gradient = DL_ARRAY(double, w.count);
    for (size_t i = 0; i < elements; i++) {
        w.clean[i] = (uint8_t)dl_rng_below(&rng, DL_ACTIONS);
        w.noisy[i] = (uint8_t)dl_rng_below(&rng, DL_ACTIONS);
    }
    for (size_t i = 0; i < w.count; i++) w.logits[i] = 4 * dl_rng_unit(&rng) - 2;
    w.problem = (dl_loss_problem){.scene = w.scene,
                                  .horizon = horizon,
                                  .k = 1 + (int)dl_rng_below(&rng, 100),
                                  .clean = w.clean,
                                  .noisy = w.noisy,
                                  .vertex_radius = 1,
                                  .edge_radius = 1};
    return w;
}

static void free_world(world *w)
{
    dl_scene_free(w->scene);
    dl_instance_free(w->instance);
    dl_schedule_free(w->schedule);
    free(w->clean);
    free(w->noisy);
    free(w->logits);
    free(w->gradient);
    dl_arena_free(&w->arena);
}

/* Central differences, and the same from a second width: where the two disagree, the loss has a kink (a radius, a
 * clamp, a cell border) and no derivative to compare with. */
static int check_gradient(uint64_t seed, world *w, const double *weight)
{
    dl_losses_evaluate(w->schedule, &w->problem, weight, w->logits, w->gradient, &w->arena);
    double *ignored = DL_ARRAY(double, w->count), norm = 0;
    int compared = 0;
    for (size_t i = 0; i < w->count; i++) norm = fmax(norm, fabs(w->gradient[i]));
    for (size_t i = 0; i < w->count; i++) {
        double slope[2];
        for (int width = 0; width < 2; width++) {
            double h = width ? 2e-6 : 1e-6, was = w->logits[i], side[2];
            for (int s = 0; s < 2; s++) {
                w->logits[i] = was + (s ? h : -h);
                side[s] = dl_losses_evaluate(w->schedule, &w->problem, weight, w->logits, ignored, &w->arena).total;
            }
            w->logits[i] = was;
            slope[width] = (side[1] - side[0]) / (2 * h);
        }
        if (fabs(slope[0] - slope[1]) > 1e-6 * norm + 1e-8) continue;
        compared++;
        if (fabs(slope[0] - w->gradient[i]) > 1e-5 * norm + 1e-8)
            fail_msg("seed %llu, logit %zu: slope %.9g, gradient %.9g", (unsigned long long)seed, i, slope[0],
                     w->gradient[i]);
    }
    free(ignored);
    return compared;
}

/* In world 5 a position lies so deep amid obstacles that the goal term is given no slope there, on purpose. */
static void check_term(dl_loss_term term)
{
    for (uint64_t seed = 0; seed < 8; seed++) {
        if (seed == 5 && term == DL_LOSS_GOAL) continue;
        world w = make_world(seed, 5, 6);
        double weight[DL_LOSS_TERMS] = {0};
        weight[term] = 1;
        int compared = check_gradient(seed, &w, weight);
        assert_true(compared > (int)w.count * 3 / 4);
        free_world(&w);
    }
}

static void every_term_has_the_gradient_of_its_value(void **state)
{
    (void)state;
    for (int term = 0; term < DL_LOSS_TERMS; term++) check_term((dl_loss_term)term);
}

static void a_certain_right_answer_costs_nothing(void **state)
{
    (void)state;
    world w = make_world(3, 4, 8);
    memset(w.logits, 0, sizeof *w.logits * w.count);
    for (size_t i = 0; i < w.count / 5; i++) w.logits[5 * i + w.clean[i]] = 60;
    double weight[DL_LOSS_TERMS] = {1, 1, 0, 0, 0, 0};
    dl_losses losses = dl_losses_evaluate(w.schedule, &w.problem, weight, w.logits, w.gradient, &w.arena);
    assert_true(losses.total < 1e-9);
    assert_int_equal(losses.correct, w.count / 5);
    free_world(&w);
}

/* Sure tokens make a hard plan, for which the paper's terms can be worked out by hand. */
static dl_losses losses_of_plan(const char *rows, int agents, const int tasks[][4], int horizon, const char *actions)
{
    dl_instance *instance = test_instance(rows, agents, tasks);
    dl_scene *scene = dl_scene_create(instance);
    dl_schedule *schedule = dl_schedule_create(100);
    int elements = agents * horizon;
    uint8_t *clean = DL_ARRAY(uint8_t, elements);
    double *logits = DL_ARRAY(double, elements *DL_ACTIONS), *gradient = DL_ARRAY(double, elements *DL_ACTIONS);
    for (int i = 0; i < elements; i++) {
        clean[i] = (uint8_t)(strchr("wudlr", actions[i]) - "wudlr");
        logits[i * DL_ACTIONS + clean[i]] = 80;
    }
    dl_loss_problem problem = {scene, horizon, 10, clean, clean, 1, 1};
    const double weight[DL_LOSS_TERMS] = {1, 1, 1, 1, 1, 1};
    dl_arena arena = {0};
    dl_losses losses = dl_losses_evaluate(schedule, &problem, weight, logits, gradient, &arena);
    dl_arena_free(&arena);
    free(clean);
    free(logits);
    free(gradient);
    dl_schedule_free(schedule);
    dl_scene_free(scene);
    dl_instance_free(instance);
    return losses;
}

static void hand_made_plans_have_the_losses_worked_out_by_hand(void **state)
{
    (void)state;
    const int one[1][4] = {{0, 0, 0, 4}};
    dl_losses straight = losses_of_plan("...../.....", 1, one, 4, "rrrr");
    assert_true(fabs(straight.term[DL_LOSS_GOAL]) < 1e-9 && fabs(straight.term[DL_LOSS_VALID]) < 1e-9);
    dl_losses waiting = losses_of_plan("...../.....", 1, one, 4, "wwww"); /* one cell short at each of 3 steps */
    assert_true(fabs(waiting.term[DL_LOSS_GOAL] - 1.0 / 5) < 1e-9);
    dl_losses outside = losses_of_plan("...../.....", 1, one, 4, "urrr"); /* one token of four is illegal */
    assert_true(fabs(outside.term[DL_LOSS_VALID] - 0.25) < 1e-9);
    const int swap[2][4] = {{0, 0, 0, 1}, {0, 1, 0, 0}};
    dl_losses swapping = losses_of_plan("../..", 2, swap, 2, "wrwl"); /* adjacent, then exchanged */
    assert_true(fabs(swapping.term[DL_LOSS_EDGE] - 1) < 1e-9);
    assert_true(fabs(swapping.term[DL_LOSS_VERTEX] - exp(-1)) < 1e-9);
    const int meet[2][4] = {{0, 0, 0, 1}, {0, 2, 0, 2}};
    dl_losses meeting = losses_of_plan(".../...", 2, meet, 1, "rl");
    assert_true(fabs(meeting.term[DL_LOSS_VERTEX] - 1) < 1e-9);
}

static void the_cross_entropy_is_the_mean_surprise(void **state)
{
    (void)state;
    world w = make_world(2, 5, 7);
    const double weight[DL_LOSS_TERMS] = {1, 1, 0, 0, 0, 0};
    double sum = 0;
    for (size_t i = 0; i < w.count / DL_ACTIONS; i++) {
        double normalizer = 0;
        for (size_t a = 0; a < DL_ACTIONS; a++) normalizer += exp(w.logits[i * DL_ACTIONS + a]);
        sum += log(normalizer) - w.logits[i * DL_ACTIONS + w.clean[i]];
    }
    dl_losses losses = dl_losses_evaluate(w.schedule, &w.problem, weight, w.logits, w.gradient, &w.arena);
    assert_true(fabs(losses.term[DL_LOSS_AUX] - sum / (double)(w.count / DL_ACTIONS)) < 1e-12);
    free_world(&w);
}

static void task_terms_come_in_after_the_generative_stage(void **state)
{
    (void)state;
    dl_config config = dl_config_paper();
    double weight[DL_LOSS_TERMS];
    dl_loss_weights(&config, 59, weight);
    assert_true(weight[DL_LOSS_AUX] == 1 && weight[DL_LOSS_KL] == 0.02 && weight[DL_LOSS_GOAL] == 0);
    dl_loss_weights(&config, 60, weight);
    assert_true(fabs(weight[DL_LOSS_GOAL] - 0.4 * 0.2) < 1e-12);
    dl_loss_weights(&config, 135, weight);
    assert_true(fabs(weight[DL_LOSS_VERTEX] - 0.2 * 0.6) < 1e-12);
    dl_loss_weights(&config, 399, weight);
    assert_true(fabs(weight[DL_LOSS_VALID] - 0.4) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_term_has_the_gradient_of_its_value),
        cmocka_unit_test(a_certain_right_answer_costs_nothing),
        cmocka_unit_test(hand_made_plans_have_the_losses_worked_out_by_hand),
        cmocka_unit_test(the_cross_entropy_is_the_mean_surprise),
        cmocka_unit_test(task_terms_come_in_after_the_generative_stage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
