/* Texts and what is written into them: HTML, base64, JSON, CSV. */
#include <math.h>

#include "base/csv.h"
#include "base/json.h"
#include "base/text.h"
#include "support.h"

static void assert_text(dl_text *text, const char *expected)
{
    assert_false(text->cut);
    assert_string_equal(text->data, expected);
    dl_text_free(text);
}

static void html_cannot_be_escaped_from(void **state)
{
    (void)state;
    dl_text text = {0};
    dl_text_add_html(&text, "<b title=\"a & b\">'plain'</b>");
    assert_text(&text, "&lt;b title=&quot;a &amp; b&quot;&gt;'plain'&lt;/b&gt;");
}

static void base64_is_that_of_the_standard(void **state)
{
    (void)state;
    static const char *const PAIR[][2] = {{"f", "Zg=="},        {"fo", "Zm8="},        {"foo", "Zm9v"},
                                          {"foob", "Zm9vYg=="}, {"fooba", "Zm9vYmE="}, {"\xFB\xFF\xFE", "+//+"}};
    for (size_t i = 0; i < sizeof PAIR / sizeof PAIR[0]; i++) {
        dl_text text = {0};
        dl_text_add_base64(&text, PAIR[i][0], strlen(PAIR[i][0]));
        assert_text(&text, PAIR[i][1]);
    }
}

static void numbers_of_a_log_are_rounded_and_never_rubbish(void **state)
{
    (void)state;
    static const double NUMBER[] = {0.123456789, -2, 1e300, 0.1 + 0.2, NAN, INFINITY};
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof NUMBER / sizeof NUMBER[0]; i++)
        json_array_append_new(list, dl_json_rounded(NUMBER[i], 4));
    dl_text text = {0};
    dl_json_add(&text, list, DL_JSON_DIGITS);
    assert_text(&text, "[0.1235, -2.0, 1e300, 0.3, null, null]");
}

static void names_are_json_whatever_bytes_they_hold(void **state)
{
    (void)state;
    dl_text text = {0};
    dl_json_add(&text, dl_json_name("a\"\xFFz", 3), JSON_ENCODE_ANY);
    assert_text(&text, "\"a\\\"?\"");
}

static void a_value_that_could_not_be_made_cuts_the_text(void **state)
{
    (void)state;
    dl_text text = {0};
    dl_json_add(&text, NULL, 0);
    assert_true(text.cut);
    dl_text_free(&text);
}

static void csv_fields_may_be_quoted(void **state)
{
    (void)state;
    static const char FILE_TEXT[] = "a,\"b, \"\"c\"\"\nd\",\r\n,last";
    static const struct {
        const char *field;
        dl_csv_end stop;
    } EXPECTED[] = {{"a", DL_CSV_FIELD},
                    {"b, \"c\"\nd", DL_CSV_FIELD},
                    {"", DL_CSV_ROW},
                    {"", DL_CSV_FIELD},
                    {"last", DL_CSV_FILE}};
    const char *cursor = FILE_TEXT, *end = FILE_TEXT + strlen(FILE_TEXT);
    dl_text field = {0};
    for (size_t i = 0; i < sizeof EXPECTED / sizeof EXPECTED[0]; i++) {
        assert_int_equal(dl_csv_next(&cursor, end, &field), EXPECTED[i].stop);
        assert_string_equal(field.data, EXPECTED[i].field);
    }
    cursor = "\"never closed";
    assert_int_equal(dl_csv_next(&cursor, cursor + strlen(cursor), &field), DL_CSV_UNCLOSED);
    dl_text_free(&field);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(html_cannot_be_escaped_from),
        cmocka_unit_test(base64_is_that_of_the_standard),
        cmocka_unit_test(numbers_of_a_log_are_rounded_and_never_rubbish),
        cmocka_unit_test(names_are_json_whatever_bytes_they_hold),
        cmocka_unit_test(a_value_that_could_not_be_made_cuts_the_text),
        cmocka_unit_test(csv_fields_may_be_quoted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
