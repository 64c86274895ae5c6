#include "lns/snapshot.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"

bool dl_snapshot_begin(dl_snapshot *s, int agents)
{
    *s = (dl_snapshot){.agents = agents};
    s->track = DL_ARRAY(dl_track, agents);
    s->is_touched = DL_ARRAY(bool, agents);
    s->touched = DL_ARRAY(int32_t, agents);
    if (!s->track || !s->is_touched || !s->touched) return false;
    for (int agent = 0; agent < agents; agent++) s->track[agent].cost = DL_NO_TRACK;
    return true;
}

void dl_snapshot_end(dl_snapshot *s)
{
    for (int agent = 0; s->track && agent < s->agents; agent++) free(s->track[agent].at);
    free(s->track);
    free(s->is_touched);
    free(s->touched);
}

static void nobody_is_touched(dl_snapshot *s)
{
    for (int i = 0; i < s->count; i++) s->is_touched[s->touched[i]] = false;
    s->count = 0;
}

/* Only for assertions. */
static int64_t snapshot_sum(const dl_snapshot *s)
{
    int64_t sum = 0;
    for (int agent = 0; agent < s->agents; agent++) sum += s->track[agent].cost;
    return sum;
}

bool dl_snapshot_take(dl_snapshot *s, const dl_planner *p, int64_t soc)
{
    assert(s->agents == p->instance->agents && s->count <= s->agents);
    for (int i = 0; i < s->count; i++) /* first the room, so that it is all or nothing */
        if (!dl_track_reserve(&s->track[s->touched[i]], p->track[s->touched[i]].cost)) return false;
    for (int i = 0; i < s->count; i++)
        if (!dl_track_copy(&s->track[s->touched[i]], &p->track[s->touched[i]])) return false;
    nobody_is_touched(s);
    s->soc = soc;
    assert(soc == snapshot_sum(s));
    return true;
}

bool dl_snapshot_go_back(dl_snapshot *s, dl_planner *p)
{
    for (int i = 0; i < s->count; i++)
        if (p->in_table[s->touched[i]]) dl_planner_remove(p, s->touched[i]);
    for (int i = 0; i < s->count; i++) {
        int agent = s->touched[i];
        assert(s->is_touched[agent] && s->track[agent].cost >= 0);
        if (!dl_track_copy(&p->track[agent], &s->track[agent]) || !dl_planner_insert(p, agent)) return false;
    }
    nobody_is_touched(s);
    return true;
}
