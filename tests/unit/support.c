#include "support.h"

#include "base/memory.h"
#include "formats/load.h"
#include "generate/generate.h"

dl_grid *test_grid(const char *rows)
{
    int width = (int)strcspn(rows, "/"), height = 1;
    for (const char *c = rows; *c; c++) height += *c == '/';
    uint8_t *blocked = DL_ARRAY(uint8_t, height * width);
    int i = 0;
    for (const char *c = rows; *c; c++)
        if (*c != '/') blocked[i++] = *c == '@' || *c == '#';
    assert_int_equal(i, height * width);
    dl_grid *grid;
    dl_error err;
    assert_int_equal(dl_grid_create(height, width, blocked, &grid, &err), DIFFLNS_OK);
    free(blocked);
    return grid;
}

dl_instance *test_instance(const char *rows, int agents, const int tasks[][4])
{
    dl_task *list = DL_ARRAY(dl_task, agents);
    for (int i = 0; i < agents; i++)
        list[i] = (dl_task){.start = {tasks[i][0], tasks[i][1]}, .goal = {tasks[i][2], tasks[i][3]}};
    dl_instance *instance;
    dl_error err;
    if (dl_instance_create(test_grid(rows), "test.map", "test", agents, list, &instance, &err) != DIFFLNS_OK)
        fail_msg("%s", err.message);
    free(list);
    return instance;
}

dl_instance *test_random_instance(dl_rng *rng, int height, int width, double density, int agents)
{
    int area = height * width;
    uint8_t *blocked = DL_ARRAY(uint8_t, area);
    for (int i = 0; i < area; i++) blocked[i] = dl_rng_unit(rng) < density;
    dl_grid *grid;
    dl_error err;
    assert_int_equal(dl_grid_create(height, width, blocked, &grid, &err), DIFFLNS_OK);
    free(blocked);
    if (grid->cells < agents) {
        dl_grid_free(grid);
        return NULL;
    }
    /* Shuffling the goals inside each component keeps every pair connected. */
    int32_t *start = DL_ARRAY(int32_t, grid->cells), *goal = DL_ARRAY(int32_t, grid->cells);
    for (int i = 0; i < grid->cells; i++) start[i] = goal[i] = i;
    dl_rng_shuffle(rng, start, grid->cells);
    dl_rng_shuffle(rng, goal, grid->cells);
    bool *taken = DL_ARRAY(bool, grid->cells);
    dl_task *tasks = DL_ARRAY(dl_task, agents);
    for (int i = 0; i < agents; i++) {
        int k = 0; /* a component has at least as many cells as starts drawn from it, so a goal is always left */
        while (taken[goal[k]] || grid->component[goal[k]] != grid->component[start[i]]) k++;
        taken[goal[k]] = true;
        tasks[i] = (dl_task){.start = dl_grid_position(grid, start[i]), .goal = dl_grid_position(grid, goal[k])};
    }
    dl_instance *instance;
    assert_int_equal(dl_instance_create(grid, "random.map", "random", agents, tasks, &instance, &err), DIFFLNS_OK);
    free(start);
    free(goal);
    free(taken);
    free(tasks);
    return instance;
}

dl_instance *test_preset_instance(const char *family, int agents, uint64_t seed)
{
    dl_generate_params params;
    dl_generator_scratch scratch = {0};
    dl_instance *instance;
    dl_error err;
    if (dl_generate_preset(family, &params, &err) != DIFFLNS_OK) fail_msg("%s", err.message);
    params.agents = agents;
    if (dl_generate(&params, seed, &scratch, &instance, &err) != DIFFLNS_OK) fail_msg("%s", err.message);
    dl_generator_scratch_free(&scratch);
    return instance;
}
