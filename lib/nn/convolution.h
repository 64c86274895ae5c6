/* Convolution 3 x 3 with zero padding of one cell, stride 1 or 2, channels last; and what a pyramid of them needs. */
#ifndef DL_NN_CONVOLUTION_H
#define DL_NN_CONVOLUTION_H

#include "base/arena.h"
#include "nn/real.h"

enum { DL_PATCH = 9 }; /* cells under a kernel */

/* Cells of a side after a convolution of this stride. */
static inline int dl_convolved(int side, int stride)
{
    return (side + stride - 1) / stride;
}

/* x is (height, width, channels); patches is (convolved height * convolved width, 9 * channels): a linear layer over it
 * is the convolution, its weight ordered (kernel row, kernel column, channel). */
void dl_patches_forward(int height, int width, int channels, int stride, const real *x, real *patches);
/* d_patches as patches; dx (height, width, channels) is added to. */
void dl_patches_backward(int height, int width, int channels, int stride, const real *d_patches, real *dx);

/* FiLM and GELU: y = gelu((1 + gain) * x + shift); modulation is (2 * channels), x and y are (cells, channels). */
void dl_film_forward(int cells, int channels, const real *modulation, const real *x, real *y);
/* dy (cells, channels) becomes dx; d_modulation (2 * channels) is added to. */
DL_MUST_CHECK bool dl_film_backward(int cells, int channels, const real *modulation, const real *x, real *dy,
                                    real *d_modulation, dl_arena *scratch);

/* fine (height, width, channels) += coarse, doubled; coarse is (convolved height, convolved width, channels). */
void dl_upsample_add(int height, int width, int channels, const real *coarse, real *fine);
/* d_coarse += what d_fine says about it. */
void dl_upsample_backward(int height, int width, int channels, const real *d_fine, real *d_coarse);

#endif
