/* Reverse resumable A*: distances to one goal on a large map, measured when asked for. The search starts at the goal,
 * leans toward one cell (usually the start of who asked first), stops as soon as the cell asked for is settled, and
 * goes on from there when a farther one is. What is settled is exact and never changes, so it is read without a lock;
 * memory follows what was settled. Any thread may ask. */
#ifndef DL_MAPF_REVERSE_SEARCH_H
#define DL_MAPF_REVERSE_SEARCH_H

#include <stdatomic.h>

#include "base/deadline.h"
#include "mapf/grid.h"

typedef struct dl_reverse_search dl_reverse_search;

/* On whose behalf distances are asked for. */
typedef struct dl_asker {
    dl_deadline deadline;
    atomic_bool starved; /* something could not be measured for want of memory */
} dl_asker;

/* `bytes` counts the memory of several searches and must outlive them. NULL when memory is out. */
dl_reverse_search *dl_reverse_search_create(const dl_grid *grid, dl_cell goal, dl_cell toward, atomic_size_t *bytes);
void dl_reverse_search_free(dl_reverse_search *search);

/* Steps from `cell` to the goal; DL_UNREACHABLE (field.h) if no way leads there, and if time or memory is out before it
 * is known. A neighbor that is nearer to the goal is always known when a cell is. */
int dl_reverse_search_at(dl_reverse_search *search, dl_cell cell, dl_asker *asker);
/* A lower bound of that, which takes no time: known to be exact around the first way found, from the goal to the cell
 * the search leans toward. It differs by at most one between neighbors and does not depend on what else was asked
 * before. Only after the cell leaned toward was asked for. */
int dl_reverse_search_bound(dl_reverse_search *search, dl_cell cell, bool *exact);
/* Cells settled so far. */
int dl_reverse_search_settled(dl_reverse_search *search);

#endif
