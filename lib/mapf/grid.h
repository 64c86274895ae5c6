/* The map: a 4-connected grid. Free cells are numbered 0..cells-1 in row-major order; everything that searches works on
 * these numbers, coordinates appear only at the edges. Immutable once made. */
#ifndef DL_MAPF_GRID_H
#define DL_MAPF_GRID_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

typedef int32_t dl_cell; /* number of a free cell */
enum { DL_NO_CELL = -1 };

/* The paper's action order. Directions are the actions without STAY: direction d is action d + 1, d ^ 1 its opposite.
 */
enum { DL_STAY, DL_UP, DL_DOWN, DL_LEFT, DL_RIGHT, DL_ACTIONS, DL_DIRECTIONS = 4 };

/* Larger maps are refused: no benchmark of the field is larger, and every size computation below stays in range. */
enum { DL_MAX_SIDE = 4096 };

typedef struct dl_grid {
    int height, width;
    int cells;                          /* number of free cells */
    uint8_t *blocked;                   /* [height*width], 1 = obstacle */
    dl_cell *cell_at;                   /* [height*width], DL_NO_CELL on obstacles */
    int32_t *where;                     /* [cells], row*width + col */
    dl_cell (*neighbor)[DL_DIRECTIONS]; /* [cells], by direction; DL_NO_CELL where blocked */
    int components;                     /* connected components, numbered by their first cell */
    int32_t *component;                 /* [cells] */
    int32_t *component_size;            /* [components] */
    void *memory;                       /* of all arrays */
} dl_grid;

/* Copies `blocked` (row by row, non-zero = obstacle). */
dl_status dl_grid_create(int height, int width, const uint8_t *blocked, dl_grid **out, dl_error *err);
void dl_grid_free(dl_grid *grid);

static inline bool dl_grid_inside(const dl_grid *grid, int row, int col)
{
    return row >= 0 && row < grid->height && col >= 0 && col < grid->width;
}

/* The free cell at (row, col), DL_NO_CELL outside the map and on obstacles. */
static inline dl_cell dl_grid_cell(const dl_grid *grid, int row, int col)
{
    return dl_grid_inside(grid, row, col) ? grid->cell_at[row * grid->width + col] : DL_NO_CELL;
}

static inline difflns_cell dl_grid_position(const dl_grid *grid, dl_cell cell)
{
    return (difflns_cell){grid->where[cell] / grid->width, grid->where[cell] % grid->width};
}

static inline int dl_grid_degree(const dl_grid *grid, dl_cell cell)
{
    const dl_cell *n = grid->neighbor[cell];
    return (n[0] >= 0) + (n[1] >= 0) + (n[2] >= 0) + (n[3] >= 0);
}

/* The largest component, the first of equals; -1 on a map without free cells. */
int dl_grid_largest_component(const dl_grid *grid);

#endif
