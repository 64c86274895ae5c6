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
    }
    return status;
}
