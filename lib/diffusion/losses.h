/* The training objective: cross-entropy and posterior matching (L_gen), and the paper's four task terms on the soft
 * trajectory of the predicted clean tokens. Values and gradients are computed in double precision: they cost little
 * beside the network. */
#ifndef DL_DIFFUSION_LOSSES_H
#define DL_DIFFUSION_LOSSES_H

#include "base/arena.h"
#include "diffusion/posterior.h"
#include "diffusion/scene.h"

typedef enum dl_loss_term {
    DL_LOSS_AUX,
    DL_LOSS_KL,
    DL_LOSS_GOAL,
    DL_LOSS_VERTEX,
    DL_LOSS_EDGE,
    DL_LOSS_VALID,
    DL_LOSS_TERMS
} dl_loss_term;

/* One sample. */
typedef struct dl_loss_problem {
    const dl_scene *scene;
    int horizon, k;
    const uint8_t *clean, *noisy; /* [N*T] */
    double vertex_radius, edge_radius;
} dl_loss_problem;

typedef struct dl_losses {
    double term[DL_LOSS_TERMS]; /* unweighted; task terms are 0 when all their weights are 0 */
    double total;               /* weighted sum */
    int64_t correct;            /* tokens whose argmax is the clean one */
    bool starved;               /* memory was out: the rest means nothing */
} dl_losses;

/* The weights in `epoch` (from 0): the generative stage first, then the task terms over the warm-up. */
void dl_loss_weights(const dl_config *config, int epoch, double weight[DL_LOSS_TERMS]);

/* Losses of `logits` [N*T*C] and the gradient of the weighted total by them, written to `gradient`. */
dl_losses dl_losses_evaluate(const dl_schedule *schedule, const dl_loss_problem *problem,
                             const double weight[DL_LOSS_TERMS], const double *logits, double *gradient,
                             dl_arena *arena);

/* A short name for a term, e.g. "goal". */
const char *dl_loss_name(dl_loss_term term);

#endif
