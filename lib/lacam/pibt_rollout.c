#include "lacam/pibt_rollout.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "lacam/pibt.h"

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
    assert(moving + home == instance->agents);
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

/* Takes `steps` steps into the tracks; false if time or memory is out before, the crowd is too large for PIBT. */
static bool rollout_run(dl_planner *p, dl_pibt *pibt, uint16_t *order, int steps, const dl_deadline *deadline)
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
        next_order(pibt->tables->instance, at, order, spare);
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

/* Goes on to goal number `goal` by a shortest way. False when memory or time is out. */
static bool go_on_to(dl_planner *p, int agent, int goal, int *cost)
{
    const dl_grid *grid = p->instance->grid;
    dl_track *track = &p->track[agent];
    const dl_field *distance = dl_distance_acquire_goal(p->distance, agent, goal);
    dl_cell at = track->at[*cost];
    int left = distance ? dl_field_at(distance, at) : DL_UNREACHABLE;
    bool known = left != DL_UNREACHABLE, fits = known && dl_track_reserve(track, *cost + left);
    for (; fits && left > 0; left--) track->at[++*cost] = at = dl_field_step(distance, grid, at);
    if (distance) dl_distance_release_goal(p->distance, agent, goal);
    if (known ? !fits : dl_distance_starved(p->distance)) p->exhausted = true;
    return fits;
}

/* From where the steps end over the goals that are left to the last one by shortest ways, or back to the last arrival
 * there. False when memory or time is out. */
static bool rollout_complete(dl_planner *p, int agent, int steps)
{
    const dl_instance *instance = p->instance;
    dl_track *track = &p->track[agent];
    int cost = steps, stops = dl_instance_stops(instance, agent), visited = 0;
    for (int t = 0; t <= steps && visited < stops; t++)
        visited = dl_errand_visit(&instance->errand[agent], visited, track->at[t]);
    for (; visited <= stops; visited++)
        if (!go_on_to(p, agent, visited, &cost)) return false;
    assert(track->at[cost] == instance->goal[agent]);
    while (cost > 0 && track->at[cost - 1] == track->at[cost]) cost--;
    track->cost = cost <= p->last_time ? cost : DL_NO_TRACK;
    return true;
}

/* PIBT's tables. Errands are not its business: it heads for the first goals. NULL when memory or time is out. */
static dl_pibt_tables *make_tables(const dl_planner *p, dl_instance *ahead, const dl_deadline *deadline)
{
    if (!p->instance->errand) return dl_pibt_tables_create(p->instance, p->distance, deadline);
    dl_distance *distance = dl_instance_ahead(p->instance, ahead) ? dl_distance_create(ahead) : NULL;
    if (distance) dl_distance_until(distance, *deadline);
    dl_pibt_tables *tables = distance ? dl_pibt_tables_create(ahead, distance, deadline) : NULL;
    dl_distance_free(distance);
    return tables;
}

bool dl_pibt_rollout(dl_planner *p, dl_rng *rng, int steps, const dl_deadline *deadline)
{
    int agents = p->instance->agents;
    dl_planner_clear(p);
    if (dl_instance_longest_prefix(p->instance) > 0) return false; /* it can't make way for what is fixed */
    if (dl_grid_is_large(p->instance->grid) || dl_pibt_tables_bytes(p->instance) > DL_PIBT_ROLLOUT_BYTES) return false;
    dl_instance ahead = {0};
    dl_pibt_tables *tables = make_tables(p, &ahead, deadline);
    if (!tables) {
        p->exhausted = !dl_deadline_passed(deadline);
        dl_instance_ahead_free(&ahead);
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
    pibt.deadline = deadline;
    whole = whole && rollout_run(p, &pibt, order, steps, deadline);
    for (int agent = 0; agent < agents && whole; agent++)
        whole = rollout_complete(p, agent, steps) && !dl_deadline_passed(deadline);
    bool exhausted = p->exhausted;
    if (!whole) dl_planner_clear(p);
    p->exhausted = exhausted;
    dl_pibt_release(&pibt);
    dl_pibt_tables_free(tables);
    dl_instance_ahead_free(&ahead);
    free(shuffled);
    free(order);
    return whole;
}
