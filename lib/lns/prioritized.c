#include "lns/prioritized.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"

/* An agent and the length of its way; chance decides among equals. */
typedef struct ranked {
    int32_t length, place, agent;
} ranked;

static int by_length(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->length != y->length) return x->length < y->length ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

/* Sorts a random order by length; false when memory or time is out. */
static bool sort_by_length(dl_planner *p, int32_t *order, const dl_deadline *deadline)
{
    int agents = p->instance->agents, known = 0;
    ranked *rank = DL_ARRAY(ranked, agents);
    if (!rank) {
        p->exhausted = true;
        return false;
    }
    for (; known < agents && !dl_deadline_passed(deadline); known++) {
        int length = dl_distance_of_start(p->distance, order[known]);
        if (length == DL_UNREACHABLE) break;
        rank[known] = (ranked){length, known, order[known]};
    }
    if (known == agents) qsort(rank, (size_t)agents, sizeof *rank, by_length);
    for (int i = 0; i < known; i++) order[i] = rank[i].agent;
    free(rank);
    return known == agents;
}

int dl_prioritized_most_lost(const dl_instance *instance)
{
    enum { AGENTS_FOR_ONE_LOST = 100 };
    return instance->grid->cells > DL_BOARD_CELLS ? instance->agents / AGENTS_FOR_ONE_LOST : 0;
}

bool dl_prioritized(dl_planner *p, dl_rng *rng, dl_priority priority, dl_tie_rule rule, const dl_deadline *deadline)
{
    int agents = p->instance->agents, planned = 0, lost = 0, most_lost = dl_prioritized_most_lost(p->instance);
    int32_t *order = DL_ARRAY(int32_t, agents);
    dl_planner_clear(p);
    if (!order) {
        p->exhausted = true;
        return false;
    }
    for (int agent = 0; agent < agents; agent++) order[agent] = agent;
    dl_rng_shuffle(rng, order, agents);
    if (priority == DL_PRIORITY_SHORT_FIRST && !sort_by_length(p, order, deadline)) {
        free(order);
        return false;
    }
    dl_request request = DL_HARD_REQUEST;
    request.rule = rule;
    request.hasty = true; /* improvement lowers the cost */
    for (; planned < agents && !dl_deadline_passed(deadline) && !p->exhausted; planned++) {
        if (dl_planner_plan(p, order[planned], &request) < 0) {
            if (++lost > most_lost) break;
            continue;
        }
        if (dl_planner_is_late_for(deadline, p->spare[order[planned]].cost)) break;
        if (!dl_planner_adopt(p, order[planned])) break;
    }
    assert(planned <= agents && lost <= planned + 1);
    free(order);
    return planned == agents && lost == 0;
}
