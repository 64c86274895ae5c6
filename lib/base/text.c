#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void dl_text_add(dl_text *text, const char *bytes, size_t size)
{
    if (text->cut || !DL_GROW(text->data, text->capacity, text->size + size + 1)) {
        text->cut = true;
        return;
    }
    memcpy(text->data + text->size, bytes, size);
    text->size += size;
    text->data[text->size] = 0;
}

void dl_text_print(dl_text *text, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int size = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (size < 0 || text->cut || !DL_GROW(text->data, text->capacity, text->size + (size_t)size + 1)) {
        text->cut = true;
    } else {
        vsnprintf(text->data + text->size, (size_t)size + 1, format, again);
        text->size += (size_t)size;
    }
    va_end(again);
}

void dl_text_free(dl_text *text)
{
    free(text->data);
    *text = (dl_text){0};
}
