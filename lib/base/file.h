/* Whole files in, whole files out. Reading undoes zstd compression; writing goes to a temporary that is renamed. For
 * tools. */
#ifndef DL_BASE_FILE_H
#define DL_BASE_FILE_H

#include <stdio.h>

#include "base/status.h"

/* No file we read as a whole is larger (compressed ones: after decompression). */
#define DL_FILE_LIMIT ((size_t)1 << 31)

typedef struct dl_file {
    char *data; /* owned; `size` bytes and one NUL behind them */
    size_t size;
} dl_file;

/* Reads `path` ("-" is standard input). A zstd frame, whatever the file's name, is decompressed. */
dl_status dl_file_read(const char *path, dl_file *out, dl_error *err);
/* The same for bytes already in memory; always copies. `name` is for messages. */
dl_status dl_file_decode(const char *name, const void *bytes, size_t size, dl_file *out, dl_error *err);
void dl_file_free(dl_file *file);

typedef struct dl_output {
    FILE *stream;
    char *path, *temporary;
    int to_stdout;
} dl_output;

/* Opens a temporary beside `path` ("-" is standard output); write to ->stream; then commit or discard. */
dl_status dl_output_open(dl_output *out, const char *path, dl_error *err);
/* Flushes, fsyncs and renames. On failure nothing is left behind. */
dl_status dl_output_commit(dl_output *out, dl_error *err);
void dl_output_discard(dl_output *out);

/* Makes a directory and those above it; one that exists is fine. */
dl_status dl_directory_make(const char *path, dl_error *err);

/* The part of a path behind the last slash. */
const char *dl_file_base_name(const char *path);

#endif
