#include "solver/solving.h"

/* Where iterations are limited, when a plan was found is chance: the improving thread counts there. */
static void note(dl_solving *s, int64_t soc)
{
    s->best_soc = soc;
    if (!s->repeatable) dl_stop_rule_note(&s->rule, dl_now() - s->began, soc);
}

bool dl_best_publish(dl_solving *s, const dl_track *track, int64_t soc)
{
    for (int agent = 0; agent < s->instance->agents; agent++)
        if (!dl_track_reserve(&s->best[agent], track[agent].cost)) return false;
    for (int agent = 0; agent < s->instance->agents; agent++)
        if (!dl_track_copy(&s->best[agent], &track[agent])) return false; /* there is room */
    note(s, soc);
    return true;
}

void dl_best_take(dl_worker *w, int64_t soc)
{
    dl_solving *s = w->s;
    dl_planner *p = w->planner;
    if (dl_best_publish(s, p->track, soc)) return;
    for (int agent = 0; agent < s->instance->agents; agent++) {
        dl_planner_remove(p, agent);
        dl_track given = p->track[agent];
        p->track[agent] = s->best[agent];
        s->best[agent] = given;
    }
    p->exhausted = true;
    note(s, soc);
}

bool dl_best_adopt(const dl_solving *s, dl_planner *p, const dl_deadline *deadline)
{
    const dl_track *best = s->best;
    for (int agent = 0; agent < s->instance->agents; agent++) {
        if (dl_deadline_passed(deadline)) return false;
        if (p->in_table[agent] && dl_track_equal(&p->track[agent], &best[agent])) continue;
        if (p->in_table[agent]) dl_planner_remove(p, agent);
        if (!dl_track_copy(&p->track[agent], &best[agent]) || !dl_planner_insert(p, agent)) return false;
    }
    return true;
}

int dl_best_makespan(const dl_solving *s)
{
    int makespan = 0;
    for (int agent = 0; agent < s->instance->agents; agent++)
        if (s->best[agent].cost > makespan) makespan = s->best[agent].cost;
    return makespan;
}

bool dl_best_read(dl_solving *s, const dl_plan *plan)
{
    for (int agent = 0; agent < plan->agents; agent++) {
        const dl_path *path = &plan->path[agent];
        dl_track *track = &s->best[agent];
        if (!dl_track_reserve(track, dl_path_cost(path))) return false;
        track->cost = dl_path_cost(path);
        for (int t = 0; t <= track->cost; t++)
            track->at[t] = dl_grid_cell(s->instance->grid, path->at[t].row, path->at[t].col);
    }
    note(s, dl_plan_soc(plan));
    return true;
}

dl_plan *dl_best_write(const dl_solving *s)
{
    dl_plan *plan = dl_plan_create(s->instance->agents);
    for (int agent = 0; plan && agent < s->instance->agents; agent++) {
        if (dl_plan_set(plan, s->instance->grid, agent, s->best[agent].at, s->best[agent].cost + 1)) continue;
        dl_plan_free(plan);
        return NULL;
    }
    return plan;
}
