#include <math.h>

#include "base/file.h"
#include "plot/chart.h"
#include "support.h"

static const double X[] = {160, 170, 180, 190}, Y[] = {1, 0.9, NAN, 0.5}, LOW[] = {0.9, 0.7, NAN, NAN},
                    HIGH[] = {1, 1, NAN, NAN}, HUGE_LOW[] = {-1e9, -1e9, 0, 0}, HUGE_HIGH[] = {1e9, 1e9, 0, 0},
                    NOTHING[] = {NAN, NAN, NAN, NAN}, PLACE[] = {0, 1, 2, 3};
static const char *const LABEL[] = {"small\nrandom\n60", "b", "c", "d"};

static void needs_cairo(void)
{
    if (!dl_chart_available()) skip();
}

/* One panel of each kind and every awkward input: gaps, missing and absurd intervals, nothing at all, one point. */
static dl_figure make_figure(void)
{
    static const dl_series lines[] = {
        {"ours", {0, 114, 178}, false, false, 4, X, Y, LOW, HIGH, 1},
        {"theirs", {230, 145, 0}, true, false, 4, X, Y, NULL, NULL, 8},
        {"wide", {0, 158, 115}, false, false, 4, X, Y, HUGE_LOW, HUGE_HIGH, 6},
        {"stairs", {1, 2, 3}, false, true, 4, X, Y, NULL, NULL, 0},
    };
    static const dl_series bars[] = {{"ours", {0, 114, 178}, false, false, 4, PLACE, Y, LOW, HIGH, 3}};
    static const dl_series nothing[] = {{"none", {0, 0, 0}, false, false, 4, X, NOTHING, NULL, NULL, 4}};
    static const dl_series point[] = {{"one", {0, 0, 0}, false, false, 1, X, Y, NULL, NULL, 5}};
    static const dl_panel panels[] = {
        {.title = "Lines", .x_label = "agents", .series = lines, .count = 4},
        {.title = "Logarithms", .log_x = true, .log_y = true, .series = lines, .count = 4},
        {.title = "Bars",
         .bars = true,
         .category = LABEL,
         .categories = 4,
         .percent = true,
         .series = bars,
         .count = 1},
        {.title = "Nothing", .series = nothing, .count = 1},
        {.title = "A point", .series = point, .count = 1},
    };
    return (dl_figure){"A figure", panels, 5, 3};
}

static void a_chart_is_an_svg_document_in_both_themes(void **state)
{
    (void)state;
    needs_cairo();
    dl_figure figure = make_figure();
    dl_text light = {0}, dark = {0};
    int width, height, dark_width, dark_height;
    assert_int_equal(dl_chart_svg(&figure, DL_THEME_LIGHT, &light, &width, &height, NULL), DIFFLNS_OK);
    assert_int_equal(dl_chart_svg(&figure, DL_THEME_DARK, &dark, &dark_width, &dark_height, NULL), DIFFLNS_OK);
    assert_non_null(strstr(light.data, "<svg"));
    assert_non_null(strstr(light.data, "</svg>"));
    assert_null(strstr(light.data, "nan"));
    assert_null(strstr(light.data, "inf"));
    assert_int_equal(width, dark_width);
    assert_int_equal(height, dark_height);
    assert_true(strcmp(light.data, dark.data) != 0);
    dl_text_free(&light);
    dl_text_free(&dark);
}

static void a_chart_is_written_in_the_format_its_name_ends_in(void **state)
{
    (void)state;
    needs_cairo();
    static const struct {
        const char *name, *magic;
    } FORMAT[] = {{"chart.png", "\x89PNG"}, {"chart.pdf", "%PDF"}, {"chart.svg", "<?xml"}};
    char folder[] = "/tmp/difflns-chart-XXXXXX", path[64];
    dl_figure figure = make_figure();
    assert_non_null(mkdtemp(folder));
    for (int i = 0; i < 3; i++) {
        dl_file file;
        snprintf(path, sizeof path, "%s/%s", folder, FORMAT[i].name);
        assert_int_equal(dl_chart_write(&figure, path, NULL), DIFFLNS_OK);
        assert_int_equal(dl_file_read(path, &file, NULL), DIFFLNS_OK);
        assert_memory_equal(file.data, FORMAT[i].magic, strlen(FORMAT[i].magic));
        dl_file_free(&file);
        remove(path);
    }
    remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chart_is_an_svg_document_in_both_themes),
        cmocka_unit_test(a_chart_is_written_in_the_format_its_name_ends_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
