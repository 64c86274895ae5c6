/* Names in JSON and YAML files. */
#ifndef DL_MAPF_QUOTE_H
#define DL_MAPF_QUOTE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/memory.h"

/* Writes `text` (the first `length` bytes) as a quoted JSON string, which YAML reads too. Names come from file names,
 * so they may hold anything: bytes that are not UTF-8 become '?'. False when memory is out. */
DL_MUST_CHECK bool dl_write_quoted(FILE *stream, const char *text, size_t length);

#endif
