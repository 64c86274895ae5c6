#include "support_network.h"

#include "nn/adamw.h"

static void a_step_follows_the_formula(void **state)
{
    (void)state;
    dl_adamw optimizer = dl_adamw_default(0.01, 0.1);
    real parameter = 2, first = 0, second = 0;
    double p = 2, m = 0, v = 0;
    for (int step = 1; step <= 50; step++) {
        double gradient = sin(step) * 3, factor = 0.5, g = gradient * factor;
        real given = (real)gradient;
        dl_adamw_step(&optimizer, (uint64_t)step, 1, factor, &given, &parameter, &first, &second, 1);
        p -= 0.01 * 0.1 * p;
        m = 0.9 * m + 0.1 * g;
        v = 0.999 * v + 0.001 * g * g;
        p -= 0.01 * (m / (1 - pow(0.9, step))) / (sqrt(v / (1 - pow(0.999, step))) + 1e-8);
        assert_true(fabs(parameter - p) < 1e-5);
    }
}

static void without_decay_a_zero_gradient_changes_nothing(void **state)
{
    (void)state;
    dl_adamw optimizer = dl_adamw_default(0.01, 0.1);
    real parameters[3] = {1, 2, 3}, zero[3] = {0}, first[3] = {0}, second[3] = {0};
    dl_adamw_step(&optimizer, 1, 3, 1, zero, parameters, first, second, 0);
    assert_true(parameters[0] == 1 && parameters[1] == 2 && parameters[2] == 3);
}

static void a_valley_is_found(void **state)
{
    (void)state;
    dl_adamw optimizer = dl_adamw_default(0.05, 0);
    real x[2] = {4, -3}, first[2] = {0}, second[2] = {0};
    for (int step = 1; step <= 600; step++) {
        real gradient[2] = {2 * (x[0] - 1), 20 * (x[1] - 2)};
        dl_adamw_step(&optimizer, (uint64_t)step, 2, 1, gradient, x, first, second, 0);
    }
    assert_true(fabs(x[0] - 1) < 1e-2 && fabs(x[1] - 2) < 1e-2);
}

static void clipping_brings_the_norm_to_the_limit(void **state)
{
    (void)state;
    real vector[2] = {3, 4};
    assert_true(fabs(dl_norm(2, vector) - 5) < 1e-12);
    assert_true(fabs(dl_clip_factor(5, 1) - 0.2) < 1e-12);
    assert_true(dl_clip_factor(0.5, 1) == 1);
    assert_true(dl_clip_factor(5, 0) == 1); /* no limit */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_follows_the_formula),
        cmocka_unit_test(without_decay_a_zero_gradient_changes_nothing),
        cmocka_unit_test(a_valley_is_found),
        cmocka_unit_test(clipping_brings_the_norm_to_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
