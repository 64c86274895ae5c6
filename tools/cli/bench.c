/* difflns bench: the experiments. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "bench/anytime.h"
#include "bench/bench_guarantee.h"
#include "bench/bench_kernels.h"
#include "bench/bench_large.h"
#include "bench/bench_live.h"
#include "bench/bench_repair.h"
#include "bench/markdown.h"
#include "bench/pairs.h"
#include "bench/repairability.h"
#include "bench/runner.h"
#include "bench/summary.h"
#include "cli/cli.h"
#include "cli/terminal.h"
#include "memory/need.h"
#include "mpi/mpi_ranks.h"
#include "plot/report.h"
#include "plot/report_anytime.h"
#include "plot/report_live.h"

enum { REPAIR_ITERATIONS = 3000 };

static int bench_repair(const options *opts, const dl_progress *progress)
{
    uint64_t iterations = (uint64_t)opts->bench_iterations;
    dl_bench_repair bench = {.folder = opts->instances,
                             .out = opts->bench_out,
                             .cases = (int)opts->cases,
                             .seconds = opts->bench_time,
                             .iterations = iterations > 0 ? iterations : REPAIR_ITERATIONS,
                             .seed = opts->solver.seed};
    difflns_error err;
    return dl_bench_repair_run(&bench, stdout, progress, &err) == DIFFLNS_OK ? 0 : cli_fail(&err);
}

/* How this program was called, for the report: Linux keeps the words apart by NULs. */
static char *command_line(void)
{
    dl_file file;
    if (dl_file_read("/proc/self/cmdline", &file, NULL) != DIFFLNS_OK) return needed(dl_strdup("difflns bench ..."));
    dl_text command = {0};
    dl_text_print(&command, "difflns");
    for (size_t at = strlen(file.data) + 1; at < file.size; at += strlen(file.data + at) + 1)
        dl_text_print(&command, strpbrk(file.data + at, " $&|<>") ? " '%s'" : " %s", file.data + at);
    dl_file_free(&file);
    need(!command.cut);
    return command.data;
}

static int bench_anytime(const options *opts, const char *folder, const dl_progress *progress)
{
    dl_anytime_options bench = {.settings = opts->bench_settings,
                                .instances = opts->instances,
                                .external = opts->external.value,
                                .external_count = opts->external.count,
                                .folder = folder,
                                .cases = (int)opts->cases,
                                .time_scale = opts->time_scale,
                                .seed = opts->solver.seed,
                                .threads = opts->bench_threads > 0 ? (int)opts->bench_threads : dl_cores(),
                                .stop = terminal_catch_signals()};
    dl_anytime anytime;
    dl_error err;
    char *command = command_line();
    dl_status status = dl_anytime_measure(&bench, progress, &anytime, &err);
    if (status == DIFFLNS_OK) status = dl_anytime_write(&anytime, folder, &err);
    if (status == DIFFLNS_OK) status = dl_report_write_anytime(&anytime, command, folder, &err);
    if (status == DIFFLNS_OK) dl_anytime_print(&anytime, stdout);
    dl_anytime_free(&anytime);
    free(command);
    if (status == DIFFLNS_OK) return 0;
    int exit_status = cli_fail(&err);
    return status == DIFFLNS_STOPPED ? terminal_signal_status() : exit_status;
}

static int bench_kernels(const options *opts, const dl_progress *progress)
{
    dl_bench_kernels bench = {.out = opts->bench_out, .seconds = opts->bench_time};
    difflns_error err;
    return dl_bench_kernels_run(&bench, stdout, progress, &err) == DIFFLNS_OK ? 0 : cli_fail(&err);
}

static int bench_guarantee(const options *opts, const dl_progress *progress)
{
    dl_bench_guarantee bench = {
        .out = opts->bench_out, .cases = (int)opts->cases, .seconds = opts->bench_time, .seed = opts->solver.seed};
    difflns_error err;
    return dl_bench_guarantee_run(&bench, stdout, progress, &err) == DIFFLNS_OK ? 0 : cli_fail(&err);
}

static int bench_large(const options *opts, const dl_progress *progress)
{
    dl_bench_large bench = {.worlds = opts->bench_settings,
                            .out = opts->bench_out,
                            .cases = (int)opts->cases,
                            .threads = (int)opts->bench_threads,
                            .seconds = opts->bench_time,
                            .seed = opts->solver.seed};
    difflns_error err;
    return dl_bench_large_run(&bench, stdout, progress, &err) == DIFFLNS_OK ? 0 : cli_fail(&err);
}

static int bench_live(const options *opts, const char *folder, const dl_progress *progress)
{
    dl_bench_live bench = {.family = opts->bench_settings ? opts->bench_settings : "medium-warehouse",
                           .methods = opts->bench_methods,
                           .seeds = (int)opts->cases,
                           .deadline = 100 * opts->time_scale,
                           .iterations = opts->bench_iterations,
                           .seed = opts->solver.seed};
    dl_live_results results;
    difflns_error err;
    char *command = command_line();
    dl_status status = dl_bench_live_run(&bench, stdout, progress, &results, &err);
    if (status == DIFFLNS_OK) status = dl_bench_live_write(&results, folder, &err);
    if (status == DIFFLNS_OK) status = dl_report_write_live(&results, command, folder, &err);
    free(command);
    return status == DIFFLNS_OK ? 0 : cli_fail(&err);
}

/* ---- experiments that compare methods ---- */

/* The files that say what the rows of results.csv mean. */
static dl_status write_results(const dl_bench_options *job, const dl_records *records, dl_error *err)
{
    dl_paper paper = dl_paper_read();
    dl_summary summary = dl_summarize(records);
    dl_repairability starts = {0};
    dl_pairs pairs = dl_pairs_of(records, &summary);
    bool init = job->experiment->shape == DL_SHAPE_INIT;
    char *summary_path = needed(dl_file_inside(job->folder, "summary.csv")),
         *starts_path = needed(dl_file_inside(job->folder, "init.csv")),
         *pairs_path = needed(dl_file_inside(job->folder, "pairs.csv"));
    char *table_path = needed(dl_file_inside(job->folder, "summary.md"));
    char *command = command_line();
    dl_status status = dl_summary_write(&summary, &paper, job->experiment->paper, summary_path, err);
    if (init) starts = dl_repairability_of(records, &summary);
    if (init && status == DIFFLNS_OK) status = dl_repairability_write(&starts, starts_path, err);
    if (pairs.count > 0 && status == DIFFLNS_OK) status = dl_pairs_write(&pairs, pairs_path, err);
    if (status == DIFFLNS_OK)
        status = init ? dl_markdown_write_starts(&starts, table_path, err)
                      : dl_markdown_write(&summary, &paper, job->experiment->paper, table_path, err);
    dl_report report = {.experiment = job->experiment,
                        .records = records,
                        .summary = &summary,
                        .paper = &paper,
                        .repairability = init ? &starts : NULL,
                        .pairs = pairs.count > 0 ? &pairs : NULL,
                        .command = command,
                        .time_scale = job->time_scale,
                        .threads = records->row[records->count - 1].threads};
    if (status == DIFFLNS_OK) status = dl_report_write(&report, job->folder, err);
    if (init)
        dl_repairability_print(&starts, stdout);
    else
        dl_summary_print(&summary, &paper, job->experiment->paper, stdout);
    dl_repairability_free(&starts);
    dl_pairs_free(&pairs);
    free(command);
    free(summary_path);
    free(starts_path);
    free(pairs_path);
    free(table_path);
    dl_summary_free(&summary);
    dl_paper_free(&paper);
    return status;
}

static int compare(dl_bench_options job, bool quiet)
{
    terminal_bar bar;
    dl_records records = {0};
    dl_error err;
    terminal_bar_begin(&bar, job.experiment->name, quiet || job.ranks.rank != 0);
    job.progress = &bar.progress;
    job.cancel = terminal_catch_signals();
    dl_status status = dl_bench_run(&job, &records, &err);
    terminal_bar_clear(&bar);
    if (job.ranks.rank == 0 && records.count > 0 && (status == DIFFLNS_OK || status == DIFFLNS_STOPPED)) {
        dl_error unwritten;
        if (write_results(&job, &records, &unwritten) != DIFFLNS_OK && status == DIFFLNS_OK) {
            status = unwritten.status;
            err = unwritten;
        }
    }
    dl_records_free(&records);
    if (status == DIFFLNS_OK) return 0;
    if (job.ranks.rank != 0) return 1; /* rank 0 speaks for all */
    int exit_status = cli_fail(&err);
    return status == DIFFLNS_STOPPED ? terminal_signal_status() : exit_status;
}

static int bench_methods(const options *opts, const dl_experiment *experiment, const char *folder, dl_ranks ranks)
{
    dl_bench_options job = {.experiment = experiment,
                            .folder = folder,
                            .cases = (int)opts->cases,
                            .time_scale = opts->time_scale,
                            .iterations = (uint64_t)opts->bench_iterations,
                            .seed = opts->solver.seed,
                            .threads = (int)opts->bench_threads,
                            .model = opts->bench_model,
                            .dense_model = opts->bench_dense_model,
                            .ranks = ranks};
    dl_error err;
    dl_status status = dl_settings_read(experiment, opts->bench_settings, &job.settings, &err);
    if (status == DIFFLNS_OK)
        status = dl_methods_read(experiment, opts->bench_methods, opts->external.value, opts->external.count,
                                 &job.methods, &err);
    int exit_status = status == DIFFLNS_OK ? compare(job, opts->quiet) : ranks.rank == 0 ? cli_fail(&err) : 2;
    dl_methods_free(&job.methods);
    free(job.settings.setting);
    return exit_status;
}

static int bench_speed(const options *opts, const char *name, const char *folder)
{
    terminal_bar bar;
    terminal_bar_begin(&bar, name, opts->quiet || !isatty(STDERR_FILENO));
    int status = -1;
    if (strcmp(name, "repair") == 0) status = bench_repair(opts, &bar.progress);
    if (strcmp(name, "kernels") == 0) status = bench_kernels(opts, &bar.progress);
    if (strcmp(name, "large") == 0) status = bench_large(opts, &bar.progress);
    if (strcmp(name, "guarantee") == 0) status = bench_guarantee(opts, &bar.progress);
    if (strcmp(name, "anytime") == 0) status = bench_anytime(opts, folder, &bar.progress);
    if (strcmp(name, "live") == 0) status = bench_live(opts, folder, &bar.progress);
    terminal_bar_clear(&bar);
    return status >= 0 ? status : cli_usage("bench: %s: expected one of %s", name, dl_experiment_names());
}

/* Refuses to overwrite weights that somebody keeps among results. */
static int check_outputs(const options *opts, const char *folder)
{
    static const char *const WRITTEN[] = {"*.csv", "*.md", "*.html", "*.pdf", "*.png", NULL};
    const char *inputs[] = {opts->bench_model, opts->bench_dense_model};
    return cli_check_folder("bench", folder, WRITTEN, inputs, 2);
}

int cli_bench(const options *opts)
{
    const char *name = opts->argument[0];
    const dl_experiment *experiment = dl_experiment_find(name);
    char usual[64];
    snprintf(usual, sizeof usual, "bench-%s", name);
    const char *folder = opts->bench_out ? opts->bench_out : usual;
    int refused = check_outputs(opts, folder);
    if (refused) return refused;
    if (!experiment) return bench_speed(opts, name, folder);
    dl_ranks ranks = dl_mpi_begin();
    int status = bench_methods(opts, experiment, folder, ranks);
    dl_mpi_end();
    return status;
}
