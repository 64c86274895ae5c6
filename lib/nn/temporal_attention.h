/* Temporal attention: each token attends to its own window and to anchors every `stride` steps of the whole sequence,
 * in one softmax over both. Anchors inside the window count once. */
#ifndef DL_NN_TEMPORAL_ATTENTION_H
#define DL_NN_TEMPORAL_ATTENTION_H

#include "base/arena.h"
#include "nn/real.h"

typedef struct dl_temporal_shape {
    int sequences, length; /* sequences of `length` tokens each */
    int width, heads;      /* width / heads is a multiple of DL_LANES */
    int window, stride;
} dl_temporal_shape;

/* The padded number of keys a token may have. */
int dl_temporal_keys(const dl_temporal_shape *shape);

/* qkv is (sequences*length, 3*width), out is (sequences*length, width), probability is (sequences*length, heads, keys).
 */
DL_MUST_CHECK bool dl_temporal_attention_forward(const dl_temporal_shape *shape, const real *qkv, real *out,
                                                 real *probability, dl_arena *scratch);
/* d_out is (sequences*length, width); d_qkv is (sequences*length, 3*width) and is replaced. */
DL_MUST_CHECK bool dl_temporal_attention_backward(const dl_temporal_shape *shape, const real *qkv,
                                                  const real *probability, const real *d_out, real *d_qkv,
                                                  dl_arena *scratch);

#endif
