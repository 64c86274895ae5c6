/* The public interface: versions, statuses, texts. Thin calls into the rooms; the other api_*.c hold the rest. */
#include <stdlib.h>

#include "base/status.h"

const char *difflns_version(void)
{
    return DIFFLNS_VERSION_STRING;
}

const char *difflns_status_name(difflns_status status)
{
    switch (status) {
    case DIFFLNS_OK:
        return "ok";
    case DIFFLNS_UNSOLVED:
        return "unsolved";
    case DIFFLNS_BAD_INPUT:
        return "bad input";
    case DIFFLNS_UNSOLVABLE:
        return "unsolvable";
    case DIFFLNS_IO:
        return "cannot write";
    case DIFFLNS_STOPPED:
        return "stopped";
    case DIFFLNS_INTERNAL:
        return "internal error";
    case DIFFLNS_OUT_OF_MEMORY:
        return "out of memory";
    case DIFFLNS_BUSY:
        return "busy";
    }
    return "unknown";
}

void difflns_text_free(char *text)
{
    free(text);
}
