/* A plan to improve: a planner whose table holds every agent and no collision. */
#ifndef DL_TESTS_SUPPORT_REPAIRED_H
#define DL_TESTS_SUPPORT_REPAIRED_H

#include "engine/planner.h"
#include "support.h"

typedef struct repaired {
    dl_instance *instance;
    dl_distance *distance;
    dl_planner *planner;
    dl_deadline deadline; /* never */
    int64_t soc;
} repaired;

/* Prioritized planning, repaired. The instance is the world's then. False if repair finds no plan; close it all the
 * same. */
bool repaired_open(repaired *w, dl_instance *instance, dl_engine engine, uint64_t seed);
void repaired_close(repaired *w);
/* The tracks have no collision and this cost. */
void repaired_expect_valid(const repaired *w, const dl_track *track, int64_t soc);

#endif
