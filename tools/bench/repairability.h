/* How easily starts are repaired, counted in iterations: what `bench init` is about. Runs are made with a generous
 * budget; since a run with a smaller one is the beginning of the same run, success within any smaller budget can be
 * told afterward. */
#ifndef DL_BENCH_REPAIRABILITY_H
#define DL_BENCH_REPAIRABILITY_H

#include "bench/summary.h"

typedef struct dl_repairability_row {
    const char *family, *start; /* of the records */
    int agents;
    double budget;       /* iterations: half of the prioritized starts of this setting succeed within it */
    dl_estimate success; /* share repaired within it */
    double median;       /* iterations until repaired; infinite if less than half were */
    dl_estimate ratio;   /* sum of costs over sum of distances, of those repaired at all */
    dl_estimate conflicts;
} dl_repairability_row;

typedef struct dl_repairability {
    dl_repairability_row *row; /* in the order of the summary */
    int count;
    const dl_records *records;
} dl_repairability;

/* Keeps pointers into `records`. */
dl_repairability dl_repairability_of(const dl_records *records, const dl_summary *summary);
void dl_repairability_free(dl_repairability *r);

/* A start against prioritized planning over all settings both were run on, and against the drafts. */
typedef struct dl_start_verdict {
    int settings, below; /* below: settings where it succeeded less often */
    double success, pp_success;
    dl_estimate cost; /* its plans' over those of `diffusion`: geometric mean over the cases both repaired */
} dl_start_verdict;

dl_start_verdict dl_repairability_verdict(const dl_repairability *r, const char *start);

/* init.csv: one row for each start of each setting, then one for each start over all of them. */
dl_status dl_repairability_write(const dl_repairability *r, const char *path, dl_error *err);
void dl_repairability_print(const dl_repairability *r, FILE *stream);

#endif
