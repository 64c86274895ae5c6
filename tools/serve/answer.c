/* From a line to its answer: what is no request, which operation it is, and whose names stand in its errors. */
#include <stdio.h>
#include <string.h>

#include "serve/request.h"

typedef struct operation {
    const char *name;
    bool needs_fleet;
    const char *fields, *help;
    dl_status (*run)(dl_serve *session, const json_t *request, json_t *answer, dl_error *err);
} operation;

enum { NOTHING, FLEET };
static const operation OPERATIONS[] = {
#define OP(name, needs, fields, help) {#name, needs, fields, help, dl_serve_##name},
#include "serve/ops.def"
};
enum { OPERATION_COUNT = sizeof OPERATIONS / sizeof OPERATIONS[0] };

dl_status dl_serve_help(dl_serve *session, const json_t *request, json_t *answer, dl_error *err)
{
    (void)session, (void)request;
    json_t *ops = json_object();
    for (int i = 0; i < OPERATION_COUNT; i++) {
        const operation *op = &OPERATIONS[i];
        int length = (int)strlen(op->fields) - 2; /* without the blanks around */
        json_t *row = json_pack("{s:s#, s:s}", "fields", op->fields + 1, length > 0 ? length : 0, "help", op->help);
        dl_status status = dl_serve_put(ops, op->name, row, err);
        if (status == DIFFLNS_OK) continue;
        json_decref(ops);
        return status;
    }
    return dl_serve_put(answer, "ops", ops, err);
}

static dl_status find_operation(const json_t *request, const operation **out, dl_error *err)
{
    const char *name = json_string_value(json_object_get(request, "op"));
    for (int i = 0; name && i < OPERATION_COUNT; i++)
        if (strcmp(name, OPERATIONS[i].name) == 0) {
            *out = &OPERATIONS[i];
            return DIFFLNS_OK;
        }
    dl_text names = {0};
    for (int i = 0; i < OPERATION_COUNT; i++)
        dl_text_print(&names, "%s%s", i == 0 ? "" : i + 1 < OPERATION_COUNT ? ", " : " or ", OPERATIONS[i].name);
    if (names.cut)
        dl_out_of_memory(err);
    else
        dl_fail(err, DIFFLNS_BAD_INPUT, "op: expected %s", names.data);
    dl_text_free(&names);
    return err->status;
}

/* A field that is mistyped must not be passed over in silence. */
static dl_status check_fields(const operation *op, const json_t *request, dl_error *err)
{
    const char *field;
    json_t *value;
    json_object_foreach((json_t *)request, field, value)
    {
        char between[64];
        snprintf(between, sizeof between, " %s ", field);
        if (strcmp(field, "op") == 0 || strcmp(field, "id") == 0) continue;
        if (strlen(field) + 2 < sizeof between && !strchr(field, ' ') && strstr(op->fields, between)) continue;
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%.80s: unknown field of %s; expected%sop or id", field, op->name,
                       op->fields);
    }
    return DIFFLNS_OK;
}

/* Messages of the library number robots: "robot 3". A number that has no name is that of a robot about to be added. */
static void name_robots(const dl_serve *session, const json_t *request, dl_error *err)
{
    static const char WORD[] = "robot ";
    char named[sizeof err->message];
    size_t length = 0;
    const char *own = json_string_value(json_object_get(request, "robot"));
    for (const char *c = err->message; *c && length + 1 < sizeof named;) {
        int number, read = 0;
        bool begins = strncmp(c, WORD, sizeof WORD - 1) == 0 && (c == err->message || c[-1] == ' ');
        if (!begins || sscanf(c + sizeof WORD - 1, "%d%n", &number, &read) != 1 || number < 0) {
            named[length++] = *c++;
            continue;
        }
        const char *name = number < session->room ? session->robot[number].name : NULL;
        int more = snprintf(named + length, sizeof named - length, "%s%.80s", WORD, name ? name : own ? own : "?");
        length = length + (size_t)more < sizeof named ? length + (size_t)more : sizeof named - 1;
        c += sizeof WORD - 1 + (size_t)read;
    }
    named[length] = 0;
    memcpy(err->message, named, length + 1);
}

static dl_status perform(dl_serve *session, const json_t *request, json_t *answer, dl_error *err)
{
    const operation *op = NULL;
    DL_TRY(find_operation(request, &op, err));
    DL_TRY(check_fields(op, request, err));
    if (op->needs_fleet && !session->fleet)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: expected a fleet: open one first", op->name);
    dl_status status = op->run(session, request, answer, err);
    if (status == DIFFLNS_BAD_INPUT && session->fleet) name_robots(session, request, err);
    return status;
}

json_t *dl_serve_refusal(const char *message)
{
    return json_pack("{s:b, s:o}", "ok", 0, "error", dl_json_name(message, strlen(message)));
}

json_t *dl_serve_answer(dl_serve *session, const char *line, size_t size)
{
    dl_error err;
    json_t *request;
    json_error_t where;
    dl_status status = dl_json_parse(line, size, &request, &where);
    if (status == DIFFLNS_BAD_INPUT || (status == DIFFLNS_OK && !json_is_object(request))) {
        if (request) json_decref(request);
        dl_fail(&err, status, "expected one JSON object a line, {\"op\": ...}%s%.160s", request ? "" : ": ",
                request ? "" : where.text);
        return dl_serve_refusal(err.message);
    }
    json_t *answer = json_pack("{s:b}", "ok", 1), *id = json_object_get(request, "id");
    if (status == DIFFLNS_OK) status = answer ? perform(session, request, answer, &err) : dl_out_of_memory(&err);
    if (status != DIFFLNS_OK) {
        json_decref(answer);
        answer = dl_serve_refusal(status == DIFFLNS_OUT_OF_MEMORY ? "out of memory" : err.message);
    }
    if (id && answer && json_object_set(answer, "id", id) != 0) {
        json_decref(answer);
        answer = NULL;
    }
    json_decref(request);
    return answer;
}
