#include "solver/source.h"

#include "diffusion/sampler.h"
#include "search/lacam.h"
#include "search/pibt.h"
#include "search/pibt_rollout.h"
#include "search/prioritized.h"
#include "search/slack.h"

/* Steps of a PIBT rollout: times the longest shortest path, within bounds. */
static const double ROLLOUT_STRETCH = 1.5;
enum { SHORTEST_ROLLOUT = 32, LONGEST_ROLLOUT = 1024 };

typedef struct order {
    const dl_solve_input *input;
    dl_drafts *drafts;
    dl_planner *planner;
    dl_rng rng;
    int index;
    const dl_deadline *deadline;
} order;

static bool start_prioritized(order *o)
{
    dl_prioritized(o->planner, &o->rng, DL_LATE_DEPARTURE, o->deadline);
    return true;
}

/* Lengths of the shortest paths, over as many agents as time allows: what "long" means on this map. */
typedef struct lengths {
    double mean;
    int longest;
} lengths;

static lengths measure_lengths(dl_planner *p, const dl_deadline *deadline)
{
    lengths found = {0};
    int count = 0;
    for (; count < p->instance->agents && !dl_deadline_passed(deadline); count++) {
        int length = dl_distance_of_start(p->distance, count);
        found.mean += length;
        if (length > found.longest) found.longest = length;
    }
    if (count > 0) found.mean /= count;
    return found;
}

static bool start_slack(order *o)
{
    dl_slack slack = {.waits = (int)(2 * measure_lengths(o->planner, o->deadline).mean), .detour = 0.5};
    slack.stretch = slack.waits / 2;
    slack.deadline = o->deadline;
    dl_slack_paths(o->planner, &o->rng, &slack);
    return true;
}

static bool start_pibt(order *o)
{
    int steps = (int)(ROLLOUT_STRETCH * measure_lengths(o->planner, o->deadline).longest);
    if (steps < SHORTEST_ROLLOUT) steps = SHORTEST_ROLLOUT;
    if (steps > LONGEST_ROLLOUT) steps = LONGEST_ROLLOUT;
    return dl_pibt_rollout(o->planner, &o->rng, steps, o->deadline);
}

static bool start_paths(order *o)
{
    dl_slack_paths(o->planner, &o->rng, &(dl_slack){.deadline = o->deadline});
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
    return read_plan(o->planner, o->input->init_plan);
}

static bool start_diffusion(order *o)
{
    return o->drafts && dl_drafts_start(o->drafts, o->planner, (uint64_t)o->index, o->deadline);
}

/* One expansion moves all agents once; an iteration of repair is worth about that much. */
static bool start_lacam(order *o)
{
    dl_lacam_options options = dl_lacam_lean(dl_rng_u64(&o->rng));
    dl_lacam_result result;
    options.anytime = false;
    options.expansions = o->input->options->iterations;
    dl_status status =
        dl_lacam_solve(o->planner->instance, o->planner->distance, &options, *o->deadline, &result, NULL);
    bool found = status == DIFFLNS_OK && result.plan && read_plan(o->planner, result.plan);
    dl_lacam_result_release(&result);
    return found;
}

static bool (*const START[DIFFLNS_INITS])(order *) = {[DIFFLNS_INIT_DIFFUSION] = start_diffusion,
                                                      [DIFFLNS_INIT_PP] = start_prioritized,
                                                      [DIFFLNS_INIT_SLACK] = start_slack,
                                                      [DIFFLNS_INIT_PATHS] = start_paths,
                                                      [DIFFLNS_INIT_LACAM] = start_lacam,
                                                      [DIFFLNS_INIT_PLAN] = start_plan,
                                                      [DIFFLNS_INIT_PIBT] = start_pibt};

/* What AUTO tries, again and again, with a model and without one: the order measured best in docs/repair.md. */
static const difflns_init ROTATION[] = {DIFFLNS_INIT_PP, DIFFLNS_INIT_PIBT, DIFFLNS_INIT_SLACK, DIFFLNS_INIT_DIFFUSION};
enum { WITH_MODEL = 4, WITHOUT_MODEL = 3 };

dl_status dl_source_check_memory(const dl_solve_input *input, int threads, dl_error *err)
{
    const dl_instance *instance = input->instance;
    difflns_init init = (difflns_init)input->options->init;
    size_t tables = dl_pibt_tables_bytes(instance);
    if (init == DIFFLNS_INIT_PIBT && tables > DL_PIBT_ROLLOUT_BYTES)
        return dl_fail(err, DIFFLNS_BAD_INPUT,
                       "init pibt: %d agents on %d cells need %zu MB, more than the limit of %zu MB", instance->agents,
                       instance->grid->cells, tables >> 20, DL_PIBT_ROLLOUT_BYTES >> 20);
    if (init == DIFFLNS_INIT_DIFFUSION)
        return dl_sample_check_memory(input->model, instance, input->options->horizon, threads, err);
    return DIFFLNS_OK;
}

difflns_init dl_source_of(const dl_solve_input *input, int index)
{
    if (input->options->init != DIFFLNS_INIT_AUTO) return (difflns_init)input->options->init;
    return ROTATION[index % (input->model ? WITH_MODEL : WITHOUT_MODEL)];
}

bool dl_source_start(difflns_init init, const dl_sources *sources, dl_planner *planner, int index,
                     const dl_deadline *deadline)
{
    uint64_t seed = sources->input->options->seed;
    order o = {.input = sources->input,
               .drafts = sources->drafts,
               .planner = planner,
               .rng = dl_rng_stream(seed, DL_PURPOSE('s', 't', 'a', 'r'), (uint64_t)index),
               .index = index,
               .deadline = deadline};
    planner->rng = dl_rng_stream(seed, DL_PURPOSE('s', 't', 't', 'i'), (uint64_t)index);
    return START[init](&o);
}
