/* Traffic: ways that keep out of each other's. Shortest paths meet head-on in every corridor, and what repair and
 * improvement make of that depends on chance. Here agents take turns: each one takes the way that is cheapest when
 * every step against another's way costs more, and every cell that many use a little. After a few rounds most corridors
 * are one-way streets. Times play no role: in a crowd
 * they are not kept. For tools. */
#ifndef DL_LNS_TRAFFIC_H
#define DL_LNS_TRAFFIC_H

#include "base/deadline.h"
#include "engine/planner.h"

/* Sets the tracks, as far as memory allows (otherwise the planner is exhausted); the table is left empty. Shortest
 * paths (slack.h) are what they begin with, and what agents keep where time is out, on large maps, and where there are
 * errands.
 */
void dl_traffic_paths(dl_planner *p, dl_rng *rng, const dl_deadline *deadline);

#endif
