/* The expert: the same bytes whatever the number of threads, however often it was stopped. */
#include <jansson.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "diffusion/demos.h"
#include "expert/expert.h"
#include "mapf/check.h"
#include "support.h"

static char folder[256];

static const char *path_of(const char *name)
{
    static char path[4][300];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

static int make_folder(void **state)
{
    (void)state;
    const char *base = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/difflns-expert-XXXXXX", base ? base : "/tmp");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[300];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command);
}

static dl_expert_options small_run(const char *path)
{
    return (dl_expert_options){
        .families = 2,
        .family = {"room", "maze"},
        .sizes = 2,
        .agents = {16, 32},
        .count = 12,
        .seed = 5,
        .budget = {.solver = DL_EXPERT_LACAM, .seconds = 0.05, .iterations = 60},
        .threads = 1,
        .path = path,
        .ranks = dl_ranks_alone(),
    };
}

static dl_expert_summary run(const dl_expert_options *options)
{
    dl_expert_summary summary;
    dl_error err;
    if (dl_expert_run(options, &summary, &err) != DIFFLNS_OK) fail_msg("%s", err.message);
    return summary;
}

static void expect_same_file(const char *a, const char *b)
{
    dl_file first, second;
    assert_int_equal(dl_file_read(a, &first, NULL), DIFFLNS_OK);
    assert_int_equal(dl_file_read(b, &second, NULL), DIFFLNS_OK);
    assert_int_equal(first.size, second.size);
    assert_memory_equal(first.data, second.data, first.size);
    dl_file_free(&first);
    dl_file_free(&second);
}

static void every_job_becomes_a_checked_demonstration_of_its_family_and_size(void **state)
{
    (void)state;
    dl_expert_options options = small_run(path_of("all"));
    dl_expert_summary summary = run(&options);
    assert_int_equal(summary.solved, 12);
    assert_int_equal(summary.made, 12);
    dl_demos *demos;
    assert_int_equal(dl_demos_open(options.path, &demos, NULL), DIFFLNS_OK);
    for (int64_t i = 0; i < 12; i++) {
        dl_demo demo;
        assert_int_equal(dl_demos_read(demos, i, &demo, NULL), DIFFLNS_OK);
        assert_string_equal(demo.about.family, i % 4 < 2 ? "room" : "maze");
        assert_int_equal(demo.instance->agents, i % 2 == 0 ? 16 : 32);
        assert_true(dl_check_valid(demo.instance, demo.plan));
        assert_true(demo.about.soc >= demo.about.lower_bound && demo.about.lower_bound > 0);
        /* The seed alone brings the instance back. */
        dl_generate_params params;
        dl_generator_scratch scratch = {0};
        dl_instance *again;
        assert_int_equal(dl_generate_preset(demo.about.family, &params, NULL), DIFFLNS_OK);
        params.agents = demo.about.agents;
        assert_int_equal(dl_generate(&params, demo.about.seed, &scratch, &again, NULL), DIFFLNS_OK);
        assert_memory_equal(again->start, demo.instance->start, sizeof(dl_cell) * (size_t)again->agents);
        assert_memory_equal(again->goal, demo.instance->goal, sizeof(dl_cell) * (size_t)again->agents);
        dl_generator_scratch_free(&scratch);
        dl_instance_free(again);
        dl_demo_release(&demo);
    }
    dl_demos_close(demos);
}

static void threads_do_not_change_a_byte(void **state)
{
    (void)state;
    dl_expert_options one = small_run(path_of("one")), three = small_run(path_of("three"));
    three.threads = 3;
    run(&one);
    run(&three);
    expect_same_file(one.path, three.path);
}

static void all_solvers_label_and_are_repeatable(void **state)
{
    (void)state;
    for (int solver = DL_EXPERT_LNS2; solver <= DL_EXPERT_BEST; solver++) {
        dl_expert_options first = small_run(path_of(solver == DL_EXPERT_LNS2 ? "r1" : "b1"));
        dl_expert_options second = small_run(path_of(solver == DL_EXPERT_LNS2 ? "r2" : "b2"));
        first.budget.solver = second.budget.solver = (dl_expert_solver)solver;
        first.count = second.count = 6;
        second.threads = 2;
        assert_int_equal(run(&first).solved, 6);
        run(&second);
        expect_same_file(first.path, second.path);
    }
}

static void pairs_keep_the_plan_before_and_change_nothing_else(void **state)
{
    (void)state;
    dl_expert_options plain = small_run(path_of("plain")), pairs = small_run(path_of("pairs"));
    plain.budget.solver = pairs.budget.solver = DL_EXPERT_LNS2;
    plain.budget.iterations = pairs.budget.iterations = 9000; /* the first descent is over well before */
    plain.count = pairs.count = 4;
    plain.agents[0] = pairs.agents[0] = 48;
    pairs.budget.pairs = true;
    run(&plain);
    run(&pairs);
    dl_demos *without, *with;
    assert_int_equal(dl_demos_open(plain.path, &without, NULL), DIFFLNS_OK);
    assert_int_equal(dl_demos_open(pairs.path, &with, NULL), DIFFLNS_OK);
    int kept = 0;
    for (int64_t i = 0; i < 4; i++) {
        dl_demo demo;
        assert_int_equal(dl_demos_summary(with, i)->soc, dl_demos_summary(without, i)->soc);
        assert_int_equal(dl_demos_read(without, i, &demo, NULL), DIFFLNS_OK);
        assert_null(demo.earlier);
        dl_demo_release(&demo);
        assert_int_equal(dl_demos_read(with, i, &demo, NULL), DIFFLNS_OK);
        if (demo.earlier) assert_true(dl_plan_soc(demo.earlier) > demo.about.soc);
        kept += demo.earlier != NULL;
        dl_demo_release(&demo);
    }
    assert_true(kept > 0);
    dl_demos_close(without);
    dl_demos_close(with);
    json_t *card = json_load_file(path_of("pairs.card.json"), 0, NULL), *about = json_object_get(card, "pairs");
    assert_int_equal(json_integer_value(json_object_get(about, "demonstrations")), kept);
    assert_true(json_real_value(json_object_get(json_object_get(about, "earlier_over_soc"), "least")) > 1);
    json_decref(card);
}

static void a_stopped_run_goes_on_and_a_larger_count_extends_it(void **state)
{
    (void)state;
    dl_expert_options whole = small_run(path_of("whole")), pieces = small_run(path_of("pieces"));
    run(&whole);
    pieces.count = 5;
    assert_int_equal(run(&pieces).made, 5);
    struct stat about;
    assert_int_equal(stat(pieces.path, &about), 0);
    assert_int_equal(truncate(pieces.path, about.st_size - 10), 0); /* killed while writing the fifth */
    pieces.count = 12;
    assert_int_equal(run(&pieces).made, 8);
    expect_same_file(whole.path, pieces.path);
    assert_int_equal(run(&pieces).made, 0);
}

static void a_canceled_run_keeps_what_it_has(void **state)
{
    (void)state;
    atomic_int cancel = 1;
    dl_expert_options options = small_run(path_of("cancel"));
    options.cancel = &cancel;
    dl_expert_summary summary;
    dl_error err;
    assert_int_equal(dl_expert_run(&options, &summary, &err), DIFFLNS_STOPPED);
    options.cancel = NULL;
    run(&options);
    dl_expert_options whole = small_run(path_of("uncanceled"));
    run(&whole);
    expect_same_file(whole.path, options.path);
}

static void the_card_counts_what_is_in_the_file(void **state)
{
    (void)state;
    dl_expert_options options = small_run(path_of("carded"));
    run(&options);
    json_t *card = json_load_file(path_of("carded.card.json"), 0, NULL);
    assert_non_null(card);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(card, "all"), "demonstrations")), 12);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(card, "made_with"), "seed")), 5);
    json_t *groups = json_object_get(card, "groups");
    assert_int_equal(json_array_size(groups), 4);
    for (size_t i = 0; i < 4; i++) {
        json_t *group = json_array_get(groups, i);
        assert_int_equal(json_integer_value(json_object_get(group, "demonstrations")), 3);
        assert_true(json_real_value(json_object_get(json_object_get(group, "soc_over_lower_bound"), "mean")) >= 1);
    }
    json_int_t bars = 0;
    size_t index;
    json_t *bar;
    json_array_foreach(json_object_get(card, "makespans"), index, bar) bars +=
        json_integer_value(json_object_get(bar, "count"));
    assert_int_equal(bars, 12);
    json_decref(card);
}

static void an_instance_without_a_plan_in_time_is_counted_as_unsolved(void **state)
{
    (void)state;
    for (int solver = DL_EXPERT_LACAM; solver <= DL_EXPERT_BEST; solver++) {
        char name[16];
        snprintf(name, sizeof name, "hard%d", solver);
        dl_expert_options options = small_run(path_of(name));
        options.agents[0] = options.agents[1] = 250;
        options.budget = (dl_expert_budget){.solver = (dl_expert_solver)solver, .seconds = 1e-6};
        dl_expert_summary summary = run(&options);
        assert_int_equal(summary.unsolved + summary.solved, 12);
        assert_true(summary.unsolved > 0);
    }
}

static void plans_far_from_the_lower_bound_are_dropped_on_demand(void **state)
{
    (void)state;
    dl_expert_options options = small_run(path_of("choosy"));
    options.worst = 1.08;
    dl_expert_summary summary = run(&options);
    assert_true(summary.solved > 0 && summary.unsolved > 0);
    dl_demos *demos;
    assert_int_equal(dl_demos_open(options.path, &demos, NULL), DIFFLNS_OK);
    for (int64_t i = 0; i < dl_demos_count(demos); i++) {
        const dl_demo_summary *demo = dl_demos_summary(demos, i);
        assert_true((double)demo->soc <= 1.08 * (double)demo->lower_bound);
    }
    dl_demos_close(demos);
}

static void impossible_options_are_refused_before_anything_is_written(void **state)
{
    (void)state;
    dl_expert_options options = small_run(path_of("refused"));
    dl_expert_summary summary;
    dl_error err;
    options.family[1] = "castle";
    assert_int_equal(dl_expert_run(&options, &summary, &err), DIFFLNS_BAD_INPUT);
    assert_non_null(strstr(err.message, "castle"));
    options = small_run(path_of("refused"));
    options.agents[1] = 5000;
    assert_int_equal(dl_expert_run(&options, &summary, &err), DIFFLNS_BAD_INPUT);
    assert_int_not_equal(access(options.path, F_OK), 0);
    options = small_run(path_of("refused"));
    run(&options);
    options.seed++;
    assert_int_equal(dl_expert_run(&options, &summary, &err), DIFFLNS_BAD_INPUT);
    assert_non_null(strstr(err.message, "other options"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_job_becomes_a_checked_demonstration_of_its_family_and_size),
        cmocka_unit_test(threads_do_not_change_a_byte),
        cmocka_unit_test(all_solvers_label_and_are_repeatable),
        cmocka_unit_test(pairs_keep_the_plan_before_and_change_nothing_else),
        cmocka_unit_test(a_stopped_run_goes_on_and_a_larger_count_extends_it),
        cmocka_unit_test(a_canceled_run_keeps_what_it_has),
        cmocka_unit_test(the_card_counts_what_is_in_the_file),
        cmocka_unit_test(an_instance_without_a_plan_in_time_is_counted_as_unsolved),
        cmocka_unit_test(plans_far_from_the_lower_bound_are_dropped_on_demand),
        cmocka_unit_test(impossible_options_are_refused_before_anything_is_written),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
