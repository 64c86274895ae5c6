#include "mapf/reverse_search.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "mapf/field.h"

/* Works on places, row * width + column: a byte a place says what is an obstacle, and a search that touches little
 * memory is a fast one. Distances are kept in pages of so many places of a row. Smaller pages would take more for the
 * directory than they save: a search settles a rectangle sooner or later. */
enum { PAGE_BITS = 7, PAGE_PLACES = 1 << PAGE_BITS };
/* What a page says of a place: its distance, and whether it was settled after the first dive. */
enum { STEPS_MASK = 0x7FFF, LATER = 0x8000, UNSETTLED = UINT16_MAX };
/* Longer ways do not fit: then a whole field takes over. */
enum { MOST_STEPS = STEPS_MASK - 1 };
/* Places expanded between two looks at the clock: less than a millisecond. */
enum { POLL_PLACES = 1 << 14 };

typedef _Atomic uint16_t page[PAGE_PLACES];

/* A place to be expanded, or to be settled when its turn comes. */
typedef struct entry {
    int32_t place, steps;
    int16_t row, col;
} entry;

typedef struct stack {
    entry *entry;
    size_t count, room;
} stack;

struct dl_reverse_search {
    const dl_grid *grid;
    dl_cell goal, leaning;
    difflns_cell toward; /* where `leaning` is */
    atomic_size_t *bytes;
    size_t counted;            /* of *bytes: what is this search's */
    _Atomic(page *) *page;     /* [directory]: NULL until a place of it is settled */
    _Atomic(dl_field *) whole; /* takes over where ways are too long; else NULL */
    pthread_mutex_t lock;      /* of what follows and of writing to pages */
    dl_arena arena;
    /* The estimate to `toward` is the sum of the differences of rows and columns, so a step costs 0 or 2: there are
     * only two kinds of open places, and stacks serve as the queue. Those in `now` are settled and wait to be expanded.
     */
    stack now, later;
    bool dived; /* `leaning` is settled */
    int settled;
};

static size_t directory_size(const dl_grid *grid)
{
    return ((size_t)grid->height * (size_t)grid->width >> PAGE_BITS) + 1;
}

static bool push(stack *s, entry e)
{
    if (!DL_GROW(s->entry, s->room, s->count + 1)) return false;
    s->entry[s->count++] = e;
    return true;
}

static int read_page(dl_reverse_search *s, int place)
{
    page *p = atomic_load_explicit(&s->page[place >> PAGE_BITS], memory_order_acquire);
    return p ? atomic_load_explicit(&(*p)[place & (PAGE_PLACES - 1)], memory_order_relaxed) : UNSETTLED;
}

/* ---- under the lock ---- */

static page *page_of(dl_reverse_search *s, int place)
{
    page *p = atomic_load_explicit(&s->page[place >> PAGE_BITS], memory_order_relaxed);
    if (p) return p;
    p = dl_arena_alloc(&s->arena, sizeof *p);
    if (!p) return NULL;
    memset(p, 0xFF, sizeof *p);
    atomic_store_explicit(&s->page[place >> PAGE_BITS], p, memory_order_release);
    return p;
}

/* Settles a place and lists it for expansion. False when memory is out: nothing has changed. */
static bool settle(dl_reverse_search *s, entry e)
{
    page *p = page_of(s, e.place);
    if (!p || !push(&s->now, e)) return false;
    int said = e.steps | (s->dived ? LATER : 0);
    atomic_store_explicit(&(*p)[e.place & (PAGE_PLACES - 1)], (uint16_t)said, memory_order_relaxed);
    s->settled++;
    return true;
}

/* Every settled place was expanded: those two steps dearer are next. */
static bool next_layer(dl_reverse_search *s)
{
    while (s->later.count > 0) {
        entry e = s->later.entry[s->later.count - 1];
        if (read_page(s, e.place) == UNSETTLED && !settle(s, e)) return false;
        s->later.count--;
    }
    return true;
}

/* Looks at the neighbor in one direction; false when memory is out. */
static bool look(dl_reverse_search *s, const entry *from, int down, int right, bool nears)
{
    const dl_grid *grid = s->grid;
    int row = from->row + down, col = from->col + right, place = from->place + down * grid->width + right;
    if (!dl_grid_inside(grid, row, col) || grid->blocked[place] || read_page(s, place) != UNSETTLED) return true;
    entry e = {place, from->steps + 1, (int16_t)row, (int16_t)col};
    return nears ? settle(s, e) : push(&s->later, e);
}

/* Expands one place. When memory is out it stays to be expanded: doing so twice does no harm. Of two ways nearer the
 * one in the direction in which more is left to go is expanded first: along a diagonal there are ways around obstacles
 * to the end. */
static bool expand(dl_reverse_search *s)
{
    const size_t top = s->now.count - 1;
    const entry e = s->now.entry[top];
    int rows = s->toward.row - e.row, columns = s->toward.col - e.col;
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
    size_t directory = sizeof *s->page * directory_size(s->grid);
    size_t now = sizeof *s + directory + dl_arena_capacity(&s->arena) + sizeof(entry) * (s->now.room + s->later.room);
    dl_field *whole = atomic_load_explicit(&s->whole, memory_order_relaxed);
    if (whole) now += dl_field_bytes(whole, s->grid);
    atomic_fetch_add_explicit(s->bytes, now - s->counted, memory_order_relaxed);
    s->counted = now;
}

/* Measures everything at once. */
static bool measure_whole(dl_reverse_search *s, const dl_deadline *deadline)
{
    dl_field *whole = DL_NEW(dl_field);
    if (whole && dl_field_fill(whole, s->grid, s->goal, deadline)) {
        atomic_store_explicit(&s->whole, whole, memory_order_release);
        return true;
    }
    if (whole) dl_field_free(whole);
    free(whole);
    return false;
}

/* Goes on until the place is settled; false if time or memory is out before. */
static bool go_on(dl_reverse_search *s, int place, const dl_deadline *deadline)
{
    for (unsigned turn = 1; read_page(s, place) == UNSETTLED; turn++) {
        if (s->now.count == 0 && !next_layer(s)) return false;
        if (s->now.entry[s->now.count - 1].steps >= MOST_STEPS) return measure_whole(s, deadline);
        if (!expand(s) || (turn % POLL_PLACES == 0 && dl_is_late(deadline))) return false;
    }
    return true;
}

/* The dive comes first, whichever place is asked for. */
static bool dive_and_go_on(dl_reverse_search *s, int place, const dl_deadline *deadline)
{
    if (!s->dived && s->grid->component[s->leaning] == s->grid->component[s->goal] &&
        !go_on(s, s->grid->where[s->leaning], deadline))
        return false;
    s->dived = true;
    return atomic_load_explicit(&s->whole, memory_order_relaxed) || go_on(s, place, deadline);
}

/* ---- for all threads ---- */

dl_reverse_search *dl_reverse_search_create(const dl_grid *grid, dl_cell goal, dl_cell toward, atomic_size_t *bytes)
{
    dl_reverse_search *s = DL_NEW(dl_reverse_search);
    if (!s) return NULL;
    s->grid = grid;
    s->goal = goal;
    s->leaning = toward;
    s->toward = dl_grid_position(grid, toward);
    s->bytes = bytes;
    pthread_mutex_init(&s->lock, NULL);
    s->page = dl_calloc(directory_size(grid), sizeof *s->page);
    difflns_cell at = dl_grid_position(grid, goal);
    if (s->page && settle(s, (entry){grid->where[goal], 0, (int16_t)at.row, (int16_t)at.col})) {
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
    free(s->page);
    free(s->now.entry);
    free(s->later.entry);
    dl_arena_free(&s->arena);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

int dl_reverse_search_at(dl_reverse_search *s, dl_cell cell, dl_asker *asker)
{
    const int place = s->grid->where[cell], steps = read_page(s, place);
    if (__builtin_expect(steps != UNSETTLED, 1)) return steps & STEPS_MASK;
    if (s->grid->component[cell] != s->grid->component[s->goal]) return DL_UNREACHABLE;
    dl_field *whole = atomic_load_explicit(&s->whole, memory_order_acquire);
    if (!whole) {
        if (dl_deadline_passed(&asker->deadline)) return DL_UNREACHABLE;
        pthread_mutex_lock(&s->lock);
        whole = atomic_load_explicit(&s->whole, memory_order_relaxed);
        bool known = whole || dive_and_go_on(s, place, &asker->deadline);
        whole = atomic_load_explicit(&s->whole, memory_order_relaxed);
        count_bytes(s);
        pthread_mutex_unlock(&s->lock);
        if (!known) {
            if (!dl_deadline_passed(&asker->deadline)) atomic_store(&asker->starved, true);
            return DL_UNREACHABLE;
        }
    }
    return whole ? dl_field_at(whole, cell) : read_page(s, place) & STEPS_MASK;
}

int dl_reverse_search_at_once(dl_reverse_search *s, dl_cell cell)
{
    int steps = read_page(s, s->grid->where[cell]);
    return steps & LATER ? -1 : steps;
}

int dl_reverse_search_settled(dl_reverse_search *s)
{
    pthread_mutex_lock(&s->lock);
    int settled = s->settled;
    pthread_mutex_unlock(&s->lock);
    return settled;
}
