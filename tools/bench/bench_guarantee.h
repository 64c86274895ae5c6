/* Does the promise of docs/guarantee.md hold? Fresh instances of the paper's settings and of 10x10 grids that are
 * nearly full: is each solvable one solved by push-and-swap in time, on one core? And what do its plans cost once
 * improved, beside those of repair? */
#ifndef DL_BENCH_BENCH_GUARANTEE_H
#define DL_BENCH_BENCH_GUARANTEE_H

#include <stdio.h>

#include "base/progress.h"
#include "base/status.h"

typedef struct dl_bench_guarantee {
    const char *out; /* folder for results.csv, or NULL */
    int cases;       /* of each setting; 0 = 40, which makes 1,000 in all */
    double seconds;  /* limit for the plan of an instance, and for improving it, and for repair */
    uint64_t seed;
} dl_bench_guarantee;

/* Runs it and prints a row a setting to `table`. */
dl_status dl_bench_guarantee_run(const dl_bench_guarantee *bench, FILE *table, const dl_progress *progress,
                                 dl_error *err);

#endif
