#include "diffusion/examples.h"

#include <omp.h>
#include <stdlib.h>

#include "base/memory.h"
#include "diffusion/demos.h"
#include "diffusion/tokens.h"

static dl_example make_example(const dl_instance *instance, const dl_plan *plan)
{
    const dl_grid *grid = instance->grid;
    size_t area = (size_t)grid->height * (size_t)grid->width;
    dl_example example = {.height = grid->height,
                          .width = grid->width,
                          .blocked = DL_ARRAY(uint8_t, area),
                          .agents = instance->agents,
                          .length = dl_plan_makespan(plan),
                          .start = DL_ARRAY(int32_t, instance->agents),
                          .goal = DL_ARRAY(int32_t, instance->agents)};
    example.action = DL_ARRAY(uint8_t, (size_t)example.agents * (size_t)example.length + 1);
    for (size_t i = 0; i < area; i++) example.blocked[i] = grid->blocked[i];
    for (int agent = 0; agent < instance->agents; agent++) {
        example.start[agent] = grid->where[instance->start[agent]];
        example.goal[agent] = grid->where[instance->goal[agent]];
        for (int t = 0; t < example.length; t++) {
            difflns_cell from = dl_path_at(&plan->path[agent], t), to = dl_path_at(&plan->path[agent], t + 1);
            example.action[(size_t)agent * (size_t)example.length + (size_t)t] = (uint8_t)dl_action_between(
                grid, dl_grid_cell(grid, from.row, from.col), dl_grid_cell(grid, to.row, to.col));
        }
    }
    return example;
}

void dl_examples_add(dl_examples *examples, const dl_instance *instance, const dl_plan *plan)
{
    DL_OR_ABORT(DL_GROW(examples->at, examples->capacity, examples->count + 1));
    examples->at[examples->count++] = make_example(instance, plan);
}

static void free_example(dl_example *example)
{
    free(example->blocked);
    free(example->start);
    free(example->goal);
    free(example->action);
}

dl_status dl_examples_load(dl_examples *examples, const char *path, int threads, dl_error *err)
{
    dl_demos *demos;
    DL_TRY(dl_demos_open(path, &demos, err));
    int count = (int)dl_demos_count(demos);
    DL_OR_ABORT(DL_GROW(examples->at, examples->capacity, examples->count + count));
    dl_example *fresh = examples->at + examples->count;
    for (int i = 0; i < count; i++) fresh[i] = (dl_example){0};
    dl_status status = DIFFLNS_OK;
#pragma omp parallel for schedule(dynamic, 16) num_threads(threads > 0 ? threads : omp_get_max_threads())
    for (int i = 0; i < count; i++) {
        dl_demo demo;
        dl_error trouble;
        if (dl_demos_read(demos, i, &demo, &trouble) == DIFFLNS_OK) {
            fresh[i] = make_example(demo.instance, demo.plan);
            dl_demo_release(&demo);
            continue;
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
    for (int i = 0; i < height * width; i++) {
        difflns_cell at = seen(example, view.symmetry, i);
        blocked[at.row * width + at.col] = example->blocked[i];
    }
    dl_task *tasks = DL_ARRAY(dl_task, example->agents);
    for (int agent = 0; agent < example->agents; agent++)
        tasks[agent] = (dl_task){.start = seen(example, view.symmetry, square_at(example, agent, view.first)),
                                 .goal = seen(example, view.symmetry, example->goal[agent])};
    /* A valid plan never has two agents on one cell, so neither call can refuse. */
    dl_grid *grid;
    dl_instance *instance = NULL;
    dl_error err;
    if (dl_grid_create(height, width, blocked, &grid, &err) != DIFFLNS_OK ||
        dl_instance_create(grid, "example.map", "example", example->agents, tasks, &instance, &err) != DIFFLNS_OK)
        abort();
    free(blocked);
    free(tasks);
    return instance;
}

void dl_example_cells(const dl_example *example, dl_example_view view, const dl_instance *instance, int horizon,
                      dl_cell *cells)
{
    for (int agent = 0; agent < example->agents; agent++) {
        int32_t square = square_at(example, agent, view.first);
        for (int t = 0; t <= horizon; t++) {
            difflns_cell at = seen(example, view.symmetry, square);
            cells[(size_t)agent * (size_t)(horizon + 1) + (size_t)t] = dl_grid_cell(instance->grid, at.row, at.col);
            int time = view.first + t;
            if (time < example->length)
                square = step(example, square, example->action[(size_t)agent * (size_t)example->length + (size_t)time]);
        }
    }
}
