/* LaCAM as a solver of its own: the first solution by restarts, then, if asked for, LaCAM*'s search for cheaper ones.
 * For tools. */
#ifndef DL_LACAM_LACAM_H
#define DL_LACAM_LACAM_H

#include "lacam/lacam_search.h"

typedef struct dl_lacam_options {
    uint64_t seed;
    dl_lacam_settings search; /* search.memory bounds tables and graph together */
    uint64_t restart_after;   /* expansions of the first attempt, doubled for each next one; 0 = no restarts */
    bool anytime;             /* use the rest of the budget to lower the sum of costs by rewiring the graph */
    uint64_t expansions;      /* limit in all, for repeatable runs; 0 = none */
} dl_lacam_options;

typedef struct dl_lacam_result {
    dl_plan *plan;    /* of the lowest sum of costs, checked; NULL if none was found */
    dl_plan *nearest; /* without a plan: the way to the configuration of least sum of distances, for others to go on */
    bool optimal;     /* no plan has a lower sum of loss */
    int64_t soc, first_soc;
    double first_seconds;
    uint64_t expansions, configurations, restarts;
} dl_lacam_result;

/* Swap rule, one sample, restarts: the fastest to a first solution, also where it is dense. */
dl_lacam_options dl_lacam_lean(uint64_t seed);

/* For plans that differ: lean, in turn with ten samples and as it is. Descents (descent.h) from the first end lower
 * where boards are full; the last finds a plan nearly everywhere. Only a first plan, within so many steps of everybody
 * (expansions times samples). */
dl_lacam_options dl_lacam_varied(uint64_t seed, uint64_t turn, uint64_t steps);

/* DIFFLNS_OK with a plan; UNSOLVED (the message says whether time, expansions or memory ran out), UNSOLVABLE if
 * proved, STOPPED if canceled before a plan was found, OUT_OF_MEMORY likewise. It knows no errands. Release the result
 * in every case. */
dl_status dl_lacam_solve(const dl_instance *instance, dl_distance *distance, const dl_lacam_options *options,
                         dl_deadline deadline, dl_lacam_result *result, dl_error *err);
void dl_lacam_result_release(dl_lacam_result *result);

#endif
