/* A snapshot: a plan remembered while the search goes on from it. Only the tracks of agents that were touched since are
 * copied when it is taken anew or gone back to, so leaving a plan and coming back costs what was changed. */
#ifndef DL_LNS_SNAPSHOT_H
#define DL_LNS_SNAPSHOT_H

#include "base/memory.h"
#include "engine/planner.h"

typedef struct dl_snapshot {
    int agents;
    int64_t soc;
    dl_track *track;  /* [agents] */
    bool *is_touched; /* [agents]: the planner's track may differ from this one */
    int32_t *touched; /* their list: [count] */
    int count;
} dl_snapshot;

/* False when memory is out; end it all the same. */
DL_MUST_CHECK bool dl_snapshot_begin(dl_snapshot *s, int agents);
void dl_snapshot_end(dl_snapshot *s);

static inline void dl_snapshot_touch(dl_snapshot *s, int agent)
{
    if (s->is_touched[agent]) return;
    s->is_touched[agent] = true;
    s->touched[s->count++] = agent;
}

static inline void dl_snapshot_touch_all(dl_snapshot *s, const int32_t *agent, int count)
{
    for (int i = 0; i < count; i++) dl_snapshot_touch(s, agent[i]);
}

/* Takes the planner's plan; the first time, everybody must have been touched. False when memory is out: then this one
 * is still what it was. */
DL_MUST_CHECK bool dl_snapshot_take(dl_snapshot *s, const dl_planner *p, int64_t soc);
/* Makes the planner's table what it was. False when memory is out: then not all agents are in the table. */
DL_MUST_CHECK bool dl_snapshot_go_back(dl_snapshot *s, dl_planner *p);

#endif
