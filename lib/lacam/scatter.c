#include "lacam/scatter.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { LEAST_ROUNDS = 2, NEVER = INT32_MAX };

typedef struct entry {
    uint64_t key; /* conflicts, steps plus distance to go, cell: most significant first */
    uint32_t steps;
    dl_cell from;
} entry;

typedef struct scatter {
    const dl_pibt_tables *tables;
    int margin;
    int horizon;      /* times 0..horizon are counted */
    uint16_t *visits; /* [horizon + 1][cells] paths on a cell at a time */
    uint16_t *moves;  /* [horizon + 1][cells][directions] paths that leave a cell in a direction at a time */
    int32_t *end;     /* [cells] when the path that ends there does, or NEVER: goals are distinct */
    dl_cell **path;   /* [agents] */
    int *length;      /* [agents] cells of the path, 0 = none yet */
    entry *heap;
    size_t heaped, heap_capacity;
    dl_cell *came_from; /* [cells] */
    uint32_t *closed;   /* [cells] number of the search that closed it */
    uint32_t search;
    bool exhausted; /* memory ran out: the rounds end */
} scatter;

static size_t at_time(const scatter *s, int time, dl_cell cell)
{
    return (size_t)time * (size_t)s->tables->instance->grid->cells + (size_t)cell;
}

static int direction_between(const dl_pibt_tables *tables, dl_cell from, dl_cell to)
{
    int d = 0;
    while (tables->step[from][d + 1] != to) d++;
    return d;
}

static void count_path(scatter *s, int agent, int sign)
{
    const dl_cell *path = s->path[agent];
    int last = s->length[agent] - 1;
    if (last < 0) return;
    for (int t = 0; t <= last; t++) {
        s->visits[at_time(s, t, path[t])] += (uint16_t)sign;
        if (t < last)
            s->moves[4 * at_time(s, t, path[t]) + (size_t)direction_between(s->tables, path[t], path[t + 1])] +=
                (uint16_t)sign;
    }
    s->end[path[last]] = sign > 0 ? last : NEVER;
}

static void heap_push(scatter *s, entry e)
{
    if (!DL_GROW(s->heap, s->heap_capacity, s->heaped + 1)) {
        s->exhausted = true;
        return;
    }
    size_t i = s->heaped++;
    for (; i > 0 && e.key < s->heap[(i - 1) / 2].key; i = (i - 1) / 2) s->heap[i] = s->heap[(i - 1) / 2];
    s->heap[i] = e;
}

static entry heap_pop(scatter *s)
{
    entry top = s->heap[0], last = s->heap[--s->heaped];
    size_t i = 0;
    for (size_t child = 1; child < s->heaped; child = 2 * i + 1) {
        if (child + 1 < s->heaped && s->heap[child + 1].key < s->heap[child].key) child++;
        if (s->heap[child].key >= last.key) break;
        s->heap[i] = s->heap[child];
        i = child;
    }
    s->heap[i] = last;
    return top;
}

static uint64_t key_of(uint64_t conflicts, uint32_t length, dl_cell cell)
{
    return (conflicts < UINT16_MAX ? conflicts : UINT16_MAX) << 48 | (uint64_t)length << 28 | (uint32_t)cell;
}

/* Conflicts of stepping from `cell` in direction d between time and time + 1. */
static unsigned conflicts_of(const scatter *s, dl_cell cell, int d, int time)
{
    dl_cell to = s->tables->step[cell][d + 1];
    return s->visits[at_time(s, time + 1, to)] + s->moves[4 * at_time(s, time, to) + (size_t)(d ^ 1)] +
           (unsigned)(s->end[to] <= time);
}

/* Best-first over cells, each closed when first taken. Returns the conflicts of the new path; without memory for it the
 * agent keeps the one it has. */
static uint64_t find_path(scatter *s, int agent, const dl_field *row)
{
    const dl_instance *instance = s->tables->instance;
    dl_cell start = instance->start[agent], goal = instance->goal[agent];
    uint32_t direct = (uint32_t)dl_field_at(row, start), longest = direct + (uint32_t)s->margin;
    s->heaped = 0;
    s->search++;
    heap_push(s, (entry){key_of(0, direct, start), 0, DL_NO_CELL});
    while (!s->exhausted) { /* the shortest path is within the margin, so the goal is always reached */
        entry e = heap_pop(s);
        dl_cell cell = (dl_cell)(e.key & ((1u << 28) - 1));
        if (s->closed[cell] == s->search) continue;
        s->closed[cell] = s->search;
        s->came_from[cell] = e.from;
        if (cell == goal) {
            dl_cell *path = dl_realloc(s->path[agent], e.steps + 1, sizeof(dl_cell));
            if (!path) {
                s->exhausted = true;
                break;
            }
            s->length[agent] = (int)e.steps + 1;
            s->path[agent] = path;
            for (int t = (int)e.steps; t >= 0; t--, cell = s->came_from[cell]) s->path[agent][t] = cell;
            return e.key >> 48;
        }
        for (int d = 0; d < DL_DIRECTIONS; d++) {
            dl_cell to = s->tables->step[cell][d + 1];
            if (to == DL_NO_CELL || s->closed[to] == s->search) continue;
            uint32_t length = e.steps + 1 + (uint32_t)dl_field_at(row, to);
            if (length > longest) continue;
            uint64_t conflicts = (e.key >> 48) + conflicts_of(s, cell, d, (int)e.steps);
            heap_push(s, (entry){key_of(conflicts, length, to), e.steps + 1, cell});
        }
    }
    return 0;
}

static void recommend(scatter *s, dl_pibt_tables *tables)
{
    int cells = tables->instance->grid->cells;
    for (int agent = 0; agent < tables->instance->agents; agent++) {
        uint8_t *guide = tables->guide + (size_t)agent * (size_t)cells;
        for (dl_cell cell = 0; cell < cells; cell++) guide[cell] &= DL_CLOSER_MASK;
        for (int t = 0; t + 1 < s->length[agent]; t++) {
            dl_cell cell = s->path[agent][t];
            int action = direction_between(tables, cell, s->path[agent][t + 1]) + 1;
            guide[cell] |= (uint8_t)(action << DL_CLOSER_BITS);
        }
    }
}

static void run_rounds(scatter *s, dl_distance *distance, uint64_t seed, const dl_deadline *deadline)
{
    int agents = s->tables->instance->agents;
    int32_t *order = DL_ARRAY(int32_t, agents);
    if (!order) return;
    for (int i = 0; i < agents; i++) order[i] = i;
    uint64_t before = UINT64_MAX, now = 0;
    for (int round = 0; round < LEAST_ROUNDS || now < before; round++) {
        before = round == 0 ? UINT64_MAX : now;
        now = 0;
        dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('s', 'c', 'a', 't'), (uint64_t)round);
        dl_rng_shuffle(&rng, order, agents);
        for (int i = 0; i < agents; i++) {
            if (s->exhausted || (round > 0 && dl_deadline_passed(deadline))) goto out_of_time;
            const dl_field *row = dl_distance_acquire(distance, order[i]);
            if (!row) goto out_of_time;
            count_path(s, order[i], -1);
            now += find_path(s, order[i], row);
            dl_distance_release(distance, order[i]);
            count_path(s, order[i], 1);
        }
        if (now == 0) break;
    }
out_of_time:
    free(order);
}

bool dl_scatter(dl_pibt_tables *tables, dl_distance *distance, int margin, uint64_t seed, size_t memory,
                const dl_deadline *deadline)
{
    const dl_instance *instance = tables->instance;
    size_t cells = (size_t)instance->grid->cells;
    scatter s = {.tables = tables, .margin = margin};
    for (int agent = 0; agent < instance->agents; agent++) {
        int longest = tables->start_distance[agent] + margin;
        if (longest > s.horizon) s.horizon = longest;
    }
    size_t states = ((size_t)s.horizon + 1) * cells;
    if (sizeof(uint16_t) * (1 + DL_DIRECTIONS) * states > memory) return false;
    s.visits = DL_ARRAY(uint16_t, states);
    s.moves = DL_ARRAY(uint16_t, DL_DIRECTIONS * states);
    s.end = DL_ARRAY(int32_t, cells);
    s.path = DL_ARRAY(dl_cell *, instance->agents);
    s.length = DL_ARRAY(int, instance->agents);
    s.came_from = DL_ARRAY(dl_cell, cells);
    s.closed = DL_ARRAY(uint32_t, cells);
    bool fits = s.visits && s.moves && s.end && s.path && s.length && s.came_from && s.closed;
    if (fits) {
        for (size_t i = 0; i < cells; i++) s.end[i] = NEVER;
        run_rounds(&s, distance, seed, deadline);
        recommend(&s, tables);
    }
    for (int agent = 0; s.path && agent < instance->agents; agent++) free(s.path[agent]);
    free(s.path);
    free(s.length);
    free(s.visits);
    free(s.moves);
    free(s.end);
    free(s.heap);
    free(s.came_from);
    free(s.closed);
    return fits;
}
