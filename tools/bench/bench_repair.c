#include "bench/bench_repair.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/deadline.h"
#include "base/memory.h"
#include "base/output.h"
#include "bench/speed_set.h"
#include "bench/statistics.h"
#include "lns/improve.h"
#include "lns/prioritized.h"
#include "lns/repair.h"
#include "memory/need.h"
#include "solver/solve.h"

/* What the authors' program does on this class of machine, iterations per second (0 = not measured). */
static const struct official {
    const char *family;
    double repair, improve;
} OFFICIAL[] = {
    {"small-random", 2200, 8300}, {"medium-room", 180, 1050}, {"medium-maze", 130, 730}, {"medium-warehouse", 115, 0}};

/* ---- one instance ---- */

typedef struct outcome {
    char family[64], name[128];
    int agents;
    bool solved;
    double first_seconds; /* of the processor */
    int64_t soc, sum_of_distances, improved_soc;
    uint64_t repair_iterations, improve_iterations;
    double repair_seconds, improve_seconds;
} outcome;

/* Repairs from prioritized planning, again and again with other seeds, until enough iterations are counted. */
static void measure_repair(const dl_bench_repair *bench, dl_planner *planner, outcome *result)
{
    dl_repair_options options = DL_REPAIR_DEFAULTS;
    options.vary = false; /* groups of the size the official program was measured with */
    dl_deadline none = dl_no_deadline();
    dl_repair repair;
    need(dl_repair_begin(&repair, planner, &options));
    for (uint64_t round = 0; result->repair_iterations < bench->iterations; round++) {
        dl_rng rng = dl_rng_stream(bench->seed, DL_PURPOSE('b', 'e', 'r', 'e'), round);
        dl_prioritized(planner, &rng, DL_PRIORITY_RANDOM, options.rule, &none);
        dl_repair_start(&repair, bench->seed, round, &none);
        if (repair.conflicts.pairs == 0 && round > 8) break; /* too easy to measure */
        double began = dl_process_now();
        dl_repair_run(&repair, bench->iterations - result->repair_iterations, &none);
        result->repair_seconds += dl_process_now() - began;
        result->repair_iterations += repair.iterations;
    }
    dl_repair_end(&repair);
}

static void measure_improvement(const dl_bench_repair *bench, dl_planner *planner, const dl_plan *plan, outcome *result)
{
    dl_improve_options options = DL_IMPROVE_DEFAULTS;
    options.vary = false;
    dl_deadline none = dl_no_deadline();
    dl_improve improve;
    dl_planner_clear(planner);
    for (int agent = 0; agent < plan->agents; agent++) {
        dl_planner_read_path(planner, agent, &plan->path[agent]);
        need(dl_planner_insert(planner, agent));
    }
    need(dl_improve_begin(&improve, planner, &options));
    dl_improve_start(&improve, bench->seed, 0);
    double began = dl_process_now();
    dl_improve_run(&improve, bench->iterations, &none);
    result->improve_seconds = dl_process_now() - began;
    result->improve_iterations = improve.iterations;
    result->improved_soc = improve.soc;
    dl_improve_end(&improve);
}

static void measure(const dl_bench_repair *bench, const dl_speed_instance *of, outcome *result)
{
    const dl_instance *instance = of->instance;
    *result = (outcome){.soc = -1, .improved_soc = -1, .agents = instance->agents};
    memcpy(result->family, of->family, sizeof result->family);
    memcpy(result->name, of->name, sizeof result->name);
    dl_options options;
    dl_options_default(&options);
    options.time = bench->seconds;
    options.seed = bench->seed;
    options.threads = 1;
    options.stop = DL_STOP_FIRST;
    dl_plan *plan;
    dl_report report;
    double began = dl_process_now();
    dl_solve(&(dl_solve_input){.instance = instance, .options = &options}, &plan, &report, NULL);
    result->solved = plan != NULL;
    result->first_seconds = dl_process_now() - began;
    result->soc = report.soc;
    result->sum_of_distances = report.sum_of_distances;
    dl_report_free(&report);
    dl_distance *distance = needed(dl_distance_create(instance));
    dl_planner *planner = needed(dl_planner_create(instance, distance, DL_ENGINE_AUTO));
    measure_repair(bench, planner, result);
    if (plan) measure_improvement(bench, planner, plan, result);
    dl_planner_free(planner);
    dl_distance_free(distance);
    difflns_plan_free(plan);
}

/* ---- the results ---- */

static double rate(uint64_t iterations, double seconds)
{
    return seconds > 0 ? (double)iterations / seconds : 0;
}

static dl_status write_csv(const char *folder, const outcome *results, int count, dl_error *err)
{
    dl_output out;
    DL_TRY(dl_output_open_inside(&out, folder, "results.csv", err));
    fputs("family,instance,agents,solved,first_seconds,soc,sum_of_distances,repair_rate,improve_rate,improved_soc\n",
          out.stream);
    for (int i = 0; i < count; i++) {
        const outcome *r = &results[i];
        fprintf(out.stream, "%s,%s,%d,%d,%.4f,%lld,%lld,%.0f,%.0f,%lld\n", r->family, r->name, r->agents, r->solved,
                r->first_seconds, (long long)r->soc, (long long)r->sum_of_distances,
                rate(r->repair_iterations, r->repair_seconds), rate(r->improve_iterations, r->improve_seconds),
                (long long)r->improved_soc);
    }
    return dl_output_commit(&out, err);
}

static void print_factor(FILE *table, double ours, double theirs)
{
    if (theirs > 0)
        fprintf(table, " %7.0f %6.0fx", ours, ours / theirs);
    else
        fprintf(table, " %7.0f %7s", ours, "-");
}

/* One line for the results of a family, or of all when `family` is NULL. */
static void print_family(FILE *table, const char *family, const outcome *results, int count)
{
    outcome sum = {0};
    double *seconds = needed(DL_ARRAY(double, count));
    int members = 0, solved = 0;
    for (int i = 0; i < count; i++) {
        const outcome *r = &results[i];
        if (family && strcmp(family, r->family) != 0) continue;
        seconds[members++] = r->solved ? r->first_seconds : 1e9;
        solved += r->solved;
        sum.repair_iterations += r->repair_iterations;
        sum.repair_seconds += r->repair_seconds;
        sum.improve_iterations += r->improve_iterations;
        sum.improve_seconds += r->improve_seconds;
    }
    double median = dl_ranked(seconds, members, members / 2);
    struct official official = {0};
    for (size_t i = 0; family && i < sizeof OFFICIAL / sizeof OFFICIAL[0]; i++)
        if (strcmp(OFFICIAL[i].family, family) == 0) official = OFFICIAL[i];
    fprintf(table, "%-18s %4d/%-4d", family ? family : "all", solved, members);
    if (median < 1e9)
        fprintf(table, " %8.3f", median);
    else
        fprintf(table, " %8s", "-");
    print_factor(table, rate(sum.repair_iterations, sum.repair_seconds), official.repair);
    print_factor(table, rate(sum.improve_iterations, sum.improve_seconds), official.improve);
    fputc('\n', table);
    free(seconds);
}

static void print_table(FILE *table, const outcome *results, int count)
{
    fprintf(table, "%-18s %9s %8s %15s %15s\n", "", "solved", "median s", "repair it/s", "improve it/s");
    for (int i = 0; i < count; i++)
        if (i == 0 || strcmp(results[i].family, results[i - 1].family) != 0)
            print_family(table, results[i].family, results, count);
    print_family(table, NULL, results, count);
    fputs("seconds and rates in CPU time of one thread; x = times the official program's rate\n", table);
}

dl_status dl_bench_repair_run(const dl_bench_repair *bench, FILE *table, const dl_progress *progress, dl_error *err)
{
    dl_speed_set set;
    dl_status status = dl_speed_set_open(&set, bench->folder, bench->cases, bench->seed, err);
    int count = status == DIFFLNS_OK ? set.count : 0;
    outcome *results = needed(DL_ARRAY(outcome, count));
    for (int i = 0; i < count && status == DIFFLNS_OK; i++) {
        dl_speed_instance next;
        status = dl_speed_set_get(&set, i, &next, err);
        if (status == DIFFLNS_OK) measure(bench, &next, &results[i]);
        dl_instance_free(next.instance);
        dl_progress_report(progress, (uint64_t)i + 1, (uint64_t)count, next.name);
    }
    if (status == DIFFLNS_OK) print_table(table, results, count);
    if (status == DIFFLNS_OK && bench->out) status = write_csv(bench->out, results, count, err);
    free(results);
    dl_speed_set_close(&set);
    return status;
}
