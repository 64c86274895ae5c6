/* A growing text, for output that is built before it is written. For tools. */
#ifndef DL_BASE_TEXT_H
#define DL_BASE_TEXT_H

#include <stddef.h>

typedef struct dl_text {
    char *data; /* NUL-terminated once anything was added */
    size_t size, capacity;
} dl_text;

void dl_text_add(dl_text *text, const char *bytes, size_t size);
__attribute__((format(printf, 2, 3))) void dl_text_print(dl_text *text, const char *format, ...);
void dl_text_free(dl_text *text);

#endif
