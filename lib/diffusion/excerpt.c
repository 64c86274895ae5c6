#include "diffusion/excerpt.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Agents no farther apart than so many cells meet: they may have to make way within a step or two. */
enum { NEAR = 3 };

typedef struct meeting {
    int32_t times, agent;
} meeting;

static int by_times(const void *a, const void *b)
{
    const meeting *x = a, *y = b;
    if (x->times != y->times) return x->times > y->times ? -1 : 1;
    return (x->agent > y->agent) - (x->agent < y->agent);
}

static bool is_near(difflns_cell a, difflns_cell b)
{
    return abs(a.row - b.row) + abs(a.col - b.col) <= NEAR;
}

/* How often an agent is near any of those listed. */
static int count_meetings(const dl_plan *plan, int agent, const int32_t *listed, int count, int makespan)
{
    int times = 0;
    for (int t = 0; t <= makespan; t++) {
        difflns_cell here = dl_path_at(&plan->path[agent], t);
        bool near = false;
        for (int i = 0; i < count && !near; i++) near = is_near(here, dl_path_at(&plan->path[listed[i]], t));
        times += near;
    }
    return times;
}

/* Lists the chosen agents, then their company; returns how many there are, or -1 when memory is out. */
static int list_agents(const dl_plan *plan, const bool *chosen, int company, int32_t *agent)
{
    int count = 0, others = 0, makespan = dl_plan_makespan(plan);
    meeting *met = DL_ARRAY(meeting, plan->agents);
    if (!met) return -1;
    for (int i = 0; i < plan->agents; i++)
        if (chosen[i]) agent[count++] = i;
    for (int i = 0; i < plan->agents; i++)
        if (!chosen[i]) met[others++] = (meeting){count_meetings(plan, i, agent, count, makespan), i};
    qsort(met, (size_t)others, sizeof *met, by_times);
    for (int i = 0; i < company && i < others; i++) agent[count++] = met[i].agent;
    free(met);
    return count;
}

static bool copy_path(dl_path *to, const dl_path *from)
{
    difflns_cell *at = DL_ARRAY(difflns_cell, from->length);
    if (!at) return false;
    memcpy(at, from->at, sizeof *at * (size_t)from->length);
    free(to->at);
    *to = (dl_path){at, from->length, from->length};
    return true;
}

static dl_status make_instance(dl_excerpt *e, const dl_instance *whole, int count)
{
    dl_task *task = DL_ARRAY(dl_task, count);
    if (!task) return DIFFLNS_OUT_OF_MEMORY;
    for (int i = 0; i < count; i++)
        task[i] = (dl_task){.start = dl_grid_position(whole->grid, whole->start[e->agent[i]]),
                            .goal = dl_grid_position(whole->grid, whole->goal[e->agent[i]])};
    dl_status status =
        dl_instance_create_on(whole->map, whole->map_name, whole->scen_name, count, task, &e->instance, NULL);
    free(task);
    return status;
}

dl_status dl_excerpt_begin(dl_excerpt *e, const dl_scene *whole, const dl_plan *plan, const bool *chosen, int company)
{
    *e = (dl_excerpt){.agent = DL_ARRAY(int32_t, plan->agents),
                      .chosen = DL_ARRAY(bool, plan->agents),
                      .taken = DL_ARRAY(bool, plan->agents)};
    int count = e->agent && e->chosen && e->taken ? list_agents(plan, chosen, company, e->agent) : -1;
    if (count < 0) return DIFFLNS_OUT_OF_MEMORY;
    DL_TRY(make_instance(e, whole->instance, count));
    e->scene = dl_scene_create(e->instance);
    e->plan = dl_plan_create(count);
    if (!e->scene || !e->plan) return DIFFLNS_OUT_OF_MEMORY;
    for (int i = 0; i < count; i++) {
        e->chosen[i] = chosen[e->agent[i]];
        e->taken[e->agent[i]] = true;
        if (!copy_path(&e->plan->path[i], &plan->path[e->agent[i]])) return DIFFLNS_OUT_OF_MEMORY;
    }
    return DIFFLNS_OK;
}

void dl_excerpt_end(dl_excerpt *e)
{
    dl_plan_free(e->plan);
    dl_scene_free(e->scene);
    dl_instance_free(e->instance);
    free(e->agent);
    free(e->chosen);
    free(e->taken);
    *e = (dl_excerpt){0};
}

dl_plan *dl_excerpt_insert(const dl_excerpt *e, const dl_plan *whole, const dl_plan *part)
{
    dl_plan *plan = dl_plan_copy(whole);
    for (int i = 0; plan && i < part->agents; i++) {
        if (!e->chosen[i] || copy_path(&plan->path[e->agent[i]], &part->path[i])) continue;
        dl_plan_free(plan);
        return NULL;
    }
    return plan;
}
