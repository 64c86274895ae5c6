/* Plans of the MAPF tracker: a string over u d l r w for each agent, runs as a number ("4r"), from its start. Three
 * forms are read: plain strings, one line per agent; JSON; CSV. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/csv.h"
#include "base/json.h"
#include "base/text.h"
#include "formats/bounds.h"
#include "formats/plan_format.h"

/* A count makes a long path of a few bytes, so the file's size does not bound the memory: this does (512 MB, and more
 * while a path grows). */
enum { MAX_CELLS = 1 << 26 };

/* One plan as the file states it, whatever form it came in. */
typedef struct source {
    const char *name; /* of the file */
    int line;         /* where the plan begins, 0 = unknown */
    const char *text; /* all strings, separated by newlines */
    size_t size;
    long agents;  /* as stated; -1 = not stated */
    bool flipped; /* u and d are exchanged */
} source;

static dl_status fail_at(const source *from, dl_error *err, int agent, int time, const char *expected, dl_found found)
{
    char line[16] = "";
    if (from->line > 0) snprintf(line, sizeof line, ":%d", from->line);
    return dl_fail(err, DIFFLNS_BAD_INPUT, "%s%s: agent %d, time %d: expected %s, found %s", from->name, line, agent,
                   time, expected, found.text);
}

static bool step(difflns_cell *at, char letter, bool flipped)
{
    int down = flipped ? -1 : 1;
    switch (letter) {
    case 'u':
        at->row -= down;
        return true;
    case 'd':
        at->row += down;
        return true;
    case 'l':
        at->col--;
        return true;
    case 'r':
        at->col++;
        return true;
    case 'w':
        return true;
    default:
        return false;
    }
}

/* A longer run than the map leaves it; only waits may be longer. */
static bool fits_map(const dl_grid *grid, char letter, long count)
{
    return letter == 'w' || count <= (grid->height > grid->width ? grid->height : grid->width);
}

static dl_status read_moves(const dl_instance *instance, const source *from, const char *moves, const char *end,
                            int agent, long *room, dl_path *path, dl_error *err)
{
    difflns_cell at = dl_grid_position(instance->grid, instance->start[agent]);
    if (!dl_path_append(path, at)) return dl_out_of_memory(err);
    for (const char *cursor = moves; cursor < end; cursor++) {
        long count = 1;
        const char *token = cursor;
        if (*cursor >= '0' && *cursor <= '9' && !dl_scan_int(&cursor, end, 1, DL_MAX_PATH - 1, &count))
            return fail_at(from, err, agent, path->length - 1, "a count from 1 to 67108863", dl_scan_found(token, end));
        if (path->length + count > DL_MAX_PATH || *room < count)
            return fail_at(from, err, agent, path->length - 1, "a shorter path", dl_scan_found(token, end));
        if (cursor < end && !fits_map(instance->grid, *cursor, count))
            return fail_at(from, err, agent, path->length - 1, "a run that stays on the map",
                           dl_scan_found(token, end));
        *room -= count;
        assert(*room >= 0 && path->length >= 1);
        for (; count > 0; count--) {
            if (cursor == end || !step(&at, *cursor, from->flipped))
                return fail_at(from, err, agent, path->length - 1, "u, d, l, r, w or a count before one of them",
                               dl_scan_found(cursor, end));
            if (!dl_path_append(path, at)) return dl_out_of_memory(err);
        }
    }
    return DIFFLNS_OK;
}

/* The end of the string at `p`: a newline, or the two characters \n that some exports write; *next is after it. */
static const char *string_end(const char *p, const char *end, const char **next)
{
    for (; p < end; p++) {
        if (*p == '\n') return *next = p + 1, p;
        if (*p == '\\' && p + 1 < end && p[1] == 'n') return *next = p + 2, p;
    }
    *next = NULL;
    return end;
}

static int count_strings(const source *from, long expected)
{
    int strings = 0, full = 0;
    const char *end = from->text + from->size;
    for (const char *p = from->text, *next; p; p = next) {
        const char *stop = string_end(p, end, &next);
        strings++;
        while (p < stop && (*p == ' ' || *p == '\t' || *p == '\r')) p++;
        if (p < stop) full = strings;
        if (strings > DL_MAX_AGENTS) return strings;
    }
    /* An agent that never moves has an empty string; what is empty beyond the expected number is only blank lines. */
    return strings <= expected ? strings : full > expected ? full : (int)expected;
}

static dl_status read_strings(const dl_instance *instance, const source *from, dl_plan **out, dl_error *err)
{
    int agents = count_strings(from, from->agents > 0 ? from->agents : instance->agents);
    if (from->agents >= 0 && agents != from->agents)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: %d strings in the plan, expected %ld (\"agents\")", from->name,
                       agents, from->agents);
    if (agents > instance->agents)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: a plan for %d agents, expected at most the instance's %d",
                       from->name, agents, instance->agents);
    *out = dl_plan_create(agents);
    if (!*out) return dl_out_of_memory(err);
    const char *end = from->text + from->size, *next = from->text;
    long room = MAX_CELLS;
    for (int agent = 0; agent < agents; agent++) {
        const char *p = next, *stop = string_end(p, end, &next);
        while (p < stop && (*p == ' ' || *p == '\t' || *p == '\r')) p++;
        while (p < stop && (stop[-1] == ' ' || stop[-1] == '\t' || stop[-1] == '\r')) stop--;
        DL_TRY(read_moves(instance, from, p, stop, agent, &room, &(*out)->path[agent], err));
    }
    return DIFFLNS_OK;
}

static dl_status read_text(const dl_instance *instance, const char *name, const char *data, size_t size, dl_plan **out,
                           dl_error *err)
{
    source from = {.name = name, .text = data, .size = size, .agents = -1};
    return read_strings(instance, &from, out, err);
}

/* ---- JSON ----------------------------------------------------------------------------------------------------- */

/* Appends the strings of "solution_plan" to `text`. */
static bool collect_strings(const json_t *plan, dl_text *text)
{
    if (json_is_string(plan)) {
        dl_text_add(text, json_string_value(plan), json_string_length(plan));
        return true;
    }
    for (size_t i = 0; i < json_array_size(plan); i++) {
        const json_t *item = json_array_get(plan, i);
        if (!json_is_string(item)) return false;
        if (i > 0) dl_text_add(text, "\n", 1);
        dl_text_add(text, json_string_value(item), json_string_length(item));
    }
    return json_array_size(plan) > 0;
}

/* The tracker's table of properties says "agents", its examples "agent_count". */
static const json_t *stated_agents(const json_t *object)
{
    const json_t *stated = json_object_get(object, "agents");
    return stated ? stated : json_object_get(object, "agent_count");
}

/* "flip_up_down" is a number in the tracker's table of properties, and a boolean in its examples. */
static bool is_set(const json_t *value)
{
    return json_is_true(value) || (json_is_number(value) && json_number_value(value) != 0);
}

/* An object with "solution_plan" (one string with newlines, or a list), or a list of such objects, of which the one
 * with the instance's number of agents is taken. */
static dl_status read_json(const dl_instance *instance, const char *name, const json_t *root, dl_plan **out,
                           dl_error *err)
{
    const json_t *object = json_is_array(root) && json_array_size(root) == 1 ? json_array_get(root, 0) : root;
    if (json_is_array(object)) {
        size_t i = 0;
        while (i < json_array_size(root) &&
               json_integer_value(stated_agents(json_array_get(root, i))) != instance->agents)
            i++;
        object = json_array_get(root, i);
        if (!object)
            return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: %zu plans, expected one with \"agents\": %d", name,
                           json_array_size(root), instance->agents);
    }
    const json_t *stated = stated_agents(object);
    dl_text text = {0};
    source from = {.name = name,
                   .agents = json_is_integer(stated) ? (long)json_integer_value(stated) : -1,
                   .flipped = is_set(json_object_get(object, "flip_up_down"))};
    dl_status status;
    if (collect_strings(json_object_get(object, "solution_plan"), &text)) {
        from.text = text.data;
        from.size = text.size;
        status = text.cut ? dl_out_of_memory(err) : read_strings(instance, &from, out, err);
    } else {
        status =
            dl_fail(err, DIFFLNS_BAD_INPUT, "%s: expected \"solution_plan\" with a string or a list of strings", name);
    }
    dl_text_free(&text);
    return status;
}

/* ---- CSV ------------------------------------------------------------------------------------------------------ */

static int line_of(const char *data, const char *at)
{
    int line = 1;
    for (; data < at; data++) line += *data == '\n';
    return line;
}

typedef struct columns {
    int plan, agents, flip; /* -1 = not there */
} columns;

typedef struct csv_row {
    dl_text plan;
    long agents;                   /* -1 = not stated */
    bool flipped, blank, complete; /* complete: it reaches the column of the plan */
} csv_row;

static dl_csv_end read_header(const char **cursor, const char *end, columns *at)
{
    *at = (columns){-1, -1, -1};
    dl_text field = {0};
    dl_csv_end stop = DL_CSV_FIELD;
    for (int column = 0; stop == DL_CSV_FIELD; column++) {
        stop = dl_csv_next(cursor, end, &field);
        if (stop == DL_CSV_NO_MEMORY) break;
        if (strcmp(field.data, "solution_plan") == 0 || strcmp(field.data, "path") == 0) at->plan = column;
        if (strcmp(field.data, "agents") == 0 || strcmp(field.data, "agent_count") == 0) at->agents = column;
        if (strcmp(field.data, "flip_up_down") == 0) at->flip = column;
    }
    dl_text_free(&field);
    return stop;
}

static dl_csv_end read_row(const char **cursor, const char *end, const columns *at, csv_row *row)
{
    dl_text field = {0};
    dl_csv_end stop = DL_CSV_FIELD;
    row->agents = -1;
    row->flipped = false;
    row->blank = true;
    row->complete = false;
    row->plan.size = 0;
    for (int column = 0; stop == DL_CSV_FIELD; column++) {
        stop = dl_csv_next(cursor, end, &field);
        if (stop == DL_CSV_NO_MEMORY) break;
        if (column > 0 || field.size > 0) row->blank = false;
        const char *digits = field.data;
        if (column == at->plan) {
            dl_text_add(&row->plan, field.data, field.size);
            row->complete = true;
        }
        if (column == at->agents) dl_scan_int(&digits, field.data + field.size, 0, INT32_MAX, &row->agents);
        if (column == at->flip) row->flipped = strcasecmp(field.data, "true") == 0 || strcmp(field.data, "1") == 0;
    }
    dl_text_free(&field);
    return row->plan.cut ? DL_CSV_NO_MEMORY : stop;
}

static dl_status read_rows(const dl_instance *instance, const char *name, const char *data, size_t size, csv_row *row,
                           dl_plan **out, dl_error *err)
{
    const char *cursor = data, *end = data + size;
    columns at;
    dl_csv_end stop = read_header(&cursor, end, &at);
    if (stop == DL_CSV_NO_MEMORY) return dl_out_of_memory(err);
    if (stop == DL_CSV_UNCLOSED || at.plan < 0)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s:1: expected a column \"solution_plan\" or \"path\"", name);
    const char *begin = cursor; /* of the row at hand */
    int rows = 0;
    bool found = false;
    while (!found && stop == DL_CSV_ROW && cursor < end) {
        begin = cursor;
        stop = read_row(&cursor, end, &at, row);
        if (stop == DL_CSV_NO_MEMORY) return dl_out_of_memory(err);
        if (stop == DL_CSV_UNCLOSED)
            return dl_fail(err, DIFFLNS_BAD_INPUT, "%s:%d: a quote is never closed: expected \" before the end", name,
                           line_of(data, begin));
        if (row->blank) continue;
        if (!row->complete)
            return dl_fail(err, DIFFLNS_BAD_INPUT, "%s:%d: the row ends early, expected a plan in column %d", name,
                           line_of(data, begin), at.plan + 1);
        rows++;
        found = row->agents == instance->agents;
    }
    if (!found && (rows != 1 || row->blank))
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: %d plans, expected one with %d agents", name, rows,
                       instance->agents);
    source from = {name, line_of(data, begin), row->plan.data, row->plan.size, row->agents, row->flipped};
    return read_strings(instance, &from, out, err);
}

/* A header line with a column "solution_plan" or "path"; rows are chosen as above. */
static dl_status read_csv(const dl_instance *instance, const char *name, const char *data, size_t size, dl_plan **out,
                          dl_error *err)
{
    csv_row row = {.blank = true};
    dl_status status = read_rows(instance, name, data, size, &row, out, err);
    dl_text_free(&row.plan);
    return status;
}

/* ---- Writing -------------------------------------------------------------------------------------------------- */

static bool only_moves(const dl_lines *line)
{
    static const char LETTERS[] = "udlrw0123456789";
    for (size_t i = 0; i < line->length; i++)
        if (!line->text[i] || !strchr(LETTERS, line->text[i])) return false;
    return true;
}

dl_likeness dl_plan_tracker_likeness(const dl_plan_text *text)
{
    const json_t *first = json_is_array(text->json) ? json_array_get(text->json, 0) : text->json;
    if (json_object_get(first, "solution_plan")) return DL_SURELY;
    if (text->json) return DL_UNLIKE;
    if (only_moves(&text->first)) return DL_SURELY;
    return memchr(text->first.text, ',', text->first.length) ? DL_PERHAPS : DL_UNLIKE;
}

dl_status dl_plan_tracker_read(const dl_instance *instance, const dl_plan_text *text, dl_plan **out, dl_error *err)
{
    if (text->json) return read_json(instance, text->name, text->json, out, err);
    if (only_moves(&text->first)) return read_text(instance, text->name, text->data, text->size, out, err);
    return read_csv(instance, text->name, text->data, text->size, out, err);
}

static dl_status write_moves(dl_text *text, int agent, difflns_cell start, const dl_path *path, dl_error *err)
{
    if (path->at[0].row != start.row || path->at[0].col != start.col)
        return dl_fail(err, DIFFLNS_BAD_INPUT,
                       "tracker format: agent %d begins at row %d col %d, expected its start (row %d col %d)", agent,
                       path->at[0].row, path->at[0].col, start.row, start.col);
    int cost = dl_path_cost(path);
    for (int t = 0; t < cost;) {
        char letter = dl_plan_step_letter(path->at[t], path->at[t + 1], "wudlr");
        int run = 0;
        while (t < cost && dl_plan_step_letter(path->at[t], path->at[t + 1], "wudlr") == letter) {
            run++;
            t++;
        }
        assert(run >= 1 && letter); /* jumps were refused before */
        if (run > 1) dl_text_print(text, "%d", run);
        dl_text_add(text, &letter, 1);
    }
    return DIFFLNS_OK;
}

/* The benchmark's scenarios are named MAP-even-3.scen and MAP-random-12.scen; the tracker wants to know which. */
static void name_scenario(const char *scen_name, const char **type, int *id)
{
    static const char *const TYPES[] = {"random", "even"};
    *type = TYPES[0];
    *id = 1;
    for (int i = 0; i < 2; i++) {
        char pattern[16];
        snprintf(pattern, sizeof pattern, "-%s-", TYPES[i]);
        const char *at = strstr(scen_name, pattern);
        for (const char *later; at && (later = strstr(at + 1, pattern)); at = later) {
        }
        int number, length = 0;
        if (at && sscanf(at + strlen(pattern), "%4d%n", &number, &length) == 1 && number > 0 &&
            at[strlen(pattern) + (size_t)length] == '.') {
            *type = TYPES[i];
            *id = number;
        }
    }
}

static bool write_entry(FILE *stream, const dl_instance *instance, const dl_plan *plan, const dl_text *moves)
{
    const char *type;
    int id;
    dl_bounds bounds;
    if (moves->cut || !dl_bounds_of(instance, &bounds)) return false;
    name_scenario(instance->scen_name, &type, &id);
    json_t *entry = json_pack("{s:o, s:s, s:i, s:i, s:s%, s:I, s:I}", "map_name",
                              dl_json_name(instance->map_name, dl_instance_map_stem(instance)), "scen_type", type,
                              "type_id", id, "agents", plan->agents, "solution_plan", moves->data, moves->size,
                              "solution_cost", (json_int_t)dl_plan_soc(plan), "lower_cost", (json_int_t)bounds.soc);
    if (!dl_json_write(stream, entry, JSON_COMPACT)) return false;
    fputc('\n', stream);
    return true;
}

/* The JSON object. A step that is none (a jump) can't be said in this format: BAD_INPUT. */
dl_status dl_plan_tracker_write(FILE *stream, const dl_instance *instance, const dl_plan *plan, dl_error *err)
{
    if (plan->agents > instance->agents)
        return dl_fail(err, DIFFLNS_BAD_INPUT,
                       "tracker format: a plan for %d agents, expected at most the instance's %d", plan->agents,
                       instance->agents);
    DL_TRY(dl_plan_require_steps("tracker", plan, err));
    dl_text text = {0};
    dl_status status = DIFFLNS_OK;
    dl_text_add(&text, "", 0);
    for (int agent = 0; agent < plan->agents && status == DIFFLNS_OK; agent++) {
        if (agent > 0) dl_text_add(&text, "\n", 1);
        difflns_cell start = dl_grid_position(instance->grid, instance->start[agent]);
        status = write_moves(&text, agent, start, &plan->path[agent], err);
    }
    if (status == DIFFLNS_OK && !write_entry(stream, instance, plan, &text)) status = dl_out_of_memory(err);
    dl_text_free(&text);
    return status;
}
