#include "mapf/distance.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"

/* Whole table: one row per agent, made once; stripes of locks let threads make different rows at the same time.
 * Bounded table: fewer slots than agents under one lock (stripe 0). */
enum { STRIPES = 16, MIN_SLOTS = 64, UNKNOWN = -1 };

typedef struct stripe {
    pthread_mutex_t lock;
    dl_cell *queue; /* BFS scratch, used under the lock */
} stripe;

typedef struct slot {
    int agent; /* -1 = empty */
    int pins;
    uint64_t used; /* the clock's value at the last acquire */
} slot;

struct dl_distance {
    const dl_instance *instance;
    bool whole;
    int slots;
    uint16_t *rows;     /* [slots][cells] */
    atomic_bool *ready; /* whole: [agents] */
    slot *slot;         /* bounded: [slots] */
    int32_t *slot_of;   /* bounded: [agents], -1 = none */
    atomic_int *start;  /* [agents]: distance of the start, UNKNOWN until the row was made once */
    uint64_t clock;
    stripe stripe[STRIPES];
};

static uint16_t *row_at(const dl_distance *distance, int index)
{
    return distance->rows + (size_t)index * (size_t)distance->instance->grid->cells;
}

dl_distance *dl_distance_create(const dl_instance *instance, size_t bytes)
{
    dl_distance *distance = DL_NEW(dl_distance);
    if (!distance) return NULL;
    for (int i = 0; i < STRIPES; i++) pthread_mutex_init(&distance->stripe[i].lock, NULL);
    size_t row_bytes = sizeof(uint16_t) * (size_t)instance->grid->cells;
    size_t fit = bytes / row_bytes;
    distance->instance = instance;
    distance->whole = fit >= (size_t)instance->agents || instance->agents <= MIN_SLOTS;
    distance->slots = distance->whole ? instance->agents : fit > MIN_SLOTS ? (int)fit : MIN_SLOTS;
    distance->start = DL_ARRAY(atomic_int, instance->agents);
    distance->rows = dl_malloc(row_bytes * (size_t)distance->slots); /* untouched pages cost nothing */
    distance->ready = DL_ARRAY(atomic_bool, instance->agents);
    distance->slot = DL_ARRAY(slot, distance->slots);
    distance->slot_of = DL_ARRAY(int32_t, instance->agents);
    bool fits = distance->start && distance->rows && distance->ready && distance->slot && distance->slot_of;
    for (int i = 0; i < STRIPES; i++) {
        distance->stripe[i].queue = DL_ARRAY(dl_cell, instance->grid->cells);
        fits = fits && distance->stripe[i].queue;
    }
    if (!fits) {
        dl_distance_free(distance);
        return NULL;
    }
    for (int i = 0; i < instance->agents; i++) atomic_init(&distance->start[i], UNKNOWN);
    for (int i = 0; i < distance->slots; i++) distance->slot[i].agent = -1;
    memset(distance->slot_of, 0xFF, sizeof(int32_t) * (size_t)instance->agents);
    return distance;
}

void dl_distance_free(dl_distance *distance)
{
    if (!distance) return;
    for (int i = 0; i < STRIPES; i++) {
        pthread_mutex_destroy(&distance->stripe[i].lock);
        free(distance->stripe[i].queue);
    }
    free(distance->rows);
    free(distance->ready);
    free(distance->slot);
    free(distance->slot_of);
    free(distance->start);
    free(distance);
}

void dl_distance_bfs(const dl_grid *grid, dl_cell goal, uint16_t *row, dl_cell *queue)
{
    memset(row, 0xFF, sizeof *row * (size_t)grid->cells);
    int tail = 0;
    row[goal] = 0;
    queue[tail++] = goal;
    for (int head = 0; head < tail; head++) {
        dl_cell cell = queue[head];
        /* Distances beyond 16 bits saturate one below "unreachable"; only mazes of over 65,000 steps get there. */
        uint16_t next = row[cell] < DL_UNREACHABLE - 1 ? (uint16_t)(row[cell] + 1) : DL_UNREACHABLE - 1;
        for (int d = 0; d < DL_DIRECTIONS; d++) {
            dl_cell neighbor = grid->neighbor[cell][d];
            if (neighbor == DL_NO_CELL || row[neighbor] != DL_UNREACHABLE) continue;
            row[neighbor] = next;
            queue[tail++] = neighbor;
        }
    }
}

static void make_row(dl_distance *distance, stripe *s, int agent, uint16_t *row)
{
    const dl_instance *instance = distance->instance;
    dl_distance_bfs(instance->grid, instance->goal[agent], row, s->queue);
    atomic_store_explicit(&distance->start[agent], row[instance->start[agent]], memory_order_relaxed);
}

static const uint16_t *acquire_whole(dl_distance *distance, int agent)
{
    uint16_t *row = row_at(distance, agent);
    if (atomic_load_explicit(&distance->ready[agent], memory_order_acquire)) return row;
    stripe *s = &distance->stripe[agent % STRIPES];
    pthread_mutex_lock(&s->lock);
    if (!atomic_load_explicit(&distance->ready[agent], memory_order_relaxed)) {
        make_row(distance, s, agent, row);
        atomic_store_explicit(&distance->ready[agent], true, memory_order_release);
    }
    pthread_mutex_unlock(&s->lock);
    return row;
}

/* The least recently used slot that nobody holds. */
static int oldest_slot(const dl_distance *distance)
{
    int best = -1;
    for (int i = 0; i < distance->slots; i++) {
        const slot *candidate = &distance->slot[i];
        if (candidate->agent < 0) return i;
        if (candidate->pins == 0 && (best < 0 || candidate->used < distance->slot[best].used)) best = i;
    }
    return best;
}

static const uint16_t *acquire_bounded(dl_distance *distance, int agent)
{
    stripe *s = &distance->stripe[0];
    pthread_mutex_lock(&s->lock);
    int index = distance->slot_of[agent];
    if (index < 0) {
        index = oldest_slot(distance);
        if (index < 0) abort(); /* more rows held at once than MIN_SLOTS: a caller forgot to release */
        if (distance->slot[index].agent >= 0) distance->slot_of[distance->slot[index].agent] = -1;
        make_row(distance, s, agent, row_at(distance, index));
        distance->slot[index] = (slot){.agent = agent};
        distance->slot_of[agent] = index;
    }
    distance->slot[index].pins++;
    distance->slot[index].used = ++distance->clock;
    pthread_mutex_unlock(&s->lock);
    return row_at(distance, index);
}

const uint16_t *dl_distance_acquire(dl_distance *distance, int agent)
{
    return distance->whole ? acquire_whole(distance, agent) : acquire_bounded(distance, agent);
}

void dl_distance_release(dl_distance *distance, int agent)
{
    if (distance->whole) return;
    pthread_mutex_lock(&distance->stripe[0].lock);
    distance->slot[distance->slot_of[agent]].pins--;
    pthread_mutex_unlock(&distance->stripe[0].lock);
}

bool dl_distance_whole(const dl_distance *distance)
{
    return distance->whole;
}

typedef struct fill {
    dl_distance *distance;
    const dl_deadline *deadline;
    atomic_bool late;
} fill;

static void fill_row(void *context, int agent)
{
    fill *f = context;
    if (f->late) return;
    acquire_whole(f->distance, agent);
    if (dl_is_late(f->deadline)) f->late = true;
}

void dl_distance_fill(dl_distance *distance, int threads, const dl_deadline *deadline)
{
    if (!distance->whole) return;
    fill f = {.distance = distance, .deadline = deadline};
    dl_parallel_for(distance->instance->agents, threads, fill_row, &f);
}

size_t dl_distance_bytes(const dl_distance *distance)
{
    return sizeof(uint16_t) * (size_t)distance->instance->grid->cells * (size_t)distance->slots;
}

static int known_start(const dl_distance *distance, int agent)
{
    return atomic_load_explicit(&distance->start[agent], memory_order_relaxed);
}

int dl_distance_of_start(dl_distance *distance, int agent)
{
    if (known_start(distance, agent) == UNKNOWN) {
        dl_distance_acquire(distance, agent);
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
