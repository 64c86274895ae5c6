/* What the program says and how it ends, where no command can be made to go so wrong. */
#include "cli/cli.h"

#include "support.h"

#include <unistd.h>

static void errors_have_the_exit_status_that_users_are_told(void **state)
{
    (void)state;
    static const struct {
        difflns_status status;
        int exit;
    } EXPECTED[] = {
        {DIFFLNS_BAD_INPUT, 2}, {DIFFLNS_IO, 2}, {DIFFLNS_UNSOLVABLE, 3}, {DIFFLNS_UNSOLVED, 1}, {DIFFLNS_INTERNAL, 4}};
    for (size_t i = 0; i < sizeof EXPECTED / sizeof EXPECTED[0]; i++) {
        difflns_error err = {.status = EXPECTED[i].status, .message = "why"};
        assert_int_equal(cli_fail(&err), EXPECTED[i].exit);
    }
}

static void an_internal_error_asks_for_a_report_in_one_line(void **state)
{
    (void)state;
    int ends[2], before = dup(STDERR_FILENO);
    assert_int_equal(pipe(ends), 0);
    dup2(ends[1], STDERR_FILENO);
    difflns_error err = {.status = DIFFLNS_INTERNAL, .message = "a plan did not pass the checker"};
    cli_fail(&err);
    dup2(before, STDERR_FILENO);
    close(before);
    close(ends[1]);
    char text[512];
    ssize_t size = read(ends[0], text, sizeof text - 1);
    close(ends[0]);
    assert_true(size > 0);
    text[size] = 0;
    assert_non_null(strstr(text, "difflns: a plan did not pass the checker; "));
    assert_non_null(strstr(text, "please report it"));
    assert_ptr_equal(strchr(text, '\n'), text + size - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_have_the_exit_status_that_users_are_told),
        cmocka_unit_test(an_internal_error_asks_for_a_report_in_one_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
