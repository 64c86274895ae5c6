/* An excerpt: some agents of an instance and their paths, as an instance of their own. The network takes as long as it
 * sees agents; where few of them are to get new paths, those far away need not be looked at. */
#ifndef DL_DIFFUSION_EXCERPT_H
#define DL_DIFFUSION_EXCERPT_H

#include "base/status.h"
#include "diffusion/scene.h"
#include "mapf/plan.h"

typedef struct dl_excerpt {
    dl_instance *instance;
    dl_scene *scene;
    dl_plan *plan;
    int32_t *agent; /* [agents of the excerpt]: their numbers in the whole */
    bool *chosen;   /* [agents of the excerpt] */
    bool *taken;    /* [agents of the whole]: into the excerpt */
} dl_excerpt;

/* The chosen agents and `company` others, those that meet them most. OUT_OF_MEMORY; end it all the same. */
DL_MUST_CHECK dl_status dl_excerpt_begin(dl_excerpt *e, const dl_scene *whole, const dl_plan *plan, const bool *chosen,
                                         int company);
void dl_excerpt_end(dl_excerpt *e);

/* The whole plan with the paths that the chosen agents have in `part`, a plan of the excerpt. NULL when memory is out.
 */
DL_MUST_CHECK dl_plan *dl_excerpt_insert(const dl_excerpt *e, const dl_plan *whole, const dl_plan *part);

#endif
