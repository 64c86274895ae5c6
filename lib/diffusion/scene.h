/* A scene: an instance as the network sees it. What does not change over diffusion steps is computed once. */
#ifndef DL_DIFFUSION_SCENE_H
#define DL_DIFFUSION_SCENE_H

#include "base/memory.h"
#include "mapf/distance.h"
#include "nn/real.h"

typedef struct dl_scene {
    const dl_instance *instance;
    dl_distance *distance;
    bool owns_distance;
    real *start, *goal; /* [agents*2], (row, column) */
    real *map;          /* [height*width*3]: obstacle, free, goal of any agent */
} dl_scene;

/* Keeps a reference to `instance`. Shared by threads once made. NULL when memory is out. */
DL_MUST_CHECK dl_scene *dl_scene_create(const dl_instance *instance);
/* The same with distances of the caller's, which must outlive it. */
DL_MUST_CHECK dl_scene *dl_scene_create_with(const dl_instance *instance, dl_distance *distance);
void dl_scene_free(dl_scene *scene);

/* Why a field of its distances could not be had: OUT_OF_MEMORY, or STOPPED. */
static inline dl_status dl_scene_without_field(const dl_scene *scene)
{
    return dl_distance_starved(scene->distance) ? DIFFLNS_OUT_OF_MEMORY : DIFFLNS_STOPPED;
}

#endif
