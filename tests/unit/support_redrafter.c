#include "support_redrafter.h"

#include "support.h"

static bool suits(void *user, const dl_planner *planner)
{
    (void)planner;
    return !((const test_drawing *)user)->unsuited;
}

/* False when memory is out. */
static bool take_shortest_path(const dl_planner *planner, int agent, dl_plan *plan)
{
    const dl_instance *instance = planner->instance;
    dl_cell path[512] = {instance->start[agent]};
    int length = 1;
    const dl_field *field = dl_distance_acquire(planner->distance, agent);
    if (!field) return false;
    while (path[length - 1] != instance->goal[agent])
        for (int k = 0; k < DL_DIRECTIONS; k++) {
            dl_cell next = instance->grid->neighbor[path[length - 1]][k];
            if (next == DL_NO_CELL || dl_field_at(field, next) >= dl_field_at(field, path[length - 1])) continue;
            path[length++] = next;
            break;
        }
    dl_distance_release(planner->distance, agent);
    return dl_plan_set(plan, instance->grid, agent, path, length);
}

static dl_status draw(void *user, const dl_planner *planner, const dl_redraft_part *part, const dl_deadline *deadline,
                      dl_plan **plan, uint64_t *searches)
{
    (void)deadline;
    test_drawing *d = user;
    d->asked++;
    *searches += 50;
    *plan = NULL;
    if (d->status != DIFFLNS_OK) return d->status;
    *plan = dl_planner_write_plan(planner);
    bool room = *plan;
    for (int agent = 0; room && agent < planner->instance->agents; agent++) {
        if (!part->chosen[agent]) continue;
        room = take_shortest_path(planner, agent, *plan);
        d->drawn += room;
    }
    if (room) return DIFFLNS_OK;
    dl_plan_free(*plan);
    *plan = NULL;
    return DIFFLNS_OUT_OF_MEMORY;
}

dl_redrafter test_redrafter(test_drawing *d)
{
    return (dl_redrafter){suits, draw, d};
}
