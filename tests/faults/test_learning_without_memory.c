/* Models, drafts, demonstrations and training when memory is out: a status, nothing held, files whole or not there. */
#include <dirent.h>
#include <math.h>
#include <unistd.h>

#include "diffusion/demos.h"
#include "diffusion/draft.h"
#include "diffusion/sampler.h"
#include "diffusion/train.h"
#include "everywhere.h"
#include "faults.h"
#include "mapf/check.h"
#include "solver/solve.h"
#include "support.h"

/* Single files and folders of a test's own. */
typedef struct place {
    char folder[64], file[96];
} place;

static place make_place(const char *name)
{
    place p;
    snprintf(p.folder, sizeof p.folder, "/tmp/difflns-faults-XXXXXX");
    assert_non_null(mkdtemp(p.folder));
    snprintf(p.file, sizeof p.file, "%s/%s", p.folder, name);
    return p;
}

static void remove_place(const place *p)
{
    DIR *folder = opendir(p->folder);
    char path[400];
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        snprintf(path, sizeof path, "%s/%s", p->folder, entry->d_name);
        unlink(path);
    }
    closedir(folder);
    rmdir(p->folder);
}

static dl_config tiny_config(void)
{
    dl_config config = dl_config_toy();
    config.network.width = config.network.condition_width = 16;
    config.network.heads = 2;
    config.network.layers = 1;
    config.network.feed_forward = 16;
    config.network.pyramid_width = 4;
    config.training.batch = 2;
    config.training.epoch_batches = 1;
    config.training.epochs = 1;
    config.losses.generative_epochs = 0; /* task losses from the beginning */
    config.training.earlier_share = 0.5;
    return config;
}

static dl_instance *tiny_instance(void)
{
    static const int tasks[][4] = {{0, 0, 2, 3}, {2, 3, 0, 0}, {0, 3, 2, 0}};
    return test_instance("..../.@../....", 3, tasks);
}

static dl_model *tiny_model(dl_config config)
{
    dl_model *model = dl_model_create(&config);
    assert_non_null(model);
    return model;
}

/* ---- sampling ---- */

typedef struct sampling {
    const dl_model *model;
    const dl_instance *instance;
    dl_sample_options options;
} sampling;

static dl_status sample(void *user)
{
    const sampling *s = user;
    dl_scene *scene = dl_scene_create(s->instance);
    if (!scene) return DIFFLNS_OUT_OF_MEMORY;
    dl_deadline never = dl_no_deadline();
    dl_draft draft;
    dl_status status = dl_sample_drafts(s->model, scene, &s->options, &never, NULL, NULL, &draft, NULL);
    bool left_behind = status != DIFFLNS_OK && (draft.plan || draft.log_probability);
    dl_draft_free(&draft);
    dl_scene_free(scene);
    return left_behind ? DIFFLNS_INTERNAL : status;
}

static void sampling_succeeds_or_says_so(void **state)
{
    (void)state;
    sampling s = {.model = tiny_model(tiny_config()), .instance = tiny_instance()};
    for (int sampler = 0; sampler < 2; sampler++) {
        s.options = dl_sample_defaults(s.model);
        s.options.sampler = (dl_sampler)sampler;
        s.options.collision_cost = 2;
        s.options.steps = 2;
        s.options.horizon = 8;
        s.options.threads = 1;
        assert_true(faults_everywhere(sample, &s, 1) > 15);
    }
    dl_instance_free((dl_instance *)s.instance);
    dl_model_free((dl_model *)s.model);
}

/* ---- models ---- */

static dl_status load(void *user)
{
    dl_model *model;
    dl_status status = dl_model_load(user, &model, NULL);
    if (status != DIFFLNS_OK) return model ? DIFFLNS_INTERNAL : status;
    dl_model_free(model);
    return DIFFLNS_OK;
}

static void loading_a_model_succeeds_or_says_so(void **state)
{
    (void)state;
    place p = make_place("model");
    dl_model *model = tiny_model(tiny_config());
    assert_int_equal(dl_model_save(model, p.file, NULL), DIFFLNS_OK);
    assert_true(faults_everywhere(load, p.file, 1) > FAULTS_WITH_LIBRARIES(50));
    dl_model_free(model);
    remove_place(&p);
}

typedef struct saving {
    const dl_model *model;
    const place *place;
} saving;

/* What is in the file is a whole model, or there is no file. */
static dl_status save(void *user)
{
    const saving *s = user;
    dl_status status = dl_model_save(s->model, s->place->file, NULL);
    bool there = access(s->place->file, F_OK) == 0;
    unlink(s->place->file);
    return there == (status == DIFFLNS_OK) ? status : DIFFLNS_INTERNAL;
}

static void saving_a_model_leaves_it_whole_or_not_there(void **state)
{
    (void)state;
    place p = make_place("model");
    saving s = {tiny_model(tiny_config()), &p};
    assert_true(faults_everywhere(save, &s, 1) > FAULTS_WITH_LIBRARIES(50));
    dl_model_free((dl_model *)s.model);
    assert_int_equal(rmdir(p.folder), 0); /* no temporary was left */
}

/* ---- demonstrations ---- */

static dl_demo make_demo(uint64_t job)
{
    dl_instance *instance = tiny_instance();
    dl_plan *plan = dl_plan_create(3);
    static const int path[3][9][2] = {{{0, 0}, {1, 0}, {2, 0}, {2, 1}, {2, 2}, {2, 3}, {2, 3}, {2, 3}, {2, 3}},
                                      {{2, 3}, {2, 3}, {2, 3}, {1, 3}, {1, 2}, {0, 2}, {0, 1}, {0, 0}, {0, 0}},
                                      {{0, 3}, {0, 3}, {0, 3}, {0, 3}, {0, 3}, {1, 3}, {1, 2}, {2, 2}, {2, 1}}};
    for (int agent = 0; agent < 3; agent++)
        for (int t = 0; t < 9; t++)
            assert_true(dl_path_append(&plan->path[agent], (difflns_cell){path[agent][t][0], path[agent][t][1]}));
    assert_true(dl_path_append(&plan->path[2], (difflns_cell){2, 0}));
    dl_plan_trim(plan);
    assert_true(dl_check_valid(instance, plan));
    dl_plan *earlier = dl_plan_copy(plan); /* no worse than the other, which nobody asks for */
    assert_non_null(earlier);
    return (dl_demo){.about = {.job = job, .family = "test", .solver = "hand"},
                     .instance = instance,
                     .plan = plan,
                     .earlier = earlier};
}

/* Two records in the wrong order, so that finishing sorts. */
static dl_status write_demos(void *user)
{
    const char *path = user;
    unlink(path);
    dl_demos_writer *writer;
    dl_status status = dl_demos_writer_open(path, "{}", &writer, NULL);
    if (status != DIFFLNS_OK) return writer ? DIFFLNS_INTERNAL : status;
    for (uint64_t job = 2; job > 0 && status == DIFFLNS_OK; job--) {
        dl_demo_summary about = {.job = job, .family = "test", .solver = "hand"};
        dl_demo_record record = dl_demo_pack_unsolved(&about);
        status = record.bytes ? dl_demos_append(writer, &record, NULL) : DIFFLNS_OUT_OF_MEMORY;
        dl_demo_record_release(&record);
    }
    if (status == DIFFLNS_OK)
        status = dl_demos_writer_finish(writer, NULL);
    else
        dl_demos_writer_close(writer);
    return status;
}

static void write_some(const char *path, int count)
{
    dl_demos_writer *writer;
    assert_int_equal(dl_demos_writer_open(path, "{}", &writer, NULL), DIFFLNS_OK);
    for (int i = 0; i < count; i++) {
        dl_demo demo = make_demo((uint64_t)i);
        dl_demo_record record = dl_demo_pack(&demo);
        assert_int_equal(dl_demos_append(writer, &record, NULL), DIFFLNS_OK);
        dl_demo_record_release(&record);
        dl_demo_release(&demo);
    }
    assert_int_equal(dl_demos_writer_finish(writer, NULL), DIFFLNS_OK);
}

static dl_status read_demos(void *user)
{
    dl_examples examples = {0};
    dl_status status = dl_examples_load(&examples, user, 1, NULL);
    bool wrong = status == DIFFLNS_OK ? examples.count != 4 : examples.count != 0;
    dl_examples_free(&examples);
    return wrong ? DIFFLNS_INTERNAL : status;
}

static dl_status pack_demo(void *user)
{
    dl_demo_record record = dl_demo_pack(user);
    bool packed = record.bytes;
    dl_demo_record_release(&record);
    return packed ? DIFFLNS_OK : DIFFLNS_OUT_OF_MEMORY;
}

static void demonstrations_are_written_and_read_or_it_is_said(void **state)
{
    (void)state;
    place p = make_place("demos");
    assert_true(faults_everywhere(write_demos, p.file, 1) > 5);
    unlink(p.file);
    write_some(p.file, 4);
    assert_true(faults_everywhere(read_demos, p.file, 1) > 30);
    dl_demo demo = make_demo(0);
    assert_true(faults_everywhere(pack_demo, &demo, 1) > 0);
    dl_demo_release(&demo);
    remove_place(&p);
}

/* ---- training ---- */

typedef struct teaching {
    const dl_examples *examples;
    const place *place;
} teaching;

/* One step, validation, and both files. A model that was written before stays whole. */
static dl_status train(void *user)
{
    const teaching *t = user;
    dl_config config = tiny_config();
    dl_train_options options = {.path = t->place->file, .threads = 1, .checkpoint_seconds = 1e9};
    dl_deadline never = dl_no_deadline();
    dl_status status = dl_train(&config, t->examples, &options, dl_ranks_alone(), &never, NULL, NULL, NULL);
    return status;
}

static void a_step_of_training_succeeds_or_says_so(void **state)
{
    (void)state;
    place p = make_place("model");
    dl_examples examples = {0};
    dl_demo demo = make_demo(0);
    for (int i = 0; i < 12; i++) assert_true(dl_examples_add(&examples, demo.instance, demo.plan, demo.earlier));
    dl_demo_release(&demo);
    teaching t = {&examples, &p};
    assert_int_equal(train(&t), DIFFLNS_OK);
    assert_true(faults_everywhere(train, &t, 11) > 20);
    dl_model *model;
    assert_int_equal(dl_model_load(p.file, &model, NULL), DIFFLNS_OK); /* not torn */
    dl_model_free(model);
    dl_examples_free(&examples);
    remove_place(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sampling_succeeds_or_says_so),
        cmocka_unit_test(loading_a_model_succeeds_or_says_so),
        cmocka_unit_test(saving_a_model_leaves_it_whole_or_not_there),
        cmocka_unit_test(demonstrations_are_written_and_read_or_it_is_said),
        cmocka_unit_test(a_step_of_training_succeeds_or_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
