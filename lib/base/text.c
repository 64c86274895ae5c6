#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void dl_text_add(dl_text *text, const char *bytes, size_t size)
{
    DL_GROW(text->data, text->capacity, text->size + size + 1);
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
    DL_GROW(text->data, text->capacity, text->size + (size_t)size + 1);
    vsnprintf(text->data + text->size, (size_t)size + 1, format, again);
    va_end(again);
    text->size += (size_t)size;
}

void dl_text_free(dl_text *text)
{
    free(text->data);
    *text = (dl_text){0};
}
