#include "base/csv.h"

#include <assert.h>
#include <string.h>

dl_csv_end dl_csv_next(const char **cursor, const char *end, dl_text *field)
{
    const char *p = *cursor;
    bool quoted = p < end && *p == '"';
    field->size = 0;
    dl_text_add(field, "", 0);
    if (quoted)
        for (p++;; p++) {
            if (p == end) return field->cut ? DL_CSV_NO_MEMORY : DL_CSV_UNCLOSED;
            if (*p == '"' && (++p == end || *p != '"')) break;
            dl_text_add(field, p, 1);
        }
    for (; p < end && *p != ',' && *p != '\n'; p++)
        if (*p != '\r') dl_text_add(field, p, 1);
    if (field->cut) return DL_CSV_NO_MEMORY;
    assert(p <= end && strlen(field->data) <= field->size);
    *cursor = p < end ? p + 1 : p;
    return p == end ? DL_CSV_FILE : *p == ',' ? DL_CSV_FIELD : DL_CSV_ROW;
}
