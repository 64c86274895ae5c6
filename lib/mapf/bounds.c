#include "mapf/bounds.h"

#include "mapf/distance.h"

dl_bounds dl_bounds_of(const dl_instance *instance)
{
    dl_bounds bounds = {0};
    dl_distance *distance = dl_distance_create(instance);
    for (int agent = 0; agent < instance->agents; agent++) {
        int steps = dl_distance_of_start(distance, agent);
        if (steps == DL_UNREACHABLE) continue;
        bounds.soc += steps;
        if (steps > bounds.makespan) bounds.makespan = steps;
    }
    dl_distance_free(distance);
    return bounds;
}
