/* How badly a plan collides: what repair has to remove. The checker judges plans; this only counts. For tools. */
#ifndef DL_MAPF_COLLISIONS_H
#define DL_MAPF_COLLISIONS_H

#include "mapf/plan.h"

typedef struct dl_collisions {
    int64_t vertex, swap; /* two agents on one cell, two that exchange cells; each step counts */
    int64_t pairs;        /* distinct pairs of agents with at least one of either */
} dl_collisions;

/* Of a plan whose cells are all on the map. False when memory is out. */
DL_MUST_CHECK bool dl_plan_collisions(const dl_instance *instance, const dl_plan *plan, dl_collisions *out);

#endif
