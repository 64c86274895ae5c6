/* When a solve hands over, by histories made up here: spent so much, the best plan costs so much. */
#include "solver/stop_rule.h"
#include "support.h"

/* Notes a history and says when the rule is met if nothing more happens, looked at in steps of `step`. */
static double met_at(dl_stop stop, double least, const dl_milestone *history, int count, double step, double end)
{
    dl_stop_rule rule;
    dl_stop_rule_begin(&rule, stop, least);
    int next = 0;
    for (double spent = 0; spent <= end; spent += step) {
        while (next < count && history[next].spent <= spent) {
            dl_stop_rule_note(&rule, history[next].spent, history[next].soc);
            next++;
        }
        if (dl_stop_rule_is_met(&rule, spent)) return spent;
    }
    return -1;
}

static void first_ends_with_the_first_plan_and_not_before(void **state)
{
    (void)state;
    const dl_milestone history[] = {{8, 1000}};
    assert_true(met_at(DL_STOP_FIRST, 0.5, history, 1, 0.25, 100) == 8);
    assert_true(met_at(DL_STOP_FIRST, 0.5, NULL, 0, 0.25, 100) == -1);
}

static void limit_goes_on_whatever_happens(void **state)
{
    (void)state;
    const dl_milestone history[] = {{1, 1000}, {2, 500}};
    assert_true(met_at(DL_STOP_LIMIT, 0.5, history, 2, 0.25, 1000) == -1);
}

static void a_plan_that_never_gets_cheaper_is_settled_after_half_of_its_age_again(void **state)
{
    (void)state;
    const dl_milestone late[] = {{8, 1000}}, early[] = {{0.125, 1000}};
    assert_true(met_at(DL_STOP_SETTLED, 0.5, late, 1, 0.25, 100) == 12);      /* at 2/3 of that the plan was there */
    assert_true(met_at(DL_STOP_SETTLED, 0.5, early, 1, 0.125, 100) == 0.625); /* half a second has to be tried */
}

static void no_plan_is_never_settled(void **state)
{
    (void)state;
    assert_true(met_at(DL_STOP_SETTLED, 0.5, NULL, 0, 0.25, 1000) == -1);
}

static void one_percent_in_the_last_third_is_worth_going_on(void **state)
{
    (void)state;
    const dl_milestone worth[] = {{0, 1000}, {3, 990}}, little[] = {{0, 1000}, {3, 991}};
    dl_stop_rule rule;
    dl_stop_rule_begin(&rule, DL_STOP_SETTLED, 0.5);
    for (int i = 0; i < 2; i++) dl_stop_rule_note(&rule, worth[i].spent, worth[i].soc);
    assert_false(dl_stop_rule_is_met(&rule, 3));
    assert_false(dl_stop_rule_is_met(&rule, 4.4)); /* it got 1 % cheaper after 2/3 of that */
    assert_true(dl_stop_rule_is_met(&rule, 4.6));
    dl_stop_rule_begin(&rule, DL_STOP_SETTLED, 0.5);
    for (int i = 0; i < 2; i++) dl_stop_rule_note(&rule, little[i].spent, little[i].soc);
    assert_true(dl_stop_rule_is_met(&rule, 3));
}

static void many_small_gains_add_up(void **state)
{
    (void)state;
    dl_stop_rule rule;
    dl_stop_rule_begin(&rule, DL_STOP_SETTLED, 0.5);
    double spent = 0;
    for (int64_t soc = 100000; soc > 50000; soc--, spent += 0.001) { /* a third of 3 s brings about 1 % */
        dl_stop_rule_note(&rule, spent, soc);
        if (spent > 0.51 && spent < 2.8) assert_true(dl_stop_rule_is_met(&rule, spent));
        if (spent > 3.2) assert_false(dl_stop_rule_is_met(&rule, spent));
    }
    assert_true(dl_stop_rule_is_met(&rule, 1.6 * spent));
}

static void a_dearer_plan_changes_nothing(void **state)
{
    (void)state;
    const dl_milestone history[] = {{1, 1000}, {1.25, 2000}, {1.5, 1000}};
    assert_true(met_at(DL_STOP_SETTLED, 0.5, history, 3, 0.25, 100) == 1.5);
}

static void another_plan_gets_as_long_as_one_found_now(void **state)
{
    (void)state;
    dl_stop_rule rule;
    dl_stop_rule_begin(&rule, DL_STOP_SETTLED, 0.5);
    dl_stop_rule_renew(&rule, 1);
    assert_false(dl_stop_rule_is_met(&rule, 100)); /* there is no plan yet */
    dl_stop_rule_note(&rule, 2, 1000);
    dl_stop_rule_note(&rule, 3, 900);
    assert_true(dl_stop_rule_is_met(&rule, 8));
    dl_stop_rule_renew(&rule, 8);
    assert_false(dl_stop_rule_is_met(&rule, 11.9));
    assert_true(dl_stop_rule_is_met(&rule, 12)); /* nothing came of it */
    dl_stop_rule_note(&rule, 11, 800);
    assert_false(dl_stop_rule_is_met(&rule, 16));
    assert_true(dl_stop_rule_is_met(&rule, 16.6));
    dl_stop_rule_note(&rule, 17, 900); /* what was best still is */
    assert_true(dl_stop_rule_is_met(&rule, 17));
}

/* Property: the short history kept answers as the whole one does, but for gains near the 1 % or the edge of the third.
 */
static void what_is_forgotten_does_not_matter(void **state)
{
    (void)state;
    enum { STEPS = 3000 };
    static double at[STEPS];
    static int64_t cost[STEPS];
    for (uint64_t seed = 0; seed < 20; seed++) {
        dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('s', 't', 'o', 'p'), 0);
        dl_stop_rule rule;
        dl_stop_rule_begin(&rule, DL_STOP_SETTLED, 0.5);
        double spent = dl_rng_unit(&rng);
        int64_t soc = 1000000;
        for (int i = 0; i < STEPS; i++) {
            spent += 0.02 * dl_rng_unit(&rng);
            soc -= dl_rng_below(&rng, 20) ? 0 : (int64_t)dl_rng_below(&rng, 4000);
            at[i] = spent;
            cost[i] = soc;
            dl_stop_rule_note(&rule, spent, soc);
            int later = 0, sooner = 0; /* the history at 2/3, give or take what counts as one milestone */
            while (later < i && at[later + 1] <= spent * 2 / 3 * 1.011) later++;
            while (sooner < i && at[sooner + 1] <= spent * 2 / 3 / 1.011) sooner++;
            bool old_enough = at[0] <= spent * 2 / 3 && spent - at[0] >= 0.5;
            bool settled = old_enough && (double)(cost[sooner] - soc) < 0.01 * (double)cost[sooner];
            bool going_on = !old_enough || (double)(cost[later] - soc) >= 0.01 * (double)cost[later];
            bool is_met = dl_stop_rule_is_met(&rule, spent);
            if ((settled && !is_met) || (going_on && is_met))
                fail_msg("seed %llu: after %g, cost %lld", (unsigned long long)seed, spent, (long long)soc);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_ends_with_the_first_plan_and_not_before),
        cmocka_unit_test(limit_goes_on_whatever_happens),
        cmocka_unit_test(a_plan_that_never_gets_cheaper_is_settled_after_half_of_its_age_again),
        cmocka_unit_test(no_plan_is_never_settled),
        cmocka_unit_test(one_percent_in_the_last_third_is_worth_going_on),
        cmocka_unit_test(many_small_gains_add_up),
        cmocka_unit_test(a_dearer_plan_changes_nothing),
        cmocka_unit_test(another_plan_gets_as_long_as_one_found_now),
        cmocka_unit_test(what_is_forgotten_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
