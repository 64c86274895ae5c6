#include "base/json.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* The text in pieces, every quote a piece of its own. When jansson 2.14 runs out of memory inside a string it drops a
 * letter and goes on: what follows is called malformed, or trips an assertion when the string is closed. But malloc
 * leaves a trace in errno, and it is still there when the next piece is asked for: only numbers clear it. */
typedef struct feed {
    const char *next, *end;
    bool starved;
} feed;

static size_t next_piece(void *buffer, size_t room, void *user)
{
    feed *f = user;
    if (errno == ENOMEM) {
        f->starved = true;
        return (size_t)-1;
    }
    assert(f->next <= f->end);
    size_t size = (size_t)(f->end - f->next);
    if (size > room) size = room;
    const char *quote = memchr(f->next, '"', size);
    if (quote) size = quote == f->next ? 1 : (size_t)(quote - f->next);
    memcpy(buffer, f->next, size);
    f->next += size;
    return size;
}

dl_status dl_json_parse(const char *text, size_t size, json_t **out, json_error_t *where)
{
    feed f = {text, text + size, false};
    int kept = errno;
    errno = 0;
    *out = json_load_callback(next_piece, &f, JSON_REJECT_DUPLICATES, where);
    /* Elsewhere it fails without a word. */
    bool starved = f.starved || errno == ENOMEM ||
                   (!*out && (json_error_code(where) == json_error_out_of_memory || where->text[0] == 0));
    errno = kept;
    if (!starved) return *out ? DIFFLNS_OK : DIFFLNS_BAD_INPUT;
    json_decref(*out);
    *out = NULL;
    return DIFFLNS_OUT_OF_MEMORY;
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

/* jansson's own way to a text, json_dumps, may lose a name when memory runs out; a text of ours tells. */
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

bool dl_json_open_list(FILE *stream, json_t *head, const char *list)
{
    dl_text text = {0};
    dl_json_add(&text, head, DL_JSON_DIGITS);
    bool whole = !text.cut;
    if (whole) fprintf(stream, "%.*s, ", (int)text.size - 1, text.data); /* without its brace */
    dl_text_free(&text);
    if (!whole || !dl_json_write(stream, json_string(list), 0)) return false;
    fputs(": [", stream);
    return true;
}
