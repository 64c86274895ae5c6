/* Files that are whole or not there: a regular file is written to a temporary beside it, which is then renamed.
 * Symlinks are followed. What is no regular file (a device, a pipe) is written directly and never replaced. For tools.
 */
#ifndef DL_BASE_OUTPUT_H
#define DL_BASE_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/status.h"

typedef struct dl_output {
    FILE *stream;
    char *name;      /* as the caller gave it, for messages */
    char *path;      /* what the temporary becomes; NULL when written directly */
    char *temporary; /* locked while it is being written, so that a leftover can be told from work in progress */
} dl_output;

/* Opens `path` for writing ("-" is standard output); write to ->stream; then commit or discard. A temporary that a
 * killed process left for the same path is removed. */
dl_status dl_output_open(dl_output *out, const char *path, dl_error *err);
/* The same for FOLDER/NAME; a folder that is not there is made. */
dl_status dl_output_open_inside(dl_output *out, const char *folder, const char *name, dl_error *err);
/* Flushes, fsyncs and renames. On failure nothing is left. */
dl_status dl_output_commit(dl_output *out, dl_error *err);
/* Removes the temporary. What was written directly stays written. */
void dl_output_discard(dl_output *out);

/* The file a name leads to through symlinks, whether it exists or not. To free(); NULL with errno set on failure. */
char *dl_output_target(const char *path);

#endif
