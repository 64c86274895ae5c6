#include "mapf/track.h"

#include <assert.h>
#include <string.h>

bool dl_track_reserve(dl_track *track, int cost)
{
    assert(cost >= 0);
    return DL_GROW(track->at, track->capacity, cost + 1);
}

bool dl_track_copy(dl_track *to, const dl_track *from)
{
    assert(to != from && from->cost < from->capacity);
    if (from->cost >= 0) {
        if (!dl_track_reserve(to, from->cost)) return false;
        memcpy(to->at, from->at, sizeof *to->at * ((size_t)from->cost + 1));
    }
    to->cost = from->cost;
    return true;
}

bool dl_track_equal(const dl_track *a, const dl_track *b)
{
    return a->cost == b->cost && (a->cost < 0 || memcmp(a->at, b->at, sizeof *a->at * ((size_t)a->cost + 1)) == 0);
}
