#include "bench/bench_large.h"

#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "base/memory.h"
#include "base/output.h"
#include "bench/figures.h"
#include "generate/generate.h"
#include "memory/need.h"
#include "solver/solve.h"

static const char *const WORLDS = "1000:1000,1000:5000,1000:10000,4096:1";
/* Of the cells; a large random map with these is all but connected. */
static const double OBSTACLES = 0.1;
/* Instances nobody has tuned on: far from the seeds of other benchmarks. */
static const uint64_t FRESH_SEEDS = 800000000;

typedef struct world {
    int side, agents;
} world;

/* What came of the cases of a world; sums over those solved. */
typedef struct tally {
    int cases, solved;
    double first_seconds, slowest_first; /* until the first plan */
    double first_delays, delays;         /* cost above the sum of distances, of the first plan and of the last */
    double distances;
    double slowest;   /* from the beginning to the end */
    double megabytes; /* most that this process ever took */
} tally;

/* One number, up to `end`; false if there is none. */
static bool read_number(const char **text, char end, int *out)
{
    char *rest;
    long value = strtol(*text, &rest, 10);
    if (rest == *text || value < 1 || value > DL_MAX_AGENTS || (*rest != end && (end || *rest != ','))) return false;
    *out = (int)value;
    *text = *rest ? rest + 1 : rest;
    return true;
}

static dl_status read_worlds(const char *text, world **out, int *count, dl_error *err)
{
    int room = 0;
    *out = NULL;
    *count = 0;
    for (const char *at = text; *at;) {
        need(DL_GROW(*out, room, *count + 1));
        world *w = &(*out)[(*count)++];
        if (read_number(&at, ':', &w->side) && read_number(&at, '\0', &w->agents) && w->side <= DL_MAX_SIDE) continue;
        free(*out);
        *out = NULL;
        *count = 0;
        return dl_fail(err, DIFFLNS_BAD_INPUT, "settings: %s: expected SIDE:AGENTS,..., as in %s", text, WORLDS);
    }
    return DIFFLNS_OK;
}

static void run_case(const dl_bench_large *bench, const dl_instance *instance, tally *t)
{
    dl_options options;
    dl_options_default(&options);
    options.time = bench->seconds;
    options.threads = bench->threads;
    options.seed = bench->seed;
    options.stop = DL_STOP_LIMIT;
    dl_plan *plan = NULL;
    dl_report report;
    dl_status status = dl_solve(&(dl_solve_input){.instance = instance, .options = &options}, &plan, &report, NULL);
    t->cases++;
    if (report.seconds > t->slowest) t->slowest = report.seconds;
    if (status == DIFFLNS_OK) {
        t->solved++;
        t->first_seconds += report.first_seconds;
        if (report.first_seconds > t->slowest_first) t->slowest_first = report.first_seconds;
        t->first_delays += (double)(report.first_soc - report.sum_of_distances);
        t->delays += (double)(report.soc - report.sum_of_distances);
        t->distances += (double)report.sum_of_distances;
    }
    dl_plan_free(plan);
    dl_report_free(&report);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    t->megabytes = (double)usage.ru_maxrss / 1024;
}

static dl_status run_world(const dl_bench_large *bench, const world *w, tally *t, dl_error *err)
{
    dl_generate_params params;
    dl_generator_scratch scratch = {0};
    DL_TRY(dl_generate_preset("random", &params, err));
    params.height = params.width = w->side;
    params.density = OBSTACLES;
    params.agents = w->agents;
    dl_status status = DIFFLNS_OK;
    for (int i = 0; i < (bench->cases > 0 ? bench->cases : 1) && status == DIFFLNS_OK; i++) {
        dl_instance *instance;
        status = dl_generate(&params, FRESH_SEEDS + bench->seed + (uint64_t)i, &scratch, &instance, err);
        if (status != DIFFLNS_OK) break;
        run_case(bench, instance, t);
        dl_instance_free(instance);
    }
    dl_generator_scratch_free(&scratch);
    return status;
}

static double mean(double sum, int count)
{
    return count > 0 ? sum / count : NAN;
}

static void print_row(FILE *table, const world *w, const tally *t)
{
    fprintf(table, "%4dx%-4d %6d %6d %7d", w->side, w->side, w->agents, t->cases, t->solved);
    dl_figure_print(table, 9, mean(t->first_seconds, t->solved), 2);
    dl_figure_print(table, 9, t->solved > 0 ? t->slowest_first : NAN, 2);
    dl_figure_print(table, 12, mean(t->first_delays, t->solved), 0);
    dl_figure_print(table, 12, mean(t->delays, t->solved), 0);
    dl_figure_print(table, 12, mean(t->distances, t->solved), 0);
    fprintf(table, " %8.2f %7.0f\n", t->slowest, t->megabytes);
    fflush(table);
}

static dl_status write_results(const char *folder, const world *worlds, const tally *row, int count, dl_error *err)
{
    dl_output out;
    DL_TRY(dl_output_open_inside(&out, folder, "results.csv", err));
    fprintf(out.stream, "side,agents,cases,solved,mean_first_seconds,slowest_first_seconds,mean_first_delays,"
                        "mean_delays,mean_sum_of_distances,slowest_seconds,megabytes\n");
    for (int i = 0; i < count; i++) {
        const tally *t = &row[i];
        fprintf(out.stream, "%d,%d,%d,%d", worlds[i].side, worlds[i].agents, t->cases, t->solved);
        dl_figure_write(out.stream, mean(t->first_seconds, t->solved), 6);
        dl_figure_write(out.stream, t->solved > 0 ? t->slowest_first : NAN, 6);
        dl_figure_write(out.stream, mean(t->first_delays, t->solved), 1);
        dl_figure_write(out.stream, mean(t->delays, t->solved), 1);
        dl_figure_write(out.stream, mean(t->distances, t->solved), 1);
        fprintf(out.stream, ",%.6f,%.1f\n", t->slowest, t->megabytes);
    }
    return dl_output_commit(&out, err);
}

dl_status dl_bench_large_run(const dl_bench_large *bench, FILE *table, const dl_progress *progress, dl_error *err)
{
    world *worlds;
    int count;
    DL_TRY(read_worlds(bench->worlds ? bench->worlds : WORLDS, &worlds, &count, err));
    tally *row = needed(DL_ARRAY(tally, count));
    fprintf(table, "%-9s %6s %6s %7s %9s %9s %12s %12s %12s %8s %7s\n", "world", "agents", "cases", "solved", "first s",
            "slowest", "first delays", "delays", "distances", "all s", "MB");
    dl_status status = DIFFLNS_OK;
    for (int i = 0; i < count && status == DIFFLNS_OK; i++) {
        status = run_world(bench, &worlds[i], &row[i], err);
        if (status == DIFFLNS_OK) print_row(table, &worlds[i], &row[i]);
        dl_progress_report(progress, (uint64_t)i + 1, (uint64_t)count, "large");
    }
    if (status == DIFFLNS_OK && bench->out) status = write_results(bench->out, worlds, row, count, err);
    free(row);
    free(worlds);
    return status;
}
