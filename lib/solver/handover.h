/* The end of a solve, its handover: a plan has to be written and checked before it is handed over. On large maps the
 * plans of last resort are so long that this takes a noticeable part of a short limit, so it is set aside beforehand.
 */
#ifndef DL_SOLVER_HANDOVER_H
#define DL_SOLVER_HANDOVER_H

#include "base/deadline.h"

/* For each agent and timestep; measured up to 50 ns, most of it in the checker. */
#define DL_HANDOVER_SECONDS 60e-9

static inline double dl_handover_seconds(int agents, int makespan)
{
    return DL_HANDOVER_SECONDS * agents * (makespan + 1.0);
}

/* The deadline for work on a plan that takes so long to hand over. */
static inline dl_deadline dl_deadline_before_handover(dl_deadline deadline, double handover)
{
    return (dl_deadline){deadline.end - handover, deadline.cancel};
}

#endif
