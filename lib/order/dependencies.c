#include "order/dependencies.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/block.h"
#include "base/memory.h"
#include "order/dependencies_reduce.h"

typedef dl_dependency_schedule schedule;

static bool dependencies_same(difflns_cell a, difflns_cell b)
{
    return a.row == b.row && a.col == b.col;
}

/* ---- Visits ---- */

/* Counts the visits of all agents into first[]; refuses what is no plan of the instance's agents from their starts. */
static dl_status count_visits(const dl_instance *instance, const dl_plan *plan, int32_t *first, dl_error *err)
{
    int64_t visits = 0;
    for (int agent = 0; agent < plan->agents; agent++) {
        const dl_path *path = &plan->path[agent];
        if (path->length < 1 ||
            !dependencies_same(path->at[0], dl_grid_position(instance->grid, instance->start[agent])))
            return dl_fail(err, DIFFLNS_BAD_INPUT, "the path of agent %d begins elsewhere: expected its start", agent);
        first[agent] = (int32_t)visits;
        visits++;
        for (int t = 1; t < path->length; t++) visits += !dependencies_same(path->at[t], path->at[t - 1]);
        if (visits > INT32_MAX)
            return dl_fail(err, DIFFLNS_BAD_INPUT, "the plan has too many steps: expected at most %d", INT32_MAX);
    }
    first[plan->agents] = (int32_t)visits;
    return DIFFLNS_OK;
}

/* Lists the visits with their times and cell numbers; refuses jumps and cells that are not free. */
static dl_status list_visits(const dl_grid *grid, const dl_plan *plan, dl_dependencies *d, schedule *s, dl_error *err)
{
    for (int agent = 0; agent < plan->agents; agent++) {
        const dl_path *path = &plan->path[agent];
        int32_t visit = d->first[agent];
        for (int t = 0; t < path->length; t++) {
            difflns_cell at = path->at[t];
            if (t > 0 && dependencies_same(at, path->at[t - 1])) continue;
            dl_cell cell = dl_grid_cell(grid, at.row, at.col);
            if (cell == DL_NO_CELL)
                return dl_fail(err, DIFFLNS_BAD_INPUT,
                               "agent %d is on row %d, column %d at time %d: expected a free cell", agent, at.row,
                               at.col, t);
            if (t > 0 && abs(at.row - path->at[t - 1].row) + abs(at.col - path->at[t - 1].col) != 1)
                return dl_fail(err, DIFFLNS_BAD_INPUT,
                               "agent %d jumps to row %d, column %d at time %d: expected a neighboring cell", agent,
                               at.row, at.col, t);
            d->agent[visit] = agent;
            d->cell[visit] = at;
            d->after[visit] = d->rotation[visit] = -1;
            s->time[visit] = t;
            s->place[visit] = cell;
            visit++;
        }
    }
    return DIFFLNS_OK;
}

/* Numbers the cells that are visited at all, so that what is kept for each of them does not grow with the map.
 * number[cells] is scratch. */
static void number_places(schedule *s, int32_t *number, int cells)
{
    for (int i = 0; i < cells; i++) number[i] = -1;
    for (int32_t visit = 0; visit < s->visits; visit++) {
        int32_t *place = &number[s->place[visit]];
        if (*place < 0) *place = s->places++;
        s->place[visit] = *place;
    }
}

/* ---- Order ---- */

/* Sorts the steps by their time. begin[makespan + 2] is scratch, zeroed. */
static void sort_by_time(const dl_dependencies *d, schedule *s, int makespan, int32_t *begin)
{
    for (int32_t visit = 0; visit < s->visits; visit++)
        if (visit != d->first[d->agent[visit]]) begin[s->time[visit] + 1]++;
    for (int t = 1; t <= makespan; t++) begin[t + 1] += begin[t];
    for (int32_t visit = 0; visit < s->visits; visit++)
        if (visit != d->first[d->agent[visit]]) s->order[begin[s->time[visit]]++] = visit;
}

/* Walks through time and lets each step wait for the visitor before it to leave; refuses collisions and swaps. Earlier
 * visitors need not be asked: the one before has waited for them. last[places] is scratch. */
static dl_status link_visits(dl_dependencies *d, const schedule *s, int32_t *last, dl_error *err)
{
    for (int32_t place = 0; place < s->places; place++) last[place] = -1;
    for (int agent = 0; agent < d->agents; agent++) last[s->place[d->first[agent]]] = d->first[agent];
    for (int32_t i = 0; i < s->steps; i++) {
        int32_t visit = s->order[i], before = last[s->place[visit]];
        last[s->place[visit]] = visit;
        if (before < 0 || d->agent[before] == d->agent[visit]) continue;
        int agent = d->agent[visit], other = d->agent[before];
        bool stays = before + 1 == d->first[other + 1];
        if (stays || s->time[before + 1] > s->time[visit])
            return dl_fail(
                err, DIFFLNS_BAD_INPUT,
                "agents %d and %d are both on row %d, column %d at time %d: expected a plan without collisions", other,
                agent, d->cell[visit].row, d->cell[visit].col, s->time[visit]);
        assert(before + 1 < d->first[other + 1]);
        d->after[visit] = before + 1;
        if (d->after[before + 1] == visit)
            return dl_fail(err, DIFFLNS_BAD_INPUT,
                           "agents %d and %d exchange cells at time %d: expected a plan without collisions", other,
                           agent, s->time[visit]);
    }
    return DIFFLNS_OK;
}

/* Refines the order by time: within an instant, a step comes after the one it waits for. Steps that wait for each other
 * in a ring are a rotation: nothing else can close a ring, since all other waiting goes back in time; and nobody else
 * waits for them in this instant, since the cells they leave are theirs again. ordered[steps] and placed[visits],
 * zeroed, are scratch; `ordered` becomes the order. */
static void order_instants(dl_dependencies *d, schedule *s, int32_t **ordered, uint8_t *placed)
{
    int32_t *out = *ordered, begin = 0;
    for (int32_t i = 0; i < s->steps; i++) {
        int32_t visit = s->order[i], end = begin;
        while (visit >= 0 && s->time[visit] == s->time[s->order[i]] && !placed[visit]) {
            placed[visit] = 1;
            out[end++] = visit;
            visit = d->after[visit];
        }
        if (end > begin && visit == s->order[i]) {
            for (int32_t k = begin; k < end; k++) d->rotation[out[k]] = d->rotations;
            d->rotations++;
        }
        for (int32_t low = begin, high = end - 1; low < high; low++, high--) {
            int32_t swap = out[low];
            out[low] = out[high];
            out[high] = swap;
        }
        begin = end;
    }
    assert(begin == s->steps);
    *ordered = s->order;
    s->order = out;
}

/* ---- Together ---- */

/* What is needed only while dependencies are made. */
typedef struct workshop {
    schedule schedule;
    int32_t *ordered;
    uint8_t *placed;
    int32_t *cells;    /* [cells] */
    int32_t *instants; /* [makespan + 2] */
    void *memory;      /* of all of them */
} workshop;

static bool open_workshop(workshop *w, int32_t visits, int32_t steps, int cells, int makespan)
{
    *w = (workshop){.schedule = {.visits = visits, .steps = steps}};
    dl_dependency_schedule *s = &w->schedule;
    return DL_BLOCK(w->memory, DL_CUT(s->time, visits), DL_CUT(s->place, visits), DL_CUT(s->order, steps),
                    DL_CUT(w->ordered, steps), DL_CUT(w->placed, visits), DL_CUT(w->cells, cells),
                    DL_CUT(w->instants, makespan + 2));
}

static dl_status dependencies_find(const dl_grid *grid, const dl_plan *plan, int makespan, workshop *w,
                                   dl_dependencies *d, dl_error *err)
{
    schedule *s = &w->schedule;
    DL_TRY(list_visits(grid, plan, d, s, err));
    number_places(s, w->cells, grid->cells);
    sort_by_time(d, s, makespan, w->instants);
    DL_TRY(link_visits(d, s, w->cells, err));
    order_instants(d, s, &w->ordered, w->placed);
    DL_TRY(dl_dependencies_reduce(d, s, err));
    for (int32_t visit = 0; visit < s->visits; visit++) d->count += d->after[visit] >= 0;
    return DIFFLNS_OK;
}

static dl_status dependencies_fill(const dl_instance *instance, const dl_plan *plan, dl_dependencies *d, dl_error *err)
{
    d->agents = plan->agents;
    d->first = DL_ARRAY(int32_t, plan->agents + 1);
    if (!d->first) return dl_out_of_memory(err);
    DL_TRY(count_visits(instance, plan, d->first, err));
    int32_t visits = d->first[plan->agents];
    if (!DL_BLOCK(d->memory, DL_CUT(d->agent, visits), DL_CUT(d->cell, visits), DL_CUT(d->after, visits),
                  DL_CUT(d->rotation, visits)))
        return dl_out_of_memory(err);
    workshop w;
    int makespan = dl_plan_makespan(plan);
    dl_status status = open_workshop(&w, visits, visits - plan->agents, instance->grid->cells, makespan)
                           ? dependencies_find(instance->grid, plan, makespan, &w, d, err)
                           : dl_out_of_memory(err);
    free(w.memory);
    return status;
}

dl_status dl_dependencies_create(const dl_instance *instance, const dl_plan *plan, dl_dependencies **out, dl_error *err)
{
    *out = NULL;
    if (plan->agents != instance->agents)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "plan of %d agents for an instance of %d", plan->agents,
                       instance->agents);
    dl_dependencies *dependencies = DL_NEW(dl_dependencies);
    if (!dependencies) return dl_out_of_memory(err);
    dl_status status = dependencies_fill(instance, plan, dependencies, err);
    if (status != DIFFLNS_OK) {
        dl_dependencies_free(dependencies);
        return status;
    }
    *out = dependencies;
    return DIFFLNS_OK;
}

void dl_dependencies_free(dl_dependencies *dependencies)
{
    if (!dependencies) return;
    free(dependencies->first);
    free(dependencies->memory);
    free(dependencies);
}

void dl_dependencies_list(const dl_dependencies *d, difflns_dependency *list)
{
    for (int32_t visit = 0; visit < d->first[d->agents]; visit++) {
        int32_t other = d->after[visit];
        if (other < 0) continue;
        *list++ = (difflns_dependency){.agent = d->agent[visit],
                                       .step = dl_dependencies_step(d, visit),
                                       .other = d->agent[other],
                                       .other_step = dl_dependencies_step(d, other),
                                       .rotation = d->rotation[visit]};
    }
}
