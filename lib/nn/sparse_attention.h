/* Sparse attention over a graph, the same graph for every item of a batch: node i attends to its listed neighbors, with
 * a bias that a learned table gives for the relative position of the two nodes (bilinear between its entries, constant
 * beyond its radius). */
#ifndef DL_NN_SPARSE_ATTENTION_H
#define DL_NN_SPARSE_ATTENTION_H

#include <stdint.h>

#include "base/arena.h"
#include "nn/real.h"

typedef struct dl_sparse_shape {
    int items, nodes;        /* a batch of `items` graphs of `nodes` nodes */
    int width, heads;        /* width / heads is a multiple of DL_LANES */
    int neighbors;           /* places in a row of `neighbor` */
    const int32_t *neighbor; /* (nodes, neighbors); -1 is an empty place */
    const real *position;    /* node i of item t is at position[2 * (i * node_step + t * item_step)] */
    int node_step, item_step;
    int radius; /* the table is (2*radius+1, 2*radius+1, heads) */
} dl_sparse_shape;

/* The padded number of keys a node may have. */
int dl_sparse_keys(const dl_sparse_shape *shape);

/* qkv is (items*nodes, 3*width), out is (items*nodes, width), probability is (items*nodes, heads, keys). A node without
 * neighbors gets zeros. */
DL_MUST_CHECK bool dl_sparse_attention_forward(const dl_sparse_shape *shape, const real *bias_table, const real *qkv,
                                               real *out, real *probability, dl_arena *scratch);
/* d_out is (items*nodes, width); d_qkv (items*nodes, 3*width) is replaced; bias_gradient is added to. */
DL_MUST_CHECK bool dl_sparse_attention_backward(const dl_sparse_shape *shape, const real *qkv, const real *probability,
                                                const real *d_out, real *d_qkv, real *bias_gradient, dl_arena *scratch);

#endif
