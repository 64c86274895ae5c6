#include "fleet/guidance_file.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/output.h"

static const char FORMAT[] = "difflns-guidance";
static const char *const DIRECTION[DL_DIRECTIONS] = {"up", "down", "left", "right"};

/* One number, null for never, or a line that says what is wrong. */
static dl_status read_cost(const char *path, const char *direction, const json_t *value, int row, int col, uint8_t *out,
                           dl_error *err)
{
    json_int_t cost = json_is_integer(value) ? json_integer_value(value) : json_is_null(value) ? DL_COST_NEVER : -1;
    if (cost >= 0 && cost <= DL_COST_NEVER) {
        *out = (uint8_t)cost;
        return DIFFLNS_OK;
    }
    return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: \"%s\", row %d, column %d: expected a number from 0 to %d, or null",
                   path, direction, row, col, DL_COST_MOST);
}

static dl_status read_direction(const char *path, const json_t *root, const dl_grid *grid, int d, dl_edge_costs *costs,
                                dl_error *err)
{
    const json_t *rows = json_object_get(root, DIRECTION[d]);
    if (json_array_size(rows) != (size_t)grid->height)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: \"%s\": expected %d rows, as many as the map has", path,
                       DIRECTION[d], grid->height);
    for (int row = 0; row < grid->height; row++) {
        const json_t *line = json_array_get(rows, (size_t)row);
        if (json_array_size(line) != (size_t)grid->width)
            return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: \"%s\", row %d: expected %d numbers, as wide as the map", path,
                           DIRECTION[d], row, grid->width);
        for (int col = 0; col < grid->width; col++) {
            dl_cell cell = dl_grid_cell(grid, row, col);
            uint8_t cost = 0;
            DL_TRY(read_cost(path, DIRECTION[d], json_array_get(line, (size_t)col), row, col, &cost, err));
            if (cell != DL_NO_CELL) costs->extra[cell][d] = cost;
        }
    }
    return DIFFLNS_OK;
}

static dl_status read_all(const char *path, const json_t *root, const dl_grid *grid, dl_edge_costs *costs,
                          dl_error *err)
{
    const char *format = json_string_value(json_object_get(root, "format"));
    if (!format || strcmp(format, FORMAT) != 0)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: expected \"format\": \"difflns-guidance\"", path);
    for (int d = 0; d < DL_DIRECTIONS; d++) DL_TRY(read_direction(path, root, grid, d, costs, err));
    return DIFFLNS_OK;
}

dl_status dl_guidance_read(const char *path, const dl_grid *grid, dl_edge_costs **out, dl_error *err)
{
    dl_file file;
    json_error_t where;
    json_t *root;
    *out = NULL;
    DL_TRY(dl_file_read(path, &file, err));
    dl_status status = dl_json_parse(file.data, file.size, &root, &where);
    dl_file_free(&file);
    if (status == DIFFLNS_OUT_OF_MEMORY) return dl_out_of_memory(err);
    if (status != DIFFLNS_OK)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s:%d: not JSON: %s", path, where.line, where.text);
    dl_edge_costs *costs = dl_edge_costs_create(grid);
    status = costs ? read_all(path, root, grid, costs, err) : dl_out_of_memory(err);
    json_decref(root);
    if (status == DIFFLNS_OK)
        *out = costs;
    else
        dl_edge_costs_free(costs);
    return status;
}

static void write_row(FILE *stream, const dl_edge_costs *costs, const dl_grid *grid, int d, int row)
{
    fputc('[', stream);
    for (int col = 0; col < grid->width; col++) {
        dl_cell cell = dl_grid_cell(grid, row, col);
        int cost = cell == DL_NO_CELL ? 0 : dl_edge_cost(costs, cell, d);
        if (col > 0) fputc(',', stream);
        if (cost == DL_COST_NEVER)
            fputs("null", stream);
        else
            fprintf(stream, "%d", cost);
    }
    fputc(']', stream);
}

dl_status dl_guidance_write(const dl_edge_costs *costs, const dl_grid *grid, const char *path, dl_error *err)
{
    dl_output out;
    DL_TRY(dl_output_open(&out, path, err));
    fprintf(out.stream, "{\"format\": \"%s\", \"version\": 1, \"units_per_step\": %d, \"height\": %d, \"width\": %d",
            FORMAT, DL_STEP_UNITS, grid->height, grid->width);
    for (int d = 0; d < DL_DIRECTIONS; d++) {
        fprintf(out.stream, ",\n\"%s\": [\n", DIRECTION[d]);
        for (int row = 0; row < grid->height; row++) {
            write_row(out.stream, costs, grid, d, row);
            fputs(row + 1 < grid->height ? ",\n" : "]", out.stream);
        }
    }
    fputs("}\n", out.stream);
    return dl_output_commit(&out, err);
}
