#include "support_plans.h"

#include "base/memory.h"
#include "diffusion/batches.h"
#include "diffusion/draft.h"
#include "diffusion/tokens.h"
#include "mapf/check.h"

/* A valid plan: agents go one after the other would need a solver; a single agent's shortest path always is one. */
static void add_example(dl_examples *examples, dl_rng *rng, int height, int width)
{
    dl_instance *instance = test_random_instance(rng, height, width, 0.2, 1);
    dl_scene *scene = dl_scene_create(instance);
    dl_plan *plan = dl_draft_shortest_paths(scene);
    dl_plan *earlier = test_delayed_plan(plan, 2);
    assert_true(dl_examples_add(examples, instance, plan, earlier));
    dl_plan_free(plan);
    dl_plan_free(earlier);
    dl_scene_free(scene);
    dl_instance_free(instance);
}

static void every_symmetry_shows_the_same_plan(void **state)
{
    (void)state;
    dl_rng rng = dl_rng_stream(1, DL_PURPOSE('t', 'e', 's', 't'), 0);
    dl_examples examples = {0};
    for (int i = 0; i < 10; i++) add_example(&examples, &rng, 7, 10);
    for (int i = 0; i < examples.count; i++) {
        const dl_example *example = &examples.at[i];
        for (int symmetry = 0; symmetry < 8; symmetry++)
            for (int first = 0; first <= example->length; first += 2) {
                dl_example_view view = {.symmetry = symmetry, .first = first};
                dl_instance *instance = dl_example_instance(example, view);
                assert_int_equal(instance->grid->height, symmetry & 4 ? 10 : 7);
                int horizon = example->length + 3;
                dl_cell *cells = DL_ARRAY(dl_cell, horizon + 1);
                dl_example_cells(example, view, instance, horizon, cells);
                dl_plan *plan = dl_plan_create(1);
                assert_true(dl_plan_set(plan, instance->grid, 0, cells, horizon + 1));
                assert_true(dl_check_valid(instance, plan));
                assert_int_equal(dl_plan_soc(plan), example->length - first);
                dl_plan_free(plan);
                free(cells);
                dl_instance_free(instance);
            }
    }
    dl_examples_free(&examples);
}

static void the_eight_symmetries_differ(void **state)
{
    (void)state;
    const int tasks[1][4] = {{0, 1, 2, 0}};
    dl_instance *instance = test_instance("..@/.../...", 1, tasks);
    dl_scene *scene = dl_scene_create(instance);
    dl_plan *plan = dl_draft_shortest_paths(scene);
    dl_examples examples = {0};
    assert_true(dl_examples_add(&examples, instance, plan, NULL));
    int seen[8];
    for (int symmetry = 0; symmetry < 8; symmetry++) {
        dl_instance *view = dl_example_instance(&examples.at[0], (dl_example_view){.symmetry = symmetry});
        seen[symmetry] = view->grid->where[view->start[0]] * 9 + view->grid->where[view->goal[0]];
        for (int other = 0; other < symmetry; other++) assert_int_not_equal(seen[symmetry], seen[other]);
        dl_instance_free(view);
    }
    dl_examples_free(&examples);
    dl_plan_free(plan);
    dl_scene_free(scene);
    dl_instance_free(instance);
}

/* Examples of which only the team size matters. */
static dl_examples teams(const int *agents, int count)
{
    dl_examples examples = {.at = DL_ARRAY(dl_example, count), .count = count, .capacity = count};
    for (int i = 0; i < count; i++) examples.at[i].agents = agents[i % 3];
    return examples;
}

static void batches_have_one_team_size_and_take_turns(void **state)
{
    (void)state;
    enum { COUNT = 300, BATCH = 8 };
    const int agents[3] = {32, 64, 96};
    dl_examples examples = teams(agents, COUNT);
    dl_batches *batches = dl_batches_create(&examples, BATCH, 5);
    int held, seen[COUNT] = {0};
    const int32_t *held_out = dl_batches_held_out(batches, &held);
    assert_in_range(held, 3, DL_HELD_OUT);
    int32_t list[BATCH], before = 0;
    for (int place = 0; place < dl_batches_per_epoch(batches); place++) {
        dl_batches_get(batches, 3, place, list);
        int size = examples.at[list[0]].agents;
        for (int i = 0; i < BATCH; i++) {
            assert_int_equal(examples.at[list[i]].agents, size);
            seen[list[i]]++;
        }
        if (place < 30) assert_int_not_equal(size, before); /* all three still have batches */
        before = size;
    }
    for (int i = 0; i < held; i++) assert_int_equal(seen[held_out[i]], 0);
    int unseen = 0;
    for (int i = 0; i < COUNT; i++) unseen += seen[i] == 0;
    assert_int_equal(unseen, held);
    dl_batches_free(batches);
    dl_examples_free(&examples);
}

static void a_batch_does_not_depend_on_those_before_it(void **state)
{
    (void)state;
    enum { COUNT = 100, BATCH = 4 };
    const int agents[3] = {5, 6, 7};
    dl_examples examples = teams(agents, COUNT);
    dl_batches *one = dl_batches_create(&examples, BATCH, 5), *other = dl_batches_create(&examples, BATCH, 5);
    int32_t a[BATCH], b[BATCH], c[BATCH];
    for (int epoch = 0; epoch < 4; epoch++) dl_batches_get(one, epoch, 2, a);
    dl_batches_get(other, 3, 2, b);
    assert_memory_equal(a, b, sizeof a);
    dl_batches_get(other, 2, 2, c);
    assert_memory_not_equal(a, c, sizeof a);
    dl_batches_free(one);
    dl_batches_free(other);
    dl_examples_free(&examples);
}

static void a_sample_is_the_expert_seen_from_somewhere(void **state)
{
    (void)state;
    dl_rng rng = dl_rng_stream(2, DL_PURPOSE('t', 'e', 's', 't'), 0);
    dl_examples examples = {0};
    add_example(&examples, &rng, 12, 12);
    dl_config config = dl_config_compact();
    config.training.horizon = 6;
    dl_schedule *schedule = dl_schedule_create(config.diffusion.diffusion_steps);
    for (uint64_t number = 0; number < 50; number++) {
        dl_sample sample = dl_sample_draw(&config, schedule, &examples.at[0], number);
        const dl_field *distance = dl_distance_acquire(sample.scene->distance, 0);
        dl_cell cells[7];
        dl_tokens_rollout(sample.instance->grid, sample.instance->start[0], sample.clean, 6, cells);
        for (int t = 0; t < 6; t++) { /* shortest paths shrink the distance with every step */
            int left = dl_field_at(distance, cells[t]);
            assert_int_equal(dl_field_at(distance, cells[t + 1]), left > 0 ? left - 1 : 0);
        }
        dl_distance_release(sample.scene->distance, 0);
        dl_sample again = dl_sample_draw(&config, schedule, &examples.at[0], number);
        assert_int_equal(sample.k, again.k);
        assert_memory_equal(sample.noisy, again.noisy, 6);
        dl_sample_free(&sample);
        dl_sample_free(&again);
    }
    dl_schedule_free(schedule);
    dl_examples_free(&examples);
}

/* The earlier plan waits two steps before it does the same. */
static void a_sample_may_have_its_noise_on_the_earlier_plan(void **state)
{
    (void)state;
    dl_rng rng = dl_rng_stream(4, DL_PURPOSE('t', 'e', 's', 't'), 4);
    dl_examples examples = {0};
    add_example(&examples, &rng, 9, 9);
    const dl_example *example = &examples.at[0];
    dl_config config = dl_config_compact();
    config.diffusion.diffusion_steps = 1000; /* so that level 1 hardly is noise */
    dl_schedule *schedule = dl_schedule_create(config.diffusion.diffusion_steps);
    int improving = 0, tokens = 0, kept = 0;
    for (uint64_t number = 0; number < 400; number++) {
        config.training.earlier_share = 0;
        dl_sample plain = dl_sample_draw(&config, schedule, example, number);
        config.training.earlier_share = 0.5;
        dl_sample sample = dl_sample_draw(&config, schedule, example, number);
        assert_true(sample.k == plain.k && sample.horizon >= plain.horizon);
        assert_memory_equal(sample.clean, plain.clean, (size_t)plain.horizon);
        if (sample.k < 100) { /* where the input still shows which plan it was */
            int same = 0, delayed = 0, counted = example->length + 2;
            for (int t = 0; t < counted; t++) {
                same += sample.noisy[t] == sample.clean[t];
                delayed += sample.noisy[t] == (t < 2 ? DL_STAY : sample.clean[t - 2]);
            }
            improving += delayed > same;
            tokens += counted;
            kept += delayed > same ? delayed : same;
        }
        dl_sample_free(&plain);
        dl_sample_free(&sample);
    }
    assert_in_range(improving, 8, 32); /* half of the forty of low noise */
    assert_true(kept > tokens * 9 / 10);
    dl_schedule_free(schedule);
    dl_examples_free(&examples);
}

/* A crop begins where the demonstration is by then; improving samples have none, and so no agent jumps. */
static void improving_samples_begin_at_the_beginning(void **state)
{
    (void)state;
    dl_rng rng = dl_rng_stream(2, DL_PURPOSE('t', 'e', 's', 't'), 0);
    dl_examples examples = {0};
    add_example(&examples, &rng, 12, 12);
    const dl_example *example = &examples.at[0];
    dl_config config = dl_config_compact();
    config.training.horizon = 4;
    config.training.earlier_share = 1;
    config.training.augmentation = false;
    assert_true(example->length > config.training.horizon);
    dl_schedule *schedule = dl_schedule_create(config.diffusion.diffusion_steps);
    for (uint64_t number = 0; number < 20; number++) {
        dl_sample sample = dl_sample_draw(&config, schedule, example, number);
        assert_int_equal(sample.horizon, 4);
        assert_int_equal(sample.instance->grid->where[sample.instance->start[0]], example->start[0]);
        dl_sample_free(&sample);
    }
    dl_schedule_free(schedule);
    dl_examples_free(&examples);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_symmetry_shows_the_same_plan),
        cmocka_unit_test(the_eight_symmetries_differ),
        cmocka_unit_test(batches_have_one_team_size_and_take_turns),
        cmocka_unit_test(a_batch_does_not_depend_on_those_before_it),
        cmocka_unit_test(a_sample_is_the_expert_seen_from_somewhere),
        cmocka_unit_test(a_sample_may_have_its_noise_on_the_earlier_plan),
        cmocka_unit_test(improving_samples_begin_at_the_beginning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
