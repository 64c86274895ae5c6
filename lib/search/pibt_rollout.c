#include "search/pibt_rollout.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "search/pibt.h"

/* Agents at home go after the others; else the order stays. */
static void next_order(const dl_instance *instance, const dl_cell *at, uint16_t *order, uint16_t *spare)
{
    int moving = 0, home = 0;
    for (int i = 0; i < instance->agents; i++) {
        uint16_t agent = order[i];
        if (at[agent] == instance->goal[agent])
            spare[home++] = agent;
        else
            order[moving++] = agent;
    }
    memcpy(order + moving, spare, sizeof *order * (size_t)home);
}

/* Takes `steps` steps into the tracks; false if time is over before, or the crowd is too large for PIBT. */
static bool roll(dl_planner *p, dl_pibt *pibt, uint16_t *order, int steps, const dl_deadline *deadline)
{
    const dl_instance *instance = p->instance;
    int agents = instance->agents, t = 0;
    bool legal = true;
    uint16_t *spare = DL_ARRAY(uint16_t, agents);
    dl_cell *at = DL_ARRAY(dl_cell, agents), *to = DL_ARRAY(dl_cell, agents);
    memcpy(at, instance->start, sizeof *at * (size_t)agents);
    for (int agent = 0; agent < agents; agent++) {
        dl_track_reserve(&p->track[agent], steps);
        p->track[agent].at[0] = at[agent];
    }
    for (; t < steps && legal && !dl_deadline_passed(deadline); t++) {
        next_order(instance, at, order, spare);
        legal = dl_pibt_step(pibt, at, order, NULL, to);
        for (int agent = 0; agent < agents; agent++) p->track[agent].at[t + 1] = to[agent];
        dl_cell *swap = at;
        at = to;
        to = swap;
    }
    free(spare);
    free(at);
    free(to);
    return legal && t == steps;
}

/* From where the steps end to the goal by a shortest way, or back to the last arrival there. */
static void complete(dl_planner *p, int agent, int steps)
{
    const dl_grid *grid = p->instance->grid;
    const uint16_t *distance = dl_distance_acquire(p->distance, agent);
    dl_track *track = &p->track[agent];
    dl_cell at = track->at[steps];
    int cost = steps;
    dl_track_reserve(track, steps + distance[at]);
    while (distance[at] > 0) {
        int d = 0;
        while (grid->neighbor[at][d] == DL_NO_CELL || distance[grid->neighbor[at][d]] >= distance[at]) d++;
        track->at[++cost] = at = grid->neighbor[at][d];
    }
    while (cost > 0 && track->at[cost - 1] == at) cost--;
    track->cost = cost <= DL_LAST_TIME ? cost : DL_NO_TRACK;
    dl_distance_release(p->distance, agent);
}

bool dl_pibt_rollout(dl_planner *p, dl_rng *rng, int steps, const dl_deadline *deadline)
{
    int agents = p->instance->agents;
    dl_planner_clear(p);
    if (dl_pibt_tables_bytes(p->instance) > DL_PIBT_ROLLOUT_BYTES) return false;
    dl_pibt_tables *tables = dl_pibt_tables_create(p->instance, p->distance, deadline);
    if (!tables) return false;
    int32_t *shuffled = DL_ARRAY(int32_t, agents);
    uint16_t *order = DL_ARRAY(uint16_t, agents);
    for (int i = 0; i < agents; i++) shuffled[i] = i;
    dl_rng_shuffle(rng, shuffled, agents);
    for (int i = 0; i < agents; i++) order[i] = (uint16_t)shuffled[i];
    dl_pibt pibt;
    dl_pibt_init(&pibt, tables, true, *rng);
    bool whole = roll(p, &pibt, order, steps, deadline);
    for (int agent = 0; agent < agents && whole; agent++) {
        complete(p, agent, steps);
        whole = !dl_deadline_passed(deadline);
    }
    if (!whole) dl_planner_clear(p);
    dl_pibt_release(&pibt);
    dl_pibt_tables_free(tables);
    free(shuffled);
    free(order);
    return whole;
}
