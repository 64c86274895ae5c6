#include "live/tasks.h"

#include <stdlib.h>

#include "base/file.h"
#include "base/lines.h"
#include "base/memory.h"
#include "memory/need.h"

enum { FEWEST_FIELDS = 3, MOST_FIELDS = 4 };

static int by_tick(const void *a, const void *b)
{
    const dl_live_task *x = a, *y = b;
    if (x->tick != y->tick) return x->tick < y->tick ? -1 : 1;
    return (x->line > y->line) - (x->line < y->line);
}

static dl_status parse_line(const char *path, const dl_lines *lines, dl_live_task *task, dl_error *err)
{
    const char *cursor = lines->text, *end = lines->text + lines->length;
    long field[MOST_FIELDS + 1];
    int count = 0;
    while (count <= MOST_FIELDS) {
        while (cursor < end && (*cursor == ' ' || *cursor == '\t')) cursor++;
        if (cursor == end) break;
        if (!dl_scan_int(&cursor, end, 0, INT32_MAX, &field[count]) ||
            (cursor < end && *cursor != ' ' && *cursor != '\t'))
            return dl_fail(err, DIFFLNS_BAD_INPUT, "%s:%d: expected a whole number, found %s", path, lines->number,
                           dl_scan_found(cursor, end).text);
        count++;
    }
    if (count < FEWEST_FIELDS || count > MOST_FIELDS)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s:%d: expected \"tick robot row col\" or \"tick row col\"", path,
                       lines->number);
    *task = (dl_live_task){field[0],
                           count == MOST_FIELDS ? (int)field[1] : DL_ANY_ROBOT,
                           {(int32_t)field[count - 2], (int32_t)field[count - 1]},
                           lines->number};
    return DIFFLNS_OK;
}

static dl_status check(const char *path, const dl_grid *grid, int robots, const dl_live_task *task, dl_error *err)
{
    if (task->robot >= robots)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s:%d: robot %d: expected 0 to %d", path, task->line, task->robot,
                       robots - 1);
    dl_cell cell = dl_grid_cell(grid, task->goal.row, task->goal.col);
    const char *fault = NULL;
    if (!dl_grid_inside(grid, task->goal.row, task->goal.col))
        fault = "is outside the map";
    else if (cell == DL_NO_CELL)
        fault = "is on an obstacle";
    else if (grid->component[cell] != dl_grid_largest_component(grid))
        fault = "can't be reached: the robots are in the largest connected part of the map";
    if (!fault) return DIFFLNS_OK;
    return dl_fail(err, DIFFLNS_BAD_INPUT, "%s:%d: goal (%d, %d) %s", path, task->line, task->goal.row, task->goal.col,
                   fault);
}

static dl_status parse(const char *path, const char *data, size_t size, const dl_grid *grid, int robots,
                       dl_live_tasks *out, dl_error *err)
{
    dl_lines lines = dl_lines_begin(data, size);
    int room = 0;
    while (dl_lines_next_full(&lines)) {
        if (lines.text[0] == '#') continue;
        need(DL_GROW(out->task, room, out->count + 1));
        DL_TRY(parse_line(path, &lines, &out->task[out->count], err));
        DL_TRY(check(path, grid, robots, &out->task[out->count], err));
        out->count++;
    }
    if (out->count > 0) qsort(out->task, (size_t)out->count, sizeof *out->task, by_tick);
    return DIFFLNS_OK;
}

dl_status dl_live_tasks_read(const char *path, const dl_grid *grid, int robots, dl_live_tasks *out, dl_error *err)
{
    dl_file file;
    *out = (dl_live_tasks){0};
    DL_TRY(dl_file_read(path, &file, err));
    dl_status status = parse(path, file.data, file.size, grid, robots, out, err);
    if (status != DIFFLNS_OK) dl_live_tasks_free(out);
    dl_file_free(&file);
    return status;
}

void dl_live_tasks_free(dl_live_tasks *tasks)
{
    free(tasks->task);
    *tasks = (dl_live_tasks){0};
}
