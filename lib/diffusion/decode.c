#include "diffusion/decode.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "diffusion/drawn_path.h"

dl_path_rule dl_path_rule_of(const dl_config *config)
{
    return (dl_path_rule){
        .choice = (dl_path_choice)config->decoding.path_choice,
        .costs = {(float)config->decoding.decode_step_cost, (float)config->diffusion.map_distance_cost,
                  (float)config->decoding.path_collision_cost},
        .sweeps = config->decoding.decode_sweeps,
    };
}

/* What is at hand while one plan is decoded. */
typedef struct decoding {
    const dl_scene *scene;
    int horizon, alphabet;
    const dl_path_rule *rule;
    dl_likeliest *planner;
    dl_crowd *crowd; /* NULL where collisions cost nothing */
    float *noisy;    /* [T*alphabet], of one agent; NULL unless noise is added */
    dl_cell *before; /* [T+1]: the path an agent had in the last sweep; NULL with a single one */
} decoding;

/* The largest of numbers with Gumbel noise is a draw by their exponentials. */
static const float *add_gumbel_noise(const decoding *d, const float *score, dl_rng *rng)
{
    for (int i = 0; i < d->horizon * d->alphabet; i++) {
        double exponential = 0x1p-60 - log1p(-dl_rng_unit(rng)); /* never 0 */
        d->noisy[i] = score[i] - (float)log(exponential);
    }
    return d->noisy;
}

static dl_status decode_agent(const decoding *d, int agent, const float *score, const dl_deadline *deadline,
                              dl_cell *cells)
{
    const dl_path_rule *rule = d->rule;
    dl_cell start = d->scene->instance->start[agent], goal = d->scene->instance->goal[agent];
    dl_rng rng = dl_rng_stream(rule->seed, DL_PURPOSE('p', 'a', 't', 'h'), rule->stream + (uint64_t)agent);
    const dl_field *distance = dl_distance_acquire(d->scene->distance, agent);
    if (!distance) return dl_scene_without_field(d->scene);
    bool done;
    if (rule->choice == DL_PATH_DRAWN) {
        done = dl_drawn_path(d->planner, distance, start, goal, d->horizon, score, d->alphabet, rule->costs, d->crowd,
                             &rng, cells);
    } else {
        if (rule->choice == DL_PATH_GUMBEL) score = add_gumbel_noise(d, score, &rng);
        dl_likeliest_until(d->planner, deadline);
        done = dl_likeliest_path(d->planner, distance, start, goal, d->horizon, score, d->alphabet, rule->costs,
                                 d->crowd, cells) > -INFINITY;
        dl_likeliest_until(d->planner, NULL);
    }
    dl_distance_release(d->scene->distance, agent);
    if (done) return DIFFLNS_OK;
    return dl_is_late(deadline) ? DIFFLNS_STOPPED : DIFFLNS_OUT_OF_MEMORY;
}

/* Everybody in turn. *moved: in a later sweep somebody's path has changed. */
static dl_status sweep(const decoding *d, const float *log_probability, const int32_t *order, const bool *fixed,
                       const dl_deadline *deadline, bool again, dl_cell *cells, bool *moved)
{
    int agents = d->scene->instance->agents;
    size_t length = (size_t)d->horizon + 1, block = (size_t)d->horizon * (size_t)d->alphabet;
    *moved = false;
    for (int i = 0; i < agents; i++) {
        int agent = order ? order[i] : i;
        dl_cell *path = cells + (size_t)agent * length;
        if (fixed && fixed[agent]) continue;
        if (dl_is_late(deadline)) return DIFFLNS_STOPPED;
        if (again) {
            memcpy(d->before, path, sizeof *path * length);
            dl_crowd_remove(d->crowd, d->planner, path);
        }
        DL_TRY(decode_agent(d, agent, log_probability + (size_t)agent * block, deadline, path));
        if (d->crowd) dl_crowd_add(d->crowd, d->planner, path);
        *moved = *moved || (again && memcmp(d->before, path, sizeof *path * length) != 0);
    }
    return DIFFLNS_OK;
}

static dl_status decode_all(const decoding *d, const float *log_probability, const int32_t *order, const bool *fixed,
                            const dl_deadline *deadline, dl_cell *cells)
{
    bool moved;
    for (int agent = 0; d->crowd && fixed && agent < d->scene->instance->agents; agent++)
        if (fixed[agent]) dl_crowd_add(d->crowd, d->planner, cells + (size_t)agent * (size_t)(d->horizon + 1));
    DL_TRY(sweep(d, log_probability, order, fixed, deadline, false, cells, &moved));
    moved = d->before;
    dl_status status = DIFFLNS_OK;
    for (int number = 1; moved && status == DIFFLNS_OK && number < d->rule->sweeps; number++)
        status = sweep(d, log_probability, order, fixed, deadline, true, cells, &moved);
    return status == DIFFLNS_STOPPED ? DIFFLNS_OK : status; /* everybody has had a path since the first */
}

/* Those who are in the way before anybody is decoded. */
static dl_crowd *gather(const dl_likeliest *planner, const dl_crowd *others, int horizon)
{
    return others ? dl_crowd_copy(others) : dl_crowd_create(planner, horizon);
}

dl_status dl_decode_paths(const dl_scene *scene, int horizon, const float *log_probability, int alphabet,
                          const dl_path_rule *rule, const int32_t *order, const bool *fixed, dl_likeliest *planner,
                          const dl_deadline *deadline, dl_cell *cells)
{
    bool crowded = rule->costs.collision > 0, noisy = rule->choice == DL_PATH_GUMBEL;
    bool again = crowded && rule->sweeps > 1;
    decoding d = {.scene = scene,
                  .horizon = horizon,
                  .alphabet = alphabet,
                  .rule = rule,
                  .planner = planner,
                  .crowd = crowded ? gather(planner, rule->others, horizon) : NULL,
                  .noisy = noisy ? DL_ARRAY(float, (size_t)horizon *(size_t)alphabet) : NULL,
                  .before = again ? DL_ARRAY(dl_cell, (size_t)horizon + 1) : NULL};
    bool room = (d.crowd || !crowded) && (d.noisy || !noisy) && (d.before || !again);
    dl_status status = room ? decode_all(&d, log_probability, order, fixed, deadline, cells) : DIFFLNS_OUT_OF_MEMORY;
    dl_crowd_free(d.crowd);
    free(d.noisy);
    free(d.before);
    return status;
}
