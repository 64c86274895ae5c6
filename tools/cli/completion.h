/* Completions of the command line for shells, from the tables of verbs and options. */
#ifndef DL_CLI_COMPLETION_H
#define DL_CLI_COMPLETION_H

#include "cli/options.h"

/* False if the shell is unknown. */
bool completion_print(FILE *stream, const char *shell, const verb *verbs, int count);

#endif
