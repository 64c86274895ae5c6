/* MAPF-LNS2 path text: one line per agent, "Agent 0:(row,col)->(row,col)->". EECBS puts a blank after the colon, and
 * some relatives write (col,row): unless the order is given, it is the one in which more first cells are the agents'
 * starts, and refused when both fit all of them. */
#include "formats/plan_format.h"

dl_likeness dl_plan_paths_likeness(const dl_plan_text *text)
{
    const char *at = text->first.text, *end = at + text->first.length;
    while (at < end && (*at == ' ' || *at == '\t')) at++;
    return dl_scan_text(&at, end, "Agent") ? DL_SURELY : DL_UNLIKE;
}

static bool scan_cell(const char **cursor, const char *end, difflns_cell *cell)
{
    const char *p = *cursor;
    long first, second;
    if (!dl_scan_text(&p, end, "(") || !dl_scan_int(&p, end, INT32_MIN, INT32_MAX, &first) ||
        !dl_scan_text(&p, end, ",") || !dl_scan_int(&p, end, INT32_MIN, INT32_MAX, &second) ||
        !dl_scan_text(&p, end, ")"))
        return false;
    *cell = (difflns_cell){(int32_t)first, (int32_t)second};
    *cursor = p;
    return true;
}

static dl_status read_line(const char *name, const dl_lines *line, int agent, dl_path *path, dl_error *err)
{
    const char *cursor = line->text, *end = line->text + line->length;
    long number;
    if (!dl_scan_text(&cursor, end, "Agent ") || !dl_scan_int(&cursor, end, agent, agent, &number) ||
        !dl_scan_text(&cursor, end, ":"))
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s:%d: expected \"Agent %d:\", found %s", name, line->number, agent,
                       dl_scan_found(line->text, end).text);
    while (dl_scan_text(&cursor, end, " ")) {
    }
    do {
        difflns_cell cell;
        if (path->length == DL_MAX_PATH)
            return dl_fail(err, DIFFLNS_BAD_INPUT, "%s:%d: path of agent %d has more than %d cells", name, line->number,
                           agent, DL_MAX_PATH);
        if (!scan_cell(&cursor, end, &cell))
            return dl_fail(err, DIFFLNS_BAD_INPUT, "%s:%d: agent %d, time %d: expected \"(row,col)->\", found %s", name,
                           line->number, agent, path->length, dl_scan_found(cursor, end).text);
        if (!dl_path_append(path, cell)) return dl_out_of_memory(err);
        /* Every cell is followed by an arrow; only after the last one we do not insist. */
        if (cursor < end && !dl_scan_text(&cursor, end, "->"))
            return dl_fail(err, DIFFLNS_BAD_INPUT, "%s:%d: agent %d, time %d: expected \"->\", found %s", name,
                           line->number, agent, path->length - 1, dl_scan_found(cursor, end).text);
    } while (cursor < end);
    return DIFFLNS_OK;
}

static dl_status choose_order(const dl_instance *instance, const char *name, const dl_plan *plan, difflns_order *order,
                              dl_error *err)
{
    int agents = plan->agents < instance->agents ? plan->agents : instance->agents, rowcol = 0, colrow = 0;
    for (int agent = 0; agent < agents; agent++) {
        difflns_cell start = dl_grid_position(instance->grid, instance->start[agent]), first = plan->path[agent].at[0];
        rowcol += first.row == start.row && first.col == start.col;
        colrow += first.row == start.col && first.col == start.row;
    }
    if (rowcol == agents && colrow == agents)
        return dl_fail(err, DIFFLNS_BAD_INPUT,
                       "%s: the starts fit (row,col) as well as (col,row): expected an order, rowcol or colrow", name);
    *order = colrow > rowcol ? DIFFLNS_ORDER_COLROW : DIFFLNS_ORDER_ROWCOL;
    return DIFFLNS_OK;
}

static void swap_coordinates(dl_plan *plan)
{
    for (int agent = 0; agent < plan->agents; agent++)
        for (int t = 0; t < plan->path[agent].length; t++) {
            difflns_cell *cell = &plan->path[agent].at[t];
            *cell = (difflns_cell){cell->col, cell->row};
        }
}

dl_status dl_plan_paths_read(const dl_instance *instance, const dl_plan_text *text, dl_plan **out, dl_error *err)
{
    const char *name = text->name;
    difflns_order order = text->order;
    int agents = 0;
    dl_lines lines = dl_lines_begin(text->data, text->size);
    while (dl_lines_next_full(&lines)) agents++;
    if (agents < 1 || agents > DL_MAX_AGENTS)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: %d paths, expected 1 to %d", name, agents, DL_MAX_AGENTS);
    *out = dl_plan_create(agents);
    if (!*out) return dl_out_of_memory(err);
    lines = dl_lines_begin(text->data, text->size);
    for (int agent = 0; agent < agents; agent++) {
        dl_lines_next_full(&lines);
        DL_TRY(read_line(name, &lines, agent, &(*out)->path[agent], err));
    }
    if (order == DIFFLNS_ORDER_AUTO) DL_TRY(choose_order(instance, name, *out, &order, err));
    if (order == DIFFLNS_ORDER_COLROW) swap_coordinates(*out);
    return DIFFLNS_OK;
}

/* MAPF-LNS2's own form: (row,col), no blank, no waits after the last arrival. */
dl_status dl_plan_paths_write(FILE *stream, const dl_instance *instance, const dl_plan *plan, dl_error *err)
{
    (void)instance, (void)err;
    for (int agent = 0; agent < plan->agents; agent++) {
        const dl_path *path = &plan->path[agent];
        fprintf(stream, "Agent %d:", agent);
        for (int t = 0; t <= dl_path_cost(path); t++) fprintf(stream, "(%d,%d)->", path->at[t].row, path->at[t].col);
        fputc('\n', stream);
    }
    return DIFFLNS_OK;
}
