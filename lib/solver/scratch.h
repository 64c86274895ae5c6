/* Scratch: what one solve needs and the next one on the same map can use again. One solve at a time. */
#ifndef DL_SOLVER_SCRATCH_H
#define DL_SOLVER_SCRATCH_H

#include "engine/planner.h"

/* Zeroed, it is empty. */
typedef struct dl_scratch {
    dl_planner **planner; /* [planners]: one for each worker that ever needed one, NULL for the others */
    int planners;
} dl_scratch;

/* Room for so many workers; false when memory is out. Before they begin: they take planners each on its own. */
DL_MUST_CHECK bool dl_scratch_reserve(dl_scratch *scratch, int workers);
/* An empty planner on the instance for worker `number`, the one it had before where that fits. NULL when memory is out.
 */
DL_MUST_CHECK dl_planner *dl_scratch_planner(dl_scratch *scratch, int number, const dl_instance *instance,
                                             dl_distance *distance);
/* The solve is over: its instance may go. */
void dl_scratch_park(dl_scratch *scratch);
void dl_scratch_free(dl_scratch *scratch);

#endif
