/* Allocation that cannot fail: input-dependent sizes are checked against limits where they are read, so running out
 * of memory here means the machine is out of memory, and the process ends with a line that says so. For tools. */
#ifndef DL_BASE_MEMORY_H
#define DL_BASE_MEMORY_H

#include <stddef.h>

void *dl_malloc(size_t bytes);
void *dl_calloc(size_t count, size_t size);
void *dl_realloc(void *old, size_t count, size_t size);
/* 64-byte aligned, for boards and matrices; release with free(). */
void *dl_aligned(size_t bytes);
char *dl_strdup(const char *text);

#define DL_NEW(type)          ((type *)dl_calloc(1, sizeof(type)))
#define DL_ARRAY(type, count) ((type *)dl_calloc((size_t)(count), sizeof(type)))

/* Grows `array` so that index `needed - 1` exists; doubles, so that appending is linear. */
#define DL_GROW(array, capacity, needed)                                                                               \
    do {                                                                                                               \
        if ((needed) > (capacity)) {                                                                                   \
            (capacity) = (needed) > 2 * (capacity) ? (needed) : 2 * (capacity);                                        \
            (array) = dl_realloc((array), (size_t)(capacity), sizeof *(array));                                        \
        }                                                                                                              \
    } while (0)

#endif
