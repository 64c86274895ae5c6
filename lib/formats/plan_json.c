/* Our own JSON plan: {"format": "difflns-plan", "version": 1, ..., "paths": [[[row, col], ...], ...]}. */
#include <string.h>

#include "base/json.h"
#include "formats/plan_format.h"

enum { VERSION = 1 };

/* Other formats are JSON, too, and know themselves; what nobody knows is refused as ours. */
dl_likeness dl_plan_json_likeness(const dl_plan_text *text)
{
    return text->json ? DL_PERHAPS : DL_UNLIKE;
}

static json_t *path_json(const dl_path *path)
{
    json_t *cells = json_array();
    for (int t = 0; cells && t < path->length; t++) {
        if (json_array_append_new(cells, json_pack("[i,i]", path->at[t].row, path->at[t].col)) == 0) continue;
        json_decref(cells);
        cells = NULL;
    }
    return cells;
}

/* A path at a time: all cells as values of jansson would take ten times the memory of the plan. */
static bool write_plan(FILE *stream, const dl_instance *instance, const dl_plan *plan)
{
    json_t *head = json_pack("{s:s, s:i, s:s, s:o, s:i, s:I, s:i}", "format", "difflns-plan", "version", VERSION,
                             "program", "difflns " DIFFLNS_VERSION_STRING, "map",
                             dl_json_name(instance->map_name, strlen(instance->map_name)), "agents", plan->agents,
                             "soc", (json_int_t)dl_plan_soc(plan), "makespan", dl_plan_makespan(plan));
    if (!dl_json_open_list(stream, head, "paths")) return false;
    for (int agent = 0; agent < plan->agents; agent++) {
        fputs(agent ? ",\n" : "\n", stream);
        if (!dl_json_write(stream, path_json(&plan->path[agent]), JSON_COMPACT)) return false;
    }
    fputs("\n]}\n", stream);
    return true;
}

dl_status dl_plan_json_write(FILE *stream, const dl_instance *instance, const dl_plan *plan, dl_error *err)
{
    return write_plan(stream, instance, plan) ? DIFFLNS_OK : dl_out_of_memory(err);
}

static dl_status read_path(const char *name, int agent, const json_t *cells, dl_path *path, dl_error *err)
{
    size_t length = json_array_size(cells);
    if (length < 1 || length > DL_MAX_PATH)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: path of agent %d: expected an array of 1 to %d cells", name, agent,
                       DL_MAX_PATH);
    for (size_t t = 0; t < length; t++) {
        const json_t *cell = json_array_get(cells, t);
        const json_t *row = json_array_get(cell, 0), *col = json_array_get(cell, 1);
        if (json_array_size(cell) != 2 || !json_is_integer(row) || !json_is_integer(col) ||
            json_integer_value(row) != (int32_t)json_integer_value(row) ||
            json_integer_value(col) != (int32_t)json_integer_value(col))
            return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: path of agent %d, time %zu: expected [row, col]", name, agent,
                           t);
        difflns_cell at = {(int32_t)json_integer_value(row), (int32_t)json_integer_value(col)};
        if (!dl_path_append(path, at)) return dl_out_of_memory(err);
    }
    return DIFFLNS_OK;
}

dl_status dl_plan_json_read(const dl_instance *instance, const dl_plan_text *text, dl_plan **out, dl_error *err)
{
    (void)instance;
    const char *name = text->name;
    const json_t *root = text->json;
    const char *format = json_string_value(json_object_get(root, "format"));
    if (!format || strcmp(format, "difflns-plan") != 0)
        return dl_fail(
            err, DIFFLNS_BAD_INPUT,
            "%s: not a plan: expected \"format\": \"difflns-plan\", of the tracker \"solution_plan\", or of PlanViz "
            "\"actionModel\"",
            name);
    const json_t *version = json_object_get(root, "version"), *paths = json_object_get(root, "paths");
    if (!json_is_integer(version) || json_integer_value(version) != VERSION)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: plan of version %lld, expected version %d", name,
                       (long long)json_integer_value(version), VERSION);
    size_t agents = json_array_size(paths);
    if (agents < 1 || agents > DL_MAX_AGENTS)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: expected \"paths\" with 1 to %d paths", name, DL_MAX_AGENTS);
    *out = dl_plan_create((int)agents);
    if (!*out) return dl_out_of_memory(err);
    for (size_t agent = 0; agent < agents; agent++)
        DL_TRY(read_path(name, (int)agent, json_array_get(paths, agent), &(*out)->path[agent], err));
    return DIFFLNS_OK;
}
