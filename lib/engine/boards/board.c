#include "engine/boards/board.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

int64_t dl_board_bits(const dl_grid *grid)
{
    return (int64_t)grid->height * (grid->width + 1);
}

/* The next count of vectors that code is specialized for. */
static int round_vectors(int vectors)
{
    static const int COUNT[] = {1, 2, 3, 4, 5, 6, 8, 10, 12, DL_NARROW_VECTORS};
    for (size_t i = 0; i < sizeof COUNT / sizeof COUNT[0]; i++)
        if (vectors <= COUNT[i]) return COUNT[i];
    return vectors;
}

dl_board_layout *dl_board_layout_create(const dl_grid *grid)
{
    dl_board_layout *layout = DL_NEW(dl_board_layout);
    if (!layout) return NULL;
    layout->grid = grid;
    layout->step = grid->width + 1;
    layout->vectors = (int)((dl_board_bits(grid) + DL_VECTOR_BITS - 1) / DL_VECTOR_BITS);
    layout->narrow = layout->step < 64 && layout->vectors <= DL_NARROW_VECTORS;
    if (layout->narrow) layout->vectors = round_vectors(layout->vectors);
    /* A shift by a row reads `step` bits beyond the board, in whole words and one more. */
    layout->guard = (layout->step / 64 + 1 + DL_VECTOR_WORDS - 1) / DL_VECTOR_WORDS;
    const int offset[DL_DIRECTIONS] = {-layout->step, layout->step, -1, 1};
    memcpy(layout->offset, offset, sizeof offset);
    layout->bit_of = DL_ARRAY(int32_t, grid->cells);
    layout->cell_of = DL_ARRAY(dl_cell, layout->vectors * DL_VECTOR_BITS);
    size_t bytes = sizeof(dl_vector) * (size_t)layout->vectors;
    layout->free = dl_aligned(bytes);
    if (!layout->bit_of || !layout->cell_of || !layout->free) {
        dl_board_layout_free(layout);
        return NULL;
    }
    memset(layout->free, 0, bytes);
    for (int bit = 0; bit < layout->vectors * DL_VECTOR_BITS; bit++) layout->cell_of[bit] = DL_NO_CELL;
    for (dl_cell cell = 0; cell < grid->cells; cell++) {
        int bit = grid->where[cell] / grid->width * layout->step + grid->where[cell] % grid->width;
        assert(bit < layout->vectors * DL_VECTOR_BITS && layout->cell_of[bit] == DL_NO_CELL);
        layout->bit_of[cell] = bit;
        layout->cell_of[bit] = cell;
        dl_board_set(layout->free, bit);
    }
    return layout;
}

void dl_board_layout_free(dl_board_layout *layout)
{
    if (!layout) return;
    free(layout->bit_of);
    free(layout->cell_of);
    free(layout->free);
    free(layout);
}
