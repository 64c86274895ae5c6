/* difflns: one program, one verb per job. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/suggest.h"

static const verb VERBS[] = {
    {GENERATE, "generate", "FAMILY -N AGENTS", "Make instances: FAMILY-N-SEED.map and .scen.", 1, 1, cli_generate,
     "FAMILY is small-random, medium-maze, medium-room, medium-warehouse or large-maze (from the paper), or one of "
     "the\n"
     "23x23 families for training: random, maze, room, warehouse. Options you leave out keep the family's defaults."},
    {SOLVE, "solve", "-m MAP -i SCEN", "Find a collision-free plan; with --anytime, keep improving it until the limit.",
     0, 0, cli_solve, NULL},
    {CHECK, "check", "-m MAP -i SCEN PLAN", "Validate a plan in any format: list violations and print its cost.", 1, 1,
     cli_check, NULL},
    {CONVERT, "convert", "-m MAP -i SCEN [PLAN]", "Write a plan, a map or a scenario in another format.", 0, 1,
     cli_convert, "PLAN is written to --out in the given --format, the map to --out-map, the scenario to --out-scen."},
    {VIEW, "view", "-m MAP -i SCEN PLAN [PLAN2] | --demos DEMOS", "Write one self-contained page that plays the plan.",
     0, MAX_ARGUMENTS, cli_view,
     "Two plans play side by side. With more than two, a slider picks the one to show. Given the folder that\n"
     "sample --trace wrote, the page plays the denoising, from noise to draft."},
    {BENCH, "bench", "EXPERIMENT", "Repeat the experiments of the paper and measure speed.", 1, 1, cli_bench,
     "EXPERIMENT is main, frontier, candidates, multistart, attention or init (compare methods on generated "
     "instances),\n"
     "scaling (time and memory as instances grow), repair, kernels or calls (speed), improve (designs of\n"
     "improvement), or guarantee (is every solvable "
     "instance\n"
     "solved?). Writes results.csv, summary.csv and report.html with charts. To resume an interrupted experiment, run\n"
     "the same command again. Also runs under mpirun."},
    {EXPERT, "expert", "-o DEMOS", "Solve generated instances and store the plans as demonstrations for training.", 0,
     0, cli_expert,
     "To resume an unfinished file, run the same command again; a larger --count extends the file. A summary of "
     "counts\n"
     "and costs is written to DEMOS.card.json. Also runs under mpirun."},
    {TRAIN, "train", "--data DEMOS -o MODEL", "Train a denoiser on demonstrations.", 0, 0, cli_train,
     "Prints one line of JSON per epoch and appends it to MODEL.jsonl; MODEL.svg plots the loss. A checkpoint is "
     "saved\n"
     "every few minutes and when the program is interrupted; --resume continues from it, bit for bit. Also runs under\n"
     "mpirun."},
    {SAMPLE, "sample", "-m MAP -i SCEN --model MODEL", "Draw drafts without repairing them and print their quality.", 0,
     0, cli_sample, NULL},
    {INFO, "info", "MODEL", "Show the configuration, size and training record of a weights file.", 1, 1, cli_info,
     NULL},
};
enum { VERB_COUNT = sizeof VERBS / sizeof VERBS[0] };

static void help(FILE *stream)
{
    fprintf(stream, "difflns %s: dense multi-agent path finding\n\nusage: difflns VERB [arguments] [options]\n\n",
            difflns_version());
    for (int i = 0; i < VERB_COUNT; i++) fprintf(stream, "  %-10s %s\n", VERBS[i].name, VERBS[i].summary);
    fprintf(stream,
            "\nRun difflns VERB --help for the options of a verb, difflns --version [--verbose] for the version.\n");
}

/* A closed standard stream would lend its number to the next file that is opened, and what is printed would end up in
 * there. Opened the wrong way around, so that using it is an error. */
static void open_standard_streams(void)
{
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++)
        if (fcntl(descriptor, F_GETFD) < 0) open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/* What was printed must have arrived; a full disk is no success. Returns the exit status. */
static int close_standard_output(int status)
{
    bool lost = ferror(stdout);
    int reason = fclose(stdout) == 0 ? 0 : errno;         /* of an earlier failure it is gone */
    if ((!lost && !reason) || status >= 2) return status; /* from 2 on a line has said what went wrong */
    fprintf(stderr, "difflns: standard output: cannot write%s%s\n", reason ? ": " : "", reason ? strerror(reason) : "");
    return 2;
}

static int run(int argc, char **argv)
{
    if (argc < 2) {
        help(stderr);
        return 2;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        help(stdout);
        return 0;
    }
    if (strcmp(argv[1], "--version") == 0)
        return cli_version(argc > 2 && (strcmp(argv[2], "--verbose") == 0 || strcmp(argv[2], "-v") == 0));
    if (strcmp(argv[1], "--man") == 0) {
        options_man(stdout, VERBS, VERB_COUNT);
        return 0;
    }
    for (int i = 0; i < VERB_COUNT; i++) {
        if (strcmp(argv[1], VERBS[i].name) != 0) continue;
        for (int k = 2; k < argc; k++)
            if (strcmp(argv[k], "--help") == 0) {
                options_help(stdout, &VERBS[i]);
                return 0;
            }
        options opts;
        int status = options_parse(&VERBS[i], argc - 2, argv + 2, &opts);
        return status ? status : VERBS[i].run(&opts);
    }
    const char *name[VERB_COUNT];
    for (int i = 0; i < VERB_COUNT; i++) name[i] = VERBS[i].name;
    const char *meant = suggest(argv[1], name, VERB_COUNT);
    if (meant) return cli_usage("%s: unknown verb: did you mean %s? (see difflns --help)", argv[1], meant);
    return cli_usage("%s: unknown verb (see difflns --help)", argv[1]);
}

int main(int argc, char **argv)
{
    open_standard_streams();
    signal(SIGXFSZ, SIG_IGN); /* a file that grows too large is an error like a full disk */
    return close_standard_output(run(argc, argv));
}
