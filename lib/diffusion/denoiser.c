#include "diffusion/denoiser.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/rng.h"
#include "diffusion/denoiser_parts.h"
#include "nn/convolution.h"
#include "nn/layer_norm.h"

#define ENTROPY_SPREAD (real)0.2 /* the paper's 0.2 in r_0 (1 + 0.2 e) */
#define FIRST_RADIUS   (real)2   /* cells; r_0 before training */

/* ---- the table of tensors ---- */

__attribute__((format(printf, 5, 6))) static size_t add_tensor(dl_denoiser *net, int rows, int columns, bool decays,
                                                               const char *format, ...)
{
    if (!DL_GROW(net->tensor, net->tensor_capacity, net->tensors + 1)) {
        net->starved = true;
        return 0;
    }
    dl_tensor *tensor = &net->tensor[net->tensors++];
    *tensor = (dl_tensor){.rows = rows, .columns = columns, .offset = net->parameters, .decays = decays};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(tensor->name, sizeof tensor->name, format, arguments);
    va_end(arguments);
    net->parameters += (size_t)rows * (size_t)columns;
    return tensor->offset;
}

static dl_linear add_linear(dl_denoiser *net, const char *name, int index, const char *part, int in, int out)
{
    char full[40];
    if (index >= 0)
        snprintf(full, sizeof full, "%s.%d.%s", name, index, part);
    else
        snprintf(full, sizeof full, "%s.%s", name, part);
    dl_linear layer = {.in = in, .out = out};
    layer.weight = add_tensor(net, out, in, true, "%s.weight", full);
    layer.bias = add_tensor(net, out, 1, false, "%s.bias", full);
    return layer;
}

static void add_block(dl_denoiser *net, int index)
{
    const dl_config *config = &net->config;
    dl_interaction_layers *block = &net->block[index];
    int width = config->network.width, side = 2 * config->network.bias_radius + 1;
    int sites = config->network.heads * config->network.points * (2 + config->network.scales);
    block->modulation =
        add_linear(net, "block", index, "modulation", config->network.condition_width, 2 * DL_SUBLAYERS * width);
    block->temporal_qkv = add_linear(net, "block", index, "temporal.qkv", width, 3 * width);
    block->temporal_out = add_linear(net, "block", index, "temporal.out", width, width);
    block->social_qkv = add_linear(net, "block", index, "social.qkv", width, 3 * width);
    block->social_out = add_linear(net, "block", index, "social.out", width, width);
    block->geometric_bias =
        add_tensor(net, side * side, config->network.heads, false, "block.%d.social.geometric_bias", index);
    block->sites = add_linear(net, "block", index, "sensing.sites", width, sites);
    block->radius = add_tensor(net, 1, 1, false, "block.%d.sensing.radius", index);
    block->sensed_out = add_linear(net, "block", index, "sensing.out", width, width);
    block->widen = add_linear(net, "block", index, "feed_forward.widen", width, config->network.feed_forward);
    block->narrow = add_linear(net, "block", index, "feed_forward.narrow", config->network.feed_forward, width);
}

dl_denoiser *dl_denoiser_create(const dl_config *config)
{
    static const char *const places[DL_PLACES] = {"start", "goal", "relative_goal"};
    dl_denoiser *net = DL_NEW(dl_denoiser);
    if (!net) return NULL;
    net->config = *config;
    net->features = dl_config_features(config);
    int width = config->network.width, condition = config->network.condition_width,
        channels = config->network.pyramid_width;
    net->step = add_linear(net, "condition", -1, "step", condition, condition);
    net->map_size = add_linear(net, "condition", -1, "map_size", 2, condition);
    net->density = add_linear(net, "condition", -1, "density", 1, condition);
    net->global[0] = add_linear(net, "condition.global", 0, "layer", 2 * condition, condition);
    net->global[1] = add_linear(net, "condition.global", 1, "layer", condition, condition);
    for (int p = 0; p < DL_PLACES; p++) {
        net->place[p][0] = add_linear(net, places[p], 0, "layer", 2, width);
        net->place[p][1] = add_linear(net, places[p], 1, "layer", width, width);
    }
    net->agent[0] = add_linear(net, "condition.agent", 0, "layer", condition + DL_PLACES * width, condition);
    net->agent[1] = add_linear(net, "condition.agent", 1, "layer", condition, condition);
    net->gate = add_linear(net, "condition", -1, "scale_gate", condition, config->network.scales);
    net->token = add_linear(net, "token", -1, "features", net->features.count, width);
    if (config->network.temporal_encoding) net->clock = add_linear(net, "token", -1, "clock", width, width);
    for (int s = 0; s < config->network.scales; s++) {
        int patch = DL_PATCH * (s == 0 ? (int)DL_MAP_CHANNELS : channels);
        net->convolution[s] = add_linear(net, "pyramid", s, "convolution", patch, channels);
        net->film[s] = add_linear(net, "pyramid", s, "film", condition, 2 * channels);
        net->project[s] = add_linear(net, "pyramid", s, "project", channels, width);
    }
    net->block = DL_ARRAY(dl_interaction_layers, config->network.layers);
    for (int i = 0; net->block && i < config->network.layers; i++) add_block(net, i);
    net->head_norm = add_tensor(net, 2, width, false, "head.norm");
    net->head = add_linear(net, "head", -1, "actions", width, DL_ACTIONS);
    if (net->block && !net->starved) return net;
    dl_denoiser_free(net);
    return NULL;
}

void dl_denoiser_free(dl_denoiser *net)
{
    if (!net) return;
    free(net->block);
    free(net->tensor);
    free(net);
}

size_t dl_denoiser_parameters(const dl_denoiser *net)
{
    return net->parameters;
}

int dl_denoiser_tensors(const dl_denoiser *net)
{
    return net->tensors;
}

const dl_tensor *dl_denoiser_tensor(const dl_denoiser *net, int index)
{
    return &net->tensor[index];
}

/* ---- the starting point of training ---- */

static void zero_linear(const dl_linear *layer, real *parameters)
{
    memset(parameters + layer->weight, 0, sizeof(real) * (size_t)layer->in * (size_t)layer->out);
}

static void shrink_linear(const dl_linear *layer, real factor, real *parameters)
{
    for (size_t i = 0; i < (size_t)layer->in * (size_t)layer->out; i++) parameters[layer->weight + i] *= factor;
}

/* Sampling points start on a spiral around the position, every head turned a little, all weights equal. */
static void spread_points(const dl_config *config, const dl_linear *sites, real *parameters)
{
    int count = config->network.heads * config->network.points;
    real *bias = parameters + sites->bias;
    for (int q = 0; q < count; q++) {
        int head = q / config->network.points, point = q % config->network.points;
        double turn = 2 * M_PI * ((double)point + (double)head / config->network.heads) / config->network.points;
        double distance = (point + 1.0) / config->network.points;
        bias[q] = (real)(distance * sin(turn));
        bias[count + q] = (real)(distance * cos(turn));
    }
    zero_linear(sites, parameters);
}

void dl_denoiser_initialize(const dl_denoiser *net, uint64_t seed, real *parameters)
{
    memset(parameters, 0, sizeof(real) * net->parameters);
    for (int i = 0; i < net->tensors; i++) {
        const dl_tensor *tensor = &net->tensor[i];
        if (!tensor->decays) continue;
        dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('i', 'n', 'i', 't'), (uint64_t)i);
        double limit = 1 / sqrt(tensor->columns);
        for (size_t k = 0; k < (size_t)tensor->rows * (size_t)tensor->columns; k++)
            parameters[tensor->offset + k] = (real)(limit * (2 * dl_rng_unit(&rng) - 1));
    }
    /* Modulations start as the identity, residual updates small, so that depth does not change the scale of x. */
    for (int s = 0; s < net->config.network.scales; s++) zero_linear(&net->film[s], parameters);
    real factor = (real)(1 / sqrt((double)DL_SUBLAYERS * net->config.network.layers));
    for (int i = 0; i < net->config.network.layers; i++) {
        const dl_interaction_layers *block = &net->block[i];
        zero_linear(&block->modulation, parameters);
        spread_points(&net->config, &block->sites, parameters);
        parameters[block->radius] = FIRST_RADIUS;
        shrink_linear(&block->temporal_out, factor, parameters);
        shrink_linear(&block->social_out, factor, parameters);
        shrink_linear(&block->sensed_out, factor, parameters);
        shrink_linear(&block->narrow, factor, parameters);
    }
}

/* ---- forward and backward ---- */

struct dl_denoiser_pass {
    dl_interaction_context context;
    dl_condition *condition;
    dl_pyramid *pyramid;
    dl_interaction_pass *block;
    real *x;          /* (N*T, D): after the last block */
    real *statistics; /* (N*T, 2) */
    real *normal;     /* (N*T, D): after the last layer norm */
    real *logits;     /* (N*T, C) */
};

static size_t token_count(const dl_denoiser_input *input)
{
    return (size_t)input->agents * (size_t)input->horizon;
}

/* Condition, pyramid and initial tokens, as far as time allows. False when memory is out. */
static bool begin(const dl_denoiser *net, const real *parameters, const dl_denoiser_input *input, dl_arena *arena,
                  dl_denoiser_pass *pass)
{
    size_t tokens = token_count(input);
    real *spread = DL_ARENA_ARRAY(arena, real, tokens);
    pass->condition = dl_condition_forward(net, parameters, input, arena);
    pass->pyramid = pass->condition ? dl_pyramid_forward(net, parameters, input, pass->condition, arena) : NULL;
    pass->x = DL_ARENA_ARRAY(arena, real, tokens * (size_t)net->config.network.width);
    if (!spread || !pass->condition || !pass->pyramid || !pass->x) return false;
    for (size_t i = 0; i < tokens; i++) spread[i] = 1 + ENTROPY_SPREAD * input->entropy[i];
    pass->context = (dl_interaction_context){.net = net,
                                             .parameters = parameters,
                                             .input = input,
                                             .condition = pass->condition,
                                             .pyramid = pass->pyramid,
                                             .spread = spread,
                                             .arena = arena,
                                             .threads = 1};
    return dl_is_late(input->deadline) || dl_tokens_forward(net, parameters, input, pass->condition, pass->x, arena);
}

/* The output head over `rows` tokens from x on. */
static void head_forward(const dl_denoiser *net, const real *parameters, int rows, const real *x, real *normal,
                         real *statistics, real *logits)
{
    dl_row_order order = {rows, 1};
    int width = net->config.network.width;
    dl_layer_norm_forward(1, rows, width, parameters + net->head_norm, 2 * width, x, order, normal, order, statistics,
                          NULL);
    dl_linear_forward(&net->head, parameters, rows, normal, width, logits, DL_ACTIONS, false);
}

dl_status dl_denoiser_infer(const dl_denoiser *net, const real *parameters, const dl_denoiser_input *input,
                            real *logits, dl_arena *arena)
{
    return dl_denoiser_infer_together(net, parameters, input, logits, arena, 1);
}

/* Through all blocks, as far as time allows. False when memory is out. */
static bool infer_blocks(dl_denoiser_pass *pass, int threads)
{
    const dl_denoiser *net = pass->context.net;
    pass->context.threads = threads;
    pass->context.worker = threads > 1 ? DL_ARRAY(dl_arena, threads) : NULL;
    bool room = threads == 1 || pass->context.worker;
    for (int i = 0; room && i < net->config.network.layers && !dl_is_late(pass->context.input->deadline); i++)
        room = dl_interaction_forward(&pass->context, &net->block[i], pass->x, NULL);
    for (int i = 0; pass->context.worker && i < threads; i++) dl_arena_free(&pass->context.worker[i]);
    free(pass->context.worker);
    return room;
}

dl_status dl_denoiser_infer_together(const dl_denoiser *net, const real *parameters, const dl_denoiser_input *input,
                                     real *logits, dl_arena *arena, int threads)
{
    if (input->status != DIFFLNS_OK) return input->status;
    if (dl_is_late(input->deadline)) return DIFFLNS_STOPPED;
    dl_arena_mark mark = dl_arena_position(arena);
    dl_denoiser_pass pass = {0};
    int horizon = input->horizon;
    size_t width = (size_t)net->config.network.width;
    bool room = begin(net, parameters, input, arena, &pass) && infer_blocks(&pass, threads);
    real *normal = DL_ARENA_ARRAY(arena, real, (size_t)horizon * width);
    dl_status status = !room || !normal              ? DIFFLNS_OUT_OF_MEMORY
                       : dl_is_late(input->deadline) ? DIFFLNS_STOPPED
                                                     : DIFFLNS_OK;
    for (int i = 0; i < input->agents && status == DIFFLNS_OK; i++) {
        size_t token = (size_t)i * (size_t)horizon;
        head_forward(net, parameters, horizon, pass.x + token * width, normal, NULL, logits + token * DL_ACTIONS);
    }
    dl_arena_rewind(arena, mark);
    return status;
}

static dl_denoiser_pass *forward(const dl_denoiser *net, const real *parameters, const dl_denoiser_input *input,
                                 dl_arena *arena)
{
    size_t tokens = token_count(input), width = (size_t)net->config.network.width;
    dl_denoiser_pass *pass = dl_arena_calloc(arena, sizeof *pass);
    if (!pass || !begin(net, parameters, input, arena, pass)) return NULL;
    pass->block = DL_ARENA_ARRAY(arena, dl_interaction_pass, net->config.network.layers);
    for (int i = 0; i < net->config.network.layers; i++)
        if (!pass->block || !dl_interaction_forward(&pass->context, &net->block[i], pass->x, &pass->block[i]))
            return NULL;
    pass->normal = DL_ARENA_ARRAY(arena, real, tokens * width);
    pass->statistics = DL_ARENA_ARRAY(arena, real, 2 * tokens);
    pass->logits = DL_ARENA_ARRAY(arena, real, tokens * DL_ACTIONS);
    if (!pass->normal || !pass->statistics || !pass->logits) return NULL;
    head_forward(net, parameters, (int)tokens, pass->x, pass->normal, pass->statistics, pass->logits);
    return pass;
}

dl_denoiser_pass *dl_denoiser_forward(const dl_denoiser *net, const real *parameters, const dl_denoiser_input *input,
                                      dl_arena *arena)
{
    dl_arena_mark mark = dl_arena_position(arena);
    dl_denoiser_pass *pass = input->status != DIFFLNS_OK ? NULL : forward(net, parameters, input, arena);
    if (!pass) dl_arena_rewind(arena, mark);
    return pass;
}

const real *dl_denoiser_logits(const dl_denoiser_pass *pass)
{
    return pass->logits;
}

static bool backward(const dl_denoiser *net, const real *parameters, dl_denoiser_pass *pass, const real *logit_gradient,
                     real *gradient, dl_arena *arena)
{
    const dl_denoiser_input *input = pass->context.input;
    int tokens = (int)token_count(input), width = net->config.network.width,
        condition_width = net->config.network.condition_width;
    size_t stream = (size_t)tokens * (size_t)width;
    real *d_normal = DL_ARENA_ARRAY(arena, real, stream);
    real *dx = dl_arena_calloc(arena, sizeof(real) * stream);
    dl_condition_gradient d = {.tokens = dx};
    d.global = dl_arena_calloc(arena, sizeof(real) * (size_t)condition_width);
    d.agent = dl_arena_calloc(arena, sizeof(real) * (size_t)input->agents * (size_t)condition_width);
    if (!d_normal || !dx || !d.global || !d.agent) return false;
    for (int s = 0; s < net->config.network.scales; s++) {
        dl_level *level = &pass->pyramid->level[s];
        level->gradient =
            dl_arena_calloc(arena, sizeof(real) * (size_t)level->height * (size_t)level->width * (size_t)width);
        if (!level->gradient) return false;
    }
    dl_row_order order = {tokens, 1};
    dl_linear_backward_weight(&net->head, tokens, pass->normal, width, logit_gradient, DL_ACTIONS, gradient);
    dl_linear_backward_input(&net->head, parameters, tokens, logit_gradient, DL_ACTIONS, d_normal, width, false);
    dl_layer_norm_backward(1, tokens, width, parameters + net->head_norm, 2 * width, pass->x, order, d_normal, order,
                           pass->statistics, dx, gradient + net->head_norm);
    for (int i = net->config.network.layers - 1; i >= 0; i--)
        if (!dl_interaction_backward(&pass->context, &net->block[i], &pass->block[i], dx, &d, gradient)) return false;
    return dl_pyramid_backward(net, parameters, pass->condition, pass->pyramid, &d, gradient, arena) &&
           dl_condition_backward(net, parameters, input, pass->condition, &d, gradient, arena);
}

bool dl_denoiser_backward(const dl_denoiser *net, const real *parameters, dl_denoiser_pass *pass,
                          const real *logit_gradient, real *gradient, dl_arena *arena)
{
    dl_arena_mark mark = dl_arena_position(arena);
    bool whole = backward(net, parameters, pass, logit_gradient, gradient, arena);
    dl_arena_rewind(arena, mark);
    return whole;
}

/* ---- counting ---- */

double dl_denoiser_flops(const dl_denoiser *net, const dl_denoiser_input *input)
{
    double tokens = (double)token_count(input), flops = 0;
    for (int i = 0; i < net->config.network.layers; i++) flops += dl_interaction_flops(net, &net->block[i], input);
    int height = input->height, width = input->width;
    for (int s = 0; s < net->config.network.scales; s++) {
        if (s > 0) {
            height = dl_convolved(height, 2);
            width = dl_convolved(width, 2);
        }
        double cells = (double)height * width;
        flops += dl_linear_flops(&net->convolution[s], cells) + dl_linear_flops(&net->project[s], cells);
    }
    for (int i = 0; i < 2; i++) {
        flops += dl_linear_flops(&net->agent[i], input->agents);
        for (int p = 0; p < DL_PLACES; p++) flops += dl_linear_flops(&net->place[p][i], input->agents);
    }
    return flops + dl_linear_flops(&net->token, tokens) + dl_linear_flops(&net->head, tokens);
}
