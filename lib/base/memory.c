#include "base/memory.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

enum { ALIGNMENT = 64 }; /* a cache line, and wide enough for any vector load */

void *dl_malloc(size_t bytes)
{
    return malloc(bytes ? bytes : 1);
}

void *dl_calloc(size_t count, size_t size)
{
    return count && size ? calloc(count, size) : calloc(1, 1);
}

void *dl_realloc(void *old, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) return NULL;
    return realloc(old, bytes ? bytes : 1);
}

void *dl_aligned(size_t bytes)
{
    if (bytes > SIZE_MAX - ALIGNMENT) return NULL;
    size_t rounded = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return aligned_alloc(ALIGNMENT, rounded ? rounded : ALIGNMENT);
}

char *dl_strdup(const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *copy = dl_malloc(bytes);
    return copy ? memcpy(copy, text, bytes) : NULL;
}

bool dl_grow(void *array, size_t size, void *capacity, size_t width, size_t needed)
{
    uint32_t narrow = 0;
    size_t now = 0;
    assert(width == sizeof narrow || width == sizeof now);
    if (width == sizeof narrow) {
        memcpy(&narrow, capacity, width);
        now = narrow;
    } else {
        memcpy(&now, capacity, sizeof now);
    }
    size_t wanted = needed > 2 * now ? needed : 2 * now;
    if (width == sizeof narrow && wanted > INT32_MAX) wanted = INT32_MAX; /* a signed capacity must hold it */
    void *old;
    memcpy(&old, array, sizeof old);
    void *grown = wanted >= needed ? dl_realloc(old, wanted, size) : NULL;
    if (!grown) return false;
    assert(now < needed && needed <= wanted);
    memcpy(array, &grown, sizeof grown);
    narrow = (uint32_t)wanted;
    memcpy(capacity, width == sizeof narrow ? (void *)&narrow : (void *)&wanted, width);
    return true;
}
