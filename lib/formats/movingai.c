#include "formats/movingai.h"

#include <stdlib.h>
#include <string.h>

#include "base/lines.h"
#include "base/memory.h"

/* 0 free, 1 blocked, -1 unknown. Swamp and the competition's service and emitter points are free; water can't be
 * entered from land, so it is blocked. */
static int cell_kind(char letter)
{
    switch (letter) {
    case '.':
    case 'G':
    case 'S':
    case 'E':
        return 0;
    case '@':
    case 'O':
    case 'T':
    case 'W':
        return 1;
    default:
        return -1;
    }
}

/* Reads the next line that is not blank: `key` and, if `value` is wanted, a number; `rest` is what else must follow. */
static dl_status header_line(const char *name, dl_lines *lines, const char *key, const char *rest, long *value,
                             dl_error *err)
{
    if (!dl_lines_next_full(lines))
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s:%d: not a MovingAI map: the file ends, expected \"%s%s\"", name,
                       lines->number + 1, key, rest);
    const char *cursor = lines->text, *end = lines->text + lines->length, *field;
    size_t length;
    bool ok = dl_scan_field(&cursor, end, &field, &length) && length == strlen(key) && memcmp(field, key, length) == 0;
    if (ok && value) {
        const char *digits = NULL;
        if (dl_scan_field(&cursor, end, &field, &length)) digits = field;
        if (!digits || !dl_scan_int(&digits, field + length, 1, DL_MAX_SIDE, value) || digits != field + length)
            return dl_fail(err, DIFFLNS_BAD_INPUT, "%s:%d: expected \"%s N\" with N from 1 to %d, found %s", name,
                           lines->number, key, DL_MAX_SIDE, dl_scan_found(lines->text, end).text);
    } else if (ok && *rest) {
        ok = dl_scan_field(&cursor, end, &field, &length) && length == strlen(rest + 1) &&
             memcmp(field, rest + 1, length) == 0;
    }
    if (!ok || dl_scan_field(&cursor, end, &field, &length))
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s:%d: not a MovingAI map: expected \"%s%s\", found %s", name,
                       lines->number, key, rest, dl_scan_found(lines->text, end).text);
    return DIFFLNS_OK;
}

dl_status dl_movingai_read_map(const char *name, const char *data, size_t size, dl_grid **out, dl_error *err)
{
    *out = NULL;
    dl_lines lines = dl_lines_begin(data, size);
    long height = 0, width = 0;
    DL_TRY(header_line(name, &lines, "type", " octile", NULL, err));
    DL_TRY(header_line(name, &lines, "height", " N", &height, err));
    DL_TRY(header_line(name, &lines, "width", " N", &width, err));
    DL_TRY(header_line(name, &lines, "map", "", NULL, err));
    uint8_t *blocked = DL_ARRAY(uint8_t, height * width);
    if (!blocked) return dl_out_of_memory(err);
    dl_status status = DIFFLNS_OK;
    int row = 0;
    for (; row < height && status == DIFFLNS_OK && dl_lines_next(&lines); row++) {
        if (lines.length != (size_t)width) {
            status = dl_fail(err, DIFFLNS_BAD_INPUT, "%s:%d: row %d has %zu cells, expected %ld", name, lines.number,
                             row, lines.length, width);
            break;
        }
        for (int col = 0; col < width; col++) {
            int kind = cell_kind(lines.text[col]);
            if (kind < 0) {
                unsigned char letter = (unsigned char)lines.text[col];
                char shown[8];
                snprintf(shown, sizeof shown, letter > ' ' && letter < 0x7F ? "'%c'" : "0x%02X", letter);
                status = dl_fail(err, DIFFLNS_BAD_INPUT, "%s:%d:%d: unknown cell letter %s, expected one of .GSE@OTW",
                                 name, lines.number, col + 1, shown);
                break;
            }
            blocked[row * width + col] = (uint8_t)kind;
        }
    }
    if (status == DIFFLNS_OK && row < height)
        status = dl_fail(err, DIFFLNS_BAD_INPUT, "%s:%d: the file ends after %d map rows, expected %ld", name,
                         lines.number, row, height);
    if (status == DIFFLNS_OK && dl_lines_next_full(&lines))
        status =
            dl_fail(err, DIFFLNS_BAD_INPUT, "%s:%d: a row too many, expected %ld map rows", name, lines.number, height);
    if (status == DIFFLNS_OK) status = dl_grid_create((int)height, (int)width, blocked, out, err);
    free(blocked);
    return status;
}

/* bucket map width height start-x start-y goal-x goal-y optimal-length */
enum { SCEN_FIELDS = 9 };

static dl_status scen_row(const char *name, const dl_lines *line, const dl_grid *grid, dl_task *task, dl_error *err)
{
    static const char *const FIELD[SCEN_FIELDS] = {"bucket",  "map name", "map width", "map height",    "start x",
                                                   "start y", "goal x",   "goal y",    "optimal length"};
    long value[SCEN_FIELDS] = {0};
    const char *cursor = line->text, *end = line->text + line->length, *field;
    size_t length;
    for (int i = 0; i < SCEN_FIELDS; i++) {
        if (!dl_scan_field(&cursor, end, &field, &length))
            return dl_fail(
                err, DIFFLNS_BAD_INPUT,
                "%s:%d: %d fields, expected %d: bucket, map, width, height, start x and y, goal x and y, length", name,
                line->number, i, SCEN_FIELDS);
        if (i < 2 || i == SCEN_FIELDS - 1) continue; /* bucket, map name and the octile length carry nothing we use */
        const char *digits = field;
        if (!dl_scan_int(&digits, field + length, INT32_MIN, INT32_MAX, &value[i]) || digits != field + length)
            return dl_fail(err, DIFFLNS_BAD_INPUT, "%s:%d: %s: expected a whole number, found %s", name, line->number,
                           FIELD[i], dl_scan_found(field, field + length).text);
    }
    if (dl_scan_field(&cursor, end, &field, &length))
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s:%d: more than %d fields, expected exactly that many", name,
                       line->number, SCEN_FIELDS);
    if (value[2] != grid->width || value[3] != grid->height)
        return dl_fail(err, DIFFLNS_BAD_INPUT,
                       "%s:%d: made for a map of width %ld and height %ld, expected those of this map, %d and %d", name,
                       line->number, value[2], value[3], grid->width, grid->height);
    *task = (dl_task){.start = {(int32_t)value[5], (int32_t)value[4]},
                      .goal = {(int32_t)value[7], (int32_t)value[6]},
                      .line = line->number};
    return DIFFLNS_OK;
}

dl_status dl_movingai_read_scen(const char *name, const char *data, size_t size, const dl_grid *grid, int wanted,
                                dl_task **tasks, int *count, dl_error *err)
{
    *tasks = NULL;
    *count = 0;
    dl_lines lines = dl_lines_begin(data, size);
    if (!dl_lines_next_full(&lines))
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: the file is empty, expected a MovingAI or POGEMA scenario", name);
    const char *first = lines.text, *end = lines.text + lines.length;
    if (!dl_scan_text(&first, end, "version"))
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s:%d: not a MovingAI scenario: expected \"version 1\", found %s", name,
                       lines.number, dl_scan_found(first, end).text);
    int capacity = 0;
    dl_status status = DIFFLNS_OK;
    while (status == DIFFLNS_OK && (wanted == 0 || *count < wanted) && dl_lines_next_full(&lines)) {
        status = DL_GROW(*tasks, capacity, *count + 1) ? scen_row(name, &lines, grid, &(*tasks)[*count], err)
                                                       : dl_out_of_memory(err);
        if (status == DIFFLNS_OK && ++*count > DL_MAX_AGENTS)
            status = dl_fail(err, DIFFLNS_BAD_INPUT, "%s: too many agents, expected at most %d", name, DL_MAX_AGENTS);
    }
    if (status == DIFFLNS_OK && *count < wanted)
        status = dl_fail(err, DIFFLNS_BAD_INPUT, "%s: %d agents, expected at least %d", name, *count, wanted);
    if (status == DIFFLNS_OK && *count == 0)
        status = dl_fail(err, DIFFLNS_BAD_INPUT, "%s: no agents, expected at least one row below \"version 1\"", name);
    if (status != DIFFLNS_OK) {
        free(*tasks);
        *tasks = NULL;
        *count = 0;
    }
    return status;
}

void dl_movingai_write_map(FILE *stream, const dl_grid *grid)
{
    fprintf(stream, "type octile\nheight %d\nwidth %d\nmap\n", grid->height, grid->width);
    for (int row = 0; row < grid->height; row++) {
        for (int col = 0; col < grid->width; col++) fputc(grid->blocked[row * grid->width + col] ? '@' : '.', stream);
        fputc('\n', stream);
    }
}

void dl_movingai_write_scen(FILE *stream, const dl_instance *instance)
{
    const dl_grid *grid = instance->grid;
    fputs("version 1\n", stream);
    for (int agent = 0; agent < instance->agents; agent++) {
        difflns_cell s = dl_grid_position(grid, instance->start[agent]),
                     g = dl_grid_position(grid, instance->goal[agent]);
        /* The last field is a diagonal length that no MAPF program uses; 0 says "not given". */
        fprintf(stream, "%d\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t0\n", agent, instance->map_name, grid->width, grid->height,
                s.col, s.row, g.col, g.row);
    }
}
