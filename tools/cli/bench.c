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
#include "bench/standard.h"
#include "bench/summary.h"
#include "cli/cli.h"
#include "cli/commit.h"
#include "cli/terminal.h"
#include "memory/need.h"
#include "mpi/mpi_ranks.h"
#include "plot/report.h"

enum { REPAIR_ITERATIONS = 3000 };

static int bench_repair(const options *opts, const char *folder, const dl_progress *progress)
{
    (void)folder; /* they write only where they are told to */
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

/* ---- experiments that say how they were made ---- */

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
    if (status == DIFFLNS_OK) dl_anytime_print(&anytime, stdout);
    dl_report_head head = {.experiment = "anytime",
                           .title = "Cost over time",
                           .about = DL_ANYTIME_ABOUT,
                           .command = command,
                           .commit = dl_commit(),
                           .threads = bench.threads};
    if (status == DIFFLNS_OK) status = dl_report_write(&head, folder, &err);
    dl_anytime_free(&anytime);
    free(command);
    if (status == DIFFLNS_OK) return 0;
    int exit_status = cli_fail(&err);
    return status == DIFFLNS_STOPPED ? terminal_signal_status() : exit_status;
}

static int bench_kernels(const options *opts, const char *folder, const dl_progress *progress)
{
    (void)folder; /* they write only where they are told to */
    dl_bench_kernels bench = {.out = opts->bench_out, .seconds = opts->bench_time};
    difflns_error err;
    return dl_bench_kernels_run(&bench, stdout, progress, &err) == DIFFLNS_OK ? 0 : cli_fail(&err);
}

static int bench_guarantee(const options *opts, const char *folder, const dl_progress *progress)
{
    (void)folder; /* they write only where they are told to */
    dl_bench_guarantee bench = {
        .out = opts->bench_out, .cases = (int)opts->cases, .seconds = opts->bench_time, .seed = opts->solver.seed};
    difflns_error err;
    return dl_bench_guarantee_run(&bench, stdout, progress, &err) == DIFFLNS_OK ? 0 : cli_fail(&err);
}

static int bench_large(const options *opts, const char *folder, const dl_progress *progress)
{
    (void)folder; /* they write only where they are told to */
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
    dl_report_head head = {.experiment = "live",
                           .title = "A fleet in motion",
                           .about = DL_LIVE_ABOUT,
                           .command = command,
                           .commit = dl_commit()};
    if (status == DIFFLNS_OK) status = dl_report_write(&head, folder, &err);
    free(command);
    return status == DIFFLNS_OK ? 0 : cli_fail(&err);
}

/* ---- experiments that compare methods ---- */

/* Figures of `bench init`. */
static dl_status write_starts(const dl_bench_options *job, const dl_records *records, const dl_summary *summary,
                              dl_error *err)
{
    dl_repairability starts = dl_repairability_of(records, summary);
    char *path = needed(dl_file_inside(job->folder, "init.csv")),
         *table = needed(dl_file_inside(job->folder, "summary.md"));
    dl_status status = dl_repairability_write(&starts, path, err);
    if (status == DIFFLNS_OK) status = dl_markdown_write_starts(&starts, table, err);
    dl_repairability_print(&starts, stdout);
    dl_repairability_free(&starts);
    free(path);
    free(table);
    return status;
}

static dl_status write_settings(const dl_bench_options *job, const dl_summary *summary, const dl_paper *paper,
                                dl_error *err)
{
    char *table = needed(dl_file_inside(job->folder, "summary.md"));
    dl_status status = dl_markdown_write(summary, paper, job->experiment->paper, table, err);
    dl_summary_print(summary, paper, job->experiment->paper, stdout);
    free(table);
    return status;
}

static dl_status write_pairs(const dl_bench_options *job, const dl_records *records, const dl_summary *summary,
                             dl_error *err)
{
    dl_pairs pairs = dl_pairs_of(records, summary);
    char *path = needed(dl_file_inside(job->folder, "pairs.csv"));
    dl_status status = pairs.count > 0 ? dl_pairs_write(&pairs, path, err) : DIFFLNS_OK;
    dl_pairs_print(&pairs, stdout);
    dl_pairs_free(&pairs);
    free(path);
    return status;
}

static dl_status write_report(const dl_bench_options *job, const dl_records *records, dl_error *err)
{
    const dl_experiment *experiment = job->experiment;
    char *command = command_line();
    char limits[64] = "iterations, no seconds";
    if (job->standard)
        snprintf(limits, sizeof limits, "%g seconds a run", job->seconds);
    else if (experiment->timed && job->iterations == 0)
        snprintf(limits, sizeof limits, "the paper's time limits times %g", job->time_scale);
    dl_report_head head = {.experiment = experiment->name,
                           .title = experiment->title,
                           .about = experiment->about,
                           .command = command,
                           .commit = dl_commit(),
                           .limits = limits,
                           .instances = job->standard
                                            ? "official maps and scenarios"
                                            : "difflns generate FAMILY -N AGENTS --seed SEED makes that of a row",
                           .threads = records->row[records->count - 1].threads};
    dl_status status = dl_report_write(&head, job->folder, err);
    free(command);
    return status;
}

/* The files that say what the rows of results.csv mean. */
static dl_status write_results(const dl_bench_options *job, const dl_records *records, dl_error *err)
{
    dl_paper paper = dl_paper_read();
    dl_summary summary = dl_summarize(records);
    char *path = needed(dl_file_inside(job->folder, "summary.csv"));
    dl_status status = dl_summary_write(&summary, &paper, job->experiment->paper, path, err);
    if (status == DIFFLNS_OK && job->experiment->shape == DL_SHAPE_INIT)
        status = write_starts(job, records, &summary, err);
    else if (status == DIFFLNS_OK)
        status = write_settings(job, &summary, &paper, err);
    if (status == DIFFLNS_OK) status = write_pairs(job, records, &summary, err);
    if (status == DIFFLNS_OK && job->standard) status = dl_standard_write(records, dl_commit(), job->folder, err);
    if (status == DIFFLNS_OK && job->standard)
        status = dl_standard_compare(records, &summary, job->folder, stdout, err);
    if (status == DIFFLNS_OK) status = write_report(job, records, err);
    free(path);
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

enum { STANDARD_SECONDS = 60 };

static bool is_given(const options *opts, const char *name)
{
    for (int i = 0; i < opts->givens; i++)
        if (strcmp(opts->given[i], name) == 0) return true;
    return false;
}

/* Where the settings come from: scenarios of a folder. */
static dl_status read_standard(const options *opts, dl_standard *standard, dl_bench_options *job, dl_error *err)
{
    if (opts->arguments < 2)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "bench standard: expected a folder with maps and scenarios");
    DL_TRY(dl_standard_open(opts->argument[1], opts->bench_scens, standard, err));
    job->standard = standard;
    job->seconds = is_given(opts, "time") ? opts->bench_time : STANDARD_SECONDS;
    job->tracker = opts->tracker;
    return dl_standard_settings(standard, opts->bench_agents, &job->settings, err);
}

static int bench_methods(const options *opts, const dl_experiment *experiment, const char *folder, dl_ranks ranks)
{
    dl_standard standard = {0};
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
    dl_status status = experiment->shape == DL_SHAPE_STANDARD
                           ? read_standard(opts, &standard, &job, &err)
                           : dl_settings_read(experiment, opts->bench_settings, &job.settings, &err);
    if (status == DIFFLNS_OK)
        status = dl_methods_read(experiment, opts->bench_methods, opts->external.value, opts->external.count,
                                 &job.methods, &err);
    int exit_status = status == DIFFLNS_OK ? compare(job, opts->quiet) : ranks.rank == 0 ? cli_fail(&err) : 2;
    dl_methods_free(&job.methods);
    free(job.settings.setting);
    dl_standard_free(&standard);
    return exit_status;
}

static int bench_experiment(const options *opts, const char *folder, const dl_progress *progress)
{
    (void)progress; /* each of its runs reports by itself */
    dl_ranks ranks = dl_mpi_begin();
    int status = bench_methods(opts, dl_experiment_find(opts->argument[0]), folder, ranks);
    dl_mpi_end();
    return status;
}

/* ---- which there are ---- */

/* What an experiment is called, the options it uses besides --out and --quiet, and what runs it. */
typedef struct experiment_row {
    const char *name, *options;
    int (*run)(const options *opts, const char *folder, const dl_progress *progress);
} experiment_row;

#define TIMED "seed,cases,time-scale,settings,methods,external,model,threads"

static const experiment_row ROW[] = {
    {"main", TIMED, bench_experiment},
    {"frontier", TIMED, bench_experiment},
    {"candidates", TIMED, bench_experiment},
    {"multistart", TIMED, bench_experiment},
    {"attention", TIMED ",model-dense", bench_experiment},
    {"init", "seed,cases,iterations,settings,methods,model,threads", bench_experiment},
    {"paper", "seed,cases,iterations,settings,methods,model,threads", bench_experiment},
    {"standard", "seed,agents,scens,time,methods,external,model,threads,tracker", bench_experiment},
    {"anytime", "seed,cases,time-scale,settings,external,instances,threads", bench_anytime},
    {"repair", "seed,cases,iterations,time,instances", bench_repair},
    {"kernels", "time", bench_kernels},
    {"live", "seed,cases,time-scale,iterations,settings,methods", bench_live},
    {"large", "seed,cases,time,settings,threads", bench_large},
    {"guarantee", "seed,cases,time", bench_guarantee},
};
enum { ROWS = sizeof ROW / sizeof ROW[0] };

/* Is the word one of a comma-separated list? */
static bool is_in(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; (at = strstr(at, word)); at++)
        if ((at == list || at[-1] == ',') && (at[length] == ',' || at[length] == 0)) return true;
    return false;
}

/* An option that nobody reads would make people believe that they had measured something else. */
static int check_options(const options *opts, const experiment_row *row)
{
    for (int i = 0; i < opts->givens; i++)
        if (!is_in(row->options, opts->given[i]) && !is_in("out,quiet", opts->given[i]))
            return cli_usage("bench %s: --%s: not an option of this experiment, which has %s", row->name,
                             opts->given[i], row->options);
    return 0;
}

/* Refuses to overwrite weights that somebody keeps among results. */
static int check_outputs(const options *opts, const char *folder)
{
    static const char *const WRITTEN[] = {"*.csv", "*.md", "*.html", "*.json", "*.pdf", "*.png", NULL};
    const char *inputs[] = {opts->bench_model, opts->bench_dense_model};
    return cli_check_folder("bench", folder, WRITTEN, inputs, 2);
}

static const experiment_row *find_row(const char *name)
{
    for (int i = 0; i < ROWS; i++)
        if (strcmp(ROW[i].name, name) == 0) return &ROW[i];
    return NULL;
}

int cli_bench(const options *opts)
{
    const experiment_row *row = find_row(opts->argument[0]);
    if (!row) return cli_usage("bench: %s: expected one of %s", opts->argument[0], dl_experiment_names());
    if (opts->arguments > 1 && strcmp(row->name, "standard") != 0)
        return cli_usage("bench %s: unexpected argument \"%s\"", row->name, opts->argument[1]);
    int refused = check_options(opts, row);
    if (refused) return refused;
    char usual[64];
    snprintf(usual, sizeof usual, "bench-%s", row->name);
    const char *folder = opts->bench_out ? opts->bench_out : usual;
    refused = check_outputs(opts, folder);
    if (refused) return refused;
    bool has_own_bar = row->run == bench_experiment;
    terminal_bar bar;
    terminal_bar_begin(&bar, row->name, has_own_bar || opts->quiet || !isatty(STDERR_FILENO));
    int status = row->run(opts, folder, &bar.progress);
    terminal_bar_clear(&bar);
    return status;
}
