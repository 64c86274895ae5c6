#include "mapf/plan.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

dl_plan *dl_plan_create(int agents)
{
    dl_plan *plan = DL_NEW(dl_plan);
    dl_path *path = DL_ARRAY(dl_path, agents);
    if (!plan || !path) {
        free(plan);
        free(path);
        return NULL;
    }
    *plan = (dl_plan){agents, path};
    return plan;
}

dl_plan *dl_plan_copy(const dl_plan *plan)
{
    dl_plan *copy = dl_plan_create(plan->agents);
    for (int agent = 0; copy && agent < plan->agents; agent++) {
        const dl_path *from = &plan->path[agent];
        dl_path *to = &copy->path[agent];
        to->at = DL_ARRAY(difflns_cell, from->length);
        if (!to->at) {
            dl_plan_free(copy);
            return NULL;
        }
        to->length = to->capacity = from->length;
        if (from->length) memcpy(to->at, from->at, sizeof *to->at * (size_t)from->length);
    }
    return copy;
}

void dl_plan_free(dl_plan *plan)
{
    if (!plan) return;
    for (int agent = 0; agent < plan->agents; agent++) free(plan->path[agent].at);
    free(plan->path);
    free(plan);
}

bool dl_path_append(dl_path *path, difflns_cell cell)
{
    if (!DL_GROW(path->at, path->capacity, path->length + 1)) return false;
    path->at[path->length++] = cell;
    return true;
}

bool dl_plan_set(dl_plan *plan, const dl_grid *grid, int agent, const dl_cell *cells, int length)
{
    assert(agent >= 0 && agent < plan->agents && length >= 0);
    dl_path *path = &plan->path[agent];
    if (!DL_GROW(path->at, path->capacity, length)) return false;
    for (int t = 0; t < length; t++) path->at[t] = dl_grid_position(grid, cells[t]);
    path->length = length;
    return true;
}

int dl_path_cost(const dl_path *path)
{
    int cost = path->length > 0 ? path->length - 1 : 0;
    while (cost > 0 && path->at[cost].row == path->at[cost - 1].row && path->at[cost].col == path->at[cost - 1].col)
        cost--;
    return cost;
}

void dl_plan_trim(dl_plan *plan)
{
    for (int agent = 0; agent < plan->agents; agent++)
        if (plan->path[agent].length > 0) plan->path[agent].length = dl_path_cost(&plan->path[agent]) + 1;
}

int64_t dl_plan_soc(const dl_plan *plan)
{
    int64_t soc = 0;
    for (int agent = 0; agent < plan->agents; agent++) soc += dl_path_cost(&plan->path[agent]);
    return soc;
}

int dl_plan_makespan(const dl_plan *plan)
{
    int makespan = 0;
    for (int agent = 0; agent < plan->agents; agent++) {
        int cost = dl_path_cost(&plan->path[agent]);
        if (cost > makespan) makespan = cost;
    }
    return makespan;
}
