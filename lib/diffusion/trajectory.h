/* Inferred trajectories: where the noisy tokens seem to lead. `map` is the most likely legal path given x_k; `paper`
 * the prefix sums of the tokens' displacements, which may leave the map. */
#ifndef DL_DIFFUSION_TRAJECTORY_H
#define DL_DIFFUSION_TRAJECTORY_H

#include "base/arena.h"
#include "base/deadline.h"
#include "diffusion/likeliest_path.h"
#include "diffusion/noisy_plan.h"

typedef struct dl_trajectory {
    dl_status status; /* OK, or why there is none: OUT_OF_MEMORY, STOPPED */
    int agents, horizon;
    /* [N*T*2], (row, column). map: where the token's action begins; paper: where it ends. */
    real *position;
    /* [N*(T+1)], a legal path: the MAP path, or the rollout of the noisy tokens. */
    dl_cell *cell;
} dl_trajectory;

/* Everything returned lives in the arena. Behind the deadline (may be NULL) agents are left out: what is returned must
 * not be read then. */
dl_trajectory dl_trajectory_infer(const dl_noisy_plan *x, dl_likeliest *planner, const dl_deadline *deadline,
                                  dl_arena *arena);

static inline const dl_cell *dl_trajectory_of(const dl_trajectory *trajectory, int agent)
{
    return trajectory->cell + (size_t)agent * (size_t)(trajectory->horizon + 1);
}

#endif
