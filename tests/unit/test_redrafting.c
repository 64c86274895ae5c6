/* Redrafts inside a solve: the network as one more way to leave a local optimum. */
#include <math.h>

#include "base/choice.h"
#include "diffusion/model.h"
#include "mapf/check.h"
#include "solver/redrafting_options.h"
#include "solver/solve.h"
#include "start/start.h"
#include "support.h"

typedef struct world {
    dl_model *model; /* a toy before training: what it draws is nonsense, and legal */
    dl_instance *instance;
    dl_options options;
} world;

static world make_world(void)
{
    dl_config config = dl_config_toy();
    world w = {.model = dl_model_create(&config),
               .instance = test_preset_instance("small-random", 48, 5)}; /* crowded: ways differ */
    assert_non_null(w.model);
    dl_options_default(&w.options);
    w.options.anytime = true;
    w.options.iterations = 30000;
    w.options.init = dl_choice_index(DL_START_CHOICES, "pp"); /* nothing but redrafts and kicks */
    w.options.redraft = DL_REDRAFT_ON;
    return w;
}

static void free_world(world *w)
{
    dl_instance_free(w->instance);
    dl_model_free(w->model);
}

static dl_plan *solve(const world *w, const atomic_int *stop, dl_status expected)
{
    dl_solve_input input = {.instance = w->instance, .options = &w->options, .model = w->model, .stop = stop};
    dl_plan *plan;
    dl_report report;
    assert_int_equal(dl_solve(&input, &plan, &report, NULL), expected);
    dl_report_free(&report);
    return plan;
}

static bool same_plan(const dl_plan *a, const dl_plan *b)
{
    for (int agent = 0; agent < a->agents; agent++) {
        const dl_path *x = &a->path[agent], *y = &b->path[agent];
        if (x->length != y->length || memcmp(x->at, y->at, sizeof *x->at * (size_t)x->length) != 0) return false;
    }
    return true;
}

static void a_run_limited_by_iterations_is_repeatable(void **state)
{
    (void)state;
    world w = make_world();
    dl_plan *plan = solve(&w, NULL, DIFFLNS_OK);
    assert_true(dl_check_valid(w.instance, plan));
    w.options.threads = 2;
    dl_plan *again = solve(&w, NULL, DIFFLNS_OK);
    assert_true(same_plan(plan, again));
    w.options.redraft = DL_REDRAFT_OFF; /* what it leads to is another plan, or nothing was drawn */
    dl_plan *without = solve(&w, NULL, DIFFLNS_OK);
    assert_false(same_plan(plan, without));
    dl_plan_free(plan);
    dl_plan_free(again);
    dl_plan_free(without);
    free_world(&w);
}

static void without_a_model_there_is_nothing_to_redraft_with(void **state)
{
    (void)state;
    world w = make_world();
    dl_solve_input input = {.instance = w.instance, .options = &w.options};
    dl_plan *plan;
    dl_report report;
    dl_error err;
    assert_int_equal(dl_solve(&input, &plan, &report, &err), DIFFLNS_BAD_INPUT);
    assert_string_equal(err.message, "redraft on needs a model");
    assert_null(plan);
    dl_report_free(&report);
    free_world(&w);
}

/* A round of drafts takes long enough for its first plan to count as settled when the last one is drawn. */
static void a_round_of_drafts_is_improved_before_it_is_handed_over(void **state)
{
    (void)state;
    world w = make_world();
    dl_options_default(&w.options);
    w.options.init = dl_choice_index(DL_START_CHOICES, "diffusion");
    w.options.threads = 1;
    w.options.steps = 500;
    w.options.time = 60;
    dl_solve_input input = {.instance = w.instance, .options = &w.options, .model = w.model};
    dl_plan *plan;
    dl_report report;
    assert_int_equal(dl_solve(&input, &plan, &report, NULL), DIFFLNS_OK);
    print_message("a plan after %.1f s, %d candidates, %llu iterations of improvement, %.1f s in all\n",
                  report.first_seconds, report.candidates, (unsigned long long)report.improve_iterations,
                  report.seconds);
    assert_true(report.improve_iterations > 0);
    dl_plan_free(plan);
    dl_report_free(&report);
    free_world(&w);
}

/* ---- one drawing ---- */

typedef struct drawing {
    dl_distance *distance;
    dl_planner *planner;
    dl_scene *scene;
    dl_redrafting *redrafting;
    dl_plan *plan;
    bool chosen[64];
    int from, to;
} drawing;

static drawing make_drawing(const world *w)
{
    const dl_redrafting_options options = DL_REDRAFTING_DEFAULTS;
    drawing d = {.distance = dl_distance_create(w->instance), .plan = solve(w, NULL, DIFFLNS_OK), .to = DL_LAST_TIME};
    d.planner = dl_planner_create(w->instance, d.distance, DL_ENGINE_AUTO);
    d.scene = dl_scene_create_with(w->instance, d.distance);
    d.redrafting = dl_redrafting_create_with(w->model, d.scene, &options, 1);
    assert_non_null(d.redrafting);
    for (int agent = 0; agent < w->instance->agents; agent++)
        assert_true(dl_planner_read_path(d.planner, agent, &d.plan->path[agent]) &&
                    dl_planner_insert(d.planner, agent));
    return d;
}

static void free_drawing(drawing *d)
{
    dl_redrafting_free(d->redrafting);
    dl_scene_free(d->scene);
    dl_planner_free(d->planner);
    dl_distance_free(d->distance);
    dl_plan_free(d->plan);
}

static dl_status draw_anew(const drawing *d, uint64_t number, const dl_deadline *deadline, dl_plan **plan,
                           uint64_t *searches)
{
    const dl_redrafter *redrafter = dl_redrafting_redrafter(d->redrafting);
    dl_redraft_part part = {.chosen = d->chosen, .from = d->from, .to = d->to, .number = number};
    return redrafter->draw(redrafter->user, d->planner, &part, deadline, plan, searches);
}

static void a_stop_ends_a_drawing_without_a_plan(void **state)
{
    (void)state;
    world w = make_world();
    drawing d = make_drawing(&w);
    const dl_redrafter *redrafter = dl_redrafting_redrafter(d.redrafting);
    atomic_int stop = 0;
    dl_deadline deadline = {INFINITY, &stop};
    uint64_t searches = 0;
    dl_plan *plan;
    memset(d.chosen, 1, sizeof d.chosen);
    assert_true(redrafter->suits(redrafter->user, d.planner));
    assert_int_equal(draw_anew(&d, 3, &deadline, &plan, &searches), DIFFLNS_OK);
    assert_non_null(plan);
    assert_true(searches > 0);
    dl_plan_free(plan);
    atomic_store(&stop, 1);
    assert_int_equal(draw_anew(&d, 3, &deadline, &plan, &searches), DIFFLNS_STOPPED);
    assert_null(plan);
    free_drawing(&d);
    free_world(&w);
}

static void a_region_costs_less_than_everybody(void **state)
{
    (void)state;
    world w = make_world();
    drawing d = make_drawing(&w);
    dl_deadline never = dl_no_deadline();
    uint64_t region = 0, everybody = 0;
    dl_plan *plan;
    d.chosen[4] = d.chosen[7] = d.chosen[20] = true;
    assert_int_equal(draw_anew(&d, 1, &never, &plan, &region), DIFFLNS_OK);
    for (int agent = 0; agent < plan->agents; agent++)
        if (!d.chosen[agent]) assert_int_equal(dl_path_cost(&plan->path[agent]), d.planner->track[agent].cost);
    dl_plan_free(plan);
    memset(d.chosen, 1, sizeof d.chosen);
    assert_int_equal(draw_anew(&d, 1, &never, &plan, &everybody), DIFFLNS_OK);
    dl_plan_free(plan);
    assert_true(2 * region < everybody);
    free_drawing(&d);
    free_world(&w);
}

static void before_and_after_a_span_agents_are_where_they_were(void **state)
{
    (void)state;
    world w = make_world();
    drawing d = make_drawing(&w);
    dl_deadline never = dl_no_deadline();
    uint64_t searches = 0;
    int moved = 0, agents = w.instance->agents;
    d.from = 4;
    d.to = 10;
    for (int agent = 0; agent < agents; agent += 5) d.chosen[agent] = true;
    for (uint64_t number = 1; number <= 5; number++) {
        dl_plan *plan;
        assert_int_equal(draw_anew(&d, number, &never, &plan, &searches), DIFFLNS_OK);
        for (int agent = 0; agent < agents; agent++)
            for (int t = 0; t <= dl_plan_makespan(d.plan); t++) {
                difflns_cell a = dl_path_at(&plan->path[agent], t), b = dl_path_at(&d.plan->path[agent], t);
                bool same = a.row == b.row && a.col == b.col;
                assert_true(same || (d.chosen[agent] && t > d.from && t < d.to));
                moved += !same;
            }
        dl_plan_free(plan);
    }
    assert_true(moved > 0);
    free_drawing(&d);
    free_world(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_limited_by_iterations_is_repeatable),
        cmocka_unit_test(a_round_of_drafts_is_improved_before_it_is_handed_over),
        cmocka_unit_test(without_a_model_there_is_nothing_to_redraft_with),
        cmocka_unit_test(a_stop_ends_a_drawing_without_a_plan),
        cmocka_unit_test(a_region_costs_less_than_everybody),
        cmocka_unit_test(before_and_after_a_span_agents_are_where_they_were),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
