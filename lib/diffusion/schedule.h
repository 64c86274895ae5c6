/* The noise schedule and the forward process: cosine, uniform transitions. A token (one agent's action at one timestep)
 * is kept to diffusion step k with probability kept[k], otherwise it is drawn anew from all tokens. */
#ifndef DL_DIFFUSION_SCHEDULE_H
#define DL_DIFFUSION_SCHEDULE_H

#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/rng.h"
#include "diffusion/config.h"

typedef struct dl_schedule {
    int steps;    /* K */
    double *kept; /* [steps + 1], the paper's cumulative alpha; kept[0] = 1 */
} dl_schedule;

/* NULL when memory is out. */
DL_MUST_CHECK dl_schedule *dl_schedule_create(int steps);
void dl_schedule_free(dl_schedule *schedule);

/* x_k from x_0, `count` tokens, straight from q(x_k | x_0). Both may be one array. */
void dl_corrupt(const dl_schedule *schedule, int k, const uint8_t *clean, size_t count, dl_rng *rng, uint8_t *noisy);

/* What a token at step k says about the clean one, uniform prior: log of q(x_k = a | x_0 = a) / q(x_k = b | x_0 = a).
 */
double dl_schedule_log_evidence(const dl_schedule *schedule, int k);
/* The entropy of the clean token given the one at step k, uniform prior, as a share of log C: 0 at k = 0, 1 at K. */
double dl_schedule_entropy(const dl_schedule *schedule, int k);

/* The steps visited from K down to 0 when only `count` reverse steps are taken: count + 1 numbers, strictly falling,
 * evenly spread. `count` is clipped to 1..K; returns it. */
int dl_schedule_stride(const dl_schedule *schedule, int count, int *visited);

#endif
