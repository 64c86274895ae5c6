/* Costs compared case by case: what a method saves against the first one, the yardstick, on the same cases. */
#ifndef DL_BENCH_PAIRS_H
#define DL_BENCH_PAIRS_H

#include "bench/summary.h"

typedef struct dl_pairs_row {
    const char *family; /* NULL: over all settings */
    int agents;
    const char *method;
    dl_estimate saved; /* share of the yardstick's cost, from the geometric mean; below 0 = costs more */
} dl_pairs_row;

typedef struct dl_pairs {
    const char *yardstick;
    dl_pairs_row *row; /* setting by setting, in the order of the summary, all of them last */
    int count, room;
} dl_pairs;

/* Keeps pointers into both. */
dl_pairs dl_pairs_of(const dl_records *records, const dl_summary *summary);
void dl_pairs_free(dl_pairs *pairs);

dl_status dl_pairs_write(const dl_pairs *pairs, const char *path, dl_error *err);
void dl_pairs_print(const dl_pairs *pairs, FILE *stream);

#endif
