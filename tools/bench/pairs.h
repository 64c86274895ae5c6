/* Costs compared case by case: what a method's plans cost beside those of the first one, the yardstick, on the cases
 * both solved. */
#ifndef DL_BENCH_PAIRS_H
#define DL_BENCH_PAIRS_H

#include "bench/summary.h"

typedef struct dl_pairs_row {
    const char *family; /* NULL: over all settings */
    int agents;
    const char *method;
    dl_estimate ratio;      /* its cost over the yardstick's: the geometric mean */
    int wins, ties, losses; /* a plan that costs less, the same, more; one without a plan loses */
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
/* What it comes to over all settings. */
void dl_pairs_print(const dl_pairs *pairs, FILE *stream);

#endif
