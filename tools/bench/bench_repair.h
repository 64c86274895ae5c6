/* How fast is the repair engine? Iterations per second of repair and improvement, and the time to the first valid plan,
 * on one thread. Rates are counted in CPU time, so that a busy machine does not falsify them. */
#ifndef DL_BENCH_BENCH_REPAIR_H
#define DL_BENCH_BENCH_REPAIR_H

#include <stdio.h>

#include "base/progress.h"
#include "base/status.h"

typedef struct dl_bench_repair {
    const char *folder;  /* of instances; NULL = generated ones of the paper's settings (speed_set.h) */
    const char *out;     /* folder for results.csv, or NULL */
    int cases;           /* of each subfolder or setting only so many; 0 = the usual */
    double seconds;      /* limit for the first valid plan */
    uint64_t iterations; /* for the rates, of each instance */
    uint64_t seed;
} dl_bench_repair;

/* Runs it and prints a table of families to `table`. */
dl_status dl_bench_repair_run(const dl_bench_repair *bench, FILE *table, const dl_progress *progress, dl_error *err);

#endif
