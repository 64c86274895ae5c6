/* Prioritized planning in random order. Whoever finds no way, and everybody after, is left to repair. */
#include "search/prioritized.h"
#include "start/start.h"

bool dl_start_make_prioritized(dl_start_job *job)
{
    dl_prioritized(job->planner, &job->rng, DL_LATE_DEPARTURE, job->deadline);
    return true;
}
