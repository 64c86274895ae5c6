/* The environment feature pyramid: convolutions of stride 1, 2, 2, ..., each modulated by the global condition, an
 * upsampling path that ends one level short of the finest (the paper's "partial"), and a projection of each level. */
#include <string.h>

#include "diffusion/denoiser_parts.h"
#include "nn/convolution.h"

static int stride_of(int level)
{
    return level == 0 ? 1 : 2;
}

static int channels_into(const dl_denoiser *net, int level)
{
    return level == 0 ? (int)DL_MAP_CHANNELS : net->config.network.pyramid_width;
}

static int cells_of(const dl_level *level)
{
    return level->height * level->width;
}

/* Cells between two looks at the clock: a few milliseconds. */
enum { SLICE_CELLS = 8192 };

/* A layer over the cells of a level, as far as time allows. */
static void over_cells(const dl_linear *layer, const real *parameters, const dl_denoiser_input *input, int cells,
                       const real *x, real *y)
{
    for (int first = 0; first < cells && !dl_is_late(input->deadline); first += SLICE_CELLS) {
        int rows = cells - first < SLICE_CELLS ? cells - first : (int)SLICE_CELLS;
        dl_linear_forward(layer, parameters, rows, x + (size_t)first * (size_t)layer->in, layer->in,
                          y + (size_t)first * (size_t)layer->out, layer->out, false);
    }
}

dl_pyramid *dl_pyramid_forward(const dl_denoiser *net, const real *parameters, const dl_denoiser_input *input,
                               const dl_condition *condition, dl_arena *arena)
{
    int width = net->config.network.width, channels = net->config.network.pyramid_width,
        levels = net->config.network.scales;
    dl_pyramid *pyramid = dl_arena_calloc(arena, sizeof *pyramid);
    int height_above = input->height, width_above = input->width;
    const real *above = input->map;
    for (int s = 0; s < levels && !dl_is_late(input->deadline); s++) {
        dl_level *level = &pyramid->level[s];
        level->height = dl_convolved(height_above, stride_of(s));
        level->width = dl_convolved(width_above, stride_of(s));
        int cells = cells_of(level), into = channels_into(net, s), patch = DL_PATCH * into;
        pyramid->patches[s] = DL_ARENA_ARRAY(arena, real, (size_t)cells * (size_t)patch);
        pyramid->convolved[s] = DL_ARENA_ARRAY(arena, real, (size_t)cells * (size_t)channels);
        pyramid->fused[s] = DL_ARENA_ARRAY(arena, real, (size_t)cells * (size_t)channels);
        pyramid->modulation[s] = DL_ARENA_ARRAY(arena, real, 2 * channels);
        dl_patches_forward(height_above, width_above, into, stride_of(s), above, pyramid->patches[s]);
        over_cells(&net->convolution[s], parameters, input, cells, pyramid->patches[s], pyramid->convolved[s]);
        if (dl_is_late(input->deadline)) break;
        dl_linear_forward(&net->film[s], parameters, 1, condition->global, net->config.network.condition_width,
                          pyramid->modulation[s], 2 * channels, false);
        dl_film_forward(cells, channels, pyramid->modulation[s], pyramid->convolved[s], pyramid->fused[s]);
        above = pyramid->fused[s];
        height_above = level->height;
        width_above = level->width;
    }
    if (dl_is_late(input->deadline)) return pyramid;
    for (int s = levels - 2; s >= 1; s--)
        dl_upsample_add(pyramid->level[s].height, pyramid->level[s].width, channels, pyramid->fused[s + 1],
                        pyramid->fused[s]);
    for (int s = 0; s < levels; s++) {
        dl_level *level = &pyramid->level[s];
        level->feature = DL_ARENA_ARRAY(arena, real, (size_t)cells_of(level) * (size_t)width);
        over_cells(&net->project[s], parameters, input, cells_of(level), pyramid->fused[s], level->feature);
    }
    return pyramid;
}

void dl_pyramid_backward(const dl_denoiser *net, const real *parameters, const dl_condition *condition,
                         const dl_pyramid *pyramid, dl_condition_gradient *d, real *gradient, dl_arena *arena)
{
    dl_arena_mark mark = dl_arena_position(arena);
    int width = net->config.network.width, channels = net->config.network.pyramid_width,
        levels = net->config.network.scales;
    int condition_width = net->config.network.condition_width;
    real *d_fused[DL_MAX_LEVELS] = {NULL};
    for (int s = 0; s < levels; s++) {
        const dl_level *level = &pyramid->level[s];
        d_fused[s] = DL_ARENA_ARRAY(arena, real, (size_t)cells_of(level) * (size_t)channels);
        dl_linear_backward_weight(&net->project[s], cells_of(level), pyramid->fused[s], channels, level->gradient,
                                  width, gradient);
        dl_linear_backward_input(&net->project[s], parameters, cells_of(level), level->gradient, width, d_fused[s],
                                 channels, false);
    }
    for (int s = 1; s + 1 < levels; s++)
        dl_upsample_backward(pyramid->level[s].height, pyramid->level[s].width, channels, d_fused[s], d_fused[s + 1]);
    real *d_modulation = DL_ARENA_ARRAY(arena, real, 2 * channels);
    for (int s = levels - 1; s >= 0; s--) {
        int cells = cells_of(&pyramid->level[s]), into = channels_into(net, s), patch = DL_PATCH * into;
        memset(d_modulation, 0, sizeof(real) * 2 * (size_t)channels);
        dl_film_backward(cells, channels, pyramid->modulation[s], pyramid->convolved[s], d_fused[s], d_modulation,
                         arena);
        dl_linear_backward_weight(&net->film[s], 1, condition->global, condition_width, d_modulation, 2 * channels,
                                  gradient);
        dl_linear_backward_input(&net->film[s], parameters, 1, d_modulation, 2 * channels, d->global, condition_width,
                                 true);
        dl_linear_backward_weight(&net->convolution[s], cells, pyramid->patches[s], patch, d_fused[s], channels,
                                  gradient);
        if (s == 0) break;
        dl_arena_mark inner = dl_arena_position(arena);
        real *d_patches = DL_ARENA_ARRAY(arena, real, (size_t)cells * (size_t)patch);
        dl_linear_backward_input(&net->convolution[s], parameters, cells, d_fused[s], channels, d_patches, patch,
                                 false);
        dl_patches_backward(pyramid->level[s - 1].height, pyramid->level[s - 1].width, into, stride_of(s), d_patches,
                            d_fused[s - 1]);
        dl_arena_rewind(arena, inner);
    }
    dl_arena_rewind(arena, mark);
}
