#include "diffusion/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "nn/safetensors.h"

#define FORMAT  "difflns-model"
#define VERSION "1"

/* All but the weights. NULL when memory is out. */
static dl_model *outline(const dl_config *config)
{
    dl_model *model = DL_NEW(dl_model);
    if (!model) return NULL;
    model->config = *config;
    model->net = dl_denoiser_create(config);
    model->schedule = dl_schedule_create(config->diffusion.diffusion_steps);
    model->card = dl_strdup("{}");
    if (model->net && model->schedule && model->card) return model;
    dl_model_free(model);
    return NULL;
}

dl_model *dl_model_create(const dl_config *config)
{
    dl_model *model = outline(config);
    if (!model) return NULL;
    model->parameters = dl_aligned(sizeof(real) * dl_denoiser_parameters(model->net));
    if (!model->parameters) {
        dl_model_free(model);
        return NULL;
    }
    dl_denoiser_initialize(model->net, (uint64_t)config->training.seed, model->parameters);
    return model;
}

void dl_model_free(dl_model *model)
{
    if (!model) return;
    dl_denoiser_free(model->net);
    dl_schedule_free(model->schedule);
    free(model->parameters);
    free(model->card);
    free(model);
}

bool dl_model_set_card(dl_model *model, const char *json)
{
    char *copy = dl_strdup(json);
    if (!copy) return false;
    free(model->card);
    model->card = copy;
    return true;
}

dl_status dl_model_save(const dl_model *model, const char *path, dl_error *err)
{
    int tensors = dl_denoiser_tensors(model->net);
    dl_text config = {0};
    dl_config_write(&model->config, &config);
    dl_metadata_entry metadata[] = {
        {"format", FORMAT}, {"version", VERSION}, {"config", config.data}, {"card", model->card}};
    dl_tensor_file file = {.tensors = tensors,
                           .tensor = DL_ARRAY(dl_named_tensor, tensors),
                           .entries = sizeof metadata / sizeof *metadata,
                           .metadata = metadata};
    for (int i = 0; file.tensor && i < tensors; i++) {
        const dl_tensor *tensor = dl_denoiser_tensor(model->net, i);
        file.tensor[i] = (dl_named_tensor){.name = tensor->name,
                                           .rank = tensor->columns == 1 ? 1 : 2,
                                           .shape = {tensor->rows, tensor->columns},
                                           .data = model->parameters + tensor->offset};
    }
    dl_status status = file.tensor && !config.cut ? dl_tensor_file_write(path, &file, err) : dl_out_of_memory(err);
    free(file.tensor);
    dl_text_free(&config);
    return status;
}

/* Memory for the weights is taken only when the file is known to hold them: a damaged configuration may ask for any. */
static dl_status read_weights(const char *name, const dl_tensor_file *file, dl_model *model, dl_error *err)
{
    int tensors = dl_denoiser_tensors(model->net);
    if (file->tensors != tensors)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: %d tensors: expected the %d of its configuration", name,
                       file->tensors, tensors);
    for (int i = 0; i < tensors; i++) {
        const dl_tensor *wanted = dl_denoiser_tensor(model->net, i);
        const dl_named_tensor *found = dl_tensor_file_find(file, wanted->name);
        if (!found || dl_tensor_count(found) != (size_t)wanted->rows * (size_t)wanted->columns)
            return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: tensor %s: expected %d x %d numbers", name, wanted->name,
                           wanted->rows, wanted->columns);
    }
    model->parameters = dl_aligned(sizeof(real) * dl_denoiser_parameters(model->net));
    if (!model->parameters) return dl_out_of_memory(err);
    for (int i = 0; i < tensors; i++) {
        const dl_tensor *wanted = dl_denoiser_tensor(model->net, i);
        const dl_named_tensor *found = dl_tensor_file_find(file, wanted->name);
        size_t count = dl_tensor_count(found);
        memcpy(model->parameters + wanted->offset, found->data, sizeof(float) * count);
        for (size_t k = 0; k < count; k++)
            if (!isfinite(model->parameters[wanted->offset + k]))
                return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: tensor %s: expected finite numbers", name, wanted->name);
    }
    return DIFFLNS_OK;
}

static dl_status from_file(const char *name, const dl_tensor_file *file, dl_model **out, dl_error *err)
{
    const char *format = dl_tensor_file_metadata(file, "format"), *version = dl_tensor_file_metadata(file, "version");
    const char *config_text = dl_tensor_file_metadata(file, "config"), *card = dl_tensor_file_metadata(file, "card");
    if (!format || strcmp(format, FORMAT) != 0 || !config_text)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: not a difflns model: expected \"format\": \"%s\" in its metadata",
                       name, FORMAT);
    if (!version || strcmp(version, VERSION) != 0)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: model version %.20s: expected %s", name, version ? version : "none",
                       VERSION);
    dl_config config;
    DL_TRY(dl_config_parse_weights(name, config_text, &config, err));
    dl_model *model = outline(&config);
    if (!model) return dl_out_of_memory(err);
    dl_status status = read_weights(name, file, model, err);
    if (status == DIFFLNS_OK && card && !dl_model_set_card(model, card)) status = dl_out_of_memory(err);
    if (status == DIFFLNS_OK)
        *out = model;
    else
        dl_model_free(model);
    return status;
}

dl_status dl_model_load(const char *path, dl_model **out, dl_error *err)
{
    *out = NULL;
    dl_tensor_file file;
    DL_TRY(dl_tensor_file_read(path, &file, err));
    dl_status status = from_file(path, &file, out, err);
    dl_tensor_file_free(&file);
    return status;
}

dl_status dl_model_parse(const char *name, const void *bytes, size_t size, dl_model **out, dl_error *err)
{
    *out = NULL;
    dl_tensor_file file;
    DL_TRY(dl_tensor_file_parse(name, bytes, size, &file, err));
    dl_status status = from_file(name, &file, out, err);
    dl_tensor_file_free(&file);
    return status;
}
