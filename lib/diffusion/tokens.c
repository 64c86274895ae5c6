#include "diffusion/tokens.h"

void dl_relative_tokens(const dl_grid *grid, const dl_field *distance, dl_cell cell, uint8_t token[DL_ACTIONS])
{
    int advances = 0, backs = 0;
    token[DL_STAY] = DL_WAIT;
    for (int d = 0; d < DL_DIRECTIONS; d++) {
        dl_cell next = grid->neighbor[cell][d];
        if (next == DL_NO_CELL)
            token[d + 1] = DL_WAIT;
        else if (dl_field_at(distance, next) < dl_field_at(distance, cell))
            token[d + 1] = (uint8_t)(advances++ == 0 ? DL_ADVANCE_1 : DL_ADVANCE_2);
        else
            token[d + 1] = (uint8_t)(DL_BACK_1 + (backs < 2 ? backs : 2)), backs++;
    }
}

/* The ranked move: `rank` counts from 0 among those that advance (or do not); a missing one is the last there is. */
static dl_cell ranked(const dl_grid *grid, const dl_field *distance, dl_cell cell, bool advance, int rank)
{
    dl_cell found = cell;
    for (int d = 0; d < DL_DIRECTIONS && rank >= 0; d++) {
        dl_cell next = grid->neighbor[cell][d];
        if (next == DL_NO_CELL || (dl_field_at(distance, next) < dl_field_at(distance, cell)) != advance) continue;
        found = next;
        rank--;
    }
    return found;
}

dl_cell dl_token_target(const dl_grid *grid, const dl_field *distance, dl_cell cell, int kind, int token)
{
    if (token == DL_STAY) return cell; /* DL_WAIT is the same number */
    if (kind == DL_TOKENS_ABSOLUTE) return grid->neighbor[cell][token - 1];
    return token < DL_BACK_1 ? ranked(grid, distance, cell, true, token - DL_ADVANCE_1)
                             : ranked(grid, distance, cell, false, token - DL_BACK_1);
}

void dl_tokens_rollout(const dl_grid *grid, const dl_field *distance, dl_cell start, int kind, const uint8_t *token,
                       int horizon, dl_cell *cells)
{
    cells[0] = start;
    for (int t = 0; t < horizon; t++) {
        dl_cell next = dl_token_target(grid, distance, cells[t], kind, token[t]);
        cells[t + 1] = next == DL_NO_CELL ? cells[t] : next;
    }
}

int dl_action_between(const dl_grid *grid, dl_cell from, dl_cell to)
{
    for (int d = 0; d < DL_DIRECTIONS; d++)
        if (to != from && grid->neighbor[from][d] == to) return d + 1;
    return DL_STAY;
}

void dl_tokens_encode(const dl_grid *grid, const dl_field *distance, int kind, const dl_cell *cells, int horizon,
                      uint8_t *token)
{
    for (int t = 0; t < horizon; t++) {
        int action = dl_action_between(grid, cells[t], cells[t + 1]);
        uint8_t relative[DL_ACTIONS];
        if (kind == DL_TOKENS_RELATIVE && action != DL_STAY) {
            dl_relative_tokens(grid, distance, cells[t], relative);
            token[t] = relative[action];
        } else
            token[t] = (uint8_t)action;
    }
}
