#include "diffusion/sampler.h"

#include <math.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "diffusion/inputs.h"
#include "diffusion/posterior.h"

/* What decoding may take after a cancel. */
static const double GRACE_SECONDS = 0.05;
enum { SHORTEST_HORIZON = 32, LONGEST_HORIZON = 128, HORIZON_GRAIN = 16 };
/* Demonstrations take 1.2 times the longest distance where there is room, and over twice where half of the cells are
 * occupied: a shorter draft has no time to wait, a longer one strays. Added: times the share of occupied cells. */
static const double HORIZON_FACTOR = 1.25, HORIZON_FACTOR_ADDED = 2.5;

dl_sample_options dl_sample_defaults(const dl_model *model)
{
    return (dl_sample_options){.candidates = 1,
                               .seed = 1,
                               .temperature = 1,
                               .decoding = model->config.decoding.map_decoding ? DL_DECODE_MAP : DL_DECODE_SAMPLE,
                               .step_cost = model->config.decoding.decode_step_cost,
                               .collision_cost = model->config.decoding.collision_cost};
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
    numbers += tokens * (width + (size_t)dl_config_features(config).count + 2 * (size_t)model->schedule->tokens + 8);
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

/* One candidate on its way from noise to plan. */
typedef struct chain {
    const dl_model *model;
    const dl_scene *scene;
    const dl_sample_options *options;
    uint64_t number;
    int horizon, classes;
    int threads;            /* that share its network passes */
    double reading_seconds; /* of the last step before its pass: about as much as decoding takes */
    size_t tokens;
    uint8_t *token;         /* [N*T]: x_k */
    real *estimate;         /* [N*T*C]: probabilities of the clean tokens */
    float *log_probability; /* the same as logarithms */
    dl_likeliest *planner;
    dl_arena arena;
} chain;

/* One stream per (candidate, step, agent), read along time. */
static dl_rng stream(const chain *c, int k, int agent)
{
    return dl_rng_stream(c->options->seed, DL_PURPOSE('d', 'r', 'f', 't'),
                         c->number << 32 | (uint64_t)k << 16 | (uint64_t)agent);
}

static void draw_noise(chain *c)
{
    for (int agent = 0; agent < c->scene->instance->agents; agent++) {
        dl_rng rng = stream(c, c->model->schedule->steps + 1, agent);
        uint8_t *row = c->token + (size_t)agent * (size_t)c->horizon;
        for (int t = 0; t < c->horizon; t++) row[t] = (uint8_t)dl_rng_below(&rng, (uint32_t)c->classes);
    }
}

/* Log-probabilities and probabilities from logits, in place of the estimate. */
static void normalize(chain *c)
{
    float sharpness = (float)(1 / c->options->temperature);
    for (size_t i = 0; i < c->tokens; i++) {
        float *logit = c->log_probability + i * (size_t)c->classes, top = logit[0];
        real *p = c->estimate + i * (size_t)c->classes;
        for (int a = 1; a < c->classes; a++) top = logit[a] > top ? logit[a] : top;
        float sum = expf(logit[0] = (logit[0] - top) * sharpness);
        for (int a = 1; a < c->classes; a++) sum += expf(logit[a] = (logit[a] - top) * sharpness);
        float shift = logf(sum);
        for (int a = 0; a < c->classes; a++) p[a] = expf(logit[a] -= shift);
    }
}

static void draw_tokens(chain *c, int k, int j)
{
    dl_reverse_step step = dl_reverse_step_between(c->model->schedule, k, j);
    for (int agent = 0; agent < c->scene->instance->agents; agent++) {
        dl_rng rng = stream(c, j, agent);
        for (int t = 0; t < c->horizon; t++) {
            size_t i = (size_t)agent * (size_t)c->horizon + (size_t)t;
            double clean[DL_MAX_TOKENS], p[DL_MAX_TOKENS];
            for (int a = 0; a < c->classes; a++) clean[a] = c->estimate[i * (size_t)c->classes + (size_t)a];
            dl_reverse_probabilities(&step, c->token[i], clean, p);
            c->token[i] = (uint8_t)dl_token_at(p, c->classes, dl_rng_unit(&rng));
        }
    }
}

static void take_likeliest(chain *c)
{
    for (size_t i = 0; i < c->tokens; i++) {
        const real *p = c->estimate + i * (size_t)c->classes;
        int best = 0;
        for (int a = 1; a < c->classes; a++)
            if (p[a] > p[best]) best = a;
        c->token[i] = (uint8_t)best;
    }
}

/* One pass of the network; false, with the last estimate as it was, if there was no time for it. */
static bool denoise(chain *c, int k, bool estimated, const dl_deadline *deadline)
{
    double begin = dl_now();
    const dl_config *config = &c->model->config;
    dl_arena_reset(&c->arena);
    const real *previous = estimated && config->network.self_conditioning ? c->estimate : NULL;
    dl_denoiser_input input = dl_inputs_build(config, c->model->schedule, c->scene, c->horizon, k, c->token, previous,
                                              c->planner, deadline, &c->arena);
    c->reading_seconds = dl_now() - begin;
    if (!dl_denoiser_infer_together(c->model->net, c->model->parameters, &input, c->log_probability, &c->arena,
                                    c->threads))
        return false;
    normalize(c);
    return true;
}

static dl_plan *likeliest_plan(chain *c, const dl_deadline *deadline, dl_draft_reach *reach)
{
    dl_likeliest_costs costs = {(float)c->options->step_cost, (float)c->model->config.diffusion.map_distance_cost,
                                (float)c->options->collision_cost};
    int agents = c->scene->instance->agents;
    int32_t *order = DL_ARRAY(int32_t, agents);
    dl_rng rng = stream(c, c->model->schedule->steps + 2, 0);
    for (int i = 0; i < agents; i++) order[i] = i;
    dl_rng_shuffle(&rng, order, agents);
    dl_plan *plan = dl_draft_decode(c->scene, c->horizon, c->log_probability, c->classes, costs, order, c->planner,
                                    deadline, reach);
    free(order);
    return plan;
}

/* Step 0 is the noise, rolled out; each other step what the network makes of it. */
static void show(chain *c, const dl_sample_watch *watch, int candidate, int step, int steps)
{
    if (!watch || !watch->see) return;
    dl_draft_reach reach;
    dl_plan *plan = step > 0
                        ? likeliest_plan(c, NULL, &reach)
                        : dl_draft_roll_out(c->scene, c->model->config.diffusion.tokens, c->horizon, c->token, &reach);
    watch->see(watch->user, candidate, step, steps, plan);
    dl_plan_free(plan);
}

static chain begin_chain(const dl_model *model, const dl_scene *scene, const dl_sample_options *options, int horizon,
                         int candidate)
{
    chain c = {.model = model,
               .scene = scene,
               .options = options,
               .number = options->first + (uint64_t)candidate,
               .horizon = horizon,
               .classes = model->schedule->tokens,
               .tokens = (size_t)scene->instance->agents * (size_t)horizon,
               .planner = dl_likeliest_create(scene->instance->grid)};
    c.token = DL_ARRAY(uint8_t, c.tokens);
    c.estimate = DL_ARRAY(real, c.tokens * (size_t)c.classes);
    c.log_probability = DL_ARRAY(float, c.tokens *(size_t)c.classes);
    return c;
}

static void end_chain(chain *c)
{
    dl_likeliest_free(c->planner);
    dl_arena_free(&c->arena);
    free(c->token);
    free(c->estimate);
}

/* False if not even one step fits, or its decoding. A step is not begun when the last one tells that it would end too
 * late, and given up when it does; what the last finished one said is decoded. */
static bool run_chain(chain *c, const int *visited, int steps, const dl_deadline *deadline,
                      const dl_sample_watch *watch, int candidate, dl_draft *draft)
{
    double slowest = 0;
    int done = 0;
    draw_noise(c);
    show(c, watch, candidate, 0, steps);
    for (; done < steps; done++) {
        double begin = dl_now();
        dl_deadline limit = {deadline->end - c->reading_seconds, deadline->cancel};
        if (dl_deadline_passed(&limit) || (done > 0 && begin + slowest > limit.end)) break;
        if (!denoise(c, visited[done], done > 0, &limit)) break;
        bool last = done + 1 == steps;
        if (!last) show(c, watch, candidate, done + 1, steps);
        if (!last || c->options->decoding == DL_DECODE_SAMPLE) draw_tokens(c, visited[done], visited[done + 1]);
        double took = dl_now() - begin;
        if (took > slowest) slowest = took;
    }
    if (done == 0) return false;
    dl_deadline decoding = *deadline; /* who cancels still wants what there is, if it takes no time */
    if (dl_deadline_canceled(deadline))
        decoding = dl_deadline_within((dl_deadline){deadline->end, NULL}, GRACE_SECONDS);
    if (c->options->decoding == DL_DECODE_ARGMAX || (c->options->decoding == DL_DECODE_SAMPLE && done < steps))
        take_likeliest(c);
    draft->plan = c->options->decoding == DL_DECODE_MAP ? likeliest_plan(c, &decoding, &draft->reach)
                                                        : dl_draft_roll_out(c->scene, c->model->config.diffusion.tokens,
                                                                            c->horizon, c->token, &draft->reach);
    if (!draft->plan) return false;
    if (watch && watch->see) watch->see(watch->user, candidate, done, steps, draft->plan);
    draft->horizon = c->horizon;
    draft->log_probability = c->log_probability;
    return true;
}

dl_status dl_sample_drafts(const dl_model *model, const dl_scene *scene, const dl_sample_options *options,
                           const dl_deadline *deadline, const dl_progress *progress, const dl_sample_watch *watch,
                           dl_draft *drafts, dl_error *err)
{
    int threads = options->threads > 0 ? options->threads : omp_get_max_threads();
    int share = threads > options->candidates ? threads / options->candidates : 1;
    if (threads > options->candidates) threads = options->candidates;
    DL_TRY(dl_sample_check_memory(model, scene->instance, options->horizon, threads, err));
    memset(drafts, 0, sizeof *drafts * (size_t)options->candidates);
    dl_distance_fill(scene->distance, threads * share, deadline);
    int horizon = options->horizon > 0 ? options->horizon : dl_sample_horizon(scene, deadline);
    if (horizon == 0) return dl_fail(err, DIFFLNS_STOPPED, "sampling: no time to measure the distances");
    if (share > 1) omp_set_max_active_levels(2); /* threads of a candidate inside those over candidates */
    int *visited = DL_ARRAY(int, model->schedule->steps + 1);
    int steps = dl_schedule_stride(
        model->schedule, options->steps > 0 ? options->steps : model->config.decoding.sampling_steps, visited);
    atomic_int finished = 0, failed = 0;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (int candidate = 0; candidate < options->candidates; candidate++) {
        chain c = begin_chain(model, scene, options, horizon, candidate);
        c.threads = share;
        if (!run_chain(&c, visited, steps, deadline, watch, candidate, &drafts[candidate])) {
            atomic_fetch_add(&failed, 1);
            free(c.log_probability);
        }
        end_chain(&c);
        int count = 1 + atomic_fetch_add(&finished, 1);
        if (omp_get_thread_num() == 0) dl_progress_report(progress, (uint64_t)count, (uint64_t)options->candidates, "");
    }
    free(visited);
    if (failed == 0) return DIFFLNS_OK;
    for (int candidate = 0; candidate < options->candidates; candidate++) dl_draft_free(&drafts[candidate]);
    return dl_fail(err, DIFFLNS_STOPPED, "sampling: no time for a single step of %d of %d drafts", failed,
                   options->candidates);
}
