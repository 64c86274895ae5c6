/* The table of solver options: defaults, ranges, text. */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "lns/improve.h"
#include "lns/repair.h"
#include "solver/options.h"
#include "support.h"

static void numbers_are_decimal_and_nothing_else(void **state)
{
    (void)state;
    static const char *const BAD[] = {"",    " 1",  "1 ",    "+1",    "0x10", "nan", "inf", "-inf",
                                      "1e",  "1e+", ".5",    "5.",    "1.e3", "-",   "--1", "1,5",
                                      "ten", "1f",  "0x1p3", "1e999", "1_0",  "\t1", "1\n"};
    static const char *const NOT_WHOLE[] = {"1.0", "1e3", "9223372036854775808", "-9223372036854775809"};
    int64_t whole;
    double real;
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        assert_false(dl_number_whole(BAD[i], &whole));
        assert_false(dl_number_real(BAD[i], &real));
    }
    for (size_t i = 0; i < sizeof NOT_WHOLE / sizeof NOT_WHOLE[0]; i++)
        assert_false(dl_number_whole(NOT_WHOLE[i], &whole));
    assert_true(dl_number_whole("-9223372036854775808", &whole));
    assert_true(whole == INT64_MIN);
    assert_true(dl_number_whole("007", &whole));
    assert_int_equal(whole, 7);
    assert_true(dl_number_real("-12.5e-1", &real));
    assert_true(real == -1.25);
    assert_true(dl_number_real("3", &real));
    assert_true(real == 3);
}

static void defaults_are_in_range_and_survive_text(void **state)
{
    (void)state;
    dl_options usual, read;
    difflns_error err;
    dl_options_default(&usual);
    assert_int_equal(dl_options_check(&usual, &err), DIFFLNS_OK);
    memset(&read, 0, sizeof read);
    int rows = 0;
    for (const dl_option *row; (row = dl_option_at(rows)); rows++) {
        char text[DL_OPTION_TEXT];
        dl_option_text(row, &usual, text);
        assert_int_equal(dl_option_set_text(row, &read, text, &err), DIFFLNS_OK);
        assert_true(dl_option_real(row, &read) == dl_option_real(row, &usual));
        assert_ptr_equal(dl_option_find(row->name), row);
        assert_true(strlen(row->help) > 0 && strlen(row->argument) > 0);
    }
    assert_true(rows > 10);
    assert_null(dl_option_at(-1));
    assert_null(dl_option_find("repai"));
    assert_null(dl_option_find("repair-times"));
    assert_ptr_equal(dl_option_find("repair_time"), dl_option_find("repair-time"));
}

/* Every row refuses what lies just outside its range, and takes its bounds, by number and by text alike. */
static void bounds_hold_for_every_row(void **state)
{
    (void)state;
    for (int i = 0; dl_option_at(i); i++) {
        const dl_option *row = dl_option_at(i);
        dl_options options;
        difflns_error err;
        dl_options_default(&options);
        double before = dl_option_real(row, &options);
        if (row->type == DL_OPTION_REAL) {
            assert_int_equal(dl_option_set_real(row, &options, nextafter(row->real.low, -INFINITY), &err),
                             DIFFLNS_BAD_INPUT);
            assert_int_equal(dl_option_set_real(row, &options, nextafter(row->real.high, INFINITY), &err),
                             DIFFLNS_BAD_INPUT);
            assert_int_equal(dl_option_set_real(row, &options, NAN, &err), DIFFLNS_BAD_INPUT);
            assert_int_equal(dl_option_set_text(row, &options, "0x10", &err), DIFFLNS_BAD_INPUT);
        } else {
            assert_int_equal(dl_option_set_whole(row, &options, row->whole.low - 1, &err), DIFFLNS_BAD_INPUT);
            if (row->type == DL_OPTION_INT)
                assert_int_equal(dl_option_set_whole(row, &options, row->whole.high + 1, &err), DIFFLNS_BAD_INPUT);
            assert_int_equal(dl_option_set_real(row, &options, 0.5, &err), DIFFLNS_BAD_INPUT);
        }
        assert_int_equal(dl_option_set_text(row, &options, "many", &err), DIFFLNS_BAD_INPUT);
        assert_memory_equal(err.message, row->name, strlen(row->name));
        assert_true(dl_option_real(row, &options) == before);
        if (row->type == DL_OPTION_REAL)
            assert_int_equal(dl_option_set_real(row, &options, row->real.high, &err), DIFFLNS_OK);
        else
            assert_int_equal(dl_option_set_whole(row, &options, row->whole.low, &err), DIFFLNS_OK);
    }
}

static void a_refusal_is_one_clear_line(void **state)
{
    (void)state;
    dl_options options;
    difflns_error err;
    dl_options_default(&options);
    dl_option_set_text(dl_option_find("neighbors"), &options, "0", &err);
    assert_string_equal(err.message, "neighbors: \"0\": expected a whole number from 1 to 65534");
    dl_option_set_text(dl_option_find("repair-time"), &options, "0x10", &err);
    assert_string_equal(err.message, "repair-time: \"0x10\": expected a number from 1e-06 to 1e+09");
    dl_option_set_text(dl_option_find("fallback"), &options, "yes", &err);
    assert_string_equal(err.message, "fallback: \"yes\": expected one of on|off");
    dl_option_set_whole(dl_option_find("init"), &options, 99, &err);
    assert_non_null(strstr(err.message, "expected one of auto|"));
    options.steps = -1;
    assert_int_equal(dl_options_check(&options, &err), DIFFLNS_BAD_INPUT);
    assert_string_equal(err.message, "steps: \"-1\": expected a whole number from 0 to 10000");
}

static void a_limit_of_iterations_replaces_the_usual_time(void **state)
{
    (void)state;
    dl_options options;
    dl_options_default(&options);
    assert_true(dl_options_seconds(&options) == DL_USUAL_TIME);
    options.iterations = 1;
    assert_true(isinf(dl_options_seconds(&options)));
    options.time = 2.5;
    assert_true(dl_options_seconds(&options) == 2.5);
    options.time = DL_NO_TIME_LIMIT;
    assert_true(isinf(dl_options_seconds(&options)));
}

static void repair_and_table_agree_on_the_neighborhood(void **state)
{
    (void)state;
    dl_options usual;
    dl_options_default(&usual);
    assert_int_equal(usual.neighbors, DL_REPAIR_DEFAULTS.neighbors);
    assert_int_equal(usual.neighbors, DL_IMPROVE_DEFAULTS.neighbors);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_decimal_and_nothing_else),
        cmocka_unit_test(defaults_are_in_range_and_survive_text),
        cmocka_unit_test(bounds_hold_for_every_row),
        cmocka_unit_test(a_refusal_is_one_clear_line),
        cmocka_unit_test(a_limit_of_iterations_replaces_the_usual_time),
        cmocka_unit_test(repair_and_table_agree_on_the_neighborhood),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
