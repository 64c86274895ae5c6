#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>

dl_status dl_fail(dl_error *err, dl_status status, const char *format, ...)
{
    if (err) {
        err->status = status;
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(err->message, sizeof err->message, format, arguments);
        va_end(arguments);
        /* Names of files and the words of parsers may hold anything; the message stays one line. */
        for (char *c = err->message; *c; c++)
            if ((unsigned char)*c < ' ' || *c == 0x7F) *c = '?';
    }
    return status;
}
