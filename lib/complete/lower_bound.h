/* A lower bound on the sum of costs, better than the sum of distances: two agents whose shortest paths all collide cost
 * more together, and pairs without a common agent add up. Few agents are searched together, which may show what the
 * best plan costs. For tools. */
#ifndef DL_COMPLETE_LOWER_BOUND_H
#define DL_COMPLETE_LOWER_BOUND_H

#include "mapf/distance.h"

/* The part of pairs alone. */
int64_t dl_lower_bound_of_pairs(const dl_instance *instance, dl_distance *distance, const dl_deadline *deadline);

/* At least the sum of distances. Bounded by states, so it is the same every time; at the deadline it ends with what it
 * has. -1 if the distances are not known by then, or memory is out. */
int64_t dl_lower_bound(const dl_instance *instance, dl_distance *distance, const dl_deadline *deadline);

#endif
