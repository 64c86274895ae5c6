/* Batches: which demonstrations train together. Team size is fixed within a batch and alternates from batch to batch
 * (round-robin). Everything follows from (seed, epoch, place), so training can stop and go on anywhere. */
#ifndef DL_DIFFUSION_BATCHES_H
#define DL_DIFFUSION_BATCHES_H

#include "diffusion/config.h"
#include "diffusion/examples.h"
#include "diffusion/scene.h"
#include "diffusion/schedule.h"

typedef struct dl_batches dl_batches;

/* Keeps a reference to `examples`. One in twenty, at most DL_HELD_OUT, is held out for validation (none of fewer than
 * ten). NULL when memory is out. */
enum { DL_HELD_OUT = 48 };
DL_MUST_CHECK dl_batches *dl_batches_create(const dl_examples *examples, int batch, uint64_t seed);
void dl_batches_free(dl_batches *batches);

/* The number of batches of an epoch: every training example is seen, small leftovers wrap around. */
int dl_batches_per_epoch(const dl_batches *batches);
/* The examples of a batch, [batch] indices. */
void dl_batches_get(dl_batches *batches, int epoch, int place, int32_t *example);
/* The held-out examples. */
const int32_t *dl_batches_held_out(const dl_batches *batches, int *count);

/* One training sample: an example seen in a random way, and noise. */
typedef struct dl_sample {
    dl_instance *instance;
    dl_scene *scene;
    int horizon, k;         /* horizon: the configuration's, or less if the plan ends earlier */
    uint8_t *clean, *noisy; /* [N*T]: tokens of the demonstration; of it, or of the plan before it, after noise */
} dl_sample;

/* `number` counts all samples of a training run: the same number, the same sample. Without instance, and nothing to
 * free, when memory is out. */
dl_sample dl_sample_draw(const dl_config *config, const dl_schedule *schedule, const dl_example *example,
                         uint64_t number);
void dl_sample_free(dl_sample *sample);

#endif
