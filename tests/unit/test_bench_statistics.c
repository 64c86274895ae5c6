#include <math.h>

#include "bench/statistics.h"
#include "support.h"

static void near(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance)) fail_msg("found %.6f, expected %.6f", found, expected);
}

/* Student (1908) by the book: the sleep data, group 2 minus group 1, mean 1.58 with interval 0.70 to 2.46. */
static void the_interval_of_a_mean_is_students(void **state)
{
    (void)state;
    static const double sleep[] = {1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4};
    dl_estimate e = dl_mean(sleep, 10);
    near(e.value, 1.58, 1e-9);
    near(e.low, 0.7001, 1e-3);
    near(e.high, 2.4599, 1e-3);
    assert_int_equal(e.count, 10);
}

static void students_points_are_those_of_the_tables(void **state)
{
    (void)state;
    near(dl_student_point(1), 12.706, 1e-3);
    near(dl_student_point(9), 2.262, 1e-3);
    near(dl_student_point(30), 2.042, 1e-3);
    near(dl_student_point(31), 2.0395, 1e-3); /* where the expansion takes over */
    near(dl_student_point(40), 2.021, 1e-3);
    near(dl_student_point(120), 1.980, 1e-3);
    assert_true(isnan(dl_student_point(0)));
    for (int freedom = 1; freedom < 200; freedom++)
        assert_true(dl_student_point(freedom) > dl_student_point(freedom + 1));
}

static void few_numbers_have_no_interval(void **state)
{
    (void)state;
    double one = 7;
    dl_estimate none = dl_mean(&one, 0), single = dl_mean(&one, 1);
    assert_true(isnan(none.value) && isnan(none.low));
    near(single.value, 7, 0);
    assert_true(isnan(single.low) && isnan(single.high));
    static const double four[] = {1, 2, 3, 4};
    assert_true(isnan(dl_mean(four, 4).low) && isnan(dl_geometric_mean(four, 4).high));
    assert_true(isnan(dl_share(0, 0).value));
}

/* Wilson (1927): 8 of 10 gives 0.4902 to 0.9433; 0 of 20 and 20 of 20 mirror each other. */
static void the_interval_of_a_share_is_wilsons(void **state)
{
    (void)state;
    dl_estimate e = dl_share(8, 10), none = dl_share(0, 20), all = dl_share(20, 20);
    near(e.value, 0.8, 1e-12);
    near(e.low, 0.4902, 1e-4);
    near(e.high, 0.9433, 1e-4);
    near(none.low, 0, 0);
    near(none.high, 0.1611, 1e-4);
    near(all.high, 1, 0);
    near(all.low, 1 - none.high, 1e-12);
}

/* Of many values the bootstrap comes close to Student's interval of the logarithms, and it is the same every time. */
static void the_interval_of_ratios_is_a_bootstrap(void **state)
{
    (void)state;
    double logs[200];
    for (int i = 0; i < 200; i++) logs[i] = 0.1 + 0.05 * sin(i * 1.7);
    dl_estimate found = dl_geometric_mean(logs, 200), again = dl_geometric_mean(logs, 200), mean = dl_mean(logs, 200);
    near(found.value, exp(mean.value), 1e-12);
    near(found.low, exp(mean.low), 1e-3);
    near(found.high, exp(mean.high), 1e-3);
    near(found.low, again.low, 0);
}

static void quantiles_lie_between_neighbors(void **state)
{
    (void)state;
    static const double values[] = {4, 1, 3, 2}, some[] = {5, INFINITY, 1};
    for (int rank = 0; rank < 4; rank++) near(dl_ranked(values, 4, rank), rank + 1, 0);
    near(dl_quantile(values, 4, 0), 1, 0);
    near(dl_quantile(values, 4, 0.5), 2.5, 1e-12);
    near(dl_quantile(values, 4, 1), 4, 0);
    near(dl_quantile(some, 3, 0.5), 5, 0);
    assert_true(isinf(dl_quantile(some, 3, 0.75)));
    assert_true(isnan(dl_quantile(values, 0, 0.5)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_interval_of_a_mean_is_students),
        cmocka_unit_test(students_points_are_those_of_the_tables),
        cmocka_unit_test(few_numbers_have_no_interval),
        cmocka_unit_test(the_interval_of_a_share_is_wilsons),
        cmocka_unit_test(the_interval_of_ratios_is_a_bootstrap),
        cmocka_unit_test(quantiles_lie_between_neighbors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
