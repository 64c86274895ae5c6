/* What a solve has to tell beside its plan. For tools. */
#ifndef DL_SOLVER_REPORT_H
#define DL_SOLVER_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "mapf/plan.h"

/* One start and its repair. */
typedef struct dl_candidate {
    const char *init;       /* the name of the start */
    int64_t conflicts;      /* colliding pairs at the start; -1 = it was not made */
    int64_t conflicts_left; /* at the end; 0 = repaired */
    uint64_t iterations;
    double seconds;
} dl_candidate;

typedef struct dl_report {
    int64_t soc, first_soc; /* of the returned and of the first valid plan; -1 = there is none */
    int32_t makespan;
    int64_t sum_of_distances; /* -1 = not known */
    int64_t lower_bound; /* no plan costs less: the sum of distances, or with --bound a better one; -1 = not known */
    double seconds, first_seconds; /* since the call; first_seconds = -1: no valid plan */
    const char *init;              /* what the returned plan grew from; without one, what was asked for */
    int32_t threads;
    uint64_t repair_iterations; /* of all candidates together */
    double repair_seconds;
    uint64_t improve_iterations;
    int32_t candidates;
    dl_candidate *candidate; /* [candidates], in the order of their start */
    dl_plan *start;          /* what the returned plan grew from, collisions and all; NULL unless kept */
    dl_plan *colliding;      /* the plan with the fewest colliding pairs seen, for solves that find no valid one */
    char reason[400];        /* why nothing was found; empty when solved */
} dl_report;

/* Is it shown that no plan is cheaper than the returned one? */
static inline bool dl_report_optimal(const dl_report *report)
{
    return report->soc >= 0 && report->soc == report->lower_bound;
}

/* By how much of the lower bound the plan may cost more than the best one; 0 = it is the best, -1 = not known. */
static inline double dl_report_gap(const dl_report *report)
{
    if (dl_report_optimal(report)) return 0;
    bool known = report->soc >= 0 && report->lower_bound > 0;
    return known ? (double)report->soc / (double)report->lower_bound - 1 : -1;
}

void dl_report_free(dl_report *report);

#endif
