#include "diffusion/denoising.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "diffusion/inputs.h"
#include "diffusion/posterior.h"
#include "diffusion/tokens.h"

/* One stream per (number, step, agent), read along time; what else is random takes numbers of steps that do not exist.
 */
enum { NOISE = 1, ORDER = 2 };

static uint64_t stream_number(const dl_denoising *d, int step)
{
    return d->number << 32 | (uint64_t)step << 16;
}

static dl_rng stream(const dl_denoising *d, int step, int agent)
{
    return dl_rng_stream(d->seed, DL_PURPOSE('d', 'r', 'f', 't'), stream_number(d, step) | (uint64_t)agent);
}

bool dl_denoising_begin(dl_denoising *d, const dl_model *model, const dl_scene *scene, int horizon, uint64_t seed,
                        uint64_t number)
{
    int agents = scene->instance->agents;
    assert(agents > 0 && horizon > 0);
    *d = (dl_denoising){.model = model,
                        .scene = scene,
                        .seed = seed,
                        .number = number,
                        .temperature = 1,
                        .horizon = horizon,
                        .threads = 1,
                        .tokens = (size_t)agents * (size_t)horizon,
                        .planner = dl_likeliest_create(scene->instance->grid),
                        .order = DL_ARRAY(int32_t, agents)};
    d->token = DL_ARRAY(uint8_t, d->tokens);
    d->estimate = DL_ARRAY(real, d->tokens * DL_ACTIONS);
    d->log_probability = DL_ARRAY(float, d->tokens *DL_ACTIONS);
    d->cells = DL_ARRAY(dl_cell, d->tokens + (size_t)agents);
    return d->planner && d->order && d->token && d->estimate && d->log_probability && d->cells;
}

void dl_denoising_end(dl_denoising *d)
{
    dl_likeliest_free(d->planner);
    dl_arena_free(&d->arena);
    free(d->token);
    free(d->estimate);
    free(d->log_probability);
    free(d->cells);
    free(d->order);
    *d = (dl_denoising){0};
}

void dl_denoising_draw_noise(dl_denoising *d)
{
    for (int agent = 0; agent < d->scene->instance->agents; agent++) {
        dl_rng rng = stream(d, d->model->schedule->steps + NOISE, agent);
        uint8_t *row = d->token + (size_t)agent * (size_t)d->horizon;
        for (int t = 0; t < d->horizon; t++) row[t] = (uint8_t)dl_rng_below(&rng, DL_ACTIONS);
    }
}

/* Log-probabilities and probabilities from logits, in place of the estimate. */
static void normalize(dl_denoising *d)
{
    float sharpness = (float)(1 / d->temperature);
    for (size_t i = 0; i < d->tokens; i++) {
        float *logit = d->log_probability + i * DL_ACTIONS, top = logit[0];
        real *p = d->estimate + i * DL_ACTIONS;
        for (int a = 1; a < DL_ACTIONS; a++) top = logit[a] > top ? logit[a] : top;
        float sum = expf(logit[0] = (logit[0] - top) * sharpness);
        for (int a = 1; a < DL_ACTIONS; a++) sum += expf(logit[a] = (logit[a] - top) * sharpness);
        float shift = logf(sum);
        for (int a = 0; a < DL_ACTIONS; a++) p[a] = expf(logit[a] -= shift);
    }
}

dl_status dl_denoising_estimate(dl_denoising *d, int k, const dl_deadline *deadline)
{
    assert(k >= 1 && k <= d->model->schedule->steps);
    double begin = dl_now();
    dl_arena_reset(&d->arena);
    dl_noisy_plan x = {.config = &d->model->config,
                       .schedule = d->model->schedule,
                       .scene = d->scene,
                       .horizon = d->horizon,
                       .k = k,
                       .token = d->token};
    dl_denoiser_input input = dl_inputs_build(&x, d->planner, deadline, &d->arena);
    d->reading_seconds = dl_now() - begin;
    dl_status status = dl_denoiser_infer_together(d->model->net, d->model->parameters, &input, d->log_probability,
                                                  &d->arena, d->threads);
    if (status != DIFFLNS_OK) return status;
    normalize(d);
    d->estimated = true;
    return DIFFLNS_OK;
}

void dl_denoising_draw_tokens(dl_denoising *d, int k, int j)
{
    assert(d->estimated);
    dl_reverse_step step = dl_reverse_step_between(d->model->schedule, k, j);
    for (int agent = 0; agent < d->scene->instance->agents; agent++) {
        dl_rng rng = stream(d, j, agent);
        for (int t = 0; t < d->horizon; t++) {
            size_t i = (size_t)agent * (size_t)d->horizon + (size_t)t;
            double clean[DL_ACTIONS], p[DL_ACTIONS];
            for (int a = 0; a < DL_ACTIONS; a++) clean[a] = d->estimate[i * DL_ACTIONS + (size_t)a];
            dl_reverse_probabilities(&step, d->token[i], clean, p);
            d->token[i] = (uint8_t)dl_token_at(p, DL_ACTIONS, dl_rng_unit(&rng));
        }
    }
}

void dl_denoising_take_likeliest(dl_denoising *d)
{
    for (size_t i = 0; i < d->tokens; i++) {
        const real *p = d->estimate + i * DL_ACTIONS;
        int best = 0;
        for (int a = 1; a < DL_ACTIONS; a++)
            if (p[a] > p[best]) best = a;
        d->token[i] = (uint8_t)best;
    }
}

dl_status dl_denoising_decode(dl_denoising *d, const dl_path_rule *rule, int j, const dl_deadline *deadline)
{
    assert(d->estimated);
    int agents = d->scene->instance->agents;
    dl_rng rng = stream(d, d->model->schedule->steps + ORDER + j, 0);
    for (int i = 0; i < agents; i++) d->order[i] = i;
    dl_rng_shuffle(&rng, d->order, agents);
    return dl_decode_paths(d->scene, d->horizon, d->log_probability, rule, d->order, d->planner, deadline, d->cells);
}

void dl_denoising_encode(dl_denoising *d)
{
    for (int agent = 0; agent < d->scene->instance->agents; agent++)
        dl_tokens_encode(d->scene->instance->grid, d->cells + (size_t)agent * (size_t)(d->horizon + 1), d->horizon,
                         d->token + (size_t)agent * (size_t)d->horizon);
}

void dl_denoising_corrupt(dl_denoising *d, int j)
{
    for (int agent = 0; agent < d->scene->instance->agents; agent++) {
        dl_rng rng = stream(d, j, agent);
        uint8_t *row = d->token + (size_t)agent * (size_t)d->horizon;
        dl_corrupt(d->model->schedule, j, row, (size_t)d->horizon, &rng, row);
    }
}
