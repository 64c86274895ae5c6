/* Ways that keep out of each other's: most corridors become one-way streets. */
#include "lns/traffic.h"
#include "start/start.h"

bool dl_start_make_traffic(dl_start_job *job)
{
    dl_traffic_paths(job->planner, &job->rng, job->deadline);
    return true;
}
