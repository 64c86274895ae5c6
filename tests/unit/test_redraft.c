#include "support_network.h"

#include "diffusion/draft.h"
#include "diffusion/own_redraft.h"
#include "diffusion/redraft.h"
#include "diffusion/tokens.h"

enum { AGENTS = 14 };

/* A small world, an untrained network and the agents' shortest paths as the plan. */
typedef struct world {
    dl_model *model;
    dl_instance *instance;
    dl_scene *scene;
    dl_plan *plan;
    dl_redraft_options options;
} world;

static world make_world(int tokens)
{
    dl_rng rng = dl_rng_stream(5, DL_PURPOSE('r', 'e', 'd', 'r'), 0);
    dl_config config = dl_config_toy();
    config.network.layers = 1;
    config.diffusion.tokens = tokens;
    world w = {.model = dl_model_create(&config), .instance = test_random_instance(&rng, 9, 9, 0.1, AGENTS)};
    w.scene = dl_scene_create(w.instance);
    w.plan = dl_draft_shortest_paths(w.scene);
    w.options = dl_redraft_defaults(w.model);
    w.options.rule.costs.collision = 5;
    return w;
}

static void free_world(world *w)
{
    dl_plan_free(w->plan);
    dl_scene_free(w->scene);
    dl_instance_free(w->instance);
    dl_model_free(w->model);
}

static dl_plan *redraft(const world *w)
{
    dl_plan *plan;
    dl_error err;
    dl_deadline never = dl_no_deadline();
    if (dl_redraft(w->model, w->scene, w->plan, &w->options, &never, &plan, &err) != DIFFLNS_OK)
        fail_msg("%s", err.message);
    return plan;
}

static bool same_path(const dl_path *a, const dl_path *b)
{
    return a->length == b->length && memcmp(a->at, b->at, sizeof *a->at * (size_t)a->length) == 0;
}

static bool same_cell(difflns_cell a, difflns_cell b)
{
    return a.row == b.row && a.col == b.col;
}

/* From start to goal by legal steps. */
static void expect_legal(const world *w, const dl_plan *plan)
{
    for (int agent = 0; agent < plan->agents; agent++) {
        const dl_path *path = &plan->path[agent];
        assert_true(same_cell(path->at[0], dl_grid_position(w->instance->grid, w->instance->start[agent])));
        assert_true(
            same_cell(path->at[path->length - 1], dl_grid_position(w->instance->grid, w->instance->goal[agent])));
        for (int t = 0; t < path->length; t++) {
            assert_int_not_equal(dl_grid_cell(w->instance->grid, path->at[t].row, path->at[t].col), DL_NO_CELL);
            if (t > 0)
                assert_in_range(abs(path->at[t].row - path->at[t - 1].row) + abs(path->at[t].col - path->at[t - 1].col),
                                0, 1);
        }
    }
}

static void every_redraft_leads_from_start_to_goal_by_legal_steps(void **state)
{
    (void)state;
    for (int tokens = 0; tokens < 2; tokens++) {
        world w = make_world(tokens);
        for (int choice = 0; choice <= DL_PATH_DRAWN; choice++)
            for (int level = 1; level <= 100; level += 33) {
                w.options.rule.choice = (dl_path_choice)choice;
                w.options.level = level;
                w.options.steps = level < 3 ? level : 3;
                dl_plan *plan = redraft(&w);
                expect_legal(&w, plan);
                dl_plan_free(plan);
            }
        free_world(&w);
    }
}

static void the_same_number_gives_the_same_redraft_and_another_one_another(void **state)
{
    (void)state;
    world w = make_world(DL_TOKENS_ABSOLUTE);
    w.options.level = 100;
    dl_plan *one = redraft(&w), *again = redraft(&w);
    w.options.number = 1;
    dl_plan *other = redraft(&w);
    int same = 0, alike = 0;
    for (int agent = 0; agent < AGENTS; agent++) {
        same += same_path(&one->path[agent], &again->path[agent]);
        alike += same_path(&one->path[agent], &other->path[agent]);
    }
    assert_int_equal(same, AGENTS);
    assert_true(alike < AGENTS);
    dl_plan_free(one);
    dl_plan_free(again);
    dl_plan_free(other);
    free_world(&w);
}

/* Colliding pairs of three agents that are drawn anew with everybody else, of whom the network sees just one. */
static int64_t pairs_with_the_unseen(world *w, double collision_cost)
{
    bool chosen[AGENTS] = {false};
    int64_t pairs = 0;
    chosen[2] = chosen[5] = chosen[11] = true;
    w->options.agents = chosen;
    w->options.company = 1;
    w->options.level = 60;
    w->options.rule.costs.collision = (float)collision_cost;
    for (uint64_t number = 0; number < 8; number++) {
        w->options.number = number;
        dl_plan *plan = redraft(w);
        dl_collisions collisions;
        assert_true(dl_plan_collisions(w->instance, plan, &collisions));
        pairs += collisions.pairs;
        dl_plan_free(plan);
    }
    return pairs;
}

static void those_the_network_does_not_see_are_in_the_way_all_the_same(void **state)
{
    (void)state;
    world w = make_world(DL_TOKENS_ABSOLUTE);
    int64_t heedless = pairs_with_the_unseen(&w, 0), careful = pairs_with_the_unseen(&w, 5);
    print_message("%lld colliding pairs in 8 redrafts without a price, %lld with\n", (long long)heedless,
                  (long long)careful);
    assert_true(3 * careful < 2 * heedless);
    free_world(&w);
}

static void agents_that_get_no_noise_keep_their_paths(void **state)
{
    (void)state;
    world w = make_world(DL_TOKENS_ABSOLUTE);
    bool chosen[AGENTS] = {false};
    chosen[2] = chosen[5] = chosen[11] = true;
    w.options.agents = chosen;
    w.options.level = 100;
    int changed = 0;
    for (uint64_t number = 0; number < 5; number++) {
        w.options.number = number;
        dl_plan *plan = redraft(&w);
        expect_legal(&w, plan);
        for (int agent = 0; agent < AGENTS; agent++) {
            bool same = same_path(&plan->path[agent], &w.plan->path[agent]);
            if (!chosen[agent]) assert_true(same);
            changed += !same;
        }
        dl_plan_free(plan);
    }
    assert_true(changed > 0);
    free_world(&w);
}

static void the_network_may_see_no_more_than_the_company(void **state)
{
    (void)state;
    world w = make_world(DL_TOKENS_ABSOLUTE);
    bool chosen[AGENTS] = {false};
    chosen[1] = chosen[6] = true;
    w.options.agents = chosen;
    w.options.level = 100;
    int changed = 0;
    for (int company = 1; company <= AGENTS; company += 4) {
        w.options.company = company;
        dl_plan *plan = redraft(&w), *again = redraft(&w);
        expect_legal(&w, plan);
        for (int agent = 0; agent < AGENTS; agent++) {
            bool same = same_path(&plan->path[agent], &w.plan->path[agent]);
            if (!chosen[agent]) assert_true(same);
            assert_true(same_path(&plan->path[agent], &again->path[agent]));
            changed += !same;
        }
        dl_plan_free(plan);
        dl_plan_free(again);
    }
    assert_true(changed > 0);
    free_world(&w);
}

static void level_0_gives_back_the_plan(void **state)
{
    (void)state;
    world w = make_world(DL_TOKENS_RELATIVE);
    w.options.level = 0;
    dl_plan *plan = redraft(&w);
    for (int agent = 0; agent < AGENTS; agent++)
        for (int t = 0; t < 40; t++)
            assert_true(same_cell(dl_path_at(&plan->path[agent], t), dl_path_at(&w.plan->path[agent], t)));
    assert_int_equal(dl_plan_soc(plan), dl_plan_soc(w.plan));
    dl_plan_free(plan);
    free_world(&w);
}

static void controls_draw_from_something_else(void **state)
{
    (void)state;
    world w = make_world(DL_TOKENS_ABSOLUTE);
    w.options.level = 60;
    dl_plan *by_network = redraft(&w);
    for (int evidence = DL_EVIDENCE_SHUFFLED; evidence <= DL_EVIDENCE_NOISE; evidence++) {
        w.options.evidence = (dl_evidence)evidence;
        dl_plan *plan = redraft(&w), *again = redraft(&w);
        expect_legal(&w, plan);
        int same = 0, alike = 0;
        for (int agent = 0; agent < AGENTS; agent++) {
            same += same_path(&plan->path[agent], &again->path[agent]);
            alike += same_path(&plan->path[agent], &by_network->path[agent]);
        }
        assert_int_equal(same, AGENTS);
        assert_true(alike < AGENTS);
        dl_plan_free(plan);
        dl_plan_free(again);
    }
    dl_plan_free(by_network);
    free_world(&w);
}

static void what_comes_before_the_span_stays_as_it_was(void **state)
{
    (void)state;
    world w = make_world(DL_TOKENS_ABSOLUTE);
    enum { FIRST = 4 };
    w.options.first = FIRST;
    w.options.level = 100;
    int changed = 0;
    for (uint64_t number = 0; number < 5; number++) {
        w.options.number = number;
        dl_plan *plan = redraft(&w);
        expect_legal(&w, plan);
        for (int agent = 0; agent < AGENTS; agent++) {
            for (int t = 0; t <= FIRST; t++)
                assert_true(same_cell(dl_path_at(&plan->path[agent], t), dl_path_at(&w.plan->path[agent], t)));
            changed += !same_path(&plan->path[agent], &w.plan->path[agent]);
        }
        dl_plan_free(plan);
    }
    assert_true(changed > 0);
    w.options.first = 0;
    w.options.last = 1; /* almost all is certain: a draw can only move the first step */
    dl_plan *plan = redraft(&w);
    expect_legal(&w, plan);
    dl_plan_free(plan);
    free_world(&w);
}

static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    world w = make_world(DL_TOKENS_ABSOLUTE);
    const dl_redraft_options good = w.options;
    dl_redraft_options bad[] = {good, good, good, good, good};
    bad[0].level = -1;
    bad[1].level = 101;
    bad[2].steps = 0;
    bad[3].horizon = -1;
    bad[4].first = -2;
    dl_deadline never = dl_no_deadline(), past = {0, NULL};
    dl_plan *plan;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(dl_redraft(w.model, w.scene, w.plan, &bad[i], &never, &plan, NULL), DIFFLNS_BAD_INPUT);
        assert_null(plan);
    }
    assert_int_equal(dl_redraft(w.model, w.scene, w.plan, &good, &past, &plan, NULL), DIFFLNS_STOPPED);
    assert_null(plan);
    w.plan->path[3].at[0].row += 2; /* no start of agent 3 */
    assert_int_equal(dl_redraft(w.model, w.scene, w.plan, &good, &never, &plan, NULL), DIFFLNS_BAD_INPUT);
    assert_null(plan);
    free_world(&w);
}

/* ---- as training samples ---- */

static dl_sample own_sample(const dl_model *model, const dl_example *example, uint64_t number)
{
    dl_sample sample = dl_sample_draw(&model->config, model->schedule, example, number);
    assert_non_null(sample.instance);
    assert_true(dl_own_redraft(model, &sample, number));
    return sample;
}

/* How many tokens do not lead where they say. */
static int count_illegal(const dl_sample *sample)
{
    int illegal = 0, horizon = sample->horizon;
    dl_cell cells[horizon + 1];
    uint8_t tokens[horizon];
    for (int agent = 0; agent < sample->instance->agents; agent++) {
        const dl_field *distance = dl_distance_acquire(sample->scene->distance, agent);
        const uint8_t *noisy = sample->noisy + (size_t)agent * (size_t)horizon;
        dl_tokens_rollout(sample->instance->grid, distance, sample->instance->start[agent], DL_TOKENS_ABSOLUTE, noisy,
                          horizon, cells);
        dl_tokens_encode(sample->instance->grid, distance, DL_TOKENS_ABSOLUTE, cells, horizon, tokens);
        for (int t = 0; t < horizon; t++) illegal += tokens[t] != noisy[t];
        dl_distance_release(sample->scene->distance, agent);
    }
    return illegal;
}

static void own_redrafts_are_legal_paths_with_less_noise(void **state)
{
    (void)state;
    world w = make_world(DL_TOKENS_ABSOLUTE);
    dl_config *config = &w.model->config;
    dl_examples examples = {0};
    assert_true(dl_examples_add(&examples, w.instance, w.plan, NULL));
    int quiet = 0, redrafted = 0;
    for (uint64_t number = 0; number < 60; number++) {
        config->training.own_share = 0;
        dl_sample plain = own_sample(w.model, &examples.at[0], number);
        config->training.own_share = 0.5;
        dl_sample sample = own_sample(w.model, &examples.at[0], number);
        dl_sample again = own_sample(w.model, &examples.at[0], number);
        size_t tokens = (size_t)AGENTS * (size_t)sample.horizon;
        assert_memory_equal(sample.clean, plain.clean, tokens);
        assert_int_equal(sample.k, again.k);
        assert_memory_equal(sample.noisy, again.noisy, tokens);
        if (sample.k == plain.k) {
            assert_memory_equal(sample.noisy, plain.noisy, tokens);
        } else {
            assert_in_range(sample.k, 1, plain.k - 1);
            redrafted++;
            if (sample.k <= 5) { /* of a hundred: hardly any noise is left on the paths */
                assert_true(count_illegal(&sample) * 20 < (int)tokens);
                quiet++;
            }
        }
        dl_sample_free(&plain);
        dl_sample_free(&sample);
        dl_sample_free(&again);
    }
    assert_in_range(redrafted, 18, 42);
    assert_true(quiet > 0);
    dl_examples_free(&examples);
    free_world(&w);
}

static void own_redrafts_leave_spared_agents_alone(void **state)
{
    (void)state;
    dl_config config = dl_config_toy();
    config.network.layers = 1;
    config.network.token_levels = true;
    config.training.own_share = 1;
    world w = make_world(DL_TOKENS_ABSOLUTE);
    dl_model *model = dl_model_create(&config);
    dl_examples examples = {0};
    assert_true(dl_examples_add(&examples, w.instance, w.plan, NULL));
    int spared = 0;
    for (uint64_t number = 0; number < 10; number++) {
        dl_sample sample = own_sample(model, &examples.at[0], number);
        for (size_t i = 0; i < (size_t)AGENTS * (size_t)sample.horizon; i++) {
            if (sample.has_noise[i]) continue;
            assert_int_equal(sample.noisy[i], sample.clean[i]);
            spared++;
        }
        dl_sample_free(&sample);
    }
    assert_true(spared > 0);
    dl_examples_free(&examples);
    dl_model_free(model);
    free_world(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_redraft_leads_from_start_to_goal_by_legal_steps),
        cmocka_unit_test(the_same_number_gives_the_same_redraft_and_another_one_another),
        cmocka_unit_test(those_the_network_does_not_see_are_in_the_way_all_the_same),
        cmocka_unit_test(agents_that_get_no_noise_keep_their_paths),
        cmocka_unit_test(the_network_may_see_no_more_than_the_company),
        cmocka_unit_test(level_0_gives_back_the_plan),
        cmocka_unit_test(controls_draw_from_something_else),
        cmocka_unit_test(what_comes_before_the_span_stays_as_it_was),
        cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(own_redrafts_are_legal_paths_with_less_noise),
        cmocka_unit_test(own_redrafts_leave_spared_agents_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
