/* difflns: one program, one verb per job. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/completion.h"
#include "cli/man.h"
#include "cli/suggest.h"

static const verb VERBS[] = {
#define VERB(bit, name, arguments, least, most, takes, summary, details)                                               \
    {bit, #name, arguments, summary, least, most, cli_##name, details},
#include "cli/verbs.def"
};
enum { VERB_COUNT = sizeof VERBS / sizeof VERBS[0] };

static void help(FILE *stream)
{
    fprintf(stream, "difflns %s: dense multi-agent path finding\n\nusage: difflns VERB [arguments] [options]\n\n",
            difflns_version());
    for (int i = 0; i < VERB_COUNT; i++) fprintf(stream, "  %-10s %s\n", VERBS[i].name, VERBS[i].summary);
    fprintf(stream,
            "\nRun difflns VERB --help for the options of a verb, difflns --version [--verbose] for the version,\n"
            "difflns --man for the man page, difflns --completion bash|zsh|fish for your shell.\n");
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
        man_page(stdout, VERBS, VERB_COUNT);
        return 0;
    }
    if (strcmp(argv[1], "--completion") == 0) {
        if (argc == 3 && completion_print(stdout, argv[2], VERBS, VERB_COUNT)) return 0;
        return cli_usage("--completion: expected bash, zsh or fish");
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
