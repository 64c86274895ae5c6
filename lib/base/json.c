#include "base/json.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static dl_status parse_once(const char *text, size_t size, json_t **out, json_error_t *where)
{
    /* jansson 2.14 has mostly no word for want of memory: it calls the text malformed, or drops a letter of a long
     * string. malloc leaves a trace. */
    int kept = errno;
    errno = 0;
    *out = json_loadb(text, size, JSON_REJECT_DUPLICATES, where);
    bool starved =
        errno == ENOMEM || (!*out && (json_error_code(where) == json_error_out_of_memory || where->text[0] == 0));
    errno = kept;
    if (!starved) return *out ? DIFFLNS_OK : DIFFLNS_BAD_INPUT;
    json_decref(*out);
    *out = NULL;
    return DIFFLNS_OUT_OF_MEMORY;
}

dl_status dl_json_parse(const char *text, size_t size, json_t **out, json_error_t *where)
{
    dl_status status = parse_once(text, size, out, where);
    if (status != DIFFLNS_BAD_INPUT) return status;
    /* Reading a number wipes the trace out. A text that is malformed is so twice. */
    status = parse_once(text, size, out, where);
    if (status != DIFFLNS_OK) return status;
    json_decref(*out);
    *out = NULL;
    return DIFFLNS_OUT_OF_MEMORY;
}

dl_status dl_json_parse_twice(const char *text, size_t size, json_t **out, json_error_t *where)
{
    json_t *again = NULL;
    dl_status status = dl_json_parse(text, size, out, where);
    if (status == DIFFLNS_OK) status = dl_json_parse(text, size, &again, where);
    if (status == DIFFLNS_OK && !json_equal(*out, again)) status = DIFFLNS_OUT_OF_MEMORY;
    json_decref(again);
    if (status == DIFFLNS_OK) return DIFFLNS_OK;
    json_decref(*out);
    *out = NULL;
    return status;
}

json_t *dl_json_name(const char *text, size_t length)
{
    json_t *value = json_stringn(text, length);
    if (value) return value;
    char *ascii = dl_malloc(length + 1); /* not UTF-8, or no memory */
    if (!ascii) return NULL;
    for (size_t i = 0; i < length; i++) ascii[i] = (unsigned char)text[i] < 0x80 ? text[i] : '?';
    value = json_stringn(ascii, length);
    free(ascii);
    return value;
}

json_t *dl_json_rounded(double number, int places)
{
    if (!isfinite(number)) return json_null();
    double scale = pow(10, places), rounded = round(number * scale) / scale;
    return json_real(isfinite(rounded) ? rounded : number); /* too large to have places */
}

bool dl_json_write(FILE *stream, json_t *value, size_t flags)
{
    bool whole = value && (json_dumpf(value, stream, flags | JSON_ENCODE_ANY) == 0 || ferror(stream));
    json_decref(value);
    return whole;
}

bool dl_json_open_list(FILE *stream, json_t *head, const char *list)
{
    char *text = head ? json_dumps(head, 0) : NULL;
    json_decref(head);
    if (!text) return false;
    fprintf(stream, "%.*s, ", (int)strlen(text) - 1, text); /* without its brace */
    free(text);
    if (!dl_json_write(stream, json_string(list), 0)) return false;
    fputs(": [", stream);
    return true;
}

static int add_piece(const char *bytes, size_t size, void *text)
{
    dl_text_add(text, bytes, size);
    return 0;
}

void dl_json_add(dl_text *text, json_t *value, size_t flags)
{
    if (!value || json_dump_callback(value, add_piece, text, flags) != 0) text->cut = true;
    json_decref(value);
}
