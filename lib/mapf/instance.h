/* A MAPF instance: a map and a start and a goal for each agent, valid by construction. Immutable. */
#ifndef DL_MAPF_INSTANCE_H
#define DL_MAPF_INSTANCE_H

#include <stddef.h>

#include "mapf/grid.h"
#include "mapf/map.h"

typedef struct difflns_instance dl_instance;

enum { DL_MAX_AGENTS = 65534 }; /* agent numbers fit 16 bits, with room for "none" */

struct difflns_instance {
    dl_map *map;         /* shared */
    const dl_grid *grid; /* the map's */
    int agents;
    dl_cell *start, *goal; /* [agents]; starts pairwise distinct, goals pairwise distinct */
    char *map_name;        /* base name of the map file, for writers that name it */
    char *scen_name;       /* and of the scenario file */
};

/* One agent as a file or a caller states it; `line` (0 = none) is for messages. */
typedef struct dl_task {
    difflns_cell start, goal;
    int line;
} dl_task;

/* On a map others may share. `source` names the scenario in messages: "source:line: agent 3 ...". Refuses cells off the
 * map or on obstacles and shared starts or goals. */
dl_status dl_instance_create_on(dl_map *map, const char *map_name, const char *source, int agents, const dl_task *tasks,
                                dl_instance **out, dl_error *err);
/* On a map of its own: takes over `grid`, also on failure. */
dl_status dl_instance_create(dl_grid *grid, const char *map_name, const char *source, int agents, const dl_task *tasks,
                             dl_instance **out, dl_error *err);
void dl_instance_free(dl_instance *instance);

/* The length of the map's name without ".map". */
size_t dl_instance_map_stem(const dl_instance *instance);

/* The first agent whose goal lies in another component than its start, or -1. */
int dl_instance_cut_off_agent(const dl_instance *instance);

#endif
