#include <unistd.h>

#include "base/file.h"
#include "bench/records.h"
#include "support.h"

static char folder[] = "/tmp/difflns-records-XXXXXX";
static char path[sizeof folder + 16];

static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(folder)) return -1;
    snprintf(path, sizeof path, "%s/results.csv", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder);
}

static int remove_file(void **state)
{
    (void)state;
    unlink(path);
    return 0;
}

static dl_record sample(int number, dl_outcome outcome)
{
    dl_record r = {.family = "medium-maze",
                   .agents = 190,
                   .number = number,
                   .seed = (uint64_t)number + 1,
                   .method = "lns2",
                   .limit = 4.8,
                   .outcome = outcome,
                   .soc = outcome == DL_RUN_SOLVED ? 9512 : -1,
                   .makespan = outcome == DL_RUN_SOLVED ? 131 : -1,
                   .sum_of_distances = 3400,
                   .seconds = 0.25,
                   .candidates = 1,
                   .iterations = 1234,
                   .start_conflicts = number == 0 ? -1 : 77,
                   .threads = 2,
                   .lower_bound = number == 1 ? -1 : 3500,
                   .first_soc = outcome == DL_RUN_SOLVED ? 9600 : -1,
                   .first_seconds = outcome == DL_RUN_SOLVED ? 0.125 : -1,
                   .cpu_seconds = 0.5};
    if (outcome == DL_RUN_SOLVED) strcpy(r.init, "pp");
    return r;
}

static void same(const dl_record *a, const dl_record *b)
{
    dl_text first = {0}, second = {0};
    dl_record_print(a, &first);
    dl_record_print(b, &second);
    assert_string_equal(first.data, second.data);
    dl_text_free(&first);
    dl_text_free(&second);
}

static void write_text(const char *text)
{
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    fputs(text, stream);
    fclose(stream);
}

static void write_rows(int count)
{
    dl_results results;
    dl_records records = {0};
    assert_int_equal(dl_results_open(path, &results, &records, NULL), DIFFLNS_OK);
    for (int i = 0; i < count; i++) {
        dl_record r = sample(i, (dl_outcome)(i % DL_RUN_OUTCOMES));
        assert_int_equal(dl_results_append(&results, &r, NULL), DIFFLNS_OK);
    }
    dl_results_close(&results);
    dl_records_free(&records);
}

static void every_outcome_comes_back_as_it_was_written(void **state)
{
    (void)state;
    write_rows(DL_RUN_OUTCOMES);
    dl_results results;
    dl_records records = {0};
    assert_int_equal(dl_results_open(path, &results, &records, NULL), DIFFLNS_OK);
    assert_int_equal(records.count, DL_RUN_OUTCOMES);
    for (int i = 0; i < records.count; i++) {
        dl_record expected = sample(i, (dl_outcome)i);
        same(&records.row[i], &expected);
    }
    assert_ptr_equal(dl_records_find(&records, "medium-maze", 190, 2, "lns2"), &records.row[2]);
    assert_null(dl_records_find(&records, "medium-maze", 190, 2, "lacam"));
    assert_null(dl_records_find(&records, "medium-maze", 180, 2, "lns2"));
    dl_results_close(&results);
    dl_records_free(&records);
}

/* Wherever the last line was cut, it is dropped, and what is written next stands on a line of its own. */
static void a_last_line_cut_short_is_dropped(void **state)
{
    (void)state;
    write_rows(3);
    dl_file whole;
    assert_int_equal(dl_file_read(path, &whole, NULL), DIFFLNS_OK);
    size_t last = whole.size - 1;
    while (whole.data[last - 1] != '\n') last--;
    for (size_t cut = last; cut < whole.size; cut += 7) {
        FILE *stream = fopen(path, "wb");
        fwrite(whole.data, 1, cut, stream);
        fclose(stream);
        dl_results results;
        dl_records records = {0};
        assert_int_equal(dl_results_open(path, &results, &records, NULL), DIFFLNS_OK);
        assert_int_equal(records.count, 2);
        dl_record third = sample(2, DL_RUN_UNSOLVABLE);
        assert_int_equal(dl_results_append(&results, &third, NULL), DIFFLNS_OK);
        dl_results_close(&results);
        dl_records_free(&records);
        dl_file again;
        assert_int_equal(dl_file_read(path, &again, NULL), DIFFLNS_OK);
        assert_int_equal(again.size, whole.size);
        assert_memory_equal(again.data, whole.data, whole.size);
        dl_file_free(&again);
    }
    dl_file_free(&whole);
}

static void a_header_cut_short_is_begun_anew(void **state)
{
    (void)state;
    write_text("family,agents,ca");
    dl_results results;
    dl_records records = {0};
    assert_int_equal(dl_results_open(path, &results, &records, NULL), DIFFLNS_OK);
    assert_int_equal(records.count, 0);
    dl_results_close(&results);
    dl_file file;
    assert_int_equal(dl_file_read(path, &file, NULL), DIFFLNS_OK);
    assert_memory_equal(file.data, "family,agents,case,", 19);
    dl_file_free(&file);
}

static void refuse(const char *text, const char *expected)
{
    dl_results results;
    dl_records records = {0};
    dl_error err;
    write_text(text);
    assert_int_equal(dl_results_open(path, &results, &records, &err), DIFFLNS_BAD_INPUT);
    if (!strstr(err.message, expected)) fail_msg("\"%s\" says nothing of \"%s\"", err.message, expected);
    dl_records_free(&records);
    dl_file file;
    assert_int_equal(dl_file_read(path, &file, NULL), DIFFLNS_OK);
    assert_string_equal(file.data, text); /* untouched */
    dl_file_free(&file);
}

static void foreign_files_are_refused_and_left_alone(void **state)
{
    (void)state;
    static const char HEADER[] =
        "family,agents,case,seed,method,limit_s,status,soc,makespan,sum_of_distances,seconds,"
        "candidates,iterations,start_conflicts,threads,init,lower_bound,first_soc,first_seconds,cpu_seconds\n";
    char text[512];
    refuse("a letter to somebody", "not results of difflns bench");
    refuse("family,agents\nx,1\n", "not results of difflns bench");
    snprintf(text, sizeof text, "%smedium-maze,190\n", HEADER);
    refuse(text, "results.csv:2: expected 20 fields");
    snprintf(text, sizeof text, "%sm,190,0,1,lns2,4.8,maybe,,,,1,1,1,,1,,,,,\n", HEADER);
    refuse(text, "results.csv:2: a field");
    snprintf(text, sizeof text, "%sm,190,0,1,lns2,4.8,solved,,,,1,1,1,,1,,,,,\n", HEADER);
    refuse(text, "results.csv:2: a field");
    snprintf(text, sizeof text, "%sm,-1,0,1,lns2,4.8,unsolved,,,,1,1,1,,1,,,,,\n", HEADER);
    refuse(text, "results.csv:2: a field");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(every_outcome_comes_back_as_it_was_written, remove_file),
        cmocka_unit_test_teardown(a_last_line_cut_short_is_dropped, remove_file),
        cmocka_unit_test_teardown(a_header_cut_short_is_begun_anew, remove_file),
        cmocka_unit_test_teardown(foreign_files_are_refused_and_left_alone, remove_file),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
