/* Errands in stages: solvers that know neither prefixes nor several goals plan them all the same. Prefixes are driven
 * to their end (drive.h); from there everybody goes to its next goal, stage by stage, and at last to the last ones.
 * Each stage is an ordinary instance. What comes out is valid, not short. For tools. */
#ifndef DL_LACAM_STAGES_H
#define DL_LACAM_STAGES_H

#include "lns/windows.h"

/* OK and a checked plan; UNSOLVED if a stage was not solved, which proves nothing; OUT_OF_MEMORY. An instance without
 * errands is one stage. */
dl_status dl_stages_solve(const dl_instance *instance, uint64_t seed, dl_window_solver *solver, void *user,
                          dl_deadline deadline, dl_plan **out, dl_error *err);

#endif
