/* JSON is written by jansson; this is what its users have in common. Like jansson, everything answers NULL when memory is
 * out. For tools. */
#ifndef DL_BASE_JSON_H
#define DL_BASE_JSON_H

#include <jansson.h>

#include "base/text.h"

/* Enough digits for any number rounded below, and none of the noise that binary fractions end in. */
#define DL_JSON_DIGITS JSON_REAL_PRECISION(15)

/* The first `length` bytes of a name as a string. Names come from file names, so they may hold anything: bytes that are
 * not UTF-8 become '?'. */
json_t *dl_json_name(const char *text, size_t length);
/* A number for people to read, to so many places after the point; null if it is not finite. */
json_t *dl_json_rounded(double number, int places);
/* Adds the value on one line. Takes over the value, which may be NULL: then the text is cut. */
void dl_json_add(dl_text *text, json_t *value, size_t flags);

#endif
