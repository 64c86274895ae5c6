#include "solver/drafts.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/memory.h"
#include "diffusion/sampler.h"

struct dl_drafts {
    const dl_solve_input *input;
    dl_distance *distance;
    pthread_mutex_t lock; /* of the scene's making */
    dl_scene *scene;
};

dl_drafts *dl_drafts_create(const dl_solve_input *input, dl_distance *distance)
{
    dl_drafts *drafts = DL_NEW(dl_drafts);
    drafts->input = input;
    drafts->distance = distance;
    pthread_mutex_init(&drafts->lock, NULL);
    return drafts;
}

void dl_drafts_free(dl_drafts *drafts)
{
    if (!drafts) return;
    dl_scene_free(drafts->scene);
    pthread_mutex_destroy(&drafts->lock);
    free(drafts);
}

static const dl_scene *scene_of(dl_drafts *drafts)
{
    pthread_mutex_lock(&drafts->lock);
    if (!drafts->scene) drafts->scene = dl_scene_create_with(drafts->input->instance, drafts->distance);
    pthread_mutex_unlock(&drafts->lock);
    return drafts->scene;
}

bool dl_drafts_start(dl_drafts *drafts, dl_planner *planner, uint64_t number, const dl_deadline *deadline)
{
    const dl_model *model = drafts->input->model;
    const dl_options *options = drafts->input->options;
    dl_sample_options sample = dl_sample_defaults(model);
    sample.seed = options->seed;
    sample.first = number;
    sample.threads = 1; /* the other threads repair, or sample drafts of their own */
    if (options->steps > 0) sample.steps = options->steps;
    if (options->horizon > 0) sample.horizon = options->horizon;
    dl_draft draft;
    if (dl_sample_drafts(model, scene_of(drafts), &sample, deadline, NULL, NULL, &draft, NULL) != DIFFLNS_OK)
        return false;
    dl_planner_clear(planner);
    for (int agent = 0; agent < planner->instance->agents; agent++)
        dl_planner_read_path(planner, agent, &draft.plan->path[agent]);
    dl_draft_free(&draft);
    return true;
}
