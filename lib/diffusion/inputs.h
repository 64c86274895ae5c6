/* From noisy tokens to what the network reads: inferred trajectory, social graph and the feature rows. */
#ifndef DL_DIFFUSION_INPUTS_H
#define DL_DIFFUSION_INPUTS_H

#include "diffusion/denoiser.h"
#include "diffusion/trajectory.h"

/* Everything lives in the arena. Behind the deadline (may be NULL) the input is left unfinished; the network does not
 * read it then. Nor does it when memory was out (`status`). */
dl_denoiser_input dl_inputs_build(const dl_noisy_plan *x, dl_likeliest *planner, const dl_deadline *deadline,
                                  dl_arena *arena);

#endif
