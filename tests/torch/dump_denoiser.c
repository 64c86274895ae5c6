/* dump_denoiser FILE SEED CONFIG: writes one random sample of the network as safetensors: parameters, inputs, logits,
 * the gradient given to them and every parameter's gradient. parity.py computes the same with PyTorch and compares. */
#include "support_network.h"

#include "nn/safetensors.h"

enum { MAX_TENSORS = 1024 };

typedef struct dump {
    dl_named_tensor tensor[MAX_TENSORS];
    char name[MAX_TENSORS][64];
    int count;
} dump;

static void add(dump *d, const char *kind, const char *name, int rank, const int64_t *shape, const float *data)
{
    snprintf(d->name[d->count], sizeof d->name[0], "%s.%s", kind, name);
    dl_named_tensor *tensor = &d->tensor[d->count];
    *tensor = (dl_named_tensor){.name = d->name[d->count], .rank = rank, .data = data};
    for (int i = 0; i < rank; i++) tensor->shape[i] = shape[i];
    d->count++;
}

static void add_parameters(dump *d, const char *kind, const dl_denoiser *net, const real *vector)
{
    for (int i = 0; i < dl_denoiser_tensors(net); i++) {
        const dl_tensor *tensor = dl_denoiser_tensor(net, i);
        add(d, kind, tensor->name, 2, (int64_t[]){tensor->rows, tensor->columns}, vector + tensor->offset);
    }
}

int main(int argc, char **argv)
{
    enum { AGENTS = 7, HORIZON = 45, HEIGHT = 9, WIDTH = 12, NEIGHBORS = 5 };
    dl_config config;
    dl_error err;
    if (argc != 4 || dl_config_load(argv[3], &config, &err) != DIFFLNS_OK) return 2;
    dl_rng rng = dl_rng_stream(strtoull(argv[2], NULL, 10), DL_PURPOSE('t', 'o', 'r', 'c'), 0);
    dl_denoiser *net = dl_denoiser_create(&config);
    real *parameters = test_network_parameters(&rng, net), *gradient = DL_ARRAY(real, dl_denoiser_parameters(net));
    dl_denoiser_input input = test_network_input(&rng, &config, AGENTS, HORIZON, HEIGHT, WIDTH, NEIGHBORS);
    int classes = DL_ACTIONS, features = dl_config_features(&config).count;
    real *weight = test_reals(&rng, (size_t)(AGENTS * HORIZON * classes), -1, 1);
    dl_arena arena = {0};
    dl_denoiser_pass *pass = dl_denoiser_forward(net, parameters, &input, &arena);
    if (!dl_denoiser_backward(net, parameters, pass, weight, gradient, &arena)) abort();

    static dump d;
    float neighbor[AGENTS * NEIGHBORS], step = (float)input.step, free_cells = (float)input.free_cells;
    for (int i = 0; i < AGENTS * NEIGHBORS; i++) neighbor[i] = (float)input.neighbor[i];
    add_parameters(&d, "parameter", net, parameters);
    add_parameters(&d, "gradient", net, gradient);
    add(&d, "input", "features", 3, (int64_t[]){AGENTS, HORIZON, features}, input.features);
    add(&d, "input", "position", 3, (int64_t[]){AGENTS, HORIZON, 2}, input.position);
    add(&d, "input", "entropy", 2, (int64_t[]){AGENTS, HORIZON}, input.entropy);
    add(&d, "input", "neighbor", 2, (int64_t[]){AGENTS, NEIGHBORS}, neighbor);
    add(&d, "input", "start", 2, (int64_t[]){AGENTS, 2}, input.start);
    add(&d, "input", "goal", 2, (int64_t[]){AGENTS, 2}, input.goal);
    add(&d, "input", "map", 3, (int64_t[]){HEIGHT, WIDTH, 3}, input.map);
    add(&d, "input", "step", 1, (int64_t[]){1}, &step);
    add(&d, "input", "free_cells", 1, (int64_t[]){1}, &free_cells);
    add(&d, "output", "logits", 3, (int64_t[]){AGENTS, HORIZON, classes}, dl_denoiser_logits(pass));
    add(&d, "output", "weight", 3, (int64_t[]){AGENTS, HORIZON, classes}, weight);
    dl_text text = {0};
    dl_config_write(&config, &text);
    dl_metadata_entry metadata = {"config", text.data};
    dl_tensor_file file = {.tensors = d.count, .tensor = d.tensor, .entries = 1, .metadata = &metadata};
    dl_status status = dl_tensor_file_write(argv[1], &file, &err);
    dl_text_free(&text);
    dl_arena_free(&arena);
    free(weight);
    free(gradient);
    free(parameters);
    test_network_input_free(&input);
    dl_denoiser_free(net);
    return status == DIFFLNS_OK ? 0 : 1;
}
