/* How are drafts best drawn? By each rule several drafts an instance: what they cost, how often they collide, how much
 * they differ from each other, what the processor needs for one, and what repair makes of them. Repair is limited by
 * iterations, so but for the seconds a second run gives the same figures. */
#ifndef DL_BENCH_BENCH_DRAFTS_H
#define DL_BENCH_BENCH_DRAFTS_H

#include <stdio.h>

#include "base/progress.h"
#include "base/status.h"

typedef struct dl_bench_drafts {
    const char *settings; /* as dl_settings_read takes them; NULL = the paper's densest */
    const char *rules;    /* names of rules, separated by commas; NULL = all */
    const char *model;    /* weights; NULL = the shipped ones */
    const char *out;      /* folder for results.csv, or NULL */
    int cases;            /* of each setting */
    uint64_t iterations;  /* that the repair of a draft may take */
    uint64_t seed;        /* of the first instance; the others follow */
} dl_bench_drafts;

/* Runs it and prints a table of rules to `table`. */
dl_status dl_bench_drafts_run(const dl_bench_drafts *bench, FILE *table, const dl_progress *progress, dl_error *err);

#endif
