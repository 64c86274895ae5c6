#include "diffusion/gradient.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "diffusion/inputs.h"

/* Samples whose gradients are kept apart at a time: a multiple of any sensible number of threads, small enough that the
 * paper's network needs 100 MB for them. */
enum { WAVE = 16 };

struct dl_learner {
    const dl_model *model;
    int threads;
    dl_arena *arena;      /* [threads] */
    real *gradient[WAVE]; /* of one sample each; made on first use */
    dl_batch_sums sums[WAVE];
};

dl_learner *dl_learner_create(const dl_model *model, int threads)
{
    dl_learner *learner = DL_NEW(dl_learner);
    if (!learner) return NULL;
    learner->model = model;
    learner->threads = threads > 0 ? threads : omp_get_max_threads();
    learner->arena = DL_ARRAY(dl_arena, learner->threads);
    if (learner->arena) return learner;
    free(learner);
    return NULL;
}

void dl_learner_free(dl_learner *learner)
{
    if (!learner) return;
    for (int i = 0; i < learner->threads; i++) dl_arena_free(&learner->arena[i]);
    for (int i = 0; i < WAVE; i++) free(learner->gradient[i]);
    free(learner->arena);
    free(learner);
}

int dl_learner_threads(const dl_learner *learner)
{
    return learner->threads;
}

void dl_batch_sums_add(dl_batch_sums *to, const dl_batch_sums *from)
{
    double *a = (double *)to;
    const double *b = (const double *)from;
    for (size_t i = 0; i < sizeof *to / sizeof(double); i++) a[i] += b[i];
}

/* One sample, drawn already. False when memory is out. */
static bool learn_from_sample(const dl_model *model, const dl_sample *sample, dl_likeliest *planner,
                              const double weight[DL_LOSS_TERMS], real *gradient, dl_batch_sums *sums, dl_arena *arena)
{
    const dl_config *config = &model->config;
    dl_noisy_plan x = {.config = config,
                       .schedule = model->schedule,
                       .scene = sample->scene,
                       .horizon = sample->horizon,
                       .k = sample->k,
                       .token = sample->noisy};
    dl_denoiser_input input = dl_inputs_build(&x, planner, NULL, arena);
    dl_denoiser_pass *pass = dl_denoiser_forward(model->net, model->parameters, &input, arena);
    size_t tokens = (size_t)sample->instance->agents * (size_t)sample->horizon;
    size_t count = tokens * DL_ACTIONS;
    double *logits = DL_ARENA_ARRAY(arena, double, count), *by_logits = DL_ARENA_ARRAY(arena, double, count);
    real *logit_gradient = DL_ARENA_ARRAY(arena, real, count);
    if (!pass || !logits || !by_logits || !logit_gradient) return false;
    for (size_t i = 0; i < count; i++) logits[i] = dl_denoiser_logits(pass)[i];
    dl_loss_problem problem = {.scene = sample->scene,
                               .horizon = sample->horizon,
                               .k = sample->k,
                               .clean = sample->clean,
                               .noisy = sample->noisy,
                               .vertex_radius = config->losses.vertex_radius,
                               .edge_radius = config->losses.edge_radius};
    dl_losses losses = dl_losses_evaluate(model->schedule, &problem, weight, logits, by_logits, arena);
    if (losses.starved) return false;
    for (size_t i = 0; i < count; i++) logit_gradient[i] = (real)by_logits[i];
    if (!dl_denoiser_backward(model->net, model->parameters, pass, logit_gradient, gradient, arena)) return false;
    int level = (sample->k - 1) * DL_NOISE_LEVELS / model->schedule->steps;
    *sums = (dl_batch_sums){.samples = 1, .total = losses.total};
    memcpy(sums->term, losses.term, sizeof sums->term);
    sums->tokens[level] = (double)tokens;
    sums->correct[level] = (double)losses.correct;
    sums->flops = 3 * dl_denoiser_flops(model->net, &input); /* backward has two products for each of forward */
    return true;
}

static bool learn_from(const dl_model *model, const dl_example *example, uint64_t number,
                       const double weight[DL_LOSS_TERMS], real *gradient, dl_batch_sums *sums, dl_arena *arena)
{
    dl_arena_reset(arena);
    dl_sample sample = dl_sample_draw(&model->config, model->schedule, example, number);
    dl_likeliest *planner = sample.instance ? dl_likeliest_create(sample.instance->grid) : NULL;
    bool learned = planner && learn_from_sample(model, &sample, planner, weight, gradient, sums, arena);
    dl_likeliest_free(planner);
    dl_sample_free(&sample);
    return learned;
}

bool dl_learner_gradient(dl_learner *learner, const dl_batch_part *part, const double weight[DL_LOSS_TERMS],
                         real *gradient, dl_batch_sums *sums)
{
    size_t parameters = dl_denoiser_parameters(learner->model->net);
    memset(gradient, 0, sizeof(real) * parameters);
    *sums = (dl_batch_sums){0};
    for (int begin = part->first; begin < part->batch; begin += WAVE * part->stride) {
        int wave = (part->batch - begin + part->stride - 1) / part->stride;
        if (wave > WAVE) wave = WAVE;
        for (int i = 0; i < wave; i++)
            if (!learner->gradient[i] && !(learner->gradient[i] = dl_aligned(sizeof(real) * parameters))) return false;
        bool learned = true;
#pragma omp parallel for schedule(dynamic, 1) num_threads(learner->threads) reduction(&& : learned)
        for (int i = 0; i < wave; i++) {
            int slot = begin + i * part->stride;
            memset(learner->gradient[i], 0, sizeof(real) * parameters);
            learned =
                learn_from(learner->model, &part->examples->at[part->example[slot]], part->base + (uint64_t)slot,
                           weight, learner->gradient[i], &learner->sums[i], &learner->arena[omp_get_thread_num()]) &&
                learned;
        }
        if (!learned) return false;
#pragma omp parallel for schedule(static) num_threads(learner->threads)
        for (size_t p = 0; p < parameters; p++)
            for (int i = 0; i < wave; i++) gradient[p] += learner->gradient[i][p];
        for (int i = 0; i < wave; i++) dl_batch_sums_add(sums, &learner->sums[i]);
    }
    return true;
}
