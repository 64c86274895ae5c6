/* difflns expert: demonstrations for training. */
#include "expert/expert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/cli.h"
#include "cli/terminal.h"
#include "memory/need.h"
#include "mpi/mpi_ranks.h"

/* Cuts "a,b,c" in place. Returns the number of parts, -1 for an empty one or too many. */
static int split(char *list, char **part)
{
    int count = 0;
    for (char *rest = list; rest; count++) {
        char *word = strsep(&rest, ",");
        if (count == DL_EXPERT_CHOICES || !*word) return -1;
        part[count] = word;
    }
    return count;
}

static int read_sizes(const char *list, dl_expert_options *job)
{
    char *copy = needed(dl_strdup(list)), *part[DL_EXPERT_CHOICES];
    int status = 0;
    job->sizes = split(copy, part);
    for (int i = 0; i < job->sizes; i++) {
        char *end;
        long number = strtol(part[i], &end, 10);
        if (*end || number < 1 || number > DL_MAX_AGENTS)
            job->sizes = -1;
        else
            job->agents[i] = (int)number;
    }
    if (job->sizes < 0)
        status = cli_usage("expert: --agents: \"%s\": expected whole numbers from 1 to %d, separated by commas", list,
                           DL_MAX_AGENTS);
    free(copy);
    return status;
}

static int run(const options *opts, char *families, dl_ranks ranks)
{
    dl_expert_options job = {
        .placement = opts->placement == 0 ? DL_PLACE_ANY : DL_PLACE_DISJOINT,
        .count = opts->expert_count,
        .seed = opts->solver.seed,
        .budget = {.solver = (dl_expert_solver)opts->expert_solver,
                   .seconds = opts->expert_time,
                   .iterations = (uint64_t)opts->expert_iterations,
                   .pairs = opts->pairs},
        .worst = opts->worst,
        .threads = (int)opts->expert_threads,
        .path = opts->out_demos,
        .ranks = ranks,
    };
    char *family[DL_EXPERT_CHOICES];
    job.families = split(families, family);
    if (job.families < 0)
        return cli_usage("expert: --families: \"%s\": expected names separated by commas", opts->families);
    for (int i = 0; i < job.families; i++) job.family[i] = family[i];
    int refused = read_sizes(opts->team_sizes, &job);
    if (refused) return refused;
    if (!job.path) return cli_usage("expert: --out: expected a file");
    if (opts->pairs && job.budget.solver == DL_EXPERT_LACAM)
        return cli_usage("expert: --pairs: expected --solver lns2 or best");

    terminal_bar bar;
    terminal_bar_begin(&bar, "expert", opts->quiet || ranks.rank != 0);
    job.progress = &bar.progress;
    job.cancel = terminal_catch_signals();
    dl_expert_summary summary;
    dl_error err;
    dl_status status = dl_expert_run(&job, &summary, &err);
    terminal_bar_clear(&bar);
    if (ranks.rank != 0) return status == DIFFLNS_OK ? 0 : 1; /* rank 0 speaks for all */
    if (status == DIFFLNS_OK)
        printf("demonstrations=%lld unsolved=%lld made=%lld seconds=%.2f per_second=%.2f soc_over_lower_bound=%.4f\n",
               (long long)summary.solved, (long long)summary.unsolved, (long long)summary.made, summary.seconds,
               (double)summary.made / (summary.seconds + 1e-9), summary.ratio);
    if (status == DIFFLNS_STOPPED) {
        cli_fail(&err);
        return terminal_signal_status();
    }
    return status == DIFFLNS_OK ? 0 : cli_fail(&err);
}

int cli_expert(const options *opts)
{
    dl_ranks ranks = dl_mpi_begin();
    char *families = needed(dl_strdup(opts->families));
    int status = run(opts, families, ranks);
    free(families);
    dl_mpi_end();
    return status;
}
