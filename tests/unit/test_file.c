#include "support.h"

#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "base/file.h"
#include "base/memory.h"

/* Each test has an empty directory of its own in *state. */
static int enter_folder(void **state)
{
    char *folder = dl_strdup("/tmp/difflns-test-XXXXXX");
    *state = mkdtemp(folder);
    return *state ? 0 : -1;
}

static char *inside(const char *folder, const char *name)
{
    size_t room = strlen(folder) + strlen(name) + 2;
    char *path = dl_malloc(room);
    snprintf(path, room, "%s/%s", folder, name);
    return path;
}

static int entries(const char *folder)
{
    DIR *listing = opendir(folder);
    assert_non_null(listing);
    int count = -2; /* . and .. */
    while (readdir(listing)) count++;
    closedir(listing);
    return count;
}

static int leave_folder(void **state)
{
    DIR *listing = opendir(*state);
    for (struct dirent *entry; listing && (entry = readdir(listing));) {
        char *path = inside(*state, entry->d_name);
        if (entry->d_name[0] != '.') remove(path);
        free(path);
    }
    if (listing) closedir(listing);
    int failed = rmdir(*state);
    free(*state);
    return failed;
}

static void write_bytes(const char *path, const void *bytes, size_t size)
{
    dl_output out;
    dl_error err;
    assert_int_equal(dl_output_open(&out, path, &err), DIFFLNS_OK);
    if (size) assert_int_equal(fwrite(bytes, 1, size, out.stream), size);
    assert_int_equal(dl_output_commit(&out, &err), DIFFLNS_OK);
}

static void expect_content(const char *path, const void *bytes, size_t size)
{
    dl_file file;
    dl_error err;
    if (dl_file_read(path, &file, &err) != DIFFLNS_OK) fail_msg("%s", err.message);
    assert_int_equal(file.size, size);
    if (size) assert_memory_equal(file.data, bytes, size);
    assert_int_equal(file.data[size], 0);
    dl_file_free(&file);
}

static void what_is_written_is_read(void **state)
{
    char *path = inside(*state, "file");
    static const size_t SIZES[] = {0, 1, 65535, 65536, 65537, 300000};
    char *bytes = DL_ARRAY(char, 300000);
    dl_rng rng = dl_rng_stream(1, DL_PURPOSE('f', 'i', 'l', 'e'), 0);
    for (int i = 0; i < 300000; i++) bytes[i] = (char)dl_rng_u32(&rng);
    for (int i = 0; i < 6; i++) {
        write_bytes(path, bytes, SIZES[i]);
        expect_content(path, bytes, SIZES[i]);
        assert_int_equal(entries(*state), 1);
    }
    free(bytes);
    free(path);
}

static void a_file_appears_only_when_it_is_whole(void **state)
{
    char *path = inside(*state, "file");
    write_bytes(path, "old", 3);
    dl_output out;
    dl_error err;
    assert_int_equal(dl_output_open(&out, path, &err), DIFFLNS_OK);
    fputs("new and longer", out.stream);
    fflush(out.stream);
    expect_content(path, "old", 3);
    assert_int_equal(dl_output_commit(&out, &err), DIFFLNS_OK);
    expect_content(path, "new and longer", 14);
    assert_int_equal(entries(*state), 1);
    free(path);
}

static void a_discarded_output_leaves_nothing(void **state)
{
    char *path = inside(*state, "file");
    dl_output out;
    dl_error err;
    assert_int_equal(dl_output_open(&out, path, &err), DIFFLNS_OK);
    fputs("never", out.stream);
    assert_int_equal(entries(*state), 1);
    dl_output_discard(&out);
    assert_int_equal(entries(*state), 0);
    free(path);
}

static void a_failed_write_leaves_the_old_file_and_nothing_else(void **state)
{
    char *path = inside(*state, "file");
    write_bytes(path, "old", 3);
    struct rlimit before, small;
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    small = before;
    small.rlim_cur = 1000;
    dl_output out;
    dl_error err;
    assert_int_equal(dl_output_open(&out, path, &err), DIFFLNS_OK);
    setrlimit(RLIMIT_FSIZE, &small);
    for (int i = 0; i < 10000; i++) fputs("0123456789", out.stream);
    dl_status status = dl_output_commit(&out, &err);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(status, DIFFLNS_IO);
    assert_non_null(strstr(err.message, "file: cannot write: "));
    assert_null(strstr(err.message, "Success"));
    expect_content(path, "old", 3);
    assert_int_equal(entries(*state), 1);
    free(path);
}

static void a_target_that_is_a_directory_is_refused_without_a_trace(void **state)
{
    char *path = inside(*state, "folder");
    assert_int_equal(mkdir(path, 0777), 0);
    dl_output out;
    dl_error err;
    assert_int_equal(dl_output_open(&out, path, &err), DIFFLNS_OK);
    fputs("text", out.stream);
    assert_int_equal(dl_output_commit(&out, &err), DIFFLNS_IO);
    assert_int_equal(entries(*state), 1);
    free(path);
    path = inside(*state, "missing/file");
    assert_int_equal(dl_output_open(&out, path, &err), DIFFLNS_IO);
    assert_non_null(strstr(err.message, "missing/file: cannot write: No such file or directory"));
    dl_output_discard(&out); /* harmless after a failed open */
    free(path);
}

static void files_get_the_permissions_the_user_wants(void **state)
{
    mode_t before = umask(027);
    char *path = inside(*state, "file");
    write_bytes(path, "x", 1);
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0640);
    assert_int_equal(umask(before), 027);
    free(path);
}

static void *write_often(void *path)
{
    for (int i = 0; i < 50; i++) write_bytes(path, "same words", 10);
    return NULL;
}

static void writers_of_one_file_do_not_disturb_each_other(void **state)
{
    char *path = inside(*state, "file");
    pthread_t thread[4];
    for (int i = 0; i < 4; i++) pthread_create(&thread[i], NULL, write_often, path);
    for (int i = 0; i < 4; i++) pthread_join(thread[i], NULL);
    expect_content(path, "same words", 10);
    assert_int_equal(entries(*state), 1);
    free(path);
}

static void compressed_files_are_read_transparently_whatever_their_name(void **state)
{
    char *path = inside(*state, "plain.map");
    size_t size = 400000;
    char *text = DL_ARRAY(char, size);
    for (size_t i = 0; i < size; i++) text[i] = (char)('a' + i * i % 23);
    char packed[400000];
    size_t first = ZSTD_compress(packed, sizeof packed, text, size / 2, 3);
    size_t second = ZSTD_compress(packed + first, sizeof packed - first, text + size / 2, size - size / 2, 3);
    assert_false(ZSTD_isError(first) || ZSTD_isError(second));
    write_bytes(path, packed, first + second); /* two frames, as `cat a.zst b.zst` makes */
    expect_content(path, text, size);

    dl_file file;
    dl_error err;
    for (size_t cut = 4; cut < first; cut += 1 + first / 40) { /* with the magic whole, it must be a frame */
        write_bytes(path, packed, cut);
        assert_int_equal(dl_file_read(path, &file, &err), DIFFLNS_BAD_INPUT);
        assert_non_null(strstr(err.message, "plain.map: not a complete zstd file"));
    }
    packed[first] ^= 0x55; /* rubbish behind a frame */
    write_bytes(path, packed, first + second);
    assert_int_equal(dl_file_read(path, &file, &err), DIFFLNS_BAD_INPUT);
    free(text);
    free(path);
}

static void unreadable_files_are_named(void **state)
{
    dl_file file;
    dl_error err;
    char *path = inside(*state, "missing");
    assert_int_equal(dl_file_read(path, &file, &err), DIFFLNS_BAD_INPUT);
    assert_non_null(strstr(err.message, "/missing: cannot read: No such file or directory"));
    free(path);
    assert_int_equal(dl_file_read(*state, &file, &err), DIFFLNS_BAD_INPUT);
    assert_non_null(strstr(err.message, ": cannot read: Is a directory"));
    assert_null(file.data);
}

static void directories_are_made_with_their_parents(void **state)
{
    dl_error err;
    char *deep = inside(*state, "a/bc/d/"), *middle = inside(*state, "a/bc"), *top = inside(*state, "a");
    char *file = inside(*state, "file"), *below_file = inside(*state, "file/x");
    assert_int_equal(dl_directory_make(deep, &err), DIFFLNS_OK);
    assert_int_equal(dl_directory_make(deep, &err), DIFFLNS_OK);
    assert_int_equal(entries(middle), 1);
    write_bytes(file, "x", 1);
    assert_int_equal(dl_directory_make(file, &err), DIFFLNS_IO);
    assert_int_equal(dl_directory_make(below_file, &err), DIFFLNS_IO);
    assert_non_null(strstr(err.message, "file/x: cannot make the directory: Not a directory"));
    assert_int_equal(dl_directory_make("", &err), DIFFLNS_IO);
    assert_int_equal(dl_directory_make("/", &err), DIFFLNS_OK);
    assert_int_equal(rmdir(deep) | rmdir(middle) | rmdir(top), 0);
    free(deep);
    free(middle);
    free(top);
    free(file);
    free(below_file);
}

static void the_base_name_is_behind_the_last_slash(void **state)
{
    (void)state;
    assert_string_equal(dl_file_base_name("a/b/c.map"), "c.map");
    assert_string_equal(dl_file_base_name("c.map"), "c.map");
    assert_string_equal(dl_file_base_name("a/"), "");
}

int main(void)
{
#define IN_A_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter_folder, leave_folder)
    const struct CMUnitTest tests[] = {
        IN_A_FOLDER(what_is_written_is_read),
        IN_A_FOLDER(a_file_appears_only_when_it_is_whole),
        IN_A_FOLDER(a_discarded_output_leaves_nothing),
        IN_A_FOLDER(a_failed_write_leaves_the_old_file_and_nothing_else),
        IN_A_FOLDER(a_target_that_is_a_directory_is_refused_without_a_trace),
        IN_A_FOLDER(files_get_the_permissions_the_user_wants),
        IN_A_FOLDER(writers_of_one_file_do_not_disturb_each_other),
        IN_A_FOLDER(compressed_files_are_read_transparently_whatever_their_name),
        IN_A_FOLDER(unreadable_files_are_named),
        IN_A_FOLDER(directories_are_made_with_their_parents),
        cmocka_unit_test(the_base_name_is_behind_the_last_slash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
