#include "support.h"

#include "base/memory.h"

static void free_cells_are_numbered_row_by_row(void **state)
{
    (void)state;
    dl_grid *grid = test_grid(".@./.../@@.");
    assert_int_equal(grid->height, 3);
    assert_int_equal(grid->width, 3);
    assert_int_equal(grid->cells, 6);
    static const int WHERE[6] = {0, 2, 3, 4, 5, 8};
    for (int i = 0; i < 6; i++) {
        assert_int_equal(grid->where[i], WHERE[i]);
        assert_int_equal(grid->cell_at[WHERE[i]], i);
        difflns_cell at = dl_grid_position(grid, i);
        assert_int_equal(dl_grid_cell(grid, at.row, at.col), i);
    }
    assert_int_equal(dl_grid_cell(grid, 0, 1), DL_NO_CELL);
    assert_int_equal(dl_grid_cell(grid, -1, 0), DL_NO_CELL);
    assert_int_equal(dl_grid_cell(grid, 0, 3), DL_NO_CELL);
    assert_int_equal(dl_grid_cell(grid, 3, 0), DL_NO_CELL);
    dl_grid_free(grid);
}

static void directions_follow_the_order_of_the_actions(void **state)
{
    (void)state;
    dl_grid *grid = test_grid(".../.../...");
    dl_cell middle = dl_grid_cell(grid, 1, 1);
    assert_int_equal(grid->neighbor[middle][DL_UP - 1], dl_grid_cell(grid, 0, 1));
    assert_int_equal(grid->neighbor[middle][DL_DOWN - 1], dl_grid_cell(grid, 2, 1));
    assert_int_equal(grid->neighbor[middle][DL_LEFT - 1], dl_grid_cell(grid, 1, 0));
    assert_int_equal(grid->neighbor[middle][DL_RIGHT - 1], dl_grid_cell(grid, 1, 2));
    assert_int_equal(dl_grid_degree(grid, middle), 4);
    assert_int_equal(dl_grid_degree(grid, 0), 2);
    dl_grid_free(grid);
}

/* Components by repeated relabelling, to compare with. */
static void label_slowly(const dl_grid *grid, int *label)
{
    for (int i = 0; i < grid->cells; i++) label[i] = i;
    for (bool changed = true; changed;) {
        changed = false;
        for (int a = 0; a < grid->cells; a++)
            for (int b = 0; b < grid->cells; b++) {
                difflns_cell p = dl_grid_position(grid, a), q = dl_grid_position(grid, b);
                if (abs(p.row - q.row) + abs(p.col - q.col) != 1 || label[b] <= label[a]) continue;
                label[b] = label[a];
                changed = true;
            }
    }
}

static void random_grids_are_consistent(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('g', 'r', 'i', 'd'), 0);
        int height = 1 + (int)dl_rng_below(&rng, 8), width = 1 + (int)dl_rng_below(&rng, 8);
        uint8_t blocked[64];
        for (int i = 0; i < height * width; i++) blocked[i] = dl_rng_below(&rng, 10) < 4 ? (uint8_t)(1 + i) : 0;
        dl_grid *grid;
        dl_error err;
        assert_int_equal(dl_grid_create(height, width, blocked, &grid, &err), DIFFLNS_OK);
        for (int i = 0; i < height * width; i++) assert_int_equal(grid->blocked[i], blocked[i] != 0);
        int label[64], sizes = 0, seen = 0;
        label_slowly(grid, label);
        for (dl_cell a = 0; a < grid->cells; a++) {
            for (int d = 0; d < DL_DIRECTIONS; d++) {
                dl_cell b = grid->neighbor[a][d];
                if (b != DL_NO_CELL) assert_int_equal(grid->neighbor[b][d ^ 1], a);
            }
            if (label[a] == a) assert_int_equal(grid->component[a], seen++); /* numbered by their first cell */
            assert_int_equal(grid->component[a], grid->component[label[a]]);
        }
        assert_int_equal(grid->components, seen);
        int largest = dl_grid_largest_component(grid);
        for (int id = 0; id < grid->components; id++) {
            int size = 0;
            for (dl_cell a = 0; a < grid->cells; a++) size += grid->component[a] == id;
            assert_int_equal(grid->component_size[id], size);
            assert_true(size <= grid->component_size[largest]);
            if (id < largest) assert_true(size < grid->component_size[largest]);
            sizes += size;
        }
        assert_int_equal(sizes, grid->cells);
        dl_grid_free(grid);
    }
}

static void a_map_without_free_cells_is_a_map(void **state)
{
    (void)state;
    dl_grid *grid = test_grid("@@/@@");
    assert_int_equal(grid->cells, 0);
    assert_int_equal(grid->components, 0);
    assert_int_equal(dl_grid_largest_component(grid), -1);
    dl_grid_free(grid);
}

static void impossible_sizes_are_refused(void **state)
{
    (void)state;
    static const int SIZE[][2] = {{0, 5}, {5, 0}, {-1, 5}, {DL_MAX_SIDE + 1, 1}, {1, DL_MAX_SIDE + 1}};
    uint8_t blocked[1] = {0};
    for (int i = 0; i < 5; i++) {
        dl_grid *grid = (dl_grid *)blocked;
        dl_error err;
        assert_int_equal(dl_grid_create(SIZE[i][0], SIZE[i][1], blocked, &grid, &err), DIFFLNS_BAD_INPUT);
        assert_null(grid);
        assert_non_null(strstr(err.message, "expected sides from 1 to 4096"));
    }
    uint8_t *row = DL_ARRAY(uint8_t, DL_MAX_SIDE);
    dl_grid *grid;
    assert_int_equal(dl_grid_create(1, DL_MAX_SIDE, row, &grid, NULL), DIFFLNS_OK);
    assert_int_equal(grid->cells, DL_MAX_SIDE);
    dl_grid_free(grid);
    free(row);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_cells_are_numbered_row_by_row),
        cmocka_unit_test(directions_follow_the_order_of_the_actions),
        cmocka_unit_test(random_grids_are_consistent),
        cmocka_unit_test(a_map_without_free_cells_is_a_map),
        cmocka_unit_test(impossible_sizes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
