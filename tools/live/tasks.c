#include "live/tasks.h"

#include <stdlib.h>

#include "base/file.h"
#include "base/lines.h"
#include "base/memory.h"
#include "formats/league.h"
#include "formats/pogema.h"
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
    char line[16] = "";
    if (task->line > 0) snprintf(line, sizeof line, ":%d", task->line);
    if (task->robot >= robots)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s%s: robot %d: expected 0 to %d", path, line, task->robot, robots - 1);
    dl_cell cell = dl_grid_cell(grid, task->goal.row, task->goal.col);
    const char *fault = NULL;
    if (!dl_grid_inside(grid, task->goal.row, task->goal.col))
        fault = "is outside the map";
    else if (cell == DL_NO_CELL)
        fault = "is on an obstacle";
    else if (grid->component[cell] != dl_grid_largest_component(grid))
        fault = "can't be reached: the robots are in the largest connected part of the map";
    if (!fault) return DIFFLNS_OK;
    return dl_fail(err, DIFFLNS_BAD_INPUT, "%s%s: goal (%d, %d) %s", path, line, task->goal.row, task->goal.col, fault);
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

/* ---- other people's files: everything is known from the first tick ---- */

static void add(dl_live_tasks *out, int *room, int robot, difflns_cell goal)
{
    need(DL_GROW(out->task, *room, out->count + 1));
    out->task[out->count] = (dl_live_task){.robot = robot, .goal = goal};
    out->count++;
}

static dl_status read_league(const char *path, const dl_file *file, int robots, dl_live_tasks *out, dl_error *err)
{
    dl_league league;
    DL_TRY(dl_league_read(path, file->data, file->size, &league, err));
    int room = 0, width = league.grid->width;
    out->starts = league.robots;
    out->start = needed(DL_ARRAY(difflns_cell, league.robots));
    for (int i = 0; i < league.robots; i++)
        out->start[i] = (difflns_cell){league.start[i] / width, league.start[i] % width};
    if (robots == 0 || robots > league.robots) robots = league.robots;
    for (int task = 0; task < league.tasks; task++)
        for (int32_t i = league.first[task]; i < league.first[task + 1]; i++)
            add(out, &room, task % robots, (difflns_cell){league.errand[i] / width, league.errand[i] % width});
    /* Several errands are one task, known as a whole: then all are handed over at once. */
    if (out->count == league.tasks && league.reveal >= 1 && league.reveal <= INT16_MAX)
        out->reveal = (int)league.reveal;
    dl_league_free(&league);
    return DIFFLNS_OK;
}

static dl_status read_pogema(const char *path, const dl_file *file, int robots, dl_live_tasks *out, dl_error *err)
{
    dl_pogema *yaml;
    dl_queues queues;
    DL_TRY(dl_pogema_parse(path, file->data, file->size, &yaml, err));
    dl_status status = dl_pogema_read_queues(yaml, NULL, &queues, err);
    dl_pogema_free(yaml);
    DL_TRY(status);
    int room = 0;
    out->starts = queues.agents;
    out->start = queues.start;
    queues.start = NULL;
    for (int robot = 0; robot < queues.agents && (robots == 0 || robot < robots); robot++)
        for (int32_t i = queues.first[robot]; i < queues.first[robot + 1]; i++) add(out, &room, robot, queues.goal[i]);
    dl_queues_free(&queues);
    return DIFFLNS_OK;
}

static dl_status check_foreign(const char *path, const dl_grid *grid, int robots, dl_live_tasks *tasks, dl_error *err)
{
    if (robots > tasks->starts)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: %d robots, expected at least %d", path, tasks->starts, robots);
    int part = dl_grid_largest_component(grid);
    for (int i = 0; i < tasks->starts; i++) {
        difflns_cell at = tasks->start[i];
        dl_cell cell = dl_grid_inside(grid, at.row, at.col) ? dl_grid_cell(grid, at.row, at.col) : DL_NO_CELL;
        if (cell == DL_NO_CELL || grid->component[cell] != part)
            return dl_fail(err, DIFFLNS_BAD_INPUT,
                           "%s: robot %d begins at (%d, %d): expected a cell of the largest connected part of the map",
                           path, i, at.row, at.col);
    }
    for (int i = 0; i < tasks->count; i++) DL_TRY(check(path, grid, tasks->starts, &tasks->task[i], err));
    return DIFFLNS_OK;
}

static dl_status read_foreign(const char *path, const dl_file *file, const dl_grid *grid, int robots,
                              dl_live_tasks *out, dl_error *err)
{
    bool league = dl_league_looks_like(file->data, file->size);
    DL_TRY(league ? read_league(path, file, robots, out, err) : read_pogema(path, file, robots, out, err));
    return check_foreign(path, grid, robots, out, err);
}

static bool is_foreign(const dl_file *file)
{
    return dl_league_looks_like(file->data, file->size) || dl_pogema_looks_like(file->data, file->size);
}

dl_status dl_live_tasks_read(const char *path, const dl_grid *grid, int robots, dl_live_tasks *out, dl_error *err)
{
    dl_file file;
    *out = (dl_live_tasks){0};
    DL_TRY(dl_file_read(path, &file, err));
    dl_status status = is_foreign(&file) ? read_foreign(path, &file, grid, robots, out, err)
                       : robots > 0
                           ? parse(path, file.data, file.size, grid, robots, out, err)
                           : dl_fail(err, DIFFLNS_BAD_INPUT, "%s: does not say how many robots there are", path);
    if (status != DIFFLNS_OK) dl_live_tasks_free(out);
    dl_file_free(&file);
    return status;
}

void dl_live_tasks_free(dl_live_tasks *tasks)
{
    free(tasks->task);
    free(tasks->start);
    *tasks = (dl_live_tasks){0};
}
