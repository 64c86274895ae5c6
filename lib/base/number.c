#include "base/number.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char DIGITS[] = "0123456789";

/* Behind the digits at `text`, or NULL if there are none. */
static const char *skip_digits(const char *text)
{
    size_t count = strspn(text, DIGITS);
    return count > 0 ? text + count : NULL;
}

static bool is_whole(const char *text)
{
    const char *end = skip_digits(text + (*text == '-'));
    return end && *end == 0;
}

/* Digits, perhaps a point and more digits, perhaps an exponent. */
static bool is_decimal(const char *text)
{
    const char *at = skip_digits(text + (*text == '-'));
    if (at && *at == '.') at = skip_digits(at + 1);
    if (at && (*at == 'e' || *at == 'E')) at = skip_digits(at + 1 + (at[1] == '-' || at[1] == '+'));
    return at && *at == 0;
}

bool dl_number_whole(const char *text, int64_t *out)
{
    if (!is_whole(text)) return false;
    errno = 0;
    long long number = strtoll(text, NULL, 10);
    if (errno) return false;
    *out = number;
    return true;
}

bool dl_number_real(const char *text, double *out)
{
    if (!is_decimal(text)) return false;
    double number = strtod(text, NULL);
    if (!isfinite(number)) return false;
    *out = number;
    return true;
}
