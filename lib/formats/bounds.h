/* Lower bounds that result files state beside a plan's cost. */
#ifndef DL_FORMATS_BOUNDS_H
#define DL_FORMATS_BOUNDS_H

#include "base/memory.h"
#include "mapf/instance.h"

typedef struct dl_bounds {
    int64_t soc;  /* sum of what paths alone cost at least, the distances from start to goal */
    int makespan; /* the longest of them */
} dl_bounds;

/* An agent that can't reach its goal counts as 0. False when memory is out. */
DL_MUST_CHECK bool dl_bounds_of(const dl_instance *instance, dl_bounds *out);

#endif
