/* Lanes: costs of edges from the map alone. Parallel ways alternate in direction, so that robots that come toward each
 * other are led past each other. Nothing is forbidden: a step against its lane only costs more, and steps that all ways
 * between two places must take cost nothing extra in either direction, so that nobody is cut off. */
#ifndef DL_FLEET_LANES_H
#define DL_FLEET_LANES_H

#include "mapf/edge_costs.h"

typedef struct dl_lanes {
    int rows, cols; /* so many rows next to each other lead the same way, then as many the other way; 0 = two-way */
    int extra;      /* units that a step against its lane costs */
} dl_lanes;

/* NULL when memory is out. */
dl_edge_costs *dl_lanes_lay(const dl_grid *grid, const dl_lanes *lanes);

#endif
