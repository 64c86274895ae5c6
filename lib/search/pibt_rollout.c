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

/* Makes room for `steps` steps in the tracks, and puts everybody on its start. */
static bool reserve_tracks(dl_planner *p, int steps)
{
    for (int agent = 0; agent < p->instance->agents; agent++) {
        if (!dl_track_reserve(&p->track[agent], steps)) return false;
        p->track[agent].at[0] = p->instance->start[agent];
    }
    return true;
}

/* Takes `steps` steps into the tracks; false if time or memory is out before, or the crowd is too large for PIBT. */
static bool roll(dl_planner *p, dl_pibt *pibt, uint16_t *order, int steps, const dl_deadline *deadline)
{
    const dl_instance *instance = p->instance;
    int agents = instance->agents, t = 0;
    bool legal = true;
    uint16_t *spare = DL_ARRAY(uint16_t, agents);
    dl_cell *at = DL_ARRAY(dl_cell, agents), *to = DL_ARRAY(dl_cell, agents);
    if (!spare || !at || !to || !reserve_tracks(p, steps)) p->exhausted = true;
    if (!p->exhausted) memcpy(at, instance->start, sizeof *at * (size_t)agents);
    legal = !p->exhausted;
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

/* From where the steps end to the goal by a shortest way, or back to the last arrival there. False when memory or time
 * is out. */
static bool complete(dl_planner *p, int agent, int steps)
{
    const dl_grid *grid = p->instance->grid;
    const dl_field *distance = dl_planner_acquire(p, agent);
    if (!distance) return false;
    dl_track *track = &p->track[agent];
    dl_cell at = track->at[steps];
    int cost = steps;
    int left = dl_field_at(distance, at);
    if (left == DL_UNREACHABLE) {
        p->exhausted = dl_distance_starved(p->distance);
        dl_distance_release(p->distance, agent);
        return false;
    }
    bool fits = dl_track_reserve(track, steps + left);
    for (; fits && left > 0; left--) track->at[++cost] = at = dl_field_step(distance, grid, at);
    while (cost > 0 && track->at[cost - 1] == at) cost--;
    track->cost = fits && cost <= p->last_time ? cost : DL_NO_TRACK;
    dl_distance_release(p->distance, agent);
    if (!fits) p->exhausted = true;
    return fits;
}

bool dl_pibt_rollout(dl_planner *p, dl_rng *rng, int steps, const dl_deadline *deadline)
{
    int agents = p->instance->agents;
    dl_planner_clear(p);
    if (dl_grid_is_large(p->instance->grid) || dl_pibt_tables_bytes(p->instance) > DL_PIBT_ROLLOUT_BYTES) return false;
    dl_pibt_tables *tables = dl_pibt_tables_create(p->instance, p->distance, deadline);
    if (!tables) {
        p->exhausted = !dl_deadline_passed(deadline);
        return false;
    }
    int32_t *shuffled = DL_ARRAY(int32_t, agents);
    uint16_t *order = DL_ARRAY(uint16_t, agents);
    bool whole = shuffled && order;
    for (int i = 0; i < agents && whole; i++) shuffled[i] = i;
    if (whole) dl_rng_shuffle(rng, shuffled, agents);
    for (int i = 0; i < agents && whole; i++) order[i] = (uint16_t)shuffled[i];
    dl_pibt pibt;
    whole = dl_pibt_init(&pibt, tables, true, *rng) && whole;
    if (!whole) p->exhausted = true;
    whole = whole && roll(p, &pibt, order, steps, deadline);
    for (int agent = 0; agent < agents && whole; agent++)
        whole = complete(p, agent, steps) && !dl_deadline_passed(deadline);
    bool exhausted = p->exhausted;
    if (!whole) dl_planner_clear(p);
    p->exhausted = exhausted;
    dl_pibt_release(&pibt);
    dl_pibt_tables_free(tables);
    free(shuffled);
    free(order);
    return whole;
}
