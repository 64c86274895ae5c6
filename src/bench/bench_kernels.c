#include "bench/bench_kernels.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/rng.h"
#include "diffusion/denoiser.h"
#include "nn/gemm.h"

enum { SIDE = 23, PEAK_SIZE = 1024, MEASUREMENTS = 9 };

static double thread_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A team on random walks over an empty map: what a network's input looks like at the noisiest step. */
typedef struct sample {
    dl_denoiser_input input;
    dl_arena arena;
} sample;

static real *make_walks(dl_rng *rng, int agents, int horizon, const real *start, dl_arena *arena)
{
    static const int step[DL_ACTIONS][2] = {{0, 0}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    real *position = DL_ARENA_ARRAY(arena, real, 2 * (size_t)agents * (size_t)horizon);
    for (int i = 0; i < agents; i++) {
        real row = start[2 * i], column = start[2 * i + 1];
        for (int t = 0; t < horizon; t++) {
            const int *move = step[dl_rng_below(rng, DL_ACTIONS)];
            row += (real)move[0];
            column += (real)move[1];
            real *at = position + 2 * ((size_t)i * (size_t)horizon + (size_t)t);
            at[0] = row;
            at[1] = column;
        }
    }
    return position;
}

static sample *make_sample(const dl_config *config, int agents, int horizon)
{
    sample *s = DL_NEW(sample);
    dl_rng rng = dl_rng_stream(1, DL_PURPOSE('b', 'k', 'r', 'n'), (uint64_t)agents);
    size_t tokens = (size_t)agents * (size_t)horizon, features = (size_t)dl_config_features(config).count;
    int wanted = 1 + (int)(config->neighbor_ratio_high * (agents - 1));
    int neighbors = wanted > config->neighbors_max + 1 ? config->neighbors_max + 1 : wanted;
    real *row = DL_ARENA_ARRAY(&s->arena, real, tokens * features);
    for (size_t i = 0; i < tokens * features; i++) row[i] = (real)dl_rng_below(&rng, 2);
    real *places = DL_ARENA_ARRAY(&s->arena, real, 4 * (size_t)agents);
    for (int i = 0; i < 4 * agents; i++) places[i] = (real)dl_rng_below(&rng, SIDE);
    int32_t *neighbor = DL_ARENA_ARRAY(&s->arena, int32_t, (size_t)agents * (size_t)neighbors);
    for (int i = 0; i < agents; i++)
        for (int m = 0; m < neighbors; m++)
            neighbor[i * neighbors + m] = m == 0 ? i : (int32_t)dl_rng_below(&rng, (uint32_t)agents);
    real *map = dl_arena_calloc(&s->arena, sizeof(real) * 3 * SIDE * SIDE);
    for (int i = 0; i < SIDE * SIDE; i++) map[3 * i + 1] = 1;
    s->input = (dl_denoiser_input){.agents = agents,
                                   .horizon = horizon,
                                   .step = config->diffusion_steps,
                                   .features = row,
                                   .position = make_walks(&rng, agents, horizon, places, &s->arena),
                                   .entropy = dl_arena_calloc(&s->arena, sizeof(real) * tokens),
                                   .neighbors = neighbors,
                                   .neighbor = neighbor,
                                   .start = places,
                                   .goal = places + 2 * agents,
                                   .height = SIDE,
                                   .width = SIDE,
                                   .free_cells = SIDE * SIDE,
                                   .map = map};
    return s;
}

static void free_sample(sample *s)
{
    dl_arena_free(&s->arena);
    free(s);
}

/* The fastest of the repetitions that fit into `seconds`, at least two. */
static double fastest(double seconds, void (*run)(void *), void *job)
{
    double best = 1e30, spent = 0;
    for (int i = 0; i < 2 || spent < seconds; i++) {
        double begin = thread_seconds();
        run(job);
        double taken = thread_seconds() - begin;
        spent += taken;
        if (taken < best) best = taken;
    }
    return best;
}

static void multiply(void *job)
{
    real *m = job;
    size_t size = (size_t)PEAK_SIZE * PEAK_SIZE;
    dl_gemm(DL_PLAIN, DL_TRANSPOSED, PEAK_SIZE, PEAK_SIZE, PEAK_SIZE, m, PEAK_SIZE, m + size, PEAK_SIZE, 0,
            m + 2 * size, PEAK_SIZE);
}

/* Flops a second of a matrix product large enough to reach the machine's peak. */
static double gemm_peak(double seconds)
{
    real *matrices = DL_ARRAY(real, 3 * (size_t)PEAK_SIZE * PEAK_SIZE);
    for (size_t i = 0; i < 2 * (size_t)PEAK_SIZE * PEAK_SIZE; i++) matrices[i] = (real)(i % 7) - 3;
    dl_gemm_use_one_thread();
    double peak = 2.0 * PEAK_SIZE * PEAK_SIZE * PEAK_SIZE / fastest(seconds, multiply, matrices);
    free(matrices);
    return peak;
}

typedef struct network_job {
    dl_denoiser *net;
    real *parameters, *gradient, *logits;
    const dl_denoiser_input *input;
    dl_arena arena;
} network_job;

static void infer(void *context)
{
    network_job *job = context;
    dl_denoiser_infer(job->net, job->parameters, job->input, job->logits, &job->arena);
}

static void train(void *context)
{
    network_job *job = context;
    dl_arena_reset(&job->arena);
    memset(job->gradient, 0, sizeof(real) * dl_denoiser_parameters(job->net));
    dl_denoiser_pass *pass = dl_denoiser_forward(job->net, job->parameters, job->input, &job->arena);
    dl_denoiser_backward(job->net, job->parameters, pass, job->logits, job->gradient, &job->arena);
}

typedef struct measurement {
    const char *name;
    bool paper, training;
    int agents, horizon;
    double target; /* share of peak; 0 = none */
} measurement;

static const measurement TABLE[MEASUREMENTS] = {
    {"train paper", true, true, 64, 64, 0.50},     {"train compact", false, true, 64, 64, 0.40},
    {"sample paper", true, false, 312, 128, 0.60}, {"sample compact", false, false, 32, 128, 0},
    {"sample compact", false, false, 64, 128, 0},  {"sample compact", false, false, 190, 128, 0},
    {"sample compact", false, false, 312, 128, 0}, {"sample compact", false, false, 640, 128, 0},
    {"sample compact", false, false, 1000, 128, 0}};

static void measure(const measurement *m, double seconds, double peak, dl_text *csv)
{
    dl_config config = m->paper ? dl_config_paper() : dl_config_compact();
    sample *s = make_sample(&config, m->agents, m->horizon);
    network_job job = {.net = dl_denoiser_create(&config), .input = &s->input};
    job.parameters = DL_ARRAY(real, dl_denoiser_parameters(job.net));
    job.gradient = DL_ARRAY(real, dl_denoiser_parameters(job.net));
    size_t tokens = (size_t)m->agents * (size_t)m->horizon;
    job.logits = DL_ARRAY(real, tokens * (size_t)dl_config_classes(&config));
    dl_denoiser_initialize(job.net, 1, job.parameters);
    double taken = fastest(seconds, m->training ? train : infer, &job);
    double flops = (m->training ? 3 : 1) * dl_denoiser_flops(job.net, &s->input);
    dl_text_print(csv, "%s,%d,%d,%.5f,%.0f,%.2f,%.3f,%.0f,", m->name, m->agents, m->horizon, taken,
                  (double)tokens / taken, flops / taken * 1e-9, flops / taken / peak,
                  (double)dl_arena_capacity(&job.arena) / (1 << 20));
    dl_text_print(csv, m->target > 0 ? "%.2f\n" : "\n", m->target);
    dl_arena_free(&job.arena);
    free(job.parameters);
    free(job.gradient);
    free(job.logits);
    dl_denoiser_free(job.net);
    free_sample(s);
}

void dl_bench_kernels(double seconds, const dl_progress *progress, dl_text *csv)
{
    dl_text_print(csv, "name,agents,horizon,seconds,tokens_per_second,gigaflops,share_of_gemm_peak,megabytes,target\n");
    double peak = gemm_peak(seconds);
    dl_text_print(csv, "sgemm peak,,,,,%.2f,1.000,,\n", peak * 1e-9);
    for (int i = 0; i < MEASUREMENTS; i++) {
        dl_progress_report(progress, (uint64_t)i, MEASUREMENTS, TABLE[i].name);
        measure(&TABLE[i], seconds, peak, csv);
    }
}
