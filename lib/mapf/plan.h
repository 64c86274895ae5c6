/* A plan: one path of (row, col) cells per agent. It holds what a file said, right or wrong; the checker judges. For
 * tools. */
#ifndef DL_MAPF_PLAN_H
#define DL_MAPF_PLAN_H

#include "base/memory.h"
#include "mapf/instance.h"

typedef struct difflns_plan dl_plan;

typedef struct dl_path {
    difflns_cell *at; /* [length], owned */
    int length;       /* number of cells, at least 1 in a complete plan */
    int capacity;
} dl_path;

struct difflns_plan {
    int agents;
    dl_path *path; /* [agents] */
};

/* Longer paths are refused by readers: four times the cells of the largest map, whose longest shortest path has half as
 * many steps as it has cells. */
enum { DL_MAX_PATH = 1 << 26 };

/* `agents` empty paths. NULL when memory is out, here and below. */
DL_MUST_CHECK dl_plan *dl_plan_create(int agents);
DL_MUST_CHECK dl_plan *dl_plan_copy(const dl_plan *plan);
void dl_plan_free(dl_plan *plan);
/* False when memory is out: the path is as it was. */
DL_MUST_CHECK bool dl_path_append(dl_path *path, difflns_cell cell);
/* Replaces agent's path by cell numbers; false as above. */
DL_MUST_CHECK bool dl_plan_set(dl_plan *plan, const dl_grid *grid, int agent, const dl_cell *cells, int length);
/* Drops waits after the last arrival of every path. */
void dl_plan_trim(dl_plan *plan);

static inline difflns_cell dl_path_at(const dl_path *path, int time)
{
    return path->at[time < path->length ? time : path->length - 1];
}

/* The time of the last arrival: trailing waits do not count. */
int dl_path_cost(const dl_path *path);
int64_t dl_plan_soc(const dl_plan *plan);
int dl_plan_makespan(const dl_plan *plan);

#endif
