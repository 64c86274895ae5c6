/* One moment of a plan as a picture, SVG. */
#ifndef DL_PLOT_PICTURE_H
#define DL_PLOT_PICTURE_H

#include "mapf/plan.h"

/* True if the name ends in .svg. */
bool dl_picture_named(const char *path);
/* The map, the goals and the agents at `time` (after the end: the last moment); agents in conflict are ringed red. */
dl_status dl_picture_write(const dl_instance *instance, const dl_plan *plan, int time, const char *path, dl_error *err);

#endif
