/* Bitboards: a set of cells is a row of 256-bit vectors, one bit a cell. A cell's bit is row * step + col with
 * step = width + 1: after each row lies one bit that is never free, so a move is a shift by 1 or by `step` and cannot
 * wrap into a free cell. Above the first and below the last row bits fall off the board or onto padding, which is not
 * free either. Whatever is computed on boards therefore ends with an AND with `free`.
 *
 * Vectors are vectors of the compiler: AVX2 registers where the machine has them, pairs or quads of smaller ones where
 * it has not. */
#ifndef DL_ENGINE_BOARDS_BOARD_H
#define DL_ENGINE_BOARDS_BOARD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"
#include "mapf/grid.h"

typedef uint64_t dl_vector __attribute__((vector_size(32), may_alias));
/* The same where the address is only that of a word. */
typedef uint64_t dl_loose_vector __attribute__((vector_size(32), aligned(8), may_alias));

enum { DL_VECTOR_WORDS = 4, DL_VECTOR_BITS = 256 };

typedef struct dl_board_layout {
    const dl_grid *grid;       /* not owned */
    int step;                  /* bits from a cell to the one below */
    int vectors;               /* of a board; code is specialized for these counts up to DL_NARROW_VECTORS */
    bool narrow;               /* rows of less than a word and few vectors: shifted inside registers */
    int guard;                 /* zero vectors that must lie before and after a board that is shifted */
    int offset[DL_DIRECTIONS]; /* bits from a cell to its neighbor */
    int32_t *bit_of;           /* [cells] */
    dl_cell *cell_of;          /* [vectors * 256], DL_NO_CELL where nothing is free */
    dl_vector *free;           /* [vectors]: the free cells */
} dl_board_layout;

enum { DL_NARROW_VECTORS = 16 };

/* `grid` must outlive the layout. NULL when memory is out. */
DL_MUST_CHECK dl_board_layout *dl_board_layout_create(const dl_grid *grid);
void dl_board_layout_free(dl_board_layout *layout);
/* The bits a board of this grid needs: to judge whether boards suit it at all. */
int64_t dl_board_bits(const dl_grid *grid);

static inline bool dl_board_test(const dl_vector *board, int bit)
{
    return (((const uint64_t *)board)[bit >> 6] >> (bit & 63)) & 1;
}

static inline void dl_board_set(dl_vector *board, int bit)
{
    ((uint64_t *)board)[bit >> 6] |= UINT64_C(1) << (bit & 63);
}

static inline void dl_board_clear(dl_vector *board, int bit)
{
    ((uint64_t *)board)[bit >> 6] &= ~(UINT64_C(1) << (bit & 63));
}

/* Vector k of a board moved one cell in each direction. Bits on walls are the caller's to mask. */
typedef struct dl_ring {
    dl_vector way[DL_DIRECTIONS];
} dl_ring;

static inline dl_ring dl_ring_narrow(const dl_vector *board, int k, int step)
{
    dl_vector here = board[k];
    dl_vector below = __builtin_shufflevector(board[k - 1], here, 3, 4, 5, 6); /* the words one place lower */
    dl_vector above = __builtin_shufflevector(here, board[k + 1], 1, 2, 3, 4); /* and higher */
    return (dl_ring){{here >> step | above << (64 - step), here << step | below >> (64 - step), here >> 1 | above << 63,
                      here << 1 | below >> 63}};
}

static inline dl_ring dl_ring_wide(const dl_vector *board, int k, int step)
{
    const uint64_t *word = (const uint64_t *)(board + k);
    int words = step / 64, bits = step % 64;
#define WORDS(offset) (*(const dl_loose_vector *)(word + (offset)))
    dl_ring ring = {{WORDS(words) >> bits | WORDS(words + 1) << 1 << (63 - bits),
                     WORDS(-words) << bits | WORDS(-words - 1) >> 1 >> (63 - bits), WORDS(0) >> 1 | WORDS(1) << 63,
                     WORDS(0) << 1 | WORDS(-1) >> 63}};
#undef WORDS
    return ring;
}

#endif
