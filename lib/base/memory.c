#include "base/memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 }; /* a cache line, and wide enough for any vector load */

static void *checked(void *memory, size_t bytes)
{
    if (!memory) {
        fprintf(stderr, "difflns: out of memory (%zu bytes wanted)\n", bytes);
        abort();
    }
    return memory;
}

static size_t product(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) checked(NULL, SIZE_MAX);
    return bytes ? bytes : 1;
}

void *dl_malloc(size_t bytes)
{
    return checked(malloc(bytes ? bytes : 1), bytes);
}

void *dl_calloc(size_t count, size_t size)
{
    size_t bytes = product(count, size);
    return checked(calloc(1, bytes), bytes);
}

void *dl_realloc(void *old, size_t count, size_t size)
{
    size_t bytes = product(count, size);
    return checked(realloc(old, bytes), bytes);
}

void *dl_aligned(size_t bytes)
{
    size_t rounded = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return checked(aligned_alloc(ALIGNMENT, rounded ? rounded : ALIGNMENT), bytes);
}

char *dl_strdup(const char *text)
{
    size_t bytes = strlen(text) + 1;
    return memcpy(dl_malloc(bytes), text, bytes);
}
