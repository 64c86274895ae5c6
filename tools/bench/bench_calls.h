/* What does one call cost a program that calls again and again? A solve from a plan that is valid already, cold (a new
 * map, nothing kept) and warm (the same map, whose distance fields are there, and the same working memory), in one run;
 * and warm from a plan in which an agent is late, so that there is something to repair. */
#ifndef DL_BENCH_BENCH_CALLS_H
#define DL_BENCH_BENCH_CALLS_H

#include <stdio.h>

#include "base/progress.h"
#include "base/status.h"

typedef struct dl_bench_calls {
    const char *out; /* folder for results.csv, or NULL */
    double seconds;  /* for each row; 0 = one */
    uint64_t seed;
} dl_bench_calls;

/* Runs it and prints a row a case to `table`. */
dl_status dl_bench_calls_run(const dl_bench_calls *bench, FILE *table, const dl_progress *progress, dl_error *err);

#endif
