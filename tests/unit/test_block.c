#include "support.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/block.h"

typedef struct things {
    void *block;
    int32_t *number;
    char *letter;
    double *real;
} things;

static bool make_things(things *t, size_t count)
{
    return DL_BLOCK(t->block, DL_CUT(t->number, count), DL_CUT(t->letter, count), DL_CUT(t->real, count));
}

static void arrays_are_zero_aligned_and_apart(void **state)
{
    (void)state;
    for (size_t count = 0; count < 100; count++) {
        things t;
        assert_true(make_things(&t, count));
        assert_int_equal((uintptr_t)t.number % _Alignof(max_align_t), 0);
        assert_int_equal((uintptr_t)t.letter % _Alignof(max_align_t), 0);
        assert_int_equal((uintptr_t)t.real % _Alignof(max_align_t), 0);
        for (size_t i = 0; i < count; i++) assert_true(t.number[i] == 0 && t.letter[i] == 0 && t.real[i] == 0);
        for (size_t i = 0; i < count; i++) {
            t.number[i] = -1;
            t.letter[i] = 'a';
            t.real[i] = 0.5;
        }
        for (size_t i = 0; i < count; i++) assert_true(t.number[i] == -1 && t.letter[i] == 'a' && t.real[i] == 0.5);
        free(t.block);
    }
}

static void sizes_beyond_all_memory_fail(void **state)
{
    (void)state;
    for (int bits = 61; bits < 64; bits++) {
        things t;
        memset(&t, 0xFF, sizeof t);
        assert_false(make_things(&t, ((size_t)1 << bits) + 1));
        assert_true(!t.block && !t.number && !t.letter && !t.real);
    }
}

#ifdef __SANITIZE_ADDRESS__
static void the_sanitizer_sees_who_writes_past_an_array(void **state)
{
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        things t;
        dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
        if (make_things(&t, 5)) ((volatile char *)t.letter)[5] = 'x';
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_false(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_are_zero_aligned_and_apart),
        cmocka_unit_test(sizes_beyond_all_memory_fail),
#ifdef __SANITIZE_ADDRESS__
        cmocka_unit_test(the_sanitizer_sees_who_writes_past_an_array),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
