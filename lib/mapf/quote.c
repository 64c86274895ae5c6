#include "mapf/quote.h"

#include <jansson.h>
#include <stdlib.h>

#include "base/memory.h"

void dl_write_quoted(FILE *stream, const char *text, size_t length)
{
    json_t *value = json_stringn(text, length);
    if (!value) { /* not UTF-8 */
        char *ascii = dl_malloc(length + 1);
        for (size_t i = 0; i < length; i++) ascii[i] = (unsigned char)text[i] < 0x80 ? text[i] : '?';
        value = json_stringn(ascii, length);
        free(ascii);
    }
    json_dumpf(value, stream, JSON_ENCODE_ANY);
    json_decref(value);
}
