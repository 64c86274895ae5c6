/* Errors travel as a status and one line of text; only tools/cli prints them. For tools. */
#ifndef DL_BASE_STATUS_H
#define DL_BASE_STATUS_H

#include "difflns.h"

typedef difflns_status dl_status;
typedef difflns_error dl_error;

/* Fills *err (if not NULL) with the status and the formatted line, and returns the status. */
__attribute__((format(printf, 3, 4))) dl_status dl_fail(dl_error *err, dl_status status, const char *format, ...);

/* The one line for want of memory. Inline, so that an analyzer sees that it is never DIFFLNS_OK. */
static inline dl_status dl_out_of_memory(dl_error *err)
{
    dl_fail(err, DIFFLNS_OUT_OF_MEMORY, "out of memory");
    return DIFFLNS_OUT_OF_MEMORY;
}

/* Returns from the calling function when `expression` is not DIFFLNS_OK. */
#define DL_TRY(expression)                                                                                             \
    do {                                                                                                               \
        dl_status dl_try_status_ = (expression);                                                                       \
        if (dl_try_status_ != DIFFLNS_OK) return dl_try_status_;                                                       \
    } while (0)

#endif
