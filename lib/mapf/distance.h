/* Distance fields: for each agent the exact distance of every free cell to its goal (BFS), 16 bits a cell, computed on
 * demand. Shared by all threads. When the whole table exceeds the memory bound, rows are recycled, least recently used
 * first; hence acquire and release. For tools. */
#ifndef DL_MAPF_DISTANCE_H
#define DL_MAPF_DISTANCE_H

#include "base/deadline.h"
#include "mapf/instance.h"

typedef struct dl_distance dl_distance;

enum { DL_UNREACHABLE = 0xFFFF };

/* 160 MB: 256x256 cells with 1,000 agents fit whole (131 MB) and stay under 200 MB in all. */
#define DL_DISTANCE_BYTES ((size_t)160 << 20)

/* Keeps a reference to `instance`, which must outlive it. `bytes` bounds the table; at least 64 rows are kept. */
dl_distance *dl_distance_create(const dl_instance *instance, size_t bytes);
void dl_distance_free(dl_distance *distance);

/* The row of `agent`: [grid->cells] distances to its goal. Stays valid until released. */
const uint16_t *dl_distance_acquire(dl_distance *distance, int agent);
void dl_distance_release(dl_distance *distance, int agent);
/* True if every row fits: then rows are never recycled and release does nothing. */
bool dl_distance_whole(const dl_distance *distance);
/* Computes all rows in parallel if the table is whole, as far as time allows (NULL: no limit); otherwise does nothing.
 * threads = 0: all cores. */
void dl_distance_fill(dl_distance *distance, int threads, const dl_deadline *deadline);
size_t dl_distance_bytes(const dl_distance *distance);

/* BFS from `goal` into `row` [grid->cells]; `queue` is scratch of the same length. */
void dl_distance_bfs(const dl_grid *grid, dl_cell goal, uint16_t *row, dl_cell *queue);

/* From the agent's start to its goal; remembered even when the row is not. */
int dl_distance_of_start(dl_distance *distance, int agent);
/* Sum over agents of the distance from start to goal; -1 if a goal can't be reached. */
int64_t dl_distance_lower_bound(dl_distance *distance);
/* The same as far as it is known without making rows after the deadline; -1 if it is not. */
int64_t dl_distance_lower_bound_within(dl_distance *distance, const dl_deadline *deadline);

#endif
