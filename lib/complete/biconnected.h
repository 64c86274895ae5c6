/* Blocks: the biconnected components of the map with at least three cells (lowpoint depth-first search, Hopcroft and
 * Tarjan). Every other edge is a bridge. Agents can be moved round inside a block; past a bridge they go in single
 * file. */
#ifndef DL_COMPLETE_BICONNECTED_H
#define DL_COMPLETE_BICONNECTED_H

#include "base/deadline.h"
#include "base/memory.h"
#include "mapf/grid.h"

typedef struct dl_blocks {
    int count;
    int32_t *first;      /* [count + 1]: block b holds member[first[b]] .. member[first[b + 1] - 1] */
    dl_cell *member;     /* a cut cell is a member of each of its blocks */
    int32_t *edges;      /* [count]: a block with as many edges as cells is a ring */
    int32_t *block_of;   /* [cells]: one block the cell lies in, -1 = none */
    dl_cell *parent;     /* [cells]: in the depth-first forest, DL_NO_CELL at roots */
    int32_t *order;      /* [cells]: number in depth-first order */
    dl_cell *visited;    /* [cells]: the inverse of order */
    int32_t *edge_block; /* [cells]: block of the edge to the parent, -1 = a bridge (or a root) */
    void *memory;        /* of the arrays of cells */
} dl_blocks;

/* False when memory or time (NULL: no limit) is out. */
DL_MUST_CHECK bool dl_blocks_find(const dl_grid *grid, const dl_deadline *deadline, dl_blocks *blocks);
void dl_blocks_free(dl_blocks *blocks);

/* The block of the edge between two neighboring cells, -1 if it is a bridge. */
static inline int dl_blocks_of_edge(const dl_blocks *blocks, dl_cell a, dl_cell b)
{
    return blocks->edge_block[blocks->order[a] > blocks->order[b] ? a : b];
}

static inline int dl_blocks_size(const dl_blocks *blocks, int block)
{
    return blocks->first[block + 1] - blocks->first[block];
}

static inline bool dl_blocks_is_ring(const dl_blocks *blocks, int block)
{
    return blocks->edges[block] == dl_blocks_size(blocks, block);
}

/* The cells of a ring block in order, from `first` over its neighbor `second` (DL_NO_CELL: either way); returns their
 * number, which is the block's size. */
int dl_blocks_follow_ring(const dl_grid *grid, const dl_blocks *blocks, int block, dl_cell first, dl_cell second,
                          dl_cell *ring);

#endif
