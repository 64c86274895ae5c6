#include "lacam/stages.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "lacam/drive.h"
#include "mapf/check.h"

typedef struct stages {
    const dl_instance *instance;
    int agents;
    dl_plan *plan;    /* so far */
    dl_cell *at;      /* [agents]: where it ends */
    dl_cell *target;  /* [agents]: of the stage at hand */
    int32_t *visited; /* [agents]: stops so far */
    int32_t *owner;   /* [cells]: 1 + whose target it is, 0 = nobody's */
    dl_cell *queue;   /* [cells] */
    uint8_t *seen;    /* [cells] */
} stages;

static bool begin(stages *s)
{
    int cells = s->instance->grid->cells;
    s->at = DL_ARRAY(dl_cell, s->agents);
    s->target = DL_ARRAY(dl_cell, s->agents);
    s->visited = DL_ARRAY(int32_t, s->agents);
    s->owner = DL_ARRAY(int32_t, cells);
    s->queue = DL_ARRAY(dl_cell, cells);
    s->seen = DL_ARRAY(uint8_t, cells);
    return s->at && s->target && s->visited && s->owner && s->queue && s->seen;
}

static void end(stages *s)
{
    dl_plan_free(s->plan);
    free(s->at);
    free(s->target);
    free(s->visited);
    free(s->owner);
    free(s->queue);
    free(s->seen);
}

static int stops_left(const stages *s, int agent)
{
    return dl_instance_stops(s->instance, agent) - s->visited[agent];
}

static dl_cell next_stop(const stages *s, int agent)
{
    return s->instance->errand[agent].stop[s->visited[agent]];
}

/* Appends `steps` steps of a plan that begins where the one so far ends. False when memory is out. */
static bool append(stages *s, const dl_plan *plan, int steps)
{
    const dl_grid *grid = s->instance->grid;
    for (int agent = 0; agent < s->agents; agent++) {
        for (int t = 1; t <= steps; t++) {
            difflns_cell at = dl_path_at(&plan->path[agent], t);
            if (!dl_path_append(&s->plan->path[agent], at)) return false;
            s->at[agent] = dl_grid_cell(grid, at.row, at.col);
            if (s->instance->errand)
                s->visited[agent] = dl_errand_visit(&s->instance->errand[agent], s->visited[agent], s->at[agent]);
        }
    }
    return true;
}

/* A plan of no steps. */
static bool set_out(stages *s)
{
    s->plan = dl_plan_create(s->agents);
    for (int agent = 0; s->plan && agent < s->agents; agent++) {
        s->at[agent] = s->instance->start[agent];
        if (!dl_path_append(&s->plan->path[agent], dl_grid_position(s->instance->grid, s->at[agent]))) return false;
        if (s->instance->errand) s->visited[agent] = dl_errand_visit(&s->instance->errand[agent], 0, s->at[agent]);
    }
    return s->plan != NULL;
}

static void claim(stages *s, int agent, dl_cell cell)
{
    s->target[agent] = cell;
    s->owner[cell] = agent + 1;
}

/* The nearest cell that is nobody's target; there are no more agents than cells. */
static dl_cell nearest_unclaimed(stages *s, dl_cell from)
{
    const dl_grid *grid = s->instance->grid;
    int head = 0, tail = 0;
    memset(s->seen, 0, (size_t)grid->cells);
    s->queue[tail++] = from;
    s->seen[from] = 1;
    for (; head < tail; head++) {
        dl_cell cell = s->queue[head];
        if (s->owner[cell] == 0) return cell;
        for (int d = 0; d < DL_DIRECTIONS; d++) {
            dl_cell next = grid->neighbor[cell][d];
            if (next == DL_NO_CELL || s->seen[next]) continue;
            s->seen[next] = 1;
            s->queue[tail++] = next;
        }
    }
    return from;
}

/* Everybody's next goal where nobody has claimed it, or `only` that of one agent (-1: everybody's). The others stay as
 * near as they can, or go to their last goal if `home`. Returns how many have a stop to visit. */
static int choose_targets(stages *s, int only, bool home)
{
    int stops = 0;
    memset(s->owner, 0, sizeof *s->owner * (size_t)s->instance->grid->cells);
    for (int agent = 0; agent < s->agents; agent++) {
        s->target[agent] = DL_NO_CELL;
        if (stops_left(s, agent) == 0 || (only >= 0 && agent != only)) continue;
        if (s->owner[next_stop(s, agent)]) continue;
        claim(s, agent, next_stop(s, agent));
        stops++;
    }
    for (int agent = 0; agent < s->agents; agent++) {
        dl_cell goal = s->instance->goal[agent];
        if (s->target[agent] == DL_NO_CELL && home && stops_left(s, agent) == 0 && !s->owner[goal])
            claim(s, agent, goal);
    }
    for (int agent = 0; agent < s->agents; agent++)
        if (s->target[agent] == DL_NO_CELL && !s->owner[s->at[agent]]) claim(s, agent, s->at[agent]);
    for (int agent = 0; agent < s->agents; agent++)
        if (s->target[agent] == DL_NO_CELL) claim(s, agent, nearest_unclaimed(s, s->at[agent]));
    return stops;
}

/* From where everybody is to the targets. */
static dl_status solve_stage(stages *s, dl_window_solver *solver, void *user, dl_deadline deadline, dl_error *err)
{
    dl_instance stage = *s->instance;
    dl_plan *plan;
    stage.start = s->at;
    stage.goal = s->target;
    stage.errand = NULL;
    dl_status status = solver(user, &stage, deadline, &plan);
    if (status != DIFFLNS_OK) return dl_fail(err, status, "a stage of the errands was not solved");
    bool fits = append(s, plan, dl_plan_makespan(plan));
    dl_plan_free(plan);
    return fits ? DIFFLNS_OK : dl_out_of_memory(err);
}

/* All next goals at once, or one alone where that can't be solved: exchanging everybody may be impossible where one
 * visit is not. */
static dl_status visit_stops(stages *s, dl_window_solver *solver, void *user, dl_deadline deadline, dl_error *err)
{
    for (int attempt = 0; attempt < 2; attempt++) {
        choose_targets(s, -1, attempt == 0);
        dl_status status = solve_stage(s, solver, user, deadline, err);
        if (status == DIFFLNS_OK || status == DIFFLNS_OUT_OF_MEMORY) return status;
    }
    for (int agent = 0; agent < s->agents; agent++) {
        if (stops_left(s, agent) == 0) continue;
        choose_targets(s, agent, false);
        dl_status status = solve_stage(s, solver, user, deadline, err);
        if (status == DIFFLNS_OK || status == DIFFLNS_OUT_OF_MEMORY) return status;
    }
    return dl_fail(err, DIFFLNS_UNSOLVED, "no way was found to the next goals");
}

static bool has_stops(const stages *s)
{
    for (int agent = 0; agent < s->agents; agent++)
        if (stops_left(s, agent) > 0) return true;
    return false;
}

static dl_status run(stages *s, uint64_t seed, dl_window_solver *solver, void *user, dl_deadline deadline,
                     dl_error *err)
{
    int fixed = dl_instance_longest_prefix(s->instance);
    if (!set_out(s)) return dl_out_of_memory(err);
    if (fixed > 0) {
        dl_plan *driven;
        DL_TRY(dl_drive(s->instance, seed, deadline, &driven, err));
        bool fits = append(s, driven, fixed);
        dl_plan_free(driven);
        if (!fits) return dl_out_of_memory(err);
    }
    while (has_stops(s)) DL_TRY(visit_stops(s, solver, user, deadline, err));
    memcpy(s->target, s->instance->goal, sizeof *s->target * (size_t)s->agents);
    return solve_stage(s, solver, user, deadline, err);
}

dl_status dl_stages_solve(const dl_instance *instance, uint64_t seed, dl_window_solver *solver, void *user,
                          dl_deadline deadline, dl_plan **out, dl_error *err)
{
    stages s = {.instance = instance, .agents = instance->agents};
    *out = NULL;
    dl_status status = begin(&s) ? run(&s, seed, solver, user, deadline, err) : dl_out_of_memory(err);
    if (status == DIFFLNS_OK) {
        dl_check_result check;
        dl_plan_trim(s.plan);
        if (!dl_check(instance, s.plan, &check, NULL, 0, NULL))
            status = dl_out_of_memory(err);
        else if (check.violations > 0)
            status = dl_fail(err, DIFFLNS_INTERNAL, "a plan made in stages did not pass the checker");
    }
    if (status == DIFFLNS_OK) {
        *out = s.plan;
        s.plan = NULL;
    }
    end(&s);
    return status;
}
