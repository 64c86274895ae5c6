/* Scatter: one path per agent that crosses the others as little as possible, found without waits before the search
 * (the published LaCAM's "space utilization optimization"). PIBT takes its next cell as the first choice. */
#ifndef DL_LACAM_SCATTER_H
#define DL_LACAM_SCATTER_H

#include "base/deadline.h"
#include "lacam/pibt.h"

/* Writes the paths into the guide of `tables` as recommended actions. A path is at most `margin` steps longer than the
 * shortest. Rounds go on until they stop helping or the deadline passes. False, and nothing done, if the counters
 * would take more than `memory` bytes or than there are. */
bool dl_scatter(dl_pibt_tables *tables, dl_distance *distance, int margin, uint64_t seed, size_t memory,
                const dl_deadline *deadline);

#endif
