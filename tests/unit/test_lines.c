#include "support.h"

#include <limits.h>

#include "base/lines.h"

static void expect_lines(const char *data, size_t size, int count, const char *const *lines)
{
    dl_lines reader = dl_lines_begin(data, size);
    for (int i = 0; i < count; i++) {
        assert_true(dl_lines_next(&reader));
        assert_int_equal(reader.number, i + 1);
        assert_int_equal(reader.length, strlen(lines[i]));
        assert_memory_equal(reader.text, lines[i], reader.length);
    }
    assert_false(dl_lines_next(&reader));
    assert_false(dl_lines_next(&reader));
}

static void line_ends_of_every_system_and_trailing_blanks_are_stripped(void **state)
{
    (void)state;
    static const char *const LINES[] = {"one", "", "  two", "three"};
#define EXPECT(text) expect_lines(text, sizeof(text) - 1, 4, LINES)
    EXPECT("one\n\n  two\nthree\n");
    EXPECT("one\n\n  two\nthree");
    EXPECT("one\r\n\r\n  two\r\nthree\r\n");
    EXPECT("one \t\n \n  two  \r\nthree\v\f ");
    EXPECT("\xEF\xBB\xBFone\n\n  two\nthree\n");
#undef EXPECT
}

static void an_empty_text_has_no_lines(void **state)
{
    (void)state;
    expect_lines("", 0, 0, NULL);
    expect_lines("\xEF\xBB\xBF", 3, 0, NULL);
    expect_lines("\n", 1, 1, (const char *[]){""});
    expect_lines("\xEF\xBB", 2, 1, (const char *[]){"\xEF\xBB"}); /* half a byte-order mark is text */
}

static void nothing_behind_the_end_is_read(void **state)
{
    (void)state;
    expect_lines("one\ntwo\nthree", 6, 2, (const char *[]){"one", "tw"});
}

static void full_lines_keep_their_numbers(void **state)
{
    (void)state;
    const char text[] = "\n \na\n\n\r\nb";
    dl_lines reader = dl_lines_begin(text, sizeof text - 1);
    assert_true(dl_lines_next_full(&reader));
    assert_int_equal(reader.number, 3);
    assert_true(dl_lines_next_full(&reader));
    assert_int_equal(reader.number, 6);
    assert_int_equal(*reader.text, 'b');
    assert_false(dl_lines_next_full(&reader));
}

/* Scans `text`; the length that was read, or -1. */
static int scan(const char *text, long low, long high, long *value)
{
    const char *cursor = text;
    if (!dl_scan_int(&cursor, text + strlen(text), low, high, value)) {
        assert_ptr_equal(cursor, text);
        return -1;
    }
    return (int)(cursor - text);
}

static void integers_are_read_exactly_or_not_at_all(void **state)
{
    (void)state;
    long value = 0;
    assert_int_equal(scan("123", 0, 200, &value), 3);
    assert_int_equal(value, 123);
    assert_int_equal(scan("-45x", -100, 100, &value), 3);
    assert_int_equal(value, -45);
    assert_int_equal(scan("007", 0, 7, &value), 3);
    assert_int_equal(value, 7);
    assert_int_equal(scan("9223372036854775807", 0, LONG_MAX, &value), 19);
    assert_true(value == LONG_MAX);
    static const char *const BAD[] = {"", "-", "+1", " 1", "x", "--1", "9223372036854775808", "99999999999999999999"};
    for (int i = 0; i < 8; i++) assert_int_equal(scan(BAD[i], LONG_MIN, LONG_MAX, &value), -1);
    assert_int_equal(scan("8", 0, 7, &value), -1);
    assert_int_equal(scan("-1", 0, 7, &value), -1);
}

static void an_integer_stops_at_the_end_of_the_text(void **state)
{
    (void)state;
    const char text[] = "123456";
    const char *cursor = text;
    long value;
    assert_true(dl_scan_int(&cursor, text + 3, 0, 1000000, &value));
    assert_int_equal(value, 123);
    assert_ptr_equal(cursor, text + 3);
    assert_false(dl_scan_int(&cursor, text + 3, 0, 1000000, &value));
}

static void fields_are_cut_at_blanks(void **state)
{
    (void)state;
    const char text[] = "  ab\tc  def ";
    static const char *const FIELDS[] = {"ab", "c", "def"};
    const char *cursor = text, *end = text + sizeof text - 1, *field;
    size_t length;
    for (int i = 0; i < 3; i++) {
        assert_true(dl_scan_field(&cursor, end, &field, &length));
        assert_int_equal(length, strlen(FIELDS[i]));
        assert_memory_equal(field, FIELDS[i], length);
    }
    assert_false(dl_scan_field(&cursor, end, &field, &length));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(line_ends_of_every_system_and_trailing_blanks_are_stripped),
        cmocka_unit_test(an_empty_text_has_no_lines),
        cmocka_unit_test(nothing_behind_the_end_is_read),
        cmocka_unit_test(full_lines_keep_their_numbers),
        cmocka_unit_test(integers_are_read_exactly_or_not_at_all),
        cmocka_unit_test(an_integer_stops_at_the_end_of_the_text),
        cmocka_unit_test(fields_are_cut_at_blanks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
