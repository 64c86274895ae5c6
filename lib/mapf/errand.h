/* An errand: what an agent is held to besides its start and its goal. Its path may begin with a prefix that stays (a
 * departure that is not before some time is a prefix of waits), and lead over stops: goals to be visited before the
 * last. */
#ifndef DL_MAPF_ERRAND_H
#define DL_MAPF_ERRAND_H

#include "mapf/grid.h"

/* Longer ones are refused. A search numbers the stops that were visited in a few bits; a prefix is planned around step
 * by step. */
enum { DL_MOST_GOALS = 64, DL_LONGEST_PREFIX = 1000000 };

/* Zeroed: no errand. */
typedef struct dl_errand {
    dl_cell *prefix; /* [fixed + 1]: where the agent is at times 0..fixed; NULL if fixed = 0 */
    int fixed;
    dl_cell *stop; /* [stops]: neither two in a row alike, nor the last like the goal */
    int stops;
} dl_errand;

/* Where the prefix has the agent at a time up to `fixed`. */
static inline dl_cell dl_errand_at(const dl_errand *errand, int time)
{
    return errand->prefix[time];
}

/* How many stops have been visited, in order, once the agent stands on `cell` after `visited` of them. */
static inline int dl_errand_visit(const dl_errand *errand, int visited, dl_cell cell)
{
    return visited < errand->stops && errand->stop[visited] == cell ? visited + 1 : visited;
}

#endif
