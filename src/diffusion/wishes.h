/* A draft's probabilities as wishes for the planner: among equally good paths, take what the network finds likely. */
#ifndef DL_DIFFUSION_WISHES_H
#define DL_DIFFUSION_WISHES_H

#include "diffusion/sampler.h"
#include "search/planner.h"

typedef struct dl_wishes {
    dl_preference *preference; /* [agents], for dl_planner.preference */
    uint8_t *score;            /* what they point into */
} dl_wishes;

/* Log-probabilities in 256 levels over ten nats. Relative tokens mean different actions on different cells and become
 * no wish at all. */
dl_wishes dl_wishes_from_draft(const dl_model *model, const dl_draft *draft);
void dl_wishes_free(dl_wishes *wishes);

#endif
