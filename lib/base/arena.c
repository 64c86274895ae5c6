#include "base/arena.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { ALIGNMENT = 64, FIRST_CHUNK = 1 << 16 };

struct dl_arena_chunk {
    dl_arena_chunk *next;
    size_t capacity;
    _Alignas(ALIGNMENT) unsigned char data[];
};

static dl_arena_chunk *new_chunk(size_t capacity)
{
    dl_arena_chunk *chunk = dl_aligned(sizeof *chunk + capacity);
    if (!chunk) return NULL;
    chunk->next = NULL;
    chunk->capacity = capacity;
    return chunk;
}

/* Makes a chunk with room for `bytes` the current one; chunks too small for it are skipped until the next rewind. Where
 * memory is too short for a chunk that doubles, one just large enough may still do. */
static bool advance(dl_arena *arena, size_t bytes)
{
    dl_arena_chunk **link = arena->current ? &arena->current->next : &arena->first;
    while (*link && (*link)->capacity < bytes) link = &(*link)->next;
    if (!*link) {
        size_t wanted = arena->current ? 2 * arena->current->capacity : FIRST_CHUNK;
        dl_arena_chunk *chunk = new_chunk(bytes > wanted ? bytes : wanted);
        if (!chunk && bytes < wanted) chunk = new_chunk(bytes);
        if (!chunk) return false;
        *link = chunk;
    }
    arena->current = *link;
    arena->used = 0;
    return true;
}

void *dl_arena_alloc(dl_arena *arena, size_t bytes)
{
    if (bytes > PTRDIFF_MAX) return NULL;
    size_t rounded = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    assert(arena->used % ALIGNMENT == 0 && (!arena->current || arena->used <= arena->current->capacity));
    if (!arena->current || arena->current->capacity - arena->used < rounded)
        if (!advance(arena, rounded)) return NULL;
    void *block = arena->current->data + arena->used;
    arena->used += rounded;
    assert(arena->used <= arena->current->capacity);
    return block;
}

void *dl_arena_calloc(dl_arena *arena, size_t bytes)
{
    void *block = dl_arena_alloc(arena, bytes);
    return block ? memset(block, 0, bytes) : NULL;
}

dl_arena_mark dl_arena_position(const dl_arena *arena)
{
    return (dl_arena_mark){arena->current, arena->used};
}

void dl_arena_rewind(dl_arena *arena, dl_arena_mark mark)
{
    assert(!mark.chunk || mark.used <= mark.chunk->capacity);
    arena->current = mark.chunk ? mark.chunk : arena->first;
    arena->used = mark.chunk ? mark.used : 0;
}

void dl_arena_reset(dl_arena *arena)
{
    dl_arena_rewind(arena, (dl_arena_mark){NULL, 0});
}

void dl_arena_free(dl_arena *arena)
{
    for (dl_arena_chunk *chunk = arena->first, *next; chunk; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
    *arena = (dl_arena){0};
}

size_t dl_arena_capacity(const dl_arena *arena)
{
    size_t bytes = 0;
    for (const dl_arena_chunk *chunk = arena->first; chunk; chunk = chunk->next) bytes += chunk->capacity;
    return bytes;
}
