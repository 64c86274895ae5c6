#include "formats/plan_io.h"

#include <assert.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/output.h"
#include "formats/plan_format.h"

static bool begins_json(const dl_lines *line)
{
    size_t at = 0;
    while (at < line->length && (line->text[at] == ' ' || line->text[at] == '\t')) at++;
    return at < line->length && (line->text[at] == '{' || line->text[at] == '[');
}

static dl_status parse_text(const dl_instance *instance, const dl_plan_text *text, dl_plan **out, dl_error *err)
{
    const dl_plan_format *format = dl_plan_format_of(text);
    if (format) {
        dl_status status = format->read(instance, text, out, err);
        assert(status != DIFFLNS_OK || *out);
        if (status == DIFFLNS_OK) return DIFFLNS_OK;
        dl_plan_free(*out);
        *out = NULL;
        return status;
    }
    char looks[DL_PLAN_LOOKS];
    dl_plan_format_looks(looks);
    return dl_fail(err, DIFFLNS_BAD_INPUT, "%s:%d: not a plan: expected %s, found %s", text->name, text->first.number,
                   looks, dl_scan_found(text->first.text, text->first.text + text->first.length).text);
}

dl_status dl_plan_parse(const dl_instance *instance, const char *name, const char *data, size_t size,
                        difflns_order order, dl_plan **out, dl_error *err)
{
    *out = NULL;
    dl_plan_text text = {.name = name, .first = dl_lines_begin(data, size), .order = order};
    text.data = text.first.next; /* after a byte-order mark */
    text.size = (size_t)(text.first.end - text.data);
    if (!dl_lines_next_full(&text.first))
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: the file is empty: expected a plan", name);
    if (!begins_json(&text.first)) return parse_text(instance, &text, out, err);
    json_error_t where;
    json_t *root;
    dl_status status = dl_json_parse(text.data, text.size, &root, &where);
    if (status == DIFFLNS_OUT_OF_MEMORY) return dl_out_of_memory(err);
    if (status != DIFFLNS_OK)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s:%d: not JSON: %s", name, where.line, where.text);
    text.json = root;
    status = parse_text(instance, &text, out, err);
    json_decref(root);
    return status;
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
    const dl_plan_format *row = dl_plan_format_at((int)format);
    if (row) return row->write(stream, instance, plan, err);
    return dl_fail(err, DIFFLNS_BAD_INPUT, "plan format %d: expected one of %s", (int)format, DL_PLAN_FORMATS);
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
