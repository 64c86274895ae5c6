/* Which design of improvement leads lowest? All begin with the same first plan and make the same number of searches,
 * which does not depend on how busy the machine is; the processor's seconds are told beside. */
#ifndef DL_BENCH_BENCH_IMPROVE_H
#define DL_BENCH_BENCH_IMPROVE_H

#include <stdio.h>

#include "base/progress.h"
#include "base/status.h"

typedef struct dl_bench_improve {
    const char *settings; /* as dl_settings_read takes them; NULL = the paper's densest */
    const char *designs;  /* names of designs, separated by commas; NULL = all */
    const char *out;      /* folder for results.csv, or NULL */
    int cases;            /* of each setting */
    uint64_t searches;    /* of each design on each instance */
    uint64_t seed;        /* of the first instance; the others follow */
} dl_bench_improve;

/* Runs it and prints a table of settings and designs to `table`. */
dl_status dl_bench_improve_run(const dl_bench_improve *bench, FILE *table, const dl_progress *progress, dl_error *err);

#endif
