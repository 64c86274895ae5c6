/* Lower bounds that result files state beside a plan's cost. */
#ifndef DL_MAPF_BOUNDS_H
#define DL_MAPF_BOUNDS_H

#include "mapf/instance.h"

typedef struct dl_bounds {
    int64_t soc;  /* sum of the distances from start to goal */
    int makespan; /* the longest of them */
} dl_bounds;

/* An agent that can't reach its goal counts as 0. */
dl_bounds dl_bounds_of(const dl_instance *instance);

#endif
