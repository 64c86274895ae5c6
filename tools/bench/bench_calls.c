#include "bench/bench_calls.h"

#include <stdlib.h>
#include <string.h>

#include "base/choice.h"
#include "base/deadline.h"
#include "base/memory.h"
#include "base/output.h"
#include "generate/generate.h"
#include "mapf/check.h"
#include "memory/need.h"
#include "solver/solve.h"
#include "start/start.h"

/* Instances nobody has trained or tuned on. */
static const uint64_t FRESH_SEEDS = 710000000;
enum { FEWEST_CALLS = 5, MOST_CALLS = 2000, COLD_CALLS = 5 };

static const struct setting {
    const char *name;
    int side, agents;
} SETTINGS[] = {{"25x25", 25, 100}, {"256x256", 256, 500}};
enum { ROWS = sizeof SETTINGS / sizeof SETTINGS[0] };

typedef struct row {
    double cold, warm, late; /* seconds a call: the median */
    int calls;               /* warm ones */
} row;

/* One instance, as a caller holds it. */
typedef struct world {
    dl_instance *instance;
    dl_task *tasks; /* [agents]: what it was made from */
    dl_plan *plan;  /* valid */
    dl_plan *late;  /* the same with an agent that waits first, so that another runs into it */
} world;

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, by_size);
    return values[count / 2];
}

static dl_status generate(const dl_bench_calls *bench, const struct setting *setting, dl_instance **out, dl_error *err)
{
    dl_generate_params params;
    dl_generator_scratch scratch = {0};
    DL_TRY(dl_generate_preset("small-random", &params, err));
    params.height = params.width = setting->side;
    params.agents = setting->agents;
    dl_status status = dl_generate(&params, FRESH_SEEDS + bench->seed, &scratch, out, err);
    dl_generator_scratch_free(&scratch);
    return status;
}

/* A solve that ends with the first plan. */
static dl_status solve(const dl_instance *instance, const dl_plan *from, dl_scratch *scratch, dl_plan **plan,
                       dl_error *err)
{
    dl_options options;
    dl_options_default(&options);
    options.stop = DL_STOP_FIRST;
    options.init = dl_choice_index(DL_START_CHOICES, from ? "plan" : DL_START_AUTO);
    dl_solve_input input = {.instance = instance, .options = &options, .init_plan = from, .scratch = scratch};
    dl_report report;
    dl_status status = dl_solve(&input, plan, &report, err);
    dl_report_free(&report);
    return status;
}

/* What a controller does in its loop: says where everybody is and wants to go, and gets a plan. */
static dl_status call(const world *w, dl_map *map, const dl_plan *from, dl_scratch *scratch, double *seconds,
                      dl_error *err)
{
    double began = dl_now();
    dl_instance *instance;
    dl_plan *plan = NULL;
    DL_TRY(dl_instance_create_on(map, "calls.map", "calls", w->instance->agents, w->tasks, &instance, err));
    dl_status status = solve(instance, from, scratch, &plan, err);
    dl_instance_free(instance);
    dl_plan_free(plan);
    *seconds = dl_now() - began;
    return status;
}

static dl_status call_cold(const world *w, double *seconds, dl_error *err)
{
    const dl_grid *grid = w->instance->grid;
    double median_of[COLD_CALLS];
    for (int i = 0; i < COLD_CALLS; i++) {
        dl_grid *copy;
        DL_TRY(dl_grid_create(grid->height, grid->width, grid->blocked, &copy, err));
        dl_map *map = needed(dl_map_create(copy));
        dl_status status = call(w, map, w->plan, NULL, &median_of[i], err);
        dl_map_free(map);
        DL_TRY(status);
    }
    *seconds = median(median_of, COLD_CALLS);
    return DIFFLNS_OK;
}

static dl_status call_warm(const dl_bench_calls *bench, const world *w, const dl_plan *from, double *seconds,
                           int *calls, dl_error *err)
{
    double *each = needed(DL_ARRAY(double, MOST_CALLS)), began = dl_now();
    dl_scratch scratch = {0};
    dl_status status = call(w, w->instance->map, from, &scratch, &each[0], err); /* warms up */
    int count = 0;
    for (; count < MOST_CALLS && status == DIFFLNS_OK; count++) {
        if (count >= FEWEST_CALLS && dl_now() - began > bench->seconds) break;
        status = call(w, w->instance->map, from, &scratch, &each[count], err);
    }
    dl_scratch_free(&scratch);
    *calls = count;
    *seconds = count > 0 ? median(each, count) : 0;
    free(each);
    return status;
}

/* Delays one agent after the other by a step until the plan collides. */
static dl_plan *delay_somebody(const dl_instance *instance, const dl_plan *plan)
{
    for (int agent = 0; agent < plan->agents; agent++) {
        dl_plan *late = needed(dl_plan_copy(plan));
        dl_path *path = &late->path[agent];
        need(dl_path_append(path, path->at[path->length - 1]));
        memmove(path->at + 1, path->at, sizeof *path->at * (size_t)(path->length - 1));
        if (!dl_check_valid(instance, late)) return late;
        dl_plan_free(late);
    }
    return needed(dl_plan_copy(plan));
}

static dl_status make_world(const dl_bench_calls *bench, const struct setting *setting, world *w, dl_error *err)
{
    DL_TRY(generate(bench, setting, &w->instance, err));
    int agents = w->instance->agents;
    w->tasks = needed(DL_ARRAY(dl_task, agents));
    for (int agent = 0; agent < agents; agent++)
        w->tasks[agent] = (dl_task){.start = dl_grid_position(w->instance->grid, w->instance->start[agent]),
                                    .goal = dl_grid_position(w->instance->grid, w->instance->goal[agent])};
    DL_TRY(solve(w->instance, NULL, NULL, &w->plan, err));
    w->late = delay_somebody(w->instance, w->plan);
    return DIFFLNS_OK;
}

static void free_world(world *w)
{
    dl_plan_free(w->plan);
    dl_plan_free(w->late);
    dl_instance_free(w->instance);
    free(w->tasks);
}

static dl_status measure(const dl_bench_calls *bench, const struct setting *setting, row *r, dl_error *err)
{
    world w = {0};
    int late_calls;
    dl_status status = make_world(bench, setting, &w, err);
    if (status == DIFFLNS_OK) status = call_cold(&w, &r->cold, err);
    if (status == DIFFLNS_OK) status = call_warm(bench, &w, w.plan, &r->warm, &r->calls, err);
    if (status == DIFFLNS_OK) status = call_warm(bench, &w, w.late, &r->late, &late_calls, err);
    free_world(&w);
    return status;
}

static dl_status write_results(const char *folder, const row *rows, dl_error *err)
{
    dl_output out;
    DL_TRY(dl_output_open_inside(&out, folder, "results.csv", err));
    fprintf(out.stream, "map,agents,cold_seconds,warm_seconds,cold_over_warm,late_seconds,warm_calls\n");
    for (int i = 0; i < ROWS; i++)
        fprintf(out.stream, "%s,%d,%.7f,%.7f,%.2f,%.7f,%d\n", SETTINGS[i].name, SETTINGS[i].agents, rows[i].cold,
                rows[i].warm, rows[i].cold / rows[i].warm, rows[i].late, rows[i].calls);
    return dl_output_commit(&out, err);
}

dl_status dl_bench_calls_run(const dl_bench_calls *bench, FILE *table, const dl_progress *progress, dl_error *err)
{
    row rows[ROWS] = {{0}};
    dl_bench_calls b = *bench;
    if (b.seconds <= 0) b.seconds = 1;
    fprintf(table, "%-8s %6s %10s %10s %10s %10s %7s\n", "map", "agents", "cold ms", "warm ms", "cold/warm", "late ms",
            "calls");
    for (int i = 0; i < ROWS; i++) {
        DL_TRY(measure(&b, &SETTINGS[i], &rows[i], err));
        fprintf(table, "%-8s %6d %10.3f %10.3f %10.1f %10.3f %7d\n", SETTINGS[i].name, SETTINGS[i].agents,
                1e3 * rows[i].cold, 1e3 * rows[i].warm, rows[i].cold / rows[i].warm, 1e3 * rows[i].late, rows[i].calls);
        fflush(table);
        dl_progress_report(progress, (uint64_t)i + 1, ROWS, SETTINGS[i].name);
    }
    return bench->out ? write_results(bench->out, rows, err) : DIFFLNS_OK;
}
