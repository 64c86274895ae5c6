/* Demonstrations: solved instances for training, in one file that is only ever appended to. Each record stands alone
 * (its own zstd frame and checksum), so killing the writer loses at most the record it was writing, and damage costs
 * only what lies after it. Records carry the number of their job; readers see them in the order of jobs, whatever the
 * order they were written in. docs/expert.md describes the bytes. For tools. */
#ifndef DL_DIFFUSION_DEMOS_H
#define DL_DIFFUSION_DEMOS_H

#include <stddef.h>

#include "mapf/plan.h"

enum { DL_DEMO_FAMILY = 24, DL_DEMO_SOLVER = 8 };

/* What can be known without unpacking. */
typedef struct dl_demo_summary {
    uint64_t job;  /* number in the run that made it */
    uint64_t seed; /* of the instance's generator */
    int64_t soc, lower_bound;
    int32_t agents, makespan;
    char family[DL_DEMO_FAMILY]; /* of the generator */
    char solver[DL_DEMO_SOLVER];
} dl_demo_summary;

typedef struct dl_demo {
    dl_demo_summary about;
    dl_instance *instance; /* owned */
    dl_plan *plan;         /* owned, passed the checker */
    dl_plan *earlier; /* the same: a plan that costs more, from which the search came to this one; NULL: not kept */
} dl_demo;

void dl_demo_release(dl_demo *demo);

/* ---- Reading ---- */

typedef struct dl_demos dl_demos;

/* Opens the whole file and verifies every checksum. A truncated, damaged or foreign file is refused. */
dl_status dl_demos_open(const char *path, dl_demos **out, dl_error *err);
/* The same, but what lies before the damage stays readable: OK with damage->status DIFFLNS_OK for a sound file, or with
 * the line about the damage. Only a file that is no demonstration file at all is refused. */
dl_status dl_demos_salvage(const char *path, dl_demos **out, dl_error *damage);
void dl_demos_close(dl_demos *demos);

int64_t dl_demos_count(const dl_demos *demos);
const dl_demo_summary *dl_demos_summary(const dl_demos *demos, int64_t index);
/* How the file was made: one JSON object. */
const char *dl_demos_about(const dl_demos *demos);
/* Jobs that found no plan. */
int64_t dl_demos_unsolved(const dl_demos *demos);
/* Unpacks and checks one. Threads may read at the same time. */
dl_status dl_demos_read(const dl_demos *demos, int64_t index, dl_demo *out, dl_error *err);

/* ---- Writing ---- */

/* One record as bytes, to be made on any thread or machine. */
typedef struct dl_demo_record {
    void *bytes; /* owned */
    size_t size;
} dl_demo_record;

/* Fills in costs and agents of `demo->about` from the plan. Without bytes when memory is out. */
dl_demo_record dl_demo_pack(dl_demo *demo);
/* Says that the job found no plan, so that it is not tried again. Without bytes when memory is out. */
dl_demo_record dl_demo_pack_unsolved(const dl_demo_summary *about);
/* What a record says about itself; false if it is not a whole, sound record. */
bool dl_demo_record_summary(const dl_demo_record *record, dl_demo_summary *about, bool *solved);
void dl_demo_record_release(dl_demo_record *record);

typedef struct dl_demos_writer dl_demos_writer;

/* Makes the file, or goes on with one whose `about` is the same; a record cut short at its end is dropped. Nobody else
 * may write at the same time. */
dl_status dl_demos_writer_open(const char *path, const char *about, dl_demos_writer **out, dl_error *err);
bool dl_demos_writer_has(const dl_demos_writer *writer, uint64_t job);
dl_status dl_demos_append(dl_demos_writer *writer, const dl_demo_record *record, dl_error *err);
/* Puts the records in the order of jobs (a new file, renamed over the old one) unless they are, and closes. */
dl_status dl_demos_writer_finish(dl_demos_writer *writer, dl_error *err);
/* Closes and leaves the file as it is: writing can continue later. */
void dl_demos_writer_close(dl_demos_writer *writer);

#endif
