#include "mapf/grid.h"

#include <assert.h>
#include <stdlib.h>

#include "base/block.h"
#include "base/memory.h"

static const int ROW_STEP[DL_DIRECTIONS] = {-1, 1, 0, 0};
static const int COL_STEP[DL_DIRECTIONS] = {0, 0, -1, 1};

static bool number_cells(dl_grid *grid, const uint8_t *blocked)
{
    int area = grid->height * grid->width;
    for (int i = 0; i < area; i++) grid->cells += blocked[i] == 0;
    int cells = grid->cells;
    if (!DL_BLOCK(grid->memory, DL_CUT(grid->blocked, area), DL_CUT(grid->cell_at, area), DL_CUT(grid->where, cells),
                  DL_CUT(grid->neighbor, cells), DL_CUT(grid->component, cells), DL_CUT(grid->component_size, cells)))
        return false;
    for (int i = 0, cell = 0; i < area; i++) {
        grid->blocked[i] = blocked[i] != 0;
        grid->cell_at[i] = blocked[i] ? DL_NO_CELL : cell++;
        if (!blocked[i]) grid->where[grid->cell_at[i]] = i;
    }
    return true;
}

static void link_neighbors(dl_grid *grid)
{
    for (dl_cell cell = 0; cell < grid->cells; cell++) {
        difflns_cell at = dl_grid_position(grid, cell);
        for (int d = 0; d < DL_DIRECTIONS; d++)
            grid->neighbor[cell][d] = dl_grid_cell(grid, at.row + ROW_STEP[d], at.col + COL_STEP[d]);
    }
}

static bool find_components(dl_grid *grid)
{
    dl_cell *queue = DL_ARRAY(dl_cell, grid->cells);
    if (!queue) return false;
    for (dl_cell cell = 0; cell < grid->cells; cell++) grid->component[cell] = -1;
    for (dl_cell seed = 0; seed < grid->cells; seed++) {
        if (grid->component[seed] >= 0) continue;
        int id = grid->components++, tail = 0;
        grid->component[seed] = id;
        queue[tail++] = seed;
        for (int head = 0; head < tail; head++)
            for (int d = 0; d < DL_DIRECTIONS; d++) {
                dl_cell next = grid->neighbor[queue[head]][d];
                if (next == DL_NO_CELL || grid->component[next] >= 0) continue;
                grid->component[next] = id;
                queue[tail++] = next;
            }
        assert(tail > 0 && tail <= grid->cells);
        grid->component_size[id] = tail;
    }
    free(queue);
    return true;
}

dl_status dl_grid_create(int height, int width, const uint8_t *blocked, dl_grid **out, dl_error *err)
{
    *out = NULL;
    if (height < 1 || height > DL_MAX_SIDE || width < 1 || width > DL_MAX_SIDE)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "map of %d x %d cells: expected sides from 1 to %d", height, width,
                       DL_MAX_SIDE);
    dl_grid *grid = DL_NEW(dl_grid);
    if (!grid) return dl_out_of_memory(err);
    grid->height = height;
    grid->width = width;
    bool whole = number_cells(grid, blocked);
    if (whole) {
        link_neighbors(grid);
        whole = find_components(grid);
    }
    if (!whole) {
        dl_grid_free(grid);
        return dl_out_of_memory(err);
    }
    *out = grid;
    return DIFFLNS_OK;
}

void dl_grid_free(dl_grid *grid)
{
    if (!grid) return;
    free(grid->memory);
    free(grid);
}

int dl_grid_largest_component(const dl_grid *grid)
{
    int best = -1;
    for (int id = 0; id < grid->components; id++)
        if (best < 0 || grid->component_size[id] > grid->component_size[best]) best = id;
    return best;
}
