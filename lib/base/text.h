/* A growing text, for output that is built before it is written. Running out of memory sticks: everything added after
 * that is dropped, and the text's user asks once, at the end, whether it is whole. For tools. */
#ifndef DL_BASE_TEXT_H
#define DL_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct dl_text {
    char *data; /* NUL-terminated once anything was added */
    size_t size, capacity;
    bool cut; /* memory ran out: the end is missing */
} dl_text;

void dl_text_add(dl_text *text, const char *bytes, size_t size);
__attribute__((format(printf, 2, 3))) void dl_text_print(dl_text *text, const char *format, ...);
/* Adds text for inside an HTML element or a quoted attribute. */
void dl_text_add_html(dl_text *text, const char *plain);
void dl_text_add_base64(dl_text *text, const void *bytes, size_t size);
void dl_text_free(dl_text *text);

#endif
