/* Numbers in text, read strictly: decimal digits and nothing around them. No hexadecimal, no blanks, no "nan" or "inf".
 * For tools. */
#ifndef DL_BASE_NUMBER_H
#define DL_BASE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* "-12"; false if `text` is anything else or does not fit. */
bool dl_number_whole(const char *text, int64_t *out);
/* "12", "-0.5", "1e-3"; false if `text` is anything else or is too large for a double. */
bool dl_number_real(const char *text, double *out);

#endif
