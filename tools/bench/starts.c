#include "bench/starts.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "memory/need.h"
#include "search/pibt_rollout.h"
#include "search/prioritized.h"
#include "search/slack.h"

static dl_rng stream(const dl_start_scene *s, int index)
{
    return dl_rng_stream(s->seed, DL_PURPOSE('b', 's', 't', 'a'), (uint64_t)index);
}

/* ---- without a network ---- */

static bool make_prioritized(const dl_start_scene *s, int index, dl_planner *p, const dl_deadline *deadline)
{
    dl_rng rng = stream(s, index);
    dl_planner_clear(p);
    dl_prioritized(p, &rng, DL_LATE_DEPARTURE, deadline);
    return true;
}

static bool make_paths(const dl_start_scene *s, int index, dl_planner *p, const dl_deadline *deadline)
{
    (void)deadline;
    dl_rng rng = stream(s, index);
    dl_slack_paths(p, &rng, &(dl_slack){0});
    return true;
}

static bool make_slack(const dl_start_scene *s, int index, dl_planner *p, const dl_deadline *deadline)
{
    (void)deadline;
    dl_rng rng = stream(s, index);
    dl_slack slack = {.waits = (int)(2 * dl_distance_lower_bound(p->distance) / s->instance->agents), .detour = 0.5};
    slack.stretch = slack.waits / 2;
    dl_slack_paths(p, &rng, &slack);
    return true;
}

static void read_plan(dl_planner *p, const dl_plan *plan)
{
    dl_planner_clear(p);
    for (int agent = 0; agent < plan->agents; agent++) dl_planner_read_path(p, agent, &plan->path[agent]);
}

static bool make_pibt(const dl_start_scene *s, int index, dl_planner *p, const dl_deadline *deadline)
{
    dl_rng rng = stream(s, index);
    return dl_pibt_rollout(p, &rng, dl_sample_horizon(s->scene, NULL), deadline);
}

/* ---- with a network ---- */

static bool sample(const dl_start_scene *s, const dl_model *model, int index, const dl_deadline *deadline,
                   dl_draft *draft)
{
    dl_sample_options options = dl_sample_defaults(model);
    options.seed = s->seed;
    options.first = (uint64_t)index;
    options.threads = 1; /* starts run side by side already */
    return dl_sample_drafts(model, s->scene, &options, deadline, NULL, NULL, draft, NULL) == DIFFLNS_OK;
}

void dl_kept_draft_free(dl_kept_draft *kept)
{
    if (kept->there) dl_draft_free(&kept->draft);
    kept->there = false;
}

/* The trained network's draft: sampled now or kept from another start. */
typedef struct borrowed {
    dl_kept_draft own;
    const dl_draft *draft; /* NULL = there was no time */
} borrowed;

static void borrow(const dl_start_scene *s, int index, const dl_deadline *deadline, borrowed *b)
{
    *b = (borrowed){0};
    dl_kept_draft *place = s->kept ? s->kept : &b->own;
    if (!place->there) place->there = sample(s, s->model, index, deadline, &place->draft);
    if (place->there) b->draft = &place->draft;
}

static void give_back(borrowed *b)
{
    dl_kept_draft_free(&b->own);
}

static bool make_diffusion(const dl_start_scene *s, int index, dl_planner *p, const dl_deadline *deadline)
{
    borrowed b;
    borrow(s, index, deadline, &b);
    if (!b.draft) return false;
    read_plan(p, b.draft->plan);
    give_back(&b);
    return true;
}

static bool make_untrained(const dl_start_scene *s, int index, dl_planner *p, const dl_deadline *deadline)
{
    dl_draft draft;
    if (!sample(s, s->untrained, index, deadline, &draft)) return false;
    read_plan(p, draft.plan);
    dl_draft_free(&draft);
    return true;
}

/* Each agent follows what the network said to another: decoding still leads it home. */
static bool make_shuffled(const dl_start_scene *s, int index, dl_planner *p, const dl_deadline *deadline)
{
    borrowed b;
    borrow(s, index, deadline, &b);
    if (!b.draft) return false;
    const dl_config *config = &s->model->config;
    int agents = s->instance->agents, classes = dl_config_classes(config);
    size_t block = (size_t)b.draft->horizon * (size_t)classes;
    float *mixed = DL_ARRAY(float, block *(size_t)agents);
    int32_t *from = DL_ARRAY(int32_t, agents);
    dl_rng rng = stream(s, index);
    for (int i = 0; i < agents; i++) from[i] = i;
    dl_rng_shuffle(&rng, from, agents);
    for (int i = 0; i < agents; i++)
        memcpy(mixed + block * (size_t)i, b.draft->log_probability + block * (size_t)from[i], sizeof *mixed * block);
    dl_likeliest *decoder = dl_likeliest_create(s->instance->grid);
    dl_likeliest_costs costs = {(float)config->decoding.decode_step_cost, (float)config->diffusion.map_distance_cost,
                                (float)config->decoding.collision_cost};
    dl_draft_reach reach;
    /* `from` is a random order, too: as good as any to decode in. */
    dl_plan *plan = dl_draft_decode(s->scene, b.draft->horizon, mixed, classes, costs, from, decoder, NULL, &reach);
    read_plan(p, plan);
    dl_plan_free(plan);
    dl_likeliest_free(decoder);
    free(from);
    free(mixed);
    give_back(&b);
    return true;
}

/* Waits at random places of the path, none after its end. */
static void add_waits(dl_track *track, int waits, dl_rng *rng)
{
    int steps = track->cost, to = steps + waits;
    if (waits <= 0 || steps == 0) return;
    int *pause = DL_ARRAY(int, steps);
    for (int i = 0; i < waits; i++) pause[dl_rng_below(rng, (uint32_t)steps)]++;
    need(dl_track_reserve(track, to));
    track->cost = to;
    track->at[to--] = track->at[steps];
    for (int t = steps - 1; t >= 0; t--)
        for (int i = 0; i <= pause[t]; i++) track->at[to--] = track->at[t];
    free(pause);
}

/* Shortest paths with as much slack in all, and spread alike, as a draft has: what slack alone is worth. */
static bool make_matched_slack(const dl_start_scene *s, int index, dl_planner *p, const dl_deadline *deadline)
{
    borrowed b;
    borrow(s, index, deadline, &b);
    if (!b.draft) return false;
    int agents = s->instance->agents;
    int32_t *slack = DL_ARRAY(int32_t, agents);
    dl_rng rng = stream(s, index);
    dl_slack_paths(p, &rng, &(dl_slack){0});
    for (int i = 0; i < agents; i++) slack[i] = dl_path_cost(&b.draft->plan->path[i]) - p->track[i].cost;
    dl_rng_shuffle(&rng, slack, agents);
    for (int i = 0; i < agents; i++) add_waits(&p->track[i], slack[i], &rng);
    free(slack);
    give_back(&b);
    return true;
}

/* ---- with hindsight ---- */

/* Takes the share of the waits that JITTER says out of a path and puts as many back at random places. */
static void jitter(dl_track *track, dl_rng *rng)
{
    static const double JITTER = 0.3;
    int kept = 0, moved = 0;
    for (int t = 1; t <= track->cost; t++) {
        if (track->at[t] == track->at[kept] && dl_rng_unit(rng) < JITTER)
            moved++;
        else
            track->at[++kept] = track->at[t];
    }
    track->cost = kept;
    add_waits(track, moved, rng);
}

/* A plan that repair itself found, almost right: what a network that had learned nearly all there is would draw. */
static bool make_oracle(const dl_start_scene *s, int index, dl_planner *p, const dl_deadline *deadline)
{
    enum { ENOUGH = 1000000 }; /* iterations; the frontier's instances take a tenth */
    dl_rng rng = stream(s, index);
    difflns_options options;
    difflns_options_default(&options);
    options.seed = dl_rng_u64(&rng);
    options.threads = 1;
    options.iterations = ENOUGH;
    options.seconds = dl_deadline_left(deadline);
    options.stop = (const volatile int *)deadline->cancel;
    options.fallback = 0;
    dl_plan *plan;
    if (options.seconds <= 0 || difflns_solve(s->instance, &options, &plan, NULL, NULL) != DIFFLNS_OK) return false;
    read_plan(p, plan);
    for (int agent = 0; agent < plan->agents; agent++) jitter(&p->track[agent], &rng);
    dl_plan_free(plan);
    return true;
}

const dl_start DL_START[DL_STARTS] = {
    {"pp", false, "prioritized planning in random order", make_prioritized},
    {"paths", false, "independent shortest paths", make_paths},
    {"slack", false, "shortest paths with random waits and detours", make_slack},
    {"matched-slack", true, "shortest paths with random waits, path lengths as in the drafts", make_matched_slack},
    {"pibt", false, "PIBT for as many steps as a draft has", make_pibt},
    {"untrained", true, "drafts of the network before training", make_untrained},
    {"shuffled", true, "the trained network's output, shuffled across agents", make_shuffled},
    {"diffusion", true, "drafts of the trained network", make_diffusion},
    {"oracle", false, "a plan found before, 30 % of its waits moved elsewhere", make_oracle},
};

const dl_start *dl_start_find(const char *name)
{
    for (int i = 0; i < DL_STARTS; i++)
        if (strcmp(DL_START[i].name, name) == 0) return &DL_START[i];
    return NULL;
}
