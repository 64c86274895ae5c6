#include "mapf/bounds.h"

#include "mapf/distance.h"

bool dl_bounds_of(const dl_instance *instance, dl_bounds *out)
{
    *out = (dl_bounds){0};
    dl_distance *distance = dl_distance_create(instance, 0); /* each row is used once: the smallest table will do */
    if (!distance) return false;
    for (int agent = 0; agent < instance->agents; agent++) {
        int steps = dl_distance_acquire(distance, agent)[instance->start[agent]];
        dl_distance_release(distance, agent);
        if (steps == DL_UNREACHABLE) continue;
        out->soc += steps;
        if (steps > out->makespan) out->makespan = steps;
    }
    dl_distance_free(distance);
    return true;
}
