#include "diffusion/scene.h"

#include <stdlib.h>

#include "base/memory.h"

dl_scene *dl_scene_create(const dl_instance *instance)
{
    dl_scene *scene = dl_scene_create_with(instance, dl_distance_create(instance));
    scene->owns_distance = true;
    return scene;
}

dl_scene *dl_scene_create_with(const dl_instance *instance, dl_distance *distance)
{
    enum { OBSTACLE, FREE, GOAL, CHANNELS };
    const dl_grid *grid = instance->grid;
    dl_scene *scene = DL_NEW(dl_scene);
    scene->instance = instance;
    scene->distance = distance;
    scene->start = DL_ARRAY(real, 2 * instance->agents);
    scene->goal = DL_ARRAY(real, 2 * instance->agents);
    int area = grid->height * grid->width;
    scene->map = DL_ARRAY(real, CHANNELS * area);
    for (int i = 0; i < area; i++) scene->map[CHANNELS * i + (grid->blocked[i] ? OBSTACLE : FREE)] = 1;
    for (int agent = 0; agent < instance->agents; agent++) {
        difflns_cell start = dl_grid_position(grid, instance->start[agent]);
        difflns_cell goal = dl_grid_position(grid, instance->goal[agent]);
        scene->start[2 * agent] = (real)start.row;
        scene->start[2 * agent + 1] = (real)start.col;
        scene->goal[2 * agent] = (real)goal.row;
        scene->goal[2 * agent + 1] = (real)goal.col;
        scene->map[CHANNELS * grid->where[instance->goal[agent]] + GOAL] = 1;
    }
    return scene;
}

void dl_scene_free(dl_scene *scene)
{
    if (!scene) return;
    if (scene->owns_distance) dl_distance_free(scene->distance);
    free(scene->start);
    free(scene->goal);
    free(scene->map);
    free(scene);
}
