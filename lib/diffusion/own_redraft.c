#include "diffusion/own_redraft.h"

#include <string.h>

#include "diffusion/denoising.h"

/* Agents that were spared the noise keep their tokens. */
static void restore_spared(const dl_sample *sample, dl_denoising *d)
{
    for (size_t i = 0; sample->has_noise && i < d->tokens; i++)
        if (!sample->has_noise[i]) d->token[i] = sample->clean[i];
}

/* x_k, the network's paths, x_j. */
static dl_status step(dl_denoising *d, dl_sample *sample, int j)
{
    dl_deadline never = dl_no_deadline();
    memcpy(d->token, sample->noisy, d->tokens);
    DL_TRY(dl_denoising_estimate(d, sample->k, sample->has_noise, &never));
    DL_TRY(dl_denoising_decode(d, dl_path_rule_of(&d->model->config), j, NULL, &never));
    DL_TRY(dl_denoising_encode(d));
    restore_spared(sample, d);
    dl_denoising_corrupt(d, j, sample->has_noise);
    memcpy(sample->noisy, d->token, d->tokens);
    sample->k = j;
    return DIFFLNS_OK;
}

bool dl_own_redraft(const dl_model *model, dl_sample *sample, uint64_t number)
{
    uint64_t seed = (uint64_t)model->config.training.seed;
    dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('o', 'w', 'n', 'r'), number);
    if (dl_rng_unit(&rng) >= model->config.training.own_share || sample->k == 1 || sample->in_span) return true;
    int j = 1 + (int)dl_rng_below(&rng, (uint32_t)sample->k - 1);
    dl_denoising d;
    bool done = dl_denoising_begin(&d, model, sample->scene, sample->horizon, seed, number) &&
                step(&d, sample, j) == DIFFLNS_OK;
    dl_denoising_end(&d);
    return done;
}
