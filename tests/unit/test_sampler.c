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
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        dl_rng rng = dl_rng_stream(6, DL_PURPOSE('a', 'b', 's', 'u'), i);
        dl_config config = dl_config_compact();
        config.network.layers = 1;
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
            assert_int_equal(dl_sample_drafts(model, scene, &options, &never, NULL, NULL, &draft, &err), DIFFLNS_OK);
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
    for (int variant = 0; variant < 2 * (DL_DECODE_SAMPLE + 1); variant++) {
        int decoding = variant / 2;
        options.sampler = (dl_sampler)(variant % 2);
        options.decoding = (dl_decoding)decoding;
        seen s = {.instance = instance};
        dl_sample_watch watch = {see, &s};
        dl_draft draft;
        assert_int_equal(dl_sample_drafts(model, scene, &options, &never, NULL, &watch, &draft, NULL), DIFFLNS_OK);
        assert_int_equal(s.calls, s.steps + 1);
        expect_same(draft.plan, s.last);
        if (decoding == DL_DECODE_MAP) assert_true(dl_plan_soc(s.noise) > dl_plan_soc(s.last));
        dl_plan_free(s.noise);
        dl_plan_free(s.last);
        dl_draft_free(&draft);
    }
    dl_scene_free(scene);
    dl_instance_free(instance);
    dl_model_free(model);
}

static void options_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    dl_rng rng = dl_rng_stream(9, DL_PURPOSE('n', 'o', 'n', 's'), 0);
    dl_model *model = small_model();
    dl_instance *instance = test_random_instance(&rng, 6, 6, 0.1, 4);
    dl_scene *scene = dl_scene_create(instance);
    dl_deadline never = dl_no_deadline();
    const dl_sample_options good = dl_sample_defaults(model);
    dl_sample_options bad[] = {good, good, good, good, good, good};
    bad[0].steps = -1;
    bad[1].steps = 1 << 20;
    bad[2].horizon = -5;
    bad[3].horizon = DL_SAMPLE_LONGEST + 1;
    bad[4].candidates = 0;
    bad[5].temperature = 0;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        dl_draft draft;
        dl_error err;
        assert_int_equal(dl_sample_drafts(model, scene, &bad[i], &never, NULL, NULL, &draft, &err), DIFFLNS_BAD_INPUT);
        assert_non_null(strstr(err.message, "expected"));
    }
    dl_scene_free(scene);
    dl_instance_free(instance);
    dl_model_free(model);
}

/* The draft of the same numbers is the same for each sampler, on any number of threads. */
static void drafts_depend_on_seed_and_number_alone(void **state)
{
    (void)state;
    dl_rng rng = dl_rng_stream(10, DL_PURPOSE('s', 'a', 'm', 'e'), 0);
    dl_model *model = small_model();
    dl_instance *instance = test_random_instance(&rng, 10, 10, 0.1, 20);
    dl_scene *scene = dl_scene_create(instance);
    dl_deadline never = dl_no_deadline();
    dl_sample_options options = dl_sample_defaults(model);
    options.candidates = 2;
    options.decoding = DL_DECODE_SAMPLE;
    for (int sampler = 0; sampler <= DL_SAMPLER_PATHS; sampler++) {
        dl_draft one[2], two[2];
        options.sampler = (dl_sampler)sampler;
        options.threads = 1;
        assert_int_equal(dl_sample_drafts(model, scene, &options, &never, NULL, NULL, one, NULL), DIFFLNS_OK);
        options.threads = 4;
        assert_int_equal(dl_sample_drafts(model, scene, &options, &never, NULL, NULL, two, NULL), DIFFLNS_OK);
        for (int i = 0; i < 2; i++) {
            expect_legal(instance, one[i].plan);
            expect_same(one[i].plan, two[i].plan);
            dl_draft_free(&two[i]);
        }
        for (int i = 0; i < 2; i++) dl_draft_free(&one[i]);
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
        cmocka_unit_test(options_that_make_no_sense_are_refused),
        cmocka_unit_test(drafts_depend_on_seed_and_number_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
