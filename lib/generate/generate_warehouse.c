/* Warehouses: shelves in rows and columns with gaps between them, free strips all around. The map is the same for every
 * seed; only starts and goals are drawn. */
#include <string.h>

#include "generate/generate_map.h"

int dl_warehouse_height(const dl_generate_params *params)
{
    return params->shelf_rows * (params->shelf_height + params->row_gap) - params->row_gap + 2 * params->end_strip;
}

int dl_warehouse_width(const dl_generate_params *params)
{
    return params->shelf_columns * (params->shelf_width + params->column_gap) - params->column_gap +
           2 * params->side_strip;
}

static dl_status check(const dl_generate_params *params, dl_error *err)
{
    (void)params, (void)err;
    return DIFFLNS_OK;
}

static int most_free_cells(const dl_generate_params *params)
{
    int shelves = params->shelf_rows * params->shelf_columns;
    return params->height * params->width - shelves * params->shelf_height * params->shelf_width;
}

static bool draw(const dl_generate_params *params, dl_rng *rng, dl_arena *arena, uint8_t *blocked)
{
    (void)rng, (void)arena;
    for (int line = 0; line < params->shelf_rows * params->shelf_height; line++)
        for (int column = 0; column < params->shelf_columns; column++) {
            int row = params->end_strip + line + line / params->shelf_height * params->row_gap;
            int col = params->side_strip + column * (params->shelf_width + params->column_gap);
            memset(&blocked[row * params->width + col], 1, (size_t)params->shelf_width);
        }
    return true;
}

const dl_map_maker DL_WAREHOUSE_MAPS = {check, most_free_cells, draw};
