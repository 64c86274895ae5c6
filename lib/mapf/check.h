/* The checker: the law every plan must pass. Small, and shares no code with anything that makes plans. For tools. */
#ifndef DL_MAPF_CHECK_H
#define DL_MAPF_CHECK_H

#include "mapf/plan.h"

enum { DL_VIOLATION_KINDS = DIFFLNS_MISSED_GOAL + 1 };

typedef struct dl_check_result {
    int64_t violations; /* all of them; 0 = the plan is valid */
    int64_t by_kind[DL_VIOLATION_KINDS];
    int64_t soc;      /* sum of costs: each path costs its last arrival time */
    int32_t makespan; /* the latest arrival */
} dl_check_result;

/* Fills `result`; stores up to `room` violations in order of time in `list` and their number in *listed (both may be
 * NULL). False when memory is out: nothing is known of the plan then. */
DL_MUST_CHECK bool dl_check(const dl_instance *instance, const dl_plan *plan, dl_check_result *result,
                            difflns_violation *list, size_t room, size_t *listed);
/* The short way: true if the plan is valid, false also when memory is too short to tell. */
bool dl_check_valid(const dl_instance *instance, const dl_plan *plan);

#endif
