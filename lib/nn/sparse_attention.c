#include "nn/sparse_attention.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>
#include <tgmath.h>

#include "nn/simd.h"
#include "nn/softmax.h"

int dl_sparse_keys(const dl_sparse_shape *shape)
{
    return DL_PADDED(shape->neighbors > 0 ? shape->neighbors : 1);
}

/* The rows of the graph without empty places, and working room for one node. */
typedef struct workspace {
    int keys;
    int32_t *list, *count; /* (nodes, keys), (nodes): neighbors of a node, the last one repeated as padding */
    int32_t *place;        /* (keys): where in the table the relative position falls */
    real *row_part, *column_part;
    bool whole;    /* all fractions are zero: agents stand on cells, as they do unless tokens are soft */
    real *d_score; /* (heads, keys) */
} workspace;

/* False when memory is out. */
static bool prepare(const dl_sparse_shape *shape, dl_arena *scratch, workspace *out)
{
    workspace work = {.keys = dl_sparse_keys(shape)};
    work.list = DL_ARENA_ARRAY(scratch, int32_t, shape->nodes * work.keys);
    work.count = DL_ARENA_ARRAY(scratch, int32_t, shape->nodes);
    work.place = DL_ARENA_ARRAY(scratch, int32_t, work.keys);
    work.row_part = DL_ARENA_ARRAY(scratch, real, work.keys);
    work.column_part = DL_ARENA_ARRAY(scratch, real, work.keys);
    work.d_score = DL_ARENA_ARRAY(scratch, real, shape->heads * work.keys);
    if (!work.list || !work.count || !work.place || !work.row_part || !work.column_part || !work.d_score) return false;
    for (int i = 0; i < shape->nodes; i++) {
        int32_t *list = work.list + (size_t)i * (size_t)work.keys;
        int count = 0;
        for (int m = 0; m < shape->neighbors; m++) {
            int32_t j = shape->neighbor[(size_t)i * (size_t)shape->neighbors + (size_t)m];
            assert(j < shape->nodes);
            if (j >= 0) list[count++] = j;
        }
        work.count[i] = count;
        for (int m = count; m < work.keys; m++) list[m] = count > 0 ? list[count - 1] : 0;
    }
    *out = work;
    return true;
}

static const real *position_of(const dl_sparse_shape *shape, int item, int node)
{
    return shape->position + 2 * ((size_t)node * (size_t)shape->node_step + (size_t)item * (size_t)shape->item_step);
}

/* Where the offset of `node` from each of its neighbors falls in the table: the entry at its upper left and the
 * fractions after it. */
static void locate(const dl_sparse_shape *shape, workspace *work, int item, int node, const int32_t *list, int count)
{
    const real *here = position_of(shape, item, node);
    real radius = (real)shape->radius;
    int side = 2 * shape->radius + 1, last = side - 2;
    real fractions = 0;
    for (int m = 0; m < count; m++) {
        const real *there = position_of(shape, item, list[m]);
        real row = here[0] - there[0], column = here[1] - there[1];
        row = row < -radius ? -radius : row > radius ? radius : row;
        column = column < -radius ? -radius : column > radius ? radius : column;
        int r = (int)(row + radius), c = (int)(column + radius);
        work->place[m] = r * side + c;
        work->row_part[m] = row + radius - (real)r;
        work->column_part[m] = column + radius - (real)c;
        fractions += work->row_part[m] + work->column_part[m];
    }
    work->whole = fractions == 0;
    for (int m = 0; m < count && !work->whole; m++) { /* interpolation needs an entry after each */
        if (work->place[m] / side > last) {
            work->place[m] -= side;
            work->row_part[m] += 1;
        }
        if (work->place[m] % side > last) {
            work->place[m] -= 1;
            work->column_part[m] += 1;
        }
    }
}

static void add_bias(const dl_sparse_shape *shape, const workspace *work, const real *table, int count, real *score)
{
    int heads = shape->heads, down = (2 * shape->radius + 1) * heads;
    for (int m = 0; m < count && work->whole; m++) {
        const real *entry = table + work->place[m] * heads;
        for (int h = 0; h < heads; h++) score[h * work->keys + m] += entry[h];
    }
    for (int m = 0; m < count && !work->whole; m++) {
        const real *entry = table + work->place[m] * heads;
        real r = work->row_part[m], c = work->column_part[m];
        for (int h = 0; h < heads; h++)
            score[h * work->keys + m] += (1 - r) * ((1 - c) * entry[h] + c * entry[heads + h]) +
                                         r * ((1 - c) * entry[down + h] + c * entry[down + heads + h]);
    }
}

static void add_bias_gradient(const dl_sparse_shape *shape, const workspace *work, int count, real *table_gradient)
{
    int heads = shape->heads, down = (2 * shape->radius + 1) * heads;
    for (int m = 0; m < count && work->whole; m++) {
        real *entry = table_gradient + work->place[m] * heads;
        for (int h = 0; h < heads; h++) entry[h] += work->d_score[h * work->keys + m];
    }
    for (int m = 0; m < count && !work->whole; m++) {
        real *entry = table_gradient + work->place[m] * heads;
        real r = work->row_part[m], c = work->column_part[m];
        for (int h = 0; h < heads; h++) {
            real d = work->d_score[h * work->keys + m];
            entry[h] += d * (1 - r) * (1 - c);
            entry[heads + h] += d * (1 - r) * c;
            entry[down + h] += d * r * (1 - c);
            entry[down + heads + h] += d * r * c;
        }
    }
}

/* score[m] = scale * (vector . row list[m] of rows), four neighbors at a time. */
DL_INLINE void dot_with_neighbors(int size, int padded, const int32_t *list, const real *vector, const real *rows,
                                  int step, real scale, real *score)
{
    for (int m = 0; m < padded; m += 4) {
        dl_vector sum[4] = {{0}, {0}, {0}, {0}};
        const real *row[4];
        for (int i = 0; i < 4; i++) row[i] = rows + (size_t)list[m + i] * (size_t)step;
        for (int c = 0; c < size; c += DL_LANES) {
            dl_vector left = dl_load(vector + c);
            for (int i = 0; i < 4; i++) sum[i] += left * dl_load(row[i] + c);
        }
        dl_sum4(sum[0], sum[1], sum[2], sum[3], score + m);
    }
    for (int m = 0; m < padded; m++) score[m] *= scale;
}

/* out = scale * sum of weight[m] * row list[m], `vectors` vectors wide. */
DL_INLINE void mix_part(int vectors, int count, const int32_t *list, const real *weight, const real *rows, int step,
                        real scale, real *out)
{
    dl_vector sum[4] = {{0}, {0}, {0}, {0}};
    for (int m = 0; m < count; m++) {
        const real *row = rows + (size_t)list[m] * (size_t)step;
        dl_vector w = dl_splat(weight[m]);
        for (int v = 0; v < vectors; v++) sum[v] += w * dl_load(row + v * DL_LANES);
    }
    for (int v = 0; v < vectors; v++) dl_store(out + v * DL_LANES, dl_splat(scale) * sum[v]);
}

DL_INLINE void mix_neighbors(int size, int count, const int32_t *list, const real *weight, const real *rows, int step,
                             real scale, real *out)
{
    int c = 0;
    for (; c + 4 * DL_LANES <= size; c += 4 * DL_LANES)
        mix_part(4, count, list, weight, rows + c, step, scale, out + c);
    for (; c + 2 * DL_LANES <= size; c += 2 * DL_LANES)
        mix_part(2, count, list, weight, rows + c, step, scale, out + c);
    for (; c < size; c += DL_LANES) mix_part(1, count, list, weight, rows + c, step, scale, out + c);
}

DL_INLINE void forward_of_head_size(int size, const dl_sparse_shape *shape, workspace *work, const real *table,
                                    const real *qkv, real *out, real *probability)
{
    int width = shape->width, step = 3 * width, keys = work->keys;
    real scale = 1 / sqrt((real)size);
    for (int t = 0; t < shape->items; t++) {
        const real *item = qkv + (size_t)t * (size_t)shape->nodes * (size_t)step;
        for (int i = 0; i < shape->nodes; i++) {
            const int32_t *list = work->list + (size_t)i * (size_t)keys;
            int count = work->count[i], padded = DL_PADDED(count);
            size_t token = (size_t)t * (size_t)shape->nodes + (size_t)i;
            const real *q = item + (size_t)i * (size_t)step;
            real *p = probability + token * (size_t)(shape->heads * keys);
            for (int h = 0; h < shape->heads; h++)
                dot_with_neighbors(size, padded, list, q + h * size, item + width + h * size, step, scale,
                                   p + h * keys);
            locate(shape, work, t, i, list, count);
            add_bias(shape, work, table, count, p);
            for (int h = 0; h < shape->heads; h++) {
                if (count > 0) dl_softmax(p + h * keys, count);
                mix_neighbors(size, count, list, p + h * keys, item + 2 * width + h * size, step, 1,
                              out + token * (size_t)width + h * size);
            }
        }
    }
}

bool dl_sparse_attention_forward(const dl_sparse_shape *shape, const real *bias_table, const real *qkv, real *out,
                                 real *probability, dl_arena *scratch)
{
    dl_arena_mark mark = dl_arena_position(scratch);
    workspace work;
    if (!prepare(shape, scratch, &work)) return false;
    int size = shape->width / shape->heads;
    switch (size) { /* sizes in use get code of their own: inner loops of known length stay in registers */
    case 32:
        forward_of_head_size(32, shape, &work, bias_table, qkv, out, probability);
        break;
    case 16:
        forward_of_head_size(16, shape, &work, bias_table, qkv, out, probability);
        break;
    default:
        forward_of_head_size(size, shape, &work, bias_table, qkv, out, probability);
        break;
    }
    dl_arena_rewind(scratch, mark);
    return true;
}

/* Adds weight * source to target. */
DL_INLINE void add_scaled(int size, real weight, const real *source, real *target)
{
    dl_vector w = dl_splat(weight);
    for (int c = 0; c < size; c += DL_LANES) dl_store(target + c, dl_load(target + c) + w * dl_load(source + c));
}

DL_INLINE void backward_of_head_size(int size, const dl_sparse_shape *shape, workspace *work, const real *qkv,
                                     const real *probability, const real *d_out, real *d_qkv, real *bias_gradient)
{
    int width = shape->width, step = 3 * width, keys = work->keys;
    real scale = 1 / sqrt((real)size);
    for (int t = 0; t < shape->items; t++) {
        size_t origin = (size_t)t * (size_t)shape->nodes;
        const real *item = qkv + origin * (size_t)step;
        real *d_item = d_qkv + origin * (size_t)step;
        for (int i = 0; i < shape->nodes; i++) {
            const int32_t *list = work->list + (size_t)i * (size_t)keys;
            int count = work->count[i], padded = DL_PADDED(count);
            const real *q = item + (size_t)i * (size_t)step, *d = d_out + (origin + (size_t)i) * (size_t)width;
            const real *p = probability + (origin + (size_t)i) * (size_t)(shape->heads * keys);
            for (int h = 0; h < shape->heads && count > 0; h++) {
                real *d_score = work->d_score + h * keys;
                dot_with_neighbors(size, padded, list, d + h * size, item + 2 * width + h * size, step, 1, d_score);
                dl_softmax_backward(p + h * keys, d_score, count);
                mix_neighbors(size, count, list, d_score, item + width + h * size, step, scale,
                              d_item + (size_t)i * (size_t)step + h * size);
            }
            for (int m = 0; m < count; m++) {
                real *d_key = d_item + (size_t)list[m] * (size_t)step + width, *d_value = d_key + width;
                for (int h = 0; h < shape->heads; h++) {
                    add_scaled(size, scale * work->d_score[h * keys + m], q + h * size, d_key + h * size);
                    add_scaled(size, p[h * keys + m], d + h * size, d_value + h * size);
                }
            }
            locate(shape, work, t, i, list, count);
            add_bias_gradient(shape, work, count, bias_gradient);
        }
    }
}

bool dl_sparse_attention_backward(const dl_sparse_shape *shape, const real *qkv, const real *probability,
                                  const real *d_out, real *d_qkv, real *bias_gradient, dl_arena *scratch)
{
    dl_arena_mark mark = dl_arena_position(scratch);
    workspace work;
    if (!prepare(shape, scratch, &work)) return false;
    memset(d_qkv, 0, sizeof(real) * 3 * (size_t)shape->width * (size_t)shape->items * (size_t)shape->nodes);
    int size = shape->width / shape->heads;
    switch (size) {
    case 32:
        backward_of_head_size(32, shape, &work, qkv, probability, d_out, d_qkv, bias_gradient);
        break;
    case 16:
        backward_of_head_size(16, shape, &work, qkv, probability, d_out, d_qkv, bias_gradient);
        break;
    default:
        backward_of_head_size(size, shape, &work, qkv, probability, d_out, d_qkv, bias_gradient);
        break;
    }
    dl_arena_rewind(scratch, mark);
    return true;
}
