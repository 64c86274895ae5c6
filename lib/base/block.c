#include "base/block.h"

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __has_feature /* clang's word for it */
#if __has_feature(address_sanitizer) && !defined(__SANITIZE_ADDRESS__)
#define __SANITIZE_ADDRESS__
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
enum { GAP = 64 }; /* poisoned, so that the sanitizer sees who writes past an array */
#else
enum { GAP = 0 };
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#endif

enum { ALIGNMENT = _Alignof(max_align_t) };

/* The bytes that an array takes up in its block. False if no memory is that large. */
static bool measure_cut(const dl_cut *cut, size_t *bytes)
{
    if (__builtin_mul_overflow(cut->size, cut->count, bytes) || *bytes > PTRDIFF_MAX - ALIGNMENT - GAP) return false;
    *bytes = (*bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT + GAP;
    return true;
}

static void set_pointer(const dl_cut *cut, const char *address)
{
    memcpy(cut->array, &address, sizeof address);
}

bool dl_block_cut(void **block, const dl_cut *cuts, size_t count)
{
    size_t bytes, all = 0;
    bool fits = true;
    for (size_t i = 0; i < count; i++) {
        fits = fits && measure_cut(&cuts[i], &bytes) && !__builtin_add_overflow(all, bytes, &all);
        set_pointer(&cuts[i], NULL);
    }
    char *next = fits ? dl_calloc(all, 1) : NULL;
    *block = next;
    assert((uintptr_t)next % ALIGNMENT == 0);
    for (size_t i = 0; next && i < count; i++) {
        fits = measure_cut(&cuts[i], &bytes);
        set_pointer(&cuts[i], next);
        size_t used = cuts[i].size * cuts[i].count;
        ASAN_POISON_MEMORY_REGION(next + used, bytes - used);
        next += bytes;
    }
    assert(!*block || next == (char *)*block + all);
    return *block != NULL;
}
