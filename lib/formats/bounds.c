#include "formats/bounds.h"

#include <assert.h>

#include "mapf/distance.h"

bool dl_bounds_of(const dl_instance *instance, dl_bounds *out)
{
    *out = (dl_bounds){0};
    dl_distance *distance = dl_distance_create(instance);
    if (!distance) return false;
    for (int agent = 0; agent < instance->agents; agent++) {
        int steps = dl_distance_of_start(distance, agent);
        if (steps == DL_UNREACHABLE) continue;
        out->soc += steps;
        if (steps > out->makespan) out->makespan = steps;
    }
    assert(out->makespan <= out->soc);
    bool known = !dl_distance_starved(distance);
    dl_distance_free(distance);
    return known;
}
