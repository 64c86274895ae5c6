/* From the network's log-probabilities to a legal path for each agent. */
#ifndef DL_DIFFUSION_DECODE_H
#define DL_DIFFUSION_DECODE_H

#include <stdint.h>

#include "base/deadline.h"
#include "diffusion/likeliest_path.h"
#include "diffusion/scene.h"

typedef enum dl_path_choice {
    DL_PATH_LIKELIEST, /* the most likely path */
    DL_PATH_GUMBEL,    /* the same after every number got Gumbel noise: cheap, and nearly a draw */
    DL_PATH_DRAWN      /* an exact draw */
} dl_path_choice;

typedef struct dl_path_rule {
    dl_path_choice choice;
    dl_likeliest_costs costs;
    int sweeps;             /* over all agents */
    const dl_crowd *others; /* who is in the way besides those decoded; not owned; NULL = nobody */
    uint64_t seed, stream;  /* of what is random: an agent draws from number stream + agent, the same in every sweep */
} dl_path_rule;

/* How a configuration decodes whole paths; seed and stream are 0. */
dl_path_rule dl_path_rule_of(const dl_config *config);

/* Paths into cells [N*(T+1)] from the log-probabilities [N*T*alphabet]. Where collisions cost, agents are decoded one
 * after the other in `order` (NULL: by number), each paying for those it has with the agents before it; in further
 * sweeps they are decoded again, each paying for those with all others, so that whoever came first gives way, too.
 * Agents with fixed[i] (may be NULL) keep the cells they have and come before all others. STOPPED if the deadline (may
 * be NULL) passed before the first sweep was over, or OUT_OF_MEMORY: the cells then mean nothing. */
DL_MUST_CHECK dl_status dl_decode_paths(const dl_scene *scene, int horizon, const float *log_probability, int alphabet,
                                        const dl_path_rule *rule, const int32_t *order, const bool *fixed,
                                        dl_likeliest *planner, const dl_deadline *deadline, dl_cell *cells);

#endif
