/* The paper's task terms: goal progress, vertex and edge conflicts, validity, on the soft trajectory that the clean
 * probabilities imply. */
#ifndef DL_DIFFUSION_TASK_LOSSES_H
#define DL_DIFFUSION_TASK_LOSSES_H

#include "diffusion/losses.h"

/* Sets the four task entries of `term` and adds the gradient of their weighted sum by `probability` [N*T*C]. False
 * when memory is out. */
DL_MUST_CHECK bool dl_task_losses(const dl_loss_problem *problem, const double weight[DL_LOSS_TERMS],
                                  const double *probability, double *by_probability, double term[DL_LOSS_TERMS],
                                  dl_arena *arena);

#endif
