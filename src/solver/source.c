#include "solver/source.h"

#include "search/lacam.h"
#include "search/prioritized.h"
#include "search/slack.h"

typedef struct order {
    const difflns_options *options;
    dl_drafts *drafts;
    dl_planner *planner;
    dl_rng rng;
    int index;
    const dl_deadline *deadline;
    dl_wishes *wishes;
} order;

static bool start_prioritized(order *o)
{
    dl_prioritized(o->planner, &o->rng, DL_LATE_DEPARTURE, o->deadline);
    return true;
}

/* Mean length of the shortest paths: what "long" means on this map. */
static double mean_distance(dl_planner *p)
{
    return (double)dl_distance_lower_bound(p->distance) / p->instance->agents;
}

static bool start_slack(order *o)
{
    dl_slack slack = {.waits = (int)(2 * mean_distance(o->planner)), .detour = 0.5};
    slack.stretch = slack.waits / 2;
    dl_slack_paths(o->planner, &o->rng, &slack);
    return true;
}

static bool start_paths(order *o)
{
    dl_slack_paths(o->planner, &o->rng, &(dl_slack){0});
    return true;
}

static bool read_plan(dl_planner *p, const dl_plan *plan)
{
    dl_planner_clear(p);
    for (int agent = 0; agent < p->instance->agents && agent < plan->agents; agent++)
        dl_planner_read_path(p, agent, &plan->path[agent]);
    return true;
}

static bool start_plan(order *o)
{
    return read_plan(o->planner, o->options->init_plan);
}

static bool start_diffusion(order *o)
{
    return o->drafts && dl_drafts_start(o->drafts, o->planner, (uint64_t)o->index, o->deadline, o->wishes);
}

/* One expansion moves all agents once; an iteration of repair is worth about that much. */
static bool start_lacam(order *o)
{
    dl_lacam_options options = dl_lacam_lean(dl_rng_u64(&o->rng));
    dl_lacam_result result;
    options.anytime = false;
    options.expansions = o->options->iterations;
    dl_status status =
        dl_lacam_solve(o->planner->instance, o->planner->distance, &options, *o->deadline, &result, NULL);
    bool found = status == DIFFLNS_OK && result.plan && read_plan(o->planner, result.plan);
    dl_lacam_result_release(&result);
    return found;
}

static bool (*const START[DIFFLNS_INITS])(order *) = {
    [DIFFLNS_INIT_DIFFUSION] = start_diffusion, [DIFFLNS_INIT_PP] = start_prioritized,
    [DIFFLNS_INIT_SLACK] = start_slack,         [DIFFLNS_INIT_PATHS] = start_paths,
    [DIFFLNS_INIT_LACAM] = start_lacam,         [DIFFLNS_INIT_PLAN] = start_plan};

/* What AUTO tries, again and again, with a model and without one. */
static const difflns_init ROTATION[] = {DIFFLNS_INIT_PP, DIFFLNS_INIT_SLACK, DIFFLNS_INIT_DIFFUSION};
enum { WITH_MODEL = 3, WITHOUT_MODEL = 2 };

bool dl_source_exists(difflns_init init)
{
    return init == DIFFLNS_INIT_AUTO || (init < DIFFLNS_INITS && START[init]);
}

difflns_init dl_source_of(const difflns_options *options, int index)
{
    if (options->init != DIFFLNS_INIT_AUTO) return options->init;
    return ROTATION[index % (options->model ? WITH_MODEL : WITHOUT_MODEL)];
}

bool dl_source_start(difflns_init init, const dl_sources *sources, dl_planner *planner, int index,
                     const dl_deadline *deadline, dl_wishes *wishes)
{
    uint64_t seed = sources->options->seed;
    order o = {.options = sources->options,
               .drafts = sources->drafts,
               .planner = planner,
               .rng = dl_rng_stream(seed, DL_PURPOSE('s', 't', 'a', 'r'), (uint64_t)index),
               .index = index,
               .deadline = deadline,
               .wishes = wishes};
    planner->preference = NULL;
    dl_wishes_free(wishes);
    planner->rng = dl_rng_stream(seed, DL_PURPOSE('s', 't', 't', 'i'), (uint64_t)index);
    return START[init](&o);
}
