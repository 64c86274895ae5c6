#include "formats/pogema.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/json.h"
#include "base/lines.h"
#include "base/memory.h"

struct dl_pogema {
    const char *name;
    yaml_document_t document;
    yaml_node_t *root; /* a mapping */
};

bool dl_pogema_looks_like(const char *data, size_t size)
{
    dl_lines lines = dl_lines_begin(data, size);
    if (!dl_lines_next_full(&lines)) return false;
    const char *p = lines.text, *end = lines.text + lines.length;
    return !dl_scan_text(&p, end, "type ") && !dl_scan_text(&p, end, "version ") && memchr(data, ':', size);
}

/* libyaml takes quadratic time on lists in lists in lists; a real file has four levels. Brackets in comments count too,
 * which does no harm. Returns the line where it becomes too deep, or 0. */
static int too_deep(const char *data, size_t size)
{
    enum { DEEPEST = 64 };
    int depth = 0, line = 1;
    for (size_t i = 0; i < size; i++) {
        line += data[i] == '\n';
        if ((data[i] == '[' || data[i] == '{') && ++depth > DEEPEST) return line;
        if ((data[i] == ']' || data[i] == '}') && depth > 0) depth--;
    }
    return 0;
}

dl_status dl_pogema_parse(const char *name, const char *data, size_t size, dl_pogema **out, dl_error *err)
{
    *out = NULL;
    int deep = too_deep(data, size);
    if (deep)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s:%d: lists within lists too deep, expected a POGEMA file", name,
                       deep);
    dl_pogema *file = DL_NEW(dl_pogema);
    yaml_parser_t parser;
    if (!file || !yaml_parser_initialize(&parser)) {
        free(file);
        return dl_out_of_memory(err);
    }
    file->name = name;
    yaml_parser_set_input_string(&parser, (const unsigned char *)data, size);
    dl_status status = DIFFLNS_OK;
    if (yaml_parser_load(&parser, &file->document)) {
        file->root = yaml_document_get_root_node(&file->document);
        if (!file->root || file->root->type != YAML_MAPPING_NODE) {
            status =
                dl_fail(err, DIFFLNS_BAD_INPUT,
                        "%s:1: expected a MovingAI file, or YAML that maps names to maps or scenarios (POGEMA)", name);
            yaml_document_delete(&file->document);
        }
    } else if (parser.error == YAML_MEMORY_ERROR || !parser.problem) { /* it has a word for every other problem */
        status = dl_out_of_memory(err);
    } else {
        status =
            dl_fail(err, DIFFLNS_BAD_INPUT, "%s:%zu: not YAML: %s", name, parser.problem_mark.line + 1, parser.problem);
    }
    yaml_parser_delete(&parser);
    if (status != DIFFLNS_OK) {
        free(file);
        return status;
    }
    *out = file;
    return DIFFLNS_OK;
}

void dl_pogema_free(dl_pogema *file)
{
    if (!file) return;
    yaml_document_delete(&file->document);
    free(file);
}

/* ---- Walking the document ------------------------------------------------------------------------------------- */

static yaml_node_t *node_at(const dl_pogema *file, int index)
{
    return yaml_document_get_node((yaml_document_t *)&file->document, index); /* reads only */
}

static int line_of(const yaml_node_t *node)
{
    return (int)node->start_mark.line + 1;
}

static bool is_text(const yaml_node_t *node, const char *text)
{
    return node->type == YAML_SCALAR_NODE && node->data.scalar.length == strlen(text) &&
           memcmp(node->data.scalar.value, text, strlen(text)) == 0;
}

static char *copy_text(const yaml_node_t *node)
{
    char *copy = dl_malloc(node->data.scalar.length + 1);
    if (!copy) return NULL;
    memcpy(copy, node->data.scalar.value, node->data.scalar.length);
    copy[node->data.scalar.length] = 0;
    return copy;
}

static dl_found shown(const yaml_node_t *node)
{
    const char *text = (const char *)node->data.scalar.value;
    return dl_scan_found(text, text + node->data.scalar.length);
}

static yaml_node_t *value_of(const dl_pogema *file, const yaml_node_t *mapping, const char *key)
{
    if (mapping->type != YAML_MAPPING_NODE) return NULL;
    for (yaml_node_pair_t *pair = mapping->data.mapping.pairs.start; pair < mapping->data.mapping.pairs.top; pair++)
        if (is_text(node_at(file, pair->key), key)) return node_at(file, pair->value);
    return NULL;
}

/* The one entry that is asked for by name, or the only one there is. */
typedef struct choice {
    const char *wanted;
    yaml_node_t *key, *value; /* the entry; key is NULL for a scenario that is the whole file */
    yaml_node_t *first;       /* the name of the first entry, for messages */
    int count;
} choice;

static void offer(choice *chosen, yaml_node_t *key, yaml_node_t *value)
{
    if (key && key->type != YAML_SCALAR_NODE) return;
    if (chosen->count++ == 0) chosen->first = key;
    if (chosen->value) return;
    if (chosen->wanted ? key && is_text(key, chosen->wanted) : chosen->count == 1) {
        chosen->key = key;
        chosen->value = value;
    }
}

/* The entry, or NULL and a message that helps to choose. */
static const yaml_node_t *decide(const dl_pogema *file, const choice *chosen, const char *what, dl_error *err)
{
    if (chosen->value && (chosen->wanted || chosen->count == 1)) return chosen->value;
    /* The first entry has no name when the file is one scenario. */
    dl_found example = {"(the file is one, without a name)"};
    if (chosen->first) example = shown(chosen->first);
    if (chosen->count == 0)
        dl_fail(err, DIFFLNS_BAD_INPUT, "%s: no POGEMA %s in this file, expected one", file->name, what);
    else if (!chosen->wanted)
        dl_fail(err, DIFFLNS_BAD_INPUT, "%s: %d %ss, expected the name of one, such as %s", file->name, chosen->count,
                what, example.text);
    else
        dl_fail(err, DIFFLNS_BAD_INPUT, "%s: no %s called %s, expected a name such as %s", file->name, what,
                dl_scan_found(chosen->wanted, chosen->wanted + strlen(chosen->wanted)).text, example.text);
    return NULL;
}

/* ---- Maps ----------------------------------------------------------------------------------------------------- */

/* A string that is meant as a map: a block of lines, or the one that is asked for, or letters with floor or wall among
 * them; settings such as "on_target: nothing" or "density: 0.3" are strings too. */
static bool is_map(const yaml_node_t *key, const yaml_node_t *node, const char *wanted)
{
    if (node->type != YAML_SCALAR_NODE) return false;
    const char *text = (const char *)node->data.scalar.value;
    size_t length = node->data.scalar.length;
    return memchr(text, '\n', length) || (wanted && is_text(key, wanted)) ||
           (strcspn(text, ".#") < length && strcspn(text, "0123456789/-_:") == length);
}

enum { LETTERS = 26 };

typedef struct drawing {
    difflns_cell start[LETTERS], goal[LETTERS]; /* row -1 = not drawn */
    bool possible;                              /* one of @ $ ! was drawn */
    int agents;                                 /* letters drawn, starts and goals together */
} drawing;

static dl_status draw_agent(const char *name, int line, int col, char letter, difflns_cell at, drawing *seen,
                            dl_error *err)
{
    bool is_goal = letter >= 'A' && letter <= 'Z';
    difflns_cell *cell = is_goal ? &seen->goal[letter - 'A'] : &seen->start[letter - 'a'];
    if (cell->row >= 0)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s:%d:%d: '%c' appears twice, expected one %s for each agent", name,
                       line, col, letter, is_goal ? "goal" : "start");
    *cell = at;
    seen->agents++;
    return DIFFLNS_OK;
}

static dl_status draw_row(const char *name, int line, int row, const char *letters, int width, uint8_t *blocked,
                          drawing *seen, dl_error *err)
{
    for (int col = 0; col < width; col++) {
        char letter = letters[col];
        blocked[col] = letter == '#';
        if (letter == '.' || letter == '#') continue;
        if ((letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z')) {
            DL_TRY(draw_agent(name, line, col + 1, letter, (difflns_cell){row, col}, seen, err));
        } else if (letter == '@' || letter == '$' || letter == '!') {
            seen->possible = true;
        } else {
            return dl_fail(err, DIFFLNS_BAD_INPUT,
                           "%s:%d:%d: unknown cell letter %s, expected one of . # a-z A-Z @ $ !", name, line, col + 1,
                           dl_scan_found(letters + col, letters + col + 1).text);
        }
    }
    if (seen->possible && seen->agents > 0)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s:%d: letters of agents and @ $ ! in one map, expected only one kind",
                       name, line);
    return DIFFLNS_OK;
}

/* Agents in the order of their letters. */
static dl_status drawn_tasks(const char *name, int line, const drawing *seen, dl_task **tasks, int *count,
                             dl_error *err)
{
    *tasks = DL_ARRAY(dl_task, LETTERS);
    if (!*tasks) return dl_out_of_memory(err);
    for (int i = 0; i < LETTERS; i++) {
        if (seen->start[i].row < 0 && seen->goal[i].row < 0) continue;
        if (seen->start[i].row < 0 || seen->goal[i].row < 0)
            return dl_fail(err, DIFFLNS_BAD_INPUT,
                           "%s:%d: '%c' without '%c', expected a start and a goal for each agent", name, line,
                           (seen->start[i].row < 0 ? 'A' : 'a') + i, (seen->start[i].row < 0 ? 'a' : 'A') + i);
        (*tasks)[(*count)++] = (dl_task){.start = seen->start[i], .goal = seen->goal[i], .line = line};
    }
    return DIFFLNS_OK;
}

static dl_status draw(const char *name, const yaml_node_t *node, dl_grid **grid, drawing *seen, dl_error *err)
{
    const char *text = (const char *)node->data.scalar.value, *end = text + node->data.scalar.length;
    /* Rows of a block string have lines of their own; in a quoted string all that is known is where it begins. */
    int first = line_of(node), step = node->data.scalar.style == YAML_LITERAL_SCALAR_STYLE ? 1 : 0;
    int height = 0, width = 0, capacity = 0;
    uint8_t *blocked = NULL;
    dl_status status = DIFFLNS_OK;
    dl_lines lines = dl_lines_begin(text, (size_t)(end - text));
    while (status == DIFFLNS_OK && dl_lines_next_full(&lines)) {
        const char *cursor = lines.text, *row;
        size_t length;
        while (status == DIFFLNS_OK && dl_scan_field(&cursor, lines.text + lines.length, &row, &length)) {
            int line = first + step * lines.number;
            if (height == 0 && length <= DL_MAX_SIDE) width = (int)length;
            if (length != (size_t)width || height == DL_MAX_SIDE) {
                status = height == DL_MAX_SIDE || height == 0
                             ? dl_fail(err, DIFFLNS_BAD_INPUT, "%s:%d: expected a map of at most %d rows and columns",
                                       name, line, DL_MAX_SIDE)
                             : dl_fail(err, DIFFLNS_BAD_INPUT, "%s:%d: row %d has %zu cells, expected %d", name, line,
                                       height, length, width);
                break;
            }
            if (!DL_GROW(blocked, capacity, (height + 1) * width)) {
                status = dl_out_of_memory(err);
                break;
            }
            status = draw_row(name, line, height, row, width, blocked + (size_t)height * (size_t)width, seen, err);
            height++;
        }
    }
    if (status == DIFFLNS_OK && height == 0)
        status = dl_fail(err, DIFFLNS_BAD_INPUT, "%s:%d: the map is empty, expected rows of . and #", name, first);
    if (status == DIFFLNS_OK) status = dl_grid_create(height, width, blocked, grid, err);
    free(blocked);
    return status;
}

dl_status dl_pogema_read_map(const dl_pogema *file, const char *wanted, dl_grid **grid, char **found, dl_task **tasks,
                             int *count, dl_error *err)
{
    *grid = NULL;
    *found = NULL;
    *tasks = NULL;
    *count = 0;
    choice chosen = {.wanted = wanted};
    const yaml_node_t *root = file->root;
    for (yaml_node_pair_t *pair = root->data.mapping.pairs.start; pair < root->data.mapping.pairs.top; pair++)
        if (is_map(node_at(file, pair->key), node_at(file, pair->value), wanted))
            offer(&chosen, node_at(file, pair->key), node_at(file, pair->value));
    const yaml_node_t *map = decide(file, &chosen, "map", err);
    if (!map) return DIFFLNS_BAD_INPUT;
    drawing seen = {0};
    for (int i = 0; i < LETTERS; i++) seen.start[i].row = seen.goal[i].row = -1;
    dl_status status = draw(file->name, map, grid, &seen, err);
    if (status == DIFFLNS_OK && seen.agents > 0)
        status = drawn_tasks(file->name, line_of(map), &seen, tasks, count, err);
    if (status == DIFFLNS_OK) {
        *found = copy_text(chosen.key);
        if (*found) return DIFFLNS_OK;
        status = dl_out_of_memory(err);
    }
    dl_grid_free(*grid);
    free(*tasks);
    *grid = NULL;
    *tasks = NULL;
    *count = 0;
    return status;
}

/* ---- Scenarios ------------------------------------------------------------------------------------------------ */

static bool read_coordinate(const dl_pogema *file, int index, int32_t *out)
{
    const yaml_node_t *node = node_at(file, index);
    if (node->type != YAML_SCALAR_NODE) return false;
    const char *p = (const char *)node->data.scalar.value, *end = p + node->data.scalar.length;
    long value;
    if (!dl_scan_int(&p, end, INT32_MIN, INT32_MAX, &value) || p != end) return false;
    *out = (int32_t)value;
    return true;
}

static dl_status read_cell(const dl_pogema *file, const char *key, int agent, const yaml_node_t *pair,
                           difflns_cell *cell, dl_error *err)
{
    if (pair->type == YAML_SEQUENCE_NODE && pair->data.sequence.items.top - pair->data.sequence.items.start == 2 &&
        read_coordinate(file, pair->data.sequence.items.start[0], &cell->row) &&
        read_coordinate(file, pair->data.sequence.items.start[1], &cell->col))
        return DIFFLNS_OK;
    return dl_fail(err, DIFFLNS_BAD_INPUT, "%s:%d: %s of agent %d: expected [row, col]", file->name, line_of(pair), key,
                   agent);
}

/* The lists of starts and of goals, as long as each other. */
static dl_status find_lists(const dl_pogema *file, const yaml_node_t *scenario, const yaml_node_item_t **start,
                            const yaml_node_item_t **goal, int *count, dl_error *err)
{
    *start = *goal = NULL;
    *count = 0;
    const yaml_node_t *agents = value_of(file, scenario, "agents_xy"),
                      *targets = value_of(file, scenario, "targets_xy");
    if (agents->type != YAML_SEQUENCE_NODE || !targets || targets->type != YAML_SEQUENCE_NODE)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s:%d: expected lists agents_xy and targets_xy of [row, col]",
                       file->name, line_of(scenario));
    *start = agents->data.sequence.items.start;
    *goal = targets->data.sequence.items.start;
    ptrdiff_t starts = agents->data.sequence.items.top - *start, goals = targets->data.sequence.items.top - *goal;
    if (starts != goals || starts < 1 || starts > DL_MAX_AGENTS)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s:%d: %td starts and %td goals, expected as many of both, 1 to %d",
                       file->name, line_of(agents), starts, goals, DL_MAX_AGENTS);
    *count = (int)starts;
    return DIFFLNS_OK;
}

static dl_status read_tasks(const dl_pogema *file, const yaml_node_t *scenario, dl_task **tasks, int *count,
                            dl_error *err)
{
    const yaml_node_item_t *start, *goal;
    int starts;
    DL_TRY(find_lists(file, scenario, &start, &goal, &starts, err));
    *tasks = DL_ARRAY(dl_task, starts);
    if (!*tasks) return dl_out_of_memory(err);
    for (int i = 0; i < starts; i++) {
        const yaml_node_t *from = node_at(file, start[i]), *to = node_at(file, goal[i]);
        (*tasks)[i].line = line_of(from);
        DL_TRY(read_cell(file, "agents_xy", i, from, &(*tasks)[i].start, err));
        DL_TRY(read_cell(file, "targets_xy", i, to, &(*tasks)[i].goal, err));
    }
    *count = starts;
    return DIFFLNS_OK;
}

/* Scenarios among the entries of a mapping are those that say where the agents are. */
static void offer_scenarios(const dl_pogema *file, const yaml_node_t *mapping, choice *chosen)
{
    if (mapping->type != YAML_MAPPING_NODE) return;
    for (yaml_node_pair_t *pair = mapping->data.mapping.pairs.start; pair < mapping->data.mapping.pairs.top; pair++)
        if (value_of(file, node_at(file, pair->value), "agents_xy"))
            offer(chosen, node_at(file, pair->key), node_at(file, pair->value));
}

static const yaml_node_t *find_scenario(const dl_pogema *file, const char *wanted, dl_error *err)
{
    choice chosen = {.wanted = wanted};
    if (value_of(file, file->root, "agents_xy")) offer(&chosen, NULL, file->root);
    offer_scenarios(file, file->root, &chosen);
    const yaml_node_t *scenarios = value_of(file, file->root, "scenarios");
    if (scenarios) offer_scenarios(file, scenarios, &chosen);
    return decide(file, &chosen, "scenario", err);
}

dl_status dl_pogema_read_scenario(const dl_pogema *file, const char *wanted, char **map_name, dl_task **tasks,
                                  int *count, dl_error *err)
{
    *map_name = NULL;
    *tasks = NULL;
    *count = 0;
    const yaml_node_t *scenario = find_scenario(file, wanted, err);
    if (!scenario) return DIFFLNS_BAD_INPUT;
    dl_status status = read_tasks(file, scenario, tasks, count, err);
    const yaml_node_t *map = value_of(file, scenario, "map_name");
    if (status == DIFFLNS_OK && map && map->type == YAML_SCALAR_NODE) {
        *map_name = copy_text(map);
        if (!*map_name) status = dl_out_of_memory(err);
    }
    if (status == DIFFLNS_OK) return DIFFLNS_OK;
    free(*tasks);
    *tasks = NULL;
    *count = 0;
    return status;
}

/* ---- Lifelong scenarios ----------------------------------------------------------------------------------------- */

/* A goal is a list of two numbers; a queue is a list of goals. */
static bool is_queue(const dl_pogema *file, const yaml_node_t *node)
{
    if (node->type != YAML_SEQUENCE_NODE || node->data.sequence.items.start == node->data.sequence.items.top)
        return false;
    return node_at(file, node->data.sequence.items.start[0])->type == YAML_SEQUENCE_NODE;
}

static dl_status read_queue(const dl_pogema *file, int agent, const yaml_node_t *node, dl_queues *out, int *room,
                            dl_error *err)
{
    bool queue = is_queue(file, node);
    ptrdiff_t count = queue ? node->data.sequence.items.top - node->data.sequence.items.start : 1;
    int at = out->first[agent];
    if (count > INT32_MAX - at || !DL_GROW(out->goal, *room, at + (int)count)) return dl_out_of_memory(err);
    for (ptrdiff_t i = 0; i < count; i++) {
        const yaml_node_t *pair = queue ? node_at(file, node->data.sequence.items.start[i]) : node;
        DL_TRY(read_cell(file, "targets_xy", agent, pair, &out->goal[at + i], err));
    }
    out->first[agent + 1] = at + (int32_t)count;
    return DIFFLNS_OK;
}

static dl_status read_queues(const dl_pogema *file, const yaml_node_t *scenario, dl_queues *out, dl_error *err)
{
    const yaml_node_item_t *start, *goal;
    int room = 0;
    DL_TRY(find_lists(file, scenario, &start, &goal, &out->agents, err));
    out->start = DL_ARRAY(difflns_cell, out->agents);
    out->first = DL_ARRAY(int32_t, out->agents + 1);
    if (!out->start || !out->first) return dl_out_of_memory(err);
    for (int i = 0; i < out->agents; i++) {
        DL_TRY(read_cell(file, "agents_xy", i, node_at(file, start[i]), &out->start[i], err));
        DL_TRY(read_queue(file, i, node_at(file, goal[i]), out, &room, err));
    }
    return DIFFLNS_OK;
}

dl_status dl_pogema_read_queues(const dl_pogema *file, const char *wanted, dl_queues *out, dl_error *err)
{
    *out = (dl_queues){0};
    const yaml_node_t *scenario = find_scenario(file, wanted, err);
    if (!scenario) return DIFFLNS_BAD_INPUT;
    dl_status status = read_queues(file, scenario, out, err);
    if (status != DIFFLNS_OK) dl_queues_free(out);
    return status;
}

void dl_queues_free(dl_queues *queues)
{
    free(queues->start);
    free(queues->first);
    free(queues->goal);
    *queues = (dl_queues){0};
}

/* ---- Writing -------------------------------------------------------------------------------------------------- */

/* A JSON string, which YAML reads too. */
static bool write_name(FILE *stream, const dl_instance *instance)
{
    return dl_json_write(stream, dl_json_name(instance->map_name, dl_instance_map_stem(instance)), 0);
}

bool dl_pogema_write_map(FILE *stream, const dl_instance *instance)
{
    const dl_grid *grid = instance->grid;
    if (!write_name(stream, instance)) return false;
    fputs(": |-\n", stream);
    for (int row = 0; row < grid->height; row++) {
        fputs("  ", stream);
        for (int col = 0; col < grid->width; col++) fputc(grid->blocked[row * grid->width + col] ? '#' : '.', stream);
        fputc('\n', stream);
    }
    return true;
}

static void write_list(FILE *stream, const char *key, const dl_instance *instance, const dl_cell *cells)
{
    fprintf(stream, "    %s: [", key);
    for (int agent = 0; agent < instance->agents; agent++) {
        difflns_cell at = dl_grid_position(instance->grid, cells[agent]);
        fprintf(stream, "%s[%d, %d]", agent ? ", " : "", at.row, at.col);
    }
    fputs("]\n", stream);
}

bool dl_pogema_write_scenario(FILE *stream, const dl_instance *instance)
{
    fputs("scenarios:\n  Scenario-000:\n", stream);
    write_list(stream, "agents_xy", instance, instance->start);
    write_list(stream, "targets_xy", instance, instance->goal);
    fputs("    map_name: ", stream);
    if (!write_name(stream, instance)) return false;
    fputs("\n    seed: 0\n", stream);
    return true;
}
