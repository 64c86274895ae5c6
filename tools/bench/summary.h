/* From runs to figures: one row for each method on each setting. */
#ifndef DL_BENCH_SUMMARY_H
#define DL_BENCH_SUMMARY_H

#include "bench/paper.h"
#include "bench/records.h"
#include "bench/statistics.h"

typedef struct dl_summary_row {
    const char *family, *method; /* of the records */
    int agents;
    int cases, solved, unsolvable;
    dl_estimate success;         /* share of all cases */
    dl_estimate soc;             /* over the solved ones */
    dl_estimate ratio;           /* sum of costs over sum of distances, over the solved ones */
    dl_estimate common_soc;      /* over the cases that every method of the setting solved: the fair comparison */
    dl_estimate seconds;         /* over all, failures included */
    dl_estimate solved_seconds;  /* over the solved ones */
    dl_estimate candidates;      /* over those that had any */
    dl_estimate iterations;      /* over all */
    dl_estimate start_conflicts; /* over those that say */
} dl_summary_row;

typedef struct dl_summary {
    dl_summary_row *row; /* in order of the paper's settings, then of the methods' first runs */
    int count, room;
} dl_summary;

/* Keeps pointers into `records`. */
dl_summary dl_summarize(const dl_records *records);
void dl_summary_free(dl_summary *summary);
const dl_summary_row *dl_summary_find(const dl_summary *summary, const char *family, int agents, const char *method);

/* summary.csv: with the paper's figures of the experiment where it has any. */
dl_status dl_summary_write(const dl_summary *summary, const dl_paper *paper, const char *experiment, const char *path,
                           dl_error *err);
/* The same for people. */
void dl_summary_print(const dl_summary *summary, const dl_paper *paper, const char *experiment, FILE *stream);

#endif
