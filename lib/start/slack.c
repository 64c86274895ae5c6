/* Shortest paths loosened by random waits and detours: room for repair from the beginning. */
#include "lns/slack.h"
#include "start/start.h"

/* Waits up to this many times the mean length of the shortest paths; half the paths get a detour, up to half as long.
 */
static const double WAITS = 2, DETOUR = 0.5;

bool dl_start_make_slack(dl_start_job *job)
{
    dl_slack slack = {.waits = (int)(WAITS * dl_start_measure(job->planner, job->deadline).mean), .detour = DETOUR};
    slack.stretch = slack.waits / 2;
    slack.deadline = job->deadline;
    dl_slack_paths(job->planner, &job->rng, &slack);
    return true;
}
