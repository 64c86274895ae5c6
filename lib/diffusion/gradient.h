/* Loss and gradient of a batch, samples in parallel: one thread, one sample, its own gradient, added up in the order of
 * the samples, so that the result does not depend on the number of threads. */
#ifndef DL_DIFFUSION_GRADIENT_H
#define DL_DIFFUSION_GRADIENT_H

#include "diffusion/batches.h"
#include "diffusion/losses.h"
#include "diffusion/model.h"

enum { DL_NOISE_LEVELS = 4 }; /* quarters of 1..K, for statistics */

/* Sums over samples (losses) and tokens. Doubles throughout, so that sums over ranks and checkpoints are one array. */
typedef struct dl_batch_sums {
    double samples;
    double total, term[DL_LOSS_TERMS];
    double tokens[DL_NOISE_LEVELS], correct[DL_NOISE_LEVELS];
    double flops; /* of the matrix products, forward and backward */
} dl_batch_sums;

void dl_batch_sums_add(dl_batch_sums *to, const dl_batch_sums *from);

typedef struct dl_learner dl_learner;

/* threads = 0: all cores. NULL when memory is out. */
DL_MUST_CHECK dl_learner *dl_learner_create(const dl_model *model, int threads);
void dl_learner_free(dl_learner *learner);
int dl_learner_threads(const dl_learner *learner);

/* A rank's part of a batch: the samples `slot` = first, first + stride, ... < batch. */
typedef struct dl_batch_part {
    const dl_examples *examples;
    const int32_t *example; /* [batch]: which of them */
    int batch, first, stride;
    uint64_t base; /* sample number of slot 0 */
} dl_batch_part;

/* Sums of gradient and losses over the samples of `part`. `gradient` is overwritten. False when memory is out: sums and
 * gradient then mean nothing. */
DL_MUST_CHECK bool dl_learner_gradient(dl_learner *learner, const dl_batch_part *part,
                                       const double weight[DL_LOSS_TERMS], real *gradient, dl_batch_sums *sums);

#endif
