#include "support_plans.h"

#include "base/memory.h"
#include "lacam/lacam.h"

/* The same paths between starts and goals that are their ends. */
static dl_instance *instance_of(dl_grid *grid, const dl_plan *plan)
{
    dl_task *tasks = DL_ARRAY(dl_task, plan->agents);
    for (int i = 0; i < plan->agents; i++)
        tasks[i] = (dl_task){.start = plan->path[i].at[0], .goal = plan->path[i].at[plan->path[i].length - 1]};
    dl_instance *instance;
    dl_error err;
    if (dl_instance_create(grid, "walks.map", "walks", plan->agents, tasks, &instance, &err) != DIFFLNS_OK)
        fail_msg("%s", err.message);
    free(tasks);
    return instance;
}

dl_instance *test_walks(const char *rows, int agents, const test_walk *walks, dl_plan **plan)
{
    *plan = dl_plan_create(agents);
    for (int i = 0; i < agents; i++) {
        difflns_cell at = {walks[i].row, walks[i].col};
        assert_true(dl_path_append(&(*plan)->path[i], at));
        for (const char *move = walks[i].moves; *move; move++) {
            at.row += (*move == 'd') - (*move == 'u');
            at.col += (*move == 'r') - (*move == 'l');
            assert_true(dl_path_append(&(*plan)->path[i], at));
        }
    }
    return instance_of(test_grid(rows), *plan);
}

/* What all agents want, made legal: those in the way of the rest wait, until none are. */
static void settle(const dl_grid *grid, int agents, const dl_cell *at, dl_cell *to, int32_t *stands, int32_t *comes)
{
    for (dl_cell cell = 0; cell < grid->cells; cell++) stands[cell] = -1;
    for (int i = 0; i < agents; i++) stands[at[i]] = i;
    for (bool changed = true; changed;) {
        changed = false;
        for (dl_cell cell = 0; cell < grid->cells; cell++) comes[cell] = -1;
        for (int i = 0; i < agents; i++)
            if (to[i] == at[i]) comes[at[i]] = i;
        for (int i = 0; i < agents; i++) {
            if (to[i] == at[i]) continue;
            int other = stands[to[i]];
            if (comes[to[i]] < 0 && (other < 0 || to[other] != at[i])) {
                comes[to[i]] = i;
            } else {
                to[i] = at[i];
                changed = true;
            }
        }
    }
}

/* Four agents on the corners of a square want to turn, one way or the other. */
static void wish_a_rotation(dl_rng *rng, const dl_grid *grid, int agents, const dl_cell *at, dl_cell *to)
{
    int row = (int)dl_rng_below(rng, (uint32_t)grid->height - 1),
        col = (int)dl_rng_below(rng, (uint32_t)grid->width - 1);
    dl_cell corner[4] = {dl_grid_cell(grid, row, col), dl_grid_cell(grid, row, col + 1),
                         dl_grid_cell(grid, row + 1, col + 1), dl_grid_cell(grid, row + 1, col)};
    int way = dl_rng_below(rng, 2) ? 1 : 3;
    for (int i = 0; i < agents; i++)
        for (int k = 0; k < 4; k++)
            if (at[i] == corner[k] && corner[(k + way) % 4] != DL_NO_CELL) to[i] = corner[(k + way) % 4];
}

dl_instance *test_random_walks(dl_rng *rng, int height, int width, double density, int agents, int steps, double wait,
                               dl_plan **plan)
{
    *plan = NULL;
    dl_instance *begin = test_random_instance(rng, height, width, density, agents);
    if (!begin) return NULL;
    const dl_grid *grid = begin->grid;
    *plan = dl_plan_create(agents);
    dl_cell *at = DL_ARRAY(dl_cell, agents), *to = DL_ARRAY(dl_cell, agents);
    int32_t *stands = DL_ARRAY(int32_t, grid->cells), *comes = DL_ARRAY(int32_t, grid->cells);
    memcpy(at, begin->start, sizeof *at * (size_t)agents);
    for (int t = 0; t <= steps; t++) {
        for (int i = 0; i < agents; i++) assert_true(dl_path_append(&(*plan)->path[i], dl_grid_position(grid, at[i])));
        for (int i = 0; i < agents; i++) {
            dl_cell next = grid->neighbor[at[i]][dl_rng_below(rng, DL_DIRECTIONS)];
            to[i] = next == DL_NO_CELL || dl_rng_unit(rng) < wait ? at[i] : next;
        }
        if (height > 1 && width > 1 && dl_rng_below(rng, 2)) wish_a_rotation(rng, grid, agents, at, to);
        settle(grid, agents, at, to, stands, comes);
        memcpy(at, to, sizeof *at * (size_t)agents);
    }
    free(at);
    free(to);
    free(stands);
    free(comes);
    dl_grid *copy;
    dl_error err;
    assert_int_equal(dl_grid_create(height, width, grid->blocked, &copy, &err), DIFFLNS_OK);
    dl_instance_free(begin);
    return instance_of(copy, *plan);
}

dl_plan *test_solved_plan(const dl_instance *instance, uint64_t seed)
{
    dl_distance *distance = dl_distance_create(instance);
    dl_lacam_options options = dl_lacam_lean(seed);
    options.anytime = false;
    options.expansions = 20000;
    dl_lacam_result result;
    dl_error err;
    dl_lacam_solve(instance, distance, &options, dl_no_deadline(), &result, &err);
    dl_plan *plan = result.plan;
    result.plan = NULL;
    dl_lacam_result_release(&result);
    dl_distance_free(distance);
    return plan;
}

dl_plan *test_delayed_plan(const dl_plan *plan, int steps)
{
    dl_plan *delayed = dl_plan_create(plan->agents);
    for (int i = 0; i < plan->agents; i++)
        for (int t = -steps; t < plan->path[i].length; t++)
            assert_true(dl_path_append(&delayed->path[i], dl_path_at(&plan->path[i], t > 0 ? t : 0)));
    dl_plan_trim(delayed);
    return delayed;
}
