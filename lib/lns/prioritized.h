/* Prioritized planning: the classical start of repair. For tools. */
#ifndef DL_LNS_PRIORITIZED_H
#define DL_LNS_PRIORITIZED_H

#include "base/deadline.h"
#include "engine/planner.h"

/* Who plans first. Those with a short way block the fewest, and the others have room to go around them once they are at
 * rest; planned late, they would wait until the last one has passed their goal. In a crowd there is no way around, and
 * chance does better (docs/ablation.md). */
typedef enum dl_priority { DL_PRIORITY_RANDOM, DL_PRIORITY_SHORT_FIRST } dl_priority;

/* Is there room to go around those who are at rest? */
static inline bool dl_is_roomy(const dl_instance *instance)
{
    enum { ROOMY_CELLS = 3 }; /* for each agent */
    return instance->grid->cells >= ROOMY_CELLS * instance->agents;
}

/* So many agents may find no path, on a map that is not small, before the others are given up. There a search around
 * hard obstacles is ten times as fast as repair's around soft ones. On boards both are fast, and plans that repair
 * makes from there on cost a tenth less (den312d with 1,000 agents). */
int dl_prioritized_most_lost(const dl_instance *instance);

/* Sets tracks for the agents in the order of their priority, each around all before it, until too many found no path;
 * those and the ones not yet planned get none. True if nobody was left: then the tracks collide nowhere. The table
 * holds the tracks set. */
bool dl_prioritized(dl_planner *p, dl_rng *rng, dl_priority priority, dl_tie_rule rule, const dl_deadline *deadline);

#endif
