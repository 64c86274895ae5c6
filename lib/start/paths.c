/* Independent shortest paths, drawn at random among the shortest. */
#include "lns/slack.h"
#include "start/start.h"

bool dl_start_make_paths(dl_start_job *job)
{
    dl_slack_paths(job->planner, &job->rng, &(dl_slack){.deadline = job->deadline});
    return true;
}
