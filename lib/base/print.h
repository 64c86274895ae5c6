/* A stream that ends up as text in memory: what is written to files can be handed to callers instead. For
 * tools. */
#ifndef DL_BASE_PRINT_H
#define DL_BASE_PRINT_H

#include <stdio.h>

#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"

typedef struct dl_print {
    FILE *stream;
    dl_text *text; /* owned */
} dl_print;

/* Opens the stream; OUT_OF_MEMORY if there is none. */
dl_status dl_print_open(dl_print *print, dl_error *err);
/* Closes it. The text, NUL-terminated, is the caller's, to free(); its length goes to *size, which may be NULL. */
dl_status dl_print_finish(dl_print *print, char **out, size_t *size, dl_error *err);
/* Closes it and drops the text. */
void dl_print_discard(dl_print *print);

#endif
