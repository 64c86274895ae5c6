/* difflns: one program, one verb a job. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

static const verb VERBS[] = {
    {CHECK, "check", "-m MAP -i SCEN PLAN", "Validate a plan of any format: list violations, print its cost.", 1, 1,
     cli_check, NULL},
    {VIEW, "view", "-m MAP -i SCEN PLAN [PLAN2]", "Write one self-contained page that plays the plan.", 1, MAX_ARGUMENTS,
     cli_view, "Two plans play side by side; of more, one shows at a time, with a slider over them."},
};
enum { VERB_COUNT = sizeof VERBS / sizeof VERBS[0] };

static void help(FILE *stream)
{
    fprintf(stream, "difflns %s: dense multi-agent path finding\n\nusage: difflns VERB [arguments] [options]\n\n",
            difflns_version());
    for (int i = 0; i < VERB_COUNT; i++) fprintf(stream, "  %-10s %s\n", VERBS[i].name, VERBS[i].summary);
    fprintf(stream, "\ndifflns VERB --help shows the options of a verb; difflns --version the version.\n");
}

int cli_fail(const difflns_error *err)
{
    fprintf(stderr, "difflns: %s\n", err->message);
    switch (err->status) {
    case DIFFLNS_OK: return 0;
    case DIFFLNS_BAD_INPUT:
    case DIFFLNS_IO: return 2;
    case DIFFLNS_UNSOLVABLE: return 3;
    default: return 1;
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
    if (!opts->scen) return cli_usage("%s: --scen: expected a file", verb_name);
    difflns_error err;
    if (difflns_instance_load(opts->map, opts->scen, (int)opts->agents, out, &err) != DIFFLNS_OK) return cli_fail(&err);
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
    if (strcmp(argv[1], "--version") == 0) {
        printf("difflns %s\n", difflns_version());
        return 0;
    }
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
