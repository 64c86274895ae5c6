#include "mapf/collisions.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

typedef struct pair_list {
    uint64_t *pair;
    size_t count, capacity;
} pair_list;

static bool add_pair(pair_list *list, int a, int b)
{
    if (!DL_GROW(list->pair, list->capacity, list->count + 1)) return false;
    list->pair[list->count++] = a < b ? (uint64_t)a << 32 | (uint64_t)b : (uint64_t)b << 32 | (uint64_t)a;
    return true;
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static int64_t distinct(pair_list *list)
{
    if (list->count > 1) qsort(list->pair, list->count, sizeof *list->pair, by_value);
    int64_t count = 0;
    for (size_t i = 0; i < list->count; i++) count += i == 0 || list->pair[i] != list->pair[i - 1];
    return count;
}

static int square(const dl_grid *grid, const dl_path *path, int time)
{
    difflns_cell at = dl_path_at(path, time);
    return at.row * grid->width + at.col;
}

/* The agents on each square now, as chains: first[square] and behind[agent] hold agent + 1, 0 ends. */
typedef struct chains {
    int32_t *first, *behind;
} chains;

static bool count_step(const dl_grid *grid, const dl_plan *plan, int time, const chains *on, pair_list *list,
                       dl_collisions *out)
{
    for (int agent = 0; agent < plan->agents; agent++) {
        int here = square(grid, &plan->path[agent], time);
        for (int other = on->first[here]; other; other = on->behind[other - 1]) {
            out->vertex++;
            if (!add_pair(list, agent, other - 1)) return false;
        }
        on->behind[agent] = on->first[here];
        on->first[here] = agent + 1;
    }
    for (int agent = 0; agent < plan->agents && time > 0; agent++) {
        int here = square(grid, &plan->path[agent], time), before = square(grid, &plan->path[agent], time - 1);
        if (here == before) continue;
        for (int other = on->first[before]; other; other = on->behind[other - 1]) {
            if (other - 1 <= agent || square(grid, &plan->path[other - 1], time - 1) != here) continue;
            out->swap++;
            if (!add_pair(list, agent, other - 1)) return false;
        }
    }
    for (int agent = 0; agent < plan->agents; agent++) on->first[square(grid, &plan->path[agent], time)] = 0;
    return true;
}

bool dl_plan_collisions(const dl_instance *instance, const dl_plan *plan, dl_collisions *out)
{
    const dl_grid *grid = instance->grid;
    *out = (dl_collisions){0};
    pair_list list = {0};
    chains on = {DL_ARRAY(int32_t, grid->height * grid->width), DL_ARRAY(int32_t, plan->agents)};
    bool fits = on.first && on.behind;
    int makespan = dl_plan_makespan(plan);
    for (int time = 0; time <= makespan && fits; time++) fits = count_step(grid, plan, time, &on, &list, out);
    if (fits) out->pairs = distinct(&list);
    free(list.pair);
    free(on.first);
    free(on.behind);
    return fits;
}
