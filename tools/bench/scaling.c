#include "bench/scaling.h"

#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/output.h"
#include "diffusion/sampler.h"
#include "generate/generate.h"
#include "lns/repair.h"
#include "lns/slack.h"
#include "memory/need.h"

enum { STEPS = 4 };       /* sizes of a sweep, each twice the one before */
enum { ITERATIONS = 64 }; /* of repair in one measurement */
/* Growth below this many megabytes is noise of the allocator, not a law. */
static const double LEAST_MEGABYTES = 0.5;

/* The middle of the paper's sizes; a sweep replaces one of the three. */
static const struct {
    int agents, side, horizon;
} MIDDLE = {96, 33, 64};
static const int AGENTS[STEPS] = {39, 78, 156, 312}, SIDE[STEPS] = {17, 25, 33, 49},
                 HORIZON[STEPS] = {32, 64, 128, 256};

const char *dl_sweep_name(dl_sweep sweep)
{
    static const char *const NAME[DL_SWEEPS] = {"agents", "map", "horizon"};
    return NAME[sweep];
}

const char *dl_operation_name(dl_operation operation)
{
    static const char *const NAME[DL_OPERATIONS] = {"distances", "repair", "draft"};
    return NAME[operation];
}

double dl_scaling_size(const dl_scaling_point *point)
{
    return point->sweep == DL_SWEEP_AGENTS ? point->agents
           : point->sweep == DL_SWEEP_MAP  ? point->cells
                                           : point->horizon;
}

/* ---- one operation ---- */

/* What an operation works on. */
typedef struct job {
    const dl_instance *instance;
    const dl_model *model;
    dl_scene *scene;
    dl_planner *planner;
    dl_repair repair;
    uint64_t seed;
    int horizon;
} job;

static double fill_distances(job *j)
{
    double began = dl_thread_now();
    dl_distance *distance = needed(dl_distance_create(j->instance));
    for (int agent = 0; agent < j->instance->agents; agent++) {
        dl_distance_acquire(distance, agent);
        dl_distance_release(distance, agent);
    }
    double taken = dl_thread_now() - began;
    dl_distance_free(distance);
    return taken;
}

/* Seconds of one iteration, from shortest paths on. */
static double repair_a_little(job *j)
{
    dl_rng rng = dl_rng_stream(j->seed, DL_PURPOSE('s', 'c', 'a', 'l'), 0);
    dl_deadline none = dl_no_deadline();
    dl_slack_paths(j->planner, &rng, &(dl_slack){0});
    dl_repair_start(&j->repair, j->seed, 0, &none);
    double began = dl_thread_now();
    dl_repair_run(&j->repair, ITERATIONS, &none);
    double taken = dl_thread_now() - began;
    return j->repair.iterations > 0 ? taken / (double)j->repair.iterations : NAN;
}

/* Seconds of one pass of the network over a whole draft, and its decoding. */
static double sample_one_step(job *j)
{
    dl_sample_options options = dl_sample_defaults(j->model);
    options.steps = 1;
    options.horizon = j->horizon;
    options.threads = 1;
    options.seed = j->seed;
    dl_draft draft;
    dl_deadline none = dl_no_deadline();
    double began = dl_thread_now();
    if (dl_sample_drafts(j->model, j->scene, &options, &none, NULL, NULL, &draft, NULL) != DIFFLNS_OK) return NAN;
    double taken = dl_thread_now() - began;
    dl_draft_free(&draft);
    return taken;
}

static double (*const OPERATION[DL_OPERATIONS])(job *) = {fill_distances, repair_a_little, sample_one_step};

/* ---- memory ---- */

/* A line of /proc/self/status in megabytes, NaN where there is none. */
static double memory_line(const char *name)
{
    char line[256];
    double megabytes = NAN;
    FILE *stream = fopen("/proc/self/status", "r");
    while (stream && fgets(line, sizeof line, stream))
        if (strncmp(line, name, strlen(name)) == 0) megabytes = strtod(line + strlen(name), NULL) / 1024;
    if (stream) fclose(stream);
    return megabytes;
}

/* Linux forgets the highest mark when told so. */
static void forget_peak(void)
{
    malloc_trim(0);
    FILE *stream = fopen("/proc/self/clear_refs", "w");
    if (!stream) return;
    fputs("5", stream);
    fclose(stream);
}

/* ---- one point ---- */

static void open_job(job *j, dl_operation operation)
{
    if (operation == DL_OPERATION_DISTANCES) return;
    j->scene = needed(dl_scene_create(j->instance));
    if (operation == DL_OPERATION_DRAFT) return;
    dl_distance_lower_bound(j->scene->distance);
    j->planner = needed(dl_planner_create(j->instance, j->scene->distance, DL_ENGINE_AUTO));
    need(dl_repair_begin(&j->repair, j->planner, &DL_REPAIR_DEFAULTS));
}

static void close_job(job *j)
{
    if (j->planner) {
        dl_repair_end(&j->repair);
        dl_planner_free(j->planner);
    }
    if (j->scene) dl_scene_free(j->scene);
}

static void measure(job *j, double seconds, dl_scaling_point *point)
{
    forget_peak();
    double before = memory_line("VmRSS:"), best = INFINITY, until = dl_now() + seconds;
    open_job(j, point->operation);
    do best = fmin(best, OPERATION[point->operation](j)); /* fmin passes over NaN */
    while (dl_now() < until);
    point->seconds = isfinite(best) ? best : NAN;
    point->megabytes = fmax(0, memory_line("VmHWM:") - before);
    if (isnan(before)) point->megabytes = NAN;
    close_job(j);
}

static dl_status make_maze(int side, int agents, uint64_t seed, dl_instance **out, dl_error *err)
{
    dl_generate_params params;
    dl_generator_scratch scratch = {0};
    DL_TRY(dl_generate_preset("medium-maze", &params, err));
    params.height = params.width = side;
    params.agents = agents;
    dl_status status = dl_generate(&params, seed, &scratch, out, err);
    dl_generator_scratch_free(&scratch);
    return status;
}

static bool makes_sense(dl_sweep sweep, dl_operation operation)
{
    return sweep != DL_SWEEP_HORIZON || operation == DL_OPERATION_DRAFT;
}

dl_status dl_scaling_measure(double seconds, uint64_t seed, const dl_progress *progress, dl_scaling *out, dl_error *err)
{
    dl_config config = dl_config_compact();
    dl_model *model = dl_model_create(&config);
    dl_status status = DIFFLNS_OK;
    *out = (dl_scaling){0};
    for (int index = 0; index < DL_SWEEPS * DL_OPERATIONS * STEPS && status == DIFFLNS_OK; index++) {
        dl_scaling_point point = {.sweep = (dl_sweep)(index / (DL_OPERATIONS * STEPS)),
                                  .operation = (dl_operation)(index / STEPS % DL_OPERATIONS),
                                  .agents = MIDDLE.agents,
                                  .side = MIDDLE.side,
                                  .horizon = MIDDLE.horizon};
        if (!makes_sense(point.sweep, point.operation)) continue;
        if (point.sweep == DL_SWEEP_AGENTS) point.agents = AGENTS[index % STEPS];
        if (point.sweep == DL_SWEEP_MAP) point.side = SIDE[index % STEPS];
        if (point.sweep == DL_SWEEP_HORIZON) point.horizon = HORIZON[index % STEPS];
        dl_progress_report(progress, (uint64_t)index, DL_SWEEPS * DL_OPERATIONS * STEPS,
                           dl_operation_name(point.operation));
        dl_instance *instance;
        status = make_maze(point.side, point.agents, seed, &instance, err);
        if (status != DIFFLNS_OK) break;
        point.cells = instance->grid->cells;
        job j = {.instance = instance, .model = model, .seed = seed, .horizon = point.horizon};
        measure(&j, seconds, &point);
        dl_instance_free(instance);
        need(DL_GROW(out->point, out->room, out->count + 1));
        out->point[out->count++] = point;
    }
    dl_model_free(model);
    return status;
}

void dl_scaling_free(dl_scaling *scaling)
{
    free(scaling->point);
    *scaling = (dl_scaling){0};
}

/* ---- laws ---- */

dl_estimate dl_scaling_exponent(const dl_scaling *scaling, dl_sweep sweep, dl_operation operation, int of_memory)
{
    double x[STEPS], y[STEPS];
    int count = 0;
    for (int i = 0; i < scaling->count && count < STEPS; i++) {
        const dl_scaling_point *point = &scaling->point[i];
        double value = of_memory ? point->megabytes : point->seconds;
        if (point->sweep != sweep || point->operation != operation) continue;
        if (!(value > (of_memory ? LEAST_MEGABYTES : 0))) continue;
        x[count] = dl_scaling_size(point);
        y[count++] = value;
    }
    return dl_power_law(x, y, count);
}

static void write_points(const dl_scaling *scaling, FILE *stream)
{
    fputs("sweep,operation,agents,side,cells,horizon,seconds,megabytes\n", stream);
    for (int i = 0; i < scaling->count; i++) {
        const dl_scaling_point *p = &scaling->point[i];
        fprintf(stream, "%s,%s,%d,%d,%d,%d,%.3e,", dl_sweep_name(p->sweep), dl_operation_name(p->operation), p->agents,
                p->side, p->cells, p->horizon, p->seconds);
        if (isfinite(p->megabytes)) fprintf(stream, "%.2f", p->megabytes);
        fputc('\n', stream);
    }
}

static void write_exponent(FILE *stream, const dl_estimate *e)
{
    if (isfinite(e->value))
        fprintf(stream, ",%.3f", e->value);
    else
        fputc(',', stream);
    if (isfinite(e->low))
        fprintf(stream, ",%.3f,%.3f", e->low, e->high);
    else
        fputs(",,", stream);
}

static void write_laws(const dl_scaling *scaling, FILE *stream)
{
    fputs("sweep,operation,time_exponent,time_low,time_high,memory_exponent,memory_low,memory_high\n", stream);
    for (int sweep = 0; sweep < DL_SWEEPS; sweep++)
        for (int operation = 0; operation < DL_OPERATIONS; operation++) {
            if (!makes_sense((dl_sweep)sweep, (dl_operation)operation)) continue;
            dl_estimate time = dl_scaling_exponent(scaling, (dl_sweep)sweep, (dl_operation)operation, 0);
            dl_estimate memory = dl_scaling_exponent(scaling, (dl_sweep)sweep, (dl_operation)operation, 1);
            fprintf(stream, "%s,%s", dl_sweep_name((dl_sweep)sweep), dl_operation_name((dl_operation)operation));
            write_exponent(stream, &time);
            write_exponent(stream, &memory);
            fputc('\n', stream);
        }
}

static dl_status write_file(const dl_scaling *scaling, const char *folder, const char *name,
                            void (*write)(const dl_scaling *, FILE *), dl_error *err)
{
    dl_output out;
    DL_TRY(dl_output_open_inside(&out, folder, name, err));
    write(scaling, out.stream);
    return dl_output_commit(&out, err);
}

dl_status dl_scaling_write(const dl_scaling *scaling, const char *folder, dl_error *err)
{
    DL_TRY(write_file(scaling, folder, "results.csv", write_points, err));
    return write_file(scaling, folder, "summary.csv", write_laws, err);
}
