/* The result file of LaCAM and PIBT, as mapf-visualizer reads it: key=value lines, then one line per time step with the
 * cells (x,y) = (col,row) of all agents. An orientation after a cell, "(0,0,Y_MINUS)", is accepted and dropped. */
#include <assert.h>
#include <string.h>

#include "formats/bounds.h"
#include "formats/plan_format.h"
#include "mapf/check.h"

/* "agents=3", as the lines before the plan, or its first time step. */
dl_likeness dl_plan_result_likeness(const dl_plan_text *text)
{
    const dl_lines *line = &text->first;
    size_t word = 0;
    while (word < line->length && line->text[word] != '=' && line->text[word] != ':') word++;
    if (word == 0 || word == line->length || text->json) return DL_UNLIKE;
    return line->text[word] == '=' || memcmp(line->text, "0:", 2) == 0 ? DL_SURELY : DL_UNLIKE;
}

/* What the key=value lines promise; -1 = not stated. */
typedef struct header {
    long agents, makespan, solved;
} header;

static void read_key(const dl_lines *line, header *head)
{
    const char *end = line->text + line->length, *value;
    if (value = line->text, dl_scan_text(&value, end, "agents=")) dl_scan_int(&value, end, 0, INT32_MAX, &head->agents);
    if (value = line->text, dl_scan_text(&value, end, "makespan="))
        dl_scan_int(&value, end, 0, INT32_MAX, &head->makespan);
    if (value = line->text, dl_scan_text(&value, end, "solved=")) dl_scan_int(&value, end, 0, 1, &head->solved);
}

/* "(x,y)," or "(x,y,Y_MINUS),": the comma may be missing after the last cell only. */
static bool scan_cell(const char **cursor, const char *end, difflns_cell *cell)
{
    const char *p = *cursor;
    long x, y;
    if (!dl_scan_text(&p, end, "(") || !dl_scan_int(&p, end, INT32_MIN, INT32_MAX, &x) || !dl_scan_text(&p, end, ",") ||
        !dl_scan_int(&p, end, INT32_MIN, INT32_MAX, &y))
        return false;
    if (dl_scan_text(&p, end, ",")) {
        if (!dl_scan_text(&p, end, "X_") && !dl_scan_text(&p, end, "Y_")) return false;
        while (p < end && *p >= 'A' && *p <= 'Z') p++;
    }
    if (!dl_scan_text(&p, end, ")") || (!dl_scan_text(&p, end, ",") && p != end)) return false;
    *cell = (difflns_cell){(int32_t)y, (int32_t)x};
    *cursor = p;
    return true;
}

static dl_status read_step(const char *name, const dl_lines *line, int time, dl_plan *plan, dl_error *err)
{
    const char *cursor = line->text, *end = line->text + line->length;
    assert(plan->path[0].length == time); /* each line before this one was a step of everybody */
    long stated;
    if (time == DL_MAX_PATH)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s:%d: more than %d time steps", name, line->number, DL_MAX_PATH);
    if (!dl_scan_int(&cursor, end, time, time, &stated) || !dl_scan_text(&cursor, end, ":"))
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s:%d: expected time step \"%d:(x,y),...\", found %s", name,
                       line->number, time, dl_scan_found(line->text, end).text);
    int agent = 0;
    for (; cursor < end; agent++) {
        difflns_cell cell;
        if (!scan_cell(&cursor, end, &cell))
            return dl_fail(err, DIFFLNS_BAD_INPUT, "%s:%d: agent %d, time %d: expected \"(x,y),\", found %s", name,
                           line->number, agent, time, dl_scan_found(cursor, end).text);
        if (agent < plan->agents && !dl_path_append(&plan->path[agent], cell)) return dl_out_of_memory(err);
    }
    if (agent != plan->agents)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s:%d: %d cells at time %d, expected %d (one for each agent)", name,
                       line->number, agent, time, plan->agents);
    return DIFFLNS_OK;
}

static bool is_step(const dl_lines *line)
{
    return line->text[0] >= '0' && line->text[0] <= '9';
}

static int count_cells(const dl_lines *line)
{
    int cells = 0;
    for (size_t i = 0; i < line->length; i++) cells += line->text[i] == '(';
    return cells;
}

dl_status dl_plan_result_read(const dl_instance *instance, const dl_plan_text *text, dl_plan **out, dl_error *err)
{
    (void)instance;
    const char *name = text->name;
    header head = {-1, -1, -1};
    dl_lines lines = dl_lines_begin(text->data, text->size);
    bool more;
    while ((more = dl_lines_next_full(&lines)) && !is_step(&lines)) read_key(&lines, &head);
    if (!more && head.solved == 0)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: solved=0 and no time steps: expected a plan", name);
    if (!more)
        return dl_fail(err, DIFFLNS_BAD_INPUT,
                       "%s: the file ends before the plan: expected \"solution=\" and \"0:(x,y),...\"", name);
    int agents = head.agents >= 0 && head.agents <= DL_MAX_AGENTS ? (int)head.agents : count_cells(&lines);
    if (agents < 1 || agents > DL_MAX_AGENTS)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s:%d: %d agents, expected 1 to %d", name, lines.number, agents,
                       DL_MAX_AGENTS);
    *out = dl_plan_create(agents);
    if (!*out) return dl_out_of_memory(err);
    int time = 0;
    for (; more; more = dl_lines_next_full(&lines)) DL_TRY(read_step(name, &lines, time++, *out, err));
    if (head.makespan >= time)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: the file ends at time %d, expected time steps up to makespan=%ld",
                       name, time - 1, head.makespan);
    return DIFFLNS_OK;
}

static void write_cells(FILE *stream, const dl_instance *instance, const char *key, const dl_cell *cells)
{
    fprintf(stream, "%s=", key);
    for (int agent = 0; agent < instance->agents; agent++) {
        difflns_cell at = dl_grid_position(instance->grid, cells[agent]);
        fprintf(stream, "(%d,%d),", at.col, at.row);
    }
    fputc('\n', stream);
}

dl_status dl_plan_result_write(FILE *stream, const dl_instance *instance, const dl_plan *plan, dl_error *err)
{
    dl_bounds bounds;
    dl_check_result check;
    if (!dl_bounds_of(instance, &bounds) || !dl_check(instance, plan, &check, NULL, 0, NULL))
        return dl_out_of_memory(err);
    int makespan = dl_plan_makespan(plan);
    fprintf(stream, "agents=%d\nmap_file=%s\nsolver=difflns\nsolved=%d\n", plan->agents, instance->map_name,
            check.violations == 0);
    fprintf(stream, "soc=%lld\nsoc_lb=%lld\nmakespan=%d\nmakespan_lb=%d\n", (long long)dl_plan_soc(plan),
            (long long)bounds.soc, makespan, bounds.makespan);
    /* A plan does not know how it was found; readers of the format expect the keys. */
    fputs("comp_time=0\nseed=0\n", stream);
    write_cells(stream, instance, "starts", instance->start);
    write_cells(stream, instance, "goals", instance->goal);
    fputs("solution=\n", stream);
    for (int time = 0; time <= makespan; time++) {
        fprintf(stream, "%d:", time);
        for (int agent = 0; agent < plan->agents; agent++) {
            difflns_cell at = dl_path_at(&plan->path[agent], time);
            fprintf(stream, "(%d,%d),", at.col, at.row);
        }
        fputc('\n', stream);
    }
    return DIFFLNS_OK;
}
