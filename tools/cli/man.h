/* The man page of all verbs, from their tables. */
#ifndef DL_CLI_MAN_H
#define DL_CLI_MAN_H

#include "cli/options.h"

void man_page(FILE *stream, const verb *verbs, int count);

#endif
