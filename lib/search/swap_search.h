/* The last resort of swap under MAPF rules: breadth-first search over where the pair and the free cells are in a small
 * neighborhood, all other agents being alike, until an exchange is possible on the spot; then the exchange, then the
 * way back. It finds the exchanges that need rotations and free cells together: rings with a tail, two rings that lie
 * close.
 */
#ifndef DL_SEARCH_SWAP_SEARCH_H
#define DL_SEARCH_SWAP_SEARCH_H

#include "search/rotation_swap.h"

typedef struct dl_swap_search dl_swap_search;

dl_swap_search *dl_swap_search_create(const dl_grid *grid, dl_rotation_swaps *rotations);
void dl_swap_search_free(dl_swap_search *search);

/* Exchanges the agents on x and y, everything else restored; false (and nothing changed) if no way was found. */
bool dl_swap_search_run(dl_swap_search *search, dl_pebbles *p, dl_cell x, dl_cell y);

#endif
