/* The state of a training run: enough to go on as if it had never stopped, bit for bit. Kept beside the model, in
 * MODEL.state; the model itself holds only the weights to sample with. */
#ifndef DL_DIFFUSION_CHECKPOINT_H
#define DL_DIFFUSION_CHECKPOINT_H

#include "diffusion/gradient.h"

typedef struct dl_training_state {
    dl_config config;
    uint64_t step;       /* optimizer steps done */
    double seconds;      /* spent so far, over all sittings */
    dl_batch_sums epoch; /* of the epoch under way */
    double epoch_seconds;
    uint64_t data; /* fingerprint of the training data */
    size_t count;
    real *parameters;     /* [count] each */
    real *first, *second; /* moments of AdamW */
    real *average;        /* running average of the parameters: the weights to sample with */
} dl_training_state;

/* Zero moments, parameters and average copied from `model`. NULL when memory is out. */
DL_MUST_CHECK dl_training_state *dl_training_state_create(const dl_model *model, uint64_t data);
void dl_training_state_free(dl_training_state *state);

dl_status dl_training_state_save(const dl_training_state *state, const char *path, dl_error *err);
/* Refuses a state of another configuration or, unless `other_data`, of other data than `state` was created for; on
 * success replaces its contents, all but the data's fingerprint. */
dl_status dl_training_state_load(dl_training_state *state, const char *path, bool other_data, dl_error *err);

/* A number that tells sets of examples apart. */
uint64_t dl_examples_fingerprint(const dl_examples *examples);

#endif
