/* One block of memory for all arrays of an object: one answer to whether memory was there, one free().
 *
 *     if (!DL_BLOCK(graph->memory, DL_CUT(graph->first, cells + 1), DL_CUT(graph->edge, edges))) return false;
 *     ...
 *     free(graph->memory);
 *
 * For arrays whose sizes are known together and which live as long as each other. For tools. */
#ifndef DL_BASE_BLOCK_H
#define DL_BASE_BLOCK_H

#include "base/memory.h"

/* An array to be: where its pointer is, and how large it becomes. */
typedef struct dl_cut {
    void *array;
    size_t size, count;
} dl_cut;

#define DL_CUT(array, count)                                                                                           \
    {                                                                                                                  \
        &(array), sizeof *(array), (size_t)(count)                                                                     \
    }

/* Zeroed arrays, aligned as malloc does. False when memory is out: the block and all arrays are NULL. */
#define DL_BLOCK(block, ...)                                                                                           \
    dl_block_cut((void **)&(block), (const dl_cut[]){__VA_ARGS__},                                                     \
                 sizeof((const dl_cut[]){__VA_ARGS__}) / sizeof(dl_cut))
DL_MUST_CHECK bool dl_block_cut(void **block, const dl_cut *cuts, size_t count);

#endif
