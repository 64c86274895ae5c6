/* A given plan, of any origin, collisions allowed. */
#include "start/start.h"

bool dl_start_make_plan(dl_start_job *job)
{
    dl_start_read_plan(job->planner, job->input->plan);
    return true;
}

dl_status dl_start_check_plan(const dl_start_input *input, int threads, dl_error *err)
{
    (void)threads;
    if (input->plan->agents == input->instance->agents) return DIFFLNS_OK;
    return dl_fail(err, DIFFLNS_BAD_INPUT, "the plan to start from has %d agents: expected %d", input->plan->agents,
                   input->instance->agents);
}
