#include "complete/lower_bound.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "complete/joint_astar.h"

/* States of one search for a pair, of all of them, and of the search for all agents of a small instance: thousandths,
 * tenths and hundredths of a second. */
enum { PAIR_STATES = 4000, ALL_PAIR_STATES = 400000, WHOLE_STATES = 50000 };
/* Cells of shortest paths looked at, in all; and how many of those that must be passed are kept, so that they are
 * sorted within hundredths of a second. */
enum { MOST_CELLS = 1 << 24, MOST_CERTAINTIES = 1 << 17 };
/* Turns between two looks at the clock, each of up to eight searches in a long list: a millisecond. */
enum { CLOCK_EVERY = 1 << 10 };

/* An agent is on this cell at this time on every shortest path; or, from there on, at home. */
typedef struct certainty {
    int32_t agent, time;
    dl_cell cell;
    bool is_home;
} certainty;

typedef struct pair {
    int32_t a, b;
    int64_t extra; /* what the two cost beyond their distances */
} pair;

typedef struct bounding {
    const dl_instance *instance;
    dl_distance *distance;
    const dl_deadline *deadline;
    certainty *certain;
    int certainties, certain_room;
    pair *pairs;
    int count, pair_room;
    dl_cell *layer[2]; /* [cells]: where an agent can be, at one time and the next */
    int32_t *seen;     /* [cells] */
    int32_t stamp;
    size_t looked;
    dl_joint_astar astar;
} bounding;

/* ---- where agents must be ---- */

static bool add_certainty(bounding *b, certainty c)
{
    if (!DL_GROW(b->certain, b->certain_room, b->certainties + 1)) return false;
    b->certain[b->certainties++] = c;
    return true;
}

/* The cells that the agent's shortest paths reach after one more step. */
static int next_layer(bounding *b, const dl_field *field, const dl_cell *from, int count, dl_cell *to)
{
    const dl_grid *grid = b->instance->grid;
    int reached = 0;
    b->stamp++;
    for (int i = 0; i < count; i++) {
        int here = dl_field_at(field, from[i]);
        for (int d = 0; d < DL_DIRECTIONS; d++) {
            dl_cell next = grid->neighbor[from[i]][d];
            if (next == DL_NO_CELL || b->seen[next] == b->stamp || dl_field_at(field, next) >= here) continue;
            b->seen[next] = b->stamp;
            to[reached++] = next;
        }
    }
    assert(reached > 0 && reached <= grid->cells);
    b->looked += (size_t)count;
    return reached;
}

/* A shortest way from goal to goal is walked in layers: where there is one cell only, the agent must be on it. */
static bool follow_leg(bounding *b, const dl_field *field, int agent, dl_cell from, int *time)
{
    int count = 1, length = dl_field_at(field, from);
    bool fits = true;
    b->layer[0][0] = from;
    for (int step = 0; step < length && fits; step++, ++*time) {
        dl_cell *here = b->layer[step % 2];
        if (count == 1) fits = add_certainty(b, (certainty){agent, *time, here[0], false});
        count = next_layer(b, field, here, count, b->layer[(step + 1) % 2]);
    }
    return fits;
}

/* Along the agent's prefix, and after it from goal to goal. False when memory or time is out. */
static bool find_certainties(bounding *b, int agent)
{
    const dl_instance *instance = b->instance;
    int fixed = dl_instance_fixed(instance, agent), stops = dl_instance_stops(instance, agent), time = fixed;
    int least = dl_distance_of_start(b->distance, agent);
    bool fits = true;
    for (int t = 0; t < fixed && t < least && fits && b->certainties < MOST_CERTAINTIES; t++)
        fits = add_certainty(b, (certainty){agent, t, dl_errand_at(&instance->errand[agent], t), false});
    dl_cell from = dl_instance_released(instance, agent);
    for (int goal = dl_instance_stops_in_prefix(instance, agent); goal <= stops && fits; goal++) {
        const dl_field *field = dl_distance_acquire_goal(b->distance, agent, goal);
        if (!field) return false;
        fits = follow_leg(b, field, agent, from, &time);
        dl_distance_release_goal(b->distance, agent, goal);
        from = goal < stops ? instance->errand[agent].stop[goal] : instance->goal[agent];
    }
    if (time == fixed) time = dl_instance_prefix_arrival(instance, agent);
    assert(!fits || time == least);
    return fits && add_certainty(b, (certainty){agent, time, instance->goal[agent], true});
}

/* ---- pairs whose shortest paths all collide ---- */

static int by_cell_and_time(const void *left, const void *right)
{
    const certainty *a = left, *b = right;
    if (a->cell != b->cell) return a->cell < b->cell ? -1 : 1;
    if (a->time != b->time) return a->time < b->time ? -1 : 1;
    return a->agent < b->agent ? -1 : a->agent > b->agent;
}

static bool add_pair(bounding *b, int32_t one, int32_t other)
{
    assert(one != other);
    if (!DL_GROW(b->pairs, b->pair_room, b->count + 1)) return false;
    b->pairs[b->count++] = one < other ? (pair){one, other, 0} : (pair){other, one, 0};
    return true;
}

/* The certainty of this agent at this time and cell, among those of the cell. */
static bool is_certain(const bounding *b, const certainty *wanted)
{
    return bsearch(wanted, b->certain, (size_t)b->certainties, sizeof *wanted, by_cell_and_time) != NULL;
}

/* `early` leaves the cell as `late` enters it: do they pass each other? */
static bool pass_each_other(const bounding *b, const certainty *early, const certainty *late)
{
    for (int d = 0; d < DL_DIRECTIONS; d++) {
        dl_cell beside = b->instance->grid->neighbor[late->cell][d];
        certainty to = {early->agent, late->time, beside, false}, from = {late->agent, early->time, beside, false};
        if (beside != DL_NO_CELL && is_certain(b, &to) && is_certain(b, &from)) return true;
    }
    return false;
}

/* Two agents on one cell at one time, or one on the other's goal when it is at home, or both past each other. */
static bool find_pairs(bounding *b)
{
    if (!b->certain) return true; /* there was no time for any */
    qsort(b->certain, (size_t)b->certainties, sizeof *b->certain, by_cell_and_time);
    const certainty *home = NULL; /* who rests on the cell at hand by then */
    for (int i = 0; i < b->certainties; i++) {
        if (i % CLOCK_EVERY == CLOCK_EVERY - 1 && dl_is_late(b->deadline)) return true; /* fewer pairs bound as well */
        const certainty *late = &b->certain[i];
        if (home && home->cell != late->cell) home = NULL;
        if (home && !add_pair(b, home->agent, late->agent)) return false;
        if (late->is_home) home = late;
        for (int k = i - 1; k >= 0; k--) {
            const certainty *early = &b->certain[k];
            if (early->cell != late->cell || early->time + 1 < late->time) break;
            bool collide = early->time == late->time || pass_each_other(b, early, late);
            if (collide && !add_pair(b, early->agent, late->agent)) return false;
        }
    }
    return true;
}

static int by_agents(const void *left, const void *right)
{
    const pair *a = left, *b = right;
    if (a->a != b->a) return a->a < b->a ? -1 : 1;
    return a->b < b->b ? -1 : a->b > b->b;
}

static int by_extra(const void *left, const void *right)
{
    const pair *a = left, *b = right;
    if (a->extra != b->extra) return a->extra > b->extra ? -1 : 1;
    return by_agents(left, right);
}

/* What each pair costs beyond its distances: at least one step. */
static void price_pairs(bounding *b)
{
    if (!b->pairs) return;
    qsort(b->pairs, (size_t)b->count, sizeof *b->pairs, by_agents);
    int kept = 0;
    for (int i = 0; i < b->count; i++)
        if (i == 0 || by_agents(&b->pairs[i], &b->pairs[kept - 1]) != 0) b->pairs[kept++] = b->pairs[i];
    b->count = kept;
    for (int i = 0; i < b->count; i++) b->pairs[i].extra = 1;
    uint64_t states = 0;
    for (int i = 0; i < b->count && states <= ALL_PAIR_STATES && !dl_is_late(b->deadline); i++) {
        pair *p = &b->pairs[i];
        bool exact;
        const int32_t both[] = {p->a, p->b};
        int64_t bound =
            dl_joint_astar_run(&b->astar, b->instance, b->distance, both, 2, PAIR_STATES, b->deadline, &exact);
        states += (uint64_t)b->astar.states;
        int64_t apart = dl_distance_of_start(b->distance, p->a) + dl_distance_of_start(b->distance, p->b);
        assert(p->a < p->b && (bound < 0 || bound >= apart));
        if (bound > apart) p->extra = bound - apart;
    }
}

/* Greedily: the most expensive pair of agents that are still alone. */
static int64_t sum_of_disjoint_pairs(bounding *b)
{
    if (!b->pairs) return 0;
    bool *taken = DL_ARRAY(bool, b->instance->agents);
    if (!taken) return 0;
    qsort(b->pairs, (size_t)b->count, sizeof *b->pairs, by_extra);
    int64_t sum = 0;
    for (int i = 0; i < b->count; i++) {
        const pair *p = &b->pairs[i];
        if (taken[p->a] || taken[p->b]) continue;
        assert(p->extra > 0);
        taken[p->a] = taken[p->b] = true;
        sum += p->extra;
    }
    free(taken);
    return sum;
}

int64_t dl_lower_bound_of_pairs(const dl_instance *instance, dl_distance *distance, const dl_deadline *deadline)
{
    int64_t sum = dl_distance_lower_bound_within(distance, deadline);
    if (sum < 0 || !dl_distance_whole(distance)) return sum;
    size_t cells = (size_t)instance->grid->cells;
    bounding b = {.instance = instance,
                  .distance = distance,
                  .deadline = deadline,
                  .layer = {DL_ARRAY(dl_cell, cells), DL_ARRAY(dl_cell, cells)},
                  .seen = DL_ARRAY(int32_t, cells)};
    bool fits = b.layer[0] && b.layer[1] && b.seen;
    for (int agent = 0; agent < instance->agents && fits && b.looked < MOST_CELLS && b.certainties < MOST_CERTAINTIES &&
                        !dl_is_late(deadline);
         agent++)
        fits = find_certainties(&b, agent);
    if (fits && find_pairs(&b)) {
        price_pairs(&b);
        sum += sum_of_disjoint_pairs(&b);
    }
    dl_joint_astar_free(&b.astar);
    free(b.layer[0]);
    free(b.layer[1]);
    free(b.seen);
    free(b.certain);
    free(b.pairs);
    return sum;
}

/* All agents together, if they are few: -1 if nothing is shown. */
static int64_t bound_of_all(const dl_instance *instance, dl_distance *distance, const dl_deadline *deadline)
{
    if (instance->agents > DL_JOINT_AGENTS || !dl_distance_whole(distance)) return -1;
    int32_t all[DL_JOINT_AGENTS];
    bool exact;
    dl_joint_astar astar = {0};
    for (int agent = 0; agent < instance->agents; agent++) all[agent] = agent;
    int64_t bound =
        dl_joint_astar_run(&astar, instance, distance, all, instance->agents, WHOLE_STATES, deadline, &exact);
    dl_joint_astar_free(&astar);
    return bound;
}

int64_t dl_lower_bound(const dl_instance *instance, dl_distance *distance, const dl_deadline *deadline)
{
    int64_t pairs = dl_lower_bound_of_pairs(instance, distance, deadline);
    int64_t all = pairs < 0 ? -1 : bound_of_all(instance, distance, deadline);
    return all > pairs ? all : pairs;
}
