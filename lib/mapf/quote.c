#include "mapf/quote.h"

#include <jansson.h>
#include <stdlib.h>

#include "base/memory.h"

bool dl_write_quoted(FILE *stream, const char *text, size_t length)
{
    json_t *value = json_stringn(text, length);
    if (!value) { /* not UTF-8 */
        char *ascii = dl_malloc(length + 1);
        if (!ascii) return false;
        for (size_t i = 0; i < length; i++) ascii[i] = (unsigned char)text[i] < 0x80 ? text[i] : '?';
        value = json_stringn(ascii, length);
        free(ascii);
    }
    bool whole = value && json_dumpf(value, stream, JSON_ENCODE_ANY) == 0;
    json_decref(value);
    return whole || (value && ferror(stream)); /* an error of the stream is noticed when the file is closed */
}
