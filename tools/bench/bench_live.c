#include "bench/bench_live.h"

#include <stdlib.h>
#include <string.h>

#include "base/deadline.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/rng.h"
#include "bench/figures.h"
#include "generate/generate.h"
#include "live/simulation.h"
#include "memory/need.h"
#include "solver/solve.h"

/* Maps nobody has tuned on. */
static const uint64_t FRESH_SEEDS = 720000000;
static const double LEAST_SHARE = 0.2, SHARE_STEP = 0.1;
enum { SEEDS = 3, TICKS = 200, DEADLINE_MS = 100 };

const char *dl_live_method_name(dl_live_method method)
{
    static const char *const NAME[DL_LIVE_METHODS] = {"windowed repair", "PIBT alone", "one-shot each tick"};
    return NAME[method];
}

/* What they are called on the command line. */
static const char *const KEY[DL_LIVE_METHODS] = {"windowed", "pibt", "one-shot"};

static dl_status read_methods(const char *names, bool *has, dl_error *err)
{
    for (int method = 0; method < DL_LIVE_METHODS; method++) has[method] = !names;
    if (!names) return DIFFLNS_OK;
    char *copy = needed(dl_strdup(names)), *rest = copy;
    dl_status status = DIFFLNS_OK;
    for (char *word; status == DIFFLNS_OK && (word = strsep(&rest, ","));) {
        int method = 0;
        while (method < DL_LIVE_METHODS && strcmp(KEY[method], word) != 0) method++;
        if (method < DL_LIVE_METHODS)
            has[method] = true;
        else
            status = dl_fail(err, DIFFLNS_BAD_INPUT, "methods: \"%.40s\": expected windowed, pibt or one-shot", word);
    }
    free(copy);
    return status;
}

/* One run of one method. */
typedef struct outcome {
    double throughput, p50, p99;
} outcome;

static dl_status run_fleet(const dl_bench_live *bench, dl_instance *instance, dl_live_method method, uint64_t seed,
                           outcome *out, dl_error *err)
{
    dl_live_settings settings = {.map = instance->map,
                                 .robots = instance->agents,
                                 .ticks = bench->ticks,
                                 .deadline = bench->deadline,
                                 .iterations = bench->iterations > 0 ? bench->iterations : -1,
                                 .seed = seed};
    if (method == DL_LIVE_PIBT) settings.iterations = 0;
    dl_live_run run;
    dl_status status = dl_live_simulate(&settings, false, NULL, &run, err);
    if (status == DIFFLNS_OK && run.collisions > 0) status = dl_fail(err, DIFFLNS_INTERNAL, "bench live: a collision");
    if (status == DIFFLNS_OK)
        *out = (outcome){(double)run.reached / (double)run.ticks, dl_live_percentile(&run, DL_LIVE_WALL, 0.5),
                         dl_live_percentile(&run, DL_LIVE_WALL, 0.99)};
    dl_live_run_free(&run);
    return status;
}

/* ---- One-shot: everybody's way to its goal is planned from nothing in every tick ---- */

typedef struct one_shot {
    dl_instance *instance; /* whose map it is */
    dl_task *task;         /* [agents]: where they are, where they go; goals are distinct */
    bool *wanted;          /* [cells] somebody's goal */
    dl_rng rng;
    dl_scratch scratch;
    double seconds; /* of a solve */
} one_shot;

static void draw_goal(one_shot *s, int agent)
{
    const dl_grid *grid = s->instance->grid;
    int part = dl_grid_largest_component(grid);
    dl_cell cell, old = dl_grid_cell(grid, s->task[agent].goal.row, s->task[agent].goal.col);
    do {
        cell = (dl_cell)dl_rng_below(&s->rng, (uint32_t)grid->cells);
    } while (s->wanted[cell] || grid->component[cell] != part);
    s->wanted[old] = false;
    s->wanted[cell] = true;
    s->task[agent].goal = dl_grid_position(grid, cell);
}

/* Without a plan in time everybody waits. */
static dl_status step(one_shot *s, int64_t *reached, dl_error *err)
{
    dl_instance *now;
    int agents = s->instance->agents;
    DL_TRY(dl_instance_create_on(s->instance->map, "live.map", "live", agents, s->task, &now, err));
    dl_options options;
    dl_options_default(&options);
    options.time = s->seconds;
    options.threads = 1;
    options.stop = DL_STOP_FIRST;
    dl_solve_input input = {.instance = now, .options = &options, .scratch = &s->scratch};
    dl_plan *plan;
    dl_report report;
    dl_status status = dl_solve(&input, &plan, &report, err);
    if (status == DIFFLNS_UNSOLVED || status == DIFFLNS_UNSOLVABLE) status = DIFFLNS_OK;
    for (int agent = 0; agent < agents && plan; agent++) s->task[agent].start = dl_path_at(&plan->path[agent], 1);
    for (int agent = 0; agent < agents; agent++) {
        difflns_cell at = s->task[agent].start, goal = s->task[agent].goal;
        if (at.row != goal.row || at.col != goal.col) continue;
        ++*reached;
        draw_goal(s, agent);
    }
    dl_plan_free(plan);
    dl_report_free(&report);
    dl_instance_free(now);
    return status;
}

static dl_status run_one_shot(const dl_bench_live *bench, dl_instance *instance, uint64_t seed, outcome *out,
                              dl_error *err)
{
    one_shot s = {.instance = instance, .rng = dl_rng_stream(seed, DL_PURPOSE('b', 'o', 'n', 'e'), 0)};
    s.seconds = 1e-3 * bench->deadline;
    s.task = needed(DL_ARRAY(dl_task, instance->agents));
    s.wanted = needed(DL_ARRAY(bool, instance->grid->cells));
    dl_live_run run = {.ticks = bench->ticks, .tick = needed(DL_ARRAY(dl_live_tick, bench->ticks))};
    for (int agent = 0; agent < instance->agents; agent++) {
        s.task[agent].start = dl_grid_position(instance->grid, instance->start[agent]);
        s.task[agent].goal = dl_grid_position(instance->grid, instance->goal[agent]);
        s.wanted[instance->goal[agent]] = true;
    }
    dl_status status = DIFFLNS_OK;
    for (int tick = 0; tick < bench->ticks && status == DIFFLNS_OK; tick++) {
        double began = dl_now();
        status = step(&s, &run.reached, err);
        run.tick[tick].plan_ms = 1e3 * (dl_now() - began);
    }
    *out = (outcome){(double)run.reached / bench->ticks, dl_live_percentile(&run, DL_LIVE_WALL, 0.5),
                     dl_live_percentile(&run, DL_LIVE_WALL, 0.99)};
    dl_live_run_free(&run);
    dl_scratch_free(&s.scratch);
    free(s.task);
    free(s.wanted);
    return status;
}

/* ---- The experiment ---- */

static dl_status generate(const dl_bench_live *bench, double share, uint64_t seed, dl_instance **out, dl_error *err)
{
    dl_generate_params params;
    dl_generator_scratch scratch = {0};
    DL_TRY(dl_generate_preset(bench->family, &params, err));
    params.agents = 1;
    dl_status status = dl_generate(&params, seed, &scratch, out, err);
    if (status == DIFFLNS_OK) { /* the map says how many fit */
        const dl_grid *grid = (*out)->grid;
        params.agents = (int)(share * grid->component_size[dl_grid_largest_component(grid)]);
        dl_instance_free(*out);
        status = dl_generate(&params, seed, &scratch, out, err);
    }
    dl_generator_scratch_free(&scratch);
    return status;
}

static dl_status measure(const dl_bench_live *bench, dl_live_method method, double share, dl_live_point *point,
                         dl_error *err)
{
    double *each = needed(DL_ARRAY(double, bench->seeds));
    dl_status status = DIFFLNS_OK;
    *point = (dl_live_point){.share = share};
    for (int i = 0; i < bench->seeds && status == DIFFLNS_OK; i++) {
        uint64_t seed = FRESH_SEEDS + bench->seed + (uint64_t)i;
        dl_instance *instance;
        outcome out = {0};
        status = generate(bench, share, seed, &instance, err);
        if (status != DIFFLNS_OK) break;
        status = method == DL_LIVE_ONE_SHOT ? run_one_shot(bench, instance, seed, &out, err)
                                            : run_fleet(bench, instance, method, seed, &out, err);
        point->robots = instance->agents;
        each[i] = out.throughput;
        if (out.p50 > point->plan_ms_p50) point->plan_ms_p50 = out.p50;
        if (out.p99 > point->plan_ms_p99) point->plan_ms_p99 = out.p99;
        dl_instance_free(instance);
    }
    if (status == DIFFLNS_OK) point->throughput = dl_mean(each, bench->seeds);
    free(each);
    return status;
}

dl_status dl_bench_live_run(const dl_bench_live *bench, FILE *table, const dl_progress *progress,
                            dl_live_results *results, dl_error *err)
{
    dl_bench_live b = *bench;
    if (b.seeds == 0) b.seeds = SEEDS;
    if (b.ticks == 0) b.ticks = TICKS;
    if (b.deadline <= 0) b.deadline = DEADLINE_MS;
    DL_TRY(read_methods(b.methods, results->has, err));
    fprintf(table, "%-20s %6s %6s %18s %10s %10s\n", "method", "robots", "share", "goals per tick", "p50 ms", "p99 ms");
    for (int k = 0; k < DL_LIVE_DENSITIES; k++)
        for (int method = 0; method < DL_LIVE_METHODS; method++) {
            if (!results->has[method]) continue;
            dl_live_point *point = &results->point[method][k];
            DL_TRY(measure(&b, (dl_live_method)method, LEAST_SHARE + SHARE_STEP * k, point, err));
            fprintf(table, "%-20s %6d %5.0f%% %6.3f", dl_live_method_name((dl_live_method)method), point->robots,
                    100 * point->share, point->throughput.value);
            dl_figure_print(table, 5, point->throughput.low, 2);
            dl_figure_print(table, 5, point->throughput.high, 2);
            fprintf(table, " %10.2f %10.2f\n", point->plan_ms_p50, point->plan_ms_p99);
            fflush(table);
            dl_progress_report(progress, (uint64_t)k * DL_LIVE_METHODS + (uint64_t)method + 1,
                               DL_LIVE_DENSITIES * DL_LIVE_METHODS, dl_live_method_name((dl_live_method)method));
        }
    return DIFFLNS_OK;
}

dl_status dl_bench_live_write(const dl_live_results *results, const char *folder, dl_error *err)
{
    dl_output out;
    DL_TRY(dl_output_open_inside(&out, folder, "results.csv", err));
    fprintf(out.stream, "method,robots,share,throughput,low,high,plan_ms_p50,plan_ms_p99\n");
    for (int method = 0; method < DL_LIVE_METHODS; method++)
        for (int k = 0; k < DL_LIVE_DENSITIES && results->has[method]; k++) {
            const dl_live_point *p = &results->point[method][k];
            fprintf(out.stream, "%s,%d,%.2f,%.4f", dl_live_method_name((dl_live_method)method), p->robots, p->share,
                    p->throughput.value);
            dl_figure_write(out.stream, p->throughput.low, 4);
            dl_figure_write(out.stream, p->throughput.high, 4);
            fprintf(out.stream, ",%.3f,%.3f\n", p->plan_ms_p50, p->plan_ms_p99);
        }
    return dl_output_commit(&out, err);
}
