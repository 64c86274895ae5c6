#include "support_maps.h"

#include <stdbool.h>

static int count_free(const small_map *m)
{
    return __builtin_popcountll(m->free_cells);
}

static bool is_inside(const small_map *m, int row, int col)
{
    return row >= 0 && row < m->height && col >= 0 && col < m->width;
}

static bool is_free(const small_map *m, int row, int col)
{
    return is_inside(m, row, col) && m->free_cells >> (row * m->width + col) & 1;
}

static int free_neighbors(const small_map *m, int row, int col)
{
    return is_free(m, row - 1, col) + is_free(m, row + 1, col) + is_free(m, row, col - 1) + is_free(m, row, col + 1);
}

static void set_free(small_map *m, int row, int col)
{
    m->free_cells |= (uint64_t)1 << (row * m->width + col);
}

static void pick_free(const small_map *m, dl_rng *rng, int *row, int *col)
{
    uint64_t left = m->free_cells;
    for (uint32_t skip = dl_rng_below(rng, (uint32_t)count_free(m)); skip > 0; skip--) left &= left - 1;
    int square = __builtin_ctzll(left);
    *row = square / m->width;
    *col = square % m->width;
}

/* Cell by cell. The shyer it is of cells with two neighbors, the more corridors it has. */
static void grow(small_map *m, dl_rng *rng, int cells, uint32_t shyness)
{
    uint32_t squares = (uint32_t)(m->height * m->width);
    if (!m->free_cells) m->free_cells = (uint64_t)1 << dl_rng_below(rng, squares);
    for (int count = count_free(m), tries = 0; count < cells; tries++) {
        int square = (int)dl_rng_below(rng, squares), row = square / m->width, col = square % m->width;
        int neighbors = free_neighbors(m, row, col);
        if (is_free(m, row, col) || neighbors == 0) continue;
        if (neighbors > 1 && dl_rng_below(rng, 100) < shyness && tries < 1000) continue; /* where no tree is larger */
        set_free(m, row, col);
        count++;
    }
}

/* A corridor that leaves a free cell and touches nothing; says where it ends. It is shorter where there is no room. */
static void add_corridor(small_map *m, dl_rng *rng, int length, int *row, int *col)
{
    static const int STEP[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    uint32_t d = dl_rng_below(rng, 4);
    for (int i = 0; i < length; i++) {
        if (dl_rng_below(rng, 5) == 0) d = dl_rng_below(rng, 4);
        for (int turn = 0;; turn++) {
            int r = *row + STEP[d][0], c = *col + STEP[d][1];
            if (is_inside(m, r, c) && !is_free(m, r, c) && free_neighbors(m, r, c) == 1) break;
            if (turn == 8) return;
            d = dl_rng_below(rng, 4);
        }
        *row += STEP[d][0];
        *col += STEP[d][1];
        set_free(m, *row, *col);
    }
}

/* A full rectangle or its rim with one corner or edge cell at (row, col), if it touches nothing else. */
static void add_block(small_map *m, dl_rng *rng, int row, int col, int most_cells)
{
    int height = 2 + (int)dl_rng_below(rng, 3), width = 2 + (int)dl_rng_below(rng, dl_rng_below(rng, 2) ? 4 : 2);
    bool rim = dl_rng_below(rng, 3) > 0;
    int shift = (int)dl_rng_below(rng, (uint32_t)width);
    int top = row - (dl_rng_below(rng, 2) ? height - 1 : 0), left = col - shift;
    small_map with = *m;
    for (int r = top; r < top + height; r++)
        for (int c = left; c < left + width; c++) {
            bool is_rim = r == top || r == top + height - 1 || c == left || c == left + width - 1;
            if ((rim && !is_rim) || (r == row && c == col)) continue;
            bool next_to_it =
                (r == row && (c == col - 1 || c == col + 1)) || (c == col && (r == row - 1 || r == row + 1));
            if (!is_inside(m, r, c) || is_free(m, r, c) || free_neighbors(m, r, c) > next_to_it) return;
            set_free(&with, r, c);
        }
    if (count_free(&with) <= most_cells) *m = with;
}

/* Blocks and junctions, joined by corridors. */
static void build(small_map *m, dl_rng *rng, int cells)
{
    int row = (int)dl_rng_below(rng, (uint32_t)m->height), col = (int)dl_rng_below(rng, (uint32_t)m->width);
    set_free(m, row, col);
    if (dl_rng_below(rng, 4)) add_block(m, rng, row, col, cells);
    for (int tries = 0; count_free(m) < cells && tries < 30; tries++) {
        int left = cells - count_free(m);
        int length = (int)dl_rng_below(rng, 3) ? 1 + (int)dl_rng_below(rng, 8) : 1;
        pick_free(m, rng, &row, &col);
        add_corridor(m, rng, length < left ? length : left, &row, &col);
        if (dl_rng_below(rng, 2)) add_block(m, rng, row, col, cells);
    }
}

small_map small_map_draw(dl_rng *rng, int most_cells)
{
    static const struct {
        int height, width;
    } FRAME[] = {{4, 5}, {4, 7}, {5, 6}, {3, 10}, {2, 15}, {6, 8}, {8, 8}, {5, 12}, {4, 16}, {3, 20}};
    enum { FRAMES = sizeof FRAME / sizeof FRAME[0], NARROW = 5 };
    uint32_t sizes = (uint32_t)(most_cells - SMALL_MAP_LEAST_CELLS + 1);
    uint32_t one = dl_rng_below(rng, sizes), two = dl_rng_below(rng, sizes); /* all small maps are tried elsewhere */
    int cells = SMALL_MAP_LEAST_CELLS + (int)(one > two ? one : two);
    bool built = dl_rng_below(rng, 3) > 0;
    uint32_t frame = dl_rng_below(rng, built ? FRAMES : NARROW);
    small_map m = {.height = FRAME[frame].height, .width = FRAME[frame].width};
    if (built) build(&m, rng, cells);
    grow(&m, rng, built && count_free(&m) >= SMALL_MAP_LEAST_CELLS ? 0 : cells, dl_rng_below(rng, 101));
    return m;
}
