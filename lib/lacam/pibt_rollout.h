/* A PIBT rollout: everybody takes legal steps together for a while; agents that are not home by then follow a shortest
 * way, and only those last steps collide. The best start of repair there is without learning (docs/ablation.md). For
 * tools. */
#ifndef DL_LACAM_PIBT_ROLLOUT_H
#define DL_LACAM_PIBT_ROLLOUT_H

#include "base/deadline.h"
#include "engine/planner.h"

/* Sets the tracks to a rollout of `steps` steps; the table is left empty. False, with no tracks, if the deadline
 * passed, agents have prefixes, or PIBT's tables would take more than DL_PIBT_ROLLOUT_BYTES. */
bool dl_pibt_rollout(dl_planner *p, dl_rng *rng, int steps, const dl_deadline *deadline);

/* 1 GB: 10,000 agents on 100,000 cells. */
#define DL_PIBT_ROLLOUT_BYTES ((size_t)1 << 30)

#endif
