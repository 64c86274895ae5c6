/* Drafts for repair: sampled one at a time by the thread that will repair them, so that sampling one overlaps with
 * repairing the others, and candidate `number` is the same whoever asks for it. */
#ifndef DL_SOLVER_DRAFTS_H
#define DL_SOLVER_DRAFTS_H

#include "base/deadline.h"
#include "search/planner.h"
#include "solver/solve.h"

typedef struct dl_drafts dl_drafts;

/* Cheap: nothing is computed before the first draft. The distances and `input` (with a model) must
 * outlive it. */
dl_drafts *dl_drafts_create(const dl_solve_input *input, dl_distance *distance);
void dl_drafts_free(dl_drafts *drafts);
/* Sets the planner's tracks to draft `number`; false if time is over before there is one, or the map is too large. Any
 * thread. */
bool dl_drafts_start(dl_drafts *drafts, dl_planner *planner, uint64_t number, const dl_deadline *deadline);

#endif
