#include "order/timetable.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"

enum { NONE = -1 };

/* On the cells that are visited at all, or on all cells if that is less work. */
static void forget_last_visits(dl_timetable *s, const dl_grid *grid, const dl_cell *from)
{
    assert(s->last_on_cell);
    if (s->visits < grid->cells) {
        for (int32_t v = 0; v < s->visits; v++)
            s->last_on_cell[v < s->agents ? from[v] : s->log[v - s->agents].to] = NONE;
    } else {
        for (dl_cell cell = 0; cell < grid->cells; cell++) s->last_on_cell[cell] = NONE;
    }
}

/* False when time is out, here and below: logs may have millions of moves. */
static bool list_visits(dl_timetable *s, const dl_grid *grid, const dl_cell *from, const dl_deadline *deadline)
{
    int32_t *last_of_agent = s->last_of_agent, *last_on_cell = s->last_on_cell;
    assert(last_of_agent && last_on_cell);
    forget_last_visits(s, grid, from);
    for (int32_t v = 0; v < s->visits; v++) {
        if (dl_is_late_at(deadline, (size_t)v)) return false;
        bool start = v < s->agents;
        int agent = start ? v : s->log[v - s->agents].agent;
        dl_cell cell = start ? from[v] : s->log[v - s->agents].to;
        dl_visit *at = &s->visit[v];
        *at = (dl_visit){
            .agent = agent, .cell = cell, .before = NONE, .after = NONE, .earlier = last_on_cell[cell], .later = NONE};
        assert(agent >= 0 && agent < s->agents && cell >= 0 && cell < grid->cells);
        if (!start) {
            at->before = last_of_agent[agent];
            assert(s->visit[at->before].cell == s->log[v - s->agents].from);
            s->visit[at->before].after = v;
        }
        if (at->earlier != NONE) s->visit[at->earlier].later = v;
        last_of_agent[agent] = last_on_cell[cell] = v;
    }
    return true;
}

/* ---- Loops ----------------------------------------------------------------------------------------------------------
 */

static void inspect_later(dl_timetable *s, int32_t v)
{
    if (v == NONE || s->visit[v].queued) return;
    s->visit[v].queued = 1;
    assert(s->waiting < s->visits);
    s->worklist[s->waiting++] = v;
}

static void remove_visit(dl_timetable *s, int32_t v)
{
    dl_visit *at = &s->visit[v];
    assert(!at->gone);
    at->gone = 1;
    if (at->earlier != NONE) s->visit[at->earlier].later = at->later;
    if (at->later != NONE) s->visit[at->later].earlier = at->earlier;
    inspect_later(s, at->earlier);
}

/* Two visits of one agent to a cell that nobody else used in between: it may as well stay. Cells it would have visited
 * meanwhile only become emptier, which can bring together further pairs. */
static bool delete_loops(dl_timetable *s, const dl_deadline *deadline)
{
    for (int32_t v = 0; v < s->visits; v++) inspect_later(s, v);
    for (size_t turn = 0; s->waiting > 0; turn++) {
        if (dl_is_late_at(deadline, turn)) return false;
        int32_t v = s->worklist[--s->waiting];
        dl_visit *at = &s->visit[v];
        at->queued = 0;
        while (!at->gone && at->later != NONE && s->visit[at->later].agent == at->agent) {
            int32_t again = at->later, next = at->after;
            while (next != again) {
                int32_t after = s->visit[next].after;
                remove_visit(s, next);
                next = after;
            }
            at->after = s->visit[again].after;
            if (at->after != NONE) s->visit[at->after].before = v;
            remove_visit(s, again);
        }
    }
    return true;
}

/* ---- Times ----------------------------------------------------------------------------------------------------------
 */

/* The earliest time for visit v, ignoring departures that are part of the rotation first .. last-1. */
static int timetable_earliest(const dl_timetable *s, int32_t v, int32_t first, int32_t last)
{
    const dl_visit *at = &s->visit[v];
    int time = s->visit[at->before].time + 1;
    if (at->earlier == NONE) return time;
    int32_t departure = s->visit[at->earlier].after;
    assert(departure != NONE); /* who was there before has left */
    if (departure >= first && departure < last) return time;
    int cleared = s->visit[departure].time;
    return cleared > time ? cleared : time;
}

/* A rotation of which all moves are left happens at once; otherwise it is a chain that moves up into a gap. */
static void time_rotation(dl_timetable *s, int32_t first, int length)
{
    int gap = 0, time = 0;
    while (gap < length && !s->visit[first + gap].gone) gap++;
    if (gap < length) {
        for (int i = 1; i < length; i++) {
            int32_t v = first + (gap - i + length) % length;
            if (!s->visit[v].gone) s->visit[v].time = timetable_earliest(s, v, NONE, NONE);
        }
        return;
    }
    for (int i = 0; i < length; i++) {
        int own = timetable_earliest(s, first + i, first, first + length);
        if (own > time) time = own;
    }
    for (int i = 0; i < length; i++) s->visit[first + i].time = time;
}

static bool set_times(dl_timetable *s, const dl_deadline *deadline)
{
    size_t turn = 0;
    for (int32_t v = s->agents; v < s->visits; turn++) {
        if (dl_is_late_at(deadline, turn)) return false;
        int ring = s->log[v - s->agents].ring;
        if (ring > 0) {
            time_rotation(s, v, ring);
            v += ring;
            continue;
        }
        if (!s->visit[v].gone) s->visit[v].time = timetable_earliest(s, v, NONE, NONE);
        v++;
    }
    return true;
}

/* The agent stays where it is until `time`. */
static bool wait_until(dl_path *path, int time)
{
    while (path->length < time)
        if (!dl_path_append(path, path->at[path->length - 1])) return false;
    return true;
}

static bool write_path(const dl_timetable *s, const dl_grid *grid, int agent, dl_path *path)
{
    for (int32_t v = agent; v != NONE; v = s->visit[v].after) {
        const dl_visit *at = &s->visit[v];
        assert(!at->gone && (v == agent ? at->time == 0 : at->time >= path->length));
        if (!wait_until(path, at->time) || !dl_path_append(path, dl_grid_position(grid, at->cell))) return false;
    }
    return true;
}

static dl_plan *write_plan(const dl_timetable *s, const dl_grid *grid, const dl_deadline *deadline)
{
    dl_plan *plan = dl_plan_create(s->agents);
    for (int agent = 0; plan && agent < s->agents; agent++) {
        if (!dl_is_late(deadline) && write_path(s, grid, agent, &plan->path[agent])) continue;
        dl_plan_free(plan);
        return NULL;
    }
    return plan;
}

bool dl_timetable_make(dl_timetable *s, const dl_grid *grid, int agents, const dl_cell *from, const dl_move *log,
                       size_t moves, const dl_deadline *deadline)
{
    assert(agents >= 0 && moves <= (size_t)(INT32_MAX - agents));
    s->log = log;
    s->agents = agents;
    s->visits = agents + (int32_t)moves;
    s->waiting = 0;
    if (!DL_GROW(s->visit, s->visit_room, s->visits) || !DL_GROW(s->worklist, s->work_room, s->visits) ||
        !DL_GROW(s->last_of_agent, s->agent_room, agents) || !DL_GROW(s->last_on_cell, s->cell_room, grid->cells))
        return false;
    if (!list_visits(s, grid, from, deadline) || dl_is_late(deadline)) return false;
    if (!delete_loops(s, deadline) || dl_is_late(deadline)) return false;
    return set_times(s, deadline);
}

void dl_timetable_free(dl_timetable *s)
{
    free(s->visit);
    free(s->worklist);
    free(s->last_of_agent);
    free(s->last_on_cell);
    *s = (dl_timetable){0};
}

dl_plan *dl_timetable_plan(const dl_grid *grid, int agents, const dl_cell *from, const dl_move *log, size_t moves,
                           const dl_deadline *deadline)
{
    dl_timetable s = {0};
    dl_plan *plan = NULL;
    if (dl_timetable_make(&s, grid, agents, from, log, moves, deadline)) plan = write_plan(&s, grid, deadline);
    dl_timetable_free(&s);
    return plan;
}
