/* lib/base when memory is out. */
#include <dirent.h>
#include <unistd.h>
#include <zstd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/text.h"
#include "everywhere.h"
#include "faults.h"
#include "support.h"

static int entries(const char *folder)
{
    DIR *listing = opendir(folder);
    int count = -2; /* . and .. */
    while (listing && readdir(listing)) count++;
    if (listing) closedir(listing);
    return count;
}

static void a_failed_allocation_says_so_and_the_next_one_works(void **state)
{
    (void)state;
    faults_arm(1, FAULTS_ONCE);
    void *first = dl_malloc(10), *second = dl_malloc(10);
    assert_true(faults_disarm());
    assert_null(first);
    assert_non_null(second);
    free(second);
    assert_null(dl_calloc(SIZE_MAX / 2, 4));
    assert_null(dl_realloc(NULL, SIZE_MAX / 2, 4));
    assert_null(dl_aligned(SIZE_MAX - 1));
}

static void an_array_that_cannot_grow_is_as_it_was(void **state)
{
    (void)state;
    int capacity = 0;
    size_t wide = 0;
    int32_t *array = NULL, *other = NULL;
    assert_true(DL_GROW(array, capacity, 3));
    assert_true(DL_GROW(other, wide, (size_t)3));
    for (int i = 0; i < 3; i++) array[i] = other[i] = i;
    int32_t *before = array;
    faults_arm(1, FAULTS_ONWARDS);
    bool grew = DL_GROW(array, capacity, 4), grew_wide = DL_GROW(other, wide, (size_t)4);
    faults_disarm();
    assert_false(grew || grew_wide);
    assert_ptr_equal(array, before);
    assert_true(capacity == 3 && wide == 3 && array[2] == 2);
    assert_true(DL_GROW(array, capacity, 4) && DL_GROW(other, wide, (size_t)4));
    assert_true(capacity == 6 && wide == 6 && array[2] == 2 && other[2] == 2);
    free(array);
    free(other);
}

static void a_capacity_never_leaves_its_type(void **state)
{
    (void)state;
    char *array = NULL;
    int32_t capacity = 0;
    volatile int64_t needed = (int64_t)INT32_MAX + 1;
    assert_false(DL_GROW(array, capacity, needed));
    assert_int_equal(capacity, 0);
    assert_null(array);
}

static void an_arena_that_cannot_grow_is_as_it_was(void **state)
{
    (void)state;
    dl_arena arena = {0};
    char *first = dl_arena_alloc(&arena, 100);
    assert_non_null(first);
    first[0] = 'a';
    dl_arena_mark mark = dl_arena_position(&arena);
    faults_arm(1, FAULTS_ONWARDS);
    void *large = dl_arena_alloc(&arena, 1 << 20), *small = dl_arena_alloc(&arena, 64);
    faults_disarm();
    assert_null(large);
    assert_non_null(small); /* the chunk at hand still serves */
    dl_arena_rewind(&arena, mark);
    assert_non_null(dl_arena_calloc(&arena, 1 << 20));
    assert_int_equal(first[0], 'a');
    dl_arena_free(&arena);
}

static void an_arena_takes_less_where_there_is_less(void **state)
{
    (void)state;
    dl_arena arena = {0};
    faults_arm(1, FAULTS_ONCE);
    void *block = dl_arena_alloc(&arena, 64);
    faults_disarm();
    assert_non_null(block);
    assert_int_equal(dl_arena_capacity(&arena), 64);
    dl_arena_free(&arena);
}

static void a_text_that_ran_out_of_memory_says_so_at_the_end(void **state)
{
    (void)state;
    dl_text text = {0};
    dl_text_add(&text, "one", 3);
    faults_arm(1, FAULTS_ONCE);
    dl_text_print(&text, "%s", "two, and enough of it to grow");
    faults_disarm();
    dl_text_add(&text, "3", 1); /* would fit again, but after a gap */
    assert_true(text.cut);
    assert_string_equal(text.data, "one");
    dl_text_free(&text);
}

typedef struct file_case {
    char path[300];
    char folder[200];
    size_t size;
} file_case;

static dl_status read_whole(void *user)
{
    const file_case *c = user;
    dl_file file;
    dl_status status = dl_file_read(c->path, &file, NULL);
    if (status != DIFFLNS_OK) return file.data ? DIFFLNS_INTERNAL : status;
    bool whole = file.size == c->size;
    dl_file_free(&file);
    return whole ? DIFFLNS_OK : DIFFLNS_INTERNAL;
}

static dl_status write_whole(void *user)
{
    const file_case *c = user;
    dl_output out;
    dl_status status = dl_output_open(&out, c->path, NULL);
    if (status == DIFFLNS_OK) {
        for (size_t i = 0; i < c->size; i++) fputc('x', out.stream);
        status = dl_output_commit(&out, NULL);
    }
    return status;
}

static dl_status make_directory(void *user)
{
    return dl_directory_make(((const file_case *)user)->folder, NULL);
}

static void reading_a_file_needs_memory_or_says_so(void **state)
{
    (void)state;
    file_case c = {.folder = "/tmp/difflns-faults-XXXXXX", .size = 300000};
    assert_non_null(mkdtemp(c.folder));
    snprintf(c.path, sizeof c.path, "%s/plain", c.folder);
    assert_int_equal(write_whole(&c), DIFFLNS_OK);
    assert_true(faults_everywhere(read_whole, &c, 1) > 4);
    remove(c.path);

    char *bytes = calloc(1, c.size), *packed = malloc(ZSTD_compressBound(c.size));
    size_t size = ZSTD_compress(packed, ZSTD_compressBound(c.size), bytes, c.size, 1);
    snprintf(c.path, sizeof c.path, "%s/packed", c.folder);
    FILE *stream = fopen(c.path, "wb");
    assert_int_equal(fwrite(packed, 1, size, stream), size);
    fclose(stream);
    free(bytes);
    free(packed);
    assert_true(faults_everywhere(read_whole, &c, 1) > 6);
    remove(c.path);
    assert_int_equal(rmdir(c.folder), 0);
}

static dl_status write_and_look(void *user)
{
    const file_case *c = user;
    dl_status status = write_whole(user);
    bool there = access(c->path, F_OK) == 0;
    if (there) remove(c->path);
    if (there != (status == DIFFLNS_OK)) return DIFFLNS_INTERNAL;
    return status;
}

static void writing_a_file_leaves_it_whole_or_not_there(void **state)
{
    (void)state;
    file_case c = {.folder = "/tmp/difflns-faults-XXXXXX", .size = 100000};
    assert_non_null(mkdtemp(c.folder));
    snprintf(c.path, sizeof c.path, "%s/out", c.folder);
    assert_true(faults_everywhere(write_and_look, &c, 1) > 2);
    assert_int_equal(entries(c.folder), 0);
    assert_true(faults_everywhere(make_directory, &c, 1) > 1);
    assert_int_equal(rmdir(c.folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failed_allocation_says_so_and_the_next_one_works),
        cmocka_unit_test(an_array_that_cannot_grow_is_as_it_was),
        cmocka_unit_test(a_capacity_never_leaves_its_type),
        cmocka_unit_test(an_arena_that_cannot_grow_is_as_it_was),
        cmocka_unit_test(an_arena_takes_less_where_there_is_less),
        cmocka_unit_test(a_text_that_ran_out_of_memory_says_so_at_the_end),
        cmocka_unit_test(reading_a_file_needs_memory_or_says_so),
        cmocka_unit_test(writing_a_file_leaves_it_whole_or_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
