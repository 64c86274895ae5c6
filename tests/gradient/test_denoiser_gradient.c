#include "support_network.h"

/* Loss of the test: a fixed random combination of the logits. */
static double loss_of(const dl_denoiser *net, const real *parameters, const dl_denoiser_input *input,
                      const real *weight, dl_arena *arena)
{
    dl_arena_reset(arena);
    size_t count = (size_t)input->agents * (size_t)input->horizon * DL_ACTIONS;
    real *logits = DL_ARENA_ARRAY(arena, real, count);
    assert_int_equal(dl_denoiser_infer(net, parameters, input, logits, arena), DIFFLNS_OK);
    double loss = 0;
    for (size_t i = 0; i < count; i++) loss += weight[i] * logits[i];
    return loss;
}

/* Compares the gradient of a few entries of every tensor with central differences. */
static void check(const dl_config *config, int agents, int horizon, int height, int width, int neighbors, uint64_t seed)
{
    dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('g', 'r', 'a', 'd'), 0);
    dl_denoiser *net = dl_denoiser_create(config);
    real *parameters = test_network_parameters(&rng, net);
    dl_denoiser_input input = test_network_input(&rng, config, agents, horizon, height, width, neighbors);
    size_t outputs = (size_t)agents * (size_t)horizon * DL_ACTIONS;
    real *weight = test_reals(&rng, outputs, -1, 1);
    real *gradient = DL_ARRAY(real, dl_denoiser_parameters(net));
    dl_arena arena = {0};
    dl_denoiser_pass *pass = dl_denoiser_forward(net, parameters, &input, &arena);
    assert_true(dl_denoiser_backward(net, parameters, pass, weight, gradient, &arena));
    double norm = 0;
    for (size_t i = 0; i < dl_denoiser_parameters(net); i++) norm += gradient[i] * gradient[i];
    double scale = sqrt(norm / (double)dl_denoiser_parameters(net));
    for (int i = 0; i < dl_denoiser_tensors(net); i++) {
        const dl_tensor *tensor = dl_denoiser_tensor(net, i);
        for (int probe = 0; probe < 4; probe++) {
            size_t at = tensor->offset + dl_rng_below(&rng, (uint32_t)(tensor->rows * tensor->columns));
            real kept = parameters[at], step = 1e-6; /* small: bilinear reading has kinks at cell borders */
            parameters[at] = kept + step;
            double up = loss_of(net, parameters, &input, weight, &arena);
            parameters[at] = kept - step;
            double down = loss_of(net, parameters, &input, weight, &arena);
            parameters[at] = kept;
            double expected = (up - down) / (2 * step), difference = fabs(expected - gradient[at]);
            if (!(difference <= 1e-5 * (fabs(expected) + 1e-2 * scale)))
                fail_msg("seed %d, %s[%d]: gradient %.10g, central difference %.10g", (int)seed, tensor->name,
                         (int)(at - tensor->offset), gradient[at], expected);
        }
    }
    dl_arena_free(&arena);
    free(gradient);
    free(weight);
    free(parameters);
    test_network_input_free(&input);
    dl_denoiser_free(net);
}

static dl_config small_config(void)
{
    dl_config config = dl_config_paper();
    config.network.width = 32;
    config.network.condition_width = 12;
    config.network.heads = 2;
    config.network.layers = 2;
    config.network.feed_forward = 24;
    config.network.window = 4;
    config.network.stride = 3;
    config.network.points = 3;
    config.network.pyramid_width = 6;
    config.network.bias_radius = 3;
    return config;
}

static void the_papers_network_has_the_gradient_of_its_forward_pass(void **state)
{
    (void)state;
    dl_config config = small_config();
    check(&config, 5, 10, 7, 6, 4, 1);
    check(&config, 3, 9, 12, 5, 3, 2);
}

static void every_extra_input_has_its_gradient(void **state)
{
    (void)state;
    dl_config config = small_config();
    config.network.trajectory = DL_TRAJECTORY_MAP;
    config.network.cost_to_go = config.network.occupancy = config.network.temporal_encoding = true;
    config.network.scales = 2;
    check(&config, 4, 6, 5, 8, 4, 3);
}

static void one_agent_one_timestep_and_one_cell_have_theirs(void **state)
{
    (void)state;
    dl_config config = small_config();
    check(&config, 1, 1, 1, 1, 1, 4);
    check(&config, 1, 5, 1, 9, 1, 5);
    check(&config, 6, 1, 9, 1, 6, 6);
}

static void chunks_do_not_matter(void **state)
{
    (void)state;
    dl_config config = small_config();
    config.network.layers = 1;
    config.network.window = 32;
    config.network.stride = 16;
    check(&config, 40, 61, 9, 9, 5, 7); /* more than two chunks of either kind */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_papers_network_has_the_gradient_of_its_forward_pass),
        cmocka_unit_test(every_extra_input_has_its_gradient),
        cmocka_unit_test(one_agent_one_timestep_and_one_cell_have_theirs),
        cmocka_unit_test(chunks_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
