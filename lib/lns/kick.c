#include "lns/kick.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"

/* Draws for a delayed agent before any agent will do. */
enum { MOST_DRAWS = 32 };

struct dl_nearby {
    int32_t distance, agent;
};

bool dl_kick_begin(dl_kick *k, dl_planner *planner, dl_rng *rng)
{
    *k = (dl_kick){.planner = planner, .rng = rng};
    k->agent = DL_ARRAY(int32_t, planner->instance->agents);
    k->order = DL_ARRAY(struct dl_nearby, planner->instance->agents);
    return k->agent && k->order;
}

void dl_kick_end(dl_kick *k)
{
    free(k->agent);
    free(k->order);
}

static int by_distance(const void *a, const void *b)
{
    const struct dl_nearby *x = a, *y = b;
    if (x->distance != y->distance) return x->distance < y->distance ? -1 : 1;
    return (x->agent > y->agent) - (x->agent < y->agent);
}

static int draw_delayed(const dl_kick *k, const int32_t *shortest)
{
    int agent = 0;
    for (int draw = 0; draw < MOST_DRAWS; draw++) {
        agent = (int)dl_rng_below(k->rng, (uint32_t)k->planner->instance->agents);
        if (k->planner->track[agent].cost > shortest[agent]) break;
    }
    return agent;
}

void dl_kick_choose(dl_kick *k, int size, int span, const int32_t *shortest)
{
    const dl_planner *p = k->planner;
    const dl_grid *grid = p->instance->grid;
    int agents = p->instance->agents, found = 0;
    assert(size >= 1 && span >= 0);
    k->count = k->from = 0;
    k->to = DL_LAST_TIME;
    if (size >= agents) {
        while (k->count < agents) k->agent[k->count] = k->count, k->count++;
        return;
    }
    const dl_track *center = &p->track[draw_delayed(k, shortest)];
    int moment = (int)dl_rng_below(k->rng, (uint32_t)center->cost + 1);
    if (span > 0) {
        k->from = moment > span / 2 ? moment - span / 2 : 0;
        k->to = k->from + span;
    }
    difflns_cell there = dl_grid_position(grid, center->at[moment]);
    for (int agent = 0; agent < agents; agent++) {
        if (p->track[agent].cost < moment) continue;
        difflns_cell here = dl_grid_position(grid, p->track[agent].at[moment]);
        k->order[found++] = (struct dl_nearby){abs(here.row - there.row) + abs(here.col - there.col), agent};
    }
    qsort(k->order, (size_t)found, sizeof *k->order, by_distance);
    assert(found > 0); /* the one in the center, at least */
    while (k->count < size && k->count < found) k->agent[k->count] = k->order[k->count].agent, k->count++;
}

/* Takes waits out of a way; returns how many. */
static int drop_waits(dl_track *way, double share, dl_rng *rng)
{
    int last = 0, dropped = 0;
    for (int t = 1; t <= way->cost; t++) {
        if (way->at[t] == way->at[last] && dl_rng_unit(rng) < share)
            dropped++;
        else
            way->at[++last] = way->at[t];
    }
    assert(last + dropped == way->cost);
    way->cost = last;
    return dropped;
}

/* Spreads waits over the cells of a way, all ways to do so with the same chance, so the cost grows by their number. One
 * pass from the end, in place: plans of push-and-swap wait ten thousands of times. */
static void add_waits(dl_track *way, int waits, dl_rng *rng)
{
    int to = way->cost + waits;
    assert(waits >= 0);
    dl_cell *at = way->at;
    at[to] = at[way->cost];
    for (int from = way->cost - 1; from >= 0; from--) {
        at[--to] = at[from];
        for (; waits > 0 && dl_rng_below(rng, (uint32_t)(waits + from)) < (uint32_t)waits; waits--) at[--to] = at[from];
    }
}

static bool has_waits(const dl_track *way)
{
    for (int t = 1; t <= way->cost; t++)
        if (way->at[t] == way->at[t - 1]) return true;
    return false;
}

/* The part of the agent's track that the kick is about, in place. */
static dl_track part_of(const dl_kick *k, int agent)
{
    const dl_track *track = &k->planner->track[agent];
    int fixed = dl_instance_fixed(k->planner->instance, agent);
    int first = k->from > fixed ? k->from : fixed, last = k->to < track->cost ? k->to : track->cost;
    return (dl_track){.at = track->at + first, .cost = last - first};
}

void dl_kick_move_waits(dl_kick *k, double share)
{
    int moved = 0;
    assert(share >= 0 && share <= 1);
    for (int i = 0; i < k->count; i++) {
        int agent = k->agent[i];
        assert(k->planner->in_table[agent]);
        dl_track part = part_of(k, agent);
        if (!has_waits(&part)) continue;
        dl_planner_remove(k->planner, agent);
        int length = part.cost, dropped = drop_waits(&part, share, k->rng);
        add_waits(&part, dropped, k->rng);
        assert(part.cost + dropped == length);
        k->agent[moved++] = agent;
    }
    k->count = moved;
}
