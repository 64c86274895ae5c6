#include "search/prioritized.h"

#include <stdlib.h>

#include "base/memory.h"

bool dl_prioritized(dl_planner *p, dl_rng *rng, dl_tie_rule rule, const dl_deadline *deadline)
{
    int agents = p->instance->agents, planned = 0;
    int32_t *order = DL_ARRAY(int32_t, agents);
    dl_planner_clear(p);
    if (!order) {
        p->exhausted = true;
        return false;
    }
    for (int agent = 0; agent < agents; agent++) order[agent] = agent;
    dl_rng_shuffle(rng, order, agents);
    dl_request request = DL_HARD_REQUEST;
    request.rule = rule;
    for (; planned < agents && !dl_deadline_passed(deadline); planned++) {
        if (dl_planner_plan(p, order[planned], &request) < 0 || !dl_planner_adopt(p, order[planned])) break;
    }
    free(order);
    return planned == agents;
}
