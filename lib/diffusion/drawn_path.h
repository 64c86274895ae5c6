/* A legal path drawn at random, exactly: with probability proportional to exp(value), the value being that of
 * likeliest_path.h. One pass backward in time sums the weight of all ways to go on from each cell, one pass forward
 * draws by it (forward filtering and backward sampling, with time reversed). */
#ifndef DL_DIFFUSION_DRAWN_PATH_H
#define DL_DIFFUSION_DRAWN_PATH_H

#include "base/rng.h"
#include "diffusion/likeliest_path.h"

/* Fills cells[0..horizon]; arguments as in dl_likeliest_path. False when memory is out. */
DL_MUST_CHECK bool dl_drawn_path(dl_likeliest *planner, const dl_field *distance, dl_cell start, dl_cell goal,
                                 int horizon, const float *score, int alphabet, dl_likeliest_costs costs,
                                 const dl_crowd *crowd, dl_rng *rng, dl_cell *cells);

#endif
