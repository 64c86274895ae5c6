#include "formats/league.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/lines.h"
#include "base/memory.h"
#include "formats/movingai.h"

bool dl_league_looks_like(const char *data, size_t size)
{
    dl_lines lines = dl_lines_begin(data, size);
    if (!dl_lines_next_full(&lines)) return false;
    size_t at = 0;
    while (at < lines.length && (lines.text[at] == ' ' || lines.text[at] == '\t')) at++;
    static const char KEY[] = "\"mapFile\"";
    return at < lines.length && lines.text[at] == '{' && memmem(data, size, KEY, sizeof KEY - 1);
}

/* ---- lists of squares ---- */

/* Moves to the next line that says something: neither blank nor a comment. */
static bool next_line(dl_lines *lines)
{
    while (dl_lines_next_full(lines))
        if (lines->text[0] != '#') return true;
    return false;
}

typedef struct squares {
    const char *name; /* of the file */
    const dl_grid *grid;
    int lines_room, room;
    int count;      /* of lines */
    int32_t *first; /* [count + 1] */
    int32_t *square;
} squares;

/* A line of numbers with commas between them. */
static dl_status read_line(squares *s, const dl_lines *line, bool several, dl_error *err)
{
    const char *cursor = line->text, *end = line->text + line->length;
    long most = (long)s->grid->height * s->grid->width - 1, value;
    int at = s->first[s->count];
    do {
        while (cursor < end && *cursor == ' ') cursor++;
        if (!dl_scan_int(&cursor, end, 0, most, &value))
            return dl_fail(err, DIFFLNS_BAD_INPUT, "%s:%d: expected the number of a cell from 0 to %ld, found %s",
                           s->name, line->number, most, dl_scan_found(cursor, end).text);
        if (s->grid->blocked[value])
            return dl_fail(err, DIFFLNS_BAD_INPUT, "%s:%d: cell %ld (row %ld, col %ld) is an obstacle", s->name,
                           line->number, value, value / s->grid->width, value % s->grid->width);
        if (!DL_GROW(s->square, s->room, at + 1)) return dl_out_of_memory(err);
        s->square[at++] = (int32_t)value;
        while (cursor < end && *cursor == ' ') cursor++;
    } while (several && dl_scan_text(&cursor, end, ","));
    if (cursor < end)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s:%d: expected the end of the line, found %s", s->name, line->number,
                       dl_scan_found(cursor, end).text);
    if (!DL_GROW(s->first, s->lines_room, s->count + 2)) return dl_out_of_memory(err);
    s->first[++s->count] = at;
    return DIFFLNS_OK;
}

static dl_status parse_squares(squares *s, const dl_file *file, bool several, dl_error *err)
{
    dl_lines lines = dl_lines_begin(file->data, file->size);
    long count = 0;
    if (!next_line(&lines)) return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: the file is empty: expected a count", s->name);
    const char *cursor = lines.text, *end = lines.text + lines.length;
    if (!dl_scan_int(&cursor, end, 1, INT32_MAX / 4, &count))
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s:%d: expected the number of lines that follow, found %s", s->name,
                       lines.number, dl_scan_found(cursor, end).text);
    if (!DL_GROW(s->first, s->lines_room, 1)) return dl_out_of_memory(err);
    s->first[0] = 0;
    while (s->count < count && next_line(&lines)) DL_TRY(read_line(s, &lines, several, err));
    if (s->count < count)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: %d lines, expected %ld as its first line says", s->name, s->count,
                       count);
    return DIFFLNS_OK;
}

/* ---- the problem ---- */

/* The path of a file that the problem names, relative to its own folder; the caller's to free. */
static dl_status named_file(const char *path, const json_t *root, const char *key, char **out, dl_error *err)
{
    const char *name = json_string_value(json_object_get(root, key));
    if (!name || !*name)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: expected \"%s\", the name of a file: %s", path, key,
                       "not a problem of the League of Robot Runners");
    size_t folder = name[0] == '/' ? 0 : (size_t)(dl_file_base_name(path) - path), size = folder + strlen(name) + 1;
    *out = dl_malloc(size);
    if (!*out) return dl_out_of_memory(err);
    memcpy(*out, path, folder);
    memcpy(*out + folder, name, size - folder);
    return DIFFLNS_OK;
}

static dl_status read_map(const char *path, const json_t *root, dl_league *out, dl_error *err)
{
    char *name = NULL;
    dl_file file = {0};
    DL_TRY(named_file(path, root, "mapFile", &name, err));
    dl_status status = dl_file_read(name, &file, err);
    if (status == DIFFLNS_OK) status = dl_movingai_read_map(name, file.data, file.size, &out->grid, err);
    if (status == DIFFLNS_OK && !(out->map_name = dl_strdup(dl_file_base_name(name)))) status = dl_out_of_memory(err);
    dl_file_free(&file);
    free(name);
    return status;
}

static dl_status read_squares(const char *path, const json_t *root, const char *key, bool several, const dl_grid *grid,
                              squares *out, dl_error *err)
{
    char *name = NULL;
    dl_file file = {0};
    DL_TRY(named_file(path, root, key, &name, err));
    *out = (squares){.name = name, .grid = grid};
    dl_status status = dl_file_read(name, &file, err);
    if (status == DIFFLNS_OK) status = parse_squares(out, &file, several, err);
    dl_file_free(&file);
    free(name);
    return status;
}

static dl_status read_problem(const char *path, const json_t *root, dl_league *out, dl_error *err)
{
    DL_TRY(read_map(path, root, out, err));
    squares robots = {0}, tasks = {0};
    dl_status status = read_squares(path, root, "agentFile", false, out->grid, &robots, err);
    free(robots.first);
    out->start = robots.square;
    out->robots = robots.count;
    if (status == DIFFLNS_OK) status = read_squares(path, root, "taskFile", true, out->grid, &tasks, err);
    out->first = tasks.first;
    out->errand = tasks.square;
    out->tasks = tasks.count;
    if (status != DIFFLNS_OK) return status;
    json_int_t team = json_integer_value(json_object_get(root, "teamSize"));
    if (team < 1 || team > out->robots || team > DL_MAX_AGENTS)
        return dl_fail(err, DIFFLNS_BAD_INPUT,
                       "%s: \"teamSize\" %lld: expected 1 to the %d robots of its \"agentFile\"", path, (long long)team,
                       out->robots);
    out->robots = (int)team;
    double reveal = json_number_value(json_object_get(root, "numTasksReveal"));
    out->reveal = reveal > 0 ? reveal : 0;
    return DIFFLNS_OK;
}

dl_status dl_league_read(const char *path, const char *data, size_t size, dl_league *out, dl_error *err)
{
    *out = (dl_league){0};
    json_error_t where;
    json_t *root;
    dl_status status = dl_json_parse(data, size, &root, &where);
    if (status == DIFFLNS_OUT_OF_MEMORY) return dl_out_of_memory(err);
    if (status != DIFFLNS_OK)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s:%d: not JSON: %s", path, where.line, where.text);
    status = read_problem(path, root, out, err);
    json_decref(root);
    if (status != DIFFLNS_OK) dl_league_free(out);
    return status;
}

void dl_league_free(dl_league *league)
{
    dl_grid_free(league->grid);
    free(league->map_name);
    free(league->start);
    free(league->first);
    free(league->errand);
    *league = (dl_league){0};
}

static difflns_cell cell_of(const dl_league *league, int32_t square)
{
    return (difflns_cell){square / league->grid->width, square % league->grid->width};
}

dl_status dl_league_deal(const char *path, const dl_league *league, dl_task **tasks, dl_error *err)
{
    bool *taken = DL_ARRAY(bool, (size_t)league->grid->height *(size_t)league->grid->width);
    *tasks = DL_ARRAY(dl_task, league->robots);
    int robot = 0;
    for (int task = 0; taken && *tasks && task < league->tasks && robot < league->robots; task++) {
        int32_t goal = league->errand[league->first[task]];
        if (taken[goal]) continue;
        taken[goal] = true;
        (*tasks)[robot] = (dl_task){.start = cell_of(league, league->start[robot]), .goal = cell_of(league, goal)};
        robot++;
    }
    dl_status status = taken && *tasks ? DIFFLNS_OK : dl_out_of_memory(err);
    free(taken);
    if (status == DIFFLNS_OK && robot < league->robots)
        status = dl_fail(err, DIFFLNS_BAD_INPUT, "%s: tasks for %d robots at different cells, expected %d", path, robot,
                         league->robots);
    if (status == DIFFLNS_OK) return DIFFLNS_OK;
    free(*tasks);
    *tasks = NULL;
    return status;
}
