/* difflns: one program, one verb a job. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

static const verb VERBS[] = {
    {GENERATE, "generate", "FAMILY -N AGENTS", "Make instances: FAMILY-N-SEED.map and .scen.", 1, 1, cli_generate,
     "FAMILY is small-random, medium-maze, medium-room, medium-warehouse or large-maze (the paper's), or one of their\n"
     "23x23 training twins: random, maze, room, warehouse. Options not given are the family's own."},
    {SOLVE, "solve", "-m MAP -i SCEN", "Find a plan: a first one by repair, with --anytime ever better ones.", 0, 0,
     cli_solve, NULL},
    {CHECK, "check", "-m MAP -i SCEN PLAN", "Validate a plan of any format: list violations, print its cost.", 1, 1,
     cli_check, NULL},
    {CONVERT, "convert", "-m MAP -i SCEN [PLAN]", "Write a plan, a map or a scenario in another format.", 0, 1,
     cli_convert, "PLAN goes to --out in --format; the instance goes to --out-map and --out-scen."},
    {VIEW, "view", "-m MAP -i SCEN PLAN [PLAN2] | --demos DEMOS", "Write one self-contained page that plays the plan.",
     0, MAX_ARGUMENTS, cli_view,
     "Two plans play side by side; of more, one shows at a time, with a slider over them. The folder of\n"
     "sample --trace instead of a plan plays the denoising: from noise to draft."},
    {BENCH, "bench", "EXPERIMENT", "Repeat the paper's experiments and measure speed.", 1, 1, cli_bench,
     "EXPERIMENT is main, frontier, candidates, multistart, attention or init (methods compared on generated\n"
     "instances), scaling (time and memory as instances grow), repair, kernels or calls (speed), improve (designs of\n"
     "improvement side by side), guarantee (is all that can be solved solved?). Writes results.csv, summary.csv and\n"
     "report.html with charts. The same command goes on with an interrupted experiment. Runs under mpirun, too."},
    {EXPERT, "expert", "-o DEMOS", "Solve generated instances and keep the plans as demonstrations for training.", 0, 0,
     cli_expert,
     "The same command goes on with a file that was not finished, and a larger --count extends it. A card with\n"
     "counts and costs goes to DEMOS.card.json. Runs under mpirun, too."},
    {TRAIN, "train", "--data DEMOS -o MODEL", "Train a denoiser on demonstrations.", 0, 0, cli_train,
     "Prints one line of JSON an epoch, also kept in MODEL.jsonl; MODEL.svg plots them. Checkpoints every few "
     "minutes;\n"
     "SIGINT and SIGTERM save and stop, --resume goes on bit for bit. Runs under mpirun, too."},
    {SAMPLE, "sample", "-m MAP -i SCEN --model MODEL", "Draw drafts without repair and print how good they are.", 0, 0,
     cli_sample, NULL},
    {INFO, "info", "MODEL", "Show configuration, size and training card of a weights file.", 1, 1, cli_info, NULL},
};
enum { VERB_COUNT = sizeof VERBS / sizeof VERBS[0] };

static void help(FILE *stream)
{
    fprintf(stream, "difflns %s: dense multi-agent path finding\n\nusage: difflns VERB [arguments] [options]\n\n",
            difflns_version());
    for (int i = 0; i < VERB_COUNT; i++) fprintf(stream, "  %-10s %s\n", VERBS[i].name, VERBS[i].summary);
    fprintf(stream, "\ndifflns VERB --help shows the options of a verb; difflns --version [--verbose] the version.\n");
}

int cli_fail(const difflns_error *err)
{
    fprintf(stderr, "difflns: %s\n", err->message);
    switch (err->status) {
    case DIFFLNS_OK:
        return 0;
    case DIFFLNS_BAD_INPUT:
    case DIFFLNS_IO:
        return 2;
    case DIFFLNS_UNSOLVABLE:
        return 3;
    case DIFFLNS_OUT_OF_MEMORY:
        return 4;
    default:
        return 1;
    }
}

int cli_usage(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("difflns ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return 2;
}

int cli_load(const options *opts, const char *verb_name, difflns_instance **out)
{
    *out = NULL;
    if (!opts->map) return cli_usage("%s: --map: expected a file", verb_name);
    difflns_error err;
    /* Without a scenario the map must show its agents; if it does not, the message says what is missing. */
    if (difflns_instance_load_named(opts->map, opts->map_name, opts->scen, opts->scenario, (int)opts->agents, out,
                                    &err) != DIFFLNS_OK)
        return cli_fail(&err);
    return 0;
}

int cli_read_plan(const options *opts, const difflns_instance *instance, const char *path, difflns_plan **out)
{
    difflns_error err;
    if (difflns_plan_read_order(instance, path, (difflns_order)opts->order, out, &err) != DIFFLNS_OK)
        return cli_fail(&err);
    return 0;
}

int main(int argc, char **argv)
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
    return cli_usage("%s: unknown verb (see difflns --help)", argv[1]);
}
