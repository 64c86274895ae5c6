#include "bench/bench_guarantee.h"

#include <stdlib.h>

#include "base/deadline.h"
#include "base/memory.h"
#include "base/output.h"
#include "complete/complete_solver.h"
#include "complete/solvability.h"
#include "generate/generate.h"
#include "generate/settings.h"
#include "lns/improve.h"
#include "mapf/distance.h"
#include "memory/need.h"
#include "solver/last_resort.h"
#include "solver/solve.h"

/* Instances nobody has trained or tuned on: far from the seeds of demonstrations and of other benchmarks. */
static const uint64_t FRESH_SEEDS = 700000000;
/* Improving and repairing take the whole limit, so only the first cases of a setting are compared. */
enum { COMPARED_CASES = 2, DEFAULT_CASES = 40 };

/* 10x10 grids beyond the paper's: open ones, and random ones, of whose 83 cells a few stay free. */
static const struct crowded {
    const char *name;
    int agents;
    double density; /* negative: as the family has it */
} CROWDED[] = {
    {"small-random", 66, -1}, {"small-random", 72, -1}, {"small-random", 77, -1}, {"open", 90, 0}, {"open", 95, 0}};
enum { CROWDED_SETTINGS = sizeof CROWDED / sizeof CROWDED[0], SETTINGS = DL_PAPER_SETTINGS + CROWDED_SETTINGS };

typedef struct tally {
    const char *name;
    int agents, cases, solvable, solved, compared;
    double slowest, seconds;          /* push-and-swap */
    double slowest_test;              /* the solvability test */
    double ratio, improved, repaired; /* sums of cost over sum of distances; the last two over the compared cases */
} tally;

static dl_status setting_params(int setting, dl_generate_params *params, dl_error *err)
{
    if (setting < DL_PAPER_SETTINGS) {
        DL_TRY(dl_generate_preset(DL_SETTING[setting].family, params, err));
        params->agents = DL_SETTING[setting].agents;
        return DIFFLNS_OK;
    }
    const struct crowded *crowded = &CROWDED[setting - DL_PAPER_SETTINGS];
    DL_TRY(dl_generate_preset("small-random", params, err));
    params->agents = crowded->agents;
    if (crowded->density >= 0) params->density = crowded->density;
    return DIFFLNS_OK;
}

/* The cost after large neighborhood search for the rest of the time. */
static int64_t improved_cost(const dl_bench_guarantee *bench, const dl_instance *instance, dl_distance *distance,
                             const dl_plan *plan, dl_deadline deadline)
{
    dl_planner *planner = needed(dl_planner_create(instance, distance, DL_ENGINE_AUTO));
    dl_improve improve;
    dl_improve_options options = DL_IMPROVE_DEFAULTS;
    for (int agent = 0; agent < instance->agents; agent++) {
        dl_planner_read_path(planner, agent, &plan->path[agent]);
        need(dl_planner_insert(planner, agent));
    }
    need(dl_improve_begin(&improve, planner, &options));
    dl_improve_start(&improve, bench->seed, 0);
    dl_improve_run(&improve, UINT64_MAX, &deadline);
    int64_t cost = improve.soc;
    dl_improve_end(&improve);
    dl_planner_free(planner);
    return cost;
}

/* Improved fallback and first plan of repair side by side; counted only where repair succeeds, too. */
static void compare(const dl_bench_guarantee *bench, const dl_instance *instance, dl_distance *distance, double bound,
                    tally *t)
{
    dl_last_resort_options options = {.seed = bench->seed};
    dl_last_resort_result fallback;
    dl_deadline deadline = dl_deadline_after(bench->seconds, NULL);
    dl_last_resort_run(instance, distance, &options, deadline, &fallback);
    dl_options repair;
    dl_options_default(&repair);
    repair.time = bench->seconds;
    repair.threads = 1;
    repair.stop = DL_STOP_FIRST;
    repair.fallback = false;
    dl_plan *plan = NULL;
    dl_report report;
    if (fallback.plan) {
        double cost = (double)improved_cost(bench, instance, distance, fallback.plan, deadline);
        if (dl_solve(&(dl_solve_input){.instance = instance, .options = &repair}, &plan, &report, NULL) == DIFFLNS_OK) {
            t->compared++;
            t->improved += cost / bound;
            t->repaired += (double)dl_plan_soc(plan) / bound;
        }
        dl_report_free(&report);
    }
    dl_plan_free(plan);
    dl_plan_free(fallback.plan);
}

static void run_case(const dl_bench_guarantee *bench, const dl_instance *instance, int number, tally *t)
{
    dl_solvability test;
    double began = dl_now();
    need(dl_solvability_test(instance, DL_RULES_MAPF, &test));
    double taken = dl_now() - began;
    if (taken > t->slowest_test) t->slowest_test = taken;
    t->cases++;
    if (test.verdict != DL_SOLVABLE) return;
    t->solvable++;
    dl_complete_options options = {.seed = bench->seed, .orders = 1, .rules = DL_RULES_MAPF};
    dl_plan *plan;
    began = dl_now();
    if (dl_complete_solve(instance, NULL, &options, dl_deadline_after(bench->seconds, NULL), &plan, NULL) != DIFFLNS_OK)
        return;
    taken = dl_now() - began;
    dl_distance *distance = needed(dl_distance_create(instance));
    double bound = (double)dl_distance_lower_bound(distance);
    t->solved += taken <= bench->seconds;
    t->seconds += taken;
    if (taken > t->slowest) t->slowest = taken;
    t->ratio += (double)dl_plan_soc(plan) / bound;
    if (number < COMPARED_CASES) compare(bench, instance, distance, bound, t);
    dl_distance_free(distance);
    dl_plan_free(plan);
}

static dl_status run_setting(const dl_bench_guarantee *bench, int setting, tally *t, const dl_progress *progress,
                             dl_error *err)
{
    dl_generate_params params;
    dl_generator_scratch scratch = {0};
    int cases = bench->cases > 0 ? bench->cases : DEFAULT_CASES;
    DL_TRY(setting_params(setting, &params, err));
    t->name = setting < DL_PAPER_SETTINGS ? DL_SETTING[setting].family : CROWDED[setting - DL_PAPER_SETTINGS].name;
    t->agents = params.agents;
    dl_status status = DIFFLNS_OK;
    for (int i = 0; i < cases && status == DIFFLNS_OK; i++) {
        dl_instance *instance;
        status = dl_generate(&params, FRESH_SEEDS + bench->seed + (uint64_t)i, &scratch, &instance, err);
        if (status != DIFFLNS_OK) break;
        run_case(bench, instance, i, t);
        dl_instance_free(instance);
        uint64_t each = (uint64_t)cases;
        dl_progress_report(progress, (uint64_t)setting * each + (uint64_t)i + 1, SETTINGS * each, t->name);
    }
    dl_generator_scratch_free(&scratch);
    return status;
}

/* The time of the test on the largest map we promise it for. */
static dl_status time_large_map(const dl_bench_guarantee *bench, double *seconds, dl_error *err)
{
    dl_generate_params params;
    dl_generator_scratch scratch = {0};
    DL_TRY(dl_generate_preset("small-random", &params, err));
    params.height = params.width = 256;
    params.agents = 1000;
    dl_instance *instance;
    dl_status status = dl_generate(&params, FRESH_SEEDS + bench->seed, &scratch, &instance, err);
    dl_generator_scratch_free(&scratch);
    DL_TRY(status);
    dl_solvability test;
    double began = dl_now();
    need(dl_solvability_test(instance, DL_RULES_MAPF, &test));
    *seconds = dl_now() - began;
    dl_instance_free(instance);
    return DIFFLNS_OK;
}

static double mean(double sum, int count)
{
    return count > 0 ? sum / count : 0;
}

static void print_row(FILE *table, const tally *t)
{
    fprintf(table, "%-18s %4d %6d %9d %7d %9.3f %9.3f %9.5f %10.1f %9.2f %9.2f\n", t->name, t->agents, t->cases,
            t->solvable, t->solved, mean(t->seconds, t->solved), t->slowest, t->slowest_test, mean(t->ratio, t->solved),
            mean(t->improved, t->compared), mean(t->repaired, t->compared));
    fflush(table);
}

static dl_status write_results(const char *folder, const tally *row, double large_map, dl_error *err)
{
    dl_output out;
    DL_TRY(dl_output_open_inside(&out, folder, "results.csv", err));
    fprintf(out.stream, "setting,agents,cases,solvable,solved,mean_seconds,slowest_seconds,slowest_test_seconds,"
                        "cost_per_distance,compared,improved_cost_per_distance,repair_cost_per_distance\n");
    for (int i = 0; i < SETTINGS; i++)
        fprintf(out.stream, "%s,%d,%d,%d,%d,%.6f,%.6f,%.6f,%.4f,%d,%.4f,%.4f\n", row[i].name, row[i].agents,
                row[i].cases, row[i].solvable, row[i].solved, mean(row[i].seconds, row[i].solved), row[i].slowest,
                row[i].slowest_test, mean(row[i].ratio, row[i].solved), row[i].compared,
                mean(row[i].improved, row[i].compared), mean(row[i].repaired, row[i].compared));
    fprintf(out.stream, "test-256x256,1000,1,,,,,%.6f,,,,\n", large_map);
    return dl_output_commit(&out, err);
}

dl_status dl_bench_guarantee_run(const dl_bench_guarantee *bench, FILE *table, const dl_progress *progress,
                                 dl_error *err)
{
    tally row[SETTINGS] = {{0}};
    double large_map;
    fprintf(table, "%-18s %4s %6s %9s %7s %9s %9s %9s %10s %9s %9s\n", "setting", "N", "cases", "solvable", "solved",
            "mean s", "max s", "test s", "soc/dist", "improved", "repair");
    int solvable = 0, solved = 0;
    for (int i = 0; i < SETTINGS; i++) {
        DL_TRY(run_setting(bench, i, &row[i], progress, err));
        print_row(table, &row[i]);
        solvable += row[i].solvable;
        solved += row[i].solved;
    }
    DL_TRY(time_large_map(bench, &large_map, err));
    fprintf(table, "solved %d of %d solvable instances; the test of 1,000 agents on 256x256 took %.3f s\n", solved,
            solvable, large_map);
    return bench->out ? write_results(bench->out, row, large_map, err) : DIFFLNS_OK;
}
