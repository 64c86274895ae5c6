#include "support_network.h"

#include "diffusion/sampler.h"

/* Every path starts at the start and takes legal steps; conflicts between agents are allowed. */
static void expect_legal(const dl_instance *instance, const dl_plan *plan)
{
    assert_int_equal(plan->agents, instance->agents);
    for (int agent = 0; agent < plan->agents; agent++) {
        const dl_path *path = &plan->path[agent];
        assert_true(path->length > 0);
        for (int t = 0; t < path->length; t++) {
            dl_cell cell = dl_grid_cell(instance->grid, path->at[t].row, path->at[t].col);
            assert_int_not_equal(cell, DL_NO_CELL);
            if (t == 0) assert_int_equal(cell, instance->start[agent]);
            int steps =
                t == 0 ? 0 : abs(path->at[t].row - path->at[t - 1].row) + abs(path->at[t].col - path->at[t - 1].col);
            assert_in_range(steps, 0, 1);
        }
    }
}

static void absurd_weights_still_give_legal_drafts(void **state)
{
    (void)state;
    static const double sizes[] = {0, 1e3, 1e18, 3e38};
    for (int tokens = 0; tokens < 2; tokens++)
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            dl_rng rng = dl_rng_stream(6, DL_PURPOSE('a', 'b', 's', 'u'), i);
            dl_config config = dl_config_compact();
            config.network.layers = 1;
            config.diffusion.tokens = tokens;
            config.network.self_conditioning = true;
            dl_model *model = dl_model_create(&config);
            for (size_t k = 0; k < dl_denoiser_parameters(model->net); k++)
                model->parameters[k] = test_real(&rng, -sizes[i], sizes[i]);
            dl_instance *instance = test_random_instance(&rng, 8, 8, 0.15, 10);
            dl_scene *scene = dl_scene_create(instance);
            dl_deadline never = dl_no_deadline();
            dl_sample_options options = dl_sample_defaults(model);
            options.steps = 3;
            for (int decoding = 0; decoding <= DL_DECODE_SAMPLE; decoding++) {
                dl_draft draft;
                dl_error err;
                options.decoding = (dl_decoding)decoding;
                assert_int_equal(dl_sample_drafts(model, scene, &options, &never, NULL, NULL, &draft, &err),
                                 DIFFLNS_OK);
                expect_legal(instance, draft.plan);
                dl_draft_free(&draft);
            }
            dl_scene_free(scene);
            dl_instance_free(instance);
            dl_model_free(model);
        }
}

static dl_model *small_model(void)
{
    dl_config config = dl_config_compact();
    config.network.width = config.network.condition_width = 16;
    config.network.heads = 2;
    config.network.layers = 1;
    return dl_model_create(&config);
}

static void a_team_far_larger_than_in_training_is_drafted(void **state)
{
    (void)state;
    dl_rng rng = dl_rng_stream(7, DL_PURPOSE('l', 'a', 'r', 'g'), 0);
    dl_model *model = small_model();
    dl_instance *instance = test_random_instance(&rng, 40, 40, 0.1, 1000);
    dl_scene *scene = dl_scene_create(instance);
    dl_deadline never = dl_no_deadline();
    dl_sample_options options = dl_sample_defaults(model);
    options.steps = 1;
    options.horizon = 33; /* no multiple of the window */
    dl_draft draft;
    dl_error err;
    assert_int_equal(dl_sample_drafts(model, scene, &options, &never, NULL, NULL, &draft, &err), DIFFLNS_OK);
    expect_legal(instance, draft.plan);
    dl_draft_free(&draft);
    dl_scene_free(scene);
    dl_instance_free(instance);
    dl_model_free(model);
}

typedef struct seen {
    const dl_instance *instance;
    int calls, steps;
    dl_plan *noise, *last;
} seen;

static void see(void *user, int candidate, int step, int steps, const dl_plan *plan)
{
    seen *s = user;
    assert_int_equal(candidate, 0);
    assert_int_equal(step, s->calls++);
    s->steps = steps;
    expect_legal(s->instance, plan);
    if (step == 0) s->noise = dl_plan_copy(plan);
    if (step == steps) s->last = dl_plan_copy(plan);
}

static void expect_same(const dl_plan *a, const dl_plan *b)
{
    for (int agent = 0; agent < a->agents; agent++) {
        assert_int_equal(a->path[agent].length, b->path[agent].length);
        assert_memory_equal(a->path[agent].at, b->path[agent].at, sizeof *a->path->at * (size_t)a->path[agent].length);
    }
}

static void a_watcher_sees_the_noise_each_step_and_the_draft(void **state)
{
    (void)state;
    dl_rng rng = dl_rng_stream(8, DL_PURPOSE('w', 'a', 't', 'c'), 0);
    dl_model *model = small_model();
    dl_instance *instance = test_random_instance(&rng, 10, 10, 0.1, 20);
    dl_scene *scene = dl_scene_create(instance);
    dl_deadline never = dl_no_deadline();
    dl_sample_options options = dl_sample_defaults(model);
    options.steps = 4;
    for (int decoding = 0; decoding <= DL_DECODE_SAMPLE; decoding++) {
        options.decoding = (dl_decoding)decoding;
        seen s = {.instance = instance};
        dl_sample_watch watch = {see, &s};
        dl_draft draft;
        assert_int_equal(dl_sample_drafts(model, scene, &options, &never, NULL, &watch, &draft, NULL), DIFFLNS_OK);
        assert_int_equal(s.calls, s.steps + 1);
        expect_same(draft.plan, s.last);
        assert_true(dl_plan_soc(s.noise) > dl_plan_soc(s.last) || decoding == DL_DECODE_SAMPLE);
        dl_plan_free(s.noise);
        dl_plan_free(s.last);
        dl_draft_free(&draft);
    }
    dl_scene_free(scene);
    dl_instance_free(instance);
    dl_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(absurd_weights_still_give_legal_drafts),
        cmocka_unit_test(a_team_far_larger_than_in_training_is_drafted),
        cmocka_unit_test(a_watcher_sees_the_noise_each_step_and_the_draft),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
