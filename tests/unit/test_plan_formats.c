/* Every plan format: what we write we read back, what others write we read, what is broken we refuse by name. */
#include <unistd.h>
#include <zstd.h>

#include "base/file.h"
#include "base/memory.h"
#include "formats/load.h"
#include "formats/plan_format.h"
#include "formats/plan_io.h"
#include "support.h"

static dl_instance *toy(void)
{
    static const int TASKS[3][4] = {{0, 0, 0, 4}, {0, 4, 2, 0}, {2, 2, 3, 3}};
    return test_instance("...../.@.@./...../..@..", 3, TASKS);
}

static const char TOY_PATHS[] = "Agent 0:(0,0)->(0,1)->(0,2)->(0,3)->(0,4)->\n"
                                "Agent 1:(0,4)->(1,4)->(2,4)->(2,3)->(2,2)->(2,1)->(2,0)->\n"
                                "Agent 2:(2,2)->(2,3)->(3,3)->\n";
static const char TOY_RESULT[] =
    "agents=3\nmap_file=test.map\nsolver=difflns\nsolved=1\nsoc=12\nsoc_lb=12\nmakespan=6\n"
    "makespan_lb=6\ncomp_time=0\nseed=0\nstarts=(0,0),(4,0),(2,2),\n"
    "goals=(4,0),(0,2),(3,3),\nsolution=\n"
    "0:(0,0),(4,0),(2,2),\n1:(1,0),(4,1),(3,2),\n2:(2,0),(4,2),(3,3),\n"
    "3:(3,0),(3,2),(3,3),\n4:(4,0),(2,2),(3,3),\n5:(4,0),(1,2),(3,3),\n"
    "6:(4,0),(0,2),(3,3),\n";
static const char TOY_TRACKER[] = "{\"map_name\":\"test\",\"scen_type\":\"random\",\"type_id\":1,\"agents\":3,"
                                  "\"solution_plan\":\"4r\\n2d4l\\nrd\",\"solution_cost\":12,\"lower_cost\":12}\n";

static dl_plan *parse(const dl_instance *instance, const char *text, difflns_order order)
{
    dl_plan *plan;
    dl_error err;
    if (dl_plan_parse(instance, "test", text, strlen(text), order, &plan, &err) != DIFFLNS_OK)
        fail_msg("%s\nin: %s", err.message, text);
    return plan;
}

static bool same_plan(const dl_plan *a, const dl_plan *b)
{
    if (a->agents != b->agents) return false;
    for (int i = 0; i < a->agents; i++) {
        int cost = dl_path_cost(&a->path[i]);
        if (cost != dl_path_cost(&b->path[i])) return false;
        if (memcmp(a->path[i].at, b->path[i].at, sizeof(difflns_cell) * (size_t)(cost + 1)) != 0) return false;
    }
    return true;
}

static void assert_reads_as_toy(const char *text)
{
    dl_instance *instance = toy();
    dl_plan *expected = parse(instance, TOY_PATHS, DIFFLNS_ORDER_ROWCOL);
    dl_plan *plan = parse(instance, text, DIFFLNS_ORDER_AUTO);
    if (!same_plan(expected, plan)) fail_msg("read as another plan: %s", text);
    dl_plan_free(plan);
    dl_plan_free(expected);
    dl_instance_free(instance);
}

static char *temporary_path(void)
{
    static char path[64];
    snprintf(path, sizeof path, "test_plan_formats.%d.out", (int)getpid());
    return path;
}

static dl_file write_and_load(const dl_instance *instance, const dl_plan *plan, difflns_format format)
{
    dl_error err;
    dl_file file;
    if (dl_plan_write(instance, plan, format, temporary_path(), &err) != DIFFLNS_OK) fail_msg("%s", err.message);
    assert_int_equal(dl_file_read(temporary_path(), &file, &err), DIFFLNS_OK);
    unlink(temporary_path());
    return file;
}

static void the_toy_plan_is_written_as_the_formats_describe(void **state)
{
    (void)state;
    dl_instance *instance = toy();
    dl_plan *plan = parse(instance, TOY_PATHS, DIFFLNS_ORDER_AUTO);
    static const char *const EXPECTED[] = {[DIFFLNS_FORMAT_PATHS] = TOY_PATHS,
                                           [DIFFLNS_FORMAT_RESULT] = TOY_RESULT,
                                           [DIFFLNS_FORMAT_TRACKER] = TOY_TRACKER};
    for (int format = DIFFLNS_FORMAT_PATHS; format <= DIFFLNS_FORMAT_TRACKER; format++) {
        dl_file file = write_and_load(instance, plan, (difflns_format)format);
        assert_string_equal(file.data, EXPECTED[format]);
        dl_file_free(&file);
    }
    dl_plan_free(plan);
    dl_instance_free(instance);
}

/* A random walk for each agent: neither valid nor aimed, but made of steps, which every format can say. */
static dl_plan *random_walks(dl_rng *rng, const dl_instance *instance)
{
    dl_plan *plan = dl_plan_create(instance->agents);
    for (int agent = 0; agent < instance->agents; agent++) {
        dl_cell cell = instance->start[agent];
        assert_true(dl_path_append(&plan->path[agent], dl_grid_position(instance->grid, cell)));
        for (int left = (int)dl_rng_below(rng, 30); left > 0; left--) {
            uint32_t d = dl_rng_below(rng, DL_ACTIONS);
            dl_cell next = d == DL_STAY ? cell : instance->grid->neighbor[cell][d - 1];
            if (next != DL_NO_CELL) cell = next;
            assert_true(dl_path_append(&plan->path[agent], dl_grid_position(instance->grid, cell)));
        }
    }
    return plan;
}

static void formats_are_found_by_name(void **state)
{
    (void)state;
    assert_int_equal(difflns_format_find("json"), DIFFLNS_FORMAT_JSON);
    assert_int_equal(difflns_format_find("paths"), DIFFLNS_FORMAT_PATHS);
    assert_int_equal(difflns_format_find("result"), DIFFLNS_FORMAT_RESULT);
    assert_int_equal(difflns_format_find("tracker"), DIFFLNS_FORMAT_TRACKER);
    assert_int_equal(difflns_format_find("dependencies"), DIFFLNS_FORMAT_DEPENDENCIES);
    assert_int_equal(difflns_format_find("no such format"), -1);
    assert_int_equal(difflns_format_find(NULL), -1);
    assert_null(difflns_format_name(-1));
    int format = 0;
    for (; difflns_format_name(format); format++)
        assert_int_equal(difflns_format_find(difflns_format_name(format)), format);
    assert_true(format > DIFFLNS_FORMAT_DEPENDENCIES);
}

static void random_plans_survive_every_format(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('f', 'm', 't', 's'), 0);
        int height = 1 + (int)dl_rng_below(&rng, 12), width = 1 + (int)dl_rng_below(&rng, 12);
        dl_instance *instance = test_random_instance(&rng, height, width, 0.2, 1 + (int)dl_rng_below(&rng, 12));
        if (!instance) continue;
        dl_plan *plan = random_walks(&rng, instance);
        for (int format = 0; dl_plan_format_at(format); format++) {
            if (!dl_plan_format_at(format)->looks) continue; /* written only */
            dl_file file = write_and_load(instance, plan, (difflns_format)format);
            dl_plan *again = parse(instance, file.data, DIFFLNS_ORDER_ROWCOL);
            if (!same_plan(plan, again)) fail_msg("seed %d, format %d", (int)seed, format);
            dl_plan_free(again);
            dl_file_free(&file);
        }
        dl_plan_free(plan);
        dl_instance_free(instance);
    }
}

static void path_text_of_relatives_is_read(void **state)
{
    (void)state;
    assert_reads_as_toy(TOY_PATHS);
    assert_reads_as_toy("Agent 0: (0,0)->(0,1)->(0,2)->(0,3)->(0,4)->\n" /* EECBS */
                        "Agent 1: (0,4)->(1,4)->(2,4)->(2,3)->(2,2)->(2,1)->(2,0)->\n"
                        "Agent 2: (2,2)->(2,3)->(3,3)->\n");
    assert_reads_as_toy("Agent 0:(0,0)->(1,0)->(2,0)->(3,0)->(4,0)->\n" /* (col,row) */
                        "Agent 1:(4,0)->(4,1)->(4,2)->(3,2)->(2,2)->(1,2)->(0,2)->\n"
                        "Agent 2:(2,2)->(3,2)->(3,3)->\n");
    assert_reads_as_toy("\xEF\xBB\xBF"
                        "Agent 0:(0,0)->(0,1)->(0,2)->(0,3)->(0,4)  \r\n" /* BOM, CRLF, blanks, no last arrow */
                        "Agent 1:(0,4)->(1,4)->(2,4)->(2,3)->(2,2)->(2,1)->(2,0)->\t\r\n\r\n"
                        "Agent 2:(2,2)->(2,3)->(3,3)->");
}

static void result_files_of_relatives_are_read(void **state)
{
    (void)state;
    assert_reads_as_toy(TOY_RESULT);
    assert_reads_as_toy("\xEF\xBB\xBFinstance=x\r\nagents=3\r\nlb_soc=12\r\nsolution=\r\n"
                        "0:(0,0,Y_MINUS),(4,0,X_PLUS),(2,2,Y_PLUS),\r\n1:(1,0),(4,1),(3,2),  \r\n"
                        "2:(2,0),(4,2),(3,3)\n3:(3,0),(3,2),(3,3),\n4:(4,0),(2,2),(3,3),\n5:(4,0),(1,2),(3,3),\n"
                        "6:(4,0),(0,2),(3,3),\n\n");
}

static void tracker_plans_are_read_in_every_form(void **state)
{
    (void)state;
    assert_reads_as_toy(TOY_TRACKER);
    assert_reads_as_toy("\xEF\xBB\xBF{\"solution_plan\": [\"rrrr\", \"dd4l\", \"rd3w\"]}\r\n");
    assert_reads_as_toy("{\"solution_plan\": \"4r\\n2u4l\\nru\", \"flip_up_down\": true}");
    assert_reads_as_toy("[{\"agents\":1,\"solution_plan\":\"r\"},{\"agents\":3,\"solution_plan\":\"4r\\n2d4l\\nrd\"}]");
    assert_reads_as_toy("4r\n2d4l\nrd");
    assert_reads_as_toy("4r  \r\n2d4l\r\nrd\r\n\r\n");
    assert_reads_as_toy("\xEF\xBB\xBF"
                        "agents,lower_cost,lower_date,solution_cost,solution_date,path\r\n"
                        "1,4,,4,,4r\r\n3,12,x,12,\"y, \"\"z\"\"\",\"4r\n2d4l\nrd\"\r\n");
    assert_reads_as_toy("map_name,agents,solution_plan\ntoy,3,4r\\n2d4l\\nrd\n");
}

static void an_agent_that_never_moves_has_an_empty_string(void **state)
{
    (void)state;
    static const int TASKS[2][4] = {{0, 0, 0, 1}, {0, 2, 0, 2}};
    dl_instance *instance = test_instance("...", 2, TASKS);
    static const char *const TEXTS[] = {"r\n", "r\n\n\n", "{\"agents\":2,\"solution_plan\":\"r\\n\"}"};
    for (int i = 0; i < 3; i++) {
        dl_plan *plan = parse(instance, TEXTS[i], DIFFLNS_ORDER_AUTO);
        assert_int_equal(plan->agents, 2);
        assert_int_equal(plan->path[1].length, 1);
        dl_plan_free(plan);
    }
    dl_instance_free(instance);
}

static void refuse_for(const dl_instance *instance, const char *text, size_t size, const char *part)
{
    dl_plan *plan;
    dl_error err;
    if (dl_plan_parse(instance, "bad", text, size, DIFFLNS_ORDER_AUTO, &plan, &err) == DIFFLNS_OK)
        fail_msg("accepted: %s", text);
    assert_int_equal(err.status, DIFFLNS_BAD_INPUT);
    assert_null(plan);
    if (!strstr(err.message, part)) fail_msg("message \"%s\" without \"%s\"", err.message, part);
}

static void refuse(const char *text, const char *part)
{
    dl_instance *instance = toy();
    refuse_for(instance, text, strlen(text), part);
    dl_instance_free(instance);
}

static void broken_plans_are_refused_by_name(void **state)
{
    (void)state;
    refuse("", "bad: the file is empty");
    refuse("type octile\nheight 4\n", "bad:1: not a plan");
    refuse("Agent 0:(0,0)->(0,1\n", "bad:1: agent 0, time 1: expected \"(row,col)->\", found \"(0,1\"");
    refuse("Agent 0:(0,0)->\nAgent 2:(0,4)->\n", "bad:2: expected \"Agent 1:\"");
    refuse("Agent 0:\n", "bad:1: agent 0, time 0");
    refuse("Agent 0:(0,0)-(0,1)\n", "expected \"->\"");
    refuse("Agent 0:(0,99999999999)->\n", "expected \"(row,col)->\"");
    refuse("agents=3\nsolved=0\nsolution=\n", "bad: solved=0");
    refuse("agents=3\nsolved=1\n", "bad: the file ends before the plan");
    refuse("agents=3\nsolution=\n0:(0,0),(4,0),\n", "bad:3: 2 cells at time 0, expected 3");
    refuse("agents=3\nsolution=\n0:(0,0),(4,0),(2,\n", "bad:3: agent 2, time 0");
    refuse("solution=\n0:(0,0),(4,0),(2,2),\n2:(0,0),(4,0),(2,2),\n", "bad:3: expected time step \"1:(x,y),...\"");
    refuse("makespan=6\nsolution=\n0:(0,0),(4,0),(2,2),\n", "bad: the file ends at time 0");
    refuse("0:(0,0)->(1,0):3,\n", "bad:1: agent 0, time 0");
    refuse("4r\n2d4x\nrd", "agent 1, time 2: expected u, d, l, r, w");
    refuse("4r\n2d4\nrd", "found the end of the line");
    refuse("4r\n0d\nrd", "expected a count from 1");
    refuse("999999999999d\n", "expected a count from 1");
    refuse("2w67108863w\n", "expected a shorter path");
    refuse("3w64064056d\n", "agent 0, time 3: expected a run that stays on the map, found \"64064056d\"");
    refuse("r\nr\nr\nr\n", "a plan for 4 agents");
    refuse("{\"agents\":3,\"solution_plan\":\"4r\\n2d\"}", "bad: 2 strings in the plan, expected 3");
    refuse("{\"solution_plan\":3}", "expected \"solution_plan\" with a string");
    refuse("[{\"agents\":1,\"solution_plan\":\"r\"},{\"agents\":2,\"solution_plan\":\"r\"}]",
           "expected one with \"agents\": 3");
    refuse("a,b\n1,2\n", "bad:1: expected a column \"solution_plan\"");
    refuse("agents,path\n3,\"4r\n2d", "bad:2: a quote is never closed");
    refuse("agents,path\n1,r\n2,r\n", "bad: 2 plans, expected one with 3 agents");
    refuse("agents,path\n", "bad: 0 plans");
    refuse("agents,path\n3\n", "bad:2: the row ends early, expected a plan in column 2");
    refuse("{\"format\": \"difflns-plan\", \"version\": 1, \"paths\": [[[0,0]", "bad:1: not JSON");
    refuse("{\"format\": \"something\"}", "not a plan");
    refuse("{\"format\": \"difflns-plan\", \"version\": 9, \"paths\": []}", "version 9");
    refuse("[]", "not a plan");
}

/* Cutting a file anywhere must not crash; what is still a plan may be read. */
static void every_prefix_of_every_format_is_read_or_refused(void **state)
{
    (void)state;
    static const char *const WHOLE[] = {TOY_PATHS, TOY_RESULT, TOY_TRACKER, "agents,path\n3,\"4r\n2d4l\nrd\"\n",
                                        "{\"format\": \"difflns-plan\", \"version\": 1, \"paths\": [[[0,0],[0,1]]]}"};
    dl_instance *instance = toy();
    for (size_t i = 0; i < sizeof WHOLE / sizeof WHOLE[0]; i++)
        for (size_t size = 0; size < strlen(WHOLE[i]); size++) {
            char *copy = dl_malloc(size + 1); /* so that a sanitizer sees a read beyond the end */
            memcpy(copy, WHOLE[i], size);
            dl_plan *plan;
            dl_error err;
            if (dl_plan_parse(instance, "cut", copy, size, DIFFLNS_ORDER_AUTO, &plan, &err) == DIFFLNS_OK)
                dl_plan_free(plan);
            free(copy);
        }
    dl_instance_free(instance);
}

static void path_text_is_refused_when_both_orders_fit(void **state)
{
    (void)state;
    static const int TASKS[2][4] = {{1, 1, 0, 0}, {2, 2, 2, 0}};
    dl_instance *instance = test_instance(".../.../...", 2, TASKS);
    static const char TEXT[] = "Agent 0:(1,1)->(1,0)->(0,0)->\nAgent 1:(2,2)->(2,1)->(2,0)->\n";
    refuse_for(instance, TEXT, strlen(TEXT), "expected an order, rowcol or colrow");
    dl_plan *rowcol = parse(instance, TEXT, DIFFLNS_ORDER_ROWCOL),
            *colrow = parse(instance, TEXT, DIFFLNS_ORDER_COLROW);
    assert_int_equal(rowcol->path[1].at[1].row, 2);
    assert_int_equal(colrow->path[1].at[1].row, 1);
    dl_plan_free(rowcol);
    dl_plan_free(colrow);
    dl_instance_free(instance);
}

static void a_wrong_start_does_not_change_the_order(void **state)
{
    (void)state;
    dl_instance *instance = toy();
    dl_plan *plan = parse(instance, "Agent 0:(0,1)->\nAgent 1:(4,0)->(4,1)->\nAgent 2:(2,2)->\n", DIFFLNS_ORDER_AUTO);
    assert_int_equal(plan->path[1].at[1].row, 1); /* (col,row): two starts fit, against one */
    assert_int_equal(plan->path[0].at[0].row, 1);
    dl_plan_free(plan);
    dl_instance_free(instance);
}

static void the_tracker_format_refuses_what_it_cannot_say(void **state)
{
    (void)state;
    dl_instance *instance = toy();
    dl_error err;
    dl_plan *jump = parse(instance, "Agent 0:(0,0)->(0,2)->\nAgent 1:(0,4)->\n", DIFFLNS_ORDER_ROWCOL);
    dl_plan *elsewhere = parse(instance, "Agent 0:(2147483647,0)->(-2147483648,0)\n", DIFFLNS_ORDER_ROWCOL);
    assert_int_equal(dl_plan_write(instance, jump, DIFFLNS_FORMAT_TRACKER, temporary_path(), &err), DIFFLNS_BAD_INPUT);
    assert_non_null(strstr(err.message, "agent 0 jumps at time 1"));
    assert_int_equal(dl_plan_write(instance, elsewhere, DIFFLNS_FORMAT_TRACKER, temporary_path(), &err),
                     DIFFLNS_BAD_INPUT);
    assert_int_not_equal(access(temporary_path(), F_OK), 0);
    dl_plan_free(jump);
    dl_plan_free(elsewhere);
    dl_instance_free(instance);
}

static void the_tracker_is_told_the_scenario(void **state)
{
    (void)state;
    dl_task task = {.start = {0, 0}, .goal = {0, 0}};
    dl_instance *instance;
    dl_error err;
    assert_int_equal(
        dl_instance_create(test_grid("."), "maze-32.map", "dir/maze-32-even-17.scen", 1, &task, &instance, &err),
        DIFFLNS_OK);
    dl_plan *plan = parse(instance, "Agent 0:(0,0)->\n", DIFFLNS_ORDER_ROWCOL);
    dl_file file = write_and_load(instance, plan, DIFFLNS_FORMAT_TRACKER);
    assert_non_null(strstr(file.data, "\"map_name\":\"maze-32\",\"scen_type\":\"even\",\"type_id\":17,"));
    dl_file_free(&file);
    dl_plan_free(plan);
    dl_instance_free(instance);
}

static void compressed_plans_are_read(void **state)
{
    (void)state;
    char packed[4096];
    size_t size = ZSTD_compress(packed, sizeof packed, TOY_RESULT, strlen(TOY_RESULT), 3);
    assert_false(ZSTD_isError(size));
    dl_error err;
    FILE *stream = fopen(temporary_path(), "wb");
    assert_int_equal(fwrite(packed, 1, size, stream), size);
    fclose(stream);
    dl_instance *instance = toy();
    dl_plan *plan;
    assert_int_equal(dl_plan_read(instance, temporary_path(), DIFFLNS_ORDER_AUTO, &plan, &err), DIFFLNS_OK);
    assert_int_equal(dl_plan_soc(plan), 12);
    dl_plan_free(plan);
    dl_file file;
    for (size_t cut = 4; cut < size; cut++) {
        assert_int_equal(dl_file_decode("cut.zst", packed, cut, &file, &err), DIFFLNS_BAD_INPUT);
        assert_non_null(strstr(err.message, "cut.zst: not a complete zstd file"));
    }
    unlink(temporary_path());
    dl_instance_free(instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_toy_plan_is_written_as_the_formats_describe),
        cmocka_unit_test(formats_are_found_by_name),
        cmocka_unit_test(random_plans_survive_every_format),
        cmocka_unit_test(path_text_of_relatives_is_read),
        cmocka_unit_test(result_files_of_relatives_are_read),
        cmocka_unit_test(tracker_plans_are_read_in_every_form),
        cmocka_unit_test(an_agent_that_never_moves_has_an_empty_string),
        cmocka_unit_test(broken_plans_are_refused_by_name),
        cmocka_unit_test(every_prefix_of_every_format_is_read_or_refused),
        cmocka_unit_test(path_text_is_refused_when_both_orders_fit),
        cmocka_unit_test(a_wrong_start_does_not_change_the_order),
        cmocka_unit_test(the_tracker_format_refuses_what_it_cannot_say),
        cmocka_unit_test(the_tracker_is_told_the_scenario),
        cmocka_unit_test(compressed_plans_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
