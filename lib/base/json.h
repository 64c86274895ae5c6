/* Reading JSON with jansson, and knowing when memory ran out. For tools. */
#ifndef DL_BASE_JSON_H
#define DL_BASE_JSON_H

#include <jansson.h>

#include "base/status.h"

/* BAD_INPUT fills *where. The status alone is returned: the caller knows what to call the text. */
dl_status dl_json_parse(const char *text, size_t size, json_t **out, json_error_t *where);

#endif
