#include "fleet/lanes.h"

#include <assert.h>

#include "complete/biconnected.h"

dl_edge_costs *dl_lanes_lay(const dl_grid *grid, const dl_lanes *lanes)
{
    assert(lanes->rows >= 0 && lanes->cols >= 0 && lanes->extra >= 0 && lanes->extra <= DL_COST_MOST);
    dl_blocks blocks;
    dl_edge_costs *costs = dl_edge_costs_create(grid);
    if (!dl_blocks_find(grid, NULL, &blocks)) {
        dl_edge_costs_free(costs);
        costs = NULL;
    }
    for (dl_cell cell = 0; costs && cell < grid->cells; cell++) {
        difflns_cell at = dl_grid_position(grid, cell);
        for (int d = 0; d < DL_DIRECTIONS; d++) {
            dl_cell to = grid->neighbor[cell][d];
            if (to == DL_NO_CELL || dl_blocks_of_edge(&blocks, cell, to) < 0) continue;
            int vertical = d < 2, period = vertical ? lanes->cols : lanes->rows;
            if (period == 0) continue;
            int way = (vertical ? at.col : at.row) / period % 2; /* 0: right, down */
            if ((d & 1) == way) costs->extra[cell][d] = (uint8_t)lanes->extra;
        }
    }
    dl_blocks_free(&blocks);
    return costs;
}
