#include "support.h"

#include "base/arena.h"

static void blocks_are_aligned_and_apart(void **state)
{
    (void)state;
    dl_arena arena = {0};
    unsigned char *last = NULL;
    for (size_t bytes = 1; bytes < 200000; bytes = bytes * 3 + 1) {
        unsigned char *block = dl_arena_alloc(&arena, bytes);
        assert_int_equal((uintptr_t)block % 64, 0);
        memset(block, (int)(bytes & 0xFF), bytes);
        if (last) assert_int_equal(*last, (int)((bytes - 1) / 3 & 0xFF));
        last = block;
    }
    dl_arena_free(&arena);
}

static void a_warm_arena_takes_nothing_more(void **state)
{
    (void)state;
    dl_arena arena = {0};
    size_t warm = 0;
    for (int round = 0; round < 10; round++) {
        dl_arena_reset(&arena);
        for (size_t i = 0; i < 100; i++) assert_non_null(dl_arena_alloc(&arena, 1000 * i));
        if (round == 1) warm = dl_arena_capacity(&arena);
        if (round > 1) assert_int_equal(dl_arena_capacity(&arena), warm);
    }
    dl_arena_free(&arena);
}

static void rewind_gives_back_what_came_after_the_mark(void **state)
{
    (void)state;
    dl_arena arena = {0};
    assert_non_null(dl_arena_alloc(&arena, 100));
    dl_arena_mark mark = dl_arena_position(&arena);
    void *first = dl_arena_alloc(&arena, 64);
    assert_non_null(dl_arena_alloc(&arena, 1 << 20));
    dl_arena_rewind(&arena, mark);
    assert_ptr_equal(dl_arena_alloc(&arena, 64), first);
    dl_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_aligned_and_apart),
        cmocka_unit_test(a_warm_arena_takes_nothing_more),
        cmocka_unit_test(rewind_gives_back_what_came_after_the_mark),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
