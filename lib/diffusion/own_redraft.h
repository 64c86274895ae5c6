/* The network's own redrafts as training samples. While a plan is drawn, all passes but the first see what the network
 * made of the one before: whole paths with new noise, not demonstrations. Shown some of those, it learns to mend them.
 */
#ifndef DL_DIFFUSION_OWN_REDRAFT_H
#define DL_DIFFUSION_OWN_REDRAFT_H

#include "diffusion/batches.h"
#include "diffusion/model.h"

/* Takes one step of the sampler, from the sample's level to a lower one, in the share `own_share` of the samples; the
 * others stay as they are. `number` is the sample's. False when memory is out. */
DL_MUST_CHECK bool dl_own_redraft(const dl_model *model, dl_sample *sample, uint64_t number);

#endif
