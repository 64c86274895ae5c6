#include "diffusion/sampler.h"

#include <assert.h>
#include <math.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "diffusion/denoising.h"

/* What decoding may take after a cancel. */
static const double GRACE_SECONDS = 0.05;
enum { SHORTEST_HORIZON = 48, LONGEST_HORIZON = 128, HORIZON_GRAIN = 16 };
enum { MOST_STEPS = 10000 }; /* more than any schedule has */
/* Improved plans take 1.2 times the longest distance where there is room, and up to twice where most of the cells are
 * occupied: a shorter draft has no time to wait, a longer one strays. Added: times the share of occupied cells. */
static const double HORIZON_FACTOR = 1.25, HORIZON_FACTOR_ADDED = 1;

dl_sample_options dl_sample_defaults(const dl_model *model)
{
    return (dl_sample_options){.candidates = 1,
                               .seed = 1,
                               .temperature = 1,
                               .sampler = (dl_sampler)model->config.decoding.sampler,
                               .decoding = model->config.decoding.map_decoding ? DL_DECODE_MAP : DL_DECODE_SAMPLE,
                               .step_cost = model->config.decoding.decode_step_cost,
                               .collision_cost = -1,
                               .sweeps = model->config.decoding.decode_sweeps};
}

void dl_sample_as_paper(const dl_model *model, dl_sample_options *options)
{
    options->steps = model->schedule->steps;
    options->sampler = DL_SAMPLER_TOKENS;
    options->decoding = DL_DECODE_SAMPLE;
}

int dl_sample_horizon(const dl_scene *scene, const dl_deadline *deadline)
{
    int longest = 0;
    for (int agent = 0; agent < scene->instance->agents; agent++) {
        if (dl_is_late(deadline)) return 0;
        int steps = dl_distance_of_start(scene->distance, agent);
        if (steps != DL_UNREACHABLE && steps > longest) longest = steps;
    }
    double occupied = (double)scene->instance->agents / scene->instance->grid->cells;
    double factor = HORIZON_FACTOR + HORIZON_FACTOR_ADDED * occupied;
    int wanted = ((int)(factor * longest) + HORIZON_GRAIN - 1) / HORIZON_GRAIN * HORIZON_GRAIN;
    return wanted < SHORTEST_HORIZON ? SHORTEST_HORIZON : wanted > LONGEST_HORIZON ? LONGEST_HORIZON : wanted;
}

/* What one candidate takes, in numbers of 4 bytes: the large arrays, which are those over the cells and tokens. */
static size_t chain_bytes(const dl_model *model, const dl_instance *instance, int horizon)
{
    const dl_config *config = &model->config;
    size_t width = (size_t)config->network.width, channels = (size_t)config->network.pyramid_width;
    size_t level = (size_t)instance->grid->height * (size_t)instance->grid->width, squares = level;
    size_t tokens = (size_t)instance->agents * (size_t)horizon, numbers = 0;
    for (int s = 0; s < config->network.scales; s++, level = (level + 3) / 4) {
        size_t into = s == 0 ? 3 : channels;
        numbers += level * (9 * into + 2 * channels + width); /* patches, convolved, fused, projected */
    }
    numbers += squares * (size_t)(horizon + 1) * 5 / 4; /* values of MAP paths, and occupants by time */
    numbers += tokens * (width + (size_t)dl_config_features(config).count + 2 * DL_ACTIONS + 8);
    return numbers * sizeof(float);
}

dl_status dl_sample_check_memory(const dl_model *model, const dl_instance *instance, int horizon, int chains,
                                 dl_error *err)
{
    size_t bytes = chain_bytes(model, instance, horizon > 0 ? horizon : LONGEST_HORIZON) * (size_t)chains;
    if (bytes <= DL_SAMPLE_BYTES) return DIFFLNS_OK;
    return dl_fail(err, DIFFLNS_BAD_INPUT,
                   "sampling %d drafts at once for %d agents on %d x %d cells needs about %zu MB, more than the limit "
                   "of %zu MB",
                   chains, instance->agents, instance->grid->height, instance->grid->width, bytes >> 20,
                   DL_SAMPLE_BYTES >> 20);
}

void dl_draft_free(dl_draft *draft)
{
    dl_plan_free(draft->plan);
    free(draft->log_probability);
    *draft = (dl_draft){0};
}

dl_path_rule dl_sample_rule(const dl_model *model, const dl_sample_options *options)
{
    dl_path_rule rule = dl_path_rule_of(&model->config);
    rule.costs.step = (float)options->step_cost;
    if (options->sampler == DL_SAMPLER_TOKENS) rule.costs.collision = (float)model->config.decoding.collision_cost;
    if (options->collision_cost >= 0) rule.costs.collision = (float)options->collision_cost;
    rule.sweeps = options->sweeps;
    return rule;
}

/* One candidate at work. */
typedef struct chain {
    dl_denoising *denoising;
    const dl_sample_options *options;
    const dl_sample_watch *watch;
    int candidate, steps;
} chain;

/* The draft the decoded cells make, or OUT_OF_MEMORY. */
static dl_status read_cells(const chain *c, dl_plan **plan, dl_draft_reach *reach)
{
    *plan = dl_draft_of_cells(c->denoising->scene, c->denoising->horizon, c->denoising->cells, reach);
    return *plan ? DIFFLNS_OK : DIFFLNS_OUT_OF_MEMORY;
}

/* The tokens as they are, rolled out. */
static dl_status roll_out(const chain *c, dl_plan **plan, dl_draft_reach *reach)
{
    const dl_denoising *d = c->denoising;
    *plan = dl_draft_roll_out(d->scene, d->horizon, d->token, reach);
    return *plan ? DIFFLNS_OK : DIFFLNS_OUT_OF_MEMORY;
}

/* Step 0 is the noise, rolled out; each other step what was decoded. */
static dl_status show(const chain *c, int step)
{
    dl_plan *plan;
    dl_draft_reach reach;
    dl_status status = step > 0 ? read_cells(c, &plan, &reach) : roll_out(c, &plan, &reach);
    if (status == DIFFLNS_OK) c->watch->see(c->watch->user, c->candidate, step, c->steps, plan);
    dl_plan_free(plan);
    return status;
}

static bool watched(const chain *c)
{
    return c->watch && c->watch->see;
}

/* x_j from the estimate at x_k. */
static dl_status step_back(const chain *c, int k, int j, int step, const dl_deadline *deadline)
{
    dl_denoising *d = c->denoising;
    bool paths = c->options->sampler == DL_SAMPLER_PATHS;
    dl_path_rule rule = dl_sample_rule(d->model, c->options);
    if (paths || watched(c)) DL_TRY(dl_denoising_decode(d, &rule, j, paths ? deadline : NULL));
    if (watched(c)) DL_TRY(show(c, step));
    if (paths) {
        dl_denoising_encode(d);
        dl_denoising_corrupt(d, j);
    } else
        dl_denoising_draw_tokens(d, k, j);
    return DIFFLNS_OK;
}

/* Steps as far as time allows. A step is not begun when the last one tells that it would end too late, and given up
 * when it does; what the last finished one said stays. */
static dl_status denoise(const chain *c, const int *visited, const dl_deadline *deadline, int *done)
{
    dl_denoising *d = c->denoising;
    double slowest = 0;
    dl_status status = DIFFLNS_OK;
    for (*done = 0; *done < c->steps && status == DIFFLNS_OK; ++*done) {
        double begin = dl_now();
        dl_deadline limit = {deadline->end - d->reading_seconds, deadline->cancel};
        if (dl_deadline_passed(&limit) || (*done > 0 && begin + slowest > limit.end)) break;
        status = dl_denoising_estimate(d, visited[*done], &limit);
        if (status != DIFFLNS_OK) break;
        if (*done + 1 < c->steps) status = step_back(c, visited[*done], visited[*done + 1], *done + 1, &limit);
        slowest = fmax(slowest, dl_now() - begin);
    }
    return status == DIFFLNS_STOPPED ? DIFFLNS_OK : status;
}

/* The paths of the last estimate. */
static dl_status decode(const chain *c, int last, bool finished, const dl_deadline *deadline, dl_draft *draft)
{
    dl_denoising *d = c->denoising;
    const dl_sample_options *options = c->options;
    bool drawn = options->decoding == DL_DECODE_SAMPLE && finished, paths = options->sampler == DL_SAMPLER_PATHS;
    if (options->decoding == DL_DECODE_MAP || (drawn && paths)) {
        dl_path_rule rule = dl_sample_rule(d->model, options);
        DL_TRY(dl_denoising_decode(d, &rule, 0, deadline));
        return read_cells(c, &draft->plan, &draft->reach);
    }
    if (drawn)
        dl_denoising_draw_tokens(d, last, 0);
    else
        dl_denoising_take_likeliest(d);
    return roll_out(c, &draft->plan, &draft->reach);
}

/* STOPPED if not even one step fits, or its decoding. */
static dl_status run_chain(const chain *c, const int *visited, const dl_deadline *deadline, dl_draft *draft)
{
    dl_denoising *d = c->denoising;
    int done;
    dl_denoising_draw_noise(d);
    if (watched(c)) DL_TRY(show(c, 0));
    DL_TRY(denoise(c, visited, deadline, &done));
    if (!d->estimated) return DIFFLNS_STOPPED;
    dl_deadline decoding = *deadline; /* who cancels still wants what there is, if it takes no time */
    if (dl_deadline_canceled(deadline))
        decoding = dl_deadline_within((dl_deadline){deadline->end, NULL}, GRACE_SECONDS);
    DL_TRY(decode(c, visited[c->steps - 1], done == c->steps, &decoding, draft));
    if (watched(c)) c->watch->see(c->watch->user, c->candidate, done, c->steps, draft->plan);
    assert(draft->plan->agents == d->scene->instance->agents);
    draft->horizon = d->horizon;
    draft->log_probability = d->log_probability;
    d->log_probability = NULL;
    return DIFFLNS_OK;
}

/* What all candidates share. */
typedef struct sampling {
    const dl_model *model;
    const dl_scene *scene;
    const dl_sample_options *options;
    const dl_deadline *deadline;
    const dl_sample_watch *watch;
    int horizon, threads; /* threads inside each candidate */
    int *visited, steps;  /* the steps of the schedule that are made, and how many */
} sampling;

static dl_status sample_one(const sampling *s, int candidate, dl_draft *draft)
{
    dl_denoising d;
    const dl_sample_options *options = s->options;
    uint64_t number = options->first + (uint64_t)candidate;
    bool room = dl_denoising_begin(&d, s->model, s->scene, s->horizon, options->seed, number);
    d.threads = s->threads;
    d.temperature = options->temperature;
    chain c = {&d, options, s->watch, candidate, s->steps};
    dl_status status = room ? run_chain(&c, s->visited, s->deadline, draft) : DIFFLNS_OUT_OF_MEMORY;
    dl_denoising_end(&d);
    if (status != DIFFLNS_OK) dl_draft_free(draft);
    return status;
}

static dl_status check_options(const dl_sample_options *options, dl_error *err)
{
    if (options->candidates < 1)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "sampling: %d drafts: expected at least 1", options->candidates);
    if (options->steps < 0 || options->steps > MOST_STEPS)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "sampling: %d steps: expected 0 to %d", options->steps, MOST_STEPS);
    if (options->horizon < 0 || options->horizon > DL_SAMPLE_LONGEST)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "sampling: horizon %d: expected 0 to %d", options->horizon,
                       DL_SAMPLE_LONGEST);
    if (!(options->temperature > 0))
        return dl_fail(err, DIFFLNS_BAD_INPUT, "sampling: temperature %g: expected more than 0", options->temperature);
    return DIFFLNS_OK;
}

dl_status dl_sample_drafts(const dl_model *model, const dl_scene *scene, const dl_sample_options *options,
                           const dl_deadline *deadline, const dl_progress *progress, const dl_sample_watch *watch,
                           dl_draft *drafts, dl_error *err)
{
    DL_TRY(check_options(options, err));
    memset(drafts, 0, sizeof *drafts * (size_t)options->candidates);
    int threads = options->threads > 0 ? options->threads : omp_get_max_threads();
    int share = threads > options->candidates ? threads / options->candidates : 1;
    if (threads > options->candidates) threads = options->candidates;
    DL_TRY(dl_sample_check_memory(model, scene->instance, options->horizon, threads, err));
    dl_distance_fill(scene->distance, threads * share, deadline);
    sampling s = {model, scene, options, deadline, watch, options->horizon, share, NULL, 0};
    if (s.horizon == 0) s.horizon = dl_sample_horizon(scene, deadline);
    if (s.horizon == 0) return dl_fail(err, DIFFLNS_STOPPED, "sampling: no time to measure the distances");
    if (share > 1) omp_set_max_active_levels(2); /* threads of a candidate inside those over candidates */
    s.visited = DL_ARRAY(int, model->schedule->steps + 1);
    if (!s.visited) return dl_out_of_memory(err);
    int steps = options->steps > 0 ? options->steps : model->config.decoding.sampling_steps;
    s.steps = dl_schedule_stride(model->schedule, steps, s.visited);
    atomic_int finished = 0, late = 0, starved = 0;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (int candidate = 0; candidate < options->candidates; candidate++) {
        dl_status status = sample_one(&s, candidate, &drafts[candidate]);
        if (status == DIFFLNS_OUT_OF_MEMORY)
            atomic_fetch_add(&starved, 1);
        else if (status != DIFFLNS_OK)
            atomic_fetch_add(&late, 1);
        int count = 1 + atomic_fetch_add(&finished, 1);
        if (omp_get_thread_num() == 0) dl_progress_report(progress, (uint64_t)count, (uint64_t)options->candidates, "");
    }
    free(s.visited);
    if (late == 0 && starved == 0) return DIFFLNS_OK;
    for (int candidate = 0; candidate < options->candidates; candidate++) dl_draft_free(&drafts[candidate]);
    if (starved > 0) return dl_out_of_memory(err);
    return dl_fail(err, DIFFLNS_STOPPED, "sampling: no time for a single step of %d of %d drafts", late,
                   options->candidates);
}
