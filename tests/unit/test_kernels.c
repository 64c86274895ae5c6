/* Each kernel against a naive twin: the formula itself, in double, without blocking, padding or tricks. */
#include "support_network.h"

#include "base/arena.h"
#include "nn/activation.h"
#include "nn/convolution.h"
#include "nn/deformable_sampling.h"
#include "nn/gemm.h"
#include "nn/layer_norm.h"
#include "nn/linear.h"
#include "nn/simd.h"
#include "nn/sparse_attention.h"
#include "nn/temporal_attention.h"

enum { ROUNDS = 40 };

static int between(dl_rng *rng, int low, int high)
{
    return low + (int)dl_rng_below(rng, (uint32_t)(high - low + 1));
}

static void expect_close(int round, const char *what, double actual, double expected)
{
    if (!(fabs(actual - expected) <= 2e-5 * (1 + fabs(expected))))
        fail_msg("round %d: %s is %.9g, expected %.9g", round, what, actual, expected);
}

static void elementary_functions_are_accurate(void **state)
{
    (void)state;
    for (double x = -80; x < 80; x += 0.00731) {
        float v = (float)x;
        dl_vector lanes = dl_splat(v);
        assert_true(fabs(dl_exp_lanes(lanes)[0] / exp((double)v) - 1) < 1e-6);
        assert_true(fabs(dl_tanh_lanes(lanes)[1] - tanh((double)v)) < 1e-6);
        double u = 0.7978845608028654 * (v + 0.044715 * pow(v, 3)), gelu = 0.5 * v * (1 + tanh(u));
        assert_true(fabs(dl_gelu_lanes(lanes)[2] - gelu) < 1e-6 * (1 + fabs(gelu)));
    }
    assert_true(dl_exp_lanes(dl_splat(-1000))[0] >= 0 && dl_exp_lanes(dl_splat(-1000))[0] < 1e-37f);
    assert_true(isfinite(dl_exp_lanes(dl_splat(1000))[0]));
    assert_true(isnan(dl_gelu_lanes(dl_splat(NAN))[0]));
}

/* Every combination of transposes, rows longer than needed, shapes around the edges of tiles, panels and depths. */
static void a_matrix_product_is_the_sum_it_stands_for(void **state)
{
    (void)state;
    enum { PRODUCTS = 400 };
    for (int round = 0; round < PRODUCTS; round++) {
        dl_rng rng = dl_rng_stream(1, DL_PURPOSE('g', 'e', 'm', 'm'), (uint64_t)round);
        int m = between(&rng, 1, 40), n = between(&rng, 1, 80), k = between(&rng, 0, 3) ? between(&rng, 0, 40) : 0;
        if (round % 8 == 0) k = between(&rng, 120, 520);
        dl_transpose ta = round & 1 ? DL_TRANSPOSED : DL_PLAIN, tb = round & 2 ? DL_TRANSPOSED : DL_PLAIN;
        bool add = round & 4;
        int lda = (ta ? m : k) + between(&rng, 0, 3), ldb = (tb ? k : n) + between(&rng, 0, 3);
        int ldc = n + between(&rng, 0, 3);
        real *a = test_reals(&rng, (size_t)(lda * (ta ? k : m) + 1), -1, 1);
        real *b = test_reals(&rng, (size_t)(ldb * (tb ? n : k) + 1), -1, 1);
        real *c = test_reals(&rng, (size_t)(ldc * m), -1, 1), *before = test_reals(&rng, (size_t)(ldc * m), 0, 0);
        memcpy(before, c, sizeof(real) * (size_t)(ldc * m));
        dl_gemm(ta, tb, m, n, k, a, lda, b, ldb, add, c, ldc);
        for (int r = 0; r < m; r++)
            for (int o = 0; o < ldc; o++) {
                if (o >= n) { /* what lies beside the product is left alone */
                    assert_true(c[r * ldc + o] == before[r * ldc + o]);
                    continue;
                }
                double sum = add ? before[r * ldc + o] : 0;
                for (int i = 0; i < k; i++)
                    sum += (double)a[ta ? i * lda + r : r * lda + i] * b[tb ? o * ldb + i : i * ldb + o];
                expect_close(round, "product", c[r * ldc + o], sum);
            }
        free(a);
        free(b);
        free(c);
        free(before);
    }
}

static void linear_is_a_sum_of_products(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        dl_rng rng = dl_rng_stream(1, DL_PURPOSE('l', 'i', 'n', ' '), (uint64_t)round);
        int rows = between(&rng, 1, 9), in = between(&rng, 1, 40), out = between(&rng, 1, 40);
        dl_linear layer = {in, out, 0, (size_t)in * (size_t)out};
        real *p = test_reals(&rng, (size_t)(in * out + out), -1, 1), *x = test_reals(&rng, (size_t)(rows * in), -1, 1);
        real *y = test_reals(&rng, (size_t)(rows * out), 0, 0);
        dl_linear_forward(&layer, p, rows, x, in, y, out, false);
        dl_linear_forward(&layer, p, rows, x, in, y, out, true);
        for (int r = 0; r < rows; r++)
            for (int o = 0; o < out; o++) {
                double sum = p[layer.bias + (size_t)o];
                for (int i = 0; i < in; i++) sum += (double)x[r * in + i] * p[o * in + i];
                expect_close(round, "linear", y[r * out + o], 2 * sum);
            }
        free(p);
        free(x);
        free(y);
    }
}

static void layer_norm_normalizes_and_reorders(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        dl_rng rng = dl_rng_stream(1, DL_PURPOSE('n', 'o', 'r', 'm'), (uint64_t)round);
        int groups = between(&rng, 1, 5), rows = between(&rng, 1, 6), width = between(&rng, 2, 40);
        size_t count = (size_t)(groups * rows * width);
        real *m = test_reals(&rng, (size_t)(groups * 2 * width), -1, 1), *x = test_reals(&rng, count, -3, 3);
        real *y = test_reals(&rng, count, 0, 0), *copy = test_reals(&rng, count, 0, 0);
        dl_row_order along = {rows, 1}, across = {1, groups};
        dl_layer_norm_forward(groups, rows, width, m, 2 * width, x, along, y, across, NULL, copy);
        assert_memory_equal(copy, x, sizeof(real) * count);
        for (int g = 0; g < groups; g++)
            for (int r = 0; r < rows; r++) {
                const real *in = x + (g * rows + r) * width;
                double mean = 0, variance = 0;
                for (int i = 0; i < width; i++) mean += in[i] / (double)width;
                for (int i = 0; i < width; i++) variance += (in[i] - mean) * (in[i] - mean) / width;
                for (int i = 0; i < width; i++)
                    expect_close(round, "layer norm", y[(r * groups + g) * width + i],
                                 (1 + (double)m[g * 2 * width + i]) * (in[i] - mean) / sqrt(variance + 1e-5) +
                                     m[g * 2 * width + width + i]);
            }
        free(m);
        free(x);
        free(y);
        free(copy);
    }
}

/* Attention of one query over listed keys, straight from the formula. */
static void naive_attention(int size, int count, const real *q, const real *const *k, const real *const *v,
                            const double *bias, double *out)
{
    double total = 0, highest = -1e300, *score = DL_ARRAY(double, count);
    for (int j = 0; j < count; j++) {
        for (int c = 0; c < size; c++) score[j] += (double)q[c] * k[j][c] / sqrt(size);
        score[j] += bias ? bias[j] : 0;
        highest = fmax(highest, score[j]);
    }
    for (int j = 0; j < count; j++) total += exp(score[j] - highest);
    for (int c = 0; c < size; c++) out[c] = 0;
    for (int j = 0; j < count; j++)
        for (int c = 0; c < size; c++) out[c] += exp(score[j] - highest) / total * v[j][c];
    free(score);
}

static void temporal_attention_sees_its_window_and_the_anchors(void **state)
{
    (void)state;
    dl_arena arena = {0};
    for (int round = 0; round < ROUNDS; round++) {
        dl_rng rng = dl_rng_stream(1, DL_PURPOSE('t', 'e', 'm', 'p'), (uint64_t)round);
        int size = 8 * between(&rng, 1, 4), heads = between(&rng, 1, 3);
        dl_temporal_shape shape = {.sequences = between(&rng, 1, 3),
                                   .length = round == 0 ? 1 : between(&rng, 1, 70),
                                   .width = size * heads,
                                   .heads = heads,
                                   .window = round == 1 ? 200 : between(&rng, 1, 33),
                                   .stride = between(&rng, 1, 17)};
        size_t tokens = (size_t)(shape.sequences * shape.length);
        int step = 3 * shape.width;
        real *qkv = test_reals(&rng, tokens * (size_t)step, -2, 2),
             *out = test_reals(&rng, tokens * (size_t)shape.width, 0, 0);
        real *p = test_reals(&rng, tokens * (size_t)(heads * dl_temporal_keys(&shape)), 0, 0);
        assert_true(dl_temporal_attention_forward(&shape, qkv, out, p, &arena));
        for (int s = 0; s < shape.sequences; s++)
            for (int t = 0; t < shape.length; t++)
                for (int h = 0; h < heads; h++) {
                    const real *k[80], *v[80], *sequence = qkv + s * shape.length * step;
                    int count = 0;
                    for (int u = 0; u < shape.length; u++) {
                        if (u / shape.window != t / shape.window && u % shape.stride != 0) continue;
                        k[count] = sequence + u * step + shape.width + h * size;
                        v[count++] = sequence + u * step + 2 * shape.width + h * size;
                    }
                    double expected[32];
                    naive_attention(size, count, sequence + t * step + h * size, k, v, NULL, expected);
                    for (int c = 0; c < size; c++)
                        expect_close(round, "temporal attention",
                                     out[(s * shape.length + t) * shape.width + h * size + c], expected[c]);
                }
        free(qkv);
        free(out);
        free(p);
    }
    dl_arena_free(&arena);
}

/* Bilinear in the table, its border continued outwards. */
static double naive_bias(const dl_sparse_shape *shape, const real *table, int head, double row, double column)
{
    double sum = 0;
    int radius = shape->radius, side = 2 * radius + 1;
    row = fmin(fmax(row, -radius), radius);
    column = fmin(fmax(column, -radius), radius);
    for (int r = 0; r < side; r++)
        for (int c = 0; c < side; c++)
            sum += fmax(0, 1 - fabs(row + radius - r)) * fmax(0, 1 - fabs(column + radius - c)) *
                   table[(r * side + c) * shape->heads + head];
    return sum;
}

static void sparse_attention_sees_its_neighbors_only(void **state)
{
    (void)state;
    dl_arena arena = {0};
    for (int round = 0; round < ROUNDS; round++) {
        dl_rng rng = dl_rng_stream(1, DL_PURPOSE('s', 'p', 'a', 'r'), (uint64_t)round);
        int size = 8 * between(&rng, 1, 4), heads = between(&rng, 1, 4), items = between(&rng, 1, 4);
        int nodes = round == 0 ? 1 : between(&rng, 1, 20), neighbors = between(&rng, 0, 19);
        bool whole_cells = round % 2;
        int32_t *neighbor = DL_ARRAY(int32_t, nodes * neighbors + 1);
        for (int i = 0; i < nodes * neighbors; i++) neighbor[i] = between(&rng, -1, nodes - 1);
        real *position = test_reals(&rng, (size_t)(2 * nodes * items), -6, 6);
        for (int i = 0; i < 2 * nodes * items && whole_cells; i++) position[i] = (real)floor(position[i]);
        dl_sparse_shape shape = {.items = items,
                                 .nodes = nodes,
                                 .width = size * heads,
                                 .heads = heads,
                                 .neighbors = neighbors,
                                 .neighbor = neighbor,
                                 .position = position,
                                 .node_step = items,
                                 .item_step = 1,
                                 .radius = between(&rng, 1, 5)};
        int step = 3 * shape.width, side = 2 * shape.radius + 1;
        size_t tokens = (size_t)(items * nodes);
        real *table = test_reals(&rng, (size_t)(side * side * heads), -2, 2);
        real *qkv = test_reals(&rng, tokens * (size_t)step, -2, 2),
             *out = test_reals(&rng, tokens * (size_t)shape.width, 0, 0);
        real *p = test_reals(&rng, tokens * (size_t)(heads * dl_sparse_keys(&shape)), 0, 0);
        assert_true(dl_sparse_attention_forward(&shape, table, qkv, out, p, &arena));
        for (int t = 0; t < items; t++)
            for (int i = 0; i < nodes; i++)
                for (int h = 0; h < heads; h++) {
                    const real *k[20], *v[20], *item = qkv + t * nodes * step;
                    double bias[20], expected[32];
                    int count = 0;
                    for (int m = 0; m < neighbors; m++) {
                        int j = neighbor[i * neighbors + m];
                        if (j < 0) continue;
                        const real *here = position + 2 * (i * items + t), *there = position + 2 * (j * items + t);
                        bias[count] = naive_bias(&shape, table, h, here[0] - there[0], here[1] - there[1]);
                        k[count] = item + j * step + shape.width + h * size;
                        v[count++] = item + j * step + 2 * shape.width + h * size;
                    }
                    naive_attention(size, count, item + i * step + h * size, k, v, bias, expected);
                    for (int c = 0; c < size; c++)
                        expect_close(round, "sparse attention", out[(t * nodes + i) * shape.width + h * size + c],
                                     expected[c]);
                }
        free(neighbor);
        free(position);
        free(table);
        free(qkv);
        free(out);
        free(p);
    }
    dl_arena_free(&arena);
}

static double naive_sample(const dl_level *level, int channels, int channel, double row, double column)
{
    row = fmin(fmax(row, 0), level->height - 1);
    column = fmin(fmax(column, 0), level->width - 1);
    double sum = 0;
    for (int r = 0; r < level->height; r++)
        for (int c = 0; c < level->width; c++)
            sum += fmax(0, 1 - fabs(row - r)) * fmax(0, 1 - fabs(column - c)) *
                   level->feature[(r * level->width + c) * channels + channel];
    return sum;
}

static void deformable_sampling_reads_between_cells(void **state)
{
    (void)state;
    dl_arena arena = {0};
    for (int round = 0; round < ROUNDS; round++) {
        dl_rng rng = dl_rng_stream(1, DL_PURPOSE('d', 'e', 'f', 'o'), (uint64_t)round);
        int size = 8 * between(&rng, 1, 5), heads = between(&rng, 1, 3), points = between(&rng, 1, 9);
        int levels = between(&rng, 1, 3), height = between(&rng, 1, 12), width = between(&rng, 1, 12);
        dl_level level[3];
        for (int s = 0; s < levels; s++) {
            level[s] = (dl_level){.height = s ? dl_convolved(level[s - 1].height, 2) : height,
                                  .width = s ? dl_convolved(level[s - 1].width, 2) : width};
            level[s].feature = test_reals(&rng, (size_t)(level[s].height * level[s].width * size * heads), -1, 1);
        }
        int tokens = between(&rng, 1, 5), choices = levels * points, all = heads * points;
        real *position = test_reals(&rng, (size_t)(2 * tokens), -3, 14),
             *spread = test_reals(&rng, (size_t)tokens, 1, 2);
        dl_sampling_shape shape = {.tokens = tokens,
                                   .width = size * heads,
                                   .heads = heads,
                                   .points = points,
                                   .levels = levels,
                                   .level = level,
                                   .position = position,
                                   .spread = spread};
        int columns = dl_sampling_columns(&shape);
        real *raw = test_reals(&rng, (size_t)(tokens * columns), -2, 2),
             *sites = test_reals(&rng, (size_t)(tokens * columns), 0, 0);
        real *gate = test_reals(&rng, (size_t)levels, 0, 1),
             *out = test_reals(&rng, (size_t)(tokens * size * heads), 0, 0);
        real radius = 2.5;
        memcpy(sites, raw, sizeof(real) * (size_t)(tokens * columns));
        assert_true(dl_sampling_forward(&shape, &radius, gate, sites, out, &arena));
        for (int t = 0; t < tokens; t++)
            for (int h = 0; h < heads; h++)
                for (int c = 0; c < size; c++) {
                    const real *site = raw + t * columns, *weight = site + 2 * all + h * choices;
                    double total = 0, sum = 0;
                    for (int i = 0; i < choices; i++) total += exp(weight[i]);
                    for (int s = 0; s < levels; s++)
                        for (int p = 0; p < points; p++) {
                            double reach = radius * spread[t], shrink = 1 << s;
                            double r = (position[2 * t] + reach * tanh(site[h * points + p])) / shrink;
                            double k = (position[2 * t + 1] + reach * tanh(site[all + h * points + p])) / shrink;
                            sum += exp(weight[s * points + p]) / total * gate[s] *
                                   naive_sample(&level[s], size * heads, h * size + c, r, k);
                        }
                    expect_close(round, "sampling", out[(t * heads + h) * size + c], sum);
                }
        for (int s = 0; s < levels; s++) free(level[s].feature);
        free(position);
        free(spread);
        free(raw);
        free(sites);
        free(gate);
        free(out);
    }
    dl_arena_free(&arena);
}

static void convolution_covers_three_by_three_cells(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        dl_rng rng = dl_rng_stream(1, DL_PURPOSE('c', 'o', 'n', 'v'), (uint64_t)round);
        int height = between(&rng, 1, 9), width = between(&rng, 1, 9), channels = between(&rng, 1, 5);
        int out = between(&rng, 1, 5), stride = between(&rng, 1, 2), patch = DL_PATCH * channels;
        int rows = dl_convolved(height, stride), columns = dl_convolved(width, stride);
        dl_linear layer = {patch, out, 0, (size_t)(patch * out)};
        real *x = test_reals(&rng, (size_t)(height * width * channels), -1, 1),
             *p = test_reals(&rng, (size_t)(patch * out + out), -1, 1);
        real *patches = test_reals(&rng, (size_t)(rows * columns * patch), 0, 0),
             *y = test_reals(&rng, (size_t)(rows * columns * out), 0, 0);
        dl_patches_forward(height, width, channels, stride, x, patches);
        dl_linear_forward(&layer, p, rows * columns, patches, patch, y, out, false);
        for (int r = 0; r < rows; r++)
            for (int c = 0; c < columns; c++)
                for (int o = 0; o < out; o++) {
                    double sum = p[layer.bias + (size_t)o];
                    for (int dr = -1; dr <= 1; dr++)
                        for (int dc = -1; dc <= 1; dc++) {
                            int at_row = r * stride + dr, at_column = c * stride + dc;
                            if (at_row < 0 || at_row >= height || at_column < 0 || at_column >= width) continue;
                            for (int i = 0; i < channels; i++)
                                sum += (double)x[(at_row * width + at_column) * channels + i] *
                                       p[o * patch + ((dr + 1) * 3 + dc + 1) * channels + i];
                        }
                    expect_close(round, "convolution", y[(r * columns + c) * out + o], sum);
                }
        free(x);
        free(p);
        free(patches);
        free(y);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elementary_functions_are_accurate),
        cmocka_unit_test(a_matrix_product_is_the_sum_it_stands_for),
        cmocka_unit_test(linear_is_a_sum_of_products),
        cmocka_unit_test(layer_norm_normalizes_and_reorders),
        cmocka_unit_test(temporal_attention_sees_its_window_and_the_anchors),
        cmocka_unit_test(sparse_attention_sees_its_neighbors_only),
        cmocka_unit_test(deformable_sampling_reads_between_cells),
        cmocka_unit_test(convolution_covers_three_by_three_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
