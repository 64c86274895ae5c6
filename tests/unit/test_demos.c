/* The demonstration file: what goes in comes out, and damage of any kind costs only what lies behind it. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "diffusion/demos.h"
#include "lacam/lacam.h"
#include "mapf/check.h"
#include "support_plans.h"

enum { DEMOS = 12 };
static const char ABOUT[] = "{\"seed\": 1}";

static char *path_of(const char *name)
{
    static char path[256];
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/difflns-%d-%s", folder ? folder : "/tmp", (int)getpid(), name);
    return path;
}

static dl_demo make_demo(uint64_t job)
{
    dl_rng rng = dl_rng_stream(job, DL_PURPOSE('d', 'e', 'm', 'o'), 0);
    dl_demo demo = {.about = {.job = job, .seed = job + 100, .family = "room", .solver = "lacam"}};
    demo.instance = test_random_instance(&rng, 7, 9, 0.15, 6 + (int)(job % 5));
    assert_non_null(demo.instance);
    dl_distance *distance = dl_distance_create(demo.instance);
    dl_lacam_options options = dl_lacam_lean(job);
    options.anytime = false;
    dl_lacam_result result;
    dl_error err;
    if (dl_lacam_solve(demo.instance, distance, &options, dl_no_deadline(), &result, &err) != DIFFLNS_OK)
        fail_msg("%s", err.message);
    demo.plan = dl_plan_copy(result.plan);
    demo.about.lower_bound = dl_distance_lower_bound(distance);
    dl_lacam_result_release(&result);
    dl_distance_free(distance);
    return demo;
}

static void append(dl_demos_writer *writer, uint64_t job)
{
    dl_demo demo = make_demo(job);
    dl_demo_record record = dl_demo_pack(&demo);
    dl_error err;
    if (dl_demos_append(writer, &record, &err) != DIFFLNS_OK) fail_msg("%s", err.message);
    dl_demo_record_release(&record);
    dl_demo_release(&demo);
}

static dl_demos_writer *open_writer(const char *path)
{
    dl_demos_writer *writer;
    dl_error err;
    if (dl_demos_writer_open(path, ABOUT, &writer, &err) != DIFFLNS_OK) fail_msg("%s", err.message);
    return writer;
}

/* Jobs 0..DEMOS-1, written last first when `backward`. */
static void write_demos(const char *path, bool backward)
{
    unlink(path);
    dl_demos_writer *writer = open_writer(path);
    for (uint64_t i = 0; i < DEMOS; i++) append(writer, backward ? DEMOS - 1 - i : i);
    assert_int_equal(dl_demos_writer_finish(writer, NULL), DIFFLNS_OK);
}

static char *read_bytes(const char *path, size_t *size)
{
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    char *bytes = malloc(1 << 20);
    *size = fread(bytes, 1, 1 << 20, stream);
    fclose(stream);
    return bytes;
}

static void write_bytes(const char *path, const char *bytes, size_t size)
{
    FILE *stream = fopen(path, "wb");
    assert_int_equal(fwrite(bytes, 1, size, stream), size);
    fclose(stream);
}

static void expect_demo(const dl_demos *demos, int64_t index)
{
    dl_demo got, wanted = make_demo(dl_demos_summary(demos, index)->job);
    dl_error err;
    if (dl_demos_read(demos, index, &got, &err) != DIFFLNS_OK) fail_msg("%s", err.message);
    assert_int_equal(got.about.soc, dl_plan_soc(wanted.plan));
    assert_int_equal(got.about.seed, wanted.about.seed);
    assert_int_equal(got.about.lower_bound, wanted.about.lower_bound);
    assert_string_equal(got.about.family, "room");
    assert_string_equal(got.about.solver, "lacam");
    assert_int_equal(got.instance->agents, wanted.instance->agents);
    size_t cells = sizeof(dl_cell) * (size_t)wanted.instance->agents;
    assert_memory_equal(got.instance->start, wanted.instance->start, cells);
    assert_memory_equal(got.instance->goal, wanted.instance->goal, cells);
    assert_memory_equal(got.instance->grid->blocked, wanted.instance->grid->blocked, 7 * 9);
    for (int i = 0; i < wanted.plan->agents; i++)
        for (int t = 0; t <= got.about.makespan; t++) {
            difflns_cell a = dl_path_at(&got.plan->path[i], t), b = dl_path_at(&wanted.plan->path[i], t);
            assert_true(a.row == b.row && a.col == b.col);
        }
    dl_demo_release(&got);
    dl_demo_release(&wanted);
}

static void what_goes_in_comes_out_in_the_order_of_jobs(void **state)
{
    (void)state;
    const char *path = path_of("order");
    size_t forward_size, backward_size;
    write_demos(path, false);
    char *forward = read_bytes(path, &forward_size);
    write_demos(path, true);
    char *backward = read_bytes(path, &backward_size);
    assert_int_equal(forward_size, backward_size);
    assert_memory_equal(forward, backward, forward_size);
    dl_demos *demos;
    assert_int_equal(dl_demos_open(path, &demos, NULL), DIFFLNS_OK);
    assert_int_equal(dl_demos_count(demos), DEMOS);
    assert_string_equal(dl_demos_about(demos), ABOUT);
    for (int64_t i = DEMOS - 1; i >= 0; i--) {
        assert_int_equal(dl_demos_summary(demos, i)->job, i);
        expect_demo(demos, i);
    }
    dl_demo none;
    dl_error err;
    assert_int_equal(dl_demos_read(demos, DEMOS, &none, &err), DIFFLNS_BAD_INPUT);
    assert_non_null(strstr(err.message, "expected 0 to 11"));
    dl_demos_close(demos);
    free(forward);
    free(backward);
    unlink(path);
}

/* Every length the file could have been cut to. */
static void a_truncated_file_is_refused_and_its_whole_records_stay_readable(void **state)
{
    (void)state;
    char path[256];
    strcpy(path, path_of("cut"));
    write_demos(path, false);
    size_t size;
    char *bytes = read_bytes(path, &size);
    int64_t last = DEMOS;
    int refused = 0, sound = 0;
    for (size_t cut = size; cut-- > 0;) {
        if (cut % 3 != 0 && cut > 200) continue;
        write_bytes(path, bytes, cut);
        dl_demos *demos;
        dl_error err, damage;
        dl_status status = dl_demos_open(path, &demos, &err);
        if (status == DIFFLNS_OK) {
            sound++; /* cut between two records: nothing tells a short file from a long one */
            assert_true(dl_demos_count(demos) == last || dl_demos_count(demos) == last - 1);
            last = dl_demos_count(demos);
            dl_demos_close(demos);
            continue;
        }
        refused++;
        assert_int_equal(status, DIFFLNS_BAD_INPUT);
        assert_non_null(strstr(err.message, path));
        if (dl_demos_salvage(path, &demos, &damage) != DIFFLNS_OK) continue; /* cut in the head */
        assert_int_equal(damage.status, DIFFLNS_BAD_INPUT);
        if (dl_demos_count(demos) < last) last = dl_demos_count(demos);
        if (last > 0 && cut % 100 == 0) expect_demo(demos, last - 1);
        dl_demos_close(demos);
    }
    assert_true(refused > 100 && sound <= DEMOS + 1);
    free(bytes);
    unlink(path);
}

static void any_flipped_bit_is_found_and_what_lies_before_stays_readable(void **state)
{
    (void)state;
    char path[256];
    strcpy(path, path_of("flip"));
    write_demos(path, false);
    size_t size;
    char *bytes = read_bytes(path, &size);
    for (size_t at = 0; at < size; at += at < 300 ? 1 : 7) {
        bytes[at] ^= (char)(1 << at % 8);
        write_bytes(path, bytes, size);
        bytes[at] ^= (char)(1 << at % 8);
        dl_demos *demos;
        dl_error err, damage;
        if (dl_demos_open(path, &demos, &err) != DIFFLNS_BAD_INPUT) fail_msg("byte %zu: the damage went unnoticed", at);
        assert_non_null(strstr(err.message, path));
        if (dl_demos_salvage(path, &demos, &damage) != DIFFLNS_OK) continue; /* damaged head */
        int64_t count = dl_demos_count(demos);
        assert_true(count < DEMOS);
        if (count > 0 && at % 50 == 0) expect_demo(demos, count - 1);
        dl_demos_close(demos);
    }
    free(bytes);
    unlink(path);
}

static void a_killed_writer_loses_at_most_the_record_in_flight(void **state)
{
    (void)state;
    char path[256];
    strcpy(path, path_of("kill"));
    for (int round = 0; round < 6; round++) {
        unlink(path);
        int ready[2];
        assert_int_equal(pipe(ready), 0);
        pid_t child = fork();
        if (child == 0) {
            dl_demos_writer *writer = open_writer(path);
            for (uint64_t job = 0;; job++) {
                append(writer, job % 1000);
                if (write(ready[1], "x", 1) != 1) _exit(1);
            }
        }
        int64_t acknowledged = 0;
        char byte;
        while (acknowledged < 10 + 7 * round && read(ready[0], &byte, 1) == 1) acknowledged++;
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        close(ready[1]);
        while (read(ready[0], &byte, 1) == 1) acknowledged++;
        close(ready[0]);
        dl_demos *demos;
        dl_error damage;
        assert_int_equal(dl_demos_salvage(path, &demos, &damage), DIFFLNS_OK);
        assert_true(dl_demos_count(demos) >= acknowledged);
        dl_demos_close(demos);
    }
    unlink(path);
}

static void a_writer_goes_on_where_one_was_stopped(void **state)
{
    (void)state;
    char path[256];
    strcpy(path, path_of("resume"));
    write_demos(path, false);
    size_t whole_size, size;
    char *whole = read_bytes(path, &whole_size);
    write_bytes(path, whole, whole_size / 2);
    dl_demos_writer *writer = open_writer(path);
    int missing = 0;
    for (uint64_t job = DEMOS; job-- > 0;)
        if (!dl_demos_writer_has(writer, job)) {
            append(writer, job);
            missing++;
        }
    assert_in_range(missing, 2, DEMOS - 2);
    assert_int_equal(dl_demos_writer_finish(writer, NULL), DIFFLNS_OK);
    char *again = read_bytes(path, &size);
    assert_int_equal(size, whole_size);
    assert_memory_equal(again, whole, size);
    free(whole);
    free(again);
    unlink(path);
}

static void a_writer_refuses_files_it_must_not_touch(void **state)
{
    (void)state;
    char path[256];
    strcpy(path, path_of("refuse"));
    write_demos(path, false);
    dl_demos_writer *writer, *second;
    dl_error err;
    assert_int_equal(dl_demos_writer_open(path, "{\"seed\": 2}", &writer, &err), DIFFLNS_BAD_INPUT);
    assert_non_null(strstr(err.message, "other options: {\"seed\": 1}"));
    writer = open_writer(path);
    assert_int_equal(dl_demos_writer_open(path, ABOUT, &second, &err), DIFFLNS_IO);
    assert_non_null(strstr(err.message, "another process"));
    dl_demos_writer_close(writer);
    size_t size, after;
    char *bytes = read_bytes(path, &size);
    bytes[size / 2] ^= 1;
    write_bytes(path, bytes, size);
    assert_int_equal(dl_demos_writer_open(path, ABOUT, &writer, &err), DIFFLNS_BAD_INPUT);
    assert_non_null(strstr(err.message, "damaged"));
    char *kept = read_bytes(path, &after);
    assert_int_equal(after, size); /* not a byte was changed */
    assert_memory_equal(kept, bytes, size);
    write_bytes(path, "something else entirely, and long enough", 40);
    assert_int_equal(dl_demos_writer_open(path, ABOUT, &writer, &err), DIFFLNS_BAD_INPUT);
    assert_non_null(strstr(err.message, "not a demonstration file"));
    free(bytes);
    free(kept);
    unlink(path);
}

static void a_job_without_a_plan_is_remembered(void **state)
{
    (void)state;
    char path[256];
    strcpy(path, path_of("unsolved"));
    unlink(path);
    dl_demos_writer *writer = open_writer(path);
    append(writer, 0);
    dl_demo_record record = dl_demo_pack_unsolved(&(dl_demo_summary){.job = 1, .family = "maze", .agents = 8});
    assert_int_equal(dl_demos_append(writer, &record, NULL), DIFFLNS_OK);
    dl_demo_record_release(&record);
    assert_int_equal(dl_demos_writer_finish(writer, NULL), DIFFLNS_OK);
    writer = open_writer(path);
    assert_true(dl_demos_writer_has(writer, 1));
    assert_false(dl_demos_writer_has(writer, 2));
    dl_demos_writer_close(writer);
    dl_demos *demos;
    assert_int_equal(dl_demos_open(path, &demos, NULL), DIFFLNS_OK);
    assert_int_equal(dl_demos_count(demos), 1);
    assert_int_equal(dl_demos_unsolved(demos), 1);
    dl_demos_close(demos);
    unlink(path);
}

static void a_plan_that_does_not_pass_the_checker_is_refused_on_load(void **state)
{
    (void)state;
    char path[256];
    strcpy(path, path_of("invalid"));
    unlink(path);
    dl_demo demo = make_demo(3);
    dl_path *first = &demo.plan->path[0], *second = &demo.plan->path[1];
    first->at = realloc(first->at, sizeof *first->at * (size_t)second->length); /* agent 0 copies agent 1 */
    memcpy(first->at, second->at, sizeof *first->at * (size_t)second->length);
    first->length = first->capacity = second->length;
    dl_demos_writer *writer = open_writer(path);
    dl_demo_record record = dl_demo_pack(&demo);
    assert_int_equal(dl_demos_append(writer, &record, NULL), DIFFLNS_OK);
    assert_int_equal(dl_demos_writer_finish(writer, NULL), DIFFLNS_OK);
    dl_demos *demos;
    dl_demo got;
    dl_error err;
    assert_int_equal(dl_demos_open(path, &demos, NULL), DIFFLNS_OK);
    assert_int_equal(dl_demos_read(demos, 0, &got, &err), DIFFLNS_BAD_INPUT);
    assert_non_null(strstr(err.message, "demonstration 0: its plan does not pass the checker"));
    dl_demos_close(demos);
    dl_demo_record_release(&record);
    dl_demo_release(&demo);
    unlink(path);
}

static void write_one(const char *path, dl_demo *demo)
{
    unlink(path);
    dl_demos_writer *writer = open_writer(path);
    dl_demo_record record = dl_demo_pack(demo);
    assert_int_equal(dl_demos_append(writer, &record, NULL), DIFFLNS_OK);
    assert_int_equal(dl_demos_writer_finish(writer, NULL), DIFFLNS_OK);
    dl_demo_record_release(&record);
}

static void an_earlier_plan_comes_back_beside_the_demonstration(void **state)
{
    (void)state;
    char path[256];
    strcpy(path, path_of("pair"));
    dl_demo demo = make_demo(3), got;
    demo.earlier = test_delayed_plan(demo.plan, 2);
    write_one(path, &demo);
    dl_demos *demos;
    assert_int_equal(dl_demos_open(path, &demos, NULL), DIFFLNS_OK);
    expect_demo(demos, 0);
    assert_int_equal(dl_demos_read(demos, 0, &got, NULL), DIFFLNS_OK);
    assert_non_null(got.earlier);
    assert_true(dl_plan_soc(got.earlier) > dl_plan_soc(got.plan));
    for (int i = 0; i < got.earlier->agents; i++)
        for (int t = 0; t <= dl_plan_makespan(demo.earlier); t++) {
            difflns_cell a = dl_path_at(&got.earlier->path[i], t), b = dl_path_at(&demo.earlier->path[i], t);
            assert_true(a.row == b.row && a.col == b.col);
        }
    dl_demo_release(&got);
    dl_demos_close(demos);
    /* It is checked like the other one. */
    difflns_cell away = dl_path_at(&demo.earlier->path[0], 0);
    demo.earlier->path[1].at[0] = away;
    write_one(path, &demo);
    dl_error err;
    assert_int_equal(dl_demos_open(path, &demos, NULL), DIFFLNS_OK);
    assert_int_equal(dl_demos_read(demos, 0, &got, &err), DIFFLNS_BAD_INPUT);
    assert_null(got.plan);
    assert_null(got.earlier);
    dl_demos_close(demos);
    dl_demo_release(&demo);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_goes_in_comes_out_in_the_order_of_jobs),
        cmocka_unit_test(a_truncated_file_is_refused_and_its_whole_records_stay_readable),
        cmocka_unit_test(any_flipped_bit_is_found_and_what_lies_before_stays_readable),
        cmocka_unit_test(a_killed_writer_loses_at_most_the_record_in_flight),
        cmocka_unit_test(a_writer_goes_on_where_one_was_stopped),
        cmocka_unit_test(a_writer_refuses_files_it_must_not_touch),
        cmocka_unit_test(a_job_without_a_plan_is_remembered),
        cmocka_unit_test(a_plan_that_does_not_pass_the_checker_is_refused_on_load),
        cmocka_unit_test(an_earlier_plan_comes_back_beside_the_demonstration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
