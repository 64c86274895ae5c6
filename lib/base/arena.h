/* Arena: many small allocations, one release. Every block is 64-byte aligned. A mark lets a caller give back everything
 * it took since; memory is kept for reuse until dl_arena_free, so a warmed-up loop allocates nothing. For tools. */
#ifndef DL_BASE_ARENA_H
#define DL_BASE_ARENA_H

#include <stddef.h>

#include "base/memory.h"

typedef struct dl_arena_chunk dl_arena_chunk;

typedef struct dl_arena {
    dl_arena_chunk *first, *current; /* chunks are linked in order of growth; those after current are free */
    size_t used;                     /* bytes taken of the current chunk */
} dl_arena;

typedef struct dl_arena_mark {
    dl_arena_chunk *chunk;
    size_t used;
} dl_arena_mark;

/* A zeroed dl_arena is an empty arena. The memory is not cleared. NULL when memory is out: the arena is as it was. */
DL_MUST_CHECK void *dl_arena_alloc(dl_arena *arena, size_t bytes);
DL_MUST_CHECK void *dl_arena_calloc(dl_arena *arena, size_t bytes);
dl_arena_mark dl_arena_position(const dl_arena *arena);
void dl_arena_rewind(dl_arena *arena, dl_arena_mark mark);
void dl_arena_reset(dl_arena *arena);
void dl_arena_free(dl_arena *arena);
/* Bytes held from the system, used or not. */
size_t dl_arena_capacity(const dl_arena *arena);

#define DL_ARENA_ARRAY(arena, type, count) ((type *)dl_arena_alloc((arena), sizeof(type) * (size_t)(count)))

#endif
