/* Throughput of a fleet over density: windowed repair, PIBT alone, and a new one-shot solve in every tick, on the same
 * map and with as many robots, several seeds each. */
#ifndef DL_BENCH_BENCH_LIVE_H
#define DL_BENCH_BENCH_LIVE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/progress.h"
#include "base/status.h"
#include "bench/statistics.h"

#define DL_LIVE_ABOUT                                                                                                  \
    "Robots in a warehouse get a new random goal whenever they reach their own. Windowed repair is difflns_fleet as "  \
    "it is, PIBT alone the same without improvement, one-shot solves the whole way of all robots anew in every tick "  \
    "and keeps the first plan; without one in time all wait."

typedef enum dl_live_method { DL_LIVE_WINDOWED, DL_LIVE_PIBT, DL_LIVE_ONE_SHOT, DL_LIVE_METHODS } dl_live_method;

enum { DL_LIVE_DENSITIES = 8 }; /* 20% to 90% of the free cells */

typedef struct dl_live_point {
    int robots;
    double share;           /* of the free cells */
    dl_estimate throughput; /* goals per tick */
    double plan_ms_p50, plan_ms_p99;
} dl_live_point;

typedef struct dl_bench_live {
    const char *family;
    const char *methods; /* comma-separated keys; NULL = all */
    int seeds;           /* 0 = 3 */
    int ticks;           /* 0 = 200 */
    double deadline;     /* milliseconds per tick; 0 = 100 */
    int64_t iterations;  /* per tick instead, for windowed repair; 0 = by deadline */
    uint64_t seed;
} dl_bench_live;

typedef struct dl_live_results {
    bool has[DL_LIVE_METHODS]; /* only what was asked for is measured */
    dl_live_point point[DL_LIVE_METHODS][DL_LIVE_DENSITIES];
} dl_live_results;

const char *dl_live_method_name(dl_live_method method);
/* Runs it, prints a row a point to `table`. */
dl_status dl_bench_live_run(const dl_bench_live *bench, FILE *table, const dl_progress *progress,
                            dl_live_results *results, dl_error *err);
/* FOLDER/results.csv. */
dl_status dl_bench_live_write(const dl_live_results *results, const char *folder, dl_error *err);

#endif
