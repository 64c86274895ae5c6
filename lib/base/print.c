#include "base/print.h"

#include <stdlib.h>

dl_status dl_print_open(dl_print *print, dl_error *err)
{
    *print = (dl_print){0};
    print->stream = open_memstream(&print->text, &print->size);
    if (!print->stream) return dl_out_of_memory(err);
    return DIFFLNS_OK;
}

dl_status dl_print_finish(dl_print *print, char **out, size_t *size, dl_error *err)
{
    int failed = ferror(print->stream); /* a stream in memory fails only for want of it */
    failed |= fclose(print->stream) != 0;
    print->stream = NULL;
    if (failed) {
        free(print->text);
        return dl_out_of_memory(err);
    }
    *out = print->text;
    if (size) *size = print->size;
    return DIFFLNS_OK;
}

void dl_print_discard(dl_print *print)
{
    fclose(print->stream);
    free(print->text);
    *print = (dl_print){0};
}
