/* The functions of models and drafts in a build without learning (DIFFLNS_LEARN=OFF): there are none. */
#include "base/status.h"
#include "solver/api.h"

static difflns_status refuse(difflns_error *err)
{
    return dl_fail(err, DIFFLNS_BAD_INPUT, "this build has no learning");
}

difflns_status difflns_model_load(const char *path, difflns_model **out, difflns_error *err)
{
    (void)path;
    DL_REQUIRE_OUT(out);
    return refuse(err);
}

difflns_status difflns_model_parse(const void *bytes, size_t size, difflns_model **out, difflns_error *err)
{
    (void)bytes, (void)size;
    DL_REQUIRE_OUT(out);
    return refuse(err);
}

void difflns_model_free(difflns_model *model)
{
    (void)model;
}

const char *difflns_model_card(const difflns_model *model)
{
    (void)model;
    return NULL;
}

difflns_status difflns_sample(const difflns_model *model, const difflns_instance *instance, int count, uint64_t seed,
                              int steps, int horizon, int threads, difflns_drafts **out, difflns_error *err)
{
    (void)model, (void)instance, (void)count, (void)seed, (void)steps, (void)horizon, (void)threads;
    DL_REQUIRE_OUT(out);
    return refuse(err);
}

void difflns_drafts_free(difflns_drafts *drafts)
{
    (void)drafts;
}

int difflns_drafts_count(const difflns_drafts *drafts)
{
    (void)drafts;
    return 0;
}

const difflns_plan *difflns_drafts_plan(const difflns_drafts *drafts, int index)
{
    (void)drafts, (void)index;
    return NULL;
}

const float *difflns_drafts_log_probability(const difflns_drafts *drafts, int index, int *horizon, int *tokens)
{
    (void)drafts, (void)index, (void)horizon, (void)tokens;
    return NULL;
}
