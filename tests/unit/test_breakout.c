#include "lns/breakout.h"

#include <string.h>

#include "base/rng.h"
#include "lns/conflict_graph.h"
#include "support.h"

enum { AGENTS = 90 };

/* Every pair's weight, kept the plainest way. */
typedef struct plain_weights {
    int of[AGENTS][AGENTS];
} plain_weights;

static void level(plain_weights *plain)
{
    for (int a = 0; a < AGENTS; a++)
        for (int b = 0; b < AGENTS; b++) plain->of[a][b] = 1;
}

static void expect_same(const dl_breakout *b, const plain_weights *plain)
{
    for (int one = 0; one < AGENTS; one++)
        for (int other = 0; other < AGENTS; other++)
            if (one != other) assert_int_equal(dl_breakout_weight(b, one, other), plain->of[one][other]);
}

static void weights_are_those_of_a_plain_table(void **state)
{
    (void)state;
    static plain_weights plain;
    dl_breakout b = {0};
    dl_rng rng = dl_rng_stream(1, DL_PURPOSE('t', 'e', 's', 't'), 0);
    for (int round = 0; round < 6; round++) { /* a table that has grown serves again */
        dl_breakout_clear(&b);
        level(&plain);
        expect_same(&b, &plain);
        for (int i = 0; i < 700 * round; i++) {
            int one = (int)dl_rng_below(&rng, AGENTS), other = (int)dl_rng_below(&rng, AGENTS);
            if (one == other) continue;
            assert_true(dl_breakout_raise(&b, one, other));
            plain.of[one][other]++;
            plain.of[other][one]++;
        }
        expect_same(&b, &plain);
    }
    dl_breakout_end(&b);
}

/* Random graphs: every edge rises by one, none twice; a set weighs what its edges do, those inside it once. */
static void edges_rise_and_are_weighed_once(void **state)
{
    (void)state;
    static plain_weights plain;
    static bool joined[AGENTS][AGENTS];
    for (uint64_t seed = 0; seed < 40; seed++) {
        dl_conflicts c;
        dl_breakout b = {0};
        dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('t', 'e', 's', 't'), 1);
        assert_true(dl_conflicts_begin(&c, AGENTS));
        level(&plain);
        memset(joined, 0, sizeof joined);
        for (int i = 0; i < 3 * AGENTS; i++) {
            int one = (int)dl_rng_below(&rng, AGENTS), other = (int)dl_rng_below(&rng, AGENTS);
            if (one == other || joined[one][other]) continue;
            assert_true(dl_conflicts_join(&c, one, other));
            joined[one][other] = joined[other][one] = true;
            if (i % 7 != 0) continue;
            assert_true(dl_conflicts_raise(&c, &b));
            for (int x = 0; x < AGENTS; x++)
                for (int y = 0; y < AGENTS; y++) plain.of[x][y] += joined[x][y];
        }
        expect_same(&b, &plain);
        int32_t set[AGENTS];
        bool inside[AGENTS] = {false};
        int count = 0, sum = 0;
        for (int agent = 0; agent < AGENTS; agent++)
            if ((inside[agent] = dl_rng_below(&rng, 4) == 0)) set[count++] = agent;
        dl_rng_shuffle(&rng, set, count);
        for (int x = 0; x < AGENTS; x++)
            for (int y = 0; y < x; y++) sum += joined[x][y] && (inside[x] || inside[y]) ? plain.of[x][y] : 0;
        assert_int_equal(dl_conflicts_touching(&c, &b, set, count), sum);
        dl_breakout_end(&b);
        dl_conflicts_end(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_are_those_of_a_plain_table),
        cmocka_unit_test(edges_rise_and_are_weighed_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
