/* difflns bench: the experiments. */
#include <string.h>
#include <unistd.h>

#include "bench/bench_guarantee.h"
#include "bench/bench_repair.h"
#include "cli/cli.h"

static void show(void *user, uint64_t done, uint64_t total, const char *detail)
{
    (void)user;
    fprintf(stderr, "\r%llu of %llu  %s\033[K", (unsigned long long)done, (unsigned long long)total, detail);
    if (done == total) fputs("\r\033[K", stderr);
}

static int bench_repair(const options *opts, const dl_progress *progress)
{
    dl_bench_repair bench = {.folder = opts->instances,
                             .out = opts->bench_out,
                             .cases = (int)opts->cases,
                             .seconds = opts->bench_time,
                             .iterations = (uint64_t)opts->bench_iterations,
                             .seed = (uint64_t)opts->seed};
    difflns_error err;
    return dl_bench_repair_run(&bench, stdout, progress, &err) == DIFFLNS_OK ? 0 : cli_fail(&err);
}

static int bench_guarantee(const options *opts, const dl_progress *progress)
{
    dl_bench_guarantee bench = {.out = opts->bench_out,
                                .cases = (int)opts->cases,
                                .seconds = opts->bench_time,
                                .seed = (uint64_t)opts->seed};
    difflns_error err;
    return dl_bench_guarantee_run(&bench, stdout, progress, &err) == DIFFLNS_OK ? 0 : cli_fail(&err);
}

int cli_bench(const options *opts)
{
    static const dl_progress SHOW = {.report = show};
    const dl_progress *progress = !opts->quiet && isatty(STDERR_FILENO) ? &SHOW : NULL;
    if (strcmp(opts->argument[0], "repair") == 0) return bench_repair(opts, progress);
    if (strcmp(opts->argument[0], "guarantee") == 0) return bench_guarantee(opts, progress);
    return cli_usage("bench: %s: unknown experiment (there are repair and guarantee)", opts->argument[0]);
}
