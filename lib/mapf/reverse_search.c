#include "mapf/reverse_search.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "mapf/field.h"

/* Distances are kept in square tiles: a way of a thousand steps crosses a hundred of them, and a search that touches
 * little memory is a fast one. Smaller ones would take more for the directory than they save. */
enum { TILE_BITS = 4, TILE_SIDE = 1 << TILE_BITS };
/* What a tile says of a place: its distance, and whether it was settled after the first dive. */
enum { STEPS_MASK = 0x7FFF, LATER = 0x8000, UNSETTLED = UINT16_MAX };
/* Longer ways do not fit: then a whole field takes over. */
enum { MOST_STEPS = STEPS_MASK - 1 };
/* Places expanded between two looks at the clock: less than a millisecond. */
enum { POLL_PLACES = 1 << 14 };

typedef _Atomic uint16_t tile[TILE_SIDE][TILE_SIDE];

typedef struct place {
    int16_t row, col;
} place;

/* A place to be expanded, or to be settled when its turn comes. */
typedef struct entry {
    place at;
    int32_t steps;
} entry;

typedef struct stack {
    entry *entry;
    size_t count, room;
} stack;

struct dl_reverse_search {
    const dl_grid *grid;
    place goal, toward;
    int32_t component;
    bool joined; /* does a way lead from `toward` to the goal? */
    atomic_size_t *bytes;
    size_t counted;   /* of *bytes: what is this search's */
    int tiles_across; /* tiles in a row of them */
    size_t tiles;
    _Atomic(tile *) *tile;     /* [tiles]: NULL until a place of it is settled */
    _Atomic(dl_field *) whole; /* takes over where ways are too long; else NULL */
    atomic_int way;            /* from `toward` to the goal; -1 until the first dive has come there */
    pthread_mutex_t lock;      /* of what follows and of writing to tiles */
    dl_arena arena;
    /* The estimate to `toward` is the sum of the differences of rows and columns, so a step costs 0 or 2: there are
     * only two kinds of open places, and stacks serve as the queue. Those in `now` are settled and wait to be expanded.
     */
    stack now, later;
    bool dived;
    int settled;
};

static place place_of(const dl_grid *grid, dl_cell cell)
{
    difflns_cell at = dl_grid_position(grid, cell);
    return (place){(int16_t)at.row, (int16_t)at.col};
}

static int apart(place a, place b)
{
    return abs(a.row - b.row) + abs(a.col - b.col);
}

static bool push(stack *s, entry e)
{
    if (!DL_GROW(s->entry, s->room, s->count + 1)) return false;
    s->entry[s->count++] = e;
    return true;
}

static _Atomic(tile *) *tile_of(const dl_reverse_search *s, place at)
{
    return &s->tile[(at.row >> TILE_BITS) * s->tiles_across + (at.col >> TILE_BITS)];
}

static int read_tile(const dl_reverse_search *s, place at)
{
    tile *t = atomic_load_explicit(tile_of(s, at), memory_order_acquire);
    if (!t) return UNSETTLED;
    return atomic_load_explicit(&(*t)[at.row & (TILE_SIDE - 1)][at.col & (TILE_SIDE - 1)], memory_order_relaxed);
}

/* ---- under the lock ---- */

static tile *make_tile(dl_reverse_search *s, place at)
{
    tile *t = dl_arena_alloc(&s->arena, sizeof *t);
    if (!t) return NULL;
    memset(t, 0xFF, sizeof *t);
    atomic_store_explicit(tile_of(s, at), t, memory_order_release);
    return t;
}

/* Settles a place and lists it for expansion. False when memory is out: nothing has changed. */
static bool settle(dl_reverse_search *s, entry e)
{
    tile *t = atomic_load_explicit(tile_of(s, e.at), memory_order_relaxed);
    if (!t) t = make_tile(s, e.at);
    if (!t || !push(&s->now, e)) return false;
    assert(e.steps >= 0 && e.steps <= MOST_STEPS);
    int said = e.steps | (s->dived ? LATER : 0);
    atomic_store_explicit(&(*t)[e.at.row & (TILE_SIDE - 1)][e.at.col & (TILE_SIDE - 1)], (uint16_t)said,
                          memory_order_relaxed);
    s->settled++;
    return true;
}

/* Every settled place was expanded: those that cost two steps more are next. */
static bool next_layer(dl_reverse_search *s)
{
    while (s->later.count > 0) {
        entry e = s->later.entry[s->later.count - 1];
        if (read_tile(s, e.at) == UNSETTLED && !settle(s, e)) return false;
        s->later.count--;
    }
    return true;
}

/* Looks at the neighbor in one direction; false when memory is out. */
static bool look(dl_reverse_search *s, const entry *from, int down, int right, bool nears)
{
    const dl_grid *grid = s->grid;
    entry e = {{(int16_t)(from->at.row + down), (int16_t)(from->at.col + right)}, from->steps + 1};
    if (!dl_grid_inside(grid, e.at.row, e.at.col) || grid->blocked[e.at.row * grid->width + e.at.col]) return true;
    if (read_tile(s, e.at) != UNSETTLED) return true;
    return nears ? settle(s, e) : push(&s->later, e);
}

/* Expands one place. When memory is out it stays to be expanded: doing so twice does no harm. Of two ways nearer the
 * one in the direction in which more is left to go is expanded first: along a diagonal there are ways around obstacles
 * to the end. */
static bool expand(dl_reverse_search *s)
{
    assert(s->now.count > 0);
    const size_t top = s->now.count - 1;
    const entry e = s->now.entry[top];
    int rows = s->toward.row - e.at.row, columns = s->toward.col - e.at.col;
    bool rows_first = abs(rows) > abs(columns);
    for (int k = 0; k < 2; k++) {
        bool vertical = rows_first == (k == 0);
        int left = vertical ? rows : columns;
        if (!look(s, &e, -vertical, -!vertical, left < 0) || !look(s, &e, vertical, !vertical, left > 0)) return false;
    }
    s->now.entry[top] = s->now.entry[--s->now.count]; /* of two above it, the first is now on top */
    return true;
}

/* Counts the memory that came to it. */
static void count_bytes(dl_reverse_search *s)
{
    size_t now = sizeof *s + sizeof *s->tile * s->tiles + dl_arena_capacity(&s->arena) +
                 sizeof(entry) * (s->now.room + s->later.room);
    dl_field *whole = atomic_load_explicit(&s->whole, memory_order_relaxed);
    if (whole) now += dl_field_bytes(whole, s->grid);
    atomic_fetch_add_explicit(s->bytes, now - s->counted, memory_order_relaxed);
    s->counted = now;
}

/* Measures everything at once. */
static bool measure_whole(dl_reverse_search *s, const dl_deadline *deadline)
{
    dl_field *whole = DL_NEW(dl_field);
    if (whole && dl_field_fill(whole, s->grid, dl_grid_cell(s->grid, s->goal.row, s->goal.col), deadline)) {
        atomic_store_explicit(&s->whole, whole, memory_order_release);
        return true;
    }
    if (whole) dl_field_free(whole);
    free(whole);
    return false;
}

/* Goes on until the place is settled, or a whole field is; false if time or memory is out before. */
static bool go_on(dl_reverse_search *s, place at, const dl_deadline *deadline)
{
    for (unsigned turn = 1; read_tile(s, at) == UNSETTLED; turn++) {
        if (s->now.count == 0 && !next_layer(s)) return false;
        if (s->now.entry[s->now.count - 1].steps >= MOST_STEPS) return measure_whole(s, deadline);
        if (!expand(s) || (turn % POLL_PLACES == 0 && dl_is_late(deadline))) return false;
    }
    return true;
}

/* The dive comes first, whichever place is asked for. */
static bool dive_and_go_on(dl_reverse_search *s, place at, const dl_deadline *deadline)
{
    if (!s->dived && s->joined && !go_on(s, s->toward, deadline)) return false;
    s->dived = true;
    if (atomic_load_explicit(&s->whole, memory_order_relaxed)) return true;
    if (s->joined) atomic_store(&s->way, read_tile(s, s->toward) & STEPS_MASK);
    return go_on(s, at, deadline);
}

/* ---- for all threads ---- */

dl_reverse_search *dl_reverse_search_create(const dl_grid *grid, dl_cell goal, dl_cell toward, atomic_size_t *bytes)
{
    dl_reverse_search *s = DL_NEW(dl_reverse_search);
    if (!s) return NULL;
    s->grid = grid;
    s->goal = place_of(grid, goal);
    s->toward = place_of(grid, toward);
    s->component = grid->component[goal];
    s->joined = grid->component[toward] == s->component;
    s->bytes = bytes;
    s->tiles_across = (grid->width + TILE_SIDE - 1) >> TILE_BITS;
    s->tiles = (size_t)s->tiles_across * (size_t)((grid->height + TILE_SIDE - 1) >> TILE_BITS);
    atomic_init(&s->way, -1);
    pthread_mutex_init(&s->lock, NULL);
    s->tile = dl_calloc(s->tiles, sizeof *s->tile);
    if (s->tile && settle(s, (entry){s->goal, 0})) {
        count_bytes(s);
        return s;
    }
    dl_reverse_search_free(s);
    return NULL;
}

void dl_reverse_search_free(dl_reverse_search *s)
{
    if (!s) return;
    atomic_fetch_sub_explicit(s->bytes, s->counted, memory_order_relaxed);
    dl_field *whole = atomic_load(&s->whole);
    if (whole) dl_field_free(whole);
    free(whole);
    free(s->tile);
    free(s->now.entry);
    free(s->later.entry);
    dl_arena_free(&s->arena);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

int dl_reverse_search_at(dl_reverse_search *s, dl_cell cell, dl_asker *asker)
{
    place at = place_of(s->grid, cell);
    int steps = read_tile(s, at);
    if (__builtin_expect(steps != UNSETTLED, 1)) return steps & STEPS_MASK;
    if (s->grid->component[cell] != s->component) return DL_UNREACHABLE;
    dl_field *whole = atomic_load_explicit(&s->whole, memory_order_acquire);
    if (!whole) {
        if (dl_deadline_passed(&asker->deadline)) return DL_UNREACHABLE;
        pthread_mutex_lock(&s->lock);
        whole = atomic_load_explicit(&s->whole, memory_order_relaxed);
        bool known = whole || dive_and_go_on(s, at, &asker->deadline);
        whole = atomic_load_explicit(&s->whole, memory_order_relaxed);
        count_bytes(s);
        pthread_mutex_unlock(&s->lock);
        if (!known) {
            if (!dl_deadline_passed(&asker->deadline)) atomic_store(&asker->starved, true);
            return DL_UNREACHABLE;
        }
    }
    return whole ? dl_field_at(whole, cell) : read_tile(s, at) & STEPS_MASK;
}

/* What was not settled when the dive came to `toward` is no nearer over it than the way of the dive is long. */
int dl_reverse_search_bound(dl_reverse_search *s, dl_cell cell, bool *exact)
{
    place at = place_of(s->grid, cell);
    int steps = read_tile(s, at);
    *exact = !(steps & LATER);
    if (*exact) return steps;
    int direct = apart(at, s->goal), over = atomic_load_explicit(&s->way, memory_order_relaxed) - apart(at, s->toward);
    return direct > over ? direct : over;
}

int dl_reverse_search_settled(dl_reverse_search *s)
{
    pthread_mutex_lock(&s->lock);
    int settled = s->settled;
    pthread_mutex_unlock(&s->lock);
    return settled;
}
