/*
 * A step waits for its agent's step before it and for at most one step of another agent, so a dependency can follow
 * from the rest in one way only: the other's step comes before this agent's step before. Vector clocks answer that
 * exactly: the clock of a step holds, for each agent, the last of its steps that must have been made.
 *
 * Clocks are kept for LANES agents at a time, where each agent stands and where a cell was last left: memory is 64
 * bytes for each agent and each visited cell, whatever the number of agents and steps, and time one pass over all steps
 * for every LANES agents.
 */
#include "order/dependencies_reduce.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { LANES = 16 }; /* one cache line of steps */

typedef struct clock_lanes {
    int32_t step[LANES];
} clock_lanes;

/* A step, with all that a pass asks about it: passes walk through memory in one direction. */
typedef struct move {
    int32_t agent, step;
    int32_t other, other_step; /* what it waits for; other = -1: nothing */
    int32_t enters, leaves;    /* places */
    int32_t rotation;
    int32_t visit;
} move;

typedef struct reduction {
    move *moves; /* [count], in the schedule's order */
    int32_t count;
    clock_lanes *at;   /* [agents]: after the last step of the agent so far */
    clock_lanes *left; /* [places]: after the step that last left the place */
    int32_t *lane;     /* [agents], -1 = not in this pass */
    int32_t *asked;    /* [agents] */
} reduction;

static void reduce_join(clock_lanes *into, const clock_lanes *other)
{
    for (int i = 0; i < LANES; i++) into->step[i] = other->step[i] > into->step[i] ? other->step[i] : into->step[i];
}

static void make_step(reduction *r, move *m)
{
    clock_lanes *clock = &r->at[m->agent];
    if (m->other >= 0) {
        int32_t lane = r->lane[m->other];
        if (lane >= 0 && clock->step[lane] >= m->other_step)
            m->other = -1;
        else
            reduce_join(clock, &r->left[m->enters]);
    }
    if (r->lane[m->agent] >= 0) clock->step[r->lane[m->agent]] = m->step;
    r->left[m->leaves] = *clock;
}

/* The steps of a rotation wait for each other: one clock for all. None of these dependencies follows from the rest. */
static void make_rotation(reduction *r, const move *moves, int32_t count)
{
    assert(count >= 4); /* no ring of a grid is shorter */
    clock_lanes clock = r->at[moves[0].agent];
    for (int32_t i = 1; i < count; i++) reduce_join(&clock, &r->at[moves[i].agent]);
    for (int32_t i = 0; i < count; i++)
        if (r->lane[moves[i].agent] >= 0) clock.step[r->lane[moves[i].agent]] = moves[i].step;
    for (int32_t i = 0; i < count; i++) r->at[moves[i].agent] = r->left[moves[i].leaves] = clock;
}

/* One pass over all steps with clocks that tell the steps of `agents`. */
static void reduce_pass(reduction *r, const int32_t *agents, int count)
{
    assert(count > 0 && count <= LANES);
    for (int i = 0; i < count; i++) r->lane[agents[i]] = i;
    for (int32_t i = 0, next; i < r->count; i = next) {
        next = i + 1;
        if (r->moves[i].rotation < 0) {
            make_step(r, &r->moves[i]);
            continue;
        }
        while (next < r->count && r->moves[next].rotation == r->moves[i].rotation) next++;
        make_rotation(r, &r->moves[i], next - i);
    }
    for (int i = 0; i < count; i++) r->lane[agents[i]] = -1;
}

static void list_moves(const dl_dependencies *d, const dl_dependency_schedule *s, move *moves)
{
    for (int32_t i = 0; i < s->steps; i++) {
        int32_t visit = s->order[i], other = d->after[visit];
        moves[i] = (move){.agent = d->agent[visit],
                          .step = dl_dependencies_step(d, visit),
                          .other = other < 0 ? -1 : d->agent[other],
                          .other_step = other < 0 ? 0 : dl_dependencies_step(d, other),
                          .enters = s->place[visit],
                          .leaves = s->place[visit - 1],
                          .rotation = d->rotation[visit],
                          .visit = visit};
    }
}

/* A dependency is in doubt only if the other had made one more step by the time of this agent's step before: nobody
 * else waits for the other's step, so every other way from it begins with its next one. */
static bool in_doubt(const dl_dependencies *d, const dl_dependency_schedule *s, int32_t visit)
{
    int32_t other = d->after[visit];
    return other >= 0 && other + 1 < d->first[d->agent[other] + 1] && s->time[other + 1] <= s->time[visit - 1];
}

/* Lists the agents that dependencies in doubt ask about. */
static int list_asked(const dl_dependencies *d, const dl_dependency_schedule *s, reduction *r)
{
    for (int32_t i = 0; i < s->steps; i++) {
        int32_t visit = s->order[i];
        if (in_doubt(d, s, visit)) r->lane[d->agent[d->after[visit]]] = 1;
    }
    int count = 0;
    for (int agent = 0; agent < d->agents; agent++) {
        if (r->lane[agent]) r->asked[count++] = agent;
        r->lane[agent] = -1;
    }
    return count;
}

static bool open_reduction(reduction *r, int agents, const dl_dependency_schedule *schedule)
{
    *r = (reduction){.count = schedule->steps};
    r->moves = DL_ARRAY(move, schedule->steps);
    r->at = dl_aligned(sizeof *r->at * (size_t)agents);
    r->left = dl_aligned(sizeof *r->left * (size_t)schedule->places);
    r->lane = DL_ARRAY(int32_t, agents);
    r->asked = DL_ARRAY(int32_t, agents);
    return r->moves && r->at && r->left && r->lane && r->asked;
}

static void close_reduction(reduction *r)
{
    free(r->moves);
    free(r->at);
    free(r->left);
    free(r->lane);
    free(r->asked);
}

dl_status dl_dependencies_reduce(dl_dependencies *d, const dl_dependency_schedule *schedule, dl_error *err)
{
    reduction r;
    bool ready = open_reduction(&r, d->agents, schedule);
    if (ready) {
        list_moves(d, schedule, r.moves);
        int asked = list_asked(d, schedule, &r);
        for (int i = 0; i < asked; i += LANES) {
            memset(r.at, 0, sizeof *r.at * (size_t)d->agents); /* left[] is written before it is read */
            reduce_pass(&r, r.asked + i, asked - i < LANES ? asked - i : LANES);
        }
        for (int32_t i = 0; i < r.count; i++)
            if (r.moves[i].other < 0) d->after[r.moves[i].visit] = -1;
    }
    close_reduction(&r);
    return ready ? DIFFLNS_OK : dl_out_of_memory(err);
}
