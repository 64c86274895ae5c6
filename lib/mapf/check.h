/* The checker: the law every plan must pass. Small, and shares no code with anything that makes plans. For tools. */
#ifndef DL_MAPF_CHECK_H
#define DL_MAPF_CHECK_H

#include "mapf/plan.h"

/* Fills `result`; stores up to `room` violations in order of time in `list` and their number in *listed (both may be
 * NULL). False when memory is out: nothing is known of the plan then. */
DL_MUST_CHECK bool dl_check(const dl_instance *instance, const dl_plan *plan, difflns_check *result,
                            difflns_violation *list, size_t room, size_t *listed);
/* The short way: true if the plan is valid, false also when memory is too short to tell. */
bool dl_check_valid(const dl_instance *instance, const dl_plan *plan);

#endif
