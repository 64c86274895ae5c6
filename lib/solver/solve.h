/* Algorithm 1 and the portfolio around it: candidates from sources, repaired by threads until one is free of conflicts;
 * then improvement for the rest of the time. difflns_solve() is the whole interface; this header is for the checks
 * around it. */
#ifndef DL_SOLVER_SOLVE_H
#define DL_SOLVER_SOLVE_H

#include "difflns.h"

/* How many iterations candidate `index` gets before the next one is started: a few for the first, then short runs again
 * and again and long ones ever longer (Luby's sequence), so that neither a lucky start nor a long repair is missed. */
uint64_t dl_solve_patience(int index);

#endif
