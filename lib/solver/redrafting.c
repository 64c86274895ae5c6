#include "solver/redrafting.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "diffusion/sampler.h"
#include "solver/redrafting_options.h"
#include "start/diffusion.h"

/* What a processor does in the time of a search, and the searches that a sweep of decoding takes for an action: turns
 * the work of drawing into searches, so that a redraft's gain can be compared with others' and runs limited by
 * iterations are repeatable. Measured on boards of the paper's sizes. */
static const double SEARCH_OPERATIONS = 2.5e5, DECODING_SEARCHES = 0.25;
/* Actions that a redraft may cover: more would take seconds, and a plan as long as that has not been improved yet. */
enum { MOST_ACTIONS = 40000 };

struct dl_redrafting {
    dl_redrafter redrafter;
    dl_redrafting_options options;
    const dl_model *model;
    const dl_scene *scene;
};

static bool suits(void *user, const dl_planner *planner)
{
    (void)user;
    return (int64_t)planner->makespan * planner->instance->agents <= MOST_ACTIONS;
}

static dl_status draw(void *user, const dl_planner *planner, const dl_redraft_part *part, const dl_deadline *deadline,
                      dl_plan **plan, uint64_t *searches)
{
    const dl_redrafting *r = user;
    const dl_redrafting_options *o = &r->options;
    int agents = planner->instance->agents, count = 0;
    for (int i = 0; i < agents; i++) count += part->chosen[i];
    *plan = NULL;
    dl_plan *from = dl_planner_write_plan(planner);
    if (!from) return DIFFLNS_OUT_OF_MEMORY;
    dl_rng rng = dl_rng_stream(part->number, DL_PURPOSE('l', 'e', 'v', 'l'), 0);
    int steps = r->model->schedule->steps;
    dl_redraft_options options = dl_redraft_defaults(r->model);
    bool region = count < agents;
    double low = region ? o->region_least : o->least, high = region ? o->region_most : o->most;
    int passes = region ? o->region_steps : o->steps;
    options.level = (int)ceil(steps * low * pow(high / low, dl_rng_unit(&rng)));
    options.steps = passes < options.level ? passes : options.level;
    options.evidence = o->evidence;
    options.agents = part->chosen;
    options.first = part->from;
    options.last = part->to == DL_LAST_TIME ? 0 : part->to;
    options.company = count < agents - count ? count : 0; /* as many again */
    options.seed = part->number;
    dl_status status = dl_redraft(r->model, r->scene, from, &options, deadline, plan, NULL);
    double actions = (double)dl_plan_makespan(from) * (options.company > 0 ? 2 * count : agents);
    double network = o->evidence == DL_EVIDENCE_NOISE ? 0 : 2 * (double)dl_denoiser_parameters(r->model->net);
    double decoding = DECODING_SEARCHES * options.rule.sweeps;
    *searches += (uint64_t)(actions * options.steps * (network / SEARCH_OPERATIONS + decoding));
    dl_plan_free(from);
    return status;
}

dl_redrafting *dl_redrafting_create_with(const dl_model *model, const dl_scene *scene,
                                         const dl_redrafting_options *options, int threads)
{
    int longest = MOST_ACTIONS / scene->instance->agents;
    if (longest == 0 || dl_sample_check_memory(model, scene->instance, longest, threads, NULL) != DIFFLNS_OK)
        return NULL;
    dl_redrafting *r = DL_NEW(dl_redrafting);
    if (r) *r = (dl_redrafting){.redrafter = {suits, draw, r}, .options = *options, .model = model, .scene = scene};
    return r;
}

dl_redrafting *dl_redrafting_create(dl_starts *starts, int threads)
{
    const dl_redrafting_options options = DL_REDRAFTING_DEFAULTS;
    const dl_model *model = dl_starts_input(starts)->model;
    const dl_scene *scene = model ? dl_start_scene(starts) : NULL;
    return scene ? dl_redrafting_create_with(model, scene, &options, threads) : NULL;
}

void dl_redrafting_free(dl_redrafting *r)
{
    free(r);
}

const dl_redrafter *dl_redrafting_redrafter(const dl_redrafting *r)
{
    return r ? &r->redrafter : NULL;
}
