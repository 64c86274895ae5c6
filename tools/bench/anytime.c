#include "bench/anytime.h"

#include <math.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/output.h"
#include "bench/cases.h"
#include "bench/external.h"
#include "bench/figures.h"
#include "bench/speed_set.h"
#include "mapf/check.h"
#include "memory/need.h"
#include "solver/solve.h"

static const double SECONDS[DL_CHECKPOINTS] = {1, 10, 60};
/* The paper's densest setting of each family, and a full one each. */
static const char SETTINGS[] = "small-random:60,medium-maze:190,medium-room:192,medium-warehouse:252,large-maze:312,"
                               "small-random:72,medium-maze:260,medium-room:260,medium-warehouse:300,large-maze:430";

static const dl_method OURS[] = {{.name = "auto", .kind = DL_METHOD_SOLVE, .start = "auto", .stop = DL_STOP_LIMIT},
                                 {.name = NULL}};
static const dl_experiment EXPERIMENT = {
    .name = "anytime", .title = "Cost over time", .pool = DL_POOL_DENSEST, .usual = "auto", .known = OURS};

/* ---- one run ---- */

static void add_point(dl_anytime_curve *curve, double seconds, int64_t soc)
{
    need(DL_GROW(curve->point, curve->room, curve->count + 1));
    curve->point[curve->count++] = (dl_anytime_point){seconds, soc};
}

static void listen(void *user, const difflns_event *event)
{
    difflns_event_type kind = difflns_event_kind(event);
    if (kind == DIFFLNS_EVENT_FIRST_PLAN || kind == DIFFLNS_EVENT_BETTER_PLAN)
        add_point(user, difflns_event_seconds(event), difflns_event_soc(event));
}

static dl_status run_ours(const dl_anytime_options *options, const dl_instance *instance, double seconds,
                          dl_anytime_curve *curve, dl_error *err)
{
    dl_options solver;
    dl_options_default(&solver);
    solver.time = seconds;
    solver.seed = options->seed;
    solver.threads = options->threads;
    solver.stop = DL_STOP_LIMIT;
    solver.bound = true;
    dl_solve_input input = {
        .instance = instance, .options = &solver, .stop = options->stop, .listener = listen, .user = curve};
    dl_plan *plan;
    dl_report report;
    dl_status status = dl_solve(&input, &plan, &report, err);
    if (plan) add_point(curve, report.seconds, report.soc); /* handing over takes time, too */
    curve->lower_bound = report.lower_bound;
    dl_plan_free(plan);
    dl_report_free(&report);
    return status == DIFFLNS_UNSOLVED || status == DIFFLNS_UNSOLVABLE ? DIFFLNS_OK : status;
}

static dl_status run_external(const dl_anytime_options *options, const dl_method *method, const dl_instance *instance,
                              double seconds, dl_anytime_curve *curve, dl_error *err)
{
    dl_external external = {.name = method->name,
                            .command = method->command,
                            .folder = options->folder,
                            .seconds = seconds,
                            .seed = options->seed,
                            .stop = options->stop};
    dl_external_result result;
    DL_TRY(dl_external_run(&external, instance, &result, err));
    dl_check_result check;
    if (result.plan) {
        need(dl_check(instance, result.plan, &check, NULL, 0, NULL));
        if (check.violations == 0) add_point(curve, seconds, check.soc); /* it had all of its limit */
    }
    dl_plan_free(result.plan);
    return DIFFLNS_OK;
}

static dl_anytime_curve *add_curve(dl_anytime *a, const char *name, int method, int agents)
{
    need(DL_GROW(a->curve, a->room, a->curves + 1));
    dl_anytime_curve *curve = &a->curve[a->curves++];
    *curve = (dl_anytime_curve){.method = method, .agents = agents, .lower_bound = -1};
    snprintf(curve->instance, sizeof curve->instance, "%s", name);
    return curve;
}

static dl_status run_methods(const dl_anytime_options *options, dl_anytime *a, const char *name,
                             const dl_instance *instance, dl_error *err)
{
    for (int m = 0; m < a->methods.count; m++) {
        const dl_method *method = &a->methods.method[m];
        dl_anytime_curve *curve = add_curve(a, name, m, instance->agents);
        if (method->kind == DL_METHOD_SOLVE) {
            DL_TRY(run_ours(options, instance, a->checkpoint[DL_CHECKPOINTS - 1], curve, err));
            continue;
        }
        for (int i = 0; i < DL_CHECKPOINTS; i++)
            DL_TRY(run_external(options, method, instance, a->checkpoint[i], curve, err));
    }
    return DIFFLNS_OK;
}

/* ---- instances ---- */

static dl_status run_settings(const dl_anytime_options *options, const dl_progress *progress, dl_anytime *a,
                              dl_error *err)
{
    dl_setting_list list;
    DL_TRY(dl_settings_read(&EXPERIMENT, options->settings ? options->settings : SETTINGS, &list, err));
    dl_generator_scratch scratch = {0};
    dl_status status = DIFFLNS_OK;
    int cases = options->cases > 0 ? options->cases : 1;
    for (int i = 0; i < list.count * cases && status == DIFFLNS_OK; i++) {
        const dl_setting *setting = &list.setting[i / cases];
        uint64_t seed = options->seed + (uint64_t)(i % cases);
        char name[128];
        snprintf(name, sizeof name, "%s-%d-%llu", setting->family, setting->agents, (unsigned long long)seed);
        dl_progress_report(progress, (uint64_t)i, (uint64_t)list.count * (uint64_t)cases, name);
        dl_instance *instance;
        status = dl_case_generate(setting, seed, &scratch, &instance, err);
        if (status != DIFFLNS_OK) break;
        status = run_methods(options, a, name, instance, err);
        dl_instance_free(instance);
    }
    dl_generator_scratch_free(&scratch);
    free(list.setting);
    return status;
}

static dl_status run_folder(const dl_anytime_options *options, const dl_progress *progress, dl_anytime *a,
                            dl_error *err)
{
    dl_speed_set set;
    DL_TRY(dl_speed_set_open(&set, options->instances, options->cases, options->seed, err));
    dl_status status = DIFFLNS_OK;
    for (int i = 0; i < set.count && status == DIFFLNS_OK; i++) {
        dl_speed_instance of;
        status = dl_speed_set_get(&set, i, &of, err);
        if (status != DIFFLNS_OK) break;
        dl_progress_report(progress, (uint64_t)i, (uint64_t)set.count, of.name);
        status = run_methods(options, a, of.name, of.instance, err);
        dl_instance_free(of.instance);
    }
    dl_speed_set_close(&set);
    return status;
}

dl_status dl_anytime_measure(const dl_anytime_options *options, const dl_progress *progress, dl_anytime *out,
                             dl_error *err)
{
    *out = (dl_anytime){0};
    for (int i = 0; i < DL_CHECKPOINTS; i++) out->checkpoint[i] = SECONDS[i] * options->time_scale;
    DL_TRY(dl_methods_read(&EXPERIMENT, NULL, options->external, options->external_count, &out->methods, err));
    DL_TRY(dl_directory_make(options->folder, err));
    if (options->settings || !options->instances) DL_TRY(run_settings(options, progress, out, err));
    return options->instances ? run_folder(options, progress, out, err) : DIFFLNS_OK;
}

void dl_anytime_free(dl_anytime *anytime)
{
    for (int i = 0; i < anytime->curves; i++) free(anytime->curve[i].point);
    free(anytime->curve);
    dl_methods_free(&anytime->methods);
    *anytime = (dl_anytime){0};
}

/* ---- what it came to ---- */

int64_t dl_anytime_cost(const dl_anytime_curve *curve, double seconds)
{
    int64_t soc = -1;
    for (int i = 0; i < curve->count; i++)
        if (curve->point[i].seconds <= seconds && (soc < 0 || curve->point[i].soc < soc)) soc = curve->point[i].soc;
    return soc;
}

dl_estimate dl_anytime_ratio(const dl_anytime *anytime, int method, int checkpoint)
{
    double *logs = needed(DL_ARRAY(double, anytime->curves + 1));
    const dl_anytime_curve *ours = NULL;
    int count = 0;
    for (int i = 0; i < anytime->curves; i++) {
        const dl_anytime_curve *curve = &anytime->curve[i];
        if (curve->method == 0) ours = curve;
        if (curve->method != method || !ours) continue;
        /* Ours may hand over a little after the moment: what it had then counts. */
        int64_t theirs = dl_anytime_cost(curve, anytime->checkpoint[checkpoint]);
        int64_t mine = dl_anytime_cost(ours, anytime->checkpoint[checkpoint]);
        if (theirs > 0 && mine > 0) logs[count++] = log((double)theirs / (double)mine);
    }
    dl_estimate ratio = dl_geometric_mean(logs, count);
    free(logs);
    return ratio;
}

static dl_status write_costs(const dl_anytime *anytime, const char *folder, dl_error *err)
{
    dl_output out;
    DL_TRY(dl_output_open_inside(&out, folder, "results.csv", err));
    fprintf(out.stream, "instance,agents,method,seconds,soc,lower_bound\n");
    for (int i = 0; i < anytime->curves; i++) {
        const dl_anytime_curve *curve = &anytime->curve[i];
        for (int k = 0; k < DL_CHECKPOINTS; k++) {
            int64_t soc = dl_anytime_cost(curve, anytime->checkpoint[k]);
            fprintf(out.stream, "%s,%d,%s,%g,", curve->instance, curve->agents,
                    anytime->methods.method[curve->method].name, anytime->checkpoint[k]);
            if (soc >= 0) fprintf(out.stream, "%lld", (long long)soc);
            fputc(',', out.stream);
            if (curve->lower_bound >= 0) fprintf(out.stream, "%lld", (long long)curve->lower_bound);
            fputc('\n', out.stream);
        }
    }
    return dl_output_commit(&out, err);
}

static dl_status write_points(const dl_anytime *anytime, const char *folder, dl_error *err)
{
    dl_output out;
    DL_TRY(dl_output_open_inside(&out, folder, "curves.csv", err));
    fprintf(out.stream, "instance,method,seconds,soc\n");
    for (int i = 0; i < anytime->curves; i++) {
        const dl_anytime_curve *curve = &anytime->curve[i];
        for (int k = 0; k < curve->count; k++)
            fprintf(out.stream, "%s,%s,%.4f,%lld\n", curve->instance, anytime->methods.method[curve->method].name,
                    curve->point[k].seconds, (long long)curve->point[k].soc);
    }
    return dl_output_commit(&out, err);
}

static dl_status write_ratios(const dl_anytime *anytime, const char *folder, dl_error *err)
{
    dl_output out;
    DL_TRY(dl_output_open_inside(&out, folder, "ratios.csv", err));
    fprintf(out.stream, "method,seconds,instances,cost_over_ours,low,high\n");
    for (int m = 1; m < anytime->methods.count; m++)
        for (int k = 0; k < DL_CHECKPOINTS; k++) {
            dl_estimate ratio = dl_anytime_ratio(anytime, m, k);
            fprintf(out.stream, "%s,%g,%d", anytime->methods.method[m].name, anytime->checkpoint[k], ratio.count);
            dl_figure_write(out.stream, ratio.value, 4);
            dl_figure_write(out.stream, ratio.low, 4);
            dl_figure_write(out.stream, ratio.high, 4);
            fputc('\n', out.stream);
        }
    return dl_output_commit(&out, err);
}

dl_status dl_anytime_write(const dl_anytime *anytime, const char *folder, dl_error *err)
{
    DL_TRY(write_costs(anytime, folder, err));
    DL_TRY(write_ratios(anytime, folder, err));
    return write_points(anytime, folder, err);
}

static void print_cost(FILE *table, int64_t soc)
{
    dl_figure_print(table, 12, soc < 0 ? NAN : (double)soc, 0);
}

void dl_anytime_print(const dl_anytime *anytime, FILE *table)
{
    fprintf(table, "%-28s %6s %-16s", "instance", "agents", "method");
    for (int k = 0; k < DL_CHECKPOINTS; k++) fprintf(table, "  soc %6g s", anytime->checkpoint[k]);
    fputc('\n', table);
    for (int i = 0; i < anytime->curves; i++) {
        const dl_anytime_curve *curve = &anytime->curve[i];
        fprintf(table, "%-28s %6d %-16s", curve->instance, curve->agents, anytime->methods.method[curve->method].name);
        for (int k = 0; k < DL_CHECKPOINTS; k++) print_cost(table, dl_anytime_cost(curve, anytime->checkpoint[k]));
        fputc('\n', table);
    }
    for (int m = 1; m < anytime->methods.count; m++) {
        fprintf(table, "%-35s %-16s", "cost over ours, geometric mean", anytime->methods.method[m].name);
        for (int k = 0; k < DL_CHECKPOINTS; k++) {
            dl_estimate ratio = dl_anytime_ratio(anytime, m, k);
            dl_figure_print(table, 7, ratio.value, 3);
            fprintf(table, " (%2d)", ratio.count);
        }
        fputc('\n', table);
    }
}
