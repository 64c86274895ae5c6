/* Exhaustive search over the joint states of a tiny component: what no exchange of two neighbors achieves, such as the
 * fifteen puzzle's even permutations or full rings that share a cell, is still found there, in the fewest moves. */
#ifndef DL_COMPLETE_JOINT_SEARCH_H
#define DL_COMPLETE_JOINT_SEARCH_H

#include "base/deadline.h"
#include "complete/pebbles.h"
#include "complete/rules.h"

/* The component consists of cell[0 .. cells-1]; `owner` [grid cells] names the agent whose goal a cell is. The moves
 * are appended to the log; false (and nothing changed) if the component is too large, the time is up or there is no
 * way, or when memory is out, which exhausts the pebbles. */
bool dl_joint_search(dl_pebbles *p, const dl_cell *cell, int cells, const int32_t *owner, dl_rules rules,
                     const dl_deadline *deadline);

#endif
