/* One plan of an expert for one instance. */
#ifndef DL_EXPERT_EXPERT_LABEL_H
#define DL_EXPERT_EXPERT_LABEL_H

#include "base/deadline.h"
#include "mapf/distance.h"
#include "mapf/plan.h"

typedef enum dl_expert_solver {
    DL_EXPERT_LACAM, /* LaCAM, then improvement */
    DL_EXPERT_LNS2,  /* repair of loosened shortest paths, then improvement */
    DL_EXPERT_BEST   /* the better of both starts, then improvement */
} dl_expert_solver;

const char *dl_expert_solver_name(dl_expert_solver solver);

typedef struct dl_expert_budget {
    dl_expert_solver solver;
    double seconds;      /* for one instance ... */
    uint64_t iterations; /* ... or so many improving iterations, whatever time they take; 0 = time */
} dl_expert_budget;

/* A checked plan, the caller's, and in *won the solver whose plan it grew from. */
dl_status dl_expert_label(const dl_instance *instance, dl_distance *distance, const dl_expert_budget *budget,
                          uint64_t seed, const atomic_int *cancel, dl_plan **plan, dl_expert_solver *won,
                          dl_error *err);

#endif
