/* The runs of an experiment, one row each, kept in results.csv. A row is written as soon as its run is over, so an
 * interrupted experiment resumes where it stopped. */
#ifndef DL_BENCH_RECORDS_H
#define DL_BENCH_RECORDS_H

#include <stdio.h>

#include "base/lock.h"
#include "base/status.h"
#include "base/text.h"

typedef enum dl_outcome {
    DL_RUN_SOLVED,
    DL_RUN_UNSOLVED,   /* no plan within the limit */
    DL_RUN_UNSOLVABLE, /* proved */
    DL_RUN_INVALID,    /* an external solver's plan did not pass the checker */
    DL_RUN_OUTCOMES
} dl_outcome;

const char *dl_outcome_name(dl_outcome outcome);

enum { DL_RECORD_NAME = 48 }; /* longest family or method, with its NUL */

typedef struct dl_record {
    char family[DL_RECORD_NAME];
    int agents;
    int number;    /* of the case, from 0 */
    uint64_t seed; /* of the instance: difflns generate FAMILY -N AGENTS --seed SEED */
    char method[DL_RECORD_NAME];
    double limit; /* seconds it was given; 0 = limited by iterations alone */
    dl_outcome outcome;
    int64_t soc, makespan;    /* -1 = no plan */
    int64_t sum_of_distances; /* -1 = not known */
    double seconds;           /* from instance to plan, or to giving up */
    int candidates;           /* starts that were repaired; 0 = the method has none */
    uint64_t iterations;      /* of repair */
    int64_t start_conflicts;  /* colliding pairs of the first start; -1 = not known */
    int threads;
    char init[DL_RECORD_NAME]; /* what the plan grew from; empty = no plan, or nobody says */
    int64_t lower_bound;       /* no plan costs less; -1 = not computed */
    int64_t first_soc;         /* of the first plan; -1 = not known, here and below */
    double first_seconds;      /* until then */
    double cpu_seconds;        /* of the processor, all threads together */
} dl_record;

typedef struct dl_records {
    dl_record *row;
    int count, room;
} dl_records;

void dl_records_add(dl_records *records, const dl_record *record);
void dl_records_free(dl_records *records);
/* The run of this method on this case, or NULL. */
const dl_record *dl_records_find(const dl_records *records, const char *family, int agents, int number,
                                 const char *method);

/* One line of the file, with its newline; and back. */
void dl_record_print(const dl_record *record, dl_text *line);
dl_status dl_record_parse(const char *line, size_t length, const char *name, int number, dl_record *out, dl_error *err);

/* The file, open for more rows. */
typedef struct dl_results {
    FILE *stream;
    char *path;
    dl_lock lock;
} dl_results;

/* Locks the file, reads what is there into *records and opens it for appending; a missing or empty file is begun. A
 * last line without an end was cut short: it is dropped. Refuses files that are not ours or hold a run twice. */
dl_status dl_results_open(const char *path, dl_results *out, dl_records *records, dl_error *err);
/* Writes the row through to the file. */
dl_status dl_results_append(dl_results *results, const dl_record *record, dl_error *err);
void dl_results_close(dl_results *results);

#endif
