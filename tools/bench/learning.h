/* Learning curves: what the logs of trainings say about loss and drafts as tokens add up, and where a power law of the
 * loss would lead. */
#ifndef DL_BENCH_LEARNING_H
#define DL_BENCH_LEARNING_H

#include "base/status.h"
#include "bench/statistics.h"

/* Epochs in a row are one point until it spans a quarter of the tokens before it: losses of few samples scatter. NaN =
 * no epoch of it was validated. */
typedef struct dl_learning_point {
    double tokens;                         /* seen up to the end of its last epoch */
    double span;                           /* seen in its epochs */
    double loss;                           /* mean cross-entropy of clean tokens */
    double pairs, prioritized_pairs;       /* colliding pairs per agent */
    double improved, prioritized_improved; /* cost after repair and improvement, over the expert's */
} dl_learning_point;

typedef struct dl_learning_curve {
    char *name;
    dl_learning_point *point;
    int count, room;
} dl_learning_curve;

typedef struct dl_learning {
    dl_learning_curve *curve;
    int count;
} dl_learning;

/* The tokens of the paper's training: 22,500 demonstrations of about 3,800 tokens, 400 epochs. */
#define DL_PAPER_TOKENS 3.4e10

/* Reads the MODEL.jsonl of trainings. To be freed even when it fails. */
dl_status dl_learning_read(const char *const *paths, int count, dl_learning *out, dl_error *err);
void dl_learning_free(dl_learning *learning);

/* The law that the later half of a curve follows: its exponent, and the loss it has after so many tokens, as if the law
 * held that far. */
typedef struct dl_learning_law {
    dl_estimate exponent;
    double loss;
} dl_learning_law;
dl_learning_law dl_learning_extrapolate(const dl_learning_curve *curve, double tokens);

/* results.csv and summary.csv in the folder. */
dl_status dl_learning_write(const dl_learning *learning, const char *folder, dl_error *err);

#endif
