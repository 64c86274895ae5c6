/* The page writer: what it embeds can be read back, whatever titles and paths hold. */
#include <jansson.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "page/page.h"
#include "page/palette.h"
#include "plot/picture.h"
#include "support.h"

static char *temporary_path(const char *end)
{
    char *path = dl_malloc(64);
    snprintf(path, 64, "/tmp/difflns-test-%ld%s", (long)getpid(), end);
    return path;
}

static dl_file written_page(const dl_page *page)
{
    char *path = temporary_path(".html");
    dl_error err;
    dl_file file;
    assert_int_equal(dl_page_write(page, path, &err), DIFFLNS_OK);
    assert_int_equal(dl_file_read(path, &file, &err), DIFFLNS_OK);
    unlink(path);
    free(path);
    return file;
}

/* The data as a browser finds it: the script element ends at the first "</script". */
static json_t *embedded_data(const dl_file *file)
{
    const char *open = strstr(file->data, "<script type=\"application/json\" id=\"data\">");
    assert_non_null(open);
    open = strchr(open, '>') + 1;
    const char *close = strstr(open, "</script");
    json_error_t where;
    json_t *data = json_loadb(open, (size_t)(close - open), 0, &where);
    if (!data) fail_msg("embedded data, line %d: %s", where.line, where.text);
    return data;
}

static int count_of(const char *text, const char *word)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, word)) != NULL; at++) count++;
    return count;
}

/* Reads "@3,4r12d3w2" back; independent of the writer. */
static void assert_path_reads_back(const char *text, const dl_path *path)
{
    difflns_cell at = {0, 0};
    int time = 0;
    while (*text) {
        int repeat = 1, used = 0, down = 0, right = 0;
        if (*text == '@') {
            assert_int_equal(sscanf(text, "@%d,%d%n", &at.row, &at.col, &used), 2);
        } else {
            down = (*text == 'd') - (*text == 'u');
            right = (*text == 'r') - (*text == 'l');
            if (sscanf(text + 1, "%d%n", &repeat, &used) < 1) used = 0;
            used++;
        }
        text += used;
        for (; repeat > 0; repeat--, time++) {
            at.row += down;
            at.col += right;
            assert_true(time < path->length);
            assert_int_equal(at.row, path->at[time].row);
            assert_int_equal(at.col, path->at[time].col);
        }
    }
    assert_int_equal(time, dl_path_cost(path) + 1);
}

/* A walk that mostly steps, sometimes waits, jumps or leaves the map. */
static void wander(dl_rng *rng, dl_path *path, difflns_cell start)
{
    static const int STEP[5][2] = {{0, 0}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    difflns_cell at = start;
    assert_true(dl_path_append(path, at));
    for (int t = (int)dl_rng_below(rng, 40); t > 0; t--) {
        int way = (int)dl_rng_below(rng, 5);
        for (int run = 1 + (int)dl_rng_below(rng, 4); run > 0; run--) {
            at.row += STEP[way][0];
            at.col += STEP[way][1];
            assert_true(dl_path_append(path, at));
        }
        if (dl_rng_below(rng, 12) == 0) {
            at = (difflns_cell){(int)dl_rng_below(rng, 5000) - 2500, (int)dl_rng_below(rng, 5000) - 2500};
            assert_true(dl_path_append(path, at));
        }
    }
}

static void any_path_can_be_read_back(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        print_message("seed %llu\n", (unsigned long long)seed);
        dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('p', 'a', 'g', 'e'), 0);
        dl_instance *instance = test_random_instance(&rng, 5, 7, 0.2, 8);
        if (!instance) continue;
        dl_plan *plan = dl_plan_create(instance->agents);
        for (int i = 0; i < plan->agents; i++)
            wander(&rng, &plan->path[i], dl_grid_position(instance->grid, instance->start[i]));
        dl_page_plan shown = {.plan = plan};
        dl_file file = written_page(&(dl_page){.instance = instance, .count = 1, .plans = &shown});
        json_t *data = embedded_data(&file), *first = json_array_get(json_object_get(data, "plans"), 0);
        for (int i = 0; i < plan->agents; i++)
            assert_path_reads_back(json_string_value(json_array_get(json_object_get(first, "paths"), (size_t)i)),
                                   &plan->path[i]);
        assert_int_equal(json_integer_value(json_object_get(first, "soc")), dl_plan_soc(plan));
        assert_int_equal(json_integer_value(json_object_get(first, "makespan")), dl_plan_makespan(plan));
        assert_true(json_integer_value(json_object_get(first, "violations")) > 0);
        json_decref(data);
        dl_file_free(&file);
        dl_plan_free(plan);
        dl_instance_free(instance);
    }
}

static dl_plan *standing_plan(const dl_instance *instance)
{
    dl_plan *plan = dl_plan_create(instance->agents);
    for (int i = 0; i < plan->agents; i++) assert_true(dl_plan_set(plan, instance->grid, i, &instance->start[i], 1));
    return plan;
}

static void titles_cannot_break_out_of_the_page(void **state)
{
    (void)state;
    static const char *const TITLE[] = {"</script><script>alert(1)</script>", "<!-- <script>",
                                        "a \"quoted\" \\ {{data}}", "line\nbreak\t\x01", "Käse → 🧀"};
    dl_instance *instance = test_instance(".../.@.", 1, (const int[][4]){{0, 0, 1, 2}});
    dl_plan *plan = standing_plan(instance);
    dl_file plain = written_page(
        &(dl_page){.instance = instance, .count = 1, .plans = &(dl_page_plan){.plan = plan, .title = "plain"}});
    for (size_t i = 0; i < sizeof TITLE / sizeof TITLE[0]; i++) {
        dl_page_plan shown = {.plan = plan, .title = TITLE[i], .note = TITLE[i]};
        dl_file file = written_page(&(dl_page){.instance = instance, .title = TITLE[i], .count = 1, .plans = &shown});
        json_t *data = embedded_data(&file), *first = json_array_get(json_object_get(data, "plans"), 0);
        assert_string_equal(json_string_value(json_object_get(data, "title")), TITLE[i]);
        assert_string_equal(json_string_value(json_object_get(first, "title")), TITLE[i]);
        assert_string_equal(json_string_value(json_object_get(first, "note")), TITLE[i]);
        assert_int_equal(count_of(file.data, "<script"), count_of(plain.data, "<script"));
        assert_int_equal(count_of(file.data, "</script"), count_of(plain.data, "</script"));
        assert_int_equal(count_of(file.data, "<!--"), 0);
        json_decref(data);
        dl_file_free(&file);
    }
    dl_file_free(&plain);
    dl_plan_free(plan);
    dl_instance_free(instance);
}

static void a_title_that_is_not_utf8_is_replaced_not_copied(void **state)
{
    (void)state;
    dl_instance *instance = test_instance("..", 1, (const int[][4]){{0, 0, 0, 1}});
    dl_plan *plan = standing_plan(instance);
    dl_page_plan shown = {.plan = plan, .title = "caf\xe9.json"};
    dl_file file = written_page(&(dl_page){.instance = instance, .count = 1, .plans = &shown});
    json_t *data = embedded_data(&file), *first = json_array_get(json_object_get(data, "plans"), 0);
    assert_string_equal(json_string_value(json_object_get(first, "title")), "caf?.json");
    json_decref(data);
    dl_file_free(&file);
    dl_plan_free(plan);
    dl_instance_free(instance);
}

static void the_map_and_the_tasks_can_be_read_back(void **state)
{
    (void)state;
    static const char DIGIT[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    dl_rng rng = dl_rng_stream(3, DL_PURPOSE('p', 'a', 'g', 'e'), 1);
    dl_instance *instance = test_random_instance(&rng, 11, 13, 0.3, 9);
    const dl_grid *grid = instance->grid;
    dl_plan *plan = standing_plan(instance);
    dl_page_plan shown[3] = {{.plan = plan}, {.plan = plan}, {.plan = plan}};
    dl_file file =
        written_page(&(dl_page){.instance = instance, .layout = DL_PAGE_SEQUENCE, .count = 3, .plans = shown});
    json_t *data = embedded_data(&file);
    assert_string_equal(json_string_value(json_object_get(data, "layout")), "sequence");
    assert_int_equal(json_array_size(json_object_get(data, "plans")), 3);
    assert_int_equal(json_array_size(json_object_get(data, "palette")), DL_PALETTE);
    const char *obstacles = json_string_value(json_object_get(data, "obstacles"));
    assert_int_equal(strlen(obstacles) % 4, 0);
    for (int i = 0; i < grid->height * grid->width; i++) {
        int digit = (int)(strchr(DIGIT, obstacles[i / 6]) - DIGIT);
        assert_int_equal(digit >> (5 - i % 6) & 1, grid->blocked[i]);
    }
    for (int i = 0; i < instance->agents; i++) {
        json_t *goal = json_array_get(json_object_get(data, "goals"), (size_t)i);
        json_t *start = json_array_get(json_object_get(data, "starts"), (size_t)i);
        assert_int_equal(json_integer_value(goal), grid->where[instance->goal[i]]);
        assert_int_equal(json_integer_value(start), grid->where[instance->start[i]]);
    }
    json_decref(data);
    dl_file_free(&file);
    dl_plan_free(plan);
    dl_instance_free(instance);
}

static void a_plan_for_other_agents_is_refused_and_nothing_written(void **state)
{
    (void)state;
    dl_instance *instance = test_instance("...", 1, (const int[][4]){{0, 0, 0, 1}});
    dl_instance *other = test_instance("...", 2, (const int[][4]){{0, 0, 0, 1}, {0, 1, 0, 2}});
    dl_plan *plan = standing_plan(other);
    const char *const ENDS[] = {".html", ".svg"};
    for (int i = 0; i < 2; i++) {
        char *path = temporary_path(ENDS[i]);
        dl_error err;
        dl_status status = i ? dl_picture_write(instance, plan, 0, path, &err)
                             : difflns_page_write(instance, plan, "two.json", NULL, NULL, path, &err);
        assert_int_equal(status, DIFFLNS_BAD_INPUT);
        assert_int_not_equal(access(path, F_OK), 0);
        free(path);
    }
    dl_plan_free(plan);
    dl_instance_free(other);
    dl_instance_free(instance);
}

static void agents_in_a_row_have_different_colors(void **state)
{
    (void)state;
    for (int i = 0; i < DL_PALETTE; i++)
        for (int k = i + 1; k < DL_PALETTE; k++) {
            dl_color a = dl_palette_color(i), b = dl_palette_color(k);
            int apart = abs(a.red - b.red) + abs(a.green - b.green) + abs(a.blue - b.blue);
            assert_true(apart > 0);
            if (k - i < 3) assert_true(apart > 90);
        }
}

static void a_picture_is_what_its_name_says(void **state)
{
    (void)state;
    dl_instance *instance = test_instance(".../.@.", 2, (const int[][4]){{0, 0, 1, 2}, {1, 0, 0, 0}});
    dl_plan *plan = standing_plan(instance);
    char *path = temporary_path(".svg");
    dl_error err;
    dl_file file;
    assert_true(dl_picture_named(path));
    assert_int_equal(dl_picture_write(instance, plan, 1000, path, &err), DIFFLNS_OK);
    assert_int_equal(dl_file_read(path, &file, &err), DIFFLNS_OK);
    assert_memory_equal(file.data, "<?xml", 5);
    const char *rest = file.data;
    int squares = 0;
    while ((rest = strstr(rest, "rx=\".16\""))) squares++, rest++;
    assert_int_equal(squares, 2); /* two goals; nobody has arrived */
    dl_file_free(&file);
    unlink(path);
    free(path);
    assert_false(dl_picture_named("page.html"));
    dl_plan_free(plan);
    dl_instance_free(instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_path_can_be_read_back),
        cmocka_unit_test(titles_cannot_break_out_of_the_page),
        cmocka_unit_test(a_title_that_is_not_utf8_is_replaced_not_copied),
        cmocka_unit_test(the_map_and_the_tasks_can_be_read_back),
        cmocka_unit_test(a_plan_for_other_agents_is_refused_and_nothing_written),
        cmocka_unit_test(agents_in_a_row_have_different_colors),
        cmocka_unit_test(a_picture_is_what_its_name_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
