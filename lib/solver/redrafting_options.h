/* How redrafts are drawn, for comparisons of one way with another. For tools. */
#ifndef DL_SOLVER_REDRAFTING_OPTIONS_H
#define DL_SOLVER_REDRAFTING_OPTIONS_H

#include "diffusion/redraft.h"
#include "solver/redrafting.h"

typedef struct dl_redrafting_options {
    dl_evidence evidence;
    double least, most; /* the level, as a share of K: drawn anew each time, small ones as often as large ones */
    double region_least, region_most; /* ... where only some agents get noise */
    int steps, region_steps;
} dl_redrafting_options;

/* The best of those measured in docs/results.md. */
#define DL_REDRAFTING_DEFAULTS                                                                                         \
    ((dl_redrafting_options){.evidence = DL_EVIDENCE_NETWORK,                                                          \
                             .least = 0.35,                                                                            \
                             .most = 0.9,                                                                              \
                             .region_least = 0.05,                                                                     \
                             .region_most = 0.3,                                                                       \
                             .steps = 2,                                                                               \
                             .region_steps = 1})

/* The same as dl_redrafting_create with other ways to draw. `model` and `scene` must outlive it. */
dl_redrafting *dl_redrafting_create_with(const dl_model *model, const dl_scene *scene,
                                         const dl_redrafting_options *options, int threads);

#endif
