/* How fast the network runs, against the yardstick of this machine: one large matrix product on one thread, in the same
 * run. Share of peak = flops of the model's matrix products over time, over the flops per second of a product of two
 * 1024 x 1024 matrices. Counted are linear layers, convolutions, and the score and the mixture of each attended pair;
 * not counted are norms, softmax, GELU, bilinear sampling. A training step counts as three forward passes: forward,
 * gradient of the inputs, gradient of the weights. Time is CPU time of the thread, so that a busy machine does not
 * falsify it. */
#ifndef DL_BENCH_BENCH_KERNELS_H
#define DL_BENCH_BENCH_KERNELS_H

#include <stdio.h>

#include "base/progress.h"
#include "base/status.h"

typedef struct dl_bench_kernels {
    const char *out; /* folder for results.csv, or NULL */
    double seconds;  /* for the repetitions of each measurement */
} dl_bench_kernels;

/* Runs it and prints a table to `table`. */
dl_status dl_bench_kernels_run(const dl_bench_kernels *bench, FILE *table, const dl_progress *progress, dl_error *err);

#endif
