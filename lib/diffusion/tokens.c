#include "diffusion/tokens.h"

#include <assert.h>

void dl_tokens_rollout(const dl_grid *grid, dl_cell start, const uint8_t *token, int horizon, dl_cell *cells)
{
    cells[0] = start;
    for (int t = 0; t < horizon; t++) {
        assert(token[t] < DL_ACTIONS);
        dl_cell next = dl_token_target(grid, cells[t], token[t]);
        cells[t + 1] = next == DL_NO_CELL ? cells[t] : next;
    }
}

int dl_action_between(const dl_grid *grid, dl_cell from, dl_cell to)
{
    if (to == from) return DL_STAY;
    for (int d = 0; d < DL_DIRECTIONS; d++)
        if (grid->neighbor[from][d] == to) return d + 1;
    assert(false && "a legal step");
    return DL_STAY;
}

void dl_tokens_encode(const dl_grid *grid, const dl_cell *cells, int horizon, uint8_t *token)
{
    for (int t = 0; t < horizon; t++) token[t] = (uint8_t)dl_action_between(grid, cells[t], cells[t + 1]);
}
