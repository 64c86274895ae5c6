#include "lns/traffic.h"

#include <stdlib.h>

#include "base/block.h"
#include "lns/slack.h"

/* What a way costs, in thousandths of a step: a step, each agent that comes the other way over it, each agent that uses
 * the cell it leads to, and up to so much by chance, so that ties are broken differently each time. Agents choose in
 * rounds, and oncoming ones count for more in each, from a tenth to all of it: at first a street leans to one side,
 * then the last ones give way. A third or three times as much ends in plans that cost the same within 1%
 * (docs/ablation.md). */
enum { STEP = 1000, ONCOMING = 1000, CROWD = 50, CHANCE = 20 };
enum { ROUNDS = 10 };

typedef struct traffic {
    dl_planner *planner;
    dl_rng *rng;
    const dl_deadline *deadline;
    int32_t (*steps)[DL_DIRECTIONS]; /* [cells]: how many leave a cell in each direction */
    int32_t *visits;                 /* [cells]: how many use it */
    int64_t *cost;                   /* [cells]: of the cheapest way found so far from the agent's start */
    uint8_t *came;                   /* [cells]: the direction of its last step */
    bool *is_queued;                 /* [cells] */
    dl_cell *queue;                  /* [cells]: a ring */
    int32_t *turn;                   /* [agents] */
    int64_t oncoming;                /* what each agent that comes the other way costs in this round */
    void *memory;                    /* of the arrays */
} traffic;

static bool traffic_begin(traffic *f)
{
    int cells = f->planner->instance->grid->cells, agents = f->planner->instance->agents;
    return DL_BLOCK(f->memory, DL_CUT(f->steps, cells), DL_CUT(f->visits, cells), DL_CUT(f->cost, cells),
                    DL_CUT(f->came, cells), DL_CUT(f->is_queued, cells), DL_CUT(f->queue, cells),
                    DL_CUT(f->turn, agents));
}

/* The direction of step t of a way, which has no waits. */
static int traffic_direction(const traffic *f, const dl_track *track, int t)
{
    const dl_cell *neighbor = f->planner->instance->grid->neighbor[track->at[t]];
    int d = 0;
    while (neighbor[d] != track->at[t + 1]) d++;
    return d;
}

/* Adds the agent's way to what others see, or takes it away. */
static void traffic_count(traffic *f, int agent, int sign)
{
    const dl_track *track = &f->planner->track[agent];
    for (int t = 0; t <= track->cost; t++) {
        f->visits[track->at[t]] += sign;
        if (t < track->cost) f->steps[track->at[t]][traffic_direction(f, track, t)] += sign;
    }
}

/* What the agent pays for a step to `next` in direction `d`, chance left out. */
static int64_t traffic_price(const traffic *f, dl_cell next, int d)
{
    return STEP + f->oncoming * f->steps[next][d ^ 1] + (int64_t)CROWD * f->visits[next];
}

static int64_t price_of_way(const traffic *f, const dl_track *track)
{
    int64_t sum = 0;
    for (int t = 0; t < track->cost; t++) sum += traffic_price(f, track->at[t + 1], traffic_direction(f, track, t));
    return sum;
}

/* Finds the cheapest way from the agent's start to its goal, correcting what was found until nothing changes, and never
 * where it would cost more than the way the agent has. Is there a cheaper one? Not when time is out. */
static bool traffic_search(traffic *f, int agent, const dl_field *to_goal)
{
    const dl_instance *instance = f->planner->instance;
    const dl_grid *grid = instance->grid;
    dl_cell start = instance->start[agent], goal = instance->goal[agent];
    int first = 0, waiting = 1;
    for (dl_cell cell = 0; cell < grid->cells; cell++) f->cost[cell] = INT64_MAX;
    int64_t most = price_of_way(f, &f->planner->track[agent]);
    f->cost[start] = 0;
    f->queue[0] = start;
    for (size_t taken = 0; waiting > 0; taken++) {
        dl_cell cell = f->queue[first];
        first = first + 1 < grid->cells ? first + 1 : 0;
        waiting--;
        f->is_queued[cell] = false;
        for (int d = 0; d < DL_DIRECTIONS; d++) {
            dl_cell next = grid->neighbor[cell][d];
            if (next == DL_NO_CELL) continue;
            int64_t cost = f->cost[cell] + traffic_price(f, next, d);
            if (cost + (int64_t)STEP * dl_field_at(to_goal, next) >= most) continue;
            cost += dl_rng_below(f->rng, CHANCE);
            if (cost >= f->cost[next]) continue;
            f->cost[next] = cost;
            f->came[next] = (uint8_t)d;
            if (next == goal) most = cost;
            if (next == goal || f->is_queued[next]) continue;
            f->is_queued[next] = true;
            int last = first + waiting++;
            f->queue[last < grid->cells ? last : last - grid->cells] = next;
        }
        if (dl_is_late_at(f->deadline, taken)) break; /* nobody searches any more */
    }
    return waiting == 0 && f->cost[goal] < INT64_MAX;
}

/* The way that was found, into the agent's track. False when memory is out: then it keeps the one it has. */
static bool take_way(traffic *f, int agent)
{
    const dl_instance *instance = f->planner->instance;
    dl_track *track = &f->planner->track[agent];
    dl_cell start = instance->start[agent], goal = instance->goal[agent];
    int length = 0;
    for (dl_cell at = goal; at != start; length++) at = instance->grid->neighbor[at][f->came[at] ^ 1];
    if (length > f->planner->last_time) return true;
    if (!dl_track_reserve(track, length)) return false;
    track->cost = length;
    for (dl_cell at = goal; at != start; at = instance->grid->neighbor[at][f->came[at] ^ 1]) track->at[length--] = at;
    return true;
}

/* Everybody chooses once, in random order; false when time or memory is out. */
static bool traffic_choose(traffic *f)
{
    dl_planner *p = f->planner;
    dl_rng_shuffle(f->rng, f->turn, p->instance->agents);
    for (int i = 0; i < p->instance->agents; i++) {
        int agent = f->turn[i];
        if (dl_is_late(f->deadline)) return false;
        const dl_field *to_goal = dl_planner_acquire(p, agent);
        if (!to_goal) return false;
        traffic_count(f, agent, -1);
        if (traffic_search(f, agent, to_goal) && !take_way(f, agent)) p->exhausted = true;
        dl_distance_release(p->distance, agent);
        if (p->exhausted) return false;
        traffic_count(f, agent, 1);
    }
    return true;
}

void dl_traffic_paths(dl_planner *p, dl_rng *rng, const dl_deadline *deadline)
{
    traffic f = {.planner = p, .rng = rng, .deadline = deadline};
    int agents = p->instance->agents;
    dl_slack_paths(p, rng, &(dl_slack){.deadline = deadline});
    if (p->exhausted || p->instance->errand || dl_grid_is_large(p->instance->grid)) return;
    if (agents == 0 || p->track[agents - 1].cost == DL_NO_TRACK) return; /* time is out */
    if (traffic_begin(&f)) {
        for (int agent = 0; agent < agents; agent++) {
            f.turn[agent] = agent;
            traffic_count(&f, agent, 1);
        }
        for (int round = 1; round <= ROUNDS; round++) {
            f.oncoming = ONCOMING * round / ROUNDS;
            if (!traffic_choose(&f)) break;
        }
    } else {
        p->exhausted = true;
    }
    free(f.memory);
}
