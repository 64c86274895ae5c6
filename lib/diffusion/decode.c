#include "diffusion/decode.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

dl_path_rule dl_path_rule_of(const dl_config *config)
{
    return (dl_path_rule){
        .costs = {(float)config->decoding.decode_step_cost, (float)config->diffusion.map_distance_cost,
                  (float)config->decoding.path_collision_cost},
        .sweeps = config->decoding.decode_sweeps,
    };
}

/* What is at hand while one plan is decoded. */
typedef struct decoding {
    const dl_scene *scene;
    int horizon;
    const dl_path_rule *rule;
    const float *log_probability;
    const int32_t *order;
    dl_likeliest *planner;
    dl_crowd *crowd; /* NULL where collisions cost nothing */
    dl_cell *before; /* [T+1]: the path an agent had in the last sweep; NULL with a single one */
} decoding;

static dl_status decode_agent(const decoding *d, int agent, const dl_deadline *deadline, dl_cell *cells)
{
    const dl_instance *instance = d->scene->instance;
    const float *score = d->log_probability + (size_t)agent * (size_t)d->horizon * DL_ACTIONS;
    const dl_field *distance = dl_distance_acquire(d->scene->distance, agent);
    if (!distance) return dl_scene_without_field(d->scene);
    cells[0] = instance->start[agent];
    dl_likeliest_until(d->planner, deadline);
    bool done = dl_likeliest_path(d->planner, distance, instance->goal[agent], d->horizon, score, d->rule->costs,
                                  d->crowd, cells) > -INFINITY;
    dl_likeliest_until(d->planner, NULL);
    dl_distance_release(d->scene->distance, agent);
    if (done) return DIFFLNS_OK;
    return dl_is_late(deadline) ? DIFFLNS_STOPPED : DIFFLNS_OUT_OF_MEMORY;
}

/* All agents in turn. *moved: in a later sweep, at least one path has changed. */
static dl_status sweep(const decoding *d, const dl_deadline *deadline, bool again, dl_cell *cells, bool *moved)
{
    int agents = d->scene->instance->agents;
    size_t length = (size_t)d->horizon + 1;
    *moved = false;
    for (int i = 0; i < agents; i++) {
        int agent = d->order ? d->order[i] : i;
        assert(agent >= 0 && agent < agents);
        dl_cell *path = cells + (size_t)agent * length;
        if (dl_is_late(deadline)) return DIFFLNS_STOPPED;
        if (again) {
            memcpy(d->before, path, sizeof *path * length);
            dl_crowd_remove(d->crowd, d->planner, path);
        }
        DL_TRY(decode_agent(d, agent, deadline, path));
        if (d->crowd) dl_crowd_add(d->crowd, d->planner, path);
        *moved = *moved || (again && memcmp(d->before, path, sizeof *path * length) != 0);
    }
    return DIFFLNS_OK;
}

static dl_status decode_all(const decoding *d, const dl_deadline *deadline, dl_cell *cells)
{
    bool moved;
    DL_TRY(sweep(d, deadline, false, cells, &moved));
    moved = d->before;
    dl_status status = DIFFLNS_OK;
    for (int number = 1; moved && status == DIFFLNS_OK && number < d->rule->sweeps; number++)
        status = sweep(d, deadline, true, cells, &moved);
    return status == DIFFLNS_STOPPED ? DIFFLNS_OK : status; /* every agent has had a path since the first */
}

dl_status dl_decode_paths(const dl_scene *scene, int horizon, const float *log_probability, const dl_path_rule *rule,
                          const int32_t *order, dl_likeliest *planner, const dl_deadline *deadline, dl_cell *cells)
{
    assert(horizon > 0 && rule->sweeps >= 1);
    bool crowded = rule->costs.collision > 0, again = crowded && rule->sweeps > 1;
    decoding d = {.scene = scene,
                  .horizon = horizon,
                  .rule = rule,
                  .log_probability = log_probability,
                  .order = order,
                  .planner = planner,
                  .crowd = crowded ? dl_crowd_create(planner, horizon) : NULL,
                  .before = again ? DL_ARRAY(dl_cell, (size_t)horizon + 1) : NULL};
    bool room = (d.crowd || !crowded) && (d.before || !again);
    dl_status status = room ? decode_all(&d, deadline, cells) : DIFFLNS_OUT_OF_MEMORY;
    dl_crowd_free(d.crowd);
    free(d.before);
    return status;
}
