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

/* Rows of numbers that begin so far apart. */
typedef struct strided {
    real *at;
    int stride;
} strided;

/* A two-layer perceptron and what it was given; `hidden` is kept before GELU. */
typedef struct perceptron {
    const dl_linear *layer; /* [2] */
    const real *parameters;
    int rows;
    strided x;
    real *hidden;
} perceptron;

static perceptron perceptron_of_all(const dl_denoiser *net, const real *parameters, const dl_condition *c)
{
    return (perceptron){
        net->global, parameters, 1, {c->global_input, 2 * net->config.network.condition_width}, c->global_hidden};
}

static perceptron perceptron_of_place(const dl_denoiser *net, const real *parameters, const dl_condition *c, int place,
                                      int agents)
{
    return (perceptron){net->place[place], parameters, agents, {c->place[place], 2}, c->place_hidden[place]};
}

/* What is known of each agent: of everybody, then of its places. */
static int agent_columns(const dl_denoiser *net)
{
    return net->config.network.condition_width + DL_PLACES * net->config.network.width;
}

static perceptron perceptron_of_agents(const dl_denoiser *net, const real *parameters, const dl_condition *c,
                                       int agents)
{
    return (perceptron){net->agent, parameters, agents, {c->agent_input, agent_columns(net)}, c->agent_hidden};
}

/* False when memory is out, as everything here. */
static bool perceptron_forward(const perceptron *p, strided y, dl_arena *arena)
{
    dl_arena_mark mark = dl_arena_position(arena);
    int width = p->layer[0].out;
    size_t count = (size_t)p->rows * (size_t)width;
    real *active = DL_ARENA_ARRAY(arena, real, count);
    if (!active) return false;
    dl_linear_forward(&p->layer[0], p->parameters, p->rows, p->x.at, p->x.stride, p->hidden, width, false);
    dl_gelu_forward(count, p->hidden, active);
    dl_linear_forward(&p->layer[1], p->parameters, p->rows, active, width, y.at, y.stride, false);
    dl_arena_rewind(arena, mark);
    return true;
}

/* dx.at may be NULL. */
static bool perceptron_backward(const perceptron *p, strided dy, strided dx, real *gradient, dl_arena *arena)
{
    dl_arena_mark mark = dl_arena_position(arena);
    int width = p->layer[0].out, rows = p->rows;
    size_t count = (size_t)rows * (size_t)width;
    real *active = DL_ARENA_ARRAY(arena, real, count), *d_hidden = DL_ARENA_ARRAY(arena, real, count);
    if (!active || !d_hidden) return false;
    dl_linear_backward_input(&p->layer[1], p->parameters, rows, dy.at, dy.stride, d_hidden, width, false);
    dl_gelu_backward(count, p->hidden, active, d_hidden);
    dl_linear_backward_weight(&p->layer[1], rows, active, width, dy.at, dy.stride, gradient);
    dl_linear_backward_weight(&p->layer[0], rows, p->x.at, p->x.stride, d_hidden, width, gradient);
    if (dx.at) dl_linear_backward_input(&p->layer[0], p->parameters, rows, d_hidden, width, dx.at, dx.stride, false);
    dl_arena_rewind(arena, mark);
    return true;
}

static bool encode_global(const dl_denoiser *net, const real *parameters, const dl_denoiser_input *input,
                          dl_condition *c, dl_arena *arena)
{
    int width = net->config.network.condition_width;
    c->step_code = DL_ARENA_ARRAY(arena, real, width);
    c->sizes = DL_ARENA_ARRAY(arena, real, 3);
    c->global_input = DL_ARENA_ARRAY(arena, real, 2 * width);
    c->global_hidden = DL_ARENA_ARRAY(arena, real, width);
    c->global = DL_ARENA_ARRAY(arena, real, width);
    if (!c->step_code || !c->sizes || !c->global_input || !c->global_hidden || !c->global) return false;
    dl_sinusoid(input->step, width, c->step_code);
    c->sizes[0] = (real)log(input->width);
    c->sizes[1] = (real)log(input->height);
    c->sizes[2] = (real)log1p((double)input->agents / (double)input->free_cells);
    dl_linear_forward(&net->step, parameters, 1, c->step_code, width, c->global_input, width, false);
    dl_linear_forward(&net->map_size, parameters, 1, c->sizes, 2, c->global_input + width, width, false);
    dl_linear_forward(&net->density, parameters, 1, c->sizes + 2, 1, c->global_input + width, width, true);
    perceptron all = perceptron_of_all(net, parameters, c);
    if (!perceptron_forward(&all, (strided){c->global, width}, arena)) return false;
    dl_linear_forward(&net->gate, parameters, 1, c->global, width, c->gate, net->config.network.scales, false);
    dl_softmax(c->gate, net->config.network.scales);
    return true;
}

dl_condition *dl_condition_forward(const dl_denoiser *net, const real *parameters, const dl_denoiser_input *input,
                                   dl_arena *arena)
{
    int width = net->config.network.width, condition_width = net->config.network.condition_width,
        agents = input->agents;
    int row = agent_columns(net);
    dl_condition *c = dl_arena_calloc(arena, sizeof *c);
    if (!c || !encode_global(net, parameters, input, c, arena)) return NULL;
    c->agent_input = DL_ARENA_ARRAY(arena, real, (size_t)agents * (size_t)row);
    c->agent_hidden = DL_ARENA_ARRAY(arena, real, (size_t)agents * (size_t)condition_width);
    c->agent = DL_ARENA_ARRAY(arena, real, (size_t)agents * (size_t)condition_width);
    for (int p = 0; p < DL_PLACES; p++) {
        c->place[p] = DL_ARENA_ARRAY(arena, real, 2 * (size_t)agents);
        c->place_hidden[p] = DL_ARENA_ARRAY(arena, real, (size_t)agents * (size_t)width);
        if (!c->place[p] || !c->place_hidden[p]) return NULL;
    }
    if (!c->agent_input || !c->agent_hidden || !c->agent) return NULL;
    for (int i = 0; i < 2 * agents; i++) {
        int side = i % 2 ? input->width : input->height;
        c->place[0][i] = normalized(input->start[i], side);
        c->place[1][i] = normalized(input->goal[i], side);
        c->place[2][i] = c->place[1][i] - c->place[0][i];
    }
    for (int i = 0; i < agents; i++)
        memcpy(c->agent_input + (size_t)i * (size_t)row, c->global, sizeof(real) * (size_t)condition_width);
    for (int p = 0; p < DL_PLACES; p++) {
        perceptron place = perceptron_of_place(net, parameters, c, p, agents);
        if (!perceptron_forward(&place, (strided){c->agent_input + condition_width + p * width, row}, arena))
            return NULL;
    }
    perceptron each = perceptron_of_agents(net, parameters, c, agents);
    return perceptron_forward(&each, (strided){c->agent, condition_width}, arena) ? c : NULL;
}

/* PE(tau) of every timestep, (T, D). NULL when memory is out. */
static real *clock_codes(const dl_denoiser *net, int horizon, dl_arena *arena)
{
    int width = net->config.network.width;
    real *codes = DL_ARENA_ARRAY(arena, real, (size_t)horizon * (size_t)width);
    for (int t = 0; codes && t < horizon; t++) dl_sinusoid(t, width, codes + (size_t)t * (size_t)width);
    return codes;
}

bool dl_tokens_forward(const dl_denoiser *net, const real *parameters, const dl_denoiser_input *input,
                       const dl_condition *condition, real *tokens, dl_arena *arena)
{
    dl_arena_mark mark = dl_arena_position(arena);
    int width = net->config.network.width, condition_width = net->config.network.condition_width;
    int row = agent_columns(net), features = net->features.count;
    real *clock = NULL, *place = DL_ARENA_ARRAY(arena, real, width);
    if (net->config.network.temporal_encoding) {
        const real *codes = clock_codes(net, input->horizon, arena);
        clock = DL_ARENA_ARRAY(arena, real, (size_t)input->horizon * (size_t)width);
        if (!codes || !clock) return false;
        dl_linear_forward(&net->clock, parameters, input->horizon, codes, width, clock, width, false);
    }
    if (!place) return false;
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
    return true;
}

/* Gradient of phi_a and of the clock; sums the tokens of each agent into d_place (N, D). */
static bool tokens_backward(const dl_denoiser *net, const dl_denoiser_input *input, const real *d_tokens, real *d_place,
                            real *gradient, dl_arena *arena)
{
    int width = net->config.network.width;
    size_t clock_count = (size_t)input->horizon * (size_t)width;
    real *d_clock = dl_arena_calloc(arena, sizeof(real) * clock_count);
    const real *codes = net->config.network.temporal_encoding ? clock_codes(net, input->horizon, arena) : NULL;
    if (!d_clock || (net->config.network.temporal_encoding && !codes)) return false;
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
    if (codes) dl_linear_backward_weight(&net->clock, input->horizon, codes, width, d_clock, width, gradient);
    dl_linear_backward_weight(&net->token, input->agents * input->horizon, input->features, net->features.count,
                              d_tokens, width, gradient);
    return true;
}

bool dl_condition_backward(const dl_denoiser *net, const real *parameters, const dl_denoiser_input *input,
                           const dl_condition *condition, dl_condition_gradient *d, real *gradient, dl_arena *arena)
{
    dl_arena_mark mark = dl_arena_position(arena);
    int width = net->config.network.width, condition_width = net->config.network.condition_width,
        agents = input->agents;
    int row = agent_columns(net), scales = net->config.network.scales;
    real *d_place = DL_ARENA_ARRAY(arena, real, (size_t)agents * (size_t)width);
    real *d_row = DL_ARENA_ARRAY(arena, real, (size_t)agents * (size_t)row);
    real *d_global_input = DL_ARENA_ARRAY(arena, real, 2 * condition_width);
    perceptron each = perceptron_of_agents(net, parameters, condition, agents),
               all = perceptron_of_all(net, parameters, condition);
    if (!d_place || !d_row || !d_global_input || !tokens_backward(net, input, d->tokens, d_place, gradient, arena) ||
        !perceptron_backward(&each, (strided){d->agent, condition_width}, (strided){d_row, row}, gradient, arena))
        return false;
    for (int i = 0; i < agents; i++) {
        real *restrict from = d_row + (size_t)i * (size_t)row;
        for (int c = 0; c < condition_width; c++) d->global[c] += from[c];
        for (int c = 0; c < DL_PLACES * width; c++)
            from[condition_width + c] += d_place[(size_t)i * (size_t)width + (size_t)(c % width)];
    }
    for (int p = 0; p < DL_PLACES; p++) {
        perceptron place = perceptron_of_place(net, parameters, condition, p, agents);
        strided by_place = {d_row + condition_width + p * width, row};
        if (!perceptron_backward(&place, by_place, (strided){0}, gradient, arena)) return false;
    }
    dl_softmax_backward(condition->gate, d->gate, scales);
    dl_linear_backward_weight(&net->gate, 1, condition->global, condition_width, d->gate, scales, gradient);
    dl_linear_backward_input(&net->gate, parameters, 1, d->gate, scales, d->global, condition_width, true);
    strided by_all = {d->global, condition_width}, by_input = {d_global_input, 2 * condition_width};
    if (!perceptron_backward(&all, by_all, by_input, gradient, arena)) return false;
    const real *d_sizes = d_global_input + condition_width;
    dl_linear_backward_weight(&net->step, 1, condition->step_code, condition_width, d_global_input, condition_width,
                              gradient);
    dl_linear_backward_weight(&net->map_size, 1, condition->sizes, 2, d_sizes, condition_width, gradient);
    dl_linear_backward_weight(&net->density, 1, condition->sizes + 2, 1, d_sizes, condition_width, gradient);
    dl_arena_rewind(arena, mark);
    return true;
}
