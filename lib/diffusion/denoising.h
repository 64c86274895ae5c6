/* One plan on its way from noise to draft: what a step of the sampler does. A step is a pass of the network over
 * the noisy tokens x_k, then a reverse step to x_j: token by token, as the paper does, or by whole legal paths, which
 * are encoded and get noise again. */
#ifndef DL_DIFFUSION_DENOISING_H
#define DL_DIFFUSION_DENOISING_H

#include "diffusion/decode.h"
#include "diffusion/model.h"

typedef struct dl_denoising {
    const dl_model *model;
    const dl_scene *scene;
    uint64_t seed, number; /* what is random depends on these, the step and the agent, and on nothing else */
    double temperature;    /* of the clean distribution; 1 as trained */
    int horizon;
    int threads;            /* that share a network pass */
    double reading_seconds; /* of the last step before its pass: about as much as decoding takes */
    size_t tokens;
    uint8_t *token;         /* [N*T]: x_k */
    bool estimated;         /* the two below say something */
    real *estimate;         /* [N*T*C]: probabilities of the clean tokens */
    float *log_probability; /* the same as logarithms */
    dl_cell *cells;         /* [N*(T+1)]: the paths decoded last */
    int32_t *order;         /* [N]: in which they were */
    dl_likeliest *planner;
    dl_arena arena;
} dl_denoising;

/* One thread, temperature 1. False when memory is out; end it all the same. */
DL_MUST_CHECK bool dl_denoising_begin(dl_denoising *d, const dl_model *model, const dl_scene *scene, int horizon,
                                      uint64_t seed, uint64_t number);
void dl_denoising_end(dl_denoising *d);

/* x_K: every token drawn from all. */
void dl_denoising_draw_noise(dl_denoising *d);
/* One pass of the network over x_k. STOPPED if there was no time for it, OUT_OF_MEMORY: the last estimate then stays.
 */
DL_MUST_CHECK dl_status dl_denoising_estimate(dl_denoising *d, int k, const dl_deadline *deadline);
/* x_j from x_k, each token for itself, by the analytic posterior. */
void dl_denoising_draw_tokens(dl_denoising *d, int k, int j);
/* The likeliest token everywhere. */
void dl_denoising_take_likeliest(dl_denoising *d);
/* Legal paths into `cells`, agents in an order drawn for step j. */
DL_MUST_CHECK dl_status dl_denoising_decode(dl_denoising *d, const dl_path_rule *rule, int j,
                                            const dl_deadline *deadline);
/* The clean tokens of `cells`. */
void dl_denoising_encode(dl_denoising *d);
/* Adds noise up to level j to clean tokens. */
void dl_denoising_corrupt(dl_denoising *d, int j);

#endif
