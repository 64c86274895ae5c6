/* Comma-separated values: fields may be quoted, quotes inside are doubled, and a quoted field may hold commas and line
 * ends. For tools. */
#ifndef DL_BASE_CSV_H
#define DL_BASE_CSV_H

#include "base/text.h"

/* What came after a field. */
typedef enum dl_csv_end { DL_CSV_FIELD, DL_CSV_ROW, DL_CSV_FILE, DL_CSV_UNCLOSED, DL_CSV_NO_MEMORY } dl_csv_end;

/* Reads the field at *cursor, before `end`, without its quotes into `field`, which it empties first, and advances.
 * Carriage returns outside of quotes are dropped. */
dl_csv_end dl_csv_next(const char **cursor, const char *end, dl_text *field);

#endif
