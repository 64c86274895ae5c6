#include "order/hasten.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/block.h"
#include "base/memory.h"

/* All agents make one: less than a millisecond for thousands of agents. */
enum { STEPS_BETWEEN_LOOKS = 16 };

bool dl_hasten_begin(dl_hasten *h, const dl_instance *instance)
{
    int agents = instance->agents;
    *h = (dl_hasten){.instance = instance};
    return DL_BLOCK(h->memory, DL_CUT(h->occupant, instance->grid->cells), DL_CUT(h->turn, agents),
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
static bool sort_movers(dl_hasten *h, const dl_track *tracks, int makespan, const dl_deadline *deadline)
{
    int agents = h->instance->agents;
    if (!DL_GROW(h->first, h->first_room, (size_t)makespan + 3)) return false;
    int32_t *place = h->first + 1; /* counted one further, so that filling in moves them to where they belong */
    memset(h->first, 0, sizeof *h->first * ((size_t)makespan + 3));
    for (int agent = 0; agent < agents; agent++) {
        const dl_track *track = &tracks[agent];
        if (dl_is_late(deadline)) return false;
        for (int t = 1; t <= track->cost; t++) place[t + 1] += track->at[t] != track->at[t - 1];
    }
    for (int t = 1; t <= makespan + 1; t++) place[t] += place[t - 1];
    size_t moves = (size_t)place[makespan + 1];
    if (!DL_GROW(h->mover, h->mover_room, moves + 1) || !DL_GROW(h->log, h->log_room, moves + 1)) return false;
    for (int32_t agent = 0; agent < agents; agent++) {
        const dl_track *track = &tracks[agent];
        if (dl_is_late(deadline)) return false;
        for (int t = 1; t <= track->cost; t++)
            if (track->at[t] != track->at[t - 1]) h->mover[place[t]++] = agent;
    }
    return true;
}

static void log_move(dl_hasten *h, const dl_track *track, int agent, int time, int ring)
{
    assert(h->moves < h->log_room && track->at[time] != track->at[time - 1]);
    h->log[h->moves++] = (dl_move){agent, track->at[time - 1], track->at[time], ring};
    h->turn[agent] = time;
}

/* Agents that follow each other move one by one, the foremost first; those around a full ring all at once. */
static void log_chain(dl_hasten *h, const dl_track *track, int agent, int time)
{
    int length = 0;
    int32_t ahead = agent;
    do {
        h->chain[length++] = ahead;
        ahead = h->occupant[track[ahead].at[time]] - 1;
    } while (ahead >= 0 && ahead != agent);
    bool is_ring = ahead == agent;
    for (int i = 0; i < length; i++) {
        int32_t next = h->chain[is_ring ? i : length - 1 - i];
        log_move(h, &track[next], next, time, is_ring ? length : 0);
        h->occupant[track[next].at[time - 1]] = 0;
    }
    for (int i = 0; i < length; i++) h->occupant[track[h->chain[i]].at[time]] = 1 + h->chain[i];
}

static bool log_all(dl_hasten *h, const dl_track *tracks, int makespan, const dl_deadline *deadline)
{
    int32_t agents = h->instance->agents;
    for (int32_t agent = 0; agent < agents; agent++) {
        assert(!h->occupant[tracks[agent].at[0]]);
        h->occupant[tracks[agent].at[0]] = 1 + agent;
        h->turn[agent] = 0;
    }
    h->moves = 0;
    int t = 0;
    bool late = false;
    while (t < makespan && !(late = t % STEPS_BETWEEN_LOOKS == 0 && dl_is_late(deadline))) {
        t++;
        for (int32_t i = h->first[t]; i < h->first[t + 1]; i++)
            if (h->turn[h->mover[i]] != t) log_chain(h, tracks, h->mover[i], t);
    }
    for (int32_t agent = 0; agent < agents; agent++) {
        const dl_track *track = &tracks[agent];
        h->occupant[track->at[t < track->cost ? t : track->cost]] = 0;
    }
    return !late;
}

/* ---- and back ---- */

/* The agent's visits as a track of at most this cost; false when memory is out. */
static bool write_track(const dl_hasten *h, int agent, int most, dl_track *track)
{
    const dl_visit *visit = h->timetable.visit;
    if (!dl_track_reserve(track, most)) return false;
    int time = 0;
    for (int32_t v = agent; v >= 0; v = visit[v].after) {
        for (; time < visit[v].time; time++) track->at[time] = track->at[time - 1];
        track->at[time++] = visit[v].cell;
    }
    track->cost = time - 1;
    assert(track->cost <= most);
    return true;
}

int64_t dl_hasten_find(dl_hasten *h, const dl_track *track, int makespan, dl_track *sooner, const dl_deadline *deadline)
{
    const dl_instance *instance = h->instance;
    int64_t saved = 0;
    h->count = 0;
    if (!sort_movers(h, track, makespan, deadline) || !log_all(h, track, makespan, deadline) ||
        !dl_timetable_make(&h->timetable, instance->grid, instance->agents, instance->start, h->log, h->moves,
                           deadline))
        return dl_is_late(deadline) ? 0 : -1;
    for (int32_t agent = 0; agent < instance->agents; agent++) {
        if (!write_track(h, agent, track[agent].cost, &sooner[agent])) {
            h->count = 0;
            return -1;
        }
        if (dl_track_equal(&track[agent], &sooner[agent])) continue;
        h->changed[h->count++] = agent;
        saved += track[agent].cost - sooner[agent].cost;
    }
    assert(saved >= 0);
    return saved;
}
