/* Text line by line: strips a byte-order mark, CR and trailing blanks, and counts lines for messages. For tools. */
#ifndef DL_BASE_LINES_H
#define DL_BASE_LINES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct dl_lines {
    const char *next, *end;
    const char *text; /* the current line: `length` bytes, not terminated */
    size_t length;
    int number; /* of the current line, from 1 */
} dl_lines;

dl_lines dl_lines_begin(const char *data, size_t size);
/* Moves to the next line; false at the end of the text. */
bool dl_lines_next(dl_lines *lines);
/* Moves to the next line that is not blank. */
bool dl_lines_next_full(dl_lines *lines);

/* Reads a decimal integer within [low, high] at *cursor, before `end`; advances and returns true, or leaves *cursor. */
bool dl_scan_int(const char **cursor, const char *end, long low, long high, long *value);
/* Steps over `text` at *cursor; false, leaving *cursor, when something else stands there. */
bool dl_scan_text(const char **cursor, const char *end, const char *text);
/* For messages that say what was found instead: the next characters in quotes, or "the end of the line". */
typedef struct dl_found {
    char text[64];
} dl_found;
dl_found dl_scan_found(const char *cursor, const char *end);
/* Cuts the next blank-separated field; false when none is left. */
bool dl_scan_field(const char **cursor, const char *end, const char **field, size_t *length);

#endif
