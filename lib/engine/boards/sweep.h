/* The board engine: an exact dynamic program over (conflicts, time) whose states are bitboards of cells. */
#ifndef DL_ENGINE_BOARDS_SWEEP_H
#define DL_ENGINE_BOARDS_SWEEP_H

#include "engine/planner.h"

/* Needs a whole distance table. */
dl_planner *dl_sweep_planner_create(const dl_instance *instance, dl_distance *distance);

#endif
