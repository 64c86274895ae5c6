/* Allocation that can fail: everything here answers NULL or false when memory is out, and the caller hands back what it
 * has (docs/decisions/0002). What is returned is released with free(). For tools. */
#ifndef DL_BASE_MEMORY_H
#define DL_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

/* On functions whose failure nobody may overlook. */
#define DL_MUST_CHECK __attribute__((warn_unused_result))

/* Never NULL for want of bytes: a size of 0 gives a block, too. */
DL_MUST_CHECK void *dl_malloc(size_t bytes);
DL_MUST_CHECK void *dl_calloc(size_t count, size_t size);
/* On failure `old` is as it was. */
DL_MUST_CHECK void *dl_realloc(void *old, size_t count, size_t size);
/* 64-byte aligned, for boards and matrices. */
DL_MUST_CHECK void *dl_aligned(size_t bytes);
DL_MUST_CHECK char *dl_strdup(const char *text);

#define DL_NEW(type)          ((type *)dl_calloc(1, sizeof(type)))
#define DL_ARRAY(type, count) ((type *)dl_calloc((size_t)(count), sizeof(type)))

/* Grows `array` so that index `needed - 1` exists; doubles, so that appending is linear. False when memory is out:
 * array and capacity are as they were. `capacity` is an integer variable of 4 or 8 bytes. */
#define DL_GROW(array, capacity, needed)                                                                               \
    ((needed) <= (capacity) || dl_grow(&(array), sizeof *(array), &(capacity), sizeof(capacity), (size_t)(needed)))
/* The rare half of DL_GROW: *array is a pointer of any type, *capacity an integer of `width` bytes. */
DL_MUST_CHECK bool dl_grow(void *array, size_t size, void *capacity, size_t width, size_t needed);

#endif
