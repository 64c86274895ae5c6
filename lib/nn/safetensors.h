/* safetensors: an eight-byte length, a JSON header that names and places each tensor, then the raw numbers. Only F32
 * tensors are read and written; metadata is a table of strings. */
#ifndef DL_NN_SAFETENSORS_H
#define DL_NN_SAFETENSORS_H

#include <stdint.h>

#include "base/status.h"

enum { DL_MAX_RANK = 4 };

typedef struct dl_named_tensor {
    const char *name;
    int rank;
    int64_t shape[DL_MAX_RANK];
    const float *data; /* as many numbers as the shape says; may be unaligned after reading: copy with memcpy */
} dl_named_tensor;

typedef struct dl_metadata_entry {
    const char *key, *value;
} dl_metadata_entry;

typedef struct dl_tensor_file {
    int tensors;
    dl_named_tensor *tensor;
    int entries;
    dl_metadata_entry *metadata;
    void *owned; /* what the pointers above point into; set by reading */
} dl_tensor_file;

/* Writes to a temporary, then renames. Names must be distinct. */
dl_status dl_tensor_file_write(const char *path, const dl_tensor_file *file, dl_error *err);
/* Refuses whatever is not a well-formed file with distinct F32 tensors that exactly fill it. */
dl_status dl_tensor_file_read(const char *path, dl_tensor_file *out, dl_error *err);
/* The same from memory; `name` is for messages. */
dl_status dl_tensor_file_parse(const char *name, const void *bytes, size_t size, dl_tensor_file *out, dl_error *err);
void dl_tensor_file_free(dl_tensor_file *file);

/* NULL when there is none. */
const dl_named_tensor *dl_tensor_file_find(const dl_tensor_file *file, const char *name);
const char *dl_tensor_file_metadata(const dl_tensor_file *file, const char *key);
/* Numbers in a tensor. */
size_t dl_tensor_count(const dl_named_tensor *tensor);

#endif
