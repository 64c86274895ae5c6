/* The public interface: maps. */
#include "base/print.h"
#include "formats/load.h"
#include "formats/movingai.h"
#include "solver/api.h"

difflns_status difflns_map_create(int height, int width, const uint8_t *blocked, difflns_map **out, difflns_error *err)
{
    DL_REQUIRE_OUT(out);
    DL_REQUIRE(blocked);
    dl_grid *grid;
    DL_TRY(dl_grid_create(height, width, blocked, &grid, err));
    *out = dl_map_create(grid);
    return *out ? DIFFLNS_OK : dl_out_of_memory(err);
}

difflns_status difflns_map_load(const char *path, const char *name, difflns_map **out, difflns_error *err)
{
    DL_REQUIRE_OUT(out);
    DL_REQUIRE(path);
    return dl_map_read(&(dl_input){.path = path}, name, out, err);
}

difflns_status difflns_map_parse(const void *bytes, size_t size, const char *name, difflns_map **out,
                                 difflns_error *err)
{
    DL_REQUIRE_OUT(out);
    DL_REQUIRE(bytes);
    return dl_map_read(&(dl_input){"map", bytes, size}, name, out, err);
}

difflns_status difflns_map_print(const difflns_map *map, char **out, size_t *size, difflns_error *err)
{
    DL_REQUIRE_OUT(out);
    DL_REQUIRE(map);
    dl_print print;
    DL_TRY(dl_print_open(&print, err));
    dl_movingai_write_map(print.stream, dl_map_grid(map));
    return dl_print_finish(&print, out, size, err);
}

void difflns_map_free(difflns_map *map)
{
    dl_map_free(map);
}

int difflns_map_height(const difflns_map *map)
{
    return map ? dl_map_grid(map)->height : -1;
}

int difflns_map_width(const difflns_map *map)
{
    return map ? dl_map_grid(map)->width : -1;
}

int difflns_map_free_cells(const difflns_map *map)
{
    return map ? dl_map_grid(map)->cells : -1;
}

bool difflns_map_blocked(const difflns_map *map, int row, int col)
{
    return !map || dl_grid_cell(dl_map_grid(map), row, col) == DL_NO_CELL;
}

int64_t difflns_map_distance(difflns_map *map, difflns_cell from, difflns_cell to)
{
    if (!map) return -1;
    dl_cell start = dl_grid_cell(dl_map_grid(map), from.row, from.col);
    dl_cell goal = dl_grid_cell(dl_map_grid(map), to.row, to.col);
    if (start == DL_NO_CELL || goal == DL_NO_CELL) return -1;
    const dl_field *field = dl_map_acquire(map, goal, NULL);
    if (!field) return -1;
    int steps = dl_field_at(field, start);
    dl_map_release(map, goal);
    return steps < DL_UNREACHABLE ? steps : -1;
}

difflns_status difflns_map_limit_memory(difflns_map *map, size_t bytes, difflns_error *err)
{
    DL_REQUIRE(map);
    dl_map_limit(map, bytes);
    return DIFFLNS_OK;
}

size_t difflns_map_memory(difflns_map *map)
{
    return map ? dl_map_bytes(map) : 0;
}
