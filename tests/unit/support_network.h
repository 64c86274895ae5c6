/* Random inputs of the denoising network, for its tests; works in both precisions. */
#ifndef DL_TESTS_SUPPORT_NETWORK_H
#define DL_TESTS_SUPPORT_NETWORK_H

#include <math.h>

#include "base/memory.h"
#include "diffusion/denoiser.h"
#include "support.h"

static inline real test_real(dl_rng *rng, double low, double high)
{
    return (real)(low + (high - low) * dl_rng_unit(rng));
}

static inline real *test_reals(dl_rng *rng, size_t count, double low, double high)
{
    real *values = dl_aligned(sizeof(real) * (count + 1));
    for (size_t i = 0; i < count; i++) values[i] = test_real(rng, low, high);
    return values;
}

/* A sample with fractional positions, soft tokens and some empty places among the neighbors. */
static inline dl_denoiser_input test_network_input(dl_rng *rng, const dl_config *config, int agents, int horizon,
                                                   int height, int width, int neighbors)
{
    size_t tokens = (size_t)agents * (size_t)horizon, cells = (size_t)height * (size_t)width;
    real *features = test_reals(rng, tokens * (size_t)dl_config_features(config).count, 0, 1);
    real *position = test_reals(rng, 2 * tokens, -1, 1), *start = test_reals(rng, 2 * (size_t)agents, 0, 1);
    real *goal = test_reals(rng, 2 * (size_t)agents, 0, 1), *map = test_reals(rng, 3 * cells, 0, 1);
    for (size_t i = 0; i < 2 * tokens; i++)
        position[i] = (position[i] * (real)0.6 + (real)0.5) * (real)(i % 2 ? width : height);
    for (size_t i = 0; i < 2 * (size_t)agents; i++) {
        start[i] *= (real)(i % 2 ? width : height);
        goal[i] *= (real)(i % 2 ? width : height);
    }
    int32_t *neighbor = DL_ARRAY(int32_t, (size_t)agents * (size_t)neighbors + 1);
    for (int i = 0; i < agents; i++)
        for (int m = 0; m < neighbors; m++)
            neighbor[i * neighbors + m] = m == 0 ? i : (int32_t)dl_rng_below(rng, (uint32_t)agents + 1) - 1;
    return (dl_denoiser_input){.agents = agents,
                               .horizon = horizon,
                               .step = 1 + (int)dl_rng_below(rng, 100),
                               .features = features,
                               .position = position,
                               .entropy = test_reals(rng, tokens, 0, 1),
                               .neighbors = neighbors,
                               .neighbor = neighbor,
                               .start = start,
                               .goal = goal,
                               .height = height,
                               .width = width,
                               .free_cells = height * width,
                               .map = map};
}

static inline void test_network_input_free(dl_denoiser_input *input)
{
    free((void *)input->features);
    free((void *)input->position);
    free((void *)input->entropy);
    free((void *)input->neighbor);
    free((void *)input->start);
    free((void *)input->goal);
    free((void *)input->map);
}

/* Parameters far from the starting point: nothing is zero, so every path carries a gradient. */
static inline real *test_network_parameters(dl_rng *rng, const dl_denoiser *net)
{
    real *parameters = dl_aligned(sizeof(real) * dl_denoiser_parameters(net));
    dl_denoiser_initialize(net, 7, parameters);
    for (int i = 0; i < dl_denoiser_tensors(net); i++) {
        const dl_tensor *tensor = dl_denoiser_tensor(net, i);
        double reach = 0.7 / sqrt(tensor->columns);
        for (size_t k = 0; k < (size_t)tensor->rows * (size_t)tensor->columns; k++)
            parameters[tensor->offset + k] += test_real(rng, -reach, reach);
    }
    return parameters;
}

#endif
