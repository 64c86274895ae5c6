/* SIPPS: safe-interval path planning with soft constraints, on pooled labels and per-cell event lists. The engine for
 * large maps, and the cross-check of the boards on small ones. Preferences are not used here: among equal labels the
 * order is random, and the tie rule moves waits along the finished path. */
#ifndef DL_ENGINE_SIPPS_SIPPS_H
#define DL_ENGINE_SIPPS_SIPPS_H

#include "engine/planner.h"

dl_planner *dl_sipps_planner_create(const dl_instance *instance, dl_distance *distance);

#endif
