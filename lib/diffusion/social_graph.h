/* The sparse social graph: each agent's nearest others, by the least L1 distance of their inferred trajectories over
 * time, more of them the noisier the tokens are. */
#ifndef DL_DIFFUSION_SOCIAL_GRAPH_H
#define DL_DIFFUSION_SOCIAL_GRAPH_H

#include "base/arena.h"
#include "base/deadline.h"
#include "diffusion/noisy_plan.h"

typedef struct dl_social_graph {
    int width;               /* entries of a row */
    const int32_t *neighbor; /* [agents*width]: the agent itself first, then nearest first */
} dl_social_graph;

/* M_k: neighbors beside the agent itself. */
int dl_social_neighbors(const dl_config *config, const dl_schedule *schedule, int agents, int k);

/* From the positions [N*T*2]. Ties go to the smaller sum of distances over time, then to the start that comes first on
 * the map, so that permuting the agents permutes the graph. Lives in the arena; unfinished after the deadline
 * (may be NULL). `neighbor` is NULL when memory is out. */
dl_social_graph dl_social_graph_build(const dl_noisy_plan *x, const real *position, const dl_deadline *deadline,
                                      dl_arena *arena);

#endif
