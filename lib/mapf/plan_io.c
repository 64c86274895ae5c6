#include "mapf/plan_io.h"

#include <jansson.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/lines.h"
#include "base/output.h"
#include "mapf/plan_json.h"
#include "mapf/plan_paths.h"
#include "mapf/plan_result.h"
#include "mapf/plan_tracker.h"

/* Ours and the tracker's plans are both JSON; the keys tell. */
static dl_status parse_json(const dl_instance *instance, const char *name, const char *data, size_t size, dl_plan **out,
                            dl_error *err)
{
    json_error_t where;
    json_t *root;
    dl_status read = dl_json_parse(data, size, &root, &where);
    if (read == DIFFLNS_OUT_OF_MEMORY) return dl_out_of_memory(err);
    if (read != DIFFLNS_OK) return dl_fail(err, DIFFLNS_BAD_INPUT, "%s:%d: not JSON: %s", name, where.line, where.text);
    const json_t *first = json_is_array(root) ? json_array_get(root, 0) : root;
    dl_status status = json_object_get(first, "solution_plan")
                           ? dl_plan_tracker_read_json(instance, name, root, out, err)
                           : dl_plan_json_read(name, root, out, err);
    json_decref(root);
    return status;
}

/* "agents=3", as the lines of a result file before the plan, or its first time step. */
static bool begins_result(const dl_lines *line)
{
    size_t word = 0;
    while (word < line->length && line->text[word] != '=' && line->text[word] != ':') word++;
    return word > 0 && word < line->length && (line->text[word] == '=' || memcmp(line->text, "0:", 2) == 0);
}

static bool only_moves(const dl_lines *line)
{
    static const char TRACKER[] = "udlrw0123456789";
    for (size_t i = 0; i < line->length; i++)
        if (!line->text[i] || !strchr(TRACKER, line->text[i])) return false;
    return true;
}

dl_status dl_plan_parse(const dl_instance *instance, const char *name, const char *data, size_t size,
                        difflns_order order, dl_plan **out, dl_error *err)
{
    *out = NULL;
    dl_lines line = dl_lines_begin(data, size);
    const char *text = line.next; /* after a byte-order mark */
    size_t length = (size_t)(line.end - text);
    if (!dl_lines_next_full(&line))
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: the file is empty: expected a plan", name);
    const char *p = line.text, *end = line.text + line.length;
    while (p < end && (*p == ' ' || *p == '\t')) p++;
    if (*p == '{' || *p == '[') return parse_json(instance, name, text, length, out, err);
    if (dl_scan_text(&p, end, "Agent")) return dl_plan_paths_read(instance, name, text, length, order, out, err);
    if (begins_result(&line)) return dl_plan_result_read(name, text, length, out, err);
    if (only_moves(&line)) return dl_plan_tracker_read_text(instance, name, text, length, out, err);
    if (memchr(line.text, ',', line.length)) return dl_plan_tracker_read_csv(instance, name, text, length, out, err);
    return dl_fail(
        err, DIFFLNS_BAD_INPUT,
        "%s:%d: not a plan: expected JSON, \"Agent 0:(row,col)->...\", a result file or tracker strings, found %s",
        name, line.number, dl_scan_found(line.text, end).text);
}

dl_status dl_plan_read(const dl_instance *instance, const char *path, difflns_order order, dl_plan **out, dl_error *err)
{
    *out = NULL;
    dl_file file;
    DL_TRY(dl_file_read(path, &file, err));
    dl_status status = dl_plan_parse(instance, path, file.data, file.size, order, out, err);
    dl_file_free(&file);
    return status;
}

dl_status dl_plan_decode(const dl_instance *instance, const char *name, const void *bytes, size_t size,
                         difflns_order order, dl_plan **out, dl_error *err)
{
    *out = NULL;
    dl_file file;
    DL_TRY(dl_file_decode(name, bytes, size, &file, err));
    dl_status status = dl_plan_parse(instance, name, file.data, file.size, order, out, err);
    dl_file_free(&file);
    return status;
}

dl_status dl_plan_print(FILE *stream, const dl_instance *instance, const dl_plan *plan, difflns_format format,
                        dl_error *err)
{
    switch (format) {
    case DIFFLNS_FORMAT_JSON:
        return dl_plan_json_write(stream, instance, plan) ? DIFFLNS_OK : dl_out_of_memory(err);
    case DIFFLNS_FORMAT_PATHS:
        dl_plan_paths_write(stream, plan);
        return DIFFLNS_OK;
    case DIFFLNS_FORMAT_RESULT:
        return dl_plan_result_write(stream, instance, plan) ? DIFFLNS_OK : dl_out_of_memory(err);
    case DIFFLNS_FORMAT_TRACKER:
        return dl_plan_tracker_write(stream, instance, plan, err);
    }
    return dl_fail(err, DIFFLNS_BAD_INPUT, "plan format %d: expected 0 to 3", (int)format);
}

dl_status dl_plan_write(const dl_instance *instance, const dl_plan *plan, difflns_format format, const char *path,
                        dl_error *err)
{
    dl_output out;
    DL_TRY(dl_output_open(&out, path, err));
    dl_status status = dl_plan_print(out.stream, instance, plan, format, err);
    if (status == DIFFLNS_OK) return dl_output_commit(&out, err);
    dl_output_discard(&out);
    return status;
}
