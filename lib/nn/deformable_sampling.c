#include "nn/deformable_sampling.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "nn/softmax.h"

int dl_sampling_columns(const dl_sampling_shape *shape)
{
    return shape->heads * shape->points * (2 + shape->levels);
}

/* Bilinear reading of all points of one token. Arrays are (levels, heads*points). */
typedef struct reading {
    int count;            /* heads*points */
    int32_t *head_offset; /* (count): first channel of the point's head */
    int32_t *base;        /* index of the upper left corner */
    real *row_part, *column_part;
    real *weight;                   /* mixing weight times gate */
    real *row_slope, *column_slope; /* d(level coordinate) / d(offset); 0 where the border holds the point */
    real *mixed;                    /* (padded levels*points), for one head's softmax */
} reading;

/* False when memory is out. */
static bool prepare(const dl_sampling_shape *shape, dl_arena *scratch, reading *out)
{
    reading read = {.count = shape->heads * shape->points};
    int all = read.count * shape->levels, size = shape->width / shape->heads;
    read.head_offset = DL_ARENA_ARRAY(scratch, int32_t, read.count);
    read.base = DL_ARENA_ARRAY(scratch, int32_t, all);
    read.row_part = DL_ARENA_ARRAY(scratch, real, all);
    read.column_part = DL_ARENA_ARRAY(scratch, real, all);
    read.weight = DL_ARENA_ARRAY(scratch, real, all);
    read.row_slope = DL_ARENA_ARRAY(scratch, real, all);
    read.column_slope = DL_ARENA_ARRAY(scratch, real, all);
    read.mixed = DL_ARENA_ARRAY(scratch, real, DL_PADDED(shape->levels * shape->points));
    if (!read.head_offset || !read.base || !read.row_part || !read.column_part || !read.weight || !read.row_slope ||
        !read.column_slope || !read.mixed)
        return false;
    for (int q = 0; q < read.count; q++) read.head_offset[q] = q / shape->points * size;
    *out = read;
    return true;
}

/* Fills the reading of one token whose offsets and weights are final; the slopes only for backward. */
DL_INLINE void locate(const dl_sampling_shape *shape, const reading *read, int token, real radius, const real *gate,
                      const real *site, bool slopes)
{
    int count = read->count, points = shape->points, levels = shape->levels;
    const real *restrict row_offset = site, *restrict column_offset = site + count;
    const real *weights = site + 2 * count;
    real row = shape->position[2 * token], column = shape->position[2 * token + 1];
    real reach = radius * shape->spread[token];
    for (int s = 0; s < levels; s++) {
        const dl_level *level = &shape->level[s];
        real shrink = 1 / (real)(1 << s), bottom = (real)(level->height - 1), right = (real)(level->width - 1);
        int last_row = level->height > 1 ? level->height - 2 : 0, last_column = level->width > 1 ? level->width - 2 : 0;
        int32_t width = level->width, channels = shape->width;
        int32_t *restrict base = read->base + s * count;
        const int32_t *restrict head_offset = read->head_offset;
        real *restrict row_part = read->row_part + s * count, *restrict column_part = read->column_part + s * count;
        real *restrict row_slope = read->row_slope + s * count, *restrict column_slope = read->column_slope + s * count;
        for (int q = 0; q < count; q++) {
            real r = (row + reach * row_offset[q]) * shrink, c = (column + reach * column_offset[q]) * shrink;
            real inside_r = r > 0 ? r : 0, inside_c = c > 0 ? c : 0; /* NaN, too, stays on the map */
            inside_r = inside_r > bottom ? bottom : inside_r;
            inside_c = inside_c > right ? right : inside_c;
            if (slopes) {
                row_slope[q] = inside_r == r ? shrink : 0;
                column_slope[q] = inside_c == c ? shrink : 0;
            }
            int32_t r0 = (int32_t)inside_r, c0 = (int32_t)inside_c;
            r0 = r0 < last_row ? r0 : last_row;
            c0 = c0 < last_column ? c0 : last_column;
            row_part[q] = inside_r - (real)r0;
            column_part[q] = inside_c - (real)c0;
            base[q] = (r0 * width + c0) * channels + head_offset[q];
        }
        for (int h = 0; h < shape->heads; h++)
            for (int p = 0; p < points; p++)
                read->weight[s * count + h * points + p] = gate[s] * weights[(h * levels + s) * points + p];
    }
}

DL_INLINE void read_channels(int vectors, const dl_sampling_shape *shape, const reading *read, int head, int channel,
                             real *out)
{
    dl_vector sum[4] = {{0}, {0}, {0}, {0}};
    for (int s = 0; s < shape->levels; s++) {
        const dl_level *level = &shape->level[s];
        int right = level->width > 1 ? shape->width : 0, down = level->height > 1 ? level->width * shape->width : 0;
        for (int p = 0; p < shape->points; p++) {
            int site = s * read->count + head * shape->points + p;
            const real *corner = level->feature + read->base[site] + channel;
            real r = read->row_part[site], c = read->column_part[site], w = read->weight[site];
            dl_vector w11 = dl_splat(w * r * c), w10 = dl_splat(w * r * (1 - c));
            dl_vector w01 = dl_splat(w * (1 - r) * c), w00 = dl_splat(w * (1 - r) * (1 - c));
            for (int v = 0; v < vectors; v++) {
                const real *at = corner + v * DL_LANES;
                sum[v] += w00 * dl_load(at) + w01 * dl_load(at + right);
                sum[v] += w10 * dl_load(at + down) + w11 * dl_load(at + down + right);
            }
        }
    }
    for (int v = 0; v < vectors; v++) dl_store(out + v * DL_LANES, sum[v]);
}

static void apply_tanh(int count, real *x)
{
    int i = 0;
    for (; i + DL_LANES <= count; i += DL_LANES) dl_store(x + i, dl_tanh_lanes(dl_load(x + i)));
    if (i < count) dl_store_some(x + i, dl_tanh_lanes(dl_load_some(x + i, count - i)), count - i);
}

bool dl_sampling_forward(const dl_sampling_shape *shape, const real *radius, const real *gate, real *sites, real *out,
                         dl_arena *scratch)
{
    dl_arena_mark mark = dl_arena_position(scratch);
    reading read;
    if (!prepare(shape, scratch, &read)) return false;
    int columns = dl_sampling_columns(shape), choices = shape->levels * shape->points;
    int size = shape->width / shape->heads;
    assert(size * shape->heads == shape->width && size % DL_LANES == 0);
    for (int t = 0; t < shape->tokens; t++) {
        real *site = sites + (size_t)t * (size_t)columns;
        apply_tanh(2 * read.count, site);
        for (int h = 0; h < shape->heads; h++) {
            real *weights = site + 2 * read.count + h * choices;
            memcpy(read.mixed, weights, sizeof(real) * (size_t)choices);
            dl_softmax(read.mixed, choices);
            memcpy(weights, read.mixed, sizeof(real) * (size_t)choices);
        }
        locate(shape, &read, t, *radius, gate, site, false);
        for (int h = 0; h < shape->heads; h++) {
            real *z = out + (size_t)t * (size_t)shape->width + h * size;
            int c = 0;
            for (; c + 4 * DL_LANES <= size; c += 4 * DL_LANES) read_channels(4, shape, &read, h, c, z + c);
            for (; c + 2 * DL_LANES <= size; c += 2 * DL_LANES) read_channels(2, shape, &read, h, c, z + c);
            for (; c < size; c += DL_LANES) read_channels(1, shape, &read, h, c, z + c);
        }
    }
    dl_arena_rewind(scratch, mark);
    return true;
}

/* dot[i] = what the gradient says about corner i; the corners' own gradients are added to. */
DL_INLINE void trace_corners(int size, const real *restrict d, const real *feature, real *gradient, int right, int down,
                             const real weight[4], real dot[4])
{
    const int corner[4] = {0, right, down, down + right};
    dl_vector sum[4] = {{0}, {0}, {0}, {0}};
    for (int c = 0; c < size; c += DL_LANES) {
        dl_vector upstream = dl_load(d + c);
        for (int i = 0; i < 4; i++) {
            sum[i] += upstream * dl_load(feature + corner[i] + c);
            real *target = gradient + corner[i] + c;
            dl_store(target, dl_load(target) + dl_splat(weight[i]) * upstream);
        }
    }
    dl_sum4(sum[0], sum[1], sum[2], sum[3], dot);
}

DL_INLINE void backward_of_token(int size, const dl_sampling_shape *shape, const reading *read, const real *gate,
                                 const real *site, const real *d_out, real *d_site, real *d_gate)
{
    int count = read->count, points = shape->points, levels = shape->levels;
    const real *weights = site + 2 * count;
    real *restrict d_weights = d_site + 2 * count;
    memset(d_site, 0, sizeof(real) * 2 * (size_t)count);
    for (int s = 0; s < levels; s++) {
        const dl_level *level = &shape->level[s];
        int right = level->width > 1 ? shape->width : 0, down = level->height > 1 ? level->width * shape->width : 0;
        real gate_sum = 0;
        for (int q = 0; q < count; q++) {
            int at = s * count + q, h = q / points, place = (h * levels + s) * points + q % points;
            real r = read->row_part[at], c = read->column_part[at], w = read->weight[at], dot[4];
            real corner[4] = {w * (1 - r) * (1 - c), w * (1 - r) * c, w * r * (1 - c), w * r * c};
            trace_corners(size, d_out + h * size, level->feature + read->base[at], level->gradient + read->base[at],
                          right, down, corner, dot);
            real value = (1 - r) * ((1 - c) * dot[0] + c * dot[1]) + r * ((1 - c) * dot[2] + c * dot[3]);
            d_weights[place] = gate[s] * value;
            gate_sum += weights[place] * value;
            d_site[q] += w * read->row_slope[at] * ((1 - c) * (dot[2] - dot[0]) + c * (dot[3] - dot[1]));
            d_site[count + q] += w * read->column_slope[at] * ((1 - r) * (dot[1] - dot[0]) + r * (dot[3] - dot[2]));
        }
        d_gate[s] += gate_sum;
    }
}

bool dl_sampling_backward(const dl_sampling_shape *shape, const real *radius, const real *gate, const real *sites,
                          const real *d_out, real *d_sites, real *d_radius, real *d_gate, dl_arena *scratch)
{
    dl_arena_mark mark = dl_arena_position(scratch);
    reading read;
    if (!prepare(shape, scratch, &read)) return false;
    int columns = dl_sampling_columns(shape), choices = shape->levels * shape->points;
    int size = shape->width / shape->heads;
    real *padded_weights = DL_ARENA_ARRAY(scratch, real, DL_PADDED(choices));
    if (!padded_weights) return false;
    real radius_sum = 0;
    memset(padded_weights, 0, sizeof(real) * (size_t)DL_PADDED(choices));
    for (int t = 0; t < shape->tokens; t++) {
        const real *site = sites + (size_t)t * (size_t)columns, *d = d_out + (size_t)t * (size_t)shape->width;
        real *d_site = d_sites + (size_t)t * (size_t)columns;
        locate(shape, &read, t, *radius, gate, site, true);
        switch (size) { /* sizes in use get code of their own */
        case 32:
            backward_of_token(32, shape, &read, gate, site, d, d_site, d_gate);
            break;
        case 16:
            backward_of_token(16, shape, &read, gate, site, d, d_site, d_gate);
            break;
        default:
            backward_of_token(size, shape, &read, gate, site, d, d_site, d_gate);
            break;
        }
        real spread = shape->spread[t], reach = *radius * spread, along = 0;
#pragma omp simd reduction(+ : along)
        for (int q = 0; q < 2 * read.count; q++) {
            along += d_site[q] * site[q];
            d_site[q] *= reach * (1 - site[q] * site[q]);
        }
        radius_sum += spread * along;
        for (int h = 0; h < shape->heads; h++) {
            real *d_weights = d_site + 2 * read.count + h * choices;
            memcpy(padded_weights, site + 2 * read.count + h * choices, sizeof(real) * (size_t)choices);
            memcpy(read.mixed, d_weights, sizeof(real) * (size_t)choices);
            dl_softmax_backward(padded_weights, read.mixed, choices);
            memcpy(d_weights, read.mixed, sizeof(real) * (size_t)choices);
        }
    }
    *d_radius += radius_sum;
    dl_arena_rewind(scratch, mark);
    return true;
}
