#include "bench/controls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "lns/prioritized.h"
#include "lns/repair.h"
#include "lns/slack.h"
#include "memory/need.h"
#include "solver/solve.h"

static const dl_start_input *input_of(const dl_start_case *s)
{
    return dl_starts_input(s->starts);
}

static dl_rng stream(const dl_start_case *s, int index)
{
    return dl_rng_stream(input_of(s)->seed, DL_PURPOSE('b', 's', 't', 'a'), (uint64_t)index);
}

/* ---- without a network ---- */

/* The product departs late; as published, every arrival is as early as can be. */
static bool make_published(const dl_start_case *s, int index, dl_planner *p, const dl_deadline *deadline)
{
    dl_rng rng = stream(s, index);
    dl_prioritized(p, &rng, DL_PRIORITY_RANDOM, DL_REPAIR_PUBLISHED.rule, deadline);
    return true;
}

/* ---- with a network ---- */

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

static void borrow(const dl_start_case *s, int index, const dl_deadline *deadline, borrowed *b)
{
    *b = (borrowed){0};
    dl_kept_draft *place = s->kept ? s->kept : &b->own;
    if (place->there && place->sampling != input_of(s)->sampling) dl_kept_draft_free(place);
    place->sampling = input_of(s)->sampling;
    if (!place->there) place->there = dl_start_draft(s->starts, (uint64_t)index, deadline, &place->draft) == DIFFLNS_OK;
    if (place->there) b->draft = &place->draft;
}

static void give_back(borrowed *b)
{
    dl_kept_draft_free(&b->own);
}

/* The product's start from a draft that may be kept for others. */
static bool make_from_draft(const dl_start_case *s, int index, dl_planner *p, const dl_deadline *deadline)
{
    borrowed b;
    borrow(s, index, deadline, &b);
    if (!b.draft) return false;
    dl_start_read_plan(p, b.draft->plan);
    give_back(&b);
    return true;
}

static bool make_untrained(const dl_start_case *s, int index, dl_planner *p, const dl_deadline *deadline)
{
    dl_draft draft;
    if (dl_start_draft(s->untrained, (uint64_t)index, deadline, &draft) != DIFFLNS_OK) return false;
    dl_start_read_plan(p, draft.plan);
    dl_draft_free(&draft);
    return true;
}

/* Paths decoded from log-probabilities as the product decodes those of its network. */
static void decode(const dl_start_case *s, int horizon, const float *log_probability, const int32_t *order,
                   dl_planner *p)
{
    const dl_model *model = input_of(s)->model;
    dl_sample_options options = dl_sample_defaults(model);
    dl_path_rule rule = dl_sample_rule(model, &options);
    dl_likeliest *decoder = needed(dl_likeliest_create(input_of(s)->instance->grid));
    dl_draft_reach reach;
    dl_plan *plan = needed(
        dl_draft_decode(dl_start_scene(s->starts), horizon, log_probability, &rule, order, decoder, NULL, &reach));
    dl_start_read_plan(p, plan);
    dl_plan_free(plan);
    dl_likeliest_free(decoder);
}

/* A random order of the agents. */
static int32_t *draw_order(const dl_start_case *s, int index)
{
    int agents = input_of(s)->instance->agents;
    int32_t *order = needed(DL_ARRAY(int32_t, agents));
    dl_rng rng = stream(s, index);
    for (int i = 0; i < agents; i++) order[i] = i;
    dl_rng_shuffle(&rng, order, agents);
    return order;
}

/* Each agent follows what the network said to another: decoding still leads it home. */
static bool make_shuffled(const dl_start_case *s, int index, dl_planner *p, const dl_deadline *deadline)
{
    borrowed b;
    borrow(s, index, deadline, &b);
    if (!b.draft) return false;
    int agents = input_of(s)->instance->agents;
    size_t block = (size_t)b.draft->horizon * DL_ACTIONS;
    float *mixed = needed(DL_ARRAY(float, block *(size_t)agents));
    int32_t *from = draw_order(s, index);
    for (int i = 0; i < agents; i++)
        memcpy(mixed + block * (size_t)i, b.draft->log_probability + block * (size_t)from[i], sizeof *mixed * block);
    decode(s, b.draft->horizon, mixed, from, p); /* as good an order as any */
    free(from);
    free(mixed);
    give_back(&b);
    return true;
}

/* Nobody says anything: short legal paths that pay for their collisions, which is what decoding does by itself. */
static bool make_decoding_alone(const dl_start_case *s, int index, dl_planner *p, const dl_deadline *deadline)
{
    int horizon = dl_sample_horizon(dl_start_scene(s->starts), deadline);
    if (horizon == 0) return false;
    float *nothing = needed(DL_ARRAY(float, (size_t)horizon *DL_ACTIONS *(size_t)input_of(s)->instance->agents));
    int32_t *order = draw_order(s, index);
    decode(s, horizon, nothing, order, p);
    free(order);
    free(nothing);
    return true;
}

/* Waits at random places of the path, none after its end. */
static void add_waits(dl_track *track, int waits, dl_rng *rng)
{
    int steps = track->cost, to = steps + waits;
    if (waits <= 0 || steps == 0) return;
    int *pause = needed(DL_ARRAY(int, steps));
    for (int i = 0; i < waits; i++) pause[dl_rng_below(rng, (uint32_t)steps)]++;
    need(dl_track_reserve(track, to));
    track->cost = to;
    track->at[to--] = track->at[steps];
    for (int t = steps - 1; t >= 0; t--)
        for (int i = 0; i <= pause[t]; i++) track->at[to--] = track->at[t];
    free(pause);
}

/* Shortest paths with as much slack in all, and spread alike, as a draft has: what slack alone is worth. */
static bool make_matched_slack(const dl_start_case *s, int index, dl_planner *p, const dl_deadline *deadline)
{
    borrowed b;
    borrow(s, index, deadline, &b);
    if (!b.draft) return false;
    int agents = input_of(s)->instance->agents;
    int32_t *slack = needed(DL_ARRAY(int32_t, agents));
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
static bool make_oracle(const dl_start_case *s, int index, dl_planner *p, const dl_deadline *deadline)
{
    enum { ENOUGH = 1000000 }; /* iterations; the frontier's instances take a tenth */
    dl_rng rng = stream(s, index);
    dl_options options;
    dl_options_default(&options);
    options.seed = dl_rng_u64(&rng);
    options.threads = 1;
    options.iterations = ENOUGH;
    options.stop = DL_STOP_FIRST;
    options.time = fmin(dl_deadline_left(deadline), DL_NO_TIME_LIMIT);
    options.fallback = false;
    dl_solve_input input = {.instance = input_of(s)->instance, .options = &options, .stop = deadline->cancel};
    dl_plan *plan;
    dl_report report;
    if (options.time <= 0) return false;
    bool found = dl_solve(&input, &plan, &report, NULL) == DIFFLNS_OK;
    dl_report_free(&report);
    if (!found) return false;
    dl_start_read_plan(p, plan);
    for (int agent = 0; agent < plan->agents; agent++) jitter(&p->track[agent], &rng);
    dl_plan_free(plan);
    return true;
}

/* ---- the table ---- */

static const dl_compared_start CONTROL[] = {
    {"pp-published", false, "prioritized planning as published", NULL, make_published},
    {"matched-slack", true, "shortest paths with random waits, path lengths as in the drafts", NULL,
     make_matched_slack},
    {"untrained", true, "drafts of the network before training", NULL, make_untrained},
    {"shuffled", true, "the trained network's output, shuffled across agents", NULL, make_shuffled},
    {"no-network", true, "decoding alone: short paths that pay for their collisions", NULL, make_decoding_alone},
    {"oracle", false, "a plan found before, 30 % of its waits moved elsewhere", NULL, make_oracle},
};
enum { CONTROLS = sizeof CONTROL / sizeof CONTROL[0] };

bool dl_compared_start_at(int index, dl_compared_start *out)
{
    int products = 0;
    while (dl_start_at(products)) products++;
    const dl_start *product = dl_start_at(index);
    if (product)
        *out =
            (dl_compared_start){product->name, product->needs == DL_START_NEEDS_A_MODEL, product->help, product, NULL};
    else if (index < products + CONTROLS)
        *out = CONTROL[index - products];
    else
        return false;
    return true;
}

bool dl_compared_start_find(const char *name, dl_compared_start *out)
{
    for (int i = 0; dl_compared_start_at(i, out); i++)
        if (strcmp(out->name, name) == 0) return true;
    return false;
}

bool dl_compared_start_make(const dl_compared_start *start, const dl_start_case *scene, int index, dl_planner *planner,
                            const dl_deadline *deadline)
{
    if (start->product && start->network && scene->kept) return make_from_draft(scene, index, planner, deadline);
    if (start->product) return dl_start_make(start->product, scene->starts, planner, index, NULL, deadline);
    planner->rng = dl_rng_stream(input_of(scene)->seed, DL_PURPOSE('b', 't', 'i', 'e'), (uint64_t)index);
    return start->make(scene, index, planner, deadline);
}
