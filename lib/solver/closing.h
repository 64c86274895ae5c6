/* The end of a solve: a plan has to be written and checked before it is handed over. On large maps the plans of last
 * resort are so long that this takes a noticeable part of a short limit, so it is set aside beforehand. */
#ifndef DL_SOLVER_CLOSING_H
#define DL_SOLVER_CLOSING_H

#include "base/deadline.h"

/* For each agent and timestep; measured up to 50 ns, most of it in the checker. */
#define DL_CLOSING_SECONDS 60e-9

static inline double dl_closing_seconds(int agents, int makespan)
{
    return DL_CLOSING_SECONDS * agents * (makespan + 1.0);
}

/* The deadline for work on a plan that takes so long to close. */
static inline dl_deadline dl_deadline_before_closing(dl_deadline deadline, double closing)
{
    return (dl_deadline){deadline.end - closing, deadline.cancel};
}

#endif
