#include "live/live_page.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "memory/need.h"
#include "page/page.h"

/* Everybody's way as a path of a plan. */
static dl_plan *plan_of(const dl_grid *grid, const dl_live_run *run)
{
    dl_plan *plan = needed(dl_plan_create(run->robots));
    for (int64_t t = 0; t <= run->ticks; t++)
        for (int robot = 0; robot < run->robots; robot++) {
            dl_cell at = run->at[(size_t)t * (size_t)run->robots + (size_t)robot];
            need(dl_path_append(&plan->path[robot], dl_grid_position(grid, at)));
        }
    return plan;
}

/* Starts where the run began; its end takes the place of the goals. */
static dl_status instance_of(dl_map *map, const dl_live_run *run, const char *map_name, dl_instance **out,
                             dl_error *err)
{
    const dl_grid *grid = dl_map_grid(map);
    dl_task *tasks = needed(DL_ARRAY(dl_task, run->robots));
    const dl_cell *last = run->at + (size_t)run->ticks * (size_t)run->robots;
    for (int robot = 0; robot < run->robots; robot++)
        tasks[robot] =
            (dl_task){.start = dl_grid_position(grid, run->at[robot]), .goal = dl_grid_position(grid, last[robot])};
    dl_status status = dl_instance_create_on(map, map_name, "live", run->robots, tasks, out, err);
    free(tasks);
    return status;
}

dl_status dl_live_page_write(dl_map *map, const dl_live_run *run, const char *map_name, const char *path, dl_error *err)
{
    dl_instance *instance;
    DL_TRY(instance_of(map, run, map_name, &instance, err));
    dl_plan *plan = plan_of(instance->grid, run);
    dl_text note = {0};
    dl_text_print(&note, "%lld tasks in %lld ticks", (long long)run->reached, (long long)run->ticks);
    need(!note.cut);
    dl_page_task *tasks = needed(DL_ARRAY(dl_page_task, run->goals));
    for (int i = 0; i < run->goals; i++)
        tasks[i] = (dl_page_task){(int)run->goal[i].tick, run->goal[i].robot, run->goal[i].cell};
    dl_page_plan shown = {.plan = plan, .title = "Fleet", .note = note.data};
    dl_page page = {.instance = instance,
                    .layout = DL_PAGE_SIDE_BY_SIDE,
                    .count = 1,
                    .plans = &shown,
                    .task = tasks,
                    .tasks = run->goals};
    dl_status status = dl_page_write(&page, path, err);
    dl_text_free(&note);
    free(tasks);
    dl_plan_free(plan);
    dl_instance_free(instance);
    return status;
}
