/* Deformable sampling: each token reads a pyramid of feature maps at points around its position, bilinearly, and mixes
 * what it finds with weights of its own and one gate a level. Head h reads channels h*size .. (h+1)*size. */
#ifndef DL_NN_DEFORMABLE_SAMPLING_H
#define DL_NN_DEFORMABLE_SAMPLING_H

#include "base/arena.h"
#include "nn/real.h"

enum { DL_MAX_LEVELS = 8 };

/* Cell (r, c) of level s lies over cell (2^s r, 2^s c) of level 0. */
typedef struct dl_level {
    int height, width;
    real *feature;  /* (height, width, channels) */
    real *gradient; /* the same shape, added to by backward */
} dl_level;

typedef struct dl_sampling_shape {
    int tokens;
    int width, heads; /* width / heads is a multiple of DL_LANES */
    int points, levels;
    const dl_level *level;
    const real *position; /* (tokens, 2), in cells of level 0; points off the map read its border */
    const real *spread;   /* (tokens): distance, in units of the radius, of a point with offset 1 */
} dl_sampling_shape;

/* Columns of `sites`: row offsets (heads*points), column offsets (heads*points), weights (heads, levels*points). */
int dl_sampling_columns(const dl_sampling_shape *shape);

/* sites is (tokens, columns): projections, replaced by tanh of the offsets and softmax of the weights.
 * radius is (1), gate is (levels), out is (tokens, width). */
DL_MUST_CHECK bool dl_sampling_forward(const dl_sampling_shape *shape, const real *radius, const real *gate,
                                       real *sites, real *out, dl_arena *scratch);
/* sites as forward left them; d_out is (tokens, width); d_sites (tokens, columns) is replaced by the gradient of the
 * projections; d_radius (1), d_gate (levels) and the gradients of the levels are added to. */
DL_MUST_CHECK bool dl_sampling_backward(const dl_sampling_shape *shape, const real *radius, const real *gate,
                                        const real *sites, const real *d_out, real *d_sites, real *d_radius,
                                        real *d_gate, dl_arena *scratch);

#endif
