/* A track: a path by cell numbers, which is how rooms hand paths to each other. Files and callers outside the library
 * see (row, col): plan.h. For tools. */
#ifndef DL_MAPF_TRACK_H
#define DL_MAPF_TRACK_H

#include "base/memory.h"
#include "mapf/grid.h"

typedef struct dl_track {
    dl_cell *at;  /* [cost + 1]: from the start at time 0 to the goal at time `cost` */
    int cost;     /* the time of the last arrival (no waits after it); DL_NO_TRACK = none yet */
    int capacity; /* cells that fit into `at` */
} dl_track;

enum { DL_NO_TRACK = -1 };

/* Makes room for a track of this cost; its cells so far are kept. False when memory is out, here and below: the track
 * is as it was. */
DL_MUST_CHECK bool dl_track_reserve(dl_track *track, int cost);
DL_MUST_CHECK bool dl_track_copy(dl_track *to, const dl_track *from);
bool dl_track_equal(const dl_track *a, const dl_track *b);

#endif
