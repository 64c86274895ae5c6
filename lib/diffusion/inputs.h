/* From noisy tokens to what the network reads: inferred trajectory, social graph and the feature rows. */
#ifndef DL_DIFFUSION_INPUTS_H
#define DL_DIFFUSION_INPUTS_H

#include "diffusion/denoiser.h"
#include "diffusion/trajectory.h"

/* The network's input for the tokens `noisy` [N*T] at step k; those without has_noise[i] are clean, where the
 * configuration has levels for tokens (NULL: none are). `estimate` [N*T*C] is an earlier prediction of the clean
 * tokens, NULL when there is none. Everything lives in the arena. Behind the deadline (may be NULL) the input is left
 * unfinished; the network does not read it then. Nor does it when memory was out (`status`). */
dl_denoiser_input dl_inputs_build(const dl_config *config, const dl_schedule *schedule, const dl_scene *scene,
                                  int horizon, int k, const uint8_t *noisy, const bool *has_noise, const real *estimate,
                                  dl_likeliest *planner, const dl_deadline *deadline, dl_arena *arena);

#endif
