/* What the verbs share: only this room prints. */
#ifndef DL_CLI_CLI_H
#define DL_CLI_CLI_H

#include <stdbool.h>

#include "cli/options.h"
#include "difflns.h"

/* cli_generate and so on: each verb runs in a file of its own and returns the exit status. */
#define VERB(bit, name, ...) int cli_##name(const options *opts);
#include "cli/verbs.def"
/* The version; verbose with all that a report of a bug should say about the build and the machine. */
int cli_version(bool verbose);

/* Prints "difflns: message" on stderr, with the option that helps if there is one, and returns the exit status that
 * goes with it. An internal error also asks for a report. */
int cli_fail(const difflns_error *err);
/* Prints one usage error and returns 2. */
__attribute__((format(printf, 1, 2))) int cli_usage(const char *format, ...);
/* Refuses an output that is one of the inputs, or another output, under whatever name. NULLs are left out. Call it
 * before anything is written. Returns 0 or the exit status. */
int cli_check_outputs(const char *verb_name, const char *const *outputs, int output_count, const char *const *inputs,
                      int input_count);
/* The same for a folder of outputs, in which files whose names match `patterns` (as of a shell, up to a NULL) may be
 * replaced or removed. */
int cli_check_folder(const char *verb_name, const char *folder, const char *const *patterns, const char *const *inputs,
                     int input_count);
/* Loads -m and -i, with a usage error if one is missing. Returns 0 or the exit status. */
int cli_load(const options *opts, const char *verb_name, difflns_instance **out);
/* Reads a plan with the options that say how. Returns 0 or the exit status. */
int cli_read_plan(const options *opts, const difflns_instance *instance, const char *path, difflns_plan **out);

#endif
