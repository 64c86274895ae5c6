/* Model files: whatever is read runs; whatever is refused is refused in one line. */
#include <string.h>

#include "diffusion/model.h"
#include "fuzz.h"

/* One agent, one step: enough to touch every weight. */
static void run(const dl_model *model)
{
    real feature[64] = {1}, position[2] = {0}, entropy = 0, start[2] = {0}, goal[2] = {1, 1}, map[12] = {0};
    real logits[DL_ACTIONS];
    int32_t neighbor = 0;
    dl_denoiser_input input = {.agents = 1,
                               .horizon = 1,
                               .step = 1,
                               .features = feature,
                               .position = position,
                               .entropy = &entropy,
                               .neighbors = 1,
                               .neighbor = &neighbor,
                               .start = start,
                               .goal = goal,
                               .height = 2,
                               .width = 2,
                               .free_cells = 4,
                               .map = map};
    dl_arena arena = {0};
    if (dl_denoiser_infer(model->net, model->parameters, &input, logits, &arena) != DIFFLNS_OK) abort();
    dl_arena_free(&arena);
}

const bool FUZZ_WITHOUT_MEMORY = false;

void fuzz_one(const uint8_t *data, size_t size)
{
    dl_model *model;
    dl_error err;
    if (dl_model_parse("fuzz", data, size, &model, &err) == DIFFLNS_OK) {
        run(model);
        dl_model_free(model);
    } else {
        MUST(err.status == DIFFLNS_BAD_INPUT && !strchr(err.message, '\n'));
    }
}
