#include "mapf/plan_json.h"

#include <string.h>

#include "mapf/quote.h"

bool dl_plan_json_write(FILE *stream, const dl_instance *instance, const dl_plan *plan)
{
    fprintf(stream, "{\"format\": \"difflns-plan\", \"version\": %d, \"program\": \"difflns %s\",\n \"map\": ",
            DL_PLAN_JSON_VERSION, DIFFLNS_VERSION_STRING);
    if (!dl_write_quoted(stream, instance->map_name, strlen(instance->map_name))) return false;
    fprintf(stream, ", \"agents\": %d, \"soc\": %lld, \"makespan\": %d,\n \"paths\": [", plan->agents,
            (long long)dl_plan_soc(plan), dl_plan_makespan(plan));
    for (int agent = 0; agent < plan->agents; agent++) {
        const dl_path *path = &plan->path[agent];
        fputs(agent ? ",\n  [" : "\n  [", stream);
        for (int t = 0; t < path->length; t++)
            fprintf(stream, "%s[%d,%d]", t ? "," : "", path->at[t].row, path->at[t].col);
        fputc(']', stream);
    }
    fputs("\n ]}\n", stream);
    return true;
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

dl_status dl_plan_json_read(const char *name, const json_t *root, dl_plan **out, dl_error *err)
{
    *out = NULL;
    const char *format = json_string_value(json_object_get(root, "format"));
    if (!format || strcmp(format, "difflns-plan") != 0)
        return dl_fail(err, DIFFLNS_BAD_INPUT,
                       "%s: not a plan: expected \"format\": \"difflns-plan\" or, of the tracker, \"solution_plan\"",
                       name);
    const json_t *version = json_object_get(root, "version"), *paths = json_object_get(root, "paths");
    if (!json_is_integer(version) || json_integer_value(version) != DL_PLAN_JSON_VERSION)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: plan of version %lld, expected version %d", name,
                       (long long)json_integer_value(version), DL_PLAN_JSON_VERSION);
    size_t agents = json_array_size(paths);
    if (agents < 1 || agents > DL_MAX_AGENTS)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: expected \"paths\" with 1 to %d paths", name, DL_MAX_AGENTS);
    dl_plan *plan = dl_plan_create((int)agents);
    if (!plan) return dl_out_of_memory(err);
    dl_status status = DIFFLNS_OK;
    for (size_t agent = 0; agent < agents && status == DIFFLNS_OK; agent++)
        status = read_path(name, (int)agent, json_array_get(paths, agent), &plan->path[agent], err);
    if (status != DIFFLNS_OK) {
        dl_plan_free(plan);
        return status;
    }
    *out = plan;
    return DIFFLNS_OK;
}
