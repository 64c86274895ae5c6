#include "base/print.h"

#include <stdlib.h>

/* A text of our own behind the stream: open_memstream forgets to say that memory ran out. */
static ssize_t append(void *text, const char *bytes, size_t size)
{
    dl_text *to = text;
    dl_text_add(to, bytes, size);
    return to->cut ? 0 : (ssize_t)size;
}

dl_status dl_print_open(dl_print *print, dl_error *err)
{
    *print = (dl_print){0};
    print->text = DL_NEW(dl_text); /* the stream points to it, wherever `print` goes */
    if (print->text) print->stream = fopencookie(print->text, "w", (cookie_io_functions_t){.write = append});
    if (print->stream) return DIFFLNS_OK;
    free(print->text);
    return dl_out_of_memory(err);
}

dl_status dl_print_finish(dl_print *print, char **out, size_t *size, dl_error *err)
{
    int failed = ferror(print->stream); /* a stream in memory fails only for want of it */
    failed |= fclose(print->stream) != 0;
    dl_text text = *print->text;
    free(print->text);
    *print = (dl_print){0};
    dl_text_add(&text, "", 0); /* also nothing is a text */
    if (failed || text.cut) {
        dl_text_free(&text);
        return dl_out_of_memory(err);
    }
    *out = text.data;
    if (size) *size = text.size;
    return DIFFLNS_OK;
}

void dl_print_discard(dl_print *print)
{
    fclose(print->stream);
    dl_text_free(print->text);
    free(print->text);
    *print = (dl_print){0};
}
