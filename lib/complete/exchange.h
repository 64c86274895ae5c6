/* Who can change places with whom. For one set of occupied cells the permutations of the agents that some sequence of
 * moves achieves while every cell ends as full or empty as it began form a group: a product over classes of cells, on
 * each of which all permutations, the even ones or the turns of a ring can be reached. This is Wilson's and Kornhauser,
 * Miller and Spirakis's theory of pebble motion and its extension to rotations. That the classes are never too small is
 * proved in docs/guarantee.md, so "unsolvable" is; that they are never too large is checked there, and the solver that
 * constructs plans is what a "solvable" rests on. */
#ifndef DL_COMPLETE_EXCHANGE_H
#define DL_COMPLETE_EXCHANGE_H

#include "complete/biconnected.h"
#include "complete/rules.h"

typedef enum dl_exchange_kind {
    DL_EXCHANGE_ALL,  /* every permutation of the agents on the class */
    DL_EXCHANGE_EVEN, /* every even permutation (the fifteen puzzle) */
    DL_EXCHANGE_TURN  /* only turns: the cyclic order stays */
} dl_exchange_kind;

typedef struct dl_exchange {
    int classes;
    uint8_t *kind;     /* [classes], a dl_exchange_kind */
    int32_t *class_of; /* [cells]: -1 = empty, or an agent that can change places with nobody */
    dl_cell *next;     /* [cells]: the next occupied cell of the ring, in classes that turn */
    int32_t *blanks;   /* [components]: free cells */
    void *memory;      /* of all of them */
} dl_exchange;

/* The shapes of a component that are treated apart. */
typedef enum dl_shape { DL_SHAPE_PATH, DL_SHAPE_RING, DL_SHAPE_BRANCHING } dl_shape;

/* `shape` [components]. False when memory is out. */
DL_MUST_CHECK bool dl_shape_find(const dl_grid *grid, uint8_t *shape);

/* `occupied` [cells]. False when memory or time (NULL: no limit) is out. */
DL_MUST_CHECK bool dl_exchange_find(const dl_grid *grid, const dl_blocks *blocks, const uint8_t *occupied,
                                    dl_rules rules, const dl_deadline *deadline, dl_exchange *x);
void dl_exchange_free(dl_exchange *x);

#endif
