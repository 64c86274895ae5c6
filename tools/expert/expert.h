/* The expert: solves generated instances by the thousand and keeps the plans as demonstrations. Jobs are numbered; what
 * job k is follows from the options alone, so a run can be stopped, resumed, extended, and spread over threads and
 * machines, and with a budget of iterations always ends in the same bytes. */
#ifndef DL_EXPERT_EXPERT_H
#define DL_EXPERT_EXPERT_H

#include "base/progress.h"
#include "base/ranks.h"
#include "expert/expert_label.h"
#include "generate/generate.h"

enum { DL_EXPERT_CHOICES = 32 };

typedef struct dl_expert_options {
    int families;
    const char *family[DL_EXPERT_CHOICES]; /* presets of the generators */
    int sizes;
    int agents[DL_EXPERT_CHOICES]; /* team sizes */
    dl_placement placement;
    int64_t count; /* jobs in all, taking turns over families and team sizes */
    uint64_t seed;
    dl_expert_budget budget;
    double worst;     /* plans that cost more than this times the lower bound count as unsolved; 0 = keep all */
    int threads;      /* of this process; 0 = all cores */
    const char *path; /* the demonstration file; its card goes beside it */
    dl_ranks ranks;
    const dl_progress *progress;
    const atomic_int *cancel; /* may be NULL */
} dl_expert_options;

typedef struct dl_expert_summary {
    int64_t solved, unsolved; /* in the file, from this run or before */
    int64_t made;             /* demonstrations of this run */
    double seconds;           /* of this run */
    double ratio;             /* mean sum of costs over lower bound */
} dl_expert_summary;

/* Refuses options that can't work before anything is written. STOPPED after a cancel: call again to go on. On ranks
 * other than 0 the summary stays empty. */
dl_status dl_expert_run(const dl_expert_options *options, dl_expert_summary *summary, dl_error *err);

#endif
