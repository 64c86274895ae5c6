/* A noisy joint plan on its way to the network: what a step of training or sampling reads. */
#ifndef DL_DIFFUSION_NOISY_PLAN_H
#define DL_DIFFUSION_NOISY_PLAN_H

#include "diffusion/scene.h"
#include "diffusion/schedule.h"

typedef struct dl_noisy_plan {
    const dl_config *config;
    const dl_schedule *schedule;
    const dl_scene *scene;
    int horizon, k;       /* T; the diffusion step, at least 1 */
    const uint8_t *token; /* [N*T]: x_k */
} dl_noisy_plan;

#endif
