/* A model: configuration, network and weights. Its file is safetensors with the whole configuration in the metadata, so
 * the file alone is enough to sample. For tools. */
#ifndef DL_DIFFUSION_MODEL_H
#define DL_DIFFUSION_MODEL_H

#include "difflns.h"
#include "diffusion/denoiser.h"
#include "diffusion/schedule.h"

typedef struct difflns_model dl_model;

struct difflns_model {
    dl_config config;
    dl_denoiser *net;
    dl_schedule *schedule;
    real *parameters; /* [dl_denoiser_parameters(net)] */
    char *card;       /* JSON: what it was trained on and how it measured; "{}" if nothing is known */
};

/* With the starting point of training as weights. NULL when memory is out. */
DL_MUST_CHECK dl_model *dl_model_create(const dl_config *config);
void dl_model_free(dl_model *model);

dl_status dl_model_load(const char *path, dl_model **out, dl_error *err);
/* The same from memory; `name` is for messages. */
dl_status dl_model_parse(const char *name, const void *bytes, size_t size, dl_model **out, dl_error *err);
dl_status dl_model_save(const dl_model *model, const char *path, dl_error *err);

/* Replaces the card. False when memory is out: the old one stays. */
DL_MUST_CHECK bool dl_model_set_card(dl_model *model, const char *json);

#endif
