/* The interaction block: temporal attention, sparse social attention, environment sensing and a feed-forward network,
 * each a residual update after AdaLN. Every update works through the tokens chunk by chunk, so that what passes
 * between its kernels stays in the cache; when nothing is kept for backward one chunk's memory serves all. */
#include <omp.h>
#include <stdatomic.h>
#include <string.h>

#include "diffusion/denoiser_parts.h"
#include "nn/activation.h"
#include "nn/layer_norm.h"
#include "nn/sparse_attention.h"
#include "nn/temporal_attention.h"

enum { CHUNK_TOKENS = 512 };

/* Chunks are whole agents, or for social attention whole timesteps. */
static int chunk_lines(int tokens_per_line)
{
    return tokens_per_line < CHUNK_TOKENS ? CHUNK_TOKENS / tokens_per_line : 1;
}

typedef struct chunk {
    int first, lines; /* agents, or timesteps */
    size_t tokens;
} chunk;

static chunk chunk_at(int first, int lines, int all, int tokens_per_line)
{
    chunk c = {first, first + lines <= all ? lines : all - first, 0};
    c.tokens = (size_t)c.lines * (size_t)tokens_per_line;
    return c;
}

static dl_temporal_shape temporal_shape(const dl_denoiser *net, int agents, int horizon)
{
    const dl_config *config = &net->config;
    return (dl_temporal_shape){.sequences = agents,
                               .length = horizon,
                               .width = config->network.width,
                               .heads = config->network.heads,
                               .window = config->network.window,
                               .stride = config->network.stride};
}

static dl_sparse_shape social_shape(const dl_interaction_context *context, int first, int timesteps)
{
    const dl_config *config = &context->net->config;
    const dl_denoiser_input *input = context->input;
    return (dl_sparse_shape){.items = timesteps,
                             .nodes = input->agents,
                             .width = config->network.width,
                             .heads = config->network.heads,
                             .neighbors = input->neighbors,
                             .neighbor = input->neighbor,
                             .position = input->position + 2 * (size_t)first,
                             .node_step = input->horizon,
                             .item_step = 1,
                             .radius = config->network.bias_radius};
}

static dl_sampling_shape sensing_shape(const dl_interaction_context *context, int first, int agents)
{
    const dl_config *config = &context->net->config;
    size_t token = (size_t)first * (size_t)context->input->horizon;
    return (dl_sampling_shape){.tokens = agents * context->input->horizon,
                               .width = config->network.width,
                               .heads = config->network.heads,
                               .points = config->network.points,
                               .levels = config->network.scales,
                               .level = context->pyramid->level,
                               .position = context->input->position + 2 * token,
                               .spread = context->spread + token};
}

static int projected_columns(const dl_interaction_layers *layers, dl_sublayer which)
{
    switch (which) {
    case DL_TEMPORAL:
        return layers->temporal_qkv.out;
    case DL_SOCIAL:
        return layers->social_qkv.out;
    case DL_SENSING:
        return layers->sites.out;
    default:
        return layers->widen.out;
    }
}

/* Columns of attention probabilities a token has in each sublayer. */
static int probability_columns(const dl_interaction_context *context, dl_sublayer which)
{
    if (which == DL_TEMPORAL) {
        dl_temporal_shape shape = temporal_shape(context->net, 1, context->input->horizon);
        return shape.heads * dl_temporal_keys(&shape);
    }
    if (which == DL_SOCIAL) {
        dl_sparse_shape shape = social_shape(context, 0, 1);
        return shape.heads * dl_sparse_keys(&shape);
    }
    return 0;
}

/* Room for `tokens` tokens of a sublayer, but for what only backward needs. False when memory is out. */
static bool allocate(const dl_interaction_context *context, const dl_interaction_layers *layers, dl_sublayer which,
                     size_t tokens, dl_sublayer_pass *out)
{
    size_t width = (size_t)context->net->config.network.width;
    *out = (dl_sublayer_pass){
        .input = NULL,
        .statistics = NULL,
        .normal = DL_ARENA_ARRAY(context->arena, real, width * tokens),
        .projected = DL_ARENA_ARRAY(context->arena, real, (size_t)projected_columns(layers, which) * tokens),
        .probability = DL_ARENA_ARRAY(context->arena, real, (size_t)probability_columns(context, which) * tokens),
        .mixed = which == DL_FEED_FORWARD ? NULL : DL_ARENA_ARRAY(context->arena, real, width * tokens),
    };
    return out->normal && out->projected && out->probability && (out->mixed || which == DL_FEED_FORWARD);
}

/* The part of a pass that begins `tokens` tokens in. The statistics and the input follow the residual stream's order,
 * which for social attention is not that of the rest: `stream_tokens`. */
static dl_sublayer_pass from_token(const dl_interaction_context *context, const dl_interaction_layers *layers,
                                   dl_sublayer which, dl_sublayer_pass pass, size_t tokens, size_t stream_tokens)
{
    size_t width = (size_t)context->net->config.network.width;
    pass.input += width * stream_tokens;
    pass.statistics += 2 * stream_tokens;
    pass.normal += width * tokens;
    pass.projected += (size_t)projected_columns(layers, which) * tokens;
    pass.probability += (size_t)probability_columns(context, which) * tokens;
    if (pass.mixed) pass.mixed += width * tokens;
    return pass;
}

/* Gain and shift of a sublayer for agents from `first` on; rows are 8 D apart. */
static real *modulation_of(const dl_interaction_context *context, real *modulation, dl_sublayer which, int first)
{
    size_t width = (size_t)context->net->config.network.width;
    return modulation + (size_t)first * 2 * DL_SUBLAYERS * width + 2 * width * (size_t)which;
}

static bool temporal_forward(const dl_interaction_context *context, const dl_interaction_layers *layers, chunk c,
                             real *x, dl_sublayer_pass pass)
{
    int width = context->net->config.network.width, rows = (int)c.tokens;
    dl_temporal_shape shape = temporal_shape(context->net, c.lines, context->input->horizon);
    dl_linear_forward(&layers->temporal_qkv, context->parameters, rows, pass.normal, width, pass.projected, 3 * width,
                      false);
    if (!dl_temporal_attention_forward(&shape, pass.projected, pass.mixed, pass.probability, context->arena))
        return false;
    dl_linear_forward(&layers->temporal_out, context->parameters, rows, pass.mixed, width, x, width, true);
    return true;
}

/* Rows of the residual stream are (agent, timestep), those of a social chunk (timestep, agent). */
static void add_to_stream(const dl_interaction_context *context, chunk c, const real *rows, real *x)
{
    size_t width = (size_t)context->net->config.network.width, horizon = (size_t)context->input->horizon;
    for (int t = 0; t < c.lines; t++)
        for (int i = 0; i < context->input->agents; i++, rows += width) {
            real *restrict target = x + ((size_t)i * horizon + (size_t)t) * width;
            for (size_t k = 0; k < width; k++) target[k] += rows[k];
        }
}

static void gather_from_stream(const dl_interaction_context *context, chunk c, const real *x, real *rows)
{
    size_t width = (size_t)context->net->config.network.width, horizon = (size_t)context->input->horizon;
    for (int t = 0; t < c.lines; t++)
        for (int i = 0; i < context->input->agents; i++, rows += width)
            memcpy(rows, x + ((size_t)i * horizon + (size_t)t) * width, sizeof(real) * width);
}

static bool social_forward(const dl_interaction_context *context, const dl_interaction_layers *layers, chunk c, real *x,
                           dl_sublayer_pass pass)
{
    dl_arena_mark mark = dl_arena_position(context->arena);
    int width = context->net->config.network.width, rows = (int)c.tokens;
    dl_sparse_shape shape = social_shape(context, c.first, c.lines);
    real *update = DL_ARENA_ARRAY(context->arena, real, c.tokens * (size_t)width);
    if (!update) return false;
    dl_linear_forward(&layers->social_qkv, context->parameters, rows, pass.normal, width, pass.projected, 3 * width,
                      false);
    if (!dl_sparse_attention_forward(&shape, context->parameters + layers->geometric_bias, pass.projected, pass.mixed,
                                     pass.probability, context->arena))
        return false;
    dl_linear_forward(&layers->social_out, context->parameters, rows, pass.mixed, width, update, width, false);
    add_to_stream(context, c, update, x);
    dl_arena_rewind(context->arena, mark);
    return true;
}

static bool sensing_forward(const dl_interaction_context *context, const dl_interaction_layers *layers, chunk c,
                            real *x, dl_sublayer_pass pass)
{
    int width = context->net->config.network.width, rows = (int)c.tokens;
    dl_sampling_shape shape = sensing_shape(context, c.first, c.lines);
    dl_linear_forward(&layers->sites, context->parameters, rows, pass.normal, width, pass.projected, layers->sites.out,
                      false);
    if (!dl_sampling_forward(&shape, context->parameters + layers->radius, context->condition->gate, pass.projected,
                             pass.mixed, context->arena))
        return false;
    dl_linear_forward(&layers->sensed_out, context->parameters, rows, pass.mixed, width, x, width, true);
    return true;
}

static bool feed_forward(const dl_interaction_context *context, const dl_interaction_layers *layers, chunk c, real *x,
                         dl_sublayer_pass pass)
{
    dl_arena_mark mark = dl_arena_position(context->arena);
    int width = context->net->config.network.width, hidden = layers->widen.out, rows = (int)c.tokens;
    size_t count = c.tokens * (size_t)hidden;
    real *active = DL_ARENA_ARRAY(context->arena, real, count);
    if (!active) return false;
    dl_linear_forward(&layers->widen, context->parameters, rows, pass.normal, width, pass.projected, hidden, false);
    dl_gelu_forward(count, pass.projected, active);
    dl_linear_forward(&layers->narrow, context->parameters, rows, active, hidden, x, width, true);
    dl_arena_rewind(context->arena, mark);
    return true;
}

/* One chunk of a residual update; x is the whole stream, pass begins with the chunk. False when memory is out, as all
 * below. */
static bool chunk_forward(const dl_interaction_context *context, const dl_interaction_layers *layers, dl_sublayer which,
                          chunk c, real *modulation, real *x, dl_sublayer_pass pass)
{
    const dl_denoiser_input *input = context->input;
    int width = context->net->config.network.width, stride = 2 * DL_SUBLAYERS * width;
    real *rows = x + (size_t)c.first * (size_t)width * (which == DL_SOCIAL ? 1 : (size_t)input->horizon);
    dl_row_order along = {input->horizon, 1}, across = {1, input->agents};
    if (which == DL_SOCIAL)
        dl_layer_norm_forward(input->agents, c.lines, width, modulation_of(context, modulation, which, 0), stride, rows,
                              along, pass.normal, across, pass.statistics, pass.input);
    else
        dl_layer_norm_forward(c.lines, input->horizon, width, modulation_of(context, modulation, which, c.first),
                              stride, rows, along, pass.normal, along, pass.statistics, pass.input);
    switch (which) {
    case DL_TEMPORAL:
        return temporal_forward(context, layers, c, rows, pass);
    case DL_SOCIAL:
        return social_forward(context, layers, c, rows, pass);
    case DL_SENSING:
        return sensing_forward(context, layers, c, rows, pass);
    default:
        return feed_forward(context, layers, c, rows, pass);
    }
}

/* Lines of a sublayer's chunks: agents, or timesteps for social attention. */
static int line_count(const dl_denoiser_input *input, dl_sublayer which, int *tokens_per_line)
{
    *tokens_per_line = which == DL_SOCIAL ? input->agents : input->horizon;
    return which == DL_SOCIAL ? input->horizon : input->agents;
}

static bool forward_keeping(const dl_interaction_context *context, const dl_interaction_layers *layers,
                            dl_sublayer which, real *modulation, real *x, dl_sublayer_pass *keep)
{
    int line, all = line_count(context->input, which, &line), lines = chunk_lines(line);
    size_t tokens = (size_t)all * (size_t)line;
    bool room = allocate(context, layers, which, tokens, keep);
    keep->input = DL_ARENA_ARRAY(context->arena, real, tokens * (size_t)context->net->config.network.width);
    keep->statistics = DL_ARENA_ARRAY(context->arena, real, 2 * tokens);
    if (!room || !keep->input || !keep->statistics) return false;
    for (int first = 0; first < all; first += lines) {
        size_t token = (size_t)first * (size_t)line, stream = which == DL_SOCIAL ? (size_t)first : token;
        if (!chunk_forward(context, layers, which, chunk_at(first, lines, all, line), modulation, x,
                           from_token(context, layers, which, *keep, token, stream)))
            return false;
    }
    return true;
}

/* Takes chunks until none is left, or no time; threads share `next`. Chunks touch different rows of x, so their order
 * is free. */
static bool forward_chunks(const dl_interaction_context *context, const dl_interaction_layers *layers,
                           dl_sublayer which, real *modulation, real *x, atomic_int *next)
{
    dl_arena_mark mark = dl_arena_position(context->arena);
    int line, all = line_count(context->input, which, &line), lines = chunk_lines(line);
    dl_sublayer_pass scratch;
    bool whole = allocate(context, layers, which, (size_t)(lines < all ? lines : all) * (size_t)line, &scratch);
    for (int first; whole && (first = atomic_fetch_add(next, lines)) < all && !dl_is_late(context->input->deadline);)
        whole = chunk_forward(context, layers, which, chunk_at(first, lines, all, line), modulation, x, scratch);
    dl_arena_rewind(context->arena, mark);
    return whole;
}

static bool forward_only(const dl_interaction_context *context, const dl_interaction_layers *layers, dl_sublayer which,
                         real *modulation, real *x)
{
    atomic_int next = 0;
    if (context->threads == 1) return forward_chunks(context, layers, which, modulation, x, &next);
    bool whole = true;
#pragma omp parallel num_threads(context->threads) reduction(&& : whole)
    {
        dl_interaction_context own = *context;
        own.arena = &context->worker[omp_get_thread_num()];
        whole = forward_chunks(&own, layers, which, modulation, x, &next);
    }
    return whole;
}

bool dl_interaction_forward(const dl_interaction_context *context, const dl_interaction_layers *layers, real *x,
                            dl_interaction_pass *keep)
{
    int columns = layers->modulation.out, agents = context->input->agents;
    dl_arena_mark mark = dl_arena_position(context->arena);
    real *modulation = DL_ARENA_ARRAY(context->arena, real, (size_t)agents * (size_t)columns);
    if (!modulation) return false;
    dl_linear_forward(&layers->modulation, context->parameters, agents, context->condition->agent,
                      context->net->config.network.condition_width, modulation, columns, false);
    for (int which = 0; which < DL_SUBLAYERS; which++) {
        if (keep ? !forward_keeping(context, layers, (dl_sublayer)which, modulation, x, &keep->sublayer[which])
                 : !forward_only(context, layers, (dl_sublayer)which, modulation, x))
            return false;
    }
    if (keep)
        keep->modulation = modulation;
    else
        dl_arena_rewind(context->arena, mark);
    return true;
}

/* The backward functions leave the gradient after AdaLN in d_normal. */
/* Gradients of one chunk: by what its sublayer made, and what comes of it. */
typedef struct chunk_gradients {
    const real *out;
    real *normal; /* by the normalized tokens that entered */
    real *gate;   /* by the gates of the scales; added to, as those by parameters */
    real *parameters;
} chunk_gradients;

static bool temporal_backward(const dl_interaction_context *context, const dl_interaction_layers *layers, chunk c,
                              dl_sublayer_pass pass, const chunk_gradients *d)
{
    int width = context->net->config.network.width, rows = (int)c.tokens;
    dl_temporal_shape shape = temporal_shape(context->net, c.lines, context->input->horizon);
    real *d_mixed = DL_ARENA_ARRAY(context->arena, real, c.tokens * (size_t)width);
    real *d_qkv = DL_ARENA_ARRAY(context->arena, real, c.tokens * 3 * (size_t)width);
    if (!d_mixed || !d_qkv) return false;
    dl_linear_backward_weight(&layers->temporal_out, rows, pass.mixed, width, d->out, width, d->parameters);
    dl_linear_backward_input(&layers->temporal_out, context->parameters, rows, d->out, width, d_mixed, width, false);
    if (!dl_temporal_attention_backward(&shape, pass.projected, pass.probability, d_mixed, d_qkv, context->arena))
        return false;
    dl_linear_backward_weight(&layers->temporal_qkv, rows, pass.normal, width, d_qkv, 3 * width, d->parameters);
    dl_linear_backward_input(&layers->temporal_qkv, context->parameters, rows, d_qkv, 3 * width, d->normal, width,
                             false);
    return true;
}

static bool social_backward(const dl_interaction_context *context, const dl_interaction_layers *layers, chunk c,
                            dl_sublayer_pass pass, const chunk_gradients *d)
{
    int width = context->net->config.network.width, rows = (int)c.tokens;
    dl_sparse_shape shape = social_shape(context, c.first, c.lines);
    real *d_update = DL_ARENA_ARRAY(context->arena, real, c.tokens * (size_t)width);
    real *d_mixed = DL_ARENA_ARRAY(context->arena, real, c.tokens * (size_t)width);
    real *d_qkv = DL_ARENA_ARRAY(context->arena, real, c.tokens * 3 * (size_t)width);
    if (!d_update || !d_mixed || !d_qkv) return false;
    gather_from_stream(context, c, d->out, d_update);
    dl_linear_backward_weight(&layers->social_out, rows, pass.mixed, width, d_update, width, d->parameters);
    dl_linear_backward_input(&layers->social_out, context->parameters, rows, d_update, width, d_mixed, width, false);
    if (!dl_sparse_attention_backward(&shape, pass.projected, pass.probability, d_mixed, d_qkv,
                                      d->parameters + layers->geometric_bias, context->arena))
        return false;
    dl_linear_backward_weight(&layers->social_qkv, rows, pass.normal, width, d_qkv, 3 * width, d->parameters);
    dl_linear_backward_input(&layers->social_qkv, context->parameters, rows, d_qkv, 3 * width, d->normal, width, false);
    return true;
}

static bool sensing_backward(const dl_interaction_context *context, const dl_interaction_layers *layers, chunk c,
                             dl_sublayer_pass pass, const chunk_gradients *d)
{
    int width = context->net->config.network.width, columns = layers->sites.out, rows = (int)c.tokens;
    dl_sampling_shape shape = sensing_shape(context, c.first, c.lines);
    real *d_mixed = DL_ARENA_ARRAY(context->arena, real, c.tokens * (size_t)width);
    real *d_sites = DL_ARENA_ARRAY(context->arena, real, c.tokens * (size_t)columns);
    if (!d_mixed || !d_sites) return false;
    dl_linear_backward_weight(&layers->sensed_out, rows, pass.mixed, width, d->out, width, d->parameters);
    dl_linear_backward_input(&layers->sensed_out, context->parameters, rows, d->out, width, d_mixed, width, false);
    if (!dl_sampling_backward(&shape, context->parameters + layers->radius, context->condition->gate, pass.projected,
                              d_mixed, d_sites, d->parameters + layers->radius, d->gate, context->arena))
        return false;
    dl_linear_backward_weight(&layers->sites, rows, pass.normal, width, d_sites, columns, d->parameters);
    dl_linear_backward_input(&layers->sites, context->parameters, rows, d_sites, columns, d->normal, width, false);
    return true;
}

static bool feed_forward_backward(const dl_interaction_context *context, const dl_interaction_layers *layers, chunk c,
                                  dl_sublayer_pass pass, const chunk_gradients *d)
{
    int width = context->net->config.network.width, hidden = layers->widen.out, rows = (int)c.tokens;
    size_t count = c.tokens * (size_t)hidden;
    real *active = DL_ARENA_ARRAY(context->arena, real, count), *d_hidden = DL_ARENA_ARRAY(context->arena, real, count);
    if (!active || !d_hidden) return false;
    dl_linear_backward_input(&layers->narrow, context->parameters, rows, d->out, width, d_hidden, hidden, false);
    dl_gelu_backward(count, pass.projected, active, d_hidden);
    dl_linear_backward_weight(&layers->narrow, rows, active, hidden, d->out, width, d->parameters);
    dl_linear_backward_weight(&layers->widen, rows, pass.normal, width, d_hidden, hidden, d->parameters);
    dl_linear_backward_input(&layers->widen, context->parameters, rows, d_hidden, hidden, d->normal, width, false);
    return true;
}

static bool chunk_backward(const dl_interaction_context *context, const dl_interaction_layers *layers,
                           dl_sublayer which, chunk c, dl_sublayer_pass pass, const chunk_gradients *d)
{
    switch (which) {
    case DL_TEMPORAL:
        return temporal_backward(context, layers, c, pass, d);
    case DL_SOCIAL:
        return social_backward(context, layers, c, pass, d);
    case DL_SENSING:
        return sensing_backward(context, layers, c, pass, d);
    default:
        return feed_forward_backward(context, layers, c, pass, d);
    }
}

static bool sublayer_backward(const dl_interaction_context *context, const dl_interaction_layers *layers,
                              dl_sublayer which, const dl_interaction_pass *block, real *d_modulation, real *dx,
                              dl_condition_gradient *d, real *gradient)
{
    const dl_denoiser_input *input = context->input;
    int width = context->net->config.network.width, stride = 2 * DL_SUBLAYERS * width;
    int line, all = line_count(input, which, &line), lines = chunk_lines(line);
    for (int first = 0; first < all; first += lines) {
        dl_arena_mark mark = dl_arena_position(context->arena);
        chunk c = chunk_at(first, lines, all, line);
        size_t token = (size_t)first * (size_t)line, stream = which == DL_SOCIAL ? (size_t)first : token;
        dl_sublayer_pass pass = from_token(context, layers, which, block->sublayer[which], token, stream);
        real *rows = dx + stream * (size_t)width;
        real *d_normal = DL_ARENA_ARRAY(context->arena, real, c.tokens * (size_t)width);
        chunk_gradients by = {rows, d_normal, d->gate, gradient};
        if (!d_normal || !chunk_backward(context, layers, which, c, pass, &by)) return false;
        dl_row_order along = {input->horizon, 1}, across = {1, input->agents};
        int agent = which == DL_SOCIAL ? 0 : first;
        dl_layer_norm_backward(which == DL_SOCIAL ? input->agents : c.lines,
                               which == DL_SOCIAL ? c.lines : input->horizon, width,
                               modulation_of(context, block->modulation, which, agent), stride, pass.input, along,
                               d_normal, which == DL_SOCIAL ? across : along, pass.statistics, rows,
                               modulation_of(context, d_modulation, which, agent));
        dl_arena_rewind(context->arena, mark);
    }
    return true;
}

bool dl_interaction_backward(const dl_interaction_context *context, const dl_interaction_layers *layers,
                             const dl_interaction_pass *pass, real *dx, dl_condition_gradient *d, real *gradient)
{
    dl_arena_mark mark = dl_arena_position(context->arena);
    int columns = layers->modulation.out, agents = context->input->agents;
    int condition_width = context->net->config.network.condition_width;
    real *d_modulation = dl_arena_calloc(context->arena, sizeof(real) * (size_t)agents * (size_t)columns);
    if (!d_modulation) return false;
    for (int which = DL_SUBLAYERS - 1; which >= 0; which--)
        if (!sublayer_backward(context, layers, (dl_sublayer)which, pass, d_modulation, dx, d, gradient)) return false;
    dl_linear_backward_weight(&layers->modulation, agents, context->condition->agent, condition_width, d_modulation,
                              columns, gradient);
    dl_linear_backward_input(&layers->modulation, context->parameters, agents, d_modulation, columns, d->agent,
                             condition_width, true);
    dl_arena_rewind(context->arena, mark);
    return true;
}

/* Keys of all tokens of one sequence: its windows squared, and the anchors outside each. */
static double temporal_pairs(const dl_config *config, int horizon)
{
    double pairs = 0;
    for (int first = 0; first < horizon; first += config->network.window) {
        int end = first + config->network.window < horizon ? first + config->network.window : horizon,
            keys = end - first;
        for (int t = 0; t < horizon; t += config->network.stride) keys += t < first || t >= end;
        pairs += (double)keys * (end - first);
    }
    return pairs;
}

double dl_interaction_flops(const dl_denoiser *net, const dl_interaction_layers *layers, const dl_denoiser_input *input)
{
    double tokens = (double)input->agents * input->horizon, links = 0;
    for (size_t i = 0; i < (size_t)input->agents * (size_t)input->neighbors; i++) links += input->neighbor[i] >= 0;
    double linear = dl_linear_flops(&layers->temporal_qkv, tokens) + dl_linear_flops(&layers->temporal_out, tokens) +
                    dl_linear_flops(&layers->social_qkv, tokens) + dl_linear_flops(&layers->social_out, tokens) +
                    dl_linear_flops(&layers->sites, tokens) + dl_linear_flops(&layers->sensed_out, tokens) +
                    dl_linear_flops(&layers->widen, tokens) + dl_linear_flops(&layers->narrow, tokens) +
                    dl_linear_flops(&layers->modulation, input->agents);
    double pairs = temporal_pairs(&net->config, input->horizon) * input->agents + links * input->horizon;
    return linear + 4 * pairs * net->config.network.width; /* a score and a mixture for each pair */
}
