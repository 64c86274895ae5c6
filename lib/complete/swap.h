/* swap: exchanges two neighboring agents and leaves everything else as it was. Under pebble rules the pair is pushed to
 * a junction with two free branches, exchanged there, and all moves before are played backward; under MAPF rules
 * rotations do it on the spot wherever a block allows, and a block that is a lone ring, or that the pair must be pushed
 * into first, takes one free cell. */
#ifndef DL_COMPLETE_SWAP_H
#define DL_COMPLETE_SWAP_H

#include "complete/rotation_swap.h"
#include "complete/rules.h"

typedef struct dl_swapper {
    dl_pebbles *pebbles;
    dl_rotation_swaps *rotations;
    dl_rules rules;
    dl_cell *parent, *queue; /* a breadth-first tree from the pair; the queue has room for a path after it */
    dl_cell *ring;           /* scratch */
    void *memory;            /* of the arrays */
    uint32_t *stamp, now;
    const dl_deadline *deadline; /* of the swap at hand; NULL = none */
    int attempts, tried;         /* made for it so far, and those known to fail */
    bool late;
} dl_swapper;

/* False when memory is out. */
DL_MUST_CHECK bool dl_swapper_create(dl_swapper *s, dl_pebbles *pebbles, dl_rotation_swaps *rotations, dl_rules rules);
void dl_swapper_free(dl_swapper *s);

/* Exchanges the agents on the neighboring cells x and y; false (and nothing changed) if no way was found. */
bool dl_swap(dl_swapper *s, dl_cell x, dl_cell y);
/* The same in slices: false and s->late when time is out after a try. Called again, with everybody where they were, it
 * goes on after the *tried tries that failed; 0 at first. */
bool dl_swap_within(dl_swapper *s, dl_cell x, dl_cell y, const dl_deadline *deadline, int *tried);
/* True if that takes three rotations round a few cells. */
bool dl_swap_is_cheap(dl_swapper *s, dl_cell x, dl_cell y);

#endif
