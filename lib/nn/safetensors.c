#include "nn/safetensors.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/output.h"

enum { LENGTH_BYTES = 8, HEADER_ALIGNMENT = 8 };
#define HEADER_LIMIT ((uint64_t)100 << 20) /* the format's own */
#define METADATA     "__metadata__"

/* The file's bytes and its parsed header: names and strings live in the one, numbers in the other. */
typedef struct backing {
    json_t *header;
    dl_file file;
} backing;

size_t dl_tensor_count(const dl_named_tensor *tensor)
{
    size_t count = 1;
    for (int i = 0; i < tensor->rank; i++) count *= (size_t)tensor->shape[i];
    return count;
}

static void write_length(uint64_t length, unsigned char bytes[LENGTH_BYTES])
{
    for (int i = 0; i < LENGTH_BYTES; i++) bytes[i] = (unsigned char)(length >> 8 * i);
}

static uint64_t read_length(const unsigned char *bytes)
{
    uint64_t length = 0;
    for (int i = 0; i < LENGTH_BYTES; i++) length |= (uint64_t)bytes[i] << 8 * i;
    return length;
}

static char *make_header(const dl_tensor_file *file)
{
    json_t *header = json_object(), *metadata = json_object();
    for (int i = 0; i < file->entries; i++)
        json_object_set_new(metadata, file->metadata[i].key, json_string(file->metadata[i].value));
    if (file->entries > 0) json_object_set(header, METADATA, metadata);
    json_decref(metadata);
    size_t offset = 0;
    for (int i = 0; i < file->tensors; i++) {
        const dl_named_tensor *tensor = &file->tensor[i];
        size_t end = offset + sizeof(float) * dl_tensor_count(tensor);
        json_t *shape = json_array();
        for (int d = 0; d < tensor->rank; d++) json_array_append_new(shape, json_integer(tensor->shape[d]));
        json_object_set_new(header, tensor->name,
                            json_pack("{s:s, s:o, s:[I, I]}", "dtype", "F32", "shape", shape, "data_offsets",
                                      (json_int_t)offset, (json_int_t)end));
        offset = end;
    }
    char *text = json_dumps(header, JSON_COMPACT | JSON_PRESERVE_ORDER);
    json_decref(header);
    return text;
}

dl_status dl_tensor_file_write(const char *path, const dl_tensor_file *file, dl_error *err)
{
    /* jansson has one answer for all troubles; malloc leaves a trace. */
    int kept = errno;
    errno = 0;
    char *text = make_header(file);
    bool starved = errno == ENOMEM;
    errno = kept;
    if (starved) {
        free(text);
        return dl_out_of_memory(err);
    }
    if (!text) return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: a name or a metadata value is not UTF-8", path);
    size_t length = strlen(text), padded = (length + HEADER_ALIGNMENT - 1) / HEADER_ALIGNMENT * HEADER_ALIGNMENT;
    dl_output out;
    dl_status status = dl_output_open(&out, path, err);
    if (status == DIFFLNS_OK) {
        unsigned char bytes[LENGTH_BYTES];
        write_length(padded, bytes);
        fwrite(bytes, 1, LENGTH_BYTES, out.stream);
        fprintf(out.stream, "%-*s", (int)padded, text);
        for (int i = 0; i < file->tensors; i++)
            fwrite(file->tensor[i].data, sizeof(float), dl_tensor_count(&file->tensor[i]), out.stream);
        status = dl_output_commit(&out, err); /* notices any failed write */
    }
    free(text);
    return status;
}

static dl_status foreign(const char *name, const char *what, dl_error *err)
{
    return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: not a safetensors file: %s", name, what);
}

static dl_status read_metadata(const char *name, json_t *object, dl_tensor_file *out, dl_error *err)
{
    if (!json_is_object(object)) return foreign(name, "the metadata is not a table", err);
    out->metadata = DL_ARRAY(dl_metadata_entry, json_object_size(object) + 1);
    if (!out->metadata) return dl_out_of_memory(err);
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        if (!json_is_string(value)) return foreign(name, "a metadata value is not a string", err);
        out->metadata[out->entries++] = (dl_metadata_entry){key, json_string_value(value)};
    }
    return DIFFLNS_OK;
}

/* Reads one header entry into *tensor and checks it against the `size` bytes of data. */
static dl_status read_tensor(const char *name, const json_t *entry, const char *data, size_t size,
                             dl_named_tensor *tensor, dl_error *err)
{
    const json_t *shape = json_object_get(entry, "shape"), *offsets = json_object_get(entry, "data_offsets");
    const char *type = json_string_value(json_object_get(entry, "dtype"));
    if (!type || strcmp(type, "F32") != 0) return foreign(name, "a tensor is not of type F32", err);
    if (!json_is_array(shape) || json_array_size(shape) > DL_MAX_RANK)
        return foreign(name, "a tensor has no shape", err);
    if (!json_is_array(offsets) || json_array_size(offsets) != 2) return foreign(name, "a tensor has no place", err);
    size_t count = 1;
    tensor->rank = (int)json_array_size(shape);
    for (int i = 0; i < tensor->rank; i++) {
        const json_t *side = json_array_get(shape, (size_t)i);
        tensor->shape[i] = json_integer_value(side);
        if (!json_is_integer(side) || tensor->shape[i] < 0) return foreign(name, "a tensor's shape is not counts", err);
        if (__builtin_mul_overflow(count, (size_t)tensor->shape[i], &count) || count > size / sizeof(float))
            return foreign(name, "a tensor is larger than the file", err);
    }
    json_int_t begin = json_integer_value(json_array_get(offsets, 0)),
               end = json_integer_value(json_array_get(offsets, 1));
    if (begin < 0 || end < begin || (uint64_t)end > size || (uint64_t)(end - begin) != sizeof(float) * count)
        return foreign(name, "a tensor's place does not fit its shape", err);
    tensor->data = (const float *)(const void *)(data + begin);
    return DIFFLNS_OK;
}

static int by_place(const void *a, const void *b)
{
    const dl_named_tensor *x = a, *y = b;
    if (x->data != y->data) return x->data < y->data ? -1 : 1;
    return (dl_tensor_count(x) > dl_tensor_count(y)) - (dl_tensor_count(x) < dl_tensor_count(y));
}

static dl_status read_header(const char *name, json_t *header, const char *data, size_t size, dl_tensor_file *out,
                             dl_error *err)
{
    if (!json_is_object(header)) return foreign(name, "the header is not a table", err);
    out->tensor = DL_ARRAY(dl_named_tensor, json_object_size(header) + 1);
    if (!out->tensor) return dl_out_of_memory(err);
    const char *key;
    json_t *value;
    json_object_foreach(header, key, value)
    {
        if (strcmp(key, METADATA) == 0) {
            DL_TRY(read_metadata(name, value, out, err));
            continue;
        }
        dl_named_tensor *tensor = &out->tensor[out->tensors];
        tensor->name = key;
        DL_TRY(read_tensor(name, value, data, size, tensor, err));
        out->tensors++;
    }
    qsort(out->tensor, (size_t)out->tensors, sizeof *out->tensor, by_place);
    const char *next = data;
    for (int i = 0; i < out->tensors; i++) {
        if ((const char *)out->tensor[i].data != next) return foreign(name, "tensors overlap or leave gaps", err);
        next += sizeof(float) * dl_tensor_count(&out->tensor[i]);
    }
    return next == data + size ? DIFFLNS_OK : foreign(name, "bytes are left after the last tensor", err);
}

/* Takes over `file`, also on failure. */
static dl_status parse(const char *name, dl_file file, dl_tensor_file *out, dl_error *err)
{
    *out = (dl_tensor_file){0};
    backing *owned = DL_NEW(backing);
    if (!owned) {
        dl_file_free(&file);
        return dl_out_of_memory(err);
    }
    owned->file = file;
    out->owned = owned;
    dl_status status;
    uint64_t length = file.size >= LENGTH_BYTES ? read_length((const unsigned char *)file.data) : 0;
    if (file.size < LENGTH_BYTES || length > HEADER_LIMIT || length > file.size - LENGTH_BYTES) {
        status = foreign(name, "shorter than its header says", err);
    } else {
        const char *data = file.data + LENGTH_BYTES + length;
        json_error_t where;
        status = dl_json_parse(file.data + LENGTH_BYTES, length, &owned->header, &where);
        if (status == DIFFLNS_OK)
            status = read_header(name, owned->header, data, file.size - LENGTH_BYTES - length, out, err);
        else if (status == DIFFLNS_OUT_OF_MEMORY)
            dl_out_of_memory(err);
        else
            status = foreign(name, "the header is not JSON", err);
    }
    if (status != DIFFLNS_OK) dl_tensor_file_free(out);
    return status;
}

dl_status dl_tensor_file_read(const char *path, dl_tensor_file *out, dl_error *err)
{
    *out = (dl_tensor_file){0};
    dl_file file;
    DL_TRY(dl_file_read(path, &file, err));
    return parse(path, file, out, err);
}

dl_status dl_tensor_file_parse(const char *name, const void *bytes, size_t size, dl_tensor_file *out, dl_error *err)
{
    *out = (dl_tensor_file){0};
    dl_file file;
    DL_TRY(dl_file_decode(name, bytes, size, &file, err));
    return parse(name, file, out, err);
}

void dl_tensor_file_free(dl_tensor_file *file)
{
    backing *owned = file->owned;
    if (owned) {
        json_decref(owned->header);
        dl_file_free(&owned->file);
        free(owned);
        free(file->tensor);
        free(file->metadata);
    }
    *file = (dl_tensor_file){0};
}

const dl_named_tensor *dl_tensor_file_find(const dl_tensor_file *file, const char *name)
{
    for (int i = 0; i < file->tensors; i++)
        if (strcmp(file->tensor[i].name, name) == 0) return &file->tensor[i];
    return NULL;
}

const char *dl_tensor_file_metadata(const dl_tensor_file *file, const char *key)
{
    for (int i = 0; i < file->entries; i++)
        if (strcmp(file->metadata[i].key, key) == 0) return file->metadata[i].value;
    return NULL;
}
