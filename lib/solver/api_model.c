/* The public interface: models and the drafts drawn from them. */
#include <stdlib.h>

#include "base/memory.h"
#include "diffusion/sampler.h"
#include "solver/api.h"
#include "solver/shipped_model.h"

struct difflns_drafts {
    int count, tokens;
    dl_draft draft[];
};

difflns_status difflns_model_load(const char *path, difflns_model **out, difflns_error *err)
{
    DL_REQUIRE_OUT(out);
    return path ? dl_model_load(path, out, err) : dl_shipped_model_load(out, err);
}

difflns_status difflns_model_parse(const void *bytes, size_t size, difflns_model **out, difflns_error *err)
{
    DL_REQUIRE_OUT(out);
    DL_REQUIRE(bytes);
    return dl_model_parse("model", bytes, size, out, err);
}

void difflns_model_free(difflns_model *model)
{
    dl_model_free(model);
}

const char *difflns_model_card(const difflns_model *model)
{
    return model ? model->card : NULL;
}

enum { MOST_DRAFTS = 4096, MOST_STEPS = 10000, LONGEST_HORIZON = 4096, MOST_THREADS = 256 };

static dl_status check_range(const char *what, int given, int least, int most, dl_error *err)
{
    if (given < least || given > most)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%d %s: expected %d to %d", given, what, least, most);
    return DIFFLNS_OK;
}

difflns_status difflns_sample(const difflns_model *model, const difflns_instance *instance, int count, uint64_t seed,
                              int steps, int horizon, int threads, difflns_drafts **out, difflns_error *err)
{
    DL_REQUIRE_OUT(out);
    DL_REQUIRE(model);
    DL_REQUIRE(instance);
    DL_TRY(check_range("drafts", count, 1, MOST_DRAFTS, err));
    DL_TRY(check_range("steps", steps, 0, MOST_STEPS, err));
    DL_TRY(check_range("timesteps", horizon, 0, LONGEST_HORIZON, err));
    DL_TRY(check_range("threads", threads, 0, MOST_THREADS, err));
    dl_sample_options options = dl_sample_defaults(model);
    options.candidates = count;
    options.seed = seed;
    options.threads = threads;
    if (steps > 0) options.steps = steps;
    if (horizon > 0) options.horizon = horizon;
    difflns_drafts *drafts = dl_calloc(1, sizeof *drafts + (size_t)count * sizeof(dl_draft));
    if (!drafts) return dl_out_of_memory(err);
    dl_scene *scene = dl_scene_create(instance);
    drafts->tokens = DL_ACTIONS;
    dl_deadline never = dl_no_deadline();
    dl_status status = scene ? dl_sample_drafts(model, scene, &options, &never, NULL, NULL, drafts->draft, err)
                             : dl_out_of_memory(err);
    dl_scene_free(scene);
    if (status != DIFFLNS_OK) {
        free(drafts);
        return status;
    }
    drafts->count = count;
    *out = drafts;
    return DIFFLNS_OK;
}

void difflns_drafts_free(difflns_drafts *drafts)
{
    if (!drafts) return;
    for (int i = 0; i < drafts->count; i++) dl_draft_free(&drafts->draft[i]);
    free(drafts);
}

int difflns_drafts_count(const difflns_drafts *drafts)
{
    return drafts ? drafts->count : -1;
}

static const dl_draft *draft_at(const difflns_drafts *drafts, int index)
{
    return drafts && index >= 0 && index < drafts->count ? &drafts->draft[index] : NULL;
}

const difflns_plan *difflns_drafts_plan(const difflns_drafts *drafts, int index)
{
    const dl_draft *draft = draft_at(drafts, index);
    return draft ? draft->plan : NULL;
}

const float *difflns_drafts_log_probability(const difflns_drafts *drafts, int index, int *horizon, int *tokens)
{
    const dl_draft *draft = draft_at(drafts, index);
    if (horizon) *horizon = draft ? draft->horizon : 0;
    if (tokens) *tokens = draft ? drafts->tokens : 0;
    return draft ? draft->log_probability : NULL;
}
