/* Tokens: what the diffusion works on, the paper's five actions. A plan becomes tokens by encoding, tokens become a
 * path by legal rollout. */
#ifndef DL_DIFFUSION_TOKENS_H
#define DL_DIFFUSION_TOKENS_H

#include "mapf/grid.h"

/* Where a token leads from `cell`; DL_NO_CELL off the map or into an obstacle. */
static inline dl_cell dl_token_target(const dl_grid *grid, dl_cell cell, int token)
{
    return token == DL_STAY ? cell : grid->neighbor[cell][token - 1];
}

/* cells[0..horizon] from the tokens; illegal moves become waits. */
void dl_tokens_rollout(const dl_grid *grid, dl_cell start, const uint8_t *token, int horizon, dl_cell *cells);
/* Tokens of a path of legal steps, cells[0..horizon]. */
void dl_tokens_encode(const dl_grid *grid, const dl_cell *cells, int horizon, uint8_t *token);
/* The action between two cells that are equal or adjacent. */
int dl_action_between(const dl_grid *grid, dl_cell from, dl_cell to);

#endif
