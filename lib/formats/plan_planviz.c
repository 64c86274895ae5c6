/* Plans as PlanViz shows them, the log of the League of Robot Runners: {"actionModel": "MAPF", "teamSize": N, "start":
 * [[row, col, "N/A"], ...], "actualPaths": ["R,D,W,...", ...], ...}. In the action model MAPF a letter is a step up,
 * down, left or right, or a wait; in MAPF_T, the league's own, which is read only, F goes forward, R and C turn. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "formats/plan_format.h"
#include "mapf/check.h"

dl_likeness dl_plan_planviz_likeness(const dl_plan_text *text)
{
    return json_object_get(text->json, "actionModel") ? DL_SURELY : DL_UNLIKE;
}

/* ---- reading ---- */

/* The directions in the order of a turn to the right. */
static const struct {
    const char *name;
    int row, col;
} HEADING[4] = {{"E", 0, 1}, {"S", 1, 0}, {"W", 0, -1}, {"N", -1, 0}};

typedef struct robot {
    difflns_cell at;
    int heading; /* of HEADING; -1 = it has none */
} robot;

static bool step_of_letter(char letter, robot *r)
{
    assert(r->heading < 4);
    if (r->heading >= 0) {
        if (letter == 'F') {
            r->at.row += HEADING[r->heading].row;
            r->at.col += HEADING[r->heading].col;
        }
        if (letter == 'R') r->heading = (r->heading + 1) % 4;
        if (letter == 'C') r->heading = (r->heading + 3) % 4;
        return strchr("FRCWT", letter) != NULL;
    }
    r->at.row += (letter == 'D') - (letter == 'U');
    r->at.col += (letter == 'R') - (letter == 'L');
    return strchr("UDLRWT", letter) != NULL;
}

static dl_status read_start(const char *name, int agent, const json_t *start, bool turns, robot *out, dl_error *err)
{
    const json_t *row = json_array_get(start, 0), *col = json_array_get(start, 1);
    const char *heading = json_string_value(json_array_get(start, 2));
    json_int_t most = DL_MAX_SIDE;
    *out = (robot){.heading = -1};
    for (int i = 0; turns && heading && i < 4; i++)
        if (strcmp(heading, HEADING[i].name) == 0) out->heading = i;
    if (!json_is_integer(row) || !json_is_integer(col) || llabs(json_integer_value(row)) > most ||
        llabs(json_integer_value(col)) > most || (turns && out->heading < 0))
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: start of agent %d: expected [row, col%s]", name, agent,
                       turns ? ", \"E\", \"S\", \"W\" or \"N\"" : "");
    out->at = (difflns_cell){(int32_t)json_integer_value(row), (int32_t)json_integer_value(col)};
    return DIFFLNS_OK;
}

static dl_status read_path(const char *name, int agent, const json_t *text, robot r, dl_path *path, dl_error *err)
{
    const char *letters = json_string_value(text);
    if (!letters) return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: path of agent %d: expected a string", name, agent);
    if (!dl_path_append(path, r.at)) return dl_out_of_memory(err);
    for (; *letters; letters++) {
        if (*letters == ',' || *letters == ' ') continue;
        if (path->length == DL_MAX_PATH || !step_of_letter(*letters, &r))
            return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: path of agent %d, time %d: expected %s, found '%c'", name,
                           agent, path->length, r.heading >= 0 ? "F, R, C or W" : "U, D, L, R or W", *letters);
        if (!dl_path_append(path, r.at)) return dl_out_of_memory(err);
    }
    return DIFFLNS_OK;
}

dl_status dl_plan_planviz_read(const dl_instance *instance, const dl_plan_text *text, dl_plan **out, dl_error *err)
{
    (void)instance;
    const char *name = text->name, *model = json_string_value(json_object_get(text->json, "actionModel"));
    const json_t *starts = json_object_get(text->json, "start"), *paths = json_object_get(text->json, "actualPaths");
    bool turns = model && strcmp(model, "MAPF_T") == 0;
    if (!model || (!turns && strcmp(model, "MAPF") != 0))
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: \"actionModel\": expected \"MAPF\" or \"MAPF_T\"", name);
    size_t agents = json_array_size(paths);
    if (agents < 1 || agents > DL_MAX_AGENTS || json_array_size(starts) != agents)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: expected as many of \"start\" as of \"actualPaths\", 1 to %d", name,
                       DL_MAX_AGENTS);
    *out = dl_plan_create((int)agents);
    if (!*out) return dl_out_of_memory(err);
    for (int agent = 0; agent < (int)agents; agent++) {
        robot r;
        DL_TRY(read_start(name, agent, json_array_get(starts, (size_t)agent), turns, &r, err));
        DL_TRY(read_path(name, agent, json_array_get(paths, (size_t)agent), r, &(*out)->path[agent], err));
    }
    return DIFFLNS_OK;
}

/* ---- writing ---- */

/* More errors than this make PlanViz's list useless and the file large. */
enum { MOST_ERRORS = 10000 };

/* All paths are as long as the plan. Letters need no escaping. */
static void write_paths(FILE *stream, const char *name, const dl_plan *plan)
{
    int makespan = dl_plan_makespan(plan);
    fprintf(stream, ",\n \"%s\": [", name);
    for (int agent = 0; agent < plan->agents; agent++) {
        const dl_path *path = &plan->path[agent];
        fputs(agent ? ",\n  \"" : "\n  \"", stream);
        for (int t = 1; t <= makespan; t++)
            fprintf(stream, t > 1 ? ",%c" : "%c",
                    dl_plan_step_letter(dl_path_at(path, t - 1), dl_path_at(path, t), "WUDLR"));
        fputc('"', stream);
    }
    fputs("\n ]", stream);
}

static void write_errors(FILE *stream, const difflns_violation *list, size_t count)
{
    static const char *const NAME[] = {[DIFFLNS_VERTEX] = "vertex conflict", [DIFFLNS_SWAP] = "edge conflict"};
    const char *comma = "\n  ";
    fputs(",\n \"errors\": [", stream);
    for (size_t i = 0; i < count; i++) {
        if (list[i].kind != DIFFLNS_VERTEX && list[i].kind != DIFFLNS_SWAP) continue;
        fprintf(stream, "%s[%d, %d, %d, \"%s\"]", comma, list[i].agent, list[i].other, list[i].time,
                NAME[list[i].kind]);
        comma = ",\n  ";
    }
    fputs("]", stream);
}

/* Everybody has one task: to be where the path ends. */
static void write_tasks(FILE *stream, const dl_plan *plan)
{
    fputs(",\n \"events\": [", stream);
    for (int agent = 0; agent < plan->agents; agent++)
        fprintf(stream, "%s[[%d, 0, \"assigned\"], [%d, %d, \"finished\"]]", agent ? ",\n  " : "\n  ", agent, agent,
                dl_path_cost(&plan->path[agent]));
    fputs("\n ],\n \"tasks\": [", stream);
    for (int agent = 0; agent < plan->agents; agent++) {
        difflns_cell end = plan->path[agent].at[plan->path[agent].length - 1];
        fprintf(stream, "%s[%d, %d, %d]", agent ? ", " : "", agent, end.row, end.col);
    }
    fputs("]", stream);
}

dl_status dl_plan_planviz_write(FILE *stream, const dl_instance *instance, const dl_plan *plan, dl_error *err)
{
    DL_TRY(dl_plan_require_steps("planviz", plan, err));
    dl_check_result check;
    size_t listed = 0;
    difflns_violation *list = DL_ARRAY(difflns_violation, MOST_ERRORS);
    if (!list || !dl_check(instance, plan, &check, list, MOST_ERRORS, &listed)) {
        free(list);
        return dl_out_of_memory(err);
    }
    fprintf(stream,
            "{\"actionModel\": \"MAPF\", \"version\": \"2023 LoRR\", \"AllValid\": \"%s\", \"teamSize\": %d,\n "
            "\"start\": [",
            check.violations ? "No" : "Yes", plan->agents);
    for (int agent = 0; agent < plan->agents; agent++) {
        difflns_cell at = plan->path[agent].at[0];
        fprintf(stream, "%s[%d, %d, \"N/A\"]", agent ? ", " : "", at.row, at.col);
    }
    fprintf(stream, "],\n \"numTaskFinished\": %d, \"sumOfCost\": %lld, \"makespan\": %d", plan->agents,
            (long long)check.soc, check.makespan);
    write_paths(stream, "actualPaths", plan);
    write_paths(stream, "plannerPaths", plan);
    fputs(",\n \"plannerTimes\": []", stream);
    write_errors(stream, list, listed);
    write_tasks(stream, plan);
    fputs("}\n", stream);
    free(list);
    return DIFFLNS_OK;
}
