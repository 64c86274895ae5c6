/* Transitive reduction of plan dependencies. */
#ifndef DL_ORDER_DEPENDENCIES_REDUCE_H
#define DL_ORDER_DEPENDENCIES_REDUCE_H

#include "order/dependencies.h"

/* What is known of the visits while dependencies are made. */
typedef struct dl_dependency_schedule {
    int32_t visits;
    int32_t *time;  /* [visits]: when the visit begins in the plan */
    int32_t *place; /* [visits]: its cell, numbered from 0 among the cells that are visited at all */
    int32_t places;
    int32_t *order; /* [steps]: visits in order of time, those that another in the same instant waits for before it, the
                       members of a rotation side by side */
    int32_t steps;
} dl_dependency_schedule;

/* Takes out of after[] every dependency that follows from the others. Exact. */
dl_status dl_dependencies_reduce(dl_dependencies *dependencies, const dl_dependency_schedule *schedule, dl_error *err);

#endif
