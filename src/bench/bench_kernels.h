/* How fast the network runs, against the yardstick of this machine: cblas_sgemm on one thread, in the same run. */
#ifndef DL_BENCH_BENCH_KERNELS_H
#define DL_BENCH_BENCH_KERNELS_H

#include "base/progress.h"
#include "base/text.h"

/* Appends one line a measurement to *csv: name, seconds, gigaflops, share of GEMM peak, target (empty = none). Repeats
 * each measurement for about `seconds` and keeps the fastest. Flops are those of the model's matrix products alone:
 * linear layers, convolutions, and the score and mixture of each attended pair; a training step counts three forward
 * passes (forward, gradient of inputs, gradient of weights). Time is that of the thread, not of the wall. */
void dl_bench_kernels(double seconds, const dl_progress *progress, dl_text *csv);

#endif
