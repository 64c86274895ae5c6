#include "base/json.h"

#include <errno.h>
#include <stdbool.h>

dl_status dl_json_parse(const char *text, size_t size, json_t **out, json_error_t *where)
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
