#include "base/json.h"

#include <errno.h>
#include <stdbool.h>

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
