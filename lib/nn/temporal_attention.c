#include "nn/temporal_attention.h"

#include <assert.h>
#include <string.h>
#include <tgmath.h>

#include "nn/small_matrix.h"
#include "nn/softmax.h"

int dl_temporal_keys(const dl_temporal_shape *shape)
{
    int local = shape->window < shape->length ? shape->window : shape->length;
    int anchors = (shape->length + shape->stride - 1) / shape->stride;
    int all = local + anchors < shape->length ? local + anchors : shape->length;
    assert(all > 0 && all <= shape->length);
    return DL_PADDED(all);
}

/* Fills `key` with the timesteps that tokens of [first, end) attend to. */
static int list_keys(const dl_temporal_shape *shape, int first, int end, int *key)
{
    int count = 0;
    for (int t = first; t < end; t++) key[count++] = t;
    for (int t = 0; t < shape->length; t += shape->stride)
        if (t < first || t >= end) key[count++] = t;
    return count;
}

/* rows[i][:] = source row key[i]. */
static void gather(int count, int size, const int *key, const real *source, int step, real scale, real *restrict rows)
{
    for (int i = 0; i < count; i++) {
        const real *restrict row = source + (size_t)key[i] * (size_t)step;
        for (int c = 0; c < size; c++) rows[i * size + c] = scale * row[c];
    }
}

/* columns[:][i] = source row key[i]; the padding is zero. */
static void gather_transposed(int count, int padded, int size, const int *key, const real *source, int step, real scale,
                              real *restrict columns)
{
    for (int i = 0; i < padded; i++) {
        const real *restrict row = source + (size_t)key[i < count ? i : 0] * (size_t)step;
        real factor = i < count ? scale : 0;
        for (int c = 0; c < size; c++) columns[c * padded + i] = factor * row[c];
    }
}

static void scatter_add(int count, int size, const int *key, const real *restrict rows, real *target, int step)
{
    for (int i = 0; i < count; i++) {
        real *restrict row = target + (size_t)key[i] * (size_t)step;
        for (int c = 0; c < size; c++) row[c] += rows[i * size + c];
    }
}

bool dl_temporal_attention_forward(const dl_temporal_shape *shape, const real *qkv, real *out, real *probability,
                                   dl_arena *scratch)
{
    dl_arena_mark mark = dl_arena_position(scratch);
    int width = shape->width, size = width / shape->heads, step = 3 * width;
    int keys = dl_temporal_keys(shape), row_step = shape->heads * keys;
    int *key = DL_ARENA_ARRAY(scratch, int, keys);
    real *k_columns = DL_ARENA_ARRAY(scratch, real, keys * size), *v_rows = DL_ARENA_ARRAY(scratch, real, keys * size);
    if (!key || !k_columns || !v_rows) return false;
    real scale = 1 / sqrt((real)size);
    for (int s = 0; s < shape->sequences; s++)
        for (int first = 0; first < shape->length; first += shape->window) {
            int end = first + shape->window < shape->length ? first + shape->window : shape->length;
            int count = list_keys(shape, first, end, key), padded = DL_PADDED(count);
            const real *sequence = qkv + (size_t)s * (size_t)shape->length * (size_t)step;
            size_t token = (size_t)s * (size_t)shape->length + (size_t)first;
            for (int h = 0; h < shape->heads; h++) {
                const real *q = sequence + (size_t)first * (size_t)step + h * size;
                real *p = probability + token * (size_t)row_step + h * keys;
                gather_transposed(count, padded, size, key, sequence + width + h * size, step, scale, k_columns);
                gather(count, size, key, sequence + 2 * width + h * size, step, 1, v_rows);
                dl_small_matmul(end - first, padded, size, (dl_operand){q, step, 1}, k_columns, padded, p, row_step,
                                false);
                for (int t = 0; t < end - first; t++) dl_softmax(p + (size_t)t * (size_t)row_step, count);
                dl_small_matmul(end - first, size, count, (dl_operand){p, row_step, 1}, v_rows, size,
                                out + token * (size_t)width + h * size, width, false);
            }
        }
    dl_arena_rewind(scratch, mark);
    return true;
}

bool dl_temporal_attention_backward(const dl_temporal_shape *shape, const real *qkv, const real *probability,
                                    const real *d_out, real *d_qkv, dl_arena *scratch)
{
    dl_arena_mark mark = dl_arena_position(scratch);
    int width = shape->width, size = width / shape->heads, step = 3 * width;
    int keys = dl_temporal_keys(shape), row_step = shape->heads * keys;
    int *key = DL_ARENA_ARRAY(scratch, int, keys);
    real *k_rows = DL_ARENA_ARRAY(scratch, real, keys * size), *v_columns = DL_ARENA_ARRAY(scratch, real, keys * size);
    real *d_rows = DL_ARENA_ARRAY(scratch, real, keys * size);
    real *d_score = DL_ARENA_ARRAY(scratch, real, shape->window * keys);
    if (!key || !k_rows || !v_columns || !d_rows || !d_score) return false;
    real scale = 1 / sqrt((real)size);
    memset(d_qkv, 0, sizeof(real) * (size_t)shape->sequences * (size_t)shape->length * (size_t)step);
    for (int s = 0; s < shape->sequences; s++)
        for (int first = 0; first < shape->length; first += shape->window) {
            int end = first + shape->window < shape->length ? first + shape->window : shape->length, rows = end - first;
            int count = list_keys(shape, first, end, key), padded = DL_PADDED(count);
            size_t origin = (size_t)s * (size_t)shape->length, token = origin + (size_t)first;
            const real *sequence = qkv + origin * (size_t)step;
            real *d_sequence = d_qkv + origin * (size_t)step;
            for (int h = 0; h < shape->heads; h++) {
                const real *q = sequence + (size_t)first * (size_t)step + h * size;
                const real *p = probability + token * (size_t)row_step + h * keys;
                const real *d = d_out + token * (size_t)width + h * size;
                gather(count, size, key, sequence + width + h * size, step, scale, k_rows);
                gather_transposed(count, padded, size, key, sequence + 2 * width + h * size, step, 1, v_columns);
                dl_small_matmul(rows, padded, size, (dl_operand){d, width, 1}, v_columns, padded, d_score, padded,
                                false);
                for (int t = 0; t < rows; t++)
                    dl_softmax_backward(p + (size_t)t * (size_t)row_step, d_score + t * padded, count);
                dl_small_matmul(rows, size, count, (dl_operand){d_score, padded, 1}, k_rows, size,
                                d_sequence + (size_t)first * (size_t)step + h * size, step, false);
                dl_small_matmul(count, size, rows, (dl_operand){d_score, 1, padded}, q, step, d_rows, size, false);
                for (int i = 0; i < count * size; i++) d_rows[i] *= scale;
                scatter_add(count, size, key, d_rows, d_sequence + width + h * size, step);
                dl_small_matmul(count, size, rows, (dl_operand){p, 1, row_step}, d, width, d_rows, size, false);
                scatter_add(count, size, key, d_rows, d_sequence + 2 * width + h * size, step);
            }
        }
    dl_arena_rewind(scratch, mark);
    return true;
}
