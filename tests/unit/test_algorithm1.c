/* The preset `paper` against Algorithm 1, line by line. */
#include "base/choice.h"
#include "base/memory.h"
#include "diffusion/sampler.h"
#include "lns/repair.h"
#include "mapf/check.h"
#include "solver/solve.h"
#include "start/start.h"
#include "support.h"

enum { M = 4, R = 3, AGENTS = 9, HORIZON = 16 };

static dl_model *small_model(void)
{
    dl_config config = dl_config_compact();
    config.network.width = config.network.condition_width = config.network.feed_forward = 16;
    config.network.heads = 2;
    config.network.layers = 1;
    config.network.pyramid_width = 4;
    config.diffusion.diffusion_steps = 7;
    dl_model *model = dl_model_create(&config);
    dl_rng rng = dl_rng_stream(5, DL_PURPOSE('a', 'l', 'g', '1'), 0);
    for (size_t i = 0; i < dl_denoiser_parameters(model->net); i++)
        model->parameters[i] += (real)(0.3 * (dl_rng_unit(&rng) - 0.5));
    return model;
}

/* Lines 7 and 8: Preprocess is part of sampling; LNS2Repair as published. NULL where it is not feasible. */
static dl_plan *repair(const dl_scene *scene, const dl_plan *draft, uint64_t seed, uint64_t candidate, uint64_t most)
{
    dl_deadline never = dl_no_deadline();
    dl_planner *planner = dl_planner_create(scene->instance, scene->distance, DL_ENGINE_AUTO);
    dl_start_read_plan(planner, draft);
    dl_repair lns2;
    assert_true(dl_repair_begin(&lns2, planner, &DL_REPAIR_PUBLISHED));
    assert_true(dl_repair_start(&lns2, seed, candidate, &never));
    bool feasible = dl_repair_run(&lns2, most, &never);
    dl_plan *plan = feasible ? dl_planner_write_plan(planner) : NULL;
    dl_repair_end(&lns2);
    dl_planner_free(planner);
    return plan;
}

/* Algorithm 1. *candidates: how many were sampled. NULL = failure. */
static dl_plan *algorithm1(const dl_instance *instance, const dl_model *model, uint64_t seed, uint64_t most,
                           int *candidates)
{
    dl_scene *scene = dl_scene_create(instance);
    dl_deadline never = dl_no_deadline();
    dl_plan *best = NULL;
    *candidates = 0;
    for (int r = 1; r <= R && !best; r++) { /* 1, 11 */
        dl_sample_options options = dl_sample_defaults(model);
        dl_draft draft[M];
        options.candidates = M;
        options.seed = seed;
        options.first = (uint64_t)((r - 1) * M);
        options.horizon = HORIZON;
        options.threads = 1;
        options.steps = model->config.diffusion.diffusion_steps;
        options.sampler = DL_SAMPLER_TOKENS;
        options.decoding = DL_DECODE_SAMPLE;
        assert_int_equal(dl_sample_drafts(model, scene, &options, &never, NULL, NULL, draft, NULL), DIFFLNS_OK); /* 4 */
        for (int m = 0; m < M; m++) {                                                                            /* 5 */
            dl_plan *plan = repair(scene, draft[m].plan, seed, options.first + (uint64_t)m, most);
            bool cheaper = plan && (!best || dl_plan_soc(plan) < dl_plan_soc(best)); /* 9, 11: the argmin */
            if (cheaper) {
                dl_plan_free(best);
                best = plan;
            } else
                dl_plan_free(plan);
            dl_draft_free(&draft[m]);
        }
        *candidates += M;
    }
    dl_scene_free(scene);
    return best;
}

static bool same_plan(const dl_plan *a, const dl_plan *b)
{
    if (!a || !b) return a == b;
    for (int i = 0; i < a->agents; i++) {
        if (a->path[i].length != b->path[i].length) return false;
        if (memcmp(a->path[i].at, b->path[i].at, sizeof *a->path[i].at * (size_t)a->path[i].length) != 0) return false;
    }
    return true;
}

static dl_options paper_options(uint64_t seed, uint64_t most, int threads)
{
    dl_options options;
    difflns_error err;
    dl_options_default(&options);
    assert_int_equal(dl_option_set_text(dl_option_find("preset"), &options, "paper", &err), DIFFLNS_OK);
    options.seed = seed;
    options.rounds = R;
    options.repair_iterations = most;
    options.horizon = HORIZON;
    options.threads = threads;
    return options;
}

static void the_preset_is_algorithm_1_on_small_worlds(void **state)
{
    (void)state;
    int by_rounds[R + 1] = {0};
    dl_model *model = small_model();
    for (uint64_t seed = 1; seed <= 24; seed++) {
        dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('a', 'l', 'g', '1'), 1);
        dl_instance *instance = test_random_instance(&rng, 4, 5, 0.1, AGENTS);
        if (!instance) continue;
        uint64_t most = 4 + 12 * (seed % 4);
        int expected;
        dl_plan *twin = algorithm1(instance, model, seed, most, &expected);
        by_rounds[twin ? expected / M - 1 : R]++;
        for (int threads = 1; threads <= 3; threads += 2) {
            dl_options options = paper_options(seed, most, threads);
            dl_plan *plan;
            dl_report report;
            dl_status status = dl_solve(&(dl_solve_input){.instance = instance, .options = &options, .model = model},
                                        &plan, &report, NULL);
            if (status == DIFFLNS_UNSOLVABLE)
                assert_null(twin);
            else if (!same_plan(plan, twin) || (plan && report.candidates != expected) || report.improve_iterations > 0)
                fail_msg("seed %llu, %d threads: cost %lld of %d candidates, expected %lld of %d",
                         (unsigned long long)seed, threads, (long long)report.soc, report.candidates,
                         twin ? (long long)dl_plan_soc(twin) : -1, expected);
            dl_plan_free(plan);
            dl_report_free(&report);
        }
        dl_plan_free(twin);
        dl_instance_free(instance);
    }
    dl_model_free(model);
    print_message("solved in round 1, 2, 3, not: %d %d %d %d\n", by_rounds[0], by_rounds[1], by_rounds[2],
                  by_rounds[3]);
    assert_true(by_rounds[0] > 0 && by_rounds[1] + by_rounds[2] > 0 && by_rounds[3] > 0);
}

static void the_preset_sets_what_the_paper_says(void **state)
{
    (void)state;
    dl_options options = paper_options(1, 0, 1);
    assert_int_equal(options.init, dl_choice_index(DL_START_CHOICES, "diffusion"));
    assert_true(options.candidates == 4 && options.neighbors == 8 && options.repair_time == 120);
    assert_true(!options.fallback && options.stop == DL_STOP_FIRST && options.repair == DL_REPAIR_AS_PUBLISHED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_preset_is_algorithm_1_on_small_worlds),
        cmocka_unit_test(the_preset_sets_what_the_paper_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
