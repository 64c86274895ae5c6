/* A plan's dependencies as JSON: {"format": "difflns-dependencies", "version": 1, ..., "paths": [[[row, col], ...],
 * ...], "dependencies": [[agent, step, other, other_step], ...], "rotations": [[[agent, step], ...], ...]}. Written
 * only: they do not say when anybody moves. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "formats/plan_format.h"
#include "order/dependencies.h"

enum { VERSION = 1 };

dl_likeness dl_plan_dependencies_likeness(const dl_plan_text *text)
{
    const char *format = json_string_value(json_object_get(text->json, "format"));
    return format && strcmp(format, "difflns-dependencies") == 0 ? DL_SURELY : DL_UNLIKE;
}

dl_status dl_plan_dependencies_read(const dl_instance *instance, const dl_plan_text *text, dl_plan **out, dl_error *err)
{
    (void)instance;
    *out = NULL;
    return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: dependencies do not say when agents move: expected a plan", text->name);
}

/* One row of a list. Rows are written one by one: no plan is too large for that. False if memory is out. */
static bool write_row(FILE *stream, bool first, json_t *row)
{
    fputs(first ? "\n  " : ",\n  ", stream);
    return dl_json_write(stream, row, JSON_COMPACT);
}

/* Appends [a, b]; on want of memory the row becomes NULL. */
static json_t *with_pair(json_t *row, int a, int b)
{
    if (row && json_array_append_new(row, json_pack("[ii]", a, b)) == 0) return row;
    json_decref(row);
    return NULL;
}

static bool write_paths(FILE *stream, const dl_dependencies *d)
{
    bool whole = true;
    for (int agent = 0; agent < d->agents && whole; agent++) {
        json_t *row = json_array();
        for (int32_t visit = d->first[agent]; visit < d->first[agent + 1] && row; visit++)
            row = with_pair(row, d->cell[visit].row, d->cell[visit].col);
        whole = write_row(stream, agent == 0, row);
    }
    return whole;
}

static bool write_list(FILE *stream, const difflns_dependency *list, int32_t count)
{
    bool whole = true;
    for (int32_t i = 0; i < count && whole; i++)
        whole = write_row(stream, i == 0,
                          json_pack("[iiii]", list[i].agent, list[i].step, list[i].other, list[i].other_step));
    return whole;
}

/* Each rotation once around, in the direction of waiting, from its member of the lowest number. */
static bool write_rotations(FILE *stream, const dl_dependencies *d, bool *written)
{
    bool whole = true, first = true;
    for (int32_t begin = 0; begin < d->first[d->agents] && whole; begin++) {
        if (d->rotation[begin] < 0 || written[d->rotation[begin]]) continue;
        written[d->rotation[begin]] = true;
        json_t *row = json_array();
        int32_t visit = begin;
        do {
            row = with_pair(row, d->agent[visit], dl_dependencies_step(d, visit));
            visit = d->after[visit];
        } while (visit != begin);
        whole = write_row(stream, first, row);
        first = false;
    }
    return whole;
}

static bool write_all(FILE *stream, const dl_instance *instance, const dl_dependencies *d,
                      const difflns_dependency *list, bool *written)
{
    json_t *head = json_pack("{s:s, s:i, s:s, s:o, s:i}", "format", "difflns-dependencies", "version", VERSION,
                             "program", "difflns " DIFFLNS_VERSION_STRING, "map",
                             dl_json_name(instance->map_name, strlen(instance->map_name)), "agents", d->agents);
    if (!dl_json_open_list(stream, head, "paths")) return false;
    if (!write_paths(stream, d)) return false;
    fputs("\n ],\n \"dependencies\": [", stream);
    if (!write_list(stream, list, d->count)) return false;
    fputs(d->count ? "\n ],\n \"rotations\": [" : "],\n \"rotations\": [", stream);
    if (!write_rotations(stream, d, written)) return false;
    fputs(d->rotations ? "\n ]}\n" : "]}\n", stream);
    return true;
}

dl_status dl_plan_dependencies_write(FILE *stream, const dl_instance *instance, const dl_plan *plan, dl_error *err)
{
    dl_dependencies *d;
    DL_TRY(dl_dependencies_create(instance, plan, &d, err));
    difflns_dependency *list = DL_ARRAY(difflns_dependency, d->count);
    bool *written = DL_ARRAY(bool, d->rotations);
    if (list) dl_dependencies_list(d, list);
    bool whole = list && written && write_all(stream, instance, d, list, written);
    free(list);
    free(written);
    dl_dependencies_free(d);
    return whole ? DIFFLNS_OK : dl_out_of_memory(err);
}
