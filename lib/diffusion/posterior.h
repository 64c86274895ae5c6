/* The reverse process of one token: five numbers in, five out. With uniform transitions the step from k
 * to any j < k is analytic, so strides need no retraining. */
#ifndef DL_DIFFUSION_POSTERIOR_H
#define DL_DIFFUSION_POSTERIOR_H

#include "diffusion/schedule.h"

/* A reverse step k -> j: the factors that do not depend on the token. */
typedef struct dl_reverse_step {
    double stay, jump; /* q(x_k | x_j): stay + jump if they are equal, jump otherwise */
    double kept, rest; /* q(x_j | x_0): kept + rest if they are equal, rest otherwise */
} dl_reverse_step;

dl_reverse_step dl_reverse_step_between(const dl_schedule *schedule, int k, int j);

/* p(x_j | x_k) from the clean probabilities `clean`, normalized. Pass a point mass to get the true posterior. */
void dl_reverse_probabilities(const dl_reverse_step *step, int noisy, const double *clean, double *out);

/* KL(q(x_j | x_k, x_0) || p(x_j | x_k)); adds `scale` times its gradient by `clean` to `gradient`. */
double dl_posterior_divergence(const dl_reverse_step *step, int noisy, int target, const double *clean, double scale,
                               double *gradient);

/* Inverse CDF: the token at `unit` in [0, 1). */
static inline int dl_token_at(const double *probability, int tokens, double unit)
{
    int token = 0;
    double sum = probability[0];
    while (token < tokens - 1 && unit >= sum) sum += probability[++token];
    return token;
}

#endif
