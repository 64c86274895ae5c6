/* A* over the joint states of a few agents: the least that they can cost together, whatever other agents there are.
 * Where the search ends early, what it has shown so far is a lower bound all the same. */
#ifndef DL_COMPLETE_JOINT_ASTAR_H
#define DL_COMPLETE_JOINT_ASTAR_H

#include "base/memory.h"
#include "mapf/distance.h"

/* More have too many joint steps. */
enum { DL_JOINT_AGENTS = 6 };

/* Memory for one search after the other. Zeroed, it is empty. */
typedef struct dl_joint_astar {
    struct dl_joint_state *state; /* [states] */
    int32_t states, state_room;
    int32_t *slot; /* a hash table of states, -1 = empty; its size is a power of two */
    size_t slots;
    int32_t **bucket; /* [buckets]: open states by cost, one more each */
    int32_t *filled, *bucket_room;
    int buckets;
    uint64_t expanded; /* in all searches so far */
} dl_joint_astar;

void dl_joint_astar_free(dl_joint_astar *a);

/* A lower bound on what these agents cost together, which is what they cost if *exact. Makes up to `most` states;
 * at the deadline it ends with what it has. -1 when memory is out or an agent can't reach its goal. */
DL_MUST_CHECK int64_t dl_joint_astar_run(dl_joint_astar *a, const dl_instance *instance, dl_distance *distance,
                                         const int32_t *agent, int agents, int32_t most, const dl_deadline *deadline,
                                         bool *exact);

#endif
