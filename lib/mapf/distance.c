#include "mapf/distance.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "mapf/map.h"

enum { UNKNOWN = -1 };

struct dl_distance {
    const dl_instance *instance;
    dl_map *map;
    dl_asker asker;
    dl_field *view;    /* [goals of all agents]: what they see of their searches, on large maps; else NULL */
    int *first_view;   /* [agents]: where those of an agent begin; NULL if everybody has one goal */
    atomic_int *start; /* [agents]: distance of the start, UNKNOWN until it was measured */
};

static bool has_errand(const dl_instance *instance, int agent)
{
    return dl_instance_fixed(instance, agent) > 0 || dl_instance_stops(instance, agent) > 0;
}

static dl_cell goal_of(const dl_instance *instance, int agent, int goal)
{
    return goal < dl_instance_stops(instance, agent) ? instance->errand[agent].stop[goal] : instance->goal[agent];
}

static const dl_field *view_of(const dl_distance *distance, int agent, int goal)
{
    return &distance->view[distance->first_view ? distance->first_view[agent] + goal : agent];
}

/* Their searches stay where they are, also when they are made anew. */
static bool create_views(dl_distance *distance)
{
    const dl_instance *instance = distance->instance;
    if (!dl_grid_is_large(instance->grid)) return true;
    int views = 0;
    if (instance->errand) {
        distance->first_view = DL_ARRAY(int, instance->agents);
        if (!distance->first_view) return false;
    }
    for (int agent = 0; agent < instance->agents; agent++) {
        if (distance->first_view) distance->first_view[agent] = views;
        views += dl_instance_stops(instance, agent) + 1;
    }
    distance->view = DL_ARRAY(dl_field, views);
    for (int agent = 0, at = 0; agent < instance->agents && distance->view; agent++)
        for (int goal = 0; goal <= dl_instance_stops(instance, agent); goal++)
            distance->view[at++] = (dl_field){.search = dl_map_search(distance->map, goal_of(instance, agent, goal)),
                                              .asker = &distance->asker};
    return distance->view != NULL;
}

dl_distance *dl_distance_create(const dl_instance *instance)
{
    dl_distance *distance = DL_NEW(dl_distance);
    atomic_int *start = DL_ARRAY(atomic_int, instance->agents);
    if (!distance || !start) {
        free(distance);
        free(start);
        return NULL;
    }
    for (int agent = 0; agent < instance->agents; agent++) atomic_init(&start[agent], UNKNOWN);
    distance->instance = instance;
    distance->map = dl_map_share(instance->map);
    distance->asker.deadline = dl_no_deadline();
    distance->start = start;
    if (create_views(distance)) return distance;
    dl_distance_free(distance);
    return NULL;
}

void dl_distance_free(dl_distance *distance)
{
    if (!distance) return;
    dl_map_free(distance->map);
    free(distance->view);
    free(distance->first_view);
    free(distance->start);
    free(distance);
}

void dl_distance_until(dl_distance *distance, dl_deadline deadline)
{
    distance->asker.deadline = deadline;
}

bool dl_distance_is_late(const dl_distance *distance)
{
    return dl_deadline_passed(&distance->asker.deadline);
}

static int known_start(const dl_distance *distance, int agent)
{
    return atomic_load_explicit(&distance->start[agent], memory_order_relaxed);
}

const dl_field *dl_distance_acquire_goal(dl_distance *distance, int agent, int goal)
{
    const dl_instance *instance = distance->instance;
    dl_cell cell = goal_of(instance, agent, goal);
    if (distance->view) {
        dl_cell before = goal > 0 ? goal_of(instance, agent, goal - 1) : dl_instance_released(instance, agent);
        if (dl_map_acquire_search(distance->map, cell, before)) return view_of(distance, agent, goal);
        atomic_store(&distance->asker.starved, true);
        return NULL;
    }
    const dl_field *field = dl_map_acquire(distance->map, cell, &distance->asker.deadline);
    if (!field && !dl_distance_is_late(distance)) atomic_store(&distance->asker.starved, true);
    return field;
}

void dl_distance_release_goal(dl_distance *distance, int agent, int goal)
{
    dl_map_release(distance->map, goal_of(distance->instance, agent, goal));
}

const dl_field *dl_distance_acquire(dl_distance *distance, int agent)
{
    const dl_instance *instance = distance->instance;
    const dl_field *field = dl_distance_acquire_goal(distance, agent, dl_instance_stops(instance, agent));
    if (!field || distance->view) return field;
    if (known_start(distance, agent) == UNKNOWN && !has_errand(instance, agent))
        atomic_store_explicit(&distance->start[agent], dl_field_at(field, instance->start[agent]),
                              memory_order_relaxed);
    return field;
}

void dl_distance_release(dl_distance *distance, int agent)
{
    dl_map_release(distance->map, distance->instance->goal[agent]);
}

bool dl_distance_starved(const dl_distance *distance)
{
    return atomic_load(&distance->asker.starved);
}

bool dl_distance_whole(const dl_distance *distance)
{
    if (distance->view) return false;
    size_t bytes = sizeof(uint16_t) * (size_t)distance->instance->grid->cells;
    return bytes * (size_t)distance->instance->agents <= dl_map_limit_of(distance->map);
}

typedef struct fill {
    dl_distance *distance;
    const dl_deadline *deadline;
    atomic_bool late;
} fill;

static void fill_field(void *context, int agent)
{
    fill *f = context;
    if (f->late) return;
    if (dl_distance_acquire(f->distance, agent)) dl_distance_release(f->distance, agent);
    if (dl_is_late(f->deadline)) f->late = true;
}

void dl_distance_fill(dl_distance *distance, int threads, const dl_deadline *deadline)
{
    if (!dl_distance_whole(distance)) return;
    fill f = {.distance = distance, .deadline = deadline};
    dl_parallel_for(distance->instance->agents, threads, fill_field, &f);
}

/* The prefix, and shortest ways from goal to goal after it. */
static int cost_of_errand(dl_distance *distance, int agent)
{
    const dl_instance *instance = distance->instance;
    const dl_errand *errand = &instance->errand[agent];
    dl_cell at = dl_instance_released(instance, agent);
    int steps = 0;
    for (int i = dl_instance_stops_in_prefix(instance, agent); i <= errand->stops; i++) {
        const dl_field *field = dl_distance_acquire_goal(distance, agent, i);
        int leg = field ? dl_field_at(field, at) : DL_UNREACHABLE;
        if (field) dl_distance_release_goal(distance, agent, i);
        if (leg == DL_UNREACHABLE) return DL_UNREACHABLE;
        assert(leg >= 0);
        steps += leg;
        at = goal_of(instance, agent, i);
    }
    return steps > 0 ? errand->fixed + steps : dl_instance_prefix_arrival(instance, agent);
}

int dl_distance_of_start(dl_distance *distance, int agent)
{
    if (known_start(distance, agent) != UNKNOWN) return known_start(distance, agent);
    const dl_field *field = has_errand(distance->instance, agent) ? NULL : dl_distance_acquire(distance, agent);
    int steps = DL_UNREACHABLE;
    if (field) {
        steps = dl_field_at(field, distance->instance->start[agent]);
        dl_distance_release(distance, agent);
    } else if (has_errand(distance->instance, agent)) {
        steps = cost_of_errand(distance, agent);
    }
    assert(steps >= 0 && steps <= DL_UNREACHABLE);
    /* On a large map that may mean that time or memory is out. */
    if (steps != DL_UNREACHABLE) atomic_store_explicit(&distance->start[agent], steps, memory_order_relaxed);
    return steps;
}

int64_t dl_distance_lower_bound(dl_distance *distance)
{
    return dl_distance_lower_bound_within(distance, NULL);
}

int64_t dl_distance_lower_bound_within(dl_distance *distance, const dl_deadline *deadline)
{
    int64_t sum = 0;
    for (int agent = 0; agent < distance->instance->agents; agent++) {
        if (known_start(distance, agent) == UNKNOWN && dl_is_late(deadline)) return -1;
        int steps = dl_distance_of_start(distance, agent);
        if (steps == DL_UNREACHABLE) return -1;
        sum += steps;
    }
    return sum;
}
