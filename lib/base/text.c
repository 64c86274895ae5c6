#include "base/text.h"

#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
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
    assert(text->size < text->capacity);
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
        assert(text->size < text->capacity && text->data[text->size] == 0);
    }
    va_end(again);
}

void dl_text_add_html(dl_text *text, const char *plain)
{
    static const struct {
        char letter;
        const char *name;
    } ENTITY[] = {{'<', "&lt;"}, {'>', "&gt;"}, {'&', "&amp;"}, {'"', "&quot;"}};
    for (; *plain; plain++) {
        const char *name = NULL;
        for (size_t i = 0; i < sizeof ENTITY / sizeof ENTITY[0]; i++)
            if (*plain == ENTITY[i].letter) name = ENTITY[i].name;
        dl_text_add(text, name ? name : plain, name ? strlen(name) : 1);
    }
}

void dl_text_add_base64(dl_text *text, const void *bytes, size_t size)
{
    static const char DIGIT[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *from = bytes;
    for (size_t i = 0; i < size; i += 3) {
        uint32_t triple = 0;
        for (size_t k = 0; k < 3; k++) triple = triple << 8 | (i + k < size ? from[i + k] : 0u);
        char digits[4];
        for (int k = 0; k < 4; k++) digits[k] = (size_t)k <= size - i ? DIGIT[triple >> (18 - 6 * k) & 63] : '=';
        dl_text_add(text, digits, sizeof digits);
    }
}

void dl_text_free(dl_text *text)
{
    free(text->data);
    *text = (dl_text){0};
}
