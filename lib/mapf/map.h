/* A map: a grid with what was ever measured on it. Distances are measured when first asked for and kept, keyed by their
 * goal, for all threads, instances and calls that share the map: as whole fields, or on large maps as searches that go
 * as far as was asked. Beyond a limit of memory those least recently used are given back. Counted: each owner that
 * shares it keeps it alive. For tools. */
#ifndef DL_MAPF_MAP_H
#define DL_MAPF_MAP_H

#include "base/deadline.h"
#include "mapf/field.h"
#include "mapf/grid.h"

typedef struct difflns_map dl_map;

/* On maps of more cells a whole field for every agent would take too long, and too much memory. */
enum { DL_LARGE_MAP_CELLS = 1 << 17 };
static inline bool dl_grid_is_large(const dl_grid *grid)
{
    return grid->cells > DL_LARGE_MAP_CELLS;
}

/* 512 MB hold 4,000 fields of 256x256 cells, or 1,400 searches on a map of 1000x1000. */
#define DL_MAP_BYTES ((size_t)512 << 20)

/* Takes over `grid`, also on failure. NULL when memory is out. */
dl_map *dl_map_create(dl_grid *grid);
/* One more owner of the same map. */
dl_map *dl_map_share(dl_map *map);
/* The same grid with costs of edges, and fields measured with them, in units (edge_costs.h): a map of its own for as
 * long as it has owners. It shares both `map` and `costs`. No large maps: searches know no costs. NULL when memory is
 * out. */
dl_map *dl_map_under(dl_map *map, dl_edge_costs *costs);
/* NULL: none. */
const dl_edge_costs *dl_map_costs(const dl_map *map);
/* One owner less; the last one takes everything along. No field may be held then. */
void dl_map_free(dl_map *map);

const dl_grid *dl_map_grid(const dl_map *map);

/* The field of `goal`, to be released; it stays as it is until then. NULL when memory or time (NULL: no limit) is out.
 * Any thread: a field that is there is had without a lock, one that is not is made once, by the first caller, while
 * others go on with theirs. */
const dl_field *dl_map_acquire(dl_map *map, dl_cell goal, const dl_deadline *deadline);
/* The search for distances to `goal`, to be released; the pointer handed out points to the same search until then. It
 * leans toward `toward` if it is new. NULL when memory is out. Any thread. A goal has a field or a search, never both:
 * large maps have searches, others fields. */
dl_reverse_search *const *dl_map_acquire_search(dl_map *map, dl_cell goal, dl_cell toward);
/* Where that pointer will be: always the same place, to be looked at only while the search is held. */
dl_reverse_search *const *dl_map_search(const dl_map *map, dl_cell goal);
void dl_map_release(dl_map *map, dl_cell goal);

/* Fields and searches that are not held count at most so many bytes together with those that are. What is too much is
 * given back now, whenever a field is made and whenever a search is acquired: one that was held then stays until the
 * next time. */
void dl_map_limit(dl_map *map, size_t bytes);
size_t dl_map_limit_of(dl_map *map);
/* Bytes of the fields and searches that are kept now. */
size_t dl_map_bytes(dl_map *map);
/* Is this goal's field or search kept now? And how many were ever made? */
bool dl_map_has(const dl_map *map, dl_cell goal);
unsigned dl_map_made(const dl_map *map);

#endif
