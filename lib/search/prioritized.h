/* Prioritized planning: the classical start of repair. For tools. */
#ifndef DL_SEARCH_PRIORITIZED_H
#define DL_SEARCH_PRIORITIZED_H

#include "base/deadline.h"
#include "search/planner.h"

/* Sets tracks for the agents in random order, each around all before it, until one finds no path; that one and those
 * behind it get none. True if nobody was left: then the tracks collide nowhere. The table holds the tracks set. */
bool dl_prioritized(dl_planner *p, dl_rng *rng, dl_tie_rule rule, const dl_deadline *deadline);

#endif
