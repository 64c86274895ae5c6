/* Slack: independent shortest paths, loosened by random waits and detours. Such a start has more conflicts than
 * prioritized planning and is still easier to repair where it is dense: tight plans leave no room to repair in. For
 * tools. */
#ifndef DL_LNS_SLACK_H
#define DL_LNS_SLACK_H

#include "base/deadline.h"
#include "engine/planner.h"

typedef struct dl_slack {
    int waits;                   /* each path gets 0..waits waits, each at a random place */
    double detour;               /* the chance that a path leads over a random cell */
    int stretch;                 /* ... which lengthens it by at most this much */
    const dl_deadline *deadline; /* may be NULL; agents that are not reached in time get no track */
} dl_slack;

/* Sets the tracks, as far as memory allows (otherwise the planner is exhausted); the table is left empty. All zero
 * gives shortest paths, drawn at random among the shortest. Prefixes stay as they are; paths over several goals get no
 * detours of their own. */
void dl_slack_paths(dl_planner *p, dl_rng *rng, const dl_slack *slack);

#endif
