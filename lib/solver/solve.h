/* Algorithm 1 and the portfolio around it: candidates from starts, repaired by threads until one is free of conflicts;
 * then improvement for the rest of the time. For tools. */
#ifndef DL_SOLVER_SOLVE_H
#define DL_SOLVER_SOLVE_H

#include <stdatomic.h>

#include "difflns.h"
#include "mapf/instance.h"
#include "mapf/plan.h"
#include "solver/options.h"
#include "solver/report.h"
#include "solver/scratch.h"

/* What one solve is given; all of it stays the caller's. */
typedef struct dl_solve_input {
    const dl_instance *instance;
    const dl_options *options;
    const dl_plan *init_plan;   /* for init plan */
    const difflns_model *model; /* for init diffusion, and for auto to use drafts; NULL = none */
    bool keep_start;            /* the report keeps the plan the returned one grew from */
    const atomic_int *stop;     /* may be NULL; non-zero asks to stop */
    difflns_listener *listener; /* may be NULL */
    void *user;
    dl_scratch *scratch; /* kept from solve to solve; NULL = none */
} dl_solve_input;

/* As difflns_solver_solve() says; `report` is not NULL and is the caller's to free in any case. */
dl_status dl_solve(const dl_solve_input *input, dl_plan **plan, dl_report *report, dl_error *err);

/* How many iterations candidate `index` gets before the next one is started: a few for the first, then ever
 * more, so that neither a lucky start nor a long repair is missed. */
uint64_t dl_solve_patience(int index);

#endif
