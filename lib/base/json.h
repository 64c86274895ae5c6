/* JSON is read and written by jansson; this is what its users have in common. For tools. */
#ifndef DL_BASE_JSON_H
#define DL_BASE_JSON_H

#include <jansson.h>
#include <stdbool.h>

#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"

/* BAD_INPUT fills *where. The status alone is returned: the caller knows what to call the text. */
dl_status dl_json_parse(const char *text, size_t size, json_t **out, json_error_t *where);

/* Enough digits for any number rounded below, and none of the noise that binary fractions end in. */
#define DL_JSON_DIGITS JSON_REAL_PRECISION(15)

/* The first `length` bytes of a name as a string. Names come from file names, so they may hold anything: bytes that are
 * not UTF-8 become '?'. NULL when memory is out. */
json_t *dl_json_name(const char *text, size_t length);
/* A number for people to read, to so many places after the point; null if it is not finite. NULL when memory is out. */
json_t *dl_json_rounded(double number, int places);
/* Writes the value and takes it over. False when memory is out, which a value of NULL means too; an error of the stream
 * is noticed when it is closed. */
DL_MUST_CHECK bool dl_json_write(FILE *stream, json_t *value, size_t flags);
/* For an object too large to be built: writes `head`, an object that is not empty and is taken over, without its end
 * and with a last field `list` whose array is open. Write the list's values, commas and the end, "]}". */
DL_MUST_CHECK bool dl_json_open_list(FILE *stream, json_t *head, const char *list);
/* Adds the value on one line. Takes over the value, which may be NULL: then the text is cut. */
void dl_json_add(dl_text *text, json_t *value, size_t flags);

#endif
