/* Whole files in; reading undoes zstd compression. Names of files and folders. Writing is in output.h. For tools. */
#ifndef DL_BASE_FILE_H
#define DL_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"
#include "base/status.h"

/* No file we read as a whole is larger (compressed ones: after decompression). */
#define DL_FILE_LIMIT ((size_t)1 << 31)
/* A compressed file may hold a map of the largest size, and beyond that so many times its own size: plans of robots
 * that mostly wait get 100 times smaller, bombs 10,000 times. */
#define DL_INFLATED_LEAST ((size_t)32 << 20)
#define DL_INFLATED_RATIO ((size_t)256)

typedef struct dl_file {
    char *data; /* owned; `size` bytes and one NUL after them */
    size_t size;
} dl_file;

/* Reads `path` ("-" is standard input). A zstd frame, whatever the file's name, is decompressed. */
dl_status dl_file_read(const char *path, dl_file *out, dl_error *err);
/* The same for bytes already in memory; always copies. `name` is for messages. */
dl_status dl_file_decode(const char *name, const void *bytes, size_t size, dl_file *out, dl_error *err);
void dl_file_free(dl_file *file);

/* Makes a directory and those above it; one that exists is fine. */
dl_status dl_directory_make(const char *path, dl_error *err);

/* Whether two names lead to one regular file, through symlinks too; of files that do not exist yet, to the same place
 * in one folder. "-", devices and pipes are never the same: writing them destroys nothing. */
bool dl_file_same(const char *a, const char *b);

/* FOLDER/NAME, to free(); NULL when memory is out. */
DL_MUST_CHECK char *dl_file_inside(const char *folder, const char *name);

/* The part of a path after the last slash. */
const char *dl_file_base_name(const char *path);

#endif
