/* Every kernel's backward against central differences of its forward, on random shapes, to 1e-5. */
#include "support_network.h"

#include "nn/activation.h"
#include "nn/convolution.h"
#include "nn/deformable_sampling.h"
#include "nn/layer_norm.h"
#include "nn/linear.h"
#include "nn/sparse_attention.h"
#include "nn/temporal_attention.h"

enum { ROUNDS = 12, MAX_INPUTS = 5, PROBES = 6 };
#define STEP 1e-6 /* small: bilinear reading has kinks at cell borders */

/* A kernel under test: its differentiable inputs, and functions of them. */
typedef struct subject {
    const char *name;
    int inputs;
    real *input[MAX_INPUTS], *gradient[MAX_INPUTS];
    size_t size[MAX_INPUTS];
    real *output, *weight; /* the loss is weight . output */
    size_t outputs;
    const void *shape;
    dl_arena *arena;
    void (*forward)(struct subject *);
    void (*backward)(struct subject *); /* adds to the zeroed gradients, given weight as the output's gradient */
} subject;

static int between(dl_rng *rng, int low, int high)
{
    return low + (int)dl_rng_below(rng, (uint32_t)(high - low + 1));
}

static void add_input(subject *s, dl_rng *rng, size_t size, double low, double high)
{
    s->input[s->inputs] = test_reals(rng, size, low, high);
    s->gradient[s->inputs] = DL_ARRAY(real, size + 1);
    s->size[s->inputs++] = size;
}

static void set_output(subject *s, dl_rng *rng, size_t size)
{
    s->outputs = size;
    s->output = DL_ARRAY(real, size + 1);
    s->weight = test_reals(rng, size, -1, 1);
}

static double loss_of(subject *s)
{
    double loss = 0;
    memset(s->output, 0, sizeof(real) * s->outputs);
    s->forward(s);
    for (size_t i = 0; i < s->outputs; i++) loss += s->weight[i] * s->output[i];
    return loss;
}

static void check(subject *s, dl_rng *rng, int round)
{
    loss_of(s);
    s->backward(s);
    for (int which = 0; which < s->inputs; which++)
        for (int probe = 0; probe < PROBES && s->size[which] > 0; probe++) {
            size_t at = dl_rng_below(rng, (uint32_t)s->size[which]);
            real *place = &s->input[which][at], kept = *place;
            *place = kept + STEP;
            double up = loss_of(s);
            *place = kept - STEP;
            double down = loss_of(s), expected = (up - down) / (2 * STEP), actual = s->gradient[which][at];
            *place = kept;
            if (!(fabs(actual - expected) <= 1e-5 * (fabs(expected) + 1e-2)))
                fail_msg("%s, round %d, input %d[%d]: gradient %.10g, central difference %.10g", s->name, round, which,
                         (int)at, actual, expected);
        }
    for (int which = 0; which < s->inputs; which++) {
        free(s->input[which]);
        free(s->gradient[which]);
    }
    free(s->output);
    free(s->weight);
}

static dl_rng round_rng(char letter, int round)
{
    return dl_rng_stream(11, DL_PURPOSE('k', 'g', 'r', letter), (uint64_t)round);
}

typedef struct linear_shape {
    dl_linear layer;
    int rows;
} linear_shape;

static void linear_forward(subject *s)
{
    const linear_shape *shape = s->shape;
    dl_linear_forward(&shape->layer, s->input[1], shape->rows, s->input[0], shape->layer.in, s->output,
                      shape->layer.out, false);
}

static void linear_backward(subject *s)
{
    const linear_shape *shape = s->shape;
    dl_linear_backward_input(&shape->layer, s->input[1], shape->rows, s->weight, shape->layer.out, s->gradient[0],
                             shape->layer.in, true);
    dl_linear_backward_weight(&shape->layer, shape->rows, s->input[0], shape->layer.in, s->weight, shape->layer.out,
                              s->gradient[1]);
}

static void linear_has_its_gradient(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        dl_rng rng = round_rng('l', round);
        int in = between(&rng, 1, 9), out = between(&rng, 1, 9);
        linear_shape shape = {{in, out, 0, (size_t)(in * out)}, between(&rng, 1, 7)};
        subject s = {.name = "linear", .shape = &shape, .forward = linear_forward, .backward = linear_backward};
        add_input(&s, &rng, (size_t)(shape.rows * in), -1, 1);
        add_input(&s, &rng, (size_t)(in * out + out), -1, 1);
        set_output(&s, &rng, (size_t)(shape.rows * out));
        check(&s, &rng, round);
    }
}

static void gelu_forward(subject *s)
{
    dl_gelu_forward(s->outputs, s->input[0], s->output);
}

static void gelu_backward(subject *s)
{
    memcpy(s->gradient[0], s->weight, sizeof(real) * s->outputs);
    real *again = DL_ARRAY(real, s->outputs);
    dl_gelu_backward(s->outputs, s->input[0], again, s->gradient[0]);
    assert_memory_equal(again, s->output, sizeof(real) * s->outputs);
    free(again);
}

static void gelu_has_its_gradient(void **state)
{
    (void)state;
    dl_rng rng = round_rng('g', 0);
    subject s = {.name = "gelu", .forward = gelu_forward, .backward = gelu_backward};
    add_input(&s, &rng, 30, -5, 5);
    set_output(&s, &rng, 30);
    check(&s, &rng, 0);
}

typedef struct norm_shape {
    int groups, rows, width;
    real *statistics;
} norm_shape;

static void norm_forward(subject *s)
{
    const norm_shape *n = s->shape;
    dl_layer_norm_forward(n->groups, n->rows, n->width, s->input[1], 2 * n->width, s->input[0],
                          (dl_row_order){n->rows, 1}, s->output, (dl_row_order){1, n->groups}, n->statistics, NULL);
}

static void norm_backward(subject *s)
{
    const norm_shape *n = s->shape;
    dl_layer_norm_backward(n->groups, n->rows, n->width, s->input[1], 2 * n->width, s->input[0],
                           (dl_row_order){n->rows, 1}, s->weight, (dl_row_order){1, n->groups}, n->statistics,
                           s->gradient[0], s->gradient[1]);
}

static void layer_norm_has_its_gradient(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        dl_rng rng = round_rng('n', round);
        norm_shape shape = {between(&rng, 1, 4), between(&rng, 1, 4), between(&rng, 2, 20), NULL};
        shape.statistics = DL_ARRAY(real, 2 * shape.groups * shape.rows);
        subject s = {.name = "layer norm", .shape = &shape, .forward = norm_forward, .backward = norm_backward};
        add_input(&s, &rng, (size_t)(shape.groups * shape.rows * shape.width), -2, 2);
        add_input(&s, &rng, (size_t)(shape.groups * 2 * shape.width), -1, 1);
        set_output(&s, &rng, s.size[0]);
        check(&s, &rng, round);
        free(shape.statistics);
    }
}

static void temporal_forward(subject *s)
{
    const dl_temporal_shape *t = s->shape;
    dl_arena_mark mark = dl_arena_position(s->arena);
    real *p = DL_ARENA_ARRAY(s->arena, real, t->sequences * t->length * t->heads * dl_temporal_keys(t));
    assert_true(dl_temporal_attention_forward(t, s->input[0], s->output, p, s->arena));
    dl_arena_rewind(s->arena, mark);
}

static void temporal_backward(subject *s)
{
    const dl_temporal_shape *t = s->shape;
    dl_arena_mark mark = dl_arena_position(s->arena);
    real *p = DL_ARENA_ARRAY(s->arena, real, t->sequences * t->length * t->heads * dl_temporal_keys(t));
    assert_true(dl_temporal_attention_forward(t, s->input[0], s->output, p, s->arena));
    assert_true(dl_temporal_attention_backward(t, s->input[0], p, s->weight, s->gradient[0], s->arena));
    dl_arena_rewind(s->arena, mark);
}

static void temporal_attention_has_its_gradient(void **state)
{
    (void)state;
    dl_arena arena = {0};
    for (int round = 0; round < ROUNDS; round++) {
        dl_rng rng = round_rng('t', round);
        int heads = between(&rng, 1, 3);
        dl_temporal_shape shape = {.sequences = between(&rng, 1, 3),
                                   .length = round == 0 ? 1 : between(&rng, 1, 30),
                                   .width = heads * 8 * between(&rng, 1, 3),
                                   .heads = heads,
                                   .window = between(&rng, 1, 12),
                                   .stride = between(&rng, 1, 9)};
        subject s = {.name = "temporal attention",
                     .shape = &shape,
                     .arena = &arena,
                     .forward = temporal_forward,
                     .backward = temporal_backward};
        size_t tokens = (size_t)(shape.sequences * shape.length);
        add_input(&s, &rng, tokens * 3 * (size_t)shape.width, -1.5, 1.5);
        set_output(&s, &rng, tokens * (size_t)shape.width);
        check(&s, &rng, round);
    }
    dl_arena_free(&arena);
}

static void sparse_forward(subject *s)
{
    const dl_sparse_shape *g = s->shape;
    dl_arena_mark mark = dl_arena_position(s->arena);
    real *p = DL_ARENA_ARRAY(s->arena, real, g->items * g->nodes * g->heads * dl_sparse_keys(g));
    assert_true(dl_sparse_attention_forward(g, s->input[1], s->input[0], s->output, p, s->arena));
    dl_arena_rewind(s->arena, mark);
}

static void sparse_backward(subject *s)
{
    const dl_sparse_shape *g = s->shape;
    dl_arena_mark mark = dl_arena_position(s->arena);
    real *p = DL_ARENA_ARRAY(s->arena, real, g->items * g->nodes * g->heads * dl_sparse_keys(g));
    assert_true(dl_sparse_attention_forward(g, s->input[1], s->input[0], s->output, p, s->arena));
    assert_true(dl_sparse_attention_backward(g, s->input[0], p, s->weight, s->gradient[0], s->gradient[1], s->arena));
    dl_arena_rewind(s->arena, mark);
}

static void sparse_attention_has_its_gradient(void **state)
{
    (void)state;
    dl_arena arena = {0};
    for (int round = 0; round < ROUNDS; round++) {
        dl_rng rng = round_rng('s', round);
        int heads = between(&rng, 1, 3), nodes = round == 0 ? 1 : between(&rng, 1, 8), items = between(&rng, 1, 3);
        int neighbors = between(&rng, 0, 9);
        int32_t *neighbor = DL_ARRAY(int32_t, nodes * neighbors + 1);
        for (int i = 0; i < nodes * neighbors; i++) neighbor[i] = between(&rng, -1, nodes - 1);
        real *position = test_reals(&rng, (size_t)(2 * nodes * items), -4, 4);
        for (int i = 0; i < 2 * nodes * items && round % 2; i++) position[i] = floor(position[i]);
        dl_sparse_shape shape = {.items = items,
                                 .nodes = nodes,
                                 .width = heads * 8 * between(&rng, 1, 3),
                                 .heads = heads,
                                 .neighbors = neighbors,
                                 .neighbor = neighbor,
                                 .position = position,
                                 .node_step = items,
                                 .item_step = 1,
                                 .radius = between(&rng, 1, 3)};
        subject s = {.name = "sparse attention",
                     .shape = &shape,
                     .arena = &arena,
                     .forward = sparse_forward,
                     .backward = sparse_backward};
        int side = 2 * shape.radius + 1;
        add_input(&s, &rng, (size_t)(items * nodes * 3 * shape.width), -1.5, 1.5);
        add_input(&s, &rng, (size_t)(side * side * heads), -1, 1);
        set_output(&s, &rng, (size_t)(items * nodes * shape.width));
        check(&s, &rng, round);
        free(neighbor);
        free(position);
    }
    dl_arena_free(&arena);
}

/* Inputs: sites, radius, gate, then the features of both levels. */
static void sampling_run(subject *s, bool backward)
{
    dl_sampling_shape shape = *(const dl_sampling_shape *)s->shape;
    dl_arena_mark mark = dl_arena_position(s->arena);
    dl_level level[2] = {shape.level[0], shape.level[1]};
    for (int i = 0; i < shape.levels; i++) {
        level[i].feature = s->input[3 + i];
        level[i].gradient = s->gradient[3 + i];
    }
    shape.level = level;
    real *sites = DL_ARENA_ARRAY(s->arena, real, s->size[0]);
    memcpy(sites, s->input[0], sizeof(real) * s->size[0]);
    assert_true(dl_sampling_forward(&shape, s->input[1], s->input[2], sites, s->output, s->arena));
    if (backward)
        assert_true(dl_sampling_backward(&shape, s->input[1], s->input[2], sites, s->weight, s->gradient[0],
                                         s->gradient[1], s->gradient[2], s->arena));
    dl_arena_rewind(s->arena, mark);
}

static void sampling_forward(subject *s)
{
    sampling_run(s, false);
}

static void sampling_backward(subject *s)
{
    sampling_run(s, true);
}

static void deformable_sampling_has_its_gradient(void **state)
{
    (void)state;
    dl_arena arena = {0};
    for (int round = 0; round < ROUNDS; round++) {
        dl_rng rng = round_rng('d', round);
        int heads = between(&rng, 1, 3), tokens = between(&rng, 1, 5), height = between(&rng, 1, 7);
        int width = between(&rng, 1, 7);
        dl_level level[2] = {{.height = height, .width = width},
                             {.height = dl_convolved(height, 2), .width = dl_convolved(width, 2)}};
        real *position = test_reals(&rng, 2 * (size_t)tokens, -2, 9), *spread = test_reals(&rng, (size_t)tokens, 1, 2);
        dl_sampling_shape shape = {.tokens = tokens,
                                   .width = heads * 8 * between(&rng, 1, 4),
                                   .heads = heads,
                                   .points = between(&rng, 1, 5),
                                   .levels = 2,
                                   .level = level,
                                   .position = position,
                                   .spread = spread};
        subject s = {.name = "sampling",
                     .shape = &shape,
                     .arena = &arena,
                     .forward = sampling_forward,
                     .backward = sampling_backward};
        add_input(&s, &rng, (size_t)(tokens * dl_sampling_columns(&shape)), -1.5, 1.5);
        add_input(&s, &rng, 1, 1, 2);
        add_input(&s, &rng, 2, 0.2, 1);
        for (int i = 0; i < 2; i++)
            add_input(&s, &rng, (size_t)(level[i].height * level[i].width * shape.width), -1, 1);
        set_output(&s, &rng, (size_t)(tokens * shape.width));
        check(&s, &rng, round);
        free(position);
        free(spread);
    }
    dl_arena_free(&arena);
}

typedef struct map_shape {
    int height, width, channels, stride;
} map_shape;

static void patches_forward(subject *s)
{
    const map_shape *m = s->shape;
    dl_patches_forward(m->height, m->width, m->channels, m->stride, s->input[0], s->output);
}

static void patches_backward(subject *s)
{
    const map_shape *m = s->shape;
    dl_patches_backward(m->height, m->width, m->channels, m->stride, s->weight, s->gradient[0]);
}

static void film_forward(subject *s)
{
    const map_shape *m = s->shape;
    dl_film_forward(m->height * m->width, m->channels, s->input[1], s->input[0], s->output);
}

static void film_backward(subject *s)
{
    const map_shape *m = s->shape;
    memcpy(s->gradient[0], s->weight, sizeof(real) * s->outputs);
    assert_true(dl_film_backward(m->height * m->width, m->channels, s->input[1], s->input[0], s->gradient[0],
                                 s->gradient[1], s->arena));
}

static void upsample_forward(subject *s)
{
    const map_shape *m = s->shape;
    memcpy(s->output, s->input[1], sizeof(real) * s->outputs);
    dl_upsample_add(m->height, m->width, m->channels, s->input[0], s->output);
}

static void upsample_backward(subject *s)
{
    const map_shape *m = s->shape;
    memcpy(s->gradient[1], s->weight, sizeof(real) * s->outputs);
    dl_upsample_backward(m->height, m->width, m->channels, s->weight, s->gradient[0]);
}

static void the_pyramids_kernels_have_their_gradients(void **state)
{
    (void)state;
    dl_arena arena = {0};
    for (int round = 0; round < ROUNDS; round++) {
        dl_rng rng = round_rng('m', round);
        map_shape m = {between(&rng, 1, 7), between(&rng, 1, 7), between(&rng, 1, 5), between(&rng, 1, 2)};
        size_t channels = (size_t)m.channels, cells = (size_t)(m.height * m.width);
        size_t coarse = (size_t)(dl_convolved(m.height, 2) * dl_convolved(m.width, 2));
        subject patches = {.name = "patches", .shape = &m, .forward = patches_forward, .backward = patches_backward};
        add_input(&patches, &rng, cells * channels, -1, 1);
        set_output(&patches, &rng,
                   (size_t)(dl_convolved(m.height, m.stride) * dl_convolved(m.width, m.stride)) * DL_PATCH * channels);
        check(&patches, &rng, round);
        subject film = {
            .name = "film", .shape = &m, .arena = &arena, .forward = film_forward, .backward = film_backward};
        add_input(&film, &rng, cells * channels, -2, 2);
        add_input(&film, &rng, 2 * channels, -1, 1);
        set_output(&film, &rng, cells * channels);
        check(&film, &rng, round);
        subject up = {.name = "upsampling", .shape = &m, .forward = upsample_forward, .backward = upsample_backward};
        add_input(&up, &rng, coarse * channels, -1, 1);
        add_input(&up, &rng, cells * channels, -1, 1);
        set_output(&up, &rng, cells * channels);
        check(&up, &rng, round);
    }
    dl_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_has_its_gradient),
        cmocka_unit_test(gelu_has_its_gradient),
        cmocka_unit_test(layer_norm_has_its_gradient),
        cmocka_unit_test(temporal_attention_has_its_gradient),
        cmocka_unit_test(sparse_attention_has_its_gradient),
        cmocka_unit_test(deformable_sampling_has_its_gradient),
        cmocka_unit_test(the_pyramids_kernels_have_their_gradients),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
