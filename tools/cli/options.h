/* Options of the command line: its own from options.def, the solver's from the table of lib/solver/options.h. */
#ifndef DL_CLI_OPTIONS_H
#define DL_CLI_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "solver/options.h"

/* Verbs as bits, so that a row of the table can serve several. */
enum {
    GENERATE = 1 << 0,
    SOLVE = 1 << 1,
    CHECK = 1 << 2,
    CONVERT = 1 << 3,
    VIEW = 1 << 4,
    EXPERT = 1 << 5,
    TRAIN = 1 << 6,
    SAMPLE = 1 << 7,
    INFO = 1 << 8,
    BENCH = 1 << 9
};

enum { MAX_ARGUMENTS = 16, MAX_REPEATS = 16 };

/* The values of an option that may be given several times. */
typedef struct option_list {
    int count;
    const char *value[MAX_REPEATS];
} option_list;

typedef struct options {
    int arguments; /* words that are not options */
    const char *argument[MAX_ARGUMENTS];
    dl_options solver;
#define INT_OPTION(verbs, field, ...)    int64_t field;
#define REAL_OPTION(verbs, field, ...)   double field;
#define TEXT_OPTION(verbs, field, ...)   const char *field;
#define LIST_OPTION(verbs, field, ...)   option_list field;
#define CHOICE_OPTION(verbs, field, ...) int64_t field;
#define FLAG_OPTION(verbs, field, ...)   bool field;
#define SOLVER_OPTION(...)
#include "cli/options.def"
#undef INT_OPTION
#undef REAL_OPTION
#undef TEXT_OPTION
#undef LIST_OPTION
#undef CHOICE_OPTION
#undef FLAG_OPTION
#undef SOLVER_OPTION
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
/* The man page of all verbs. */
void options_man(FILE *stream, const verb *verbs, int count);

#endif
