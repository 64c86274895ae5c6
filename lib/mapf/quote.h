/* Names in JSON and YAML files. */
#ifndef DL_MAPF_QUOTE_H
#define DL_MAPF_QUOTE_H

#include <stdio.h>

/* Writes `text` (the first `length` bytes) as a quoted JSON string, which YAML reads too. Names come from file names,
 * so they may hold anything: bytes that are not UTF-8 become '?'. */
void dl_write_quoted(FILE *stream, const char *text, size_t length);

#endif
