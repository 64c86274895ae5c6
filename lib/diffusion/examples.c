#include "diffusion/examples.h"

#include <omp.h>
#include <stdlib.h>

#include "base/memory.h"
#include "diffusion/demos.h"
#include "diffusion/tokens.h"

static void free_example(dl_example *example)
{
    free(example->blocked);
    free(example->start);
    free(example->goal);
    free(example->action);
    free(example->earlier);
}

/* [agents*makespan], with room for one more so that no plan is without memory. NULL when it is out. */
static uint8_t *read_actions(const dl_grid *grid, const dl_plan *plan)
{
    size_t length = (size_t)dl_plan_makespan(plan);
    uint8_t *action = DL_ARRAY(uint8_t, (size_t)plan->agents * length + 1);
    for (int agent = 0; action && agent < plan->agents; agent++)
        for (size_t t = 0; t < length; t++) {
            const dl_path *path = &plan->path[agent];
            difflns_cell from = dl_path_at(path, (int)t), to = dl_path_at(path, (int)t + 1);
            action[(size_t)agent * length + t] = (uint8_t)dl_action_between(
                grid, dl_grid_cell(grid, from.row, from.col), dl_grid_cell(grid, to.row, to.col));
        }
    return action;
}

/* False when memory is out: nothing is left to free. */
static bool make_example(const dl_instance *instance, const dl_plan *plan, const dl_plan *earlier, dl_example *out)
{
    const dl_grid *grid = instance->grid;
    size_t area = (size_t)grid->height * (size_t)grid->width;
    dl_example example = {.height = grid->height,
                          .width = grid->width,
                          .blocked = DL_ARRAY(uint8_t, area),
                          .agents = instance->agents,
                          .start = DL_ARRAY(int32_t, instance->agents),
                          .goal = DL_ARRAY(int32_t, instance->agents),
                          .length = dl_plan_makespan(plan),
                          .action = read_actions(grid, plan),
                          .earlier_length = earlier ? dl_plan_makespan(earlier) : 0,
                          .earlier = earlier ? read_actions(grid, earlier) : NULL};
    if (!example.blocked || !example.start || !example.goal || !example.action || (earlier && !example.earlier)) {
        free_example(&example);
        return false;
    }
    for (size_t i = 0; i < area; i++) example.blocked[i] = grid->blocked[i];
    for (int agent = 0; agent < instance->agents; agent++) {
        example.start[agent] = grid->where[instance->start[agent]];
        example.goal[agent] = grid->where[instance->goal[agent]];
    }
    *out = example;
    return true;
}

bool dl_examples_add(dl_examples *examples, const dl_instance *instance, const dl_plan *plan, const dl_plan *earlier)
{
    if (!DL_GROW(examples->at, examples->capacity, examples->count + 1)) return false;
    if (!make_example(instance, plan, earlier, &examples->at[examples->count])) return false;
    examples->count++;
    return true;
}

dl_status dl_examples_load(dl_examples *examples, const char *path, int threads, dl_error *err)
{
    dl_demos *demos;
    DL_TRY(dl_demos_open(path, &demos, err));
    int count = (int)dl_demos_count(demos);
    if (!DL_GROW(examples->at, examples->capacity, examples->count + count)) {
        dl_demos_close(demos);
        return dl_out_of_memory(err);
    }
    dl_example *fresh = examples->at + examples->count;
    for (int i = 0; i < count; i++) fresh[i] = (dl_example){0};
    dl_status status = DIFFLNS_OK;
#pragma omp parallel for schedule(dynamic, 16) num_threads(threads > 0 ? threads : omp_get_max_threads())
    for (int i = 0; i < count; i++) {
        dl_demo demo;
        dl_error trouble;
        if (dl_demos_read(demos, i, &demo, &trouble) == DIFFLNS_OK) {
            bool room = make_example(demo.instance, demo.plan, demo.earlier, &fresh[i]);
            dl_demo_release(&demo);
            if (room) continue;
            dl_out_of_memory(&trouble);
        }
#pragma omp critical(examples_load)
        if (status == DIFFLNS_OK) status = dl_fail(err, trouble.status, "%s", trouble.message);
    }
    dl_demos_close(demos);
    if (status == DIFFLNS_OK)
        examples->count += count;
    else
        for (int i = 0; i < count; i++) free_example(&fresh[i]);
    return status;
}

void dl_examples_free(dl_examples *examples)
{
    for (int i = 0; i < examples->count; i++) free_example(&examples->at[i]);
    free(examples->at);
    *examples = (dl_examples){0};
}

enum { MIRROR_COLUMNS = 1, MIRROR_ROWS = 2, EXCHANGE = 4 };

static difflns_cell seen(const dl_example *example, int symmetry, int32_t square)
{
    int row = square / example->width, col = square % example->width;
    if (symmetry & MIRROR_COLUMNS) col = example->width - 1 - col;
    if (symmetry & MIRROR_ROWS) row = example->height - 1 - row;
    return symmetry & EXCHANGE ? (difflns_cell){col, row} : (difflns_cell){row, col};
}

static int32_t step(const dl_example *example, int32_t square, int action)
{
    const int32_t offset[DL_ACTIONS] = {0, -example->width, example->width, -1, 1};
    return square + offset[action];
}

/* Where an agent is at `time` on the map as it was given. */
static int32_t square_at(const dl_example *example, int agent, int time)
{
    int32_t square = example->start[agent];
    for (int t = 0; t < time && t < example->length; t++)
        square = step(example, square, example->action[(size_t)agent * (size_t)example->length + (size_t)t]);
    return square;
}

dl_instance *dl_example_instance(const dl_example *example, dl_example_view view)
{
    bool exchange = view.symmetry & EXCHANGE;
    int height = exchange ? example->width : example->height, width = exchange ? example->height : example->width;
    uint8_t *blocked = DL_ARRAY(uint8_t, height * width);
    dl_task *tasks = DL_ARRAY(dl_task, example->agents);
    dl_grid *grid = NULL;
    dl_instance *instance = NULL;
    for (int i = 0; blocked && i < height * width; i++) {
        difflns_cell at = seen(example, view.symmetry, i);
        blocked[at.row * width + at.col] = example->blocked[i];
    }
    for (int agent = 0; tasks && agent < example->agents; agent++)
        tasks[agent] = (dl_task){.start = seen(example, view.symmetry, square_at(example, agent, view.first)),
                                 .goal = seen(example, view.symmetry, example->goal[agent])};
    /* A valid plan never has two agents on one cell, so neither call can refuse but for want of memory. */
    if (blocked && tasks && dl_grid_create(height, width, blocked, &grid, NULL) == DIFFLNS_OK &&
        dl_instance_create(grid, "example.map", "example", example->agents, tasks, &instance, NULL) != DIFFLNS_OK)
        instance = NULL;
    free(blocked);
    free(tasks);
    return instance;
}

void dl_example_cells(const dl_example *example, dl_example_view view, const dl_instance *instance, int horizon,
                      dl_cell *cells)
{
    const uint8_t *action = view.earlier ? example->earlier : example->action;
    int length = view.earlier ? example->earlier_length : example->length;
    for (int agent = 0; agent < example->agents; agent++) {
        int32_t square = square_at(example, agent, view.first);
        for (int t = 0; t <= horizon; t++) {
            difflns_cell at = seen(example, view.symmetry, square);
            cells[(size_t)agent * (size_t)(horizon + 1) + (size_t)t] = dl_grid_cell(instance->grid, at.row, at.col);
            int time = view.first + t;
            if (time < length) square = step(example, square, action[(size_t)agent * (size_t)length + (size_t)time]);
        }
    }
}
