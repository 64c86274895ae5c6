#include "bench/bench_kernels.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/deadline.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/parallel.h"
#include "base/rng.h"
#include "base/text.h"
#include "diffusion/sampler.h"
#include "generate/generate.h"
#include "memory/need.h"
#include "nn/gemm.h"

enum { SIDE = 23, PEAK_SIZE = 1024, THREADS = 2, TURNS = 5, BATCH = 4 };

/* A team on random walks over an empty map: what a network's input looks like at the noisiest step. */
typedef struct sample {
    dl_denoiser_input input;
    dl_arena arena;
} sample;

static real *make_walks(dl_rng *rng, int agents, int horizon, const real *start, dl_arena *arena)
{
    static const int step[DL_ACTIONS][2] = {{0, 0}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    real *position = needed(DL_ARENA_ARRAY(arena, real, 2 * (size_t)agents * (size_t)horizon));
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
    sample *s = needed(DL_NEW(sample));
    dl_rng rng = dl_rng_stream(1, DL_PURPOSE('b', 'k', 'r', 'n'), (uint64_t)agents);
    size_t tokens = (size_t)agents * (size_t)horizon, features = (size_t)dl_config_features(config).count;
    int wanted = 1 + (int)(config->network.neighbor_ratio_high * (agents - 1));
    int neighbors = wanted > config->network.neighbors_max + 1 ? config->network.neighbors_max + 1 : wanted;
    real *row = needed(DL_ARENA_ARRAY(&s->arena, real, tokens * features));
    for (size_t i = 0; i < tokens * features; i++) row[i] = (real)dl_rng_below(&rng, 2);
    real *places = needed(DL_ARENA_ARRAY(&s->arena, real, 4 * (size_t)agents));
    for (int i = 0; i < 4 * agents; i++) places[i] = (real)dl_rng_below(&rng, SIDE);
    int32_t *neighbor = needed(DL_ARENA_ARRAY(&s->arena, int32_t, (size_t)agents * (size_t)neighbors));
    for (int i = 0; i < agents; i++)
        for (int m = 0; m < neighbors; m++)
            neighbor[i * neighbors + m] = m == 0 ? i : (int32_t)dl_rng_below(&rng, (uint32_t)agents);
    real *map = needed(dl_arena_calloc(&s->arena, sizeof(real) * 3 * SIDE * SIDE));
    for (int i = 0; i < SIDE * SIDE; i++) map[3 * i + 1] = 1;
    s->input = (dl_denoiser_input){.agents = agents,
                                   .horizon = horizon,
                                   .step = config->diffusion.diffusion_steps,
                                   .features = row,
                                   .position = make_walks(&rng, agents, horizon, places, &s->arena),
                                   .entropy = needed(dl_arena_calloc(&s->arena, sizeof(real) * tokens)),
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

/* A matrix product large enough to reach the machine's peak. */
static void multiply(real *m)
{
    size_t size = (size_t)PEAK_SIZE * PEAK_SIZE;
    dl_gemm(DL_PLAIN, DL_TRANSPOSED, PEAK_SIZE, PEAK_SIZE, PEAK_SIZE, m, PEAK_SIZE, m + size, PEAK_SIZE, false,
            m + 2 * size, PEAK_SIZE);
}

typedef struct timing {
    double seconds; /* of one run of the job, on average */
    double peak;    /* flops per second of the matrix product */
} timing;

/* Runs the job for about `seconds`, after a first run that does not count, and takes the yardstick between runs: what
 * disturbs the one disturbs the other, so their ratio holds on a busy machine too. */
static timing time_beside_gemm(double seconds, void (*run)(void *), void *job)
{
    size_t numbers = 3 * (size_t)PEAK_SIZE * PEAK_SIZE;
    real *matrices = needed(dl_aligned(sizeof(real) * numbers));
    for (size_t i = 0; i < numbers; i++) matrices[i] = (real)(i % 7) - 3;
    double job_seconds = 0, gemm_seconds = 0;
    int runs = 0, products = 0;
    run(job);
    multiply(matrices);
    while (runs < 2 || job_seconds < seconds) {
        double begin = dl_thread_now();
        run(job);
        job_seconds += dl_thread_now() - begin;
        runs++;
        while (gemm_seconds < job_seconds / 2) {
            begin = dl_thread_now();
            multiply(matrices);
            gemm_seconds += dl_thread_now() - begin;
            products++;
        }
    }
    free(matrices);
    return (timing){job_seconds / runs, 2.0 * PEAK_SIZE * PEAK_SIZE * PEAK_SIZE * products / gemm_seconds};
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
    if (dl_denoiser_infer(job->net, job->parameters, job->input, job->logits, &job->arena) != DIFFLNS_OK) abort();
}

static void train(void *context)
{
    network_job *job = context;
    dl_arena_reset(&job->arena);
    memset(job->gradient, 0, sizeof(real) * dl_denoiser_parameters(job->net));
    dl_denoiser_pass *pass = dl_denoiser_forward(job->net, job->parameters, job->input, &job->arena);
    if (!dl_denoiser_backward(job->net, job->parameters, pass, job->logits, job->gradient, &job->arena)) abort();
}

typedef struct measurement {
    const char *name;
    bool paper, training;
    int agents, horizon;
    double target; /* share of peak; 0 = none */
} measurement;

static const measurement TABLE[] = {
    {"train paper", true, true, 64, 64, 0.50},     {"train compact", false, true, 64, 64, 0.40},
    {"sample paper", true, false, 312, 128, 0.60}, {"sample compact", false, false, 32, 128, 0},
    {"sample compact", false, false, 64, 128, 0},  {"sample compact", false, false, 190, 128, 0},
    {"sample compact", false, false, 312, 128, 0}, {"sample compact", false, false, 640, 128, 0},
    {"sample compact", false, false, 1000, 128, 0}};
enum { MEASUREMENTS = sizeof TABLE / sizeof TABLE[0] };

static network_job begin_job(const dl_config *config, const sample *s)
{
    network_job job = {.net = needed(dl_denoiser_create(config)), .input = &s->input};
    size_t tokens = (size_t)s->input.agents * (size_t)s->input.horizon;
    job.parameters = needed(DL_ARRAY(real, dl_denoiser_parameters(job.net)));
    job.gradient = needed(DL_ARRAY(real, dl_denoiser_parameters(job.net)));
    job.logits = needed(DL_ARRAY(real, tokens * DL_ACTIONS));
    dl_denoiser_initialize(job.net, 1, job.parameters);
    return job;
}

static void end_job(network_job *job)
{
    dl_arena_free(&job->arena);
    free(job->parameters);
    free(job->gradient);
    free(job->logits);
    dl_denoiser_free(job->net);
}

static void print_line(FILE *table, dl_text *csv, const measurement *m, timing t, double flops, double megabytes)
{
    double rate = (double)m->agents * m->horizon / t.seconds, speed = flops / t.seconds;
    fprintf(table, "%-16s %6d %8d %9.4f %10.0f %9.1f %6.1f %8.0f%%", m->name, m->agents, m->horizon, t.seconds, rate,
            speed * 1e-9, t.peak * 1e-9, 100 * speed / t.peak);
    if (m->target > 0) fprintf(table, "%7.0f%%", 100 * m->target);
    fputc('\n', table);
    dl_text_print(csv, "%s,%d,%d,%.6f,%.0f,%.3f,%.3f,%.4f,%.0f,%g\n", m->name, m->agents, m->horizon, t.seconds, rate,
                  speed * 1e-9, t.peak * 1e-9, speed / t.peak, megabytes, m->target);
}

static void measure(const measurement *m, double seconds, FILE *table, dl_text *csv)
{
    dl_config config = m->paper ? dl_config_paper() : dl_config_compact();
    sample *s = make_sample(&config, m->agents, m->horizon);
    network_job job = begin_job(&config, s);
    timing taken = time_beside_gemm(seconds, m->training ? train : infer, &job);
    double flops = (m->training ? 3 : 1) * dl_denoiser_flops(job.net, &s->input);
    print_line(table, csv, m, taken, flops, (double)dl_arena_capacity(&job.arena) / (1 << 20));
    end_job(&job);
    free_sample(s);
}

typedef struct gain_turn {
    network_job *job; /* [THREADS] */
    double seconds;
    pthread_barrier_t warm;
    double spent[THREADS];
    int steps[THREADS];
} gain_turn;

static void take_turn(void *context, int thread)
{
    gain_turn *t = context;
    network_job *own = &t->job[thread];
    train(own);
    pthread_barrier_wait(&t->warm);
    double begin = dl_thread_now();
    while (t->spent[thread] < t->seconds) {
        train(own);
        t->steps[thread]++;
        t->spent[thread] = dl_thread_now() - begin;
    }
}

/* How many times one thread's samples THREADS threads make, each on a sample of its own. Told by the CPU time each
 * takes for a step: threads share caches and memory, nothing else, and waiting for a busy machine does not count. */
static double thread_gain(double seconds)
{
    dl_config config = dl_config_compact();
    sample *s = make_sample(&config, 64, 64);
    network_job job[THREADS];
    for (int i = 0; i < THREADS; i++) job[i] = begin_job(&config, s);
    double spent[THREADS + 1] = {0};
    int steps[THREADS + 1] = {0};
    for (int turn = 0; turn < TURNS * THREADS; turn++) { /* in turns, so that both see the same machine */
        int threads = 1 + turn % THREADS;
        gain_turn t = {.job = job, .seconds = seconds / TURNS};
        pthread_barrier_init(&t.warm, NULL, (unsigned)threads);
        dl_parallel_for(threads, threads, take_turn, &t);
        pthread_barrier_destroy(&t.warm);
        for (int i = 0; i < threads; i++) {
            spent[threads] += t.spent[i];
            steps[threads] += t.steps[i];
        }
    }
    for (int i = 0; i < THREADS; i++) end_job(&job[i]);
    free_sample(s);
    return THREADS * (spent[1] / steps[1]) / (spent[THREADS] / steps[THREADS]);
}

/* BATCH drafts of an untrained compact model for 190 agents, with everything the sampler does. */
static dl_status measure_drafts(FILE *table, dl_text *csv, dl_error *err)
{
    enum { AGENTS = 190, HORIZON = 128 };
    dl_generate_params params;
    dl_generator_scratch scratch = {0};
    dl_instance *instance;
    DL_TRY(dl_generate_preset("medium-room", &params, err));
    params.agents = AGENTS;
    DL_TRY(dl_generate(&params, 1, &scratch, &instance, err));
    dl_generator_scratch_free(&scratch);
    dl_config config = dl_config_compact();
    dl_model *model = dl_model_create(&config);
    dl_scene *scene = needed(dl_scene_create(instance));
    dl_sample_options options = dl_sample_defaults(model);
    options.candidates = BATCH;
    options.horizon = HORIZON;
    options.threads = THREADS;
    dl_deadline deadline = dl_no_deadline();
    dl_draft drafts[BATCH];
    double begin = dl_now(), cpu = dl_process_now();
    dl_status status = dl_sample_drafts(model, scene, &options, &deadline, NULL, NULL, drafts, err);
    double wall = dl_now() - begin;
    cpu = (dl_process_now() - cpu) / THREADS;
    if (status == DIFFLNS_OK) {
        struct rusage usage;
        getrusage(RUSAGE_SELF, &usage);
        double megabytes = (double)usage.ru_maxrss / 1024;
        fprintf(table, "%d drafts, %d agents, %d timesteps, %d steps: %.2f s, CPU time / %d: %.2f s (target 5 s); ",
                BATCH, AGENTS, HORIZON, config.decoding.sampling_steps, wall, THREADS, cpu);
        fprintf(table, "peak memory of the whole run %.0f MB (target 2048 MB)\n", megabytes);
        dl_text_print(csv, "draft batch,%d,%d,%.3f,,,,,%.0f,5\n", AGENTS, HORIZON, cpu, megabytes);
        for (int i = 0; i < BATCH; i++) dl_draft_free(&drafts[i]);
    }
    dl_scene_free(scene);
    dl_model_free(model);
    dl_instance_free(instance);
    return status;
}

static dl_status write_csv(const char *folder, const dl_text *csv, dl_error *err)
{
    dl_output out;
    need(!csv->cut);
    DL_TRY(dl_output_open_inside(&out, folder, "results.csv", err));
    fwrite(csv->data, 1, csv->size, out.stream);
    return dl_output_commit(&out, err);
}

dl_status dl_bench_kernels_run(const dl_bench_kernels *bench, FILE *table, const dl_progress *progress, dl_error *err)
{
    dl_text csv = {0};
    dl_text_print(
        &csv,
        "name,agents,horizon,seconds,tokens_per_second,gigaflops,sgemm_gigaflops,share_of_peak,megabytes,target\n");
    fprintf(table, "%-16s %6s %8s %9s %10s %9s %6s %9s %7s\n", "one thread", "agents", "horizon", "seconds", "tokens/s",
            "GFLOP/s", "sgemm", "of peak", "target");
    for (int i = 0; i < MEASUREMENTS; i++) {
        dl_progress_report(progress, (uint64_t)i, MEASUREMENTS, TABLE[i].name);
        measure(&TABLE[i], bench->seconds, table, &csv);
    }
    dl_progress_report(progress, MEASUREMENTS, MEASUREMENTS, "");
    fprintf(table, "train compact: %d threads are %.2f times one (target 1.90)\n", THREADS,
            thread_gain(bench->seconds));
    dl_status status = measure_drafts(table, &csv, err);
    if (status == DIFFLNS_OK && bench->out) status = write_csv(bench->out, &csv, err);
    dl_text_free(&csv);
    return status;
}
