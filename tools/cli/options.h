/* Options of the command line: its own from options.def, the solver's from the table of lib/solver/options.h. */
#ifndef DL_CLI_OPTIONS_H
#define DL_CLI_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "solver/options.h"

/* Verbs as bits, so that an option can serve several. */
#define VERB(bit, ...) bit##_NUMBER,
enum {
#include "cli/verbs.def"
    VERBS_NUMBER
};
#define VERB(bit, ...) bit = 1 << bit##_NUMBER,
enum {
#include "cli/verbs.def"
    ALL_VERBS = (1 << VERBS_NUMBER) - 1
};
/* What a verb takes, and the verbs that take an instance, or plans beside it. */
enum { NOTHING, AN_INSTANCE, A_PLAN };
#define VERB(bit, name, arguments, least, most, takes, ...) | (takes >= AN_INSTANCE ? bit : 0)
enum {
    INSTANCE_VERBS = 0
#include "cli/verbs.def"
};
#define VERB(bit, name, arguments, least, most, takes, ...) | (takes == A_PLAN ? bit : 0)
enum {
    PLAN_VERBS = 0
#include "cli/verbs.def"
};

enum { MAX_ARGUMENTS = 16, MAX_REPEATS = 16, MAX_GIVEN = 64 };

/* The values of an option that may be given several times. */
typedef struct option_list {
    int count;
    const char *value[MAX_REPEATS];
} option_list;

typedef struct options {
    int arguments; /* words that are not options */
    const char *argument[MAX_ARGUMENTS];
    const char *given[MAX_GIVEN]; /* names of the options that were */
    int givens;
    dl_options solver;
#define INT_OPTION(verbs, field, ...)    int64_t field;
#define REAL_OPTION(verbs, field, ...)   double field;
#define TEXT_OPTION(verbs, field, ...)   const char *field;
#define LIST_OPTION(verbs, field, ...)   option_list field;
#define CHOICE_OPTION(verbs, field, ...) int64_t field;
#define FLAG_OPTION(verbs, field, ...)   bool field;
#define SOLVER_OPTION(...)
#include "cli/options.def"
} options;

typedef struct verb {
    int bit;
    const char *name, *arguments, *summary;
    int least, most; /* number of arguments */
    int (*run)(const options *opts);
    const char *details; /* further paragraphs for --help, may be NULL */
} verb;

/* Parses the words after the verb. Returns 0 to continue, or prints one line on stderr and returns the exit status. */
int options_parse(const verb *v, int argc, char **argv, options *out);
void options_help(FILE *stream, const verb *v);

/* An option as people and shells see it. */
typedef struct option_view {
    char letter; /* 0 = none */
    const char *name, *help;
    const char *value;          /* what stands for its value, "FILE" for example; "" for a switch */
    const char *choices;        /* "a|b|c"; NULL if any value will do */
    char usual[DL_OPTION_TEXT]; /* the default; "" = none */
} option_view;

/* Steps through the options of a verb: begin with *at = 0; false after the last. */
bool options_next(const verb *v, int *at, option_view *view);

#endif
