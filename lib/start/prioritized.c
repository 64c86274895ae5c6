/* Prioritized planning, in random order or, where there is room, with short ways first. Whoever finds no way, and
 * everybody after, is left to repair. */
#include "lns/prioritized.h"
#include "start/start.h"

bool dl_start_make_prioritized(dl_start_job *job)
{
    /* Only once: if that did not end well, another order might. */
    bool roomy = job->index == 0 && dl_is_roomy(job->input->instance);
    dl_priority priority = roomy ? DL_PRIORITY_SHORT_FIRST : DL_PRIORITY_RANDOM;
    dl_prioritized(job->planner, &job->rng, priority, DL_LATE_DEPARTURE, job->deadline);
    return true;
}
