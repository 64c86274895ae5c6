#include "lns/hasten.h"

#include <stdlib.h>
#include <string.h>

#include "base/block.h"
#include "base/memory.h"

/* All agents make one: less than a millisecond for thousands of agents. */
enum { STEPS_BETWEEN_LOOKS = 16 };

bool dl_hasten_begin(dl_hasten *h, dl_planner *planner)
{
    int agents = planner->instance->agents;
    *h = (dl_hasten){.planner = planner};
    return DL_BLOCK(h->memory, DL_CUT(h->occupant, planner->instance->grid->cells), DL_CUT(h->turn, agents),
                    DL_CUT(h->chain, agents), DL_CUT(h->changed, agents));
}

void dl_hasten_end(dl_hasten *h)
{
    dl_timetable_free(&h->timetable);
    free(h->log);
    free(h->mover);
    free(h->first);
    free(h->memory);
    *h = (dl_hasten){0};
}

/* ---- the plan as single moves ---- */

/* Who moves when; false when memory or time is out, here and below: a path may have a million steps. */
static bool sort_movers(dl_hasten *h, const dl_deadline *deadline)
{
    const dl_planner *p = h->planner;
    int agents = p->instance->agents;
    if (!DL_GROW(h->first, h->first_room, (size_t)p->makespan + 3)) return false;
    int32_t *place = h->first + 1; /* counted one further, so that filling in moves them to where they belong */
    memset(h->first, 0, sizeof *h->first * ((size_t)p->makespan + 3));
    for (int agent = 0; agent < agents; agent++) {
        const dl_track *track = &p->track[agent];
        if (dl_is_late(deadline)) return false;
        for (int t = 1; t <= track->cost; t++) place[t + 1] += track->at[t] != track->at[t - 1];
    }
    for (int t = 1; t <= p->makespan + 1; t++) place[t] += place[t - 1];
    size_t moves = (size_t)place[p->makespan + 1];
    if (!DL_GROW(h->mover, h->mover_room, moves + 1) || !DL_GROW(h->log, h->log_room, moves + 1)) return false;
    for (int32_t agent = 0; agent < agents; agent++) {
        const dl_track *track = &p->track[agent];
        if (dl_is_late(deadline)) return false;
        for (int t = 1; t <= track->cost; t++)
            if (track->at[t] != track->at[t - 1]) h->mover[place[t]++] = agent;
    }
    return true;
}

static void log_move(dl_hasten *h, int agent, int time, int ring)
{
    const dl_track *track = &h->planner->track[agent];
    h->log[h->moves++] = (dl_move){agent, track->at[time - 1], track->at[time], ring};
    h->turn[agent] = time;
}

/* Agents that follow each other move one by one, the foremost first; those around a full ring all at once. */
static void log_chain(dl_hasten *h, int agent, int time)
{
    const dl_track *track = h->planner->track;
    int length = 0;
    int32_t ahead = agent;
    do {
        h->chain[length++] = ahead;
        ahead = h->occupant[track[ahead].at[time]] - 1;
    } while (ahead >= 0 && ahead != agent);
    bool is_ring = ahead == agent;
    for (int i = 0; i < length; i++) {
        int32_t next = h->chain[is_ring ? i : length - 1 - i];
        log_move(h, next, time, is_ring ? length : 0);
        h->occupant[track[next].at[time - 1]] = 0;
    }
    for (int i = 0; i < length; i++) h->occupant[track[h->chain[i]].at[time]] = 1 + h->chain[i];
}

static bool log_all(dl_hasten *h, const dl_deadline *deadline)
{
    const dl_planner *p = h->planner;
    int32_t agents = p->instance->agents;
    for (int32_t agent = 0; agent < agents; agent++) {
        h->occupant[p->track[agent].at[0]] = 1 + agent;
        h->turn[agent] = 0;
    }
    h->moves = 0;
    int t = 0;
    bool late = false;
    while (t < p->makespan && !(late = t % STEPS_BETWEEN_LOOKS == 0 && dl_is_late(deadline))) {
        t++;
        for (int32_t i = h->first[t]; i < h->first[t + 1]; i++)
            if (h->turn[h->mover[i]] != t) log_chain(h, h->mover[i], t);
    }
    for (int32_t agent = 0; agent < agents; agent++) {
        const dl_track *track = &p->track[agent];
        h->occupant[track->at[t < track->cost ? t : track->cost]] = 0;
    }
    return !late;
}

/* ---- and back ---- */

/* The agent's visits as its spare track; false when memory is out. */
static bool write_track(dl_hasten *h, int agent)
{
    dl_track *track = &h->planner->spare[agent];
    const dl_visit *visit = h->timetable.visit;
    if (!dl_track_reserve(track, h->planner->track[agent].cost)) return false; /* nobody comes later */
    int time = 0;
    for (int32_t v = agent; v >= 0; v = visit[v].after) {
        for (; time < visit[v].time; time++) track->at[time] = track->at[time - 1];
        track->at[time++] = visit[v].cell;
    }
    track->cost = time - 1;
    return true;
}

int64_t dl_hasten_find(dl_hasten *h, const dl_deadline *deadline)
{
    dl_planner *p = h->planner;
    const dl_instance *instance = p->instance;
    int64_t saved = 0;
    h->count = 0;
    if (!sort_movers(h, deadline) || !log_all(h, deadline) ||
        !dl_timetable_make(&h->timetable, instance->grid, instance->agents, instance->start, h->log, h->moves,
                           DL_FOLLOW_AT_ONCE, deadline))
        return dl_is_late(deadline) ? 0 : -1;
    for (int32_t agent = 0; agent < instance->agents; agent++) {
        if (!write_track(h, agent)) return -1;
        if (dl_track_equal(&p->track[agent], &p->spare[agent])) continue;
        h->changed[h->count++] = agent;
        saved += p->track[agent].cost - p->spare[agent].cost;
    }
    return saved;
}

bool dl_hasten_apply(dl_hasten *h)
{
    for (int i = 0; i < h->count; i++) dl_planner_remove(h->planner, h->changed[i]);
    for (int i = 0; i < h->count; i++)
        if (!dl_planner_adopt(h->planner, h->changed[i])) return false;
    return true;
}
