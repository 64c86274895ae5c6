/* Driving prefixes to their end: everybody with a prefix follows it, and the others make way. Depth first over time, a
 * step of PIBT each; nobody enters a cell from which prefixes leave no way out, and what PIBT finds no way for is tried
 * in other ways, as in LaCAM's low level. Restarts end searches that got lost. For tools. */
#ifndef DL_LACAM_DRIVE_H
#define DL_LACAM_DRIVE_H

#include "base/deadline.h"
#include "mapf/plan.h"

/* A plan without collisions from the starts to the end of the last prefix, each path as long. UNSOLVED when time or the
 * limit of steps ran out, or nothing was left to try (the message says which); OUT_OF_MEMORY. */
dl_status dl_drive(const dl_instance *instance, uint64_t seed, dl_deadline deadline, dl_plan **out, dl_error *err);

#endif
