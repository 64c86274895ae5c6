/* The conflict graph: agents are joined when their paths collide at least once. Its number of edges, the colliding
 * pairs, is what repair brings down to zero. */
#ifndef DL_LNS_CONFLICT_GRAPH_H
#define DL_LNS_CONFLICT_GRAPH_H

#include "base/rng.h"
#include "engine/planner.h"
#include "lns/breakout.h"

/* The agents one agent collides with, in no particular order. */
typedef struct dl_colliders {
    int32_t *agent;
    int count, room;
} dl_colliders;

typedef struct dl_conflicts {
    int agents;
    int64_t pairs;
    dl_colliders *of;  /* [agents] */
    int32_t *involved; /* the agents that collide with anyone, [involved_count] */
    int32_t *place;    /* [agents]: where in `involved`, -1 = not there */
    int involved_count;
    int32_t *tree;  /* [agents + 1]: Fenwick tree over the degrees */
    uint32_t *mark; /* [agents]: member of the set at hand when equal to stamp */
    uint32_t stamp;
    void *memory; /* of these arrays */
} dl_conflicts;

/* False when memory is out; end it all the same. */
DL_MUST_CHECK bool dl_conflicts_begin(dl_conflicts *c, int agents);
void dl_conflicts_end(dl_conflicts *c);
void dl_conflicts_clear(dl_conflicts *c);

/* Joins two agents that are not joined yet. False when memory is out: the pair is counted, but the graph is of no use
 * until it is cleared. */
DL_MUST_CHECK bool dl_conflicts_join(dl_conflicts *c, int a, int b);
/* Removes every edge of an agent. */
void dl_conflicts_part(dl_conflicts *c, int agent);
/* What the edges with at least one end in the set weigh. */
int dl_conflicts_touching(dl_conflicts *c, const dl_breakout *weights, const int32_t *set, int count);
/* Makes every edge weigh one more. False when memory is out. */
DL_MUST_CHECK bool dl_conflicts_raise(const dl_conflicts *c, dl_breakout *weights);

static inline int dl_conflicts_degree(const dl_conflicts *c, int agent)
{
    return c->of[agent].count;
}

/* An agent that collides with anyone, all with the same chance; there must be one. */
static inline int dl_conflicts_draw_involved(const dl_conflicts *c, dl_rng *rng)
{
    return c->involved[dl_rng_below(rng, (uint32_t)c->involved_count)];
}

/* With a chance proportional to the degree; there must be a pair. */
int dl_conflicts_draw_by_degree(const dl_conflicts *c, dl_rng *rng);
/* With a chance proportional to the degree plus one. */
int dl_conflicts_draw_any(const dl_conflicts *c, dl_rng *rng);

/* For tests and debug runs: does the graph equal one recounted from the planner's tracks? */
bool dl_conflicts_audit(dl_conflicts *c, dl_planner *p);

#endif
