#include "nn/convolution.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "nn/activation.h"

/* The cell under kernel place `place` of output cell (row, column), or NULL off the map. */
static const real *under(int height, int width, int channels, int stride, const real *x, int row, int column, int place)
{
    int r = row * stride + place / 3 - 1, c = column * stride + place % 3 - 1;
    if (r < 0 || r >= height || c < 0 || c >= width) return NULL;
    return x + ((size_t)r * (size_t)width + (size_t)c) * (size_t)channels;
}

void dl_patches_forward(int height, int width, int channels, int stride, const real *x, real *patches)
{
    assert(height > 0 && width > 0 && stride > 0);
    for (int row = 0; row < dl_convolved(height, stride); row++)
        for (int column = 0; column < dl_convolved(width, stride); column++)
            for (int place = 0; place < DL_PATCH; place++, patches += channels) {
                const real *cell = under(height, width, channels, stride, x, row, column, place);
                if (cell)
                    memcpy(patches, cell, sizeof(real) * (size_t)channels);
                else
                    memset(patches, 0, sizeof(real) * (size_t)channels);
            }
}

void dl_patches_backward(int height, int width, int channels, int stride, const real *d_patches, real *dx)
{
    for (int row = 0; row < dl_convolved(height, stride); row++)
        for (int column = 0; column < dl_convolved(width, stride); column++)
            for (int place = 0; place < DL_PATCH; place++, d_patches += channels) {
                real *cell = (real *)under(height, width, channels, stride, dx, row, column, place);
                for (int i = 0; cell && i < channels; i++) cell[i] += d_patches[i];
            }
}

void dl_film_forward(int cells, int channels, const real *modulation, const real *x, real *y)
{
    const real *restrict gain = modulation, *restrict shift = modulation + channels;
    size_t count = (size_t)cells * (size_t)channels;
    for (size_t i = 0; i < count; i += (size_t)channels)
        for (int c = 0; c < channels; c++) y[i + (size_t)c] = (1 + gain[c]) * x[i + (size_t)c] + shift[c];
    dl_gelu_forward(count, y, y);
}

bool dl_film_backward(int cells, int channels, const real *modulation, const real *x, real *dy, real *d_modulation,
                      dl_arena *scratch)
{
    dl_arena_mark mark = dl_arena_position(scratch);
    const real *restrict gain = modulation, *restrict shift = modulation + channels;
    real *restrict d_gain = d_modulation, *restrict d_shift = d_modulation + channels;
    size_t count = (size_t)cells * (size_t)channels;
    real *inner = DL_ARENA_ARRAY(scratch, real, count), *again = DL_ARENA_ARRAY(scratch, real, count);
    if (!inner || !again) return false;
    for (size_t i = 0; i < count; i += (size_t)channels)
        for (int c = 0; c < channels; c++) inner[i + (size_t)c] = (1 + gain[c]) * x[i + (size_t)c] + shift[c];
    dl_gelu_backward(count, inner, again, dy);
    for (size_t i = 0; i < count; i += (size_t)channels)
        for (int c = 0; c < channels; c++) {
            real d = dy[i + (size_t)c];
            d_gain[c] += d * x[i + (size_t)c];
            d_shift[c] += d;
            dy[i + (size_t)c] = d * (1 + gain[c]);
        }
    dl_arena_rewind(scratch, mark);
    return true;
}

void dl_upsample_add(int height, int width, int channels, const real *coarse, real *fine)
{
    int coarse_width = dl_convolved(width, 2);
    for (int r = 0; r < height; r++)
        for (int c = 0; c < width; c++, fine += channels) {
            const real *from = coarse + ((size_t)(r / 2) * (size_t)coarse_width + (size_t)(c / 2)) * (size_t)channels;
            for (int i = 0; i < channels; i++) fine[i] += from[i];
        }
}

void dl_upsample_backward(int height, int width, int channels, const real *d_fine, real *d_coarse)
{
    int coarse_width = dl_convolved(width, 2);
    for (int r = 0; r < height; r++)
        for (int c = 0; c < width; c++, d_fine += channels) {
            real *to = d_coarse + ((size_t)(r / 2) * (size_t)coarse_width + (size_t)(c / 2)) * (size_t)channels;
            for (int i = 0; i < channels; i++) to[i] += d_fine[i];
        }
}
