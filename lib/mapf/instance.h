/* A MAPF instance: a map, a start and a goal for each agent, and what else an agent is held to; valid by construction.
 * Nothing changes it while anybody works on it. */
#ifndef DL_MAPF_INSTANCE_H
#define DL_MAPF_INSTANCE_H

#include <stddef.h>

#include "base/memory.h"
#include "mapf/errand.h"
#include "mapf/grid.h"
#include "mapf/map.h"

typedef struct difflns_instance dl_instance;

enum { DL_MAX_AGENTS = 65534 }; /* agent numbers fit 16 bits, with room for "none" */

struct difflns_instance {
    dl_map *map;         /* shared */
    const dl_grid *grid; /* the map's */
    int agents;
    dl_cell *start, *goal; /* [agents]; starts pairwise distinct, goals pairwise distinct */
    dl_errand *errand;     /* [agents]; NULL = nobody has one */
    int64_t fixed_steps;   /* of all prefixes, at most DL_MOST_FIXED_STEPS */
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

/* The first agent with a goal in another component than its start, or -1. */
int dl_instance_cut_off_agent(const dl_instance *instance);

/* ---- errands ---- */

/* The agent's path begins with these cells, one per timestep; 0 or 1 of them: nothing is fixed. Refuses a prefix that
 * does not begin on the start or makes a step that is no step. Whatever fails, the instance is as it was. */
dl_status dl_instance_set_prefix(dl_instance *instance, int agent, const difflns_cell *cells, int count, dl_error *err);
/* The agent waits on its start until `time`: a prefix of waits. */
dl_status dl_instance_set_departure(dl_instance *instance, int agent, int time, dl_error *err);
/* The agent visits these goals in order, at least 1, and stays on the last, which must be nobody else's last. */
dl_status dl_instance_set_goals(dl_instance *instance, int agent, const difflns_cell *cells, int count, dl_error *err);

/* The last time at which the agent's cell is fixed; 0 = it is free to leave its start at once. */
static inline int dl_instance_fixed(const dl_instance *instance, int agent)
{
    return instance->errand ? instance->errand[agent].fixed : 0;
}

/* Where it is then. */
static inline dl_cell dl_instance_released(const dl_instance *instance, int agent)
{
    int fixed = dl_instance_fixed(instance, agent);
    return fixed > 0 ? dl_errand_at(&instance->errand[agent], fixed) : instance->start[agent];
}

/* The goals before the last: how many there are. */
static inline int dl_instance_stops(const dl_instance *instance, int agent)
{
    return instance->errand ? instance->errand[agent].stops : 0;
}

/* A view for those who know no errands: everybody sets out where its prefix ends for the first goal it has not visited
 * by then. Starts and goals may be shared there. Borrows the map; valid as long as the instance. False when memory is
 * out. */
DL_MUST_CHECK bool dl_instance_ahead(const dl_instance *instance, dl_instance *ahead);
void dl_instance_ahead_free(dl_instance *ahead);

/* The longest prefix of all agents. */
int dl_instance_longest_prefix(const dl_instance *instance);
/* How many stops the agent has visited when its prefix ends. */
int dl_instance_stops_in_prefix(const dl_instance *instance, int agent);
/* When the agent last came to the cell on which its prefix ends: what its path costs if it stays there. */
int dl_instance_prefix_arrival(const dl_instance *instance, int agent);
/* Two agents whose prefixes collide, and when; false if there are none. *fits is false when memory is out. */
bool dl_instance_prefixes_collide(const dl_instance *instance, int pair[2], int *time, bool *fits);

#endif
