/* Lines in and out of a pair of descriptors. Waiting ends at a signal; a line of any length does no harm. */
#ifndef DL_SERVE_WIRE_H
#define DL_SERVE_WIRE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/json.h"

typedef struct dl_wire {
    int in;
    int door;               /* a listening socket where others are turned away; -1 = none */
    const atomic_int *stop; /* non-zero ends the waiting */
    char *data;
    size_t begin, size, capacity; /* what was read and not yet handed out is data[begin..size) */
    size_t seen;                  /* bytes after begin known to hold no end of a line */
    bool skips;                   /* in a line that is too long */
    bool ended;                   /* nothing more can be read */
} dl_wire;

typedef enum dl_wire_event { DL_WIRE_LINE, DL_WIRE_TOO_LONG, DL_WIRE_END } dl_wire_event;

/* Bytes of a line, at most: 10,000 robots observed at once take 0.3 MB. */
enum { DL_WIRE_LONGEST = 1 << 24 };

/* The next line, without its end, in *line until the next call. TOO_LONG once for each line that is, or for which there
 * is no memory. */
dl_wire_event dl_wire_read(dl_wire *wire, const char **line, size_t *size);
/* Waits until there is something to read; false at a signal. */
bool dl_wire_wait(const dl_wire *wire);
/* Writes the value as a line and takes it over. False when it can't be written, or is NULL. */
DL_MUST_CHECK bool dl_wire_write(int out, json_t *value);
void dl_wire_free(dl_wire *wire);

#endif
