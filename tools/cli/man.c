#include "cli/man.h"

#include <ctype.h>

/* A hyphen in troff text is a typographic one; options need the plain one. */
static void man_text(FILE *stream, const char *text)
{
    for (; *text; text++) {
        if (*text == '-' || *text == '\\') fputc('\\', stream);
        fputc(*text, stream);
    }
}

static void man_option(FILE *stream, const option_view *row)
{
    fprintf(stream, ".TP\n.B ");
    if (row->letter) fprintf(stream, "\\-%c, ", row->letter);
    fprintf(stream, "\\-\\-");
    man_text(stream, row->name);
    if (*row->value) fprintf(stream, " \\fI%s\\fR", row->value);
    fputc('\n', stream);
    man_text(stream, row->help);
    if (*row->usual) {
        fprintf(stream, " (default ");
        man_text(stream, row->usual);
        fputc(')', stream);
    }
    fputc('\n', stream);
}

static void man_verb(FILE *stream, const verb *v)
{
    fprintf(stream, ".SH ");
    for (const char *c = v->name; *c; c++) fputc(toupper((unsigned char)*c), stream);
    fprintf(stream, "\n.B difflns %s\n", v->name);
    man_text(stream, v->arguments);
    fprintf(stream, " [options]\n.PP\n");
    man_text(stream, v->summary);
    fputc('\n', stream);
    if (v->details) {
        fprintf(stream, ".PP\n");
        man_text(stream, v->details);
        fputc('\n', stream);
    }
    option_view row;
    for (int at = 0; options_next(v, &at, &row);) man_option(stream, &row);
}

/* The words that the rest uses. */
static const struct {
    const char *word, *meaning;
} WORDS[] = {
    {"SOC", "sum of costs: over all agents, the time of the last arrival at the goal. Waiting on the way counts, "
            "resting on the goal does not. No plan costs less than the sum of distances, that of all shortest paths."},
    {"makespan", "the time of the last arrival of all."},
    {"conflict", "two agents on one cell at one time, or two that exchange cells in one step."},
    {"colliding pair", "two agents with at least one conflict."},
    {"draft", "a plan drawn by the diffusion model; its paths may still collide."},
    {"start", "the plan that repair begins with (\\-\\-init), or the cell an agent begins on."},
};

static const struct {
    const char *status, *meaning;
} EXIT[] = {
    {"0", "done; solve: solved; check: valid"},
    {"1", "no; solve: not solved within the limit; check: not valid"},
    {"2", "bad input or usage, with one line that names it; nothing was written"},
    {"3", "solve only: no plan exists, with the reason"},
    {"4", "an internal error: please report it with the output of difflns \\-\\-version \\-\\-verbose"},
    {"129, 130, 143", "after SIGHUP, SIGINT, SIGTERM; solve has written the best plan it had"},
};

#define ROWS(table) (sizeof(table) / sizeof(table)[0])

void man_page(FILE *stream, const verb *verbs, int count)
{
    fprintf(stream, ".TH DIFFLNS 1 \"\" \"difflns %s\"\n.SH NAME\ndifflns \\- dense multi\\-agent path finding\n",
            DIFFLNS_VERSION_STRING);
    fprintf(stream, ".SH SYNOPSIS\n.B difflns\n.I VERB\n[arguments] [options]\n.SH DESCRIPTION\n"
                    "Finds collision\\-free paths for many agents on a crowded grid map, checks and shows them.\n"
                    "Results go to standard output and files, everything for people to standard error.\n");
    for (size_t i = 0; i < ROWS(WORDS); i++) fprintf(stream, ".TP\n.B %s\n%s\n", WORDS[i].word, WORDS[i].meaning);
    for (int i = 0; i < count; i++) man_verb(stream, &verbs[i]);
    fprintf(stream, ".SH EXIT STATUS\n");
    for (size_t i = 0; i < ROWS(EXIT); i++) fprintf(stream, ".TP\n.B %s\n%s\n", EXIT[i].status, EXIT[i].meaning);
    fprintf(stream, ".SH ENVIRONMENT\n.TP\n.B DIFFLNS_ISA\nbaseline or avx2: use no later instruction set\n");
    fprintf(stream, ".SH EXAMPLES\n");
#define EXAMPLE(what, command)                                                                                         \
    man_text(stream, what);                                                                                            \
    fprintf(stream, "\n.PP\n.nf\n.RS\n");                                                                              \
    man_text(stream, command);                                                                                         \
    fprintf(stream, "\n.RE\n.fi\n.PP\n");
#include "cli/examples.def"
#undef EXAMPLE
}
