/* Inferred trajectories: where the noisy tokens seem to lead. `map` is the most likely legal path given x_k; `paper`
 * the prefix sums of the tokens' displacements, which may leave the map. */
#ifndef DL_DIFFUSION_TRAJECTORY_H
#define DL_DIFFUSION_TRAJECTORY_H

#include "base/arena.h"
#include "base/deadline.h"
#include "diffusion/likeliest_path.h"
#include "diffusion/scene.h"
#include "diffusion/schedule.h"

typedef struct dl_trajectory {
    dl_status status; /* OK, or why there is none: OUT_OF_MEMORY, STOPPED */
    int agents, horizon;
    /* [N*T*2], (row, column). map: where the token's action begins; paper: where it ends. */
    real *position;
    /* [N*(T+1)], a legal path: the MAP path, or the rollout of the noisy tokens. */
    dl_cell *cell;
} dl_trajectory;

/* Of the tokens `noisy` [N*T] at diffusion step k >= 1, those without has_noise[i] (NULL: none) certain; everything
 * returned lives in the arena. Behind the deadline (may be NULL) agents are left out: what is returned must not be read
 * then. */
dl_trajectory dl_trajectory_infer(const dl_config *config, const dl_schedule *schedule, const dl_scene *scene,
                                  int horizon, int k, const uint8_t *noisy, const bool *has_noise,
                                  dl_likeliest *planner, const dl_deadline *deadline, dl_arena *arena);

static inline const dl_cell *dl_trajectory_of(const dl_trajectory *trajectory, int agent)
{
    return trajectory->cell + (size_t)agent * (size_t)(trajectory->horizon + 1);
}

#endif
