/* AdamW: Adam with decoupled weight decay, and clipping of the gradient's norm. */
#ifndef DL_NN_ADAMW_H
#define DL_NN_ADAMW_H

#include <stddef.h>
#include <stdint.h>

#include "nn/real.h"

typedef struct dl_adamw {
    double rate, decay;
    double beta1, beta2, epsilon;
} dl_adamw;

/* The customary moments: 0.9, 0.999, 1e-8. */
dl_adamw dl_adamw_default(double rate, double decay);

/* The Euclidean norm; summed in a fixed order, in double. */
double dl_norm(size_t count, const real *vector);
/* Factor that brings a vector of norm `norm` within `limit`; 1 when it is, or when limit is 0. */
double dl_clip_factor(double norm, double limit);

/* One step, the step-th (from 1), with gradient * factor. first, second are the moments (count), zero at the start;
 * decay applies where `decays`. */
void dl_adamw_step(const dl_adamw *optimizer, uint64_t step, size_t count, double factor, const real *gradient,
                   real *parameters, real *first, real *second, int decays);

#endif
