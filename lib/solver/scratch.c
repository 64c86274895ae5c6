#include "solver/scratch.h"

#include <assert.h>

#include "base/memory.h"

bool dl_scratch_reserve(dl_scratch *scratch, int workers)
{
    int before = scratch->planners;
    if (!DL_GROW(scratch->planner, scratch->planners, workers)) return false;
    for (int i = before; i < scratch->planners; i++) scratch->planner[i] = NULL;
    return true;
}

dl_planner *dl_scratch_planner(dl_scratch *scratch, int number, const dl_instance *instance, dl_distance *distance)
{
    assert(number >= 0 && number < scratch->planners);
    dl_planner **planner = &scratch->planner[number];
    if (*planner && dl_planner_reuse(*planner, instance, distance)) return *planner;
    dl_planner_free(*planner);
    return *planner = dl_planner_create(instance, distance, DL_ENGINE_AUTO);
}

void dl_scratch_park(dl_scratch *scratch)
{
    for (int i = 0; i < scratch->planners; i++)
        if (scratch->planner[i] && scratch->planner[i]->instance) dl_planner_park(scratch->planner[i]);
}

void dl_scratch_free(dl_scratch *scratch)
{
    for (int i = 0; i < scratch->planners; i++) dl_planner_free(scratch->planner[i]);
    free(scratch->planner);
    *scratch = (dl_scratch){0};
}
