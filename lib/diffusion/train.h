/* Training: AdamW on batches of noisy demonstrations, with checkpoints, validation and a line of JSON per epoch. For
 * tools. */
#ifndef DL_DIFFUSION_TRAIN_H
#define DL_DIFFUSION_TRAIN_H

#include "base/deadline.h"
#include "base/progress.h"
#include "base/ranks.h"
#include "diffusion/examples.h"
#include "diffusion/model.h"

typedef struct dl_train_options {
    const char *path;          /* the model to write; the state goes to PATH.state */
    bool resume;               /* go on from PATH.state */
    bool other_data;           /* ... with other demonstrations than before */
    const dl_model *start;     /* begin with its weights instead of fresh ones; NULL = fresh */
    int epochs;                /* 0: the configuration's */
    int threads;               /* 0: all cores */
    double checkpoint_seconds; /* between two checkpoints */
} dl_train_options;

/* What one epoch came to. One that training stopped in says "partial"; its own report comes when it is resumed. */
typedef struct dl_epoch_report {
    int epoch;        /* from 1 */
    const char *json; /* the line for the log */
} dl_epoch_report;

typedef struct dl_train_listener {
    /* When everything has been checked and before anything is written; a failure ends the training. `finished` epochs
     * are done; a process that was killed may have reported the next one, whose report then comes again. May be NULL.
     */
    dl_status (*begin)(void *user, int finished, dl_error *err);
    void (*epoch)(void *user, const dl_epoch_report *report);
    void *user;
} dl_train_listener;

/* Trains until the epochs are done, the deadline passes or somebody cancels (DIFFLNS_STOPPED); in all these cases model
 * and state are written. With several ranks each calls this with the same arguments; the first one writes and reports.
 * A loss that is not finite stops with DIFFLNS_BAD_INPUT, naming the step, and leaves the last checkpoint. */
dl_status dl_train(const dl_config *config, const dl_examples *examples, const dl_train_options *options,
                   dl_ranks ranks, const dl_deadline *deadline, const dl_progress *progress,
                   const dl_train_listener *listener, dl_error *err);

#endif
