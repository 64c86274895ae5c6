/* Re-solving windows of a plan: the configurations at two times are start and goal of a MAPF instance of their own;
 * where a solver gets from one to the other in fewer steps, the plan becomes shorter by the difference. This loosens
 * the rigid plans of push-and-swap, which replanning of single agents does not. Windows begin after all prefixes; a
 * plan of an agent with several goals stays as it is. */
#ifndef DL_LACAM_WINDOWS_H
#define DL_LACAM_WINDOWS_H

#include "base/deadline.h"
#include "mapf/plan.h"

/* Solves an instance by the deadline; DIFFLNS_OK with a valid plan, or any other status. */
typedef dl_status dl_window_solver(void *user, const dl_instance *instance, dl_deadline deadline, dl_plan **out);

typedef struct dl_windows_options {
    int width;             /* steps of the first windows; they double from pass to pass */
    double window_seconds; /* the most a window may take */
    dl_window_solver *solver;
    void *user;
} dl_windows_options;

typedef struct dl_windows_result {
    int tried, improved;
    int64_t soc_before, soc_after;
} dl_windows_result;

/* Replaces *plan, which must be valid, by a valid plan of lower or equal cost. `result` may be NULL. */
void dl_windows_improve(const dl_instance *instance, const dl_windows_options *options, dl_deadline deadline,
                        dl_plan **plan, dl_windows_result *result);

/* Lean LaCAM as the solver; `user` points to a dl_window_lacam. */
typedef struct dl_window_lacam {
    uint64_t seed;       /* counted up from window to window */
    uint64_t expansions; /* limit of each window, for repeatable results; 0 = by time alone */
} dl_window_lacam;

dl_status dl_window_by_lacam(void *user, const dl_instance *instance, dl_deadline deadline, dl_plan **out);

#endif
