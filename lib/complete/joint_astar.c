#include "complete/joint_astar.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Where everybody is, how many stops each has visited, and who has arrived for good. Those who have not pay for each
 * step. Times after the longest prefix are alike. */
typedef struct dl_joint_state {
    dl_cell at[DL_JOINT_AGENTS];
    int32_t cost, time;
    uint8_t visited[DL_JOINT_AGENTS];
    uint8_t done; /* bits */
    bool closed;
} state;

/* One of the agents, and what its errand asks of it. */
typedef struct traveler {
    const dl_errand *errand; /* NULL = none */
    const dl_field *field[DL_MOST_GOALS];
    int rest[DL_MOST_GOALS]; /* from this goal over those after it to the last */
    dl_cell goal;
    int fixed, stops;
    int least; /* what its path costs if it is alone */
    int ready; /* from this time on it may rest on its goal: earlier than `fixed` if its prefix ends in waits there */
} traveler;

typedef struct search {
    dl_joint_astar *a;
    const dl_grid *grid;
    traveler traveler[DL_JOINT_AGENTS];
    int agents;
    int last_fixed; /* the end of the longest prefix */
    int64_t first;  /* the estimate at the start: that of bucket 0 */
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
    uint64_t hash = (uint64_t)(uint32_t)at->time << 8 | at->done;
    for (int i = 0; i < s->agents; i++) {
        uint64_t place = (uint64_t)at->visited[i] << 32 | (uint64_t)(uint32_t)at->at[i];
        hash = (hash ^ place) * UINT64_C(0x9E3779B97F4A7C15);
    }
    return hash ^ hash >> 29;
}

static bool same_state(const search *s, const state *a, const state *b)
{
    return a->done == b->done && a->time == b->time && memcmp(a->at, b->at, sizeof *a->at * (size_t)s->agents) == 0 &&
           memcmp(a->visited, b->visited, sizeof a->visited) == 0;
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

/* The least the traveler has to pay from here on. */
static int still_to_go(const traveler *t, const state *at, int i)
{
    if (at->time < t->fixed) return at->time < t->least ? t->least - at->time : 0;
    return dl_field_at(t->field[at->visited[i]], at->at[i]) + t->rest[at->visited[i]];
}

static int64_t estimate(const search *s, const state *at)
{
    int64_t sum = at->cost;
    for (int i = 0; i < s->agents; i++)
        if (!(at->done >> i & 1)) sum += still_to_go(&s->traveler[i], at, i);
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
    assert(place >= 0); /* the estimate never falls along a way */
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

static bool joint_collides(const state *from, const state *to, int agent, dl_cell next)
{
    for (int k = 0; k < agent; k++)
        if (to->at[k] == next || (to->at[k] == from->at[agent] && from->at[k] == next)) return true;
    return false;
}

/* Lets agent `i` and those after it choose; who is done stays, and who has a prefix follows it. */
static bool joint_step(search *s, const state *from, state *to, int i)
{
    if (i >= s->agents || i >= DL_JOINT_AGENTS) return reach(s, to);
    const traveler *t = &s->traveler[i];
    dl_cell forced = from->done >> i & 1     ? from->at[i]
                     : from->time < t->fixed ? dl_errand_at(t->errand, from->time + 1)
                                             : DL_NO_CELL;
    for (int d = -1; d < DL_DIRECTIONS; d++) {
        dl_cell next = d < 0 ? from->at[i] : s->grid->neighbor[from->at[i]][d];
        if (next == DL_NO_CELL || (forced != DL_NO_CELL && next != forced)) continue;
        if (joint_collides(from, to, i, next)) continue;
        to->at[i] = next;
        to->visited[i] = from->visited[i];
        if (t->stops > 0) to->visited[i] = (uint8_t)dl_errand_visit(t->errand, from->visited[i], next);
        if (!joint_step(s, from, to, i + 1)) return false;
    }
    return true;
}

static bool may_be_done(const traveler *t, const state *at, int i)
{
    return at->at[i] == t->goal && at->visited[i] == t->stops && at->time >= t->ready;
}

static bool expand(search *s, int32_t index)
{
    const state from = s->a->state[index];
    assert(from.closed && from.time <= s->last_fixed);
    s->a->expanded++;
    for (int i = 0; i < s->agents; i++) { /* to have arrived for good costs nothing */
        if ((from.done >> i & 1) || !may_be_done(&s->traveler[i], &from, i)) continue;
        state to = from;
        to.closed = false;
        to.done |= (uint8_t)(1 << i);
        if (!reach(s, &to)) return false;
    }
    state to = {.cost = from.cost + s->agents - __builtin_popcount(from.done),
                .time = from.time < s->last_fixed ? from.time + 1 : from.time,
                .done = from.done};
    return joint_step(s, &from, &to, 0);
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
            assert(at->cost <= s->first + place);
            *exact = at->done == (1 << s->agents) - 1;
            if (*exact || a->states >= most || dl_is_late_at(deadline, a->expanded)) return s->first + place;
            at->closed = true;
            if (!expand(s, index)) return -1;
        }
    }
    return -1; /* there is no way at all */
}

/* Acquires the distances to the goals of a traveler; *acquired counts them. False when memory or time is out. */
static bool meet_traveler(traveler *t, const dl_instance *instance, dl_distance *distance, int agent, int *acquired)
{
    *t = (traveler){.errand = instance->errand ? &instance->errand[agent] : NULL,
                    .goal = instance->goal[agent],
                    .fixed = dl_instance_fixed(instance, agent),
                    .stops = dl_instance_stops(instance, agent),
                    .least = dl_distance_of_start(distance, agent)};
    bool ends_at_home = dl_instance_released(instance, agent) == t->goal;
    t->ready = ends_at_home ? dl_instance_prefix_arrival(instance, agent) : t->fixed;
    if (t->least == DL_UNREACHABLE) return false;
    for (*acquired = 0; *acquired <= t->stops; ++*acquired) {
        t->field[*acquired] = dl_distance_acquire_goal(distance, agent, *acquired);
        if (!t->field[*acquired]) return false;
    }
    assert(t->stops >= 0 && *acquired == t->stops + 1);
    for (int k = t->stops - 1; k >= 0; k--)
        t->rest[k] = t->rest[k + 1] + dl_field_at(t->field[k + 1], t->errand->stop[k]);
    return true;
}

static state joint_start(const search *s, const dl_instance *instance, const int32_t *agent)
{
    state start = {0};
    for (int i = 0; i < s->agents; i++) {
        start.at[i] = instance->start[agent[i]];
        if (s->traveler[i].stops > 0)
            start.visited[i] = (uint8_t)dl_errand_visit(s->traveler[i].errand, 0, start.at[i]);
    }
    return start;
}

static void forget_searches(dl_joint_astar *a)
{
    a->states = 0;
    for (int i = 0; i < a->buckets; i++) a->filled[i] = 0;
    if (a->slot) memset(a->slot, -1, sizeof *a->slot * a->slots);
}

int64_t dl_joint_astar_run(dl_joint_astar *a, const dl_instance *instance, dl_distance *distance, const int32_t *agent,
                           int agents, int32_t most, const dl_deadline *deadline, bool *exact)
{
    search s = {.a = a, .grid = instance->grid, .agents = agents};
    int acquired[DL_JOINT_AGENTS] = {0};
    bool known = true;
    assert(agents >= 0 && agents <= DL_JOINT_AGENTS);
    for (int i = 0; i < agents && known; i++) {
        known = meet_traveler(&s.traveler[i], instance, distance, agent[i], &acquired[i]);
        if (s.traveler[i].fixed > s.last_fixed) s.last_fixed = s.traveler[i].fixed;
    }
    int64_t bound = -1;
    *exact = false;
    forget_searches(a);
    if (known) {
        state start = joint_start(&s, instance, agent);
        s.first = estimate(&s, &start);
        if (reach(&s, &start)) bound = run(&s, most, deadline, exact);
        assert(bound < 0 || bound >= s.first);
    }
    for (int i = 0; i < agents; i++)
        for (int goal = 0; goal < acquired[i]; goal++) dl_distance_release_goal(distance, agent[i], goal);
    return bound;
}
