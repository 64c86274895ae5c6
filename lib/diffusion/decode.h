/* From the network's log-probabilities to a legal path for each agent. */
#ifndef DL_DIFFUSION_DECODE_H
#define DL_DIFFUSION_DECODE_H

#include <stdint.h>

#include "base/deadline.h"
#include "diffusion/likeliest_path.h"
#include "diffusion/scene.h"

typedef struct dl_path_rule {
    dl_likeliest_costs costs;
    int sweeps; /* over all agents */
} dl_path_rule;

/* How a configuration decodes whole paths. */
dl_path_rule dl_path_rule_of(const dl_config *config);

/* The likeliest paths into cells [N*(T+1)] under the log-probabilities [N*T*C]. Where collisions cost, agents are
 * decoded one after the other in `order` (NULL: by number), each paying for those it has with the agents before it; in
 * further sweeps they are decoded again, each paying for those with all others, so that the first give way, too.
 * STOPPED if the deadline (may be NULL) passed before the first sweep was over, or OUT_OF_MEMORY: the cells then mean
 * nothing. */
DL_MUST_CHECK dl_status dl_decode_paths(const dl_scene *scene, int horizon, const float *log_probability,
                                        const dl_path_rule *rule, const int32_t *order, dl_likeliest *planner,
                                        const dl_deadline *deadline, dl_cell *cells);

#endif
