/* An errand: what an agent is held to besides its start and its goal. Its path may begin with a prefix that stays (a
 * departure that is not before some time is a prefix of waits), and lead over stops: goals to be visited before the
 * last. */
#ifndef DL_MAPF_ERRAND_H
#define DL_MAPF_ERRAND_H

#include <string.h>

#include "mapf/grid.h"

/* Longer ones are refused. A search numbers the stops that were visited in a few bits. Prefixes are planned around step
 * by step, and each step of all of them takes some 60 bytes in tables, tracks and the plan: a gigabyte at the most. */
enum { DL_MOST_GOALS = 64, DL_LONGEST_PREFIX = 1000000, DL_MOST_FIXED_STEPS = 1 << 24 };

/* Zeroed: no errand. */
typedef struct dl_errand {
    dl_cell
        *prefix; /* [walk + 1]: where the agent is at times 0..walk; it waits there until `fixed`. NULL if fixed = 0 */
    int walk, fixed; /* 0 <= walk <= fixed; the last step of the walk is a move */
    dl_cell *stop;   /* [stops]: neither two in a row alike, nor the last like the goal */
    int stops;
} dl_errand;

/* Where the prefix has the agent at a time up to `fixed`. */
static inline dl_cell dl_errand_at(const dl_errand *errand, int time)
{
    return errand->prefix[time < errand->walk ? time : errand->walk];
}

/* Writes where the prefix has the agent at times 0..last, which is at most `fixed`. */
static inline void dl_errand_write(const dl_errand *errand, int last, dl_cell *to)
{
    int walk = last < errand->walk ? last : errand->walk;
    memcpy(to, errand->prefix, sizeof *to * ((size_t)walk + 1));
    for (int t = walk + 1; t <= last; t++) to[t] = errand->prefix[errand->walk];
}

/* How many stops have been visited, in order, once the agent stands on `cell` after `visited` of them. */
static inline int dl_errand_visit(const dl_errand *errand, int visited, dl_cell cell)
{
    return visited < errand->stops && errand->stop[visited] == cell ? visited + 1 : visited;
}

#endif
