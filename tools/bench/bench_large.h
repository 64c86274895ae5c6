/* How large a world may be: maps nobody keeps whole distance fields of, with agents by the thousand. When is there a
 * plan, what does it cost then and at the limit, and in how much memory? */
#ifndef DL_BENCH_BENCH_LARGE_H
#define DL_BENCH_BENCH_LARGE_H

#include <stdio.h>

#include "base/progress.h"
#include "base/status.h"

typedef struct dl_bench_large {
    const char *worlds; /* SIDE:AGENTS, separated by commas; NULL = those of docs/benchmarks.md */
    const char *out;    /* folder for results.csv, or NULL */
    int cases;          /* of each world; 0 = 1 */
    int threads;        /* 0 = all cores */
    double seconds;     /* limit of each */
    uint64_t seed;
} dl_bench_large;

/* Runs it and prints a row a world to `table`. */
dl_status dl_bench_large_run(const dl_bench_large *bench, FILE *table, const dl_progress *progress, dl_error *err);

#endif
