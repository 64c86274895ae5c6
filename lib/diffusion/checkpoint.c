#include "diffusion/checkpoint.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "nn/safetensors.h"

#define FORMAT "difflns-training"

enum { SUMS = sizeof(dl_batch_sums) / sizeof(double), VECTORS = 4 };

dl_training_state *dl_training_state_create(const dl_model *model, uint64_t data)
{
    dl_training_state *state = DL_NEW(dl_training_state);
    if (!state) return NULL;
    state->config = model->config;
    state->data = data;
    state->count = dl_denoiser_parameters(model->net);
    size_t bytes = sizeof(real) * state->count;
    state->parameters = dl_aligned(bytes);
    state->first = dl_aligned(bytes);
    state->second = dl_aligned(bytes);
    state->average = dl_aligned(bytes);
    if (!state->parameters || !state->first || !state->second || !state->average) {
        dl_training_state_free(state);
        return NULL;
    }
    memcpy(state->parameters, model->parameters, bytes);
    memcpy(state->average, model->parameters, bytes);
    memset(state->first, 0, bytes);
    memset(state->second, 0, bytes);
    return state;
}

void dl_training_state_free(dl_training_state *state)
{
    if (!state) return;
    free(state->parameters);
    free(state->first);
    free(state->second);
    free(state->average);
    free(state);
}

static void name_vectors(const dl_training_state *state, dl_named_tensor tensor[VECTORS])
{
    static const char *const names[VECTORS] = {"parameters", "first_moment", "second_moment", "average"};
    const real *const data[VECTORS] = {state->parameters, state->first, state->second, state->average};
    for (int i = 0; i < VECTORS; i++) tensor[i] = (dl_named_tensor){names[i], 1, {(int64_t)state->count}, data[i]};
}

/* Hexadecimal floating point: text that gives back every bit. */
static void write_numbers(const dl_training_state *state, dl_text *out)
{
    dl_text_print(out, "%" PRIu64 " %" PRIu64 " %a %a", state->step, state->data, state->seconds, state->epoch_seconds);
    for (int i = 0; i < SUMS; i++) dl_text_print(out, " %a", ((const double *)&state->epoch)[i]);
}

static bool read_numbers(const char *text, dl_training_state *state)
{
    char *end;
    errno = 0;
    state->step = strtoull(text, &end, 10);
    if (*end != ' ') return false;
    state->data = strtoull(end, &end, 10);
    state->seconds = strtod(end, &end);
    state->epoch_seconds = strtod(end, &end);
    for (int i = 0; i < SUMS; i++) {
        if (*end != ' ') return false;
        ((double *)&state->epoch)[i] = strtod(end, &end);
    }
    return *end == 0 && errno == 0;
}

dl_status dl_training_state_save(const dl_training_state *state, const char *path, dl_error *err)
{
    dl_text config = {0}, numbers = {0};
    dl_config_write(&state->config, &config);
    write_numbers(state, &numbers);
    dl_named_tensor tensor[VECTORS];
    name_vectors(state, tensor);
    dl_metadata_entry metadata[] = {{"format", FORMAT}, {"config", config.data}, {"numbers", numbers.data}};
    dl_tensor_file file = {
        .tensors = VECTORS, .tensor = tensor, .entries = sizeof metadata / sizeof *metadata, .metadata = metadata};
    dl_status status = config.cut || numbers.cut ? dl_out_of_memory(err) : dl_tensor_file_write(path, &file, err);
    dl_text_free(&config);
    dl_text_free(&numbers);
    return status;
}

/* Training alike: fields that only say how to sample, or when to stop and validate, may differ. */
static dl_status compare_training(const dl_config *wanted, dl_config stored, bool *same)
{
    stored.decoding = wanted->decoding;
    stored.training.epochs = wanted->training.epochs;
    stored.training.validation_epochs = wanted->training.validation_epochs;
    stored.training.validation_steps = wanted->training.validation_steps;
    dl_text a = {0}, b = {0};
    dl_config_write(wanted, &a);
    dl_config_write(&stored, &b);
    bool whole = !a.cut && !b.cut;
    *same = whole && strcmp(a.data, b.data) == 0;
    dl_text_free(&a);
    dl_text_free(&b);
    return whole ? DIFFLNS_OK : DIFFLNS_OUT_OF_MEMORY;
}

static dl_status take_over(dl_training_state *state, const char *path, const dl_tensor_file *file, bool other_data,
                           dl_error *err)
{
    const char *format = dl_tensor_file_metadata(file, "format"), *config = dl_tensor_file_metadata(file, "config");
    const char *numbers = dl_tensor_file_metadata(file, "numbers");
    if (!format || strcmp(format, FORMAT) != 0 || !config || !numbers)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: not a training state: expected \"format\": \"%s\"", path, FORMAT);
    dl_config stored;
    DL_TRY(dl_config_parse(path, config, &stored, err));
    bool same;
    if (compare_training(&state->config, stored, &same) != DIFFLNS_OK) return dl_out_of_memory(err);
    if (!same)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: made with another configuration: expected the one given", path);
    dl_training_state read = *state;
    if (!read_numbers(numbers, &read))
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: damaged: expected numbers of a training run", path);
    if (other_data) read.data = state->data;
    if (read.data != state->data)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: made with other demonstrations: expected the ones given", path);
    dl_named_tensor tensor[VECTORS];
    name_vectors(state, tensor);
    real *place[VECTORS] = {state->parameters, state->first, state->second, state->average};
    for (int i = 0; i < VECTORS; i++) {
        const dl_named_tensor *found = dl_tensor_file_find(file, tensor[i].name);
        if (!found || dl_tensor_count(found) != state->count)
            return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: %s: expected %zu numbers", path, tensor[i].name, state->count);
        memcpy(place[i], found->data, sizeof(real) * state->count);
    }
    *state = read;
    return DIFFLNS_OK;
}

dl_status dl_training_state_load(dl_training_state *state, const char *path, bool other_data, dl_error *err)
{
    dl_tensor_file file;
    DL_TRY(dl_tensor_file_read(path, &file, err));
    dl_status status = take_over(state, path, &file, other_data, err);
    dl_tensor_file_free(&file);
    return status;
}

/* FNV-1a over what training reads. */
uint64_t dl_examples_fingerprint(const dl_examples *examples)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (int i = 0; i < examples->count; i++) {
        const dl_example *e = &examples->at[i];
        const int32_t sizes[4] = {e->height, e->width, e->agents, e->length};
        for (int k = 0; k < 4; k++) hash = (hash ^ (uint64_t)sizes[k]) * 0x100000001b3u;
        for (int k = 0; k < e->height * e->width; k++) hash = (hash ^ e->blocked[k]) * 0x100000001b3u;
        for (int k = 0; k < e->agents; k++) {
            hash = (hash ^ (uint64_t)e->start[k]) * 0x100000001b3u;
            hash = (hash ^ (uint64_t)e->goal[k]) * 0x100000001b3u;
        }
        for (size_t k = 0; k < (size_t)e->agents * (size_t)e->length; k++)
            hash = (hash ^ e->action[k]) * 0x100000001b3u;
        for (size_t k = 0; k < (size_t)e->agents * (size_t)e->earlier_length; k++)
            hash = (hash ^ e->earlier[k]) * 0x100000001b3u;
    }
    return hash;
}
