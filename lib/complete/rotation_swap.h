/* Exchanging two neighbors by rotations alone, whether cells are free or not: everything else ends where it began.
 *
 * In a block that is not a ring: where three paths join two cells u and v (a theta), rotate the ring of the first and
 * second path, then that of the second and third, then that of the first and third backward: v and the last cell of
 * the first path have exchanged what stands on them. An edge elsewhere is first brought there by turning a ring.
 *
 * In a ring a of k cells that shares a cell with another ring b: k - 2 times b, a, b back, a back twice, then a back
 * once more exchanges the two cells of a before the shared one (commutators are 3-cycles, and all but one transposition
 * of a's turn is made of 3-cycles).
 *
 * So under MAPF rules neighbors can always be exchanged where blocks are more than a lone ring; docs/guarantee.md. */
#ifndef DL_COMPLETE_ROTATION_SWAP_H
#define DL_COMPLETE_ROTATION_SWAP_H

#include "base/arena.h"
#include "complete/biconnected.h"
#include "complete/pebbles.h"

typedef struct dl_cycle {
    dl_cell *cell; /* each moves on to the next, the last to the first */
    int length;
} dl_cycle;

/* Rotations to make one after the other. */
typedef struct dl_rotation_swap {
    dl_cycle *ring;
    int rings;
    int cost; /* moves if every cell is full */
} dl_rotation_swap;

/* Works the rotations out edge by edge, on demand. */
typedef struct dl_rotation_swaps {
    const dl_grid *grid;
    const dl_blocks *blocks;
    dl_arena arena;
    dl_rotation_swap **known; /* [cells * DL_DIRECTIONS], by cell and direction; NULL = not worked out yet */
    int32_t *mark, *target, now;
    dl_cell *from, *queue;
    bool exhausted; /* some rotations could not be worked out for want of memory */
} dl_rotation_swaps;

/* False when memory is out. */
DL_MUST_CHECK bool dl_rotation_swaps_create(dl_rotation_swaps *s, const dl_grid *grid, const dl_blocks *blocks);
void dl_rotation_swaps_free(dl_rotation_swaps *s);

/* How to exchange what stands on two neighboring cells; NULL if rotations alone do not, or memory is
 * out (`exhausted`). */
const dl_rotation_swap *dl_rotation_swap_find(dl_rotation_swaps *s, dl_cell a, dl_cell b);
void dl_rotation_swap_apply(const dl_rotation_swap *swap, dl_pebbles *p);

#endif
