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
    bool pairs;          /* keep the plan at which the first descent ended, too; not by LaCAM */
} dl_expert_budget;

typedef struct dl_expert_plans {
    dl_plan *plan;
    dl_plan *earlier;     /* costs more; NULL unless pairs are wanted and improvement went on after it */
    dl_expert_solver won; /* whose plan they grew from */
} dl_expert_plans;

/* Checked plans, the caller's. */
dl_status dl_expert_label(const dl_instance *instance, dl_distance *distance, const dl_expert_budget *budget,
                          uint64_t seed, const atomic_int *cancel, dl_expert_plans *out, dl_error *err);

#endif
