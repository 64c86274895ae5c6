/* Condition encoding and initial denoising tokens. */
#include <math.h>
#include <string.h>

#include "diffusion/denoiser_parts.h"
#include "nn/activation.h"
#include "nn/embedding.h"
#include "nn/softmax.h"

/* The middle of a cell on a map whose borders are -1 and 1. */
static real normalized(real cell, int side)
{
    return (2 * cell + 1) / (real)side - 1;
}

/* A two-layer perceptron; hidden is kept before GELU. */
static void perceptron_forward(const dl_linear layer[2], const real *parameters, int rows, const real *x, int x_stride,
                               real *hidden, real *y, int y_stride, dl_arena *arena)
{
    dl_arena_mark mark = dl_arena_position(arena);
    int width = layer[0].out;
    real *active = DL_ARENA_ARRAY(arena, real, (size_t)rows * (size_t)width);
    dl_linear_forward(&layer[0], parameters, rows, x, x_stride, hidden, width, false);
    dl_gelu_forward((size_t)rows * (size_t)width, hidden, active);
    dl_linear_forward(&layer[1], parameters, rows, active, width, y, y_stride, false);
    dl_arena_rewind(arena, mark);
}

/* dx may be NULL. */
static void perceptron_backward(const dl_linear layer[2], const real *parameters, int rows, const real *x, int x_stride,
                                const real *hidden, const real *dy, int dy_stride, real *dx, int dx_stride,
                                real *gradient, dl_arena *arena)
{
    dl_arena_mark mark = dl_arena_position(arena);
    int width = layer[0].out;
    size_t count = (size_t)rows * (size_t)width;
    real *active = DL_ARENA_ARRAY(arena, real, count), *d_hidden = DL_ARENA_ARRAY(arena, real, count);
    dl_linear_backward_input(&layer[1], parameters, rows, dy, dy_stride, d_hidden, width, false);
    dl_gelu_backward(count, hidden, active, d_hidden);
    dl_linear_backward_weight(&layer[1], rows, active, width, dy, dy_stride, gradient);
    dl_linear_backward_weight(&layer[0], rows, x, x_stride, d_hidden, width, gradient);
    if (dx) dl_linear_backward_input(&layer[0], parameters, rows, d_hidden, width, dx, dx_stride, false);
    dl_arena_rewind(arena, mark);
}

static void encode_global(const dl_denoiser *net, const real *parameters, const dl_denoiser_input *input,
                          dl_condition *c, dl_arena *arena)
{
    int width = net->config.network.condition_width;
    c->step_code = DL_ARENA_ARRAY(arena, real, width);
    c->sizes = DL_ARENA_ARRAY(arena, real, 3);
    c->global_input = DL_ARENA_ARRAY(arena, real, 2 * width);
    c->global_hidden = DL_ARENA_ARRAY(arena, real, width);
    c->global = DL_ARENA_ARRAY(arena, real, width);
    dl_sinusoid(input->step, width, c->step_code);
    c->sizes[0] = (real)log(input->width);
    c->sizes[1] = (real)log(input->height);
    c->sizes[2] = (real)log1p((double)input->agents / (double)input->free_cells);
    dl_linear_forward(&net->step, parameters, 1, c->step_code, width, c->global_input, width, false);
    dl_linear_forward(&net->map_size, parameters, 1, c->sizes, 2, c->global_input + width, width, false);
    dl_linear_forward(&net->density, parameters, 1, c->sizes + 2, 1, c->global_input + width, width, true);
    perceptron_forward(net->global, parameters, 1, c->global_input, 2 * width, c->global_hidden, c->global, width,
                       arena);
    dl_linear_forward(&net->gate, parameters, 1, c->global, width, c->gate, net->config.network.scales, false);
    dl_softmax(c->gate, net->config.network.scales);
}

dl_condition *dl_condition_forward(const dl_denoiser *net, const real *parameters, const dl_denoiser_input *input,
                                   dl_arena *arena)
{
    int width = net->config.network.width, condition_width = net->config.network.condition_width,
        agents = input->agents;
    int row = condition_width + DL_PLACES * width;
    dl_condition *c = dl_arena_calloc(arena, sizeof *c);
    encode_global(net, parameters, input, c, arena);
    c->agent_input = DL_ARENA_ARRAY(arena, real, (size_t)agents * (size_t)row);
    c->agent_hidden = DL_ARENA_ARRAY(arena, real, (size_t)agents * (size_t)condition_width);
    c->agent = DL_ARENA_ARRAY(arena, real, (size_t)agents * (size_t)condition_width);
    for (int p = 0; p < DL_PLACES; p++) {
        c->place[p] = DL_ARENA_ARRAY(arena, real, 2 * (size_t)agents);
        c->place_hidden[p] = DL_ARENA_ARRAY(arena, real, (size_t)agents * (size_t)width);
    }
    for (int i = 0; i < 2 * agents; i++) {
        int side = i % 2 ? input->width : input->height;
        c->place[0][i] = normalized(input->start[i], side);
        c->place[1][i] = normalized(input->goal[i], side);
        c->place[2][i] = c->place[1][i] - c->place[0][i];
    }
    for (int i = 0; i < agents; i++)
        memcpy(c->agent_input + (size_t)i * (size_t)row, c->global, sizeof(real) * (size_t)condition_width);
    for (int p = 0; p < DL_PLACES; p++)
        perceptron_forward(net->place[p], parameters, agents, c->place[p], 2, c->place_hidden[p],
                           c->agent_input + condition_width + p * width, row, arena);
    perceptron_forward(net->agent, parameters, agents, c->agent_input, row, c->agent_hidden, c->agent, condition_width,
                       arena);
    return c;
}

/* PE(tau) of every timestep, (T, D). */
static real *clock_codes(const dl_denoiser *net, int horizon, dl_arena *arena)
{
    int width = net->config.network.width;
    real *codes = DL_ARENA_ARRAY(arena, real, (size_t)horizon * (size_t)width);
    for (int t = 0; t < horizon; t++) dl_sinusoid(t, width, codes + (size_t)t * (size_t)width);
    return codes;
}

void dl_tokens_forward(const dl_denoiser *net, const real *parameters, const dl_denoiser_input *input,
                       const dl_condition *condition, real *tokens, dl_arena *arena)
{
    dl_arena_mark mark = dl_arena_position(arena);
    int width = net->config.network.width, condition_width = net->config.network.condition_width;
    int row = condition_width + DL_PLACES * width, features = net->features.count;
    real *clock = NULL, *place = DL_ARENA_ARRAY(arena, real, width);
    if (net->config.network.temporal_encoding) {
        clock = DL_ARENA_ARRAY(arena, real, (size_t)input->horizon * (size_t)width);
        dl_linear_forward(&net->clock, parameters, input->horizon, clock_codes(net, input->horizon, arena), width,
                          clock, width, false);
    }
    dl_linear_forward(&net->token, parameters, input->agents * input->horizon, input->features, features, tokens, width,
                      false);
    for (int i = 0; i < input->agents; i++) {
        const real *s = condition->agent_input + (size_t)i * (size_t)row + condition_width, *g = s + width,
                   *r = g + width;
        for (int c = 0; c < width; c++) place[c] = s[c] + g[c] + r[c];
        for (int t = 0; t < input->horizon; t++) {
            real *restrict token = tokens + ((size_t)i * (size_t)input->horizon + (size_t)t) * (size_t)width;
            for (int c = 0; c < width; c++) token[c] += place[c];
            for (int c = 0; clock && c < width; c++) token[c] += clock[t * width + c];
        }
    }
    dl_arena_rewind(arena, mark);
}

/* Gradient of phi_a and of the clock; sums the tokens of each agent into d_place (N, D). */
static void tokens_backward(const dl_denoiser *net, const dl_denoiser_input *input, const real *d_tokens, real *d_place,
                            real *gradient, dl_arena *arena)
{
    int width = net->config.network.width;
    size_t clock_count = (size_t)input->horizon * (size_t)width;
    real *d_clock = dl_arena_calloc(arena, sizeof(real) * clock_count);
    memset(d_place, 0, sizeof(real) * (size_t)input->agents * (size_t)width);
    for (int i = 0; i < input->agents; i++)
        for (int t = 0; t < input->horizon; t++) {
            const real *restrict d = d_tokens + ((size_t)i * (size_t)input->horizon + (size_t)t) * (size_t)width;
            real *restrict place = d_place + (size_t)i * (size_t)width, *restrict clock =
                                                                            d_clock + (size_t)t * (size_t)width;
            for (int c = 0; c < width; c++) {
                place[c] += d[c];
                clock[c] += d[c];
            }
        }
    if (net->config.network.temporal_encoding)
        dl_linear_backward_weight(&net->clock, input->horizon, clock_codes(net, input->horizon, arena), width, d_clock,
                                  width, gradient);
    dl_linear_backward_weight(&net->token, input->agents * input->horizon, input->features, net->features.count,
                              d_tokens, width, gradient);
}

void dl_condition_backward(const dl_denoiser *net, const real *parameters, const dl_denoiser_input *input,
                           const dl_condition *condition, dl_condition_gradient *d, real *gradient, dl_arena *arena)
{
    dl_arena_mark mark = dl_arena_position(arena);
    int width = net->config.network.width, condition_width = net->config.network.condition_width,
        agents = input->agents;
    int row = condition_width + DL_PLACES * width, scales = net->config.network.scales;
    real *d_place = DL_ARENA_ARRAY(arena, real, (size_t)agents * (size_t)width);
    real *d_row = DL_ARENA_ARRAY(arena, real, (size_t)agents * (size_t)row);
    real *d_global_input = DL_ARENA_ARRAY(arena, real, 2 * condition_width);
    tokens_backward(net, input, d->tokens, d_place, gradient, arena);
    perceptron_backward(net->agent, parameters, agents, condition->agent_input, row, condition->agent_hidden, d->agent,
                        condition_width, d_row, row, gradient, arena);
    for (int i = 0; i < agents; i++) {
        real *restrict from = d_row + (size_t)i * (size_t)row;
        for (int c = 0; c < condition_width; c++) d->global[c] += from[c];
        for (int c = 0; c < DL_PLACES * width; c++)
            from[condition_width + c] += d_place[(size_t)i * (size_t)width + (size_t)(c % width)];
    }
    for (int p = 0; p < DL_PLACES; p++)
        perceptron_backward(net->place[p], parameters, agents, condition->place[p], 2, condition->place_hidden[p],
                            d_row + condition_width + p * width, row, NULL, 0, gradient, arena);
    dl_softmax_backward(condition->gate, d->gate, scales);
    dl_linear_backward_weight(&net->gate, 1, condition->global, condition_width, d->gate, scales, gradient);
    dl_linear_backward_input(&net->gate, parameters, 1, d->gate, scales, d->global, condition_width, true);
    perceptron_backward(net->global, parameters, 1, condition->global_input, 2 * condition_width,
                        condition->global_hidden, d->global, condition_width, d_global_input, 2 * condition_width,
                        gradient, arena);
    const real *d_sizes = d_global_input + condition_width;
    dl_linear_backward_weight(&net->step, 1, condition->step_code, condition_width, d_global_input, condition_width,
                              gradient);
    dl_linear_backward_weight(&net->map_size, 1, condition->sizes, 2, d_sizes, condition_width, gradient);
    dl_linear_backward_weight(&net->density, 1, condition->sizes + 2, 1, d_sizes, condition_width, gradient);
    dl_arena_rewind(arena, mark);
}
