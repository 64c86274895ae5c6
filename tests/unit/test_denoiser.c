#include "support_network.h"

static real *logits_of(const dl_denoiser *net, const real *parameters, const dl_denoiser_input *input)
{
    dl_arena arena = {0};
    size_t count = (size_t)input->agents * (size_t)input->horizon * DL_ACTIONS;
    real *logits = DL_ARRAY(real, count);
    assert_int_equal(dl_denoiser_infer(net, parameters, input, logits, &arena), DIFFLNS_OK);
    dl_arena_free(&arena);
    return logits;
}

static void expect_close(const real *actual, const real *expected, size_t count, double tolerance)
{
    for (size_t i = 0; i < count; i++)
        if (!(fabs((double)actual[i] - expected[i]) <= tolerance * (1 + fabs((double)expected[i]))))
            fail_msg("logit %d is %.8g, expected %.8g", (int)i, actual[i], expected[i]);
}

/* The agents of `input` in another order: agent i of the result is agent order[i]. */
static dl_denoiser_input permuted(const dl_config *config, const dl_denoiser_input *input, const int32_t *order)
{
    dl_rng rng = dl_rng_stream(1, DL_PURPOSE('p', 'e', 'r', 'm'), 0);
    dl_denoiser_input out =
        test_network_input(&rng, config, input->agents, input->horizon, input->height, input->width, input->neighbors);
    size_t horizon = (size_t)input->horizon, features = (size_t)dl_config_features(config).count;
    int32_t *place = DL_ARRAY(int32_t, input->agents);
    for (int i = 0; i < input->agents; i++) place[order[i]] = i;
    for (int i = 0; i < input->agents; i++) {
        size_t to = (size_t)i, from = (size_t)order[i];
        memcpy((real *)out.features + to * horizon * features, input->features + from * horizon * features,
               sizeof(real) * horizon * features);
        memcpy((real *)out.position + 2 * to * horizon, input->position + 2 * from * horizon,
               sizeof(real) * 2 * horizon);
        memcpy((real *)out.entropy + to * horizon, input->entropy + from * horizon, sizeof(real) * horizon);
        memcpy((real *)out.start + 2 * to, input->start + 2 * from, sizeof(real) * 2);
        memcpy((real *)out.goal + 2 * to, input->goal + 2 * from, sizeof(real) * 2);
        for (int m = 0; m < input->neighbors; m++) {
            int32_t j = input->neighbor[from * (size_t)input->neighbors + (size_t)m];
            ((int32_t *)out.neighbor)[to * (size_t)input->neighbors + (size_t)m] = j < 0 ? -1 : place[j];
        }
    }
    memcpy((real *)out.map, input->map, sizeof(real) * 3 * (size_t)input->height * (size_t)input->width);
    out.step = input->step;
    free(place);
    return out;
}

static void permuting_the_agents_permutes_the_logits(void **state)
{
    (void)state;
    enum { AGENTS = 23, HORIZON = 37 };
    dl_config configs[] = {dl_config_paper(), dl_config_compact()};
    for (int which = 0; which < 2; which++) {
        dl_rng rng = dl_rng_stream(2, DL_PURPOSE('e', 'q', 'u', 'i'), (uint64_t)which);
        const dl_config *config = &configs[which];
        dl_denoiser *net = dl_denoiser_create(config);
        real *parameters = test_network_parameters(&rng, net);
        dl_denoiser_input input = test_network_input(&rng, config, AGENTS, HORIZON, 11, 13, 9);
        int32_t order[AGENTS];
        for (int i = 0; i < AGENTS; i++) order[i] = i;
        dl_rng_shuffle(&rng, order, AGENTS);
        dl_denoiser_input other = permuted(config, &input, order);
        real *logits = logits_of(net, parameters, &input), *turned = logits_of(net, parameters, &other);
        size_t row = (size_t)HORIZON * DL_ACTIONS;
        for (int i = 0; i < AGENTS; i++)
            expect_close(turned + (size_t)i * row, logits + (size_t)order[i] * row, row, 1e-5);
        free(logits);
        free(turned);
        free(parameters);
        test_network_input_free(&input);
        test_network_input_free(&other);
        dl_denoiser_free(net);
    }
}

static void empty_places_among_the_neighbors_change_nothing(void **state)
{
    (void)state;
    enum { AGENTS = 9, HORIZON = 12, FEW = 4, MANY = 13 };
    dl_rng rng = dl_rng_stream(3, DL_PURPOSE('m', 'a', 's', 'k'), 0);
    dl_config config = dl_config_compact();
    dl_denoiser *net = dl_denoiser_create(&config);
    real *parameters = test_network_parameters(&rng, net);
    dl_denoiser_input input = test_network_input(&rng, &config, AGENTS, HORIZON, 8, 8, FEW);
    real *logits = logits_of(net, parameters, &input);
    int32_t padded[AGENTS * MANY];
    for (int i = 0; i < AGENTS * MANY; i++) padded[i] = -1;
    for (int i = 0; i < AGENTS; i++)
        for (int m = 0; m < FEW; m++) padded[i * MANY + 3 * m] = input.neighbor[i * FEW + m];
    dl_denoiser_input wide = input;
    wide.neighbor = padded;
    wide.neighbors = MANY;
    real *same = logits_of(net, parameters, &wide);
    expect_close(same, logits, (size_t)AGENTS * HORIZON * DL_ACTIONS, 1e-5);
    free(logits);
    free(same);
    free(parameters);
    test_network_input_free(&input);
    dl_denoiser_free(net);
}

static void inference_and_training_agree_and_leave_the_arena_as_it_was(void **state)
{
    (void)state;
    enum { AGENTS = 31, HORIZON = 70 }; /* several chunks */
    dl_rng rng = dl_rng_stream(4, DL_PURPOSE('a', 'g', 'r', 'e'), 0);
    dl_config config = dl_config_compact();
    dl_denoiser *net = dl_denoiser_create(&config);
    real *parameters = test_network_parameters(&rng, net);
    dl_denoiser_input input = test_network_input(&rng, &config, AGENTS, HORIZON, 9, 9, 6);
    real *logits = logits_of(net, parameters, &input);
    dl_arena arena = {0};
    assert_non_null(dl_arena_alloc(&arena, 100));
    dl_arena_mark before = dl_arena_position(&arena);
    real *gradient = DL_ARRAY(real, dl_denoiser_parameters(net));
    dl_denoiser_pass *pass = dl_denoiser_forward(net, parameters, &input, &arena);
    expect_close(dl_denoiser_logits(pass), logits, (size_t)AGENTS * HORIZON * DL_ACTIONS, 1e-5);
    dl_arena_mark kept = dl_arena_position(&arena);
    assert_true(dl_denoiser_backward(net, parameters, pass, logits, gradient, &arena));
    assert_ptr_equal(dl_arena_position(&arena).chunk, kept.chunk);
    assert_int_equal(dl_arena_position(&arena).used, kept.used);
    dl_arena_rewind(&arena, before);
    real *together = DL_ARRAY(real, (size_t)AGENTS * HORIZON * DL_ACTIONS);
    assert_int_equal(dl_denoiser_infer_together(net, parameters, &input, together, &arena, 3), DIFFLNS_OK);
    assert_memory_equal(together, logits, sizeof(real) * (size_t)AGENTS * HORIZON * DL_ACTIONS);
    free(together);
    assert_int_equal(dl_denoiser_infer(net, parameters, &input, logits, &arena), DIFFLNS_OK);
    assert_ptr_equal(dl_arena_position(&arena).chunk, before.chunk);
    assert_int_equal(dl_arena_position(&arena).used, before.used);
    dl_arena_free(&arena);
    free(gradient);
    free(logits);
    free(parameters);
    test_network_input_free(&input);
    dl_denoiser_free(net);
}

static void far_agents_do_not_matter_but_neighbors_do(void **state)
{
    (void)state;
    enum { AGENTS = 3, HORIZON = 5 };
    dl_rng rng = dl_rng_stream(5, DL_PURPOSE('f', 'a', 'r', ' '), 0);
    dl_config config = dl_config_compact();
    config.network.layers = 1;
    dl_denoiser *net = dl_denoiser_create(&config);
    real *parameters = test_network_parameters(&rng, net);
    dl_denoiser_input input = test_network_input(&rng, &config, AGENTS, HORIZON, 8, 8, 2);
    const int32_t graph[] = {0, 1, 1, 0, 2, -1};
    memcpy((int32_t *)input.neighbor, graph, sizeof graph);
    real *logits = logits_of(net, parameters, &input);
    size_t row = (size_t)HORIZON * DL_ACTIONS, features = (size_t)HORIZON * (size_t)dl_config_features(&config).count;
    for (size_t i = 0; i < features; i++) ((real *)input.features)[2 * features + i] += 1;
    real *after = logits_of(net, parameters, &input);
    assert_memory_equal(after, logits, sizeof(real) * 2 * row); /* agents 0 and 1 do not see agent 2 */
    for (size_t i = 0; i < features; i++) ((real *)input.features)[features + i] += 1;
    real *changed = logits_of(net, parameters, &input);
    assert_memory_not_equal(changed, after, sizeof(real) * row); /* agent 0 sees agent 1 */
    free(logits);
    free(after);
    free(changed);
    free(parameters);
    test_network_input_free(&input);
    dl_denoiser_free(net);
}

static void the_papers_network_has_the_papers_shape(void **state)
{
    (void)state;
    dl_config config = dl_config_paper();
    dl_denoiser *net = dl_denoiser_create(&config);
    size_t next = 0;
    for (int i = 0; i < dl_denoiser_tensors(net); i++) {
        const dl_tensor *tensor = dl_denoiser_tensor(net, i);
        assert_int_equal(tensor->offset, next);
        next += (size_t)tensor->rows * (size_t)tensor->columns;
        for (int k = 0; k < i; k++) assert_string_not_equal(dl_denoiser_tensor(net, k)->name, tensor->name);
        if (strcmp(tensor->name, "block.3.sensing.sites.weight") == 0) {
            assert_int_equal(tensor->rows, 4 * 8 * (2 + 3)); /* heads, points, two offsets and three scales */
            assert_int_equal(tensor->columns, 128);
        }
    }
    assert_int_equal(next, dl_denoiser_parameters(net));
    dl_denoiser_free(net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(permuting_the_agents_permutes_the_logits),
        cmocka_unit_test(empty_places_among_the_neighbors_change_nothing),
        cmocka_unit_test(inference_and_training_agree_and_leave_the_arena_as_it_was),
        cmocka_unit_test(far_agents_do_not_matter_but_neighbors_do),
        cmocka_unit_test(the_papers_network_has_the_papers_shape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
