/* difflns info: what a weights file holds, as JSON: first what it was trained on and how, tensors on request. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "diffusion/model.h"

static json_t *tensor_list(const dl_model *model)
{
    json_t *list = json_array();
    for (int i = 0; i < dl_denoiser_tensors(model->net); i++) {
        const dl_tensor *tensor = dl_denoiser_tensor(model->net, i);
        json_array_append_new(
            list, json_pack("{s:s, s:[i,i]}", "name", tensor->name, "shape", tensor->rows, tensor->columns));
    }
    return list;
}

int cli_info(const options *opts)
{
    dl_model *model;
    difflns_error err;
    if (dl_model_load(opts->argument[0], &model, &err) != DIFFLNS_OK) return cli_fail(&err);
    json_t *card = json_loads(model->card, 0, NULL);
    json_t *root =
        json_pack("{s:s, s:o, s:I, s:o}", "file", opts->argument[0], "card", card ? card : json_object(), "parameters",
                  (json_int_t)dl_denoiser_parameters(model->net), "config", dl_config_json(&model->config));
    if (opts->tensors) json_object_set_new(root, "tensors", tensor_list(model));
    json_dumpf(root, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
    putchar('\n');
    json_decref(root);
    dl_model_free(model);
    return 0;
}
