#include "diffusion/redraft.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "diffusion/denoising.h"
#include "diffusion/draft.h"
#include "diffusion/excerpt.h"
#include "diffusion/sampler.h"

/* Timesteps of rest after the end of the plan, as in training, and the grain of horizons. */
enum { REST = 8, GRAIN = 8 };
enum { USUAL_STEPS = 3 };
/* How sure a token without noise is, in nats: enough that only the goal's own pull can bend it. */
static const float CERTAIN = 30;

dl_redraft_options dl_redraft_defaults(const dl_model *model)
{
    int level = model->schedule->steps / 4;
    if (level == 0) level = 1;
    return (dl_redraft_options){.level = level,
                                .steps = level < USUAL_STEPS ? level : (int)USUAL_STEPS,
                                .rule = dl_path_rule_of(&model->config),
                                .seed = 1,
                                .threads = 1};
}

/* A plan being redrafted. */
typedef struct redraft {
    dl_denoising denoising;
    const dl_redraft_options *options;
    bool *noisy;      /* [N*T]: tokens that get noise */
    bool *fixed;      /* [N]: agents none of whose tokens do */
    uint8_t *kept;    /* [N*T]: the tokens of the plan */
    dl_crowd *unseen; /* those that the network does not see; NULL = it sees everybody */
} redraft;

static dl_status check(const dl_model *model, const dl_scene *scene, const dl_plan *plan,
                       const dl_redraft_options *options, dl_error *err)
{
    if (plan->agents != scene->instance->agents)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "redraft: a plan of %d agents: expected %d", plan->agents,
                       scene->instance->agents);
    if (options->level < 0 || options->level > model->schedule->steps)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "redraft: level %d: expected 0 to %d", options->level,
                       model->schedule->steps);
    if (options->level > 0 && (options->steps < 1 || options->steps > options->level))
        return dl_fail(err, DIFFLNS_BAD_INPUT, "redraft: %d steps: expected 1 to the level, %d", options->steps,
                       options->level);
    if (options->horizon < 0 || options->horizon > DL_SAMPLE_LONGEST)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "redraft: horizon %d: expected 0 to %d", options->horizon,
                       DL_SAMPLE_LONGEST);
    if (options->first < 0 || options->last < 0)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "redraft: from %d to %d: expected timesteps", options->first,
                       options->last);
    return DIFFLNS_OK;
}

/* Paths are drawn around those of the agents that are not taken into an excerpt. False when memory is out. */
static bool gather_unseen(redraft *r, const dl_plan *whole, const bool *taken)
{
    const dl_denoising *d = &r->denoising;
    r->unseen = dl_crowd_create(d->planner, d->horizon);
    dl_cell *cells = DL_ARRAY(dl_cell, (size_t)d->horizon + 1);
    bool room = r->unseen && cells;
    for (int agent = 0; room && agent < whole->agents; agent++) {
        if (taken[agent]) continue;
        for (int t = 0; t <= d->horizon; t++) {
            difflns_cell at = dl_path_at(&whole->path[agent], t);
            cells[t] = dl_grid_cell(d->scene->instance->grid, at.row, at.col);
        }
        dl_crowd_add(r->unseen, d->planner, cells);
    }
    free(cells);
    return room;
}

/* The plan's paths as cells; after their ends agents stay. */
static dl_status read_plan(redraft *r, const dl_plan *plan, dl_error *err)
{
    const dl_instance *instance = r->denoising.scene->instance;
    const dl_grid *grid = instance->grid;
    for (int agent = 0; agent < plan->agents; agent++) {
        dl_cell *cells = r->denoising.cells + (size_t)agent * (size_t)(r->denoising.horizon + 1);
        for (int t = 0; t <= r->denoising.horizon; t++) {
            difflns_cell at = dl_path_at(&plan->path[agent], t);
            cells[t] = dl_grid_cell(grid, at.row, at.col);
            bool legal = t == 0 ? cells[0] == instance->start[agent] : cells[t] == cells[t - 1];
            for (int d = 0; t > 0 && cells[t] != DL_NO_CELL && d < DL_DIRECTIONS; d++)
                legal = legal || grid->neighbor[cells[t - 1]][d] == cells[t];
            if (!legal) return dl_fail(err, DIFFLNS_BAD_INPUT, "redraft: agent %d: no legal step to time %d", agent, t);
        }
    }
    return DIFFLNS_OK;
}

static void choose_tokens(redraft *r)
{
    const dl_denoising *d = &r->denoising;
    int last = r->options->last > 0 && r->options->last < d->horizon ? r->options->last : d->horizon;
    for (int agent = 0; agent < d->scene->instance->agents; agent++) {
        bool chosen = !r->options->agents || r->options->agents[agent];
        r->fixed[agent] = !chosen;
        for (int t = 0; t < d->horizon; t++)
            r->noisy[(size_t)agent * (size_t)d->horizon + (size_t)t] = chosen && t >= r->options->first && t < last;
    }
}

/* What the noisy tokens alone say about the clean ones, up to a constant. */
static void read_noise(redraft *r, int k)
{
    dl_denoising *d = &r->denoising;
    float evidence = fminf((float)dl_schedule_log_evidence(d->model->schedule, k), CERTAIN);
    for (size_t i = 0; i < d->tokens; i++)
        for (int a = 0; a < d->classes; a++)
            d->log_probability[i * (size_t)d->classes + (size_t)a] = a == d->token[i] ? evidence : 0;
}

/* Deals what the network says to other agents. */
static void shuffle_agents(redraft *r, int k)
{
    dl_denoising *d = &r->denoising;
    dl_rng rng = dl_rng_stream(d->seed, DL_PURPOSE('d', 'e', 'a', 'l'), d->number << 16 | (uint64_t)k);
    int agents = d->scene->instance->agents;
    size_t block = (size_t)d->horizon * (size_t)d->classes;
    for (int i = agents - 1; i > 0; i--) {
        float *a = d->log_probability + (size_t)i * block;
        float *b = d->log_probability + (size_t)dl_rng_below(&rng, (uint32_t)i + 1) * block;
        for (size_t n = 0; a != b && n < block; n++) {
            float swap = a[n];
            a[n] = b[n];
            b[n] = swap;
        }
    }
}

/* Log-probabilities of the clean tokens given the noisy ones. */
static dl_status weigh(redraft *r, int k, const dl_deadline *deadline)
{
    if (r->options->evidence == DL_EVIDENCE_NOISE)
        read_noise(r, k);
    else
        DL_TRY(dl_denoising_estimate(&r->denoising, k, r->noisy, deadline));
    if (r->options->evidence == DL_EVIDENCE_SHUFFLED) shuffle_agents(r, k);
    return DIFFLNS_OK;
}

/* What has no noise is as good as certain, whatever the network thinks of it. */
static void insist(redraft *r)
{
    dl_denoising *d = &r->denoising;
    for (size_t i = 0; i < d->tokens; i++) {
        float *row = d->log_probability + i * (size_t)d->classes;
        for (int a = 0; a < d->classes && !r->noisy[i]; a++) row[a] = a == r->kept[i] ? 0 : -CERTAIN;
    }
}

static dl_status denoise(redraft *r, const dl_deadline *deadline)
{
    const dl_redraft_options *o = r->options;
    dl_denoising *d = &r->denoising;
    dl_path_rule rule = o->rule;
    rule.others = r->unseen;
    DL_TRY(dl_denoising_encode(d));
    memcpy(r->kept, d->token, d->tokens);
    for (int step = 0; o->level > 0 && step < o->steps; step++) {
        int k = o->level * (o->steps - step) / o->steps, j = o->level * (o->steps - step - 1) / o->steps;
        dl_denoising_corrupt(d, k, r->noisy);
        DL_TRY(weigh(r, k, deadline));
        insist(r);
        DL_TRY(dl_denoising_decode(d, rule, j, r->fixed, deadline));
        DL_TRY(dl_denoising_encode(d));
    }
    return DIFFLNS_OK;
}

static dl_status run(redraft *r, const dl_plan *plan, const dl_deadline *deadline, dl_plan **out, dl_error *err)
{
    dl_denoising *d = &r->denoising;
    dl_draft_reach reach;
    DL_TRY(read_plan(r, plan, err));
    choose_tokens(r);
    dl_status status = denoise(r, deadline);
    if (status == DIFFLNS_OK) {
        *out = dl_draft_of_cells(d->scene, d->horizon, d->cells, &reach);
        if (!*out) status = DIFFLNS_OUT_OF_MEMORY;
    }
    if (status == DIFFLNS_OUT_OF_MEMORY) return dl_out_of_memory(err);
    return status == DIFFLNS_STOPPED ? dl_fail(err, status, "redraft: no time for %d steps", r->options->steps)
                                     : status;
}

/* A plan of all agents that the network sees, and `whole`, the plan it is an excerpt of (NULL: of none). */
static dl_status redraft_seen(const dl_model *model, const dl_scene *scene, const dl_plan *plan, const dl_plan *whole,
                              const bool *taken, const dl_redraft_options *options, const dl_deadline *deadline,
                              dl_plan **out, dl_error *err)
{
    int horizon = (dl_plan_makespan(plan) + REST + GRAIN - 1) / GRAIN * GRAIN;
    if (options->horizon > 0) horizon = options->horizon;
    DL_TRY(dl_sample_check_memory(model, scene->instance, horizon, 1, err));
    redraft r = {.options = options};
    bool room = dl_denoising_begin(&r.denoising, model, scene, horizon, options->seed, options->number);
    r.denoising.threads = options->threads > 0 ? options->threads : 1;
    r.noisy = DL_ARRAY(bool, r.denoising.tokens);
    r.kept = DL_ARRAY(uint8_t, r.denoising.tokens);
    r.fixed = DL_ARRAY(bool, plan->agents);
    room = room && r.noisy && r.kept && r.fixed && (!whole || gather_unseen(&r, whole, taken));
    dl_status status = room ? run(&r, plan, deadline, out, err) : dl_out_of_memory(err);
    dl_denoising_end(&r.denoising);
    free(r.noisy);
    free(r.kept);
    free(r.fixed);
    dl_crowd_free(r.unseen);
    return status;
}

/* The network sees those that get noise, and their company. */
static dl_status redraft_excerpt(const dl_model *model, const dl_scene *scene, const dl_plan *plan,
                                 const dl_redraft_options *options, const dl_deadline *deadline, dl_plan **out,
                                 dl_error *err)
{
    dl_excerpt excerpt;
    dl_plan *part = NULL;
    dl_status status = dl_excerpt_begin(&excerpt, scene, plan, options->agents, options->company);
    if (status != DIFFLNS_OK) {
        dl_excerpt_end(&excerpt);
        return dl_out_of_memory(err);
    }
    dl_redraft_options inside = *options;
    inside.agents = excerpt.chosen;
    status = redraft_seen(model, excerpt.scene, excerpt.plan, plan, excerpt.taken, &inside, deadline, &part, err);
    if (status == DIFFLNS_OK) *out = dl_excerpt_insert(&excerpt, plan, part);
    if (status == DIFFLNS_OK && !*out) status = dl_out_of_memory(err);
    dl_plan_free(part);
    dl_excerpt_end(&excerpt);
    return status;
}

dl_status dl_redraft(const dl_model *model, const dl_scene *scene, const dl_plan *plan,
                     const dl_redraft_options *options, const dl_deadline *deadline, dl_plan **out, dl_error *err)
{
    *out = NULL;
    DL_TRY(check(model, scene, plan, options, err));
    if (options->agents && options->company > 0)
        return redraft_excerpt(model, scene, plan, options, deadline, out, err);
    return redraft_seen(model, scene, plan, NULL, NULL, options, deadline, out, err);
}
