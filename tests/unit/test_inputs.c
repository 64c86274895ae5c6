#include "support.h"

#include <math.h>

#include "base/memory.h"
#include "diffusion/inputs.h"
#include "diffusion/social_graph.h"

typedef struct world {
    dl_instance *instance;
    dl_scene *scene;
    dl_likeliest *planner;
    uint8_t *noisy;
    int horizon;
} world;

static world make_world(uint64_t seed, int agents, int horizon)
{
    dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('i', 'n', 'p', 't'), 0);
    world w = {.instance = test_random_instance(&rng, 9, 11, 0.15, agents), .horizon = horizon};
    w.scene = dl_scene_create(w.instance);
    w.planner = dl_likeliest_create(w.instance->grid);
    w.noisy = DL_ARRAY(uint8_t, agents * horizon);
    for (int i = 0; i < agents * horizon; i++) w.noisy[i] = (uint8_t)dl_rng_below(&rng, DL_ACTIONS);
    return w;
}

static void free_world(world *w)
{
    dl_likeliest_free(w->planner);
    dl_scene_free(w->scene);
    dl_instance_free(w->instance);
    free(w->noisy);
}

/* The same world with agent i in the place of agent order[i]. */
static world permuted(const world *w, const int32_t *order)
{
    int agents = w->instance->agents;
    dl_task *tasks = DL_ARRAY(dl_task, agents);
    world p = {.horizon = w->horizon, .noisy = DL_ARRAY(uint8_t, agents * w->horizon)};
    const dl_grid *grid = w->instance->grid;
    for (int i = 0; i < agents; i++) {
        tasks[i] = (dl_task){.start = dl_grid_position(grid, w->instance->start[order[i]]),
                             .goal = dl_grid_position(grid, w->instance->goal[order[i]])};
        memcpy(p.noisy + i * w->horizon, w->noisy + order[i] * w->horizon, (size_t)w->horizon);
    }
    dl_grid *copy;
    dl_error err;
    assert_int_equal(dl_grid_create(grid->height, grid->width, grid->blocked, &copy, &err), DIFFLNS_OK);
    assert_int_equal(dl_instance_create(copy, "p.map", "p", agents, tasks, &p.instance, &err), DIFFLNS_OK);
    free(tasks);
    p.scene = dl_scene_create(p.instance);
    p.planner = dl_likeliest_create(p.instance->grid);
    return p;
}

static void permuted_agents_get_permuted_inputs(void **state)
{
    (void)state;
    enum { AGENTS = 20, HORIZON = 17 };
    for (int trajectory = 0; trajectory < 2; trajectory++)
        for (int k = 1; k <= 100; k += 33) {
            dl_config config = dl_config_compact();
            config.network.trajectory = trajectory;
            dl_schedule *schedule = dl_schedule_create(config.diffusion.diffusion_steps);
            world w = make_world(4, AGENTS, HORIZON);
            dl_rng rng = dl_rng_stream(4, DL_PURPOSE('p', 'e', 'r', 'm'), (uint64_t)k);
            int32_t order[AGENTS];
            for (int i = 0; i < AGENTS; i++) order[i] = i;
            dl_rng_shuffle(&rng, order, AGENTS);
            world p = permuted(&w, order);
            dl_arena arena = {0};
            dl_denoiser_input a = dl_inputs_build(&(dl_noisy_plan){&config, schedule, w.scene, HORIZON, k, w.noisy},
                                                  w.planner, NULL, &arena);
            dl_denoiser_input b = dl_inputs_build(&(dl_noisy_plan){&config, schedule, p.scene, HORIZON, k, p.noisy},
                                                  p.planner, NULL, &arena);
            size_t row = (size_t)HORIZON * (size_t)dl_config_features(&config).count;
            assert_int_equal(a.neighbors, b.neighbors);
            for (int i = 0; i < AGENTS; i++) {
                assert_memory_equal(b.features + (size_t)i * row, a.features + (size_t)order[i] * row,
                                    row * sizeof(real));
                assert_memory_equal(b.position + i * HORIZON * 2, a.position + order[i] * HORIZON * 2,
                                    sizeof(real) * HORIZON * 2);
                for (int n = 0; n < a.neighbors; n++)
                    assert_int_equal(order[b.neighbor[i * b.neighbors + n]], a.neighbor[order[i] * a.neighbors + n]);
            }
            dl_arena_free(&arena);
            free_world(&w);
            free_world(&p);
            dl_schedule_free(schedule);
        }
}

static void permuted_agents_get_permuted_predictions(void **state)
{
    (void)state;
    enum { AGENTS = 20, HORIZON = 17, K = 60 };
    dl_config config = dl_config_compact();
    dl_schedule *schedule = dl_schedule_create(config.diffusion.diffusion_steps);
    dl_denoiser *net = dl_denoiser_create(&config);
    real *parameters = DL_ARRAY(real, dl_denoiser_parameters(net));
    dl_denoiser_initialize(net, 3, parameters);
    dl_rng rng = dl_rng_stream(3, DL_PURPOSE('p', 'e', 'r', 'm'), 0);
    for (size_t i = 0; i < dl_denoiser_parameters(net); i++) /* gates that start at zero must take part */
        parameters[i] += (real)(0.1 * (dl_rng_unit(&rng) - 0.5));
    world w = make_world(7, AGENTS, HORIZON);
    int32_t order[AGENTS];
    for (int i = 0; i < AGENTS; i++) order[i] = i;
    dl_rng_shuffle(&rng, order, AGENTS);
    world p = permuted(&w, order);
    enum { ROW = HORIZON * DL_ACTIONS };
    real a[AGENTS * ROW], b[AGENTS * ROW];
    dl_arena arena = {0};
    dl_denoiser_input one =
        dl_inputs_build(&(dl_noisy_plan){&config, schedule, w.scene, HORIZON, K, w.noisy}, w.planner, NULL, &arena);
    dl_denoiser_input two =
        dl_inputs_build(&(dl_noisy_plan){&config, schedule, p.scene, HORIZON, K, p.noisy}, p.planner, NULL, &arena);
    assert_int_equal(dl_denoiser_infer(net, parameters, &one, a, &arena), DIFFLNS_OK);
    assert_int_equal(dl_denoiser_infer(net, parameters, &two, b, &arena), DIFFLNS_OK);
    for (int i = 0; i < AGENTS; i++)
        for (int n = 0; n < ROW; n++)
            if (fabs(b[i * ROW + n] - a[order[i] * ROW + n]) > 1e-5 * (1 + fabs(a[order[i] * ROW + n])))
                fail_msg("agent %d, logit %d: %g and %g", i, n, b[i * ROW + n], a[order[i] * ROW + n]);
    dl_arena_free(&arena);
    free_world(&w);
    free_world(&p);
    free(parameters);
    dl_denoiser_free(net);
    dl_schedule_free(schedule);
}

static void the_graph_holds_the_nearest_agents(void **state)
{
    (void)state;
    enum { AGENTS = 40, HORIZON = 12 };
    dl_config config = dl_config_paper();
    dl_schedule *schedule = dl_schedule_create(100);
    world w = make_world(6, AGENTS, HORIZON);
    dl_arena arena = {0};
    dl_rng rng = dl_rng_stream(6, DL_PURPOSE('t', 'e', 's', 't'), 0);
    real position[AGENTS * HORIZON * 2];
    for (int i = 0; i < AGENTS * HORIZON * 2; i++) position[i] = (real)(12 * dl_rng_unit(&rng));
    dl_social_graph graph = dl_social_graph_build(&(dl_noisy_plan){&config, schedule, w.scene, HORIZON, 50, w.noisy},
                                                  position, NULL, &arena);
    for (int i = 0; i < AGENTS; i++) {
        assert_int_equal(graph.neighbor[i * graph.width], i);
        double farthest = 0, nearest_left_out = 1e9;
        for (int j = 0; j < AGENTS; j++) {
            double least = 1e9;
            for (int t = 0; t < HORIZON; t++) {
                const real *p = position + 2 * (i * HORIZON + t), *q = position + 2 * (j * HORIZON + t);
                least = fmin(least, fabs(p[0] - q[0]) + fabs(p[1] - q[1]));
            }
            bool in = false;
            for (int n = 0; n < graph.width; n++) in |= graph.neighbor[i * graph.width + n] == j;
            if (in)
                farthest = fmax(farthest, least);
            else
                nearest_left_out = fmin(nearest_left_out, least);
        }
        assert_true(farthest <= nearest_left_out + 1e-5);
    }
    dl_arena_free(&arena);
    free_world(&w);
    dl_schedule_free(schedule);
}

static void neighborhoods_grow_with_the_noise_and_are_clipped(void **state)
{
    (void)state;
    dl_config config = dl_config_paper();
    dl_schedule *schedule = dl_schedule_create(100);
    assert_int_equal(dl_social_neighbors(&config, schedule, 96, 100), 24);
    assert_int_equal(dl_social_neighbors(&config, schedule, 96, 1), 10);
    assert_int_equal(dl_social_neighbors(&config, schedule, 1000, 100), config.network.neighbors_max);
    assert_int_equal(dl_social_neighbors(&config, schedule, 10, 1), config.network.neighbors_min);
    assert_int_equal(dl_social_neighbors(&config, schedule, 3, 100), 2);
    assert_int_equal(dl_social_neighbors(&config, schedule, 1, 100), 0);
    config.network.attention = DL_ATTENTION_DENSE;
    assert_int_equal(dl_social_neighbors(&config, schedule, 312, 1), 311);
    dl_schedule_free(schedule);
}

static void features_say_what_their_layout_says(void **state)
{
    (void)state;
    const int tasks[2][4] = {{0, 0, 0, 2}, {1, 1, 1, 0}};
    dl_instance *instance = test_instance(".../..@", 2, tasks);
    dl_scene *scene = dl_scene_create(instance);
    dl_likeliest *planner = dl_likeliest_create(instance->grid);
    dl_config config = dl_config_compact();
    dl_schedule *schedule = dl_schedule_create(100);
    const uint8_t noisy[4] = {DL_RIGHT, DL_RIGHT, DL_LEFT, DL_STAY}; /* likely: agent 0 goes right, agent 1 left */
    dl_arena arena = {0};
    dl_denoiser_input input =
        dl_inputs_build(&(dl_noisy_plan){&config, schedule, scene, 2, 5, noisy}, planner, NULL, &arena);
    dl_feature_layout layout = dl_config_features(&config);
    const real *row = input.features; /* agent 0, first timestep, on (0,0) */
    assert_true(row[layout.noisy + DL_RIGHT] == 1 && row[layout.noisy + DL_STAY] == 0);
    assert_true(row[layout.inferred + DL_RIGHT] == 1);
    const real cost[DL_ACTIONS] = {0, 2, 1, 2, -1};
    for (int a = 0; a < DL_ACTIONS; a++) assert_true(row[layout.cost + a] == cost[a]);
    const real now[DL_ACTIONS] = {0, 0, 0, 0, 0}, next[DL_ACTIONS] = {0, 0, 1, 0, 0}; /* agent 1 comes below */
    for (int a = 0; a < DL_ACTIONS; a++) {
        assert_true(row[layout.occupancy + a] == now[a]);
        assert_true(row[layout.occupancy + DL_ACTIONS + a] == next[a]);
    }
    const real *second = input.features + layout.count; /* agent 0 on (0,1), agent 1 left (1,1) for (1,0) */
    assert_true(input.position[2] == 0 && input.position[3] == 1);
    assert_true(second[layout.occupancy + DL_DOWN] == 0);
    dl_arena_free(&arena);
    dl_schedule_free(schedule);
    dl_likeliest_free(planner);
    dl_scene_free(scene);
    dl_instance_free(instance);
}

static void the_papers_trajectory_sums_displacements(void **state)
{
    (void)state;
    const int tasks[1][4] = {{0, 0, 1, 2}};
    dl_instance *instance = test_instance(".../...", 1, tasks);
    dl_scene *scene = dl_scene_create(instance);
    dl_config config = dl_config_paper();
    dl_schedule *schedule = dl_schedule_create(100);
    const uint8_t noisy[4] = {DL_UP, DL_RIGHT, DL_DOWN, DL_STAY};
    dl_arena arena = {0};
    dl_trajectory trajectory =
        dl_trajectory_infer(&(dl_noisy_plan){&config, schedule, scene, 4, 50, noisy}, NULL, NULL, &arena);
    const real expected[8] = {-1, 0, -1, 1, 0, 1, 0, 1};
    for (int i = 0; i < 8; i++) assert_true(trajectory.position[i] == expected[i]);
    dl_arena_free(&arena);
    dl_schedule_free(schedule);
    dl_scene_free(scene);
    dl_instance_free(instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(permuted_agents_get_permuted_inputs),
        cmocka_unit_test(permuted_agents_get_permuted_predictions),
        cmocka_unit_test(the_graph_holds_the_nearest_agents),
        cmocka_unit_test(neighborhoods_grow_with_the_noise_and_are_clipped),
        cmocka_unit_test(features_say_what_their_layout_says),
        cmocka_unit_test(the_papers_trajectory_sums_displacements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
