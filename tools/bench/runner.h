/* Runs an experiment: every method on every case, here and on the other ranks, each run a row of results.csv. Rows that
 * are there already are not run again, so the same command resumes an interrupted experiment. */
#ifndef DL_BENCH_RUNNER_H
#define DL_BENCH_RUNNER_H

#include "base/progress.h"
#include "base/ranks.h"
#include "bench/experiment.h"
#include "bench/standard.h"

typedef struct dl_bench_options {
    const dl_experiment *experiment;
    dl_setting_list settings;
    dl_method_list methods;
    const char *folder;              /* for results.csv and the files of external solvers */
    const dl_standard *standard;     /* where the cases come from; NULL = they are generated */
    double seconds;                  /* of a run on them */
    const char *tracker;             /* folder for their best plans, or NULL */
    int cases;                       /* of each setting; 0 = the experiment's */
    double time_scale;               /* of all limits in seconds */
    uint64_t iterations;             /* of one start where limits are iterations; 0 = the experiment's */
    uint64_t seed;                   /* of the first case; they count up */
    int threads;                     /* of one run; 0 = all cores */
    const char *model, *dense_model; /* weights; NULL = the shipped ones, none */
    dl_ranks ranks;
    const atomic_int *cancel;
    const dl_progress *progress;
} dl_bench_options;

/* On rank 0 *records holds all rows of the file, also when the run was stopped (DIFFLNS_STOPPED) or failed. */
dl_status dl_bench_run(const dl_bench_options *options, dl_records *records, dl_error *err);

#endif
