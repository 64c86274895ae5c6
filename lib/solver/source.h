/* Sources: where candidates for repair come from. A source sets the tracks of a planner, colliding or missing ones
 * allowed; repair does the rest, so a source that solves the instance by itself is only one that leaves nothing to do.
 */
#ifndef DL_SOLVER_SOURCE_H
#define DL_SOLVER_SOURCE_H

#include "base/deadline.h"
#include "base/status.h"
#include "difflns.h"
#include "search/planner.h"
#include "solver/drafts.h"

/* Where one solve takes its candidates from. */
typedef struct dl_sources {
    const dl_solve_input *input;
    dl_drafts *drafts; /* NULL without a model */
} dl_sources;

/* Refuses a source that would take more memory than it may on this instance. */
dl_status dl_source_check_memory(const dl_solve_input *input, int threads, dl_error *err);
/* The source of candidate number `index`: the one asked for, or for AUTO one after the other. */
difflns_init dl_source_of(const dl_solve_input *input, int index);
/* Sets the planner's tracks for candidate `index`; false if the source has nothing to offer (or no time). */
bool dl_source_start(difflns_init init, const dl_sources *sources, dl_planner *planner, int index,
                     const dl_deadline *deadline);

#endif
