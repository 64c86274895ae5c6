/* Exchanging two neighbors by rotations. Where three paths join two cells u and v (a theta), rotate the ring of the
 * first and second path, then that of the second and third, then that of the first and third backwards: v and the last
 * cell of the first path have exchanged what stands on them, and everything else is as before, whether cells are free
 * or not. In a block that is not a ring every edge can be brought to such a place by turning a ring first, so under MAPF
 * rules neighbors there can always be exchanged. */
#ifndef DL_SEARCH_THETA_H
#define DL_SEARCH_THETA_H

#include "base/arena.h"
#include "search/blocks.h"
#include "search/pebbles.h"

typedef struct dl_theta {
    int length[3];
    dl_cell *ring[3]; /* to rotate one after the other */
    int cost;         /* cells moved if all were full */
} dl_theta;

typedef struct dl_thetas {
    const dl_grid *grid;
    const dl_blocks *blocks;
    dl_arena arena;
    dl_theta **known; /* [cells * DL_DIRECTIONS]: of the edge from v in that direction; NULL = not worked out yet */
    int32_t *mark, *target;
    int32_t now;
    dl_cell *from, *queue;
} dl_thetas;

void dl_thetas_create(dl_thetas *t, const dl_grid *grid, const dl_blocks *blocks);
void dl_thetas_free(dl_thetas *t);

/* How to exchange what stands on the neighboring cells a and b. */
typedef struct dl_rotation_swap {
    const dl_theta *theta;  /* NULL = the edge lies in no block, or in a ring */
    const dl_cell *turn;    /* the ring to turn first, `turns` times, and back afterwards */
    int turn_length, turns;
    int cost;
} dl_rotation_swap;

dl_rotation_swap dl_thetas_for_edge(dl_thetas *t, dl_cell a, dl_cell b);
void dl_rotation_swap_apply(const dl_rotation_swap *swap, dl_pebbles *p);

#endif
