#include "mapf/distance.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "mapf/map.h"

enum { UNKNOWN = -1 };

struct dl_distance {
    const dl_instance *instance;
    dl_map *map;
    dl_deadline deadline;
    atomic_bool starved;
    atomic_int *start; /* [agents]: distance of the start, UNKNOWN until the field was there once */
};

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
    distance->deadline = dl_no_deadline();
    distance->start = start;
    return distance;
}

void dl_distance_free(dl_distance *distance)
{
    if (!distance) return;
    dl_map_free(distance->map);
    free(distance->start);
    free(distance);
}

void dl_distance_until(dl_distance *distance, dl_deadline deadline)
{
    distance->deadline = deadline;
}

static int known_start(const dl_distance *distance, int agent)
{
    return atomic_load_explicit(&distance->start[agent], memory_order_relaxed);
}

static bool has_errand(const dl_instance *instance, int agent)
{
    return dl_instance_fixed(instance, agent) > 0 || dl_instance_stops(instance, agent) > 0;
}

const dl_field *dl_distance_acquire_to(dl_distance *distance, dl_cell cell)
{
    const dl_field *field = dl_map_acquire(distance->map, cell, &distance->deadline);
    if (!field && !dl_deadline_passed(&distance->deadline)) atomic_store(&distance->starved, true);
    return field;
}

void dl_distance_release_to(dl_distance *distance, dl_cell cell)
{
    dl_map_release(distance->map, cell);
}

const dl_field *dl_distance_acquire(dl_distance *distance, int agent)
{
    const dl_instance *instance = distance->instance;
    const dl_field *field = dl_distance_acquire_to(distance, instance->goal[agent]);
    if (!field) return NULL;
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
    return atomic_load(&distance->starved);
}

bool dl_distance_whole(const dl_distance *distance)
{
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
        dl_cell next = i < errand->stops ? errand->stop[i] : instance->goal[agent];
        const dl_field *field = dl_distance_acquire_to(distance, next);
        int leg = field ? dl_field_at(field, at) : DL_UNREACHABLE;
        if (field) dl_distance_release_to(distance, next);
        if (leg == DL_UNREACHABLE) return DL_UNREACHABLE;
        steps += leg;
        at = next;
    }
    return steps > 0 ? errand->fixed + steps : dl_instance_prefix_arrival(instance, agent);
}

int dl_distance_of_start(dl_distance *distance, int agent)
{
    if (known_start(distance, agent) == UNKNOWN && has_errand(distance->instance, agent)) {
        int cost = cost_of_errand(distance, agent);
        if (cost != DL_UNREACHABLE) atomic_store_explicit(&distance->start[agent], cost, memory_order_relaxed);
        return cost;
    }
    if (known_start(distance, agent) == UNKNOWN) {
        if (!dl_distance_acquire(distance, agent)) return DL_UNREACHABLE;
        dl_distance_release(distance, agent);
    }
    return known_start(distance, agent);
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
