/* Tokens: what the diffusion works on. Absolute ones are the paper's five actions; relative ones say how a move relates
 * to the goal: wait, advance (first or second of the moves that shorten the way, in the order of directions), step back
 * (first to third of the moves that do not). A plan becomes tokens by encoding, tokens become a path by legal rollout.
 */
#ifndef DL_DIFFUSION_TOKENS_H
#define DL_DIFFUSION_TOKENS_H

#include "diffusion/config.h"
#include "mapf/field.h"

enum { DL_WAIT, DL_ADVANCE_1, DL_ADVANCE_2, DL_BACK_1, DL_BACK_2, DL_BACK_3 };

/* The relative token of each action on `cell`; moves into obstacles read as waits. */
void dl_relative_tokens(const dl_grid *grid, const dl_field *distance, dl_cell cell, uint8_t token[DL_ACTIONS]);

/* Where a token leads from `cell`: off the map or into an obstacle is DL_NO_CELL for absolute tokens; a relative token
 * whose choice does not exist means the next better one, in the end a wait. */
dl_cell dl_token_target(const dl_grid *grid, const dl_field *distance, dl_cell cell, int kind, int token);

/* cells[0..horizon] from the tokens; illegal moves become waits. */
void dl_tokens_rollout(const dl_grid *grid, const dl_field *distance, dl_cell start, int kind, const uint8_t *token,
                       int horizon, dl_cell *cells);
/* Tokens of a path of legal steps, cells[0..horizon]. */
void dl_tokens_encode(const dl_grid *grid, const dl_field *distance, int kind, const dl_cell *cells, int horizon,
                      uint8_t *token);
/* The action between two cells that are equal or adjacent. */
int dl_action_between(const dl_grid *grid, dl_cell from, dl_cell to);

#endif
