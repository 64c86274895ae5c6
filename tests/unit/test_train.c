#include "support_plans.h"

#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "diffusion/checkpoint.h"
#include "diffusion/inputs.h"
#include "diffusion/sampler.h"
#include "diffusion/train.h"
#include "diffusion/validation.h"
#include "mapf/check.h"

/* Small worlds whose independent shortest paths happen not to collide: demonstrations without a solver. */
static dl_examples make_examples(int count, int agents)
{
    dl_examples examples = {0};
    dl_rng rng = dl_rng_stream(11, DL_PURPOSE('d', 'e', 'm', 'o'), (uint64_t)agents);
    while (examples.count < count) {
        dl_instance *instance = test_random_instance(&rng, 7, 8, 0.15, agents);
        dl_scene *scene = dl_scene_create(instance);
        dl_plan *plan = dl_draft_shortest_paths(scene);
        dl_plan *earlier = test_delayed_plan(plan, 3);
        if (dl_check_valid(instance, plan)) assert_true(dl_examples_add(&examples, instance, plan, earlier));
        dl_plan_free(earlier);
        dl_plan_free(plan);
        dl_scene_free(scene);
        dl_instance_free(instance);
    }
    return examples;
}

static dl_config small_config(void)
{
    dl_config config = dl_config_compact();
    config.network.width = config.network.condition_width = 32;
    config.network.heads = 2;
    config.network.layers = 2;
    config.network.feed_forward = 64;
    config.network.pyramid_width = 8;
    config.training.horizon = 12;
    config.training.batch = 4;
    config.training.epoch_batches = 5;
    config.training.validation_epochs = 2;
    config.losses.generative_epochs = 1; /* so that the task terms take part */
    config.training.learning_rate = 3e-3;
    config.training.rate_warmup = 20;
    config.training.average = 0.9;
    config.training.earlier_share = 0.5;
    return config;
}

typedef struct journal {
    char text[1 << 16];
} journal;

/* Everything of a report that does not depend on the clock. */
static void remember(void *user, const dl_epoch_report *report)
{
    char *text = ((journal *)user)->text, *end = text + strlen(text);
    const char *clock = strstr(report->json, "\"epoch_seconds\""), *validation = strstr(report->json, "\"validation\"");
    snprintf(end, sizeof((journal *)user)->text - (size_t)(end - text), "%.*s %s\n", (int)(clock - report->json),
             report->json, validation ? validation : "");
}

static char *temporary(const char *name)
{
    static char path[300];
    snprintf(path, sizeof path, "/tmp/difflns-test-%d-%s", (int)getpid(), name);
    return path;
}

static void remove_model(const char *path)
{
    char state[320];
    snprintf(state, sizeof state, "%s.state", path);
    unlink(path);
    unlink(state);
}

static journal train(const dl_config *config, const dl_examples *examples, const char *path, bool resume, int epochs,
                     int threads)
{
    journal lines = {""};
    dl_train_options options = {
        .path = path, .resume = resume, .epochs = epochs, .threads = threads, .checkpoint_seconds = 1e9};
    dl_train_listener listener = {.epoch = remember, .user = &lines};
    dl_ranks alone = dl_ranks_alone();
    dl_deadline never = dl_no_deadline();
    dl_error err;
    if (dl_train(config, examples, &options, alone, &never, NULL, &listener, &err) != DIFFLNS_OK)
        fail_msg("%s", err.message);
    return lines;
}

static dl_file read_file(const char *path)
{
    dl_file file;
    dl_error err;
    assert_int_equal(dl_file_read(path, &file, &err), DIFFLNS_OK);
    return file;
}

static void assert_same_weights(const char *one, const char *other)
{
    dl_model *a, *b;
    dl_error err;
    assert_int_equal(dl_model_load(one, &a, &err), DIFFLNS_OK);
    assert_int_equal(dl_model_load(other, &b, &err), DIFFLNS_OK);
    assert_memory_equal(a->parameters, b->parameters, sizeof(real) * dl_denoiser_parameters(a->net));
    dl_model_free(a);
    dl_model_free(b);
}

static void resumed_training_is_the_same_to_the_last_bit(void **state)
{
    (void)state;
    dl_examples examples = make_examples(14, 3);
    dl_config config = small_config();
    char whole[300], parts[300];
    strcpy(whole, temporary("whole"));
    strcpy(parts, temporary("parts"));
    journal uninterrupted = train(&config, &examples, whole, false, 4, 1);
    journal before = train(&config, &examples, parts, false, 2, 1),
            after = train(&config, &examples, parts, true, 4, 1);
    assert_same_weights(whole, parts);
    /* The end of a sitting validates once more than the middle of a run; the loss lines must agree. */
    assert_non_null(strstr(uninterrupted.text, "\"epoch\": 3, "));
    assert_string_equal(strstr(uninterrupted.text, "{\"epoch\": 3, "), strstr(after.text, "{\"epoch\": 3, "));
    assert_memory_equal(uninterrupted.text, before.text, 200);
    remove_model(whole);
    remove_model(parts);
    dl_examples_free(&examples);
}

static void demonstrations_are_told_apart_by_all_that_is_learned_from(void **state)
{
    (void)state;
    dl_examples examples = make_examples(3, 3);
    uint64_t all = dl_examples_fingerprint(&examples);
    dl_example *e = &examples.at[1];
    uint8_t *byte[] = {&e->blocked[5], &e->action[2], &e->earlier[0]};
    int32_t *number[] = {&e->start[1], &e->goal[2]};
    for (int i = 0; i < 3; i++) {
        *byte[i] ^= 1;
        assert_true(dl_examples_fingerprint(&examples) != all);
        *byte[i] ^= 1;
    }
    for (int i = 0; i < 2; i++) {
        ++*number[i];
        assert_true(dl_examples_fingerprint(&examples) != all);
        --*number[i];
    }
    assert_true(dl_examples_fingerprint(&examples) == all);
    dl_examples_free(&examples);
}

/* Sampling can fail: it refuses instances that would take too much memory. */
static void validation_that_would_take_too_much_memory_says_so(void **state)
{
    (void)state;
    enum { SIDE = 1800 };
    static uint8_t blocked[SIDE * SIDE];
    const dl_task task = {.start = {0, 0}, .goal = {0, 1}};
    const int32_t first = 0;
    dl_config config = small_config();
    dl_model *model = dl_model_create(&config);
    dl_examples examples = {0};
    dl_grid *grid;
    dl_instance *instance;
    dl_validation validation;
    dl_error err;
    dl_deadline never = dl_no_deadline();
    assert_int_equal(dl_grid_create(SIDE, SIDE, blocked, &grid, NULL), DIFFLNS_OK);
    assert_int_equal(dl_instance_create(grid, "", "", 1, &task, &instance, NULL), DIFFLNS_OK);
    dl_plan *plan = dl_plan_create(1);
    assert_true(dl_path_append(&plan->path[0], task.start) && dl_path_append(&plan->path[0], task.goal));
    assert_true(dl_examples_add(&examples, instance, plan, NULL));
    dl_held_out held = {&examples, &first, 1};
    assert_int_equal(dl_validate(model, &held, 1, dl_ranks_alone(), &never, &validation, &err), DIFFLNS_BAD_INPUT);
    assert_non_null(strstr(err.message, "more than the limit"));
    dl_plan_free(plan);
    dl_examples_free(&examples);
    dl_instance_free(instance);
    dl_model_free(model);
}

static void stopping_in_the_middle_of_an_epoch_loses_nothing(void **state)
{
    (void)state;
    dl_examples examples = make_examples(14, 3);
    dl_config config = small_config();
    char whole[300], parts[300];
    strcpy(whole, temporary("whole"));
    strcpy(parts, temporary("parts"));
    journal uninterrupted = train(&config, &examples, whole, false, 2, 1);
    atomic_int cancel = 1; /* one step is made, then everything is saved */
    dl_train_options options = {.path = parts, .epochs = 2, .threads = 1, .checkpoint_seconds = 1e9};
    dl_deadline deadline = dl_deadline_after(1e9, &cancel);
    dl_ranks alone = dl_ranks_alone();
    dl_error err;
    for (int sitting = 0; sitting < 3; sitting++) {
        options.resume = sitting > 0;
        assert_int_equal(dl_train(&config, &examples, &options, alone, &deadline, NULL, NULL, &err), DIFFLNS_STOPPED);
    }
    journal after = train(&config, &examples, parts, true, 2, 1);
    assert_string_equal(uninterrupted.text, after.text);
    assert_same_weights(whole, parts);
    remove_model(whole);
    remove_model(parts);
    dl_examples_free(&examples);
}

static dl_status note_finished(void *user, int finished, dl_error *err)
{
    (void)err;
    *(int *)user = finished;
    return DIFFLNS_OK;
}

static void die_in_the_second(void *user, const dl_epoch_report *report)
{
    (void)user;
    if (report->epoch == 2) _exit(0);
}

static void a_process_that_dies_while_it_reports_an_epoch_has_not_finished_it(void **state)
{
    (void)state;
    dl_examples examples = make_examples(14, 3);
    dl_config config = small_config();
    int finished = -1;
    char path[300];
    strcpy(path, temporary("dying"));
    dl_train_options options = {.path = path, .epochs = 3, .threads = 1, .checkpoint_seconds = 1e9};
    dl_train_listener dying = {.epoch = die_in_the_second}, next = {.begin = note_finished, .user = &finished};
    dl_deadline never = dl_no_deadline();
    dl_error err;
    pid_t child = fork();
    if (child == 0) _exit(dl_train(&config, &examples, &options, dl_ranks_alone(), &never, NULL, &dying, &err) + 100);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    options.resume = true;
    assert_int_equal(dl_train(&config, &examples, &options, dl_ranks_alone(), &never, NULL, &next, &err), DIFFLNS_OK);
    assert_int_equal(finished, 1);
    remove_model(path);
    dl_examples_free(&examples);
}

static void the_number_of_threads_changes_no_bit(void **state)
{
    (void)state;
    dl_examples examples = make_examples(14, 3);
    dl_config config = small_config();
    char one[300], three[300];
    strcpy(one, temporary("one"));
    strcpy(three, temporary("three"));
    journal a = train(&config, &examples, one, false, 2, 1), b = train(&config, &examples, three, false, 2, 3);
    assert_string_equal(a.text, b.text);
    assert_same_weights(one, three);
    remove_model(one);
    remove_model(three);
    dl_examples_free(&examples);
}

static void a_loss_that_is_not_finite_stops_and_names_the_step(void **state)
{
    (void)state;
    dl_examples examples = make_examples(4, 3);
    dl_config config = small_config();
    char path[300], state_path[320];
    strcpy(path, temporary("nan"));
    snprintf(state_path, sizeof state_path, "%s.state", path);
    train(&config, &examples, path, false, 1, 1);
    dl_error err;
    dl_model *model = dl_model_create(&config);
    dl_training_state *stored = dl_training_state_create(model, dl_examples_fingerprint(&examples));
    assert_int_equal(dl_training_state_load(stored, state_path, false, &err), DIFFLNS_OK);
    stored->parameters[stored->count / 2] = NAN;
    assert_int_equal(dl_training_state_save(stored, state_path, &err), DIFFLNS_OK);
    dl_train_options options = {.path = path, .resume = true, .epochs = 2, .threads = 1, .checkpoint_seconds = 1e9};
    dl_ranks alone = dl_ranks_alone();
    dl_deadline never = dl_no_deadline();
    assert_int_equal(dl_train(&config, &examples, &options, alone, &never, NULL, NULL, &err), DIFFLNS_BAD_INPUT);
    assert_non_null(strstr(err.message, "step 6"));
    dl_training_state_free(stored);
    dl_model_free(model);
    remove_model(path);
    dl_examples_free(&examples);
}

static void a_damaged_or_foreign_state_is_refused(void **state)
{
    (void)state;
    dl_examples examples = make_examples(4, 3), others = make_examples(5, 3);
    dl_config config = small_config();
    char path[300], state_path[320];
    strcpy(path, temporary("refused"));
    snprintf(state_path, sizeof state_path, "%s.state", path);
    train(&config, &examples, path, false, 1, 1);
    dl_train_options options = {.path = path, .resume = true, .epochs = 2, .threads = 1, .checkpoint_seconds = 1e9};
    dl_ranks alone = dl_ranks_alone();
    dl_deadline never = dl_no_deadline();
    dl_error err;
    assert_int_equal(dl_train(&config, &others, &options, alone, &never, NULL, NULL, &err), DIFFLNS_BAD_INPUT);
    assert_non_null(strstr(err.message, "other demonstrations"));
    dl_config changed = config;
    changed.training.learning_rate = 1e-5;
    assert_int_equal(dl_train(&changed, &examples, &options, alone, &never, NULL, NULL, &err), DIFFLNS_BAD_INPUT);
    assert_non_null(strstr(err.message, "another configuration"));
    dl_file file = read_file(state_path);
    FILE *stream = fopen(state_path, "wb");
    fwrite(file.data, 1, file.size / 2, stream);
    fclose(stream);
    dl_file_free(&file);
    assert_int_equal(dl_train(&config, &examples, &options, alone, &never, NULL, NULL, &err), DIFFLNS_BAD_INPUT);
    remove_model(path);
    dl_examples_free(&examples);
    dl_examples_free(&others);
}

static double accuracy_at(const dl_model *model, const dl_examples *examples, int k)
{
    int64_t right = 0, all = 0;
    dl_arena arena = {0};
    for (int e = 0; e < examples->count; e++)
        for (uint64_t number = 0; number < 8; number++) {
            dl_sample sample = dl_sample_draw(&model->config, model->schedule, &examples->at[e], 1000000 + number);
            size_t tokens = (size_t)sample.instance->agents * (size_t)sample.horizon;
            dl_rng rng = dl_rng_stream(5, DL_PURPOSE('t', 'e', 's', 't'), number);
            dl_corrupt(model->schedule, k, sample.clean, tokens, &rng, sample.noisy);
            dl_likeliest *planner = dl_likeliest_create(sample.instance->grid);
            real *logits = DL_ARRAY(real, tokens * DL_ACTIONS);
            dl_noisy_plan x = {&model->config, model->schedule, sample.scene, sample.horizon, k, sample.noisy};
            dl_denoiser_input input = dl_inputs_build(&x, planner, NULL, &arena);
            assert_int_equal(dl_denoiser_infer(model->net, model->parameters, &input, logits, &arena), DIFFLNS_OK);
            for (size_t i = 0; i < tokens; i++) {
                int best = 0;
                for (int a = 1; a < DL_ACTIONS; a++)
                    if (logits[i * DL_ACTIONS + (size_t)a] > logits[i * DL_ACTIONS + (size_t)best]) best = a;
                right += best == sample.clean[i];
                all++;
            }
            free(logits);
            dl_likeliest_free(planner);
            dl_sample_free(&sample);
            dl_arena_reset(&arena);
        }
    dl_arena_free(&arena);
    return (double)right / (double)all;
}

static void four_instances_are_memorized(void **state)
{
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
    skip(); /* learning takes a quarter of an hour there, and the other tests run all of its code */
#endif
    (void)state;
    for (int trajectory = 0; trajectory < 2; trajectory++) {
        dl_examples examples = make_examples(4, 4);
        dl_config config = small_config();
        config.network.trajectory = trajectory;
        config.training.augmentation = false;
        config.training.epoch_batches = 600;
        config.losses.generative_epochs = 10;
        config.training.average = 0.99;
        char path[300];
        strcpy(path, temporary("overfit"));
        train(&config, &examples, path, false, 1, 2);
        dl_model *model;
        dl_error err;
        assert_int_equal(dl_model_load(path, &model, &err), DIFFLNS_OK);
        double accuracy = accuracy_at(model, &examples, config.diffusion.diffusion_steps / 4);
        print_message("trajectory %d: token accuracy %.4f\n", trajectory, accuracy);
        if (accuracy <= 0.99) fail_msg("trajectory %d: token accuracy %.4f", trajectory, accuracy);
        dl_model_free(model);
        remove_model(path);
        dl_examples_free(&examples);
    }
}

static void drafts_do_not_depend_on_threads_or_on_their_neighbors(void **state)
{
    (void)state;
    enum { CANDIDATES = 5 };
    dl_config config = small_config();
    dl_model *model = dl_model_create(&config);
    dl_rng rng = dl_rng_stream(6, DL_PURPOSE('t', 'e', 's', 't'), 0);
    dl_instance *instance = test_random_instance(&rng, 9, 9, 0.1, 12);
    dl_scene *scene = dl_scene_create(instance);
    dl_deadline never = dl_no_deadline();
    dl_draft one[CANDIDATES], three[CANDIDATES], alone[1];
    dl_sample_options options = dl_sample_defaults(model);
    options.candidates = CANDIDATES;
    options.horizon = 19; /* no multiple of window or stride */
    options.steps = 4;
    for (int decoding = 0; decoding <= DL_DECODE_SAMPLE; decoding++) {
        options.decoding = (dl_decoding)decoding;
        options.threads = 1;
        assert_int_equal(dl_sample_drafts(model, scene, &options, &never, NULL, NULL, one, NULL), DIFFLNS_OK);
        options.threads = 3;
        assert_int_equal(dl_sample_drafts(model, scene, &options, &never, NULL, NULL, three, NULL), DIFFLNS_OK);
        dl_sample_options last = options;
        last.first = CANDIDATES - 1;
        last.candidates = 1;
        assert_int_equal(dl_sample_drafts(model, scene, &last, &never, NULL, NULL, alone, NULL), DIFFLNS_OK);
        size_t bytes = sizeof(float) * 12 * 19 * DL_ACTIONS;
        for (int i = 0; i < CANDIDATES; i++) {
            assert_memory_equal(one[i].log_probability, three[i].log_probability, bytes);
            assert_int_equal(dl_plan_soc(one[i].plan), dl_plan_soc(three[i].plan));
        }
        assert_memory_equal(one[CANDIDATES - 1].log_probability, alone[0].log_probability, bytes);
        assert_memory_not_equal(one[0].log_probability, one[1].log_probability, bytes);
        for (int i = 0; i < CANDIDATES; i++) {
            dl_check_result check;
            assert_true(dl_check(instance, one[i].plan, &check, NULL, 0, NULL));
            assert_int_equal(check.violations, check.by_kind[DIFFLNS_VERTEX] + check.by_kind[DIFFLNS_SWAP]);
            dl_draft_free(&one[i]);
            dl_draft_free(&three[i]);
        }
        dl_draft_free(&alone[0]);
    }
    dl_scene_free(scene);
    dl_instance_free(instance);
    dl_model_free(model);
}

static void sampling_without_time_says_so(void **state)
{
    (void)state;
    dl_config config = small_config();
    dl_model *model = dl_model_create(&config);
    dl_rng rng = dl_rng_stream(6, DL_PURPOSE('t', 'e', 's', 't'), 0);
    dl_instance *instance = test_random_instance(&rng, 9, 9, 0.1, 4);
    dl_scene *scene = dl_scene_create(instance);
    dl_deadline over = dl_deadline_after(-1, NULL);
    dl_draft draft[2];
    dl_sample_options options = dl_sample_defaults(model);
    options.candidates = 2;
    dl_error err;
    assert_int_equal(dl_sample_drafts(model, scene, &options, &over, NULL, NULL, draft, &err), DIFFLNS_STOPPED);
    assert_null(draft[0].plan);
    dl_scene_free(scene);
    dl_instance_free(instance);
    dl_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_process_that_dies_while_it_reports_an_epoch_has_not_finished_it),
        cmocka_unit_test(resumed_training_is_the_same_to_the_last_bit),
        cmocka_unit_test(demonstrations_are_told_apart_by_all_that_is_learned_from),
        cmocka_unit_test(validation_that_would_take_too_much_memory_says_so),
        cmocka_unit_test(stopping_in_the_middle_of_an_epoch_loses_nothing),
        cmocka_unit_test(the_number_of_threads_changes_no_bit),
        cmocka_unit_test(a_loss_that_is_not_finite_stops_and_names_the_step),
        cmocka_unit_test(a_damaged_or_foreign_state_is_refused),
        cmocka_unit_test(four_instances_are_memorized),
        cmocka_unit_test(drafts_do_not_depend_on_threads_or_on_their_neighbors),
        cmocka_unit_test(sampling_without_time_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
