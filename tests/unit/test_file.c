#include "support.h"

#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zstd.h>

#include "base/file.h"
#include "base/lock.h"
#include "base/memory.h"
#include "base/output.h"

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
    assert_int_equal(dl_output_open(&out, path, &err), DIFFLNS_IO);
    assert_non_null(strstr(err.message, "folder: cannot write: Is a directory"));
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

static void a_file_that_is_replaced_keeps_its_permissions(void **state)
{
    char *path = inside(*state, "file");
    write_bytes(path, "old", 3);
    assert_int_equal(chmod(path, 0600), 0);
    write_bytes(path, "new", 3);
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
    free(path);
}

static bool is_symlink(const char *path)
{
    struct stat about;
    return lstat(path, &about) == 0 && S_ISLNK(about.st_mode);
}

static void symlinks_are_written_through(void **state)
{
    char *file = inside(*state, "file"), *link = inside(*state, "link"), *other = inside(*state, "other");
    write_bytes(file, "old", 3);
    assert_int_equal(symlink("file", other), 0);
    assert_int_equal(symlink(other, link), 0); /* over an absolute and a relative one */
    write_bytes(link, "new", 3);
    expect_content(file, "new", 3);
    assert_true(is_symlink(link) && is_symlink(other));
    assert_int_equal(remove(file), 0);
    write_bytes(link, "again", 5); /* one that leads nowhere yet */
    expect_content(file, "again", 5);
    assert_true(is_symlink(link) && is_symlink(other));
    assert_int_equal(entries(*state), 3);
    assert_int_equal(remove(link) | symlink("link", link), 0);
    dl_output out;
    dl_error err;
    assert_int_equal(dl_output_open(&out, link, &err), DIFFLNS_IO);
    assert_non_null(strstr(err.message, "link: cannot write: Too many levels of symbolic links"));
    free(file);
    free(link);
    free(other);
}

static void *read_pipe(void *path)
{
    static char text[32];
    FILE *stream = fopen(path, "r");
    size_t size = fread(text, 1, sizeof text - 1, stream);
    text[size] = 0;
    fclose(stream);
    return text;
}

static void devices_and_pipes_are_written_and_not_replaced(void **state)
{
    char *pipe = inside(*state, "pipe"), *link = inside(*state, "link");
    assert_int_equal(mkfifo(pipe, 0600), 0);
    pthread_t reader;
    pthread_create(&reader, NULL, read_pipe, pipe);
    write_bytes(pipe, "through", 7);
    void *text;
    pthread_join(reader, &text);
    assert_string_equal(text, "through");
    struct stat about;
    assert_int_equal(stat(pipe, &about), 0);
    assert_true(S_ISFIFO(about.st_mode));
    assert_int_equal(symlink("/dev/null", link), 0); /* through a link, so that a failing test harms no machine */
    write_bytes(link, "away", 4);
    assert_true(is_symlink(link));
    assert_int_equal(remove(link) | symlink("/dev/full", link), 0);
    dl_output out;
    dl_error err;
    assert_int_equal(dl_output_open(&out, link, &err), DIFFLNS_OK);
    fputs("too much", out.stream);
    assert_int_equal(dl_output_commit(&out, &err), DIFFLNS_IO);
    assert_non_null(strstr(err.message, "link: cannot write: No space left on device"));
    assert_true(is_symlink(link));
    assert_int_equal(entries(*state), 2);
    free(pipe);
    free(link);
}

/* Leaves a temporary as a process does that is killed while it writes. */
static void be_killed_writing(const char *path)
{
    pid_t child = fork();
    if (child == 0) {
        dl_output out;
        if (dl_output_open(&out, path, NULL) == DIFFLNS_OK) raise(SIGKILL);
        _exit(1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
}

static void temporaries_of_the_dead_are_removed_and_those_of_the_living_stay(void **state)
{
    char *path = inside(*state, "file"), *alike = inside(*state, "file.1-0.tmp");
    dl_output alive;
    dl_error err;
    be_killed_writing(path);
    assert_int_equal(entries(*state), 1);
    assert_int_equal(dl_output_open(&alive, path, &err), DIFFLNS_OK);
    assert_int_equal(entries(*state), 1);
    be_killed_writing(path);
    assert_int_equal(entries(*state), 2);
    write_bytes(alike, "not ours", 8);
    write_bytes(path, "other", 5);
    assert_int_equal(entries(*state), 3); /* the living one's, the other's file, and what only looks like ours */
    fputs("alive", alive.stream);
    assert_int_equal(dl_output_commit(&alive, &err), DIFFLNS_OK);
    expect_content(path, "alive", 5);
    expect_content(alike, "not ours", 8);
    assert_int_equal(entries(*state), 2);
    free(path);
    free(alike);
}

static void a_lock_is_held_by_one_and_given_up_by_the_dead(void **state)
{
    char *path = inside(*state, "file"), *link = inside(*state, "link");
    assert_int_equal(symlink("file", link), 0);
    dl_lock first, second;
    dl_error err;
    assert_int_equal(dl_lock_take(&first, path, &err), DIFFLNS_OK);
    assert_int_equal(dl_lock_take(&second, link, &err), DIFFLNS_IO);
    assert_non_null(strstr(err.message, "link: another process is writing it"));
    dl_lock_release(&second); /* harmless */
    dl_lock_release(&first);
    assert_int_equal(entries(*state), 1);
    pid_t child = fork();
    if (child == 0) {
        if (dl_lock_take(&first, path, NULL) == DIFFLNS_OK) raise(SIGKILL);
        _exit(1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(dl_lock_take(&first, path, &err), DIFFLNS_OK);
    dl_lock_release(&first);
    assert_int_equal(entries(*state), 1);
    free(path);
    free(link);
}

static void two_names_of_one_file_are_the_same(void **state)
{
    char *file = inside(*state, "file"), *link = inside(*state, "link"), *other = inside(*state, "other");
    char *roundabout = inside(*state, "./other");
    write_bytes(file, "x", 1);
    assert_int_equal(symlink("file", link), 0);
    assert_true(dl_file_same(file, link));
    assert_false(dl_file_same(file, other));
    assert_true(dl_file_same(other, roundabout)); /* neither is there yet */
    write_bytes(other, "x", 1);
    assert_false(dl_file_same(file, other));
    assert_false(dl_file_same("/dev/null", "/dev/null"));
    assert_false(dl_file_same("-", "-"));
    free(file);
    free(link);
    free(other);
    free(roundabout);
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
    packed[first] ^= 0x55; /* rubbish after a frame */
    write_bytes(path, packed, first + second);
    assert_int_equal(dl_file_read(path, &file, &err), DIFFLNS_BAD_INPUT);
    free(text);
    free(path);
}

/* The compressed form of so many megabytes of zeros, to free(). */
static char *compress_zeros(size_t megabytes, size_t *packed)
{
    enum { PIECE = 1 << 20 };
    size_t room = ZSTD_compressBound(PIECE) * megabytes;
    char *zeros = DL_ARRAY(char, PIECE);
    ZSTD_CCtx *context = ZSTD_createCCtx();
    ZSTD_outBuffer out = {dl_malloc(room), room, 0}; /* hardly touched */
    for (size_t i = 1; i <= megabytes; i++) {
        ZSTD_inBuffer in = {zeros, PIECE, 0};
        ZSTD_EndDirective whether = i == megabytes ? ZSTD_e_end : ZSTD_e_continue;
        assert_int_equal(ZSTD_compressStream2(context, &out, &in, whether), 0);
    }
    ZSTD_freeCCtx(context);
    free(zeros);
    *packed = out.pos;
    return out.dst;
}

static void small_files_do_not_inflate_without_end(void **state)
{
    (void)state;
    size_t packed;
    char *bomb = compress_zeros(1024, &packed);
    dl_file file;
    dl_error err;
    struct rusage before, after;
    getrusage(RUSAGE_SELF, &before);
    assert_int_equal(dl_file_decode("bomb.zst", bomb, packed, &file, &err), DIFFLNS_BAD_INPUT);
    getrusage(RUSAGE_SELF, &after);
    assert_non_null(strstr(err.message, "bomb.zst: more than "));
    assert_null(file.data);
    assert_in_range(after.ru_maxrss - before.ru_maxrss, 0, 256 << 10); /* KB: a quarter of what is in it */
    free(bomb);

    char *map = compress_zeros(DL_INFLATED_LEAST >> 20, &packed); /* as large as the largest maps */
    assert_int_equal(dl_file_decode("open.map", map, packed, &file, &err), DIFFLNS_OK);
    assert_int_equal(file.size, DL_INFLATED_LEAST);
    dl_file_free(&file);
    free(map);
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
    assert_non_null(strstr(err.message, "file/x: cannot create the folder: Not a directory"));
    assert_int_equal(dl_directory_make("", &err), DIFFLNS_IO);
    assert_int_equal(dl_directory_make("/", &err), DIFFLNS_OK);
    assert_int_equal(rmdir(deep) | rmdir(middle) | rmdir(top), 0);
    free(deep);
    free(middle);
    free(top);
    free(file);
    free(below_file);
}

static void the_base_name_is_what_follows_the_last_slash(void **state)
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
        IN_A_FOLDER(a_file_that_is_replaced_keeps_its_permissions),
        IN_A_FOLDER(symlinks_are_written_through),
        IN_A_FOLDER(devices_and_pipes_are_written_and_not_replaced),
        IN_A_FOLDER(temporaries_of_the_dead_are_removed_and_those_of_the_living_stay),
        IN_A_FOLDER(a_lock_is_held_by_one_and_given_up_by_the_dead),
        IN_A_FOLDER(two_names_of_one_file_are_the_same),
        IN_A_FOLDER(writers_of_one_file_do_not_disturb_each_other),
        IN_A_FOLDER(compressed_files_are_read_transparently_whatever_their_name),
        cmocka_unit_test(small_files_do_not_inflate_without_end),
        IN_A_FOLDER(unreadable_files_are_named),
        IN_A_FOLDER(directories_are_made_with_their_parents),
        cmocka_unit_test(the_base_name_is_what_follows_the_last_slash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
