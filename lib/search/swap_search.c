#include "search/swap_search.h"

#include <stdlib.h>

#include "base/memory.h"

enum {
    MAX_CELLS = 32,       /* of a neighborhood: a set of cells is one word */
    MAX_RINGS = 64,       /* shortest rings through each edge of a neighborhood */
    MAX_STATES = 1 << 21, /* two million states take some 300 ms */
    TABLE_SIZE = 1 << 22,
    STEP_RING = MAX_CELLS * MAX_CELLS /* a step is from*MAX_CELLS + to, or STEP_RING + 2*ring + backward */
};

typedef struct loop {
    int length;
    uint32_t mask;
    uint8_t cell[MAX_CELLS];
} loop;

/* Where the pair is, and which cells are free. */
typedef struct state {
    uint32_t blanks;
    uint8_t x, y;
} state;

struct dl_swap_search {
    const dl_grid *grid;
    dl_rotation_swaps *rotations;
    int32_t *local; /* [cells]: number in the neighborhood, -1 = outside */
    /* the neighborhood */
    int cells, rings;
    dl_cell cell[MAX_CELLS];
    int16_t neighbor[MAX_CELLS][DL_DIRECTIONS];
    uint32_t around[MAX_CELLS]; /* the neighbors as a set */
    loop ring[MAX_RINGS];
    /* the search */
    int states;
    state *state;
    int32_t *parent;
    int16_t *step;
    int32_t *table; /* 1 + state, 0 = empty */
    int32_t *slot;  /* of each state in the table, to empty it */
};

dl_swap_search *dl_swap_search_create(const dl_grid *grid, dl_rotation_swaps *rotations)
{
    dl_swap_search *s = DL_NEW(dl_swap_search);
    int32_t *local = DL_ARRAY(int32_t, grid->cells);
    if (!s || !local) {
        free(s);
        free(local);
        return NULL;
    }
    s->grid = grid;
    s->rotations = rotations;
    s->local = local;
    for (dl_cell cell = 0; cell < grid->cells; cell++) s->local[cell] = -1;
    return s;
}

void dl_swap_search_free(dl_swap_search *s)
{
    if (!s) return;
    free(s->local);
    free(s->state);
    free(s->parent);
    free(s->step);
    free(s->table);
    free(s->slot);
    free(s);
}

/* ---- The neighborhood
 * ------------------------------------------------------------------------------------------------ */

static void add_cell(dl_swap_search *s, dl_cell cell)
{
    s->local[cell] = s->cells;
    s->cell[s->cells++] = cell;
}

static void gather_neighborhood(dl_swap_search *s, dl_cell x, dl_cell y, int size)
{
    for (int i = 0; i < s->cells; i++) s->local[s->cell[i]] = -1;
    s->cells = 0;
    add_cell(s, x);
    add_cell(s, y);
    for (int head = 0; head < s->cells; head++)
        for (int d = 0; d < DL_DIRECTIONS; d++) {
            dl_cell next = s->grid->neighbor[s->cell[head]][d];
            if (next != DL_NO_CELL && s->local[next] < 0 && s->cells < size) add_cell(s, next);
        }
    for (int i = 0; i < s->cells; i++) {
        s->around[i] = 0;
        for (int d = 0; d < DL_DIRECTIONS; d++) {
            dl_cell next = s->grid->neighbor[s->cell[i]][d];
            s->neighbor[i][d] = (int16_t)(next == DL_NO_CELL ? -1 : s->local[next]);
            if (s->neighbor[i][d] >= 0) s->around[i] |= 1u << s->neighbor[i][d];
        }
    }
}

/* The shortest ring that uses the edge from `a` to `b`. */
static bool shortest_ring(const dl_swap_search *s, int a, int b, loop *found)
{
    int16_t from[MAX_CELLS];
    uint8_t queue[MAX_CELLS];
    uint32_t seen = 1u << b;
    int tail = 0;
    queue[tail++] = (uint8_t)b;
    from[b] = -1;
    for (int head = 0; head < tail; head++) {
        int at = queue[head];
        for (int d = 0; d < DL_DIRECTIONS; d++) {
            int next = s->neighbor[at][d];
            if (next < 0 || seen >> next & 1 || (at == b && next == a)) continue;
            seen |= 1u << next;
            from[next] = (int16_t)at;
            queue[tail++] = (uint8_t)next;
        }
    }
    if (!(seen >> a & 1)) return false;
    found->length = 0;
    found->mask = 0;
    for (int at = a; at >= 0; at = from[at]) {
        found->cell[found->length++] = (uint8_t)at;
        found->mask |= 1u << at;
    }
    return true;
}

static void find_rings(dl_swap_search *s)
{
    s->rings = 0;
    for (int a = 0; a < s->cells; a++)
        for (int d = 0; d < DL_DIRECTIONS; d++) {
            int b = s->neighbor[a][d];
            if (b <= a || s->rings == MAX_RINGS || !shortest_ring(s, a, b, &s->ring[s->rings])) continue;
            bool known = false;
            for (int r = 0; r < s->rings; r++) known |= s->ring[r].mask == s->ring[s->rings].mask;
            s->rings += !known;
        }
}

/* ---- Exchanges on the spot
 * -------------------------------------------------------------------------------------------- */

typedef enum exchange_kind { EXCHANGE_NONE, EXCHANGE_JUNCTION, EXCHANGE_RING, EXCHANGE_ROTATIONS } exchange_kind;

typedef struct exchange {
    exchange_kind kind;
    int center, partner, branch[2]; /* at a junction; beside a ring branch[0] is the free cell next to the center */
    int ring;
} exchange;

/* Two free branches beside the pair. */
static bool at_junction(const dl_swap_search *s, const state *at, int center, int partner, exchange *e)
{
    uint32_t branches = s->around[center] & at->blanks;
    if (__builtin_popcount(branches) < 2) return false;
    int first = __builtin_ctz(branches);
    *e = (exchange){EXCHANGE_JUNCTION, center, partner, {first, __builtin_ctz(branches & (branches - 1))}, 0};
    return true;
}

/* A full ring through the pair, and a free cell next to one of them. */
static bool beside_ring(const dl_swap_search *s, const state *at, int center, int partner, exchange *e)
{
    uint32_t branches = s->around[center] & at->blanks;
    if (!branches) return false;
    for (int r = 0; r < s->rings; r++) {
        const loop *ring = &s->ring[r];
        if (ring->mask & at->blanks || !(ring->mask >> center & 1) || !(ring->mask >> partner & 1)) continue;
        int i = 0;
        while (ring->cell[i] != center) i++;
        int next = ring->cell[(i + 1) % ring->length], before = ring->cell[(i + ring->length - 1) % ring->length];
        if (next != partner && before != partner) continue;
        *e = (exchange){EXCHANGE_RING, center, partner, {__builtin_ctz(branches), -1}, r};
        return true;
    }
    return false;
}

static bool can_exchange(dl_swap_search *s, const state *at, exchange *e)
{
    if (!(s->around[at->x] >> at->y & 1)) return false;
    if (at_junction(s, at, at->x, at->y, e) || at_junction(s, at, at->y, at->x, e)) return true;
    if (beside_ring(s, at, at->x, at->y, e) || beside_ring(s, at, at->y, at->x, e)) return true;
    e->kind = EXCHANGE_ROTATIONS;
    return dl_rotation_swap_find(s->rotations, s->cell[at->x], s->cell[at->y]) != NULL;
}

/* The center's agent steps out, the ring moves on without it, it steps in again behind its partner, and the ring turns
 * back: 2k + 2 moves in three steps. */
static void exchange_beside_ring(const dl_swap_search *s, dl_pebbles *p, const exchange *e)
{
    const loop *r = &s->ring[e->ring];
    dl_cell cell[MAX_CELLS] = {0}, back[MAX_CELLS]; /* the ring from the center on, such that the partner comes last */
    int k = r->length, i = 0;
    while (r->cell[i] != e->center) i++;
    int forward = r->cell[(i + k - 1) % k] == e->partner ? 1 : k - 1;
    for (int n = 0; n < k; n++) cell[n] = s->cell[r->cell[(i + n * forward) % k]];
    for (int n = 0; n < k; n++) back[n] = cell[k - 1 - n];
    dl_cell out = s->cell[e->branch[0]];
    dl_pebbles_move(p, cell[0], out);
    for (int n = k - 1; n >= 1; n--) dl_pebbles_move(p, cell[n], cell[(n + 1) % k]);
    dl_pebbles_move(p, cell[0], cell[1]);
    dl_pebbles_move(p, out, cell[0]);
    dl_pebbles_rotate(p, back, k);
}

static void exchange_at_junction(const dl_swap_search *s, dl_pebbles *p, const exchange *e)
{
    dl_cell center = s->cell[e->center], partner = s->cell[e->partner];
    dl_cell first = s->cell[e->branch[0]], second = s->cell[e->branch[1]];
    dl_pebbles_move(p, center, first);
    dl_pebbles_move(p, partner, center);
    dl_pebbles_move(p, center, second);
    dl_pebbles_move(p, first, center);
    dl_pebbles_move(p, center, partner);
    dl_pebbles_move(p, second, center);
}

/* ---- The search
 * --------------------------------------------------------------------------------------------------------- */

static uint32_t hash(const state *at)
{
    uint64_t key = (uint64_t)at->blanks << 16 | (uint64_t)at->x << 8 | at->y;
    return (uint32_t)((key * 0x9E3779B97F4A7C15u) >> 42);
}

static void visit(dl_swap_search *s, state next, int parent, int step)
{
    uint32_t slot = hash(&next);
    for (; s->table[slot]; slot = (slot + 1) & (TABLE_SIZE - 1)) {
        const state *known = &s->state[s->table[slot] - 1];
        if (known->blanks == next.blanks && known->x == next.x && known->y == next.y) return;
    }
    if (s->states == MAX_STATES) return;
    s->state[s->states] = next;
    s->parent[s->states] = parent;
    s->step[s->states] = (int16_t)step;
    s->slot[s->states] = (int32_t)slot;
    s->table[slot] = ++s->states;
}

static void expand(dl_swap_search *s, int index)
{
    const state at = s->state[index];
    for (uint32_t left = at.blanks; left; left &= left - 1) {
        int to = __builtin_ctz(left);
        for (uint32_t movers = s->around[to] & ~at.blanks; movers; movers &= movers - 1) {
            int from = __builtin_ctz(movers);
            state next = {(at.blanks & ~(1u << to)) | 1u << from, at.x, at.y};
            if (at.x == from) next.x = (uint8_t)to;
            if (at.y == from) next.y = (uint8_t)to;
            visit(s, next, index, from * MAX_CELLS + to);
        }
    }
    for (int r = 0; r < s->rings; r++) {
        const loop *ring = &s->ring[r];
        if (ring->mask & at.blanks || !(ring->mask & (1u << at.x | 1u << at.y))) continue;
        for (int back = 0; back < 2; back++) {
            state next = at;
            for (int i = 0; i < ring->length; i++) {
                int to = ring->cell[(i + (back ? ring->length - 1 : 1)) % ring->length];
                if (ring->cell[i] == at.x) next.x = (uint8_t)to;
                if (ring->cell[i] == at.y) next.y = (uint8_t)to;
            }
            visit(s, next, index, STEP_RING + 2 * r + back);
        }
    }
}

/* Most runs never come here. */
static bool make_table(dl_swap_search *s)
{
    if (!s->state) s->state = DL_ARRAY(state, MAX_STATES);
    if (!s->parent) s->parent = DL_ARRAY(int32_t, MAX_STATES);
    if (!s->step) s->step = DL_ARRAY(int16_t, MAX_STATES);
    if (!s->table) s->table = DL_ARRAY(int32_t, TABLE_SIZE);
    if (!s->slot) s->slot = DL_ARRAY(int32_t, MAX_STATES);
    return s->state && s->parent && s->step && s->table && s->slot;
}

/* The first state in which the pair can be exchanged, or -1. */
static int find_exchange(dl_swap_search *s, dl_pebbles *p, exchange *e)
{
    state first = {.x = 0, .y = 1};
    for (int i = 0; i < s->cells; i++)
        if (dl_pebbles_free_cell(p, s->cell[i])) first.blanks |= 1u << i;
    if (!make_table(s)) {
        p->exhausted = true;
        return -1;
    }
    while (s->states > 0) s->table[s->slot[--s->states]] = 0;
    visit(s, first, -1, 0);
    for (int index = 0; index < s->states; index++) {
        if (can_exchange(s, &s->state[index], e)) return index;
        expand(s, index);
    }
    return -1;
}

static void play_step(const dl_swap_search *s, dl_pebbles *p, int step)
{
    if (step < STEP_RING) {
        dl_pebbles_move(p, s->cell[step / MAX_CELLS], s->cell[step % MAX_CELLS]);
        return;
    }
    const loop *r = &s->ring[(step - STEP_RING) / 2];
    dl_cell cell[MAX_CELLS];
    bool back = (step - STEP_RING) & 1;
    for (int i = 0; i < r->length; i++) cell[back ? r->length - 1 - i : i] = s->cell[r->cell[i]];
    dl_pebbles_rotate(p, cell, r->length);
}

static void play_way_to(const dl_swap_search *s, dl_pebbles *p, int index)
{
    if (s->parent[index] < 0) return;
    play_way_to(s, p, s->parent[index]);
    play_step(s, p, s->step[index]);
}

/* Brings free cells into the neighborhood without moving the pair, as long as that works, up to `wanted`. */
static void bring_blanks(const dl_swap_search *s, dl_pebbles *p, int wanted)
{
    dl_cell barred[MAX_CELLS];
    int count = 2;
    barred[0] = s->cell[0];
    barred[1] = s->cell[1];
    for (int i = 2; i < s->cells; i++)
        if (dl_pebbles_free_cell(p, s->cell[i])) barred[count++] = s->cell[i];
    for (int i = 2; i < s->cells && count - 2 < wanted; i++)
        if (!dl_pebbles_free_cell(p, s->cell[i]) && dl_pebbles_vacate(p, s->cell[i], barred, count, DL_REACH_ALL))
            barred[count++] = s->cell[i];
}

static void apply_rotations(const dl_swap_search *s, dl_pebbles *p, dl_cell x, dl_cell y)
{
    const dl_rotation_swap *swap = dl_rotation_swap_find(s->rotations, x, y);
    if (swap)
        dl_rotation_swap_apply(swap, p);
    else
        p->exhausted = true; /* can_exchange found it */
}

static bool search_in(dl_swap_search *s, dl_pebbles *p, dl_cell x, dl_cell y, int size, int wanted)
{
    size_t before = p->moves;
    gather_neighborhood(s, x, y, size);
    find_rings(s);
    bring_blanks(s, p, wanted);
    exchange e;
    int index = find_exchange(s, p, &e);
    if (index < 0) {
        dl_pebbles_undo(p, before);
        return false;
    }
    play_way_to(s, p, index);
    const state *at = &s->state[index];
    size_t ready = p->moves;
    switch (e.kind) {
    case EXCHANGE_JUNCTION:
        exchange_at_junction(s, p, &e);
        break;
    case EXCHANGE_RING:
        exchange_beside_ring(s, p, &e);
        break;
    default:
        apply_rotations(s, p, s->cell[at->x], s->cell[at->y]);
    }
    dl_pebbles_retrace(p, before, ready);
    return true;
}

bool dl_swap_search_run(dl_swap_search *s, dl_pebbles *p, dl_cell x, dl_cell y)
{
    static const int SIZES[] = {8, 12, 16, 24, MAX_CELLS};
    for (int i = 0; i < 5; i++) {
        if (search_in(s, p, x, y, SIZES[i], 0) || search_in(s, p, x, y, SIZES[i], 2)) return true;
        if (search_in(s, p, x, y, SIZES[i], SIZES[i] / 2)) return true;
        if (s->cells < SIZES[i] || p->exhausted) return false; /* that was the whole component */
    }
    return false;
}
