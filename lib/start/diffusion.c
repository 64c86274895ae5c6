/* Drafts of the network. Each is sampled by the thread that will repair it, so that sampling one overlaps with
 * repairing the others, and candidate `index` is the same for every caller. */
#include "start/diffusion.h"

/* The network knows no errands: it sees everybody at the end of its prefix, on the way to its next goal. */
typedef struct view {
    dl_instance ahead; /* with errands */
    dl_scene *scene;
} view;

static void free_view(void *shared)
{
    view *v = shared;
    dl_scene_free(v->scene);
    dl_instance_ahead_free(&v->ahead);
    free(v);
}

static void *make_view(const dl_start_input *input)
{
    view *v = DL_NEW(view);
    if (!v) return NULL;
    if (!input->instance->errand)
        v->scene = dl_scene_create_with(input->instance, input->distance);
    else if (dl_instance_ahead(input->instance, &v->ahead))
        v->scene = dl_scene_create(&v->ahead);
    if (v->scene) return v;
    free_view(v);
    return NULL;
}

const dl_scene *dl_start_scene(dl_starts *starts)
{
    const view *v = dl_starts_share(starts, make_view, free_view);
    return v ? v->scene : NULL;
}

dl_status dl_start_draft(dl_starts *starts, uint64_t index, const dl_deadline *deadline, dl_draft *draft)
{
    const dl_start_input *input = dl_starts_input(starts);
    const dl_scene *scene = dl_start_scene(starts);
    if (!scene) return DIFFLNS_OUT_OF_MEMORY;
    dl_sample_options options = dl_sample_defaults(input->model);
    options.seed = input->seed;
    options.first = index;
    options.threads = 1; /* the other threads repair, or sample drafts of their own */
    if (input->sampling == DL_START_SAMPLED_AS_PAPER) dl_sample_as_paper(input->model, &options);
    if (input->steps > 0) options.steps = input->steps;
    if (input->horizon > 0) options.horizon = input->horizon;
    return dl_sample_drafts(input->model, scene, &options, deadline, NULL, NULL, draft, NULL);
}

bool dl_start_make_diffusion(dl_start_job *job)
{
    dl_draft draft;
    dl_status status = dl_start_draft(job->starts, job->index, job->deadline, &draft);
    if (status == DIFFLNS_OUT_OF_MEMORY) job->planner->exhausted = true;
    if (status != DIFFLNS_OK) return false;
    dl_start_read_ahead(job->planner, draft.plan);
    dl_draft_free(&draft);
    return true;
}

dl_status dl_start_check_diffusion(const dl_start_input *input, int threads, dl_error *err)
{
    return dl_sample_check_memory(input->model, input->instance, input->horizon, threads, err);
}
