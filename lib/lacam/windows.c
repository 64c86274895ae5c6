#include "lacam/windows.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "lacam/lacam.h"
#include "mapf/check.h"

/* A plan as configurations: where everybody is at each time. */
typedef struct timeline {
    const dl_instance *instance;
    int first;        /* no window begins earlier */
    int steps;        /* the last time */
    dl_cell *at;      /* [steps + 1][agents] */
    int32_t *arrival; /* [agents]: the last arrival, which is what an agent costs */
} timeline;

static dl_cell *timeline_row(const timeline *line, int time)
{
    return line->at + (size_t)time * (size_t)line->instance->agents;
}

static void read_rows(const dl_grid *grid, const dl_plan *plan, int steps, dl_cell *at)
{
    for (int time = 0; time <= steps; time++)
        for (int agent = 0; agent < plan->agents; agent++) {
            difflns_cell cell = dl_path_at(&plan->path[agent], time);
            *at++ = dl_grid_cell(grid, cell.row, cell.col);
        }
}

static bool write_path(const timeline *line, int agent, dl_path *path)
{
    for (int time = 0; time <= line->steps; time++)
        if (!dl_path_append(path, dl_grid_position(line->instance->grid, timeline_row(line, time)[agent])))
            return false;
    return true;
}

/* NULL when memory is out. */
static dl_plan *write_plan(const timeline *line)
{
    int agents = line->instance->agents;
    dl_plan *plan = dl_plan_create(agents);
    if (!plan) return NULL;
    for (int agent = 0; agent < agents; agent++)
        if (!write_path(line, agent, &plan->path[agent])) {
            dl_plan_free(plan);
            return NULL;
        }
    dl_plan_trim(plan);
    return plan;
}

/* The agent's last arrival if `plan` takes the place of the steps from `time` to `time + width`. */
static int new_arrival(const timeline *line, int agent, int time, int width, const dl_plan *plan, int steps)
{
    if (line->arrival[agent] > time + width) return line->arrival[agent] - width + steps;
    int within = dl_path_cost(&plan->path[agent]);
    if (within > 0) return time + within;
    if (line->arrival[agent] <= time) return line->arrival[agent];
    int before = time; /* it moved to and fro in the window, and now stays */
    while (before > 0 && timeline_row(line, before - 1)[agent] == timeline_row(line, time)[agent]) before--;
    return before;
}

/* Puts `plan` in the place of the steps from `time` to `time + width`. */
static void timeline_splice(timeline *line, int time, int width, const dl_plan *plan, int steps)
{
    size_t agents = (size_t)line->instance->agents;
    for (int agent = 0; agent < plan->agents; agent++)
        line->arrival[agent] = new_arrival(line, agent, time, width, plan, steps);
    memmove(timeline_row(line, time + steps), timeline_row(line, time + width),
            sizeof(dl_cell) * agents * (size_t)(line->steps - time - width + 1));
    read_rows(line->instance->grid, plan, steps, timeline_row(line, time));
    line->steps -= width - steps;
    assert(line->steps >= line->first);
}

/* Tries one window; true if the plan became cheaper. */
static bool improve_window(timeline *line, const dl_windows_options *options, int time, int width, dl_deadline deadline)
{
    dl_instance window = *line->instance;
    window.start = timeline_row(line, time);
    window.goal = timeline_row(line, time + width);
    window.errand = NULL;
    dl_plan *plan;
    dl_deadline limit = dl_deadline_within(deadline, options->window_seconds);
    if (options->solver(options->user, &window, limit, &plan) != DIFFLNS_OK) return false;
    int steps = dl_plan_makespan(plan);
    int64_t gain = 0;
    for (int agent = 0; agent < plan->agents && steps <= width; agent++)
        gain += line->arrival[agent] - new_arrival(line, agent, time, width, plan, steps);
    bool cheaper = gain > 0 && dl_check_valid(&window, plan);
    assert(!cheaper || (steps <= width && plan->agents == line->instance->agents));
    if (cheaper) timeline_splice(line, time, width, plan, steps);
    dl_plan_free(plan);
    return cheaper;
}

/* One pass of windows of `width` steps, each beginning in the middle of the one before; returns how many got cheaper.
 */
static int windows_pass(timeline *line, const dl_windows_options *options, int width, dl_deadline deadline,
                        dl_windows_result *result)
{
    int before = result->improved;
    for (int time = line->first; time < line->steps && !dl_deadline_passed(&deadline);) {
        int wide = time + width > line->steps ? line->steps - time : width;
        result->tried++;
        result->improved += improve_window(line, options, time, wide, deadline);
        time += (wide + 1) / 2;
    }
    return result->improved - before;
}

void dl_windows_improve(const dl_instance *instance, const dl_windows_options *options, dl_deadline deadline,
                        dl_plan **plan, dl_windows_result *result)
{
    dl_windows_result own;
    if (!result) result = &own;
    *result = (dl_windows_result){.soc_before = dl_plan_soc(*plan)};
    result->soc_after = result->soc_before;
    /* A window knows of no stop on the way, nor of a prefix. */
    for (int agent = 0; agent < instance->agents; agent++)
        if (dl_instance_stops(instance, agent) > 0) return;
    timeline line = {
        .instance = instance, .first = dl_instance_longest_prefix(instance), .steps = dl_plan_makespan(*plan)};
    line.at = dl_malloc(sizeof(dl_cell) * (size_t)instance->agents * ((size_t)line.steps + 1));
    line.arrival = DL_ARRAY(int32_t, instance->agents);
    bool fits = line.at && line.arrival;
    if (fits) read_rows(instance->grid, *plan, line.steps, line.at);
    for (int agent = 0; agent < instance->agents && fits; agent++)
        line.arrival[agent] = dl_path_cost(&(*plan)->path[agent]);
    for (int width = options->width; fits && !dl_deadline_passed(&deadline); width *= 2) {
        int improved = windows_pass(&line, options, width, deadline, result);
        if (width >= line.steps && improved == 0) break;
    }
    bool worth_writing = result->improved > 0 && !dl_deadline_canceled(&deadline);
    dl_plan *shorter = worth_writing ? write_plan(&line) : NULL;
    free(line.at);
    free(line.arrival);
    result->soc_after = result->soc_before;
    if (!shorter) return;
    result->soc_after = dl_plan_soc(shorter);
    if (result->soc_after < result->soc_before && dl_check_valid(instance, shorter)) {
        dl_plan_free(*plan);
        *plan = shorter;
    } else {
        dl_plan_free(shorter);
        result->soc_after = result->soc_before;
    }
}

dl_status dl_window_by_lacam(void *user, const dl_instance *instance, dl_deadline deadline, dl_plan **out)
{
    dl_window_lacam *lacam = user;
    dl_lacam_options options = dl_lacam_lean(lacam->seed++);
    dl_lacam_result found;
    options.anytime = false;
    options.expansions = lacam->expansions;
    *out = NULL;
    dl_distance *distance = dl_distance_create(instance);
    if (!distance) return DIFFLNS_OUT_OF_MEMORY;
    dl_distance_until(distance, deadline);
    dl_status status = dl_lacam_solve(instance, distance, &options, deadline, &found, NULL);
    if (status == DIFFLNS_OK) { /* the plan goes to the caller */
        *out = found.plan;
        found.plan = NULL;
    }
    dl_lacam_result_release(&found);
    dl_distance_free(distance);
    return status;
}
