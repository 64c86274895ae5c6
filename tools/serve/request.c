#include "serve/request.h"

dl_status dl_serve_read_cell(const json_t *value, const char *what, difflns_cell *out, dl_error *err)
{
    const json_t *row = json_array_get(value, 0), *col = json_array_get(value, 1);
    json_int_t r = json_is_integer(row) ? json_integer_value(row) : -1;
    json_int_t c = json_is_integer(col) ? json_integer_value(col) : -1;
    if (json_array_size(value) != 2 || r < 0 || c < 0 || r > INT32_MAX || c > INT32_MAX)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%.80s: expected a cell, [row, col]", what);
    *out = (difflns_cell){(int32_t)r, (int32_t)c};
    return DIFFLNS_OK;
}

dl_status dl_serve_read_cells(const json_t *request, const char *field, difflns_cell **out, size_t *count,
                              dl_error *err)
{
    const json_t *list = json_object_get(request, field);
    *out = NULL;
    *count = json_array_size(list);
    if (list && !json_is_array(list))
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: expected a list of cells, [[row, col], ...]", field);
    difflns_cell *cell = DL_ARRAY(difflns_cell, *count);
    if (!cell) return dl_out_of_memory(err);
    for (size_t i = 0; i < *count; i++) {
        dl_status status = dl_serve_read_cell(json_array_get(list, i), field, &cell[i], err);
        if (status == DIFFLNS_OK) continue;
        free(cell);
        return status;
    }
    *out = cell;
    return DIFFLNS_OK;
}

dl_status dl_serve_read_whole(const json_t *request, const char *field, int64_t low, int64_t high, int64_t *out,
                              dl_error *err)
{
    const json_t *value = json_object_get(request, field);
    if (!value) return DIFFLNS_OK;
    if (!json_is_integer(value) || json_integer_value(value) < low || json_integer_value(value) > high)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: expected a whole number from %lld to %lld", field, (long long)low,
                       (long long)high);
    *out = json_integer_value(value);
    return DIFFLNS_OK;
}

dl_status dl_serve_read_real(const json_t *request, const char *field, double high, double *out, dl_error *err)
{
    const json_t *value = json_object_get(request, field);
    if (!value) return DIFFLNS_OK;
    if (!json_is_number(value) || json_number_value(value) < 0 || json_number_value(value) > high)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: expected a number from 0 to %g", field, high);
    *out = json_number_value(value);
    return DIFFLNS_OK;
}

dl_status dl_serve_read_flag(const json_t *request, const char *field, bool *out, dl_error *err)
{
    const json_t *value = json_object_get(request, field);
    if (value && !json_is_boolean(value)) return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: expected true or false", field);
    if (value) *out = json_is_true(value);
    return DIFFLNS_OK;
}

dl_status dl_serve_read_text(const json_t *request, const char *field, const char **out, dl_error *err)
{
    const json_t *value = json_object_get(request, field);
    if (value && json_string_length(value) == 0)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: expected a text that is not empty", field);
    if (value) *out = json_string_value(value);
    return DIFFLNS_OK;
}

dl_status dl_serve_find_robot(const dl_serve *session, const char *name, int *out, dl_error *err)
{
    const json_t *number = json_object_get(session->number, name);
    if (!number) return dl_fail(err, DIFFLNS_BAD_INPUT, "%.80s: expected the name of a robot that was added", name);
    *out = (int)json_integer_value(number);
    return DIFFLNS_OK;
}

dl_status dl_serve_read_robot(const dl_serve *session, const json_t *request, int *out, dl_error *err)
{
    const char *name = NULL;
    DL_TRY(dl_serve_read_text(request, "robot", &name, err));
    if (!name) return dl_fail(err, DIFFLNS_BAD_INPUT, "robot: expected the name of a robot");
    return dl_serve_find_robot(session, name, out, err);
}

dl_status dl_serve_put(json_t *answer, const char *field, json_t *value, dl_error *err)
{
    return json_object_set_new(answer, field, value) == 0 ? DIFFLNS_OK : dl_out_of_memory(err);
}

json_t *dl_serve_cell(difflns_cell cell)
{
    return json_pack("[i,i]", (int)cell.row, (int)cell.col);
}
