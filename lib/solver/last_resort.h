/* The plan of last resort: push-and-swap always finds one where there is one. It comes first, because it is certain;
 * then lean LaCAM is tried, or the nearest configuration it saw completed. Windows of both plans are re-solved, and the
 * cheaper one is kept. For tools. */
#ifndef DL_SOLVER_LAST_RESORT_H
#define DL_SOLVER_LAST_RESORT_H

#include "base/deadline.h"
#include "mapf/distance.h"
#include "mapf/plan.h"

typedef struct dl_last_resort_options {
    uint64_t seed;
    uint64_t expansions; /* limit of every LaCAM run, for repeatable results; 0 = by time */
    bool quick;          /* one order of push-and-swap, a short LaCAM, no windows: others improve the plan */
} dl_last_resort_options;

typedef struct dl_last_resort_result {
    dl_plan *plan;      /* checked; NULL if there was no time for any */
    int64_t pushed_soc; /* of push-and-swap's own plan */
    double pushed_seconds;
    bool by_lacam;  /* the plan grew from LaCAM's, not from push-and-swap's */
    bool exhausted; /* memory ran out on the way */
} dl_last_resort_result;

void dl_last_resort_run(const dl_instance *instance, dl_distance *distance, const dl_last_resort_options *options,
                        dl_deadline deadline, dl_last_resort_result *result);
/* After a quick run without a plan of LaCAM's: LaCAM again, for longer. NULL if it finds none. */
dl_plan *dl_last_resort_again(const dl_instance *instance, dl_distance *distance, const dl_last_resort_options *options,
                              dl_deadline deadline);

#endif
