#include "complete/joint_astar.h"

#include <stdlib.h>
#include <string.h>

/* Where everybody is, and who has arrived for good. Those who have not pay for each step. */
typedef struct dl_joint_state {
    dl_cell at[DL_JOINT_AGENTS];
    int32_t cost;
    uint8_t done; /* bits */
    bool closed;
} state;

typedef struct search {
    dl_joint_astar *a;
    const dl_grid *grid;
    const dl_field *field[DL_JOINT_AGENTS];
    dl_cell goal[DL_JOINT_AGENTS];
    int agents;
    int64_t first; /* the estimate at the start: that of bucket 0 */
} search;

void dl_joint_astar_free(dl_joint_astar *a)
{
    for (int i = 0; i < a->buckets; i++) free(a->bucket[i]);
    free(a->bucket);
    free(a->filled);
    free(a->bucket_room);
    free(a->state);
    free(a->slot);
    *a = (dl_joint_astar){0};
}

/* ---- states ---- */

static uint64_t hash_of(const search *s, const state *at)
{
    uint64_t hash = at->done;
    for (int i = 0; i < s->agents; i++) hash = (hash ^ (uint64_t)(uint32_t)at->at[i]) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 29;
}

static bool same_state(const search *s, const state *a, const state *b)
{
    return a->done == b->done && memcmp(a->at, b->at, sizeof *a->at * (size_t)s->agents) == 0;
}

/* The slot of a state, or the one where it belongs. */
static int32_t *find(const search *s, const state *at)
{
    size_t mask = s->a->slots - 1, i = hash_of(s, at) & mask;
    while (s->a->slot[i] >= 0 && !same_state(s, &s->a->state[s->a->slot[i]], at)) i = (i + 1) & mask;
    return &s->a->slot[i];
}

static bool grow_table(search *s)
{
    dl_joint_astar *a = s->a;
    size_t slots = a->slots ? 2 * a->slots : 1024;
    int32_t *slot = dl_malloc(sizeof *slot * slots);
    if (!slot) return false;
    free(a->slot);
    a->slot = slot;
    a->slots = slots;
    memset(slot, -1, sizeof *slot * slots);
    for (int32_t i = 0; i < a->states; i++) *find(s, &a->state[i]) = i;
    return true;
}

static int64_t estimate(const search *s, const state *at)
{
    int64_t sum = at->cost;
    for (int i = 0; i < s->agents; i++)
        if (!(at->done >> i & 1)) sum += dl_field_at(s->field[i], at->at[i]);
    return sum;
}

static bool add_bucket(dl_joint_astar *a)
{
    int room[3] = {a->buckets, a->buckets, a->buckets}; /* they grow together */
    if (!DL_GROW(a->bucket, room[0], a->buckets + 1) || !DL_GROW(a->filled, room[1], a->buckets + 1) ||
        !DL_GROW(a->bucket_room, room[2], a->buckets + 1))
        return false;
    a->bucket[a->buckets] = NULL;
    a->filled[a->buckets] = a->bucket_room[a->buckets] = 0;
    a->buckets++;
    return true;
}

static bool open_state(search *s, int32_t index)
{
    dl_joint_astar *a = s->a;
    int64_t place = estimate(s, &a->state[index]) - s->first;
    while (a->buckets <= place)
        if (!add_bucket(a)) return false;
    if (!DL_GROW(a->bucket[place], a->bucket_room[place], a->filled[place] + 1)) return false;
    a->bucket[place][a->filled[place]++] = index;
    return true;
}

/* Offers a way to a state. */
static bool reach(search *s, const state *to)
{
    dl_joint_astar *a = s->a;
    if ((!a->slot || (size_t)a->states * 2 >= a->slots) && !grow_table(s)) return false;
    int32_t *slot = find(s, to);
    if (*slot >= 0) {
        state *known = &a->state[*slot];
        if (known->closed || known->cost <= to->cost) return true;
        known->cost = to->cost;
        return open_state(s, *slot);
    }
    if (!DL_GROW(a->state, a->state_room, a->states + 1)) return false;
    a->state[a->states] = *to;
    *slot = a->states++;
    return open_state(s, *slot);
}

/* ---- steps ---- */

/* Lets agent `i` and those after it choose; whoever is done stays. */
static bool step(search *s, const state *from, state *to, int i)
{
    if (i == s->agents) return reach(s, to);
    for (int d = -1; d < DL_DIRECTIONS; d++) {
        dl_cell next = d < 0 ? from->at[i] : s->grid->neighbor[from->at[i]][d];
        if (next == DL_NO_CELL) continue;
        if (d >= 0 && (from->done >> i & 1)) break;
        bool collides = false;
        for (int k = 0; k < i && !collides; k++)
            collides = to->at[k] == next || (to->at[k] == from->at[i] && from->at[k] == next);
        if (collides) continue;
        to->at[i] = next;
        if (!step(s, from, to, i + 1)) return false;
    }
    return true;
}

static bool expand(search *s, int32_t index)
{
    const state from = s->a->state[index];
    s->a->expanded++;
    for (int i = 0; i < s->agents; i++) { /* to have arrived for good costs nothing */
        if ((from.done >> i & 1) || from.at[i] != s->goal[i]) continue;
        state to = from;
        to.closed = false;
        to.done |= (uint8_t)(1 << i);
        if (!reach(s, &to)) return false;
    }
    state to = {.cost = from.cost + s->agents - __builtin_popcount(from.done), .done = from.done};
    return step(s, &from, &to, 0);
}

/* The cost of the first state with everybody at home, or what is shown when the search ends before. */
static int64_t run(search *s, int32_t most, const dl_deadline *deadline, bool *exact)
{
    dl_joint_astar *a = s->a;
    for (int place = 0; place < a->buckets; place++) {
        while (a->filled[place] > 0) {
            int32_t index = a->bucket[place][--a->filled[place]];
            state *at = &a->state[index];
            if (at->closed || estimate(s, at) - s->first != place) continue;
            *exact = at->done == (1 << s->agents) - 1;
            if (*exact || a->states >= most || dl_is_late_at(deadline, a->expanded)) return s->first + place;
            at->closed = true;
            if (!expand(s, index)) return -1;
        }
    }
    return -1; /* there is no way at all */
}

int64_t dl_joint_astar_run(dl_joint_astar *a, const dl_instance *instance, dl_distance *distance, const int32_t *agent,
                           int agents, int32_t most, const dl_deadline *deadline, bool *exact)
{
    search s = {.a = a, .grid = instance->grid, .agents = agents};
    int acquired = 0;
    state start = {0};
    for (; acquired < agents; acquired++) {
        s.field[acquired] = dl_distance_acquire(distance, agent[acquired]);
        if (!s.field[acquired]) break;
        s.goal[acquired] = instance->goal[agent[acquired]];
        start.at[acquired] = instance->start[agent[acquired]];
    }
    int64_t bound = -1;
    *exact = false;
    a->states = 0;
    for (int i = 0; i < a->buckets; i++) a->filled[i] = 0;
    if (a->slot) memset(a->slot, -1, sizeof *a->slot * a->slots);
    if (acquired == agents) {
        s.first = estimate(&s, &start);
        if (s.first < DL_UNREACHABLE && reach(&s, &start)) bound = run(&s, most, deadline, exact);
    }
    for (int i = 0; i < acquired; i++) dl_distance_release(distance, agent[i]);
    return bound;
}
