/* Agents that wander over a small map by legal moves, single moves and turns of full rings, and come back to the cells
 * they left, whichever agents are there then. */
#ifndef DL_TESTS_EXCHANGE_WALKER_H
#define DL_TESTS_EXCHANGE_WALKER_H

#include "base/rng.h"
#include "support_worlds.h"

typedef struct walker {
    const world *world;
    bool rings_turn; /* MAPF rules */
    uint32_t all, adjacent[WORLD_MAX_CELLS];
    uint32_t home, occupied;       /* sets of cells */
    uint8_t who[WORLD_MAX_CELLS];  /* by occupied cell: its agent; agents are numbered by their home cells */
    uint8_t host[WORLD_MAX_CELLS]; /* by home cell: the agent that began there */
} walker;

void walker_create(walker *k, const world *w, dl_rules rules);
/* Everybody stands on the cells of `home`. */
void walker_begin(walker *k, uint32_t home);
/* Free cells are gathered somewhere, agents walk through them, rings turn: `rounds` times. */
void walker_wander(walker *k, dl_rng *rng, int rounds);
/* Until the cells of `home` are the occupied ones again. */
void walker_return(walker *k, dl_rng *rng);
/* Agent -> cell. */
world_permutation walker_arrangement(const walker *k);
/* When all are on cells of `home`: agent -> the agent whose home it stands on. */
world_permutation walker_permutation(const walker *k);

#endif
