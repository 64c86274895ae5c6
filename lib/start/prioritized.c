/* Prioritized planning, in random order or, where there is room, with short ways first. An agent that finds no way, and
 * everybody after, is left to repair. */
#include "lns/prioritized.h"
#include "start/start.h"

/* Where LaCAM's plan is there to be improved, this one may take so much of the time left. A third of that made no
 * plan with 4,000 agents on warehouse-20-40-10-2-2. */
static const double SHARE_AFTER_LACAM = 0.6;

static bool is_nearly_complete(const dl_planner *p)
{
    int missing = 0;
    for (int agent = 0; agent < p->instance->agents; agent++) missing += p->track[agent].cost == DL_NO_TRACK;
    return missing <= dl_prioritized_most_lost(p->instance);
}

bool dl_start_make_prioritized(dl_start_job *job)
{
    const dl_start_input *input = job->input;
    /* Only once: if that did not end well, another order might. */
    bool roomy = dl_start_turn(input, (int)job->index) == 0 && dl_is_roomy(input->instance);
    dl_priority priority = roomy ? DL_PRIORITY_SHORT_FIRST : DL_PRIORITY_RANDOM;
    bool after_lacam = dl_start_begins_with_lacam(input);
    dl_deadline limit = *job->deadline;
    if (after_lacam) limit = dl_deadline_within(limit, SHARE_AFTER_LACAM * dl_deadline_left(&limit));
    dl_prioritized(job->planner, &job->rng, priority, DL_LATE_DEPARTURE, &limit);
    return !after_lacam || is_nearly_complete(job->planner);
}
