#include "support.h"

#include <math.h>

#include "diffusion/posterior.h"

static void random_probabilities(dl_rng *rng, int tokens, double *p)
{
    double sum = 0;
    for (int a = 0; a < tokens; a++) sum += p[a] = 0.01 + dl_rng_unit(rng);
    for (int a = 0; a < tokens; a++) p[a] /= sum;
}

static double one_step(const dl_schedule *s, int k, int from, int to)
{
    double alpha = s->kept[k] / s->kept[k - 1];
    return (from == to ? alpha : 0) + (1 - alpha) / DL_ACTIONS;
}

/* q(x_k = to | x_j = from) by walking the chain state by state. */
static double chain(const dl_schedule *s, int j, int k, int from, int to)
{
    double now[DL_ACTIONS] = {0}, next[DL_ACTIONS] = {0};
    now[from] = 1;
    for (int step = j + 1; step <= k; step++) {
        for (int b = 0; b < DL_ACTIONS; b++) {
            next[b] = 0;
            for (int a = 0; a < DL_ACTIONS; a++) next[b] += now[a] * one_step(s, step, a, b);
        }
        memcpy(now, next, sizeof now);
    }
    return now[to];
}

static void the_schedule_falls_from_one_to_almost_nothing(void **state)
{
    (void)state;
    dl_schedule *s = dl_schedule_create(100);
    assert_true(s->kept[0] == 1);
    for (int k = 1; k <= 100; k++) assert_true(s->kept[k] < s->kept[k - 1] && s->kept[k] > 0);
    assert_true(s->kept[100] < 1e-5);
    double middle = cos((0.5 + 0.008) / 1.008 * M_PI_2), first = cos(0.008 / 1.008 * M_PI_2);
    assert_true(fabs(s->kept[50] - middle * middle / (first * first)) < 1e-12);
    assert_true(dl_schedule_entropy(s, 0) == 0 && dl_schedule_entropy(s, 100) > 0.9999);
    dl_schedule_free(s);
}

static void a_reverse_step_is_the_chain_marginalised_by_hand(void **state)
{
    (void)state;
    dl_schedule *s = dl_schedule_create(6);
    dl_rng rng = dl_rng_stream(7, DL_PURPOSE('t', 'e', 's', 't'), 0);
    for (int k = 1; k <= 6; k++)
        for (int j = 0; j < k; j++)
            for (int noisy = 0; noisy < DL_ACTIONS; noisy++) {
                double clean[DL_ACTIONS], p[DL_ACTIONS], sum = 0, truth[DL_ACTIONS], z = 0;
                random_probabilities(&rng, DL_ACTIONS, clean);
                for (int a = 0; a < DL_ACTIONS; a++) {
                    truth[a] = 0;
                    for (int x0 = 0; x0 < DL_ACTIONS; x0++)
                        truth[a] += clean[x0] * chain(s, 0, j, x0, a) * chain(s, j, k, a, noisy);
                    z += truth[a];
                }
                dl_reverse_step step = dl_reverse_step_between(s, k, j);
                dl_reverse_probabilities(&step, noisy, clean, p);
                for (int a = 0; a < DL_ACTIONS; a++) {
                    sum += p[a];
                    assert_true(fabs(p[a] - truth[a] / z) < 1e-12);
                }
                assert_true(fabs(sum - 1) < 1e-12);
            }
    dl_schedule_free(s);
}

static void a_sure_network_gets_its_answer_back_at_every_stride(void **state)
{
    (void)state;
    dl_schedule *s = dl_schedule_create(100);
    dl_rng rng = dl_rng_stream(8, DL_PURPOSE('t', 'e', 's', 't'), 0);
    for (int count = 1; count <= 100; count++) {
        int visited[101];
        assert_int_equal(dl_schedule_stride(s, count, visited), count);
        assert_int_equal(visited[0], 100);
        assert_int_equal(visited[count], 0);
        for (int target = 0; target < 5; target++) {
            double clean[5] = {0}, p[5];
            clean[target] = 1;
            int x = (int)dl_rng_below(&rng, 5);
            for (int i = 0; i < count; i++) {
                assert_true(visited[i + 1] < visited[i]);
                dl_reverse_step step = dl_reverse_step_between(s, visited[i], visited[i + 1]);
                dl_reverse_probabilities(&step, x, clean, p);
                x = dl_token_at(p, 5, dl_rng_unit(&rng));
            }
            assert_int_equal(x, target);
        }
    }
    dl_schedule_free(s);
}

static void corrupted_tokens_have_the_frequencies_of_the_schedule(void **state)
{
    (void)state;
    enum { COUNT = 200000 };
    dl_schedule *s = dl_schedule_create(100);
    uint8_t *clean = calloc(COUNT, 1), *noisy = calloc(COUNT, 1);
    memset(clean, 3, COUNT);
    const int levels[] = {1, 10, 50, 90, 100};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        dl_rng rng = dl_rng_stream(9, DL_PURPOSE('t', 'e', 's', 't'), i);
        dl_corrupt(s, levels[i], clean, COUNT, &rng, noisy);
        double seen[5] = {0};
        for (int n = 0; n < COUNT; n++) seen[noisy[n]]++;
        for (int a = 0; a < 5; a++) {
            double p = (a == 3 ? s->kept[levels[i]] : 0) + (1 - s->kept[levels[i]]) / 5;
            assert_true(fabs(seen[a] / COUNT - p) < 5 * sqrt(p * (1 - p) / COUNT) + 1e-9);
        }
    }
    free(clean);
    free(noisy);
    dl_schedule_free(s);
}

static void the_divergence_is_that_of_the_definition_and_its_gradient_fits(void **state)
{
    (void)state;
    dl_schedule *s = dl_schedule_create(100);
    dl_rng rng = dl_rng_stream(10, DL_PURPOSE('t', 'e', 's', 't'), 0);
    for (int round = 0; round < 200; round++) {
        int k = 1 + (int)dl_rng_below(&rng, 100), noisy = (int)dl_rng_below(&rng, 5),
            target = (int)dl_rng_below(&rng, 5);
        double clean[5], gradient[5] = {0}, ignored[5] = {0}, point[5] = {0}, q[5], p[5], truth = 0;
        random_probabilities(&rng, 5, clean);
        point[target] = 1;
        dl_reverse_step step = dl_reverse_step_between(s, k, k - 1);
        dl_reverse_probabilities(&step, noisy, point, q);
        dl_reverse_probabilities(&step, noisy, clean, p);
        for (int a = 0; a < 5; a++) truth += q[a] > 0 ? q[a] * log(q[a] / p[a]) : 0;
        double value = dl_posterior_divergence(&step, noisy, target, clean, 1, gradient);
        assert_true(fabs(value - truth) < 1e-10 && value >= -1e-12);
        for (int a = 0; a < 5; a++) {
            double h = 1e-6, was = clean[a];
            clean[a] = was + h;
            double up = dl_posterior_divergence(&step, noisy, target, clean, 1, ignored);
            clean[a] = was - h;
            double down = dl_posterior_divergence(&step, noisy, target, clean, 1, ignored);
            clean[a] = was;
            assert_true(fabs((up - down) / (2 * h) - gradient[a]) < 1e-5 * (1 + fabs(gradient[a])));
        }
    }
    dl_schedule_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_schedule_falls_from_one_to_almost_nothing),
        cmocka_unit_test(a_reverse_step_is_the_chain_marginalised_by_hand),
        cmocka_unit_test(a_sure_network_gets_its_answer_back_at_every_stride),
        cmocka_unit_test(corrupted_tokens_have_the_frequencies_of_the_schedule),
        cmocka_unit_test(the_divergence_is_that_of_the_definition_and_its_gradient_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
