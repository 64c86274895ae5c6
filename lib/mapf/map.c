#include "mapf/map.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/memory.h"

/* What a goal's field is at the moment: not there, in the making by some thread, or there and held READY + n times by n
 * holders. Only a thread that has the lock takes a field out of EMPTY or back to it. */
enum { EMPTY, MAKING, READY };

typedef struct kept_field {
    dl_field field;
    dl_reverse_search *search; /* instead of a field, on large maps */
    atomic_int state;
    atomic_uint used; /* the clock's value when it was last acquired */
} kept_field;

struct difflns_map {
    dl_grid *grid;
    dl_map *plain;        /* whose grid it is, of a map with costs; else NULL */
    dl_edge_costs *costs; /* NULL: none */
    atomic_int owners;
    kept_field *field;   /* [cells], by goal: pages nobody touched cost nothing */
    atomic_uint clock;   /* counts the fields made */
    atomic_size_t bytes; /* searches grow without the lock */
    atomic_size_t limit;
    pthread_mutex_t lock; /* of what follows; never held while something is measured */
    pthread_cond_t made;  /* a field left MAKING */
    dl_cell *goal;        /* [count]: whose fields are there */
    int count, room;
};

/* NULL when memory is out; the grid is not taken over then. */
static dl_map *create(dl_grid *grid)
{
    dl_map *map = DL_NEW(dl_map);
    kept_field *field = DL_ARRAY(kept_field, grid->cells);
    if (!map || !field) {
        free(map);
        free(field);
        return NULL;
    }
    map->grid = grid;
    map->field = field;
    atomic_init(&map->limit, DL_MAP_BYTES);
    atomic_init(&map->owners, 1);
    pthread_mutex_init(&map->lock, NULL);
    pthread_condattr_t attributes; /* deadlines are on the monotonic clock */
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&map->made, &attributes);
    pthread_condattr_destroy(&attributes);
    return map;
}

dl_map *dl_map_create(dl_grid *grid)
{
    dl_map *map = create(grid);
    if (!map) dl_grid_free(grid);
    return map;
}

dl_map *dl_map_under(dl_map *map, dl_edge_costs *costs)
{
    assert(!map->costs && !dl_grid_is_large(map->grid));
    dl_map *under = create(map->grid);
    if (!under) return NULL;
    under->plain = dl_map_share(map);
    under->costs = dl_edge_costs_share(costs);
    atomic_store(&under->limit, atomic_load(&map->limit));
    return under;
}

const dl_edge_costs *dl_map_costs(const dl_map *map)
{
    return map->costs;
}

dl_map *dl_map_share(dl_map *map)
{
    atomic_fetch_add_explicit(&map->owners, 1, memory_order_relaxed);
    return map;
}

void dl_map_free(dl_map *map)
{
    if (!map || atomic_fetch_sub_explicit(&map->owners, 1, memory_order_acq_rel) > 1) return;
    for (int i = 0; i < map->count; i++) {
        dl_field_free(&map->field[map->goal[i]].field);
        dl_reverse_search_free(map->field[map->goal[i]].search);
    }
    pthread_cond_destroy(&map->made);
    pthread_mutex_destroy(&map->lock);
    if (!map->plain) dl_grid_free(map->grid);
    dl_map_free(map->plain);
    dl_edge_costs_free(map->costs);
    free(map->field);
    free(map->goal);
    free(map);
}

const dl_grid *dl_map_grid(const dl_map *map)
{
    return map->grid;
}

/* ---- Giving back ---- */

/* The place in goal[] of the field least recently used of those nobody holds, -1 if all are held. */
static int oldest(const dl_map *map)
{
    int best = -1;
    unsigned now = atomic_load(&map->clock), age = 0;
    for (int i = 0; i < map->count; i++) {
        const kept_field *f = &map->field[map->goal[i]];
        if (atomic_load_explicit(&f->state, memory_order_relaxed) != READY) continue;
        unsigned its_age = now - atomic_load_explicit(&f->used, memory_order_relaxed);
        if (best >= 0 && its_age <= age) continue;
        best = i;
        age = its_age;
    }
    return best;
}

/* Gives back fields and searches until at most `keep` bytes are left, or only what is held. The memory of the last
 * field is handed on: a field in its place needs no fresh pages. Under the lock. */
static dl_field give_back(dl_map *map, size_t keep)
{
    dl_field memory = {0};
    while (atomic_load(&map->bytes) > keep) {
        int i = oldest(map), state = READY;
        if (i < 0) break;
        kept_field *f = &map->field[map->goal[i]];
        if (!atomic_compare_exchange_strong(&f->state, &state, EMPTY)) continue; /* somebody was faster and holds it */
        map->goal[i] = map->goal[--map->count];
        if (f->search) {
            dl_reverse_search_free(f->search);
            f->search = NULL;
            continue;
        }
        atomic_fetch_sub(&map->bytes, dl_field_bytes(&f->field, map->grid));
        dl_field_free(&memory);
        memory = f->field;
        f->field = (dl_field){0};
    }
    return memory;
}

void dl_map_limit(dl_map *map, size_t bytes)
{
    pthread_mutex_lock(&map->lock);
    atomic_store(&map->limit, bytes);
    dl_field memory = give_back(map, bytes);
    pthread_mutex_unlock(&map->lock);
    dl_field_free(&memory);
}

size_t dl_map_limit_of(dl_map *map)
{
    return atomic_load(&map->limit);
}

size_t dl_map_bytes(dl_map *map)
{
    return atomic_load(&map->bytes);
}

bool dl_map_has(const dl_map *map, dl_cell goal)
{
    return atomic_load(&map->field[goal].state) >= READY;
}

unsigned dl_map_made(const dl_map *map)
{
    return atomic_load(&map->clock);
}

/* ---- Acquiring ---- */

/* One holder more if the field is there. */
static bool hold(dl_map *map, kept_field *f)
{
    int state = atomic_load_explicit(&f->state, memory_order_relaxed);
    while (state >= READY) {
        if (!atomic_compare_exchange_weak_explicit(&f->state, &state, state + 1, memory_order_acquire,
                                                   memory_order_relaxed))
            continue;
        unsigned now = atomic_load_explicit(&map->clock, memory_order_relaxed);
        if (atomic_load_explicit(&f->used, memory_order_relaxed) != now)
            atomic_store_explicit(&f->used, now, memory_order_relaxed);
        return true;
    }
    return false;
}

/* Waits until some field left MAKING, or the deadline passed. Under the lock. */
static void wait_for_maker(dl_map *map, const dl_deadline *deadline)
{
    if (!deadline || !isfinite(deadline->end)) {
        pthread_cond_wait(&map->made, &map->lock);
        return;
    }
    double whole = floor(deadline->end);
    struct timespec until = {(time_t)whole, (long)((deadline->end - whole) * 1e9)};
    pthread_cond_timedwait(&map->made, &map->lock, &until);
}

/* Room in goal[] for one more. Under the lock. */
static bool reserve_goal(dl_map *map)
{
    if (map->count < map->room) return true;
    int room = map->room ? 2 * map->room : 64;
    dl_cell *grown = dl_realloc(map->goal, (size_t)room, sizeof *grown);
    if (!grown) return false;
    map->goal = grown;
    map->room = room;
    return true;
}

/* Measures into `memory`, with the lock set aside meanwhile. */
static bool measure(dl_map *map, dl_cell goal, const dl_deadline *deadline, dl_field *memory)
{
    pthread_mutex_unlock(&map->lock);
    bool done = map->costs ? dl_field_fill_with_costs(memory, map->grid, map->costs, goal, deadline)
                           : dl_field_fill(memory, map->grid, goal, deadline);
    pthread_mutex_lock(&map->lock);
    return done && reserve_goal(map);
}

/* Makes the field and holds it once. Under the lock. */
static bool make(dl_map *map, dl_cell goal, const dl_deadline *deadline)
{
    kept_field *f = &map->field[goal];
    size_t wanted = sizeof *f->field.narrow * (size_t)map->grid->cells;
    atomic_store(&f->state, MAKING);
    size_t limit = atomic_load(&map->limit);
    dl_field memory = give_back(map, limit > wanted ? limit - wanted : 0);
    bool done = measure(map, goal, deadline, &memory);
    if (!done && atomic_load(&map->bytes) > 0 &&
        !dl_is_late(deadline)) { /* memory is out: whatever nobody holds makes room */
        dl_field_free(&memory);
        memory = give_back(map, 0);
        done = measure(map, goal, deadline, &memory);
    }
    if (done) {
        assert(map->count < map->room && !f->field.narrow && !f->field.wide);
        f->field = memory;
        map->goal[map->count++] = goal;
        atomic_fetch_add(&map->bytes, dl_field_bytes(&f->field, map->grid));
        atomic_store_explicit(&f->used, atomic_fetch_add(&map->clock, 1), memory_order_relaxed);
    } else {
        dl_field_free(&memory);
    }
    atomic_store_explicit(&f->state, done ? READY + 1 : EMPTY, memory_order_release);
    pthread_cond_broadcast(&map->made);
    if (done && atomic_load(&map->bytes) > limit) { /* it is wider than was thought, or others held too much */
        dl_field spare = give_back(map, limit);
        dl_field_free(&spare);
    }
    return done;
}

const dl_field *dl_map_acquire(dl_map *map, dl_cell goal, const dl_deadline *deadline)
{
    kept_field *f = &map->field[goal];
    if (hold(map, f)) return &f->field;
    pthread_mutex_lock(&map->lock);
    bool held = hold(map, f);
    while (!held && atomic_load(&f->state) == MAKING && !dl_is_late(deadline)) {
        wait_for_maker(map, deadline);
        held = hold(map, f);
    }
    if (!held && atomic_load(&f->state) == EMPTY) held = make(map, goal, deadline);
    pthread_mutex_unlock(&map->lock);
    return held ? &f->field : NULL;
}

dl_reverse_search *const *dl_map_search(const dl_map *map, dl_cell goal)
{
    return &map->field[goal].search;
}

/* Gives back what is too much. Under the lock. */
static void trim(dl_map *map)
{
    dl_field memory = give_back(map, atomic_load(&map->limit));
    dl_field_free(&memory);
}

/* Makes a search and holds it once. Under the lock: that takes no longer than clearing its directory. */
static bool make_search(dl_map *map, dl_cell goal, dl_cell toward)
{
    kept_field *f = &map->field[goal];
    if (!reserve_goal(map)) return false;
    f->search = dl_reverse_search_create(map->grid, goal, toward, &map->bytes);
    if (!f->search) { /* memory is out: whatever nobody holds makes room */
        dl_field memory = give_back(map, 0);
        dl_field_free(&memory);
        f->search = dl_reverse_search_create(map->grid, goal, toward, &map->bytes);
    }
    if (!f->search) return false;
    assert(map->count < map->room);
    map->goal[map->count++] = goal;
    atomic_store_explicit(&f->used, atomic_fetch_add(&map->clock, 1), memory_order_relaxed);
    atomic_store_explicit(&f->state, READY + 1, memory_order_release);
    return true;
}

dl_reverse_search *const *dl_map_acquire_search(dl_map *map, dl_cell goal, dl_cell toward)
{
    kept_field *f = &map->field[goal];
    bool held = hold(map, f), fits = atomic_load(&map->bytes) <= atomic_load(&map->limit);
    if (held && fits) return &f->search;
    pthread_mutex_lock(&map->lock);
    held = held || hold(map, f) || make_search(map, goal, toward);
    if (!fits) trim(map);
    pthread_mutex_unlock(&map->lock);
    return held ? &f->search : NULL;
}

void dl_map_release(dl_map *map, dl_cell goal)
{
    int state = atomic_fetch_sub_explicit(&map->field[goal].state, 1, memory_order_release);
    assert(state > READY); /* somebody held it */
    (void)state;
}
