#include "base/file.h"

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/memory.h"

static const unsigned char ZSTD_MAGIC[4] = {0x28, 0xB5, 0x2F, 0xFD};

static dl_status read_stream(const char *name, FILE *stream, dl_file *out, dl_error *err)
{
    size_t capacity = 1 << 16, size = 0;
    char *data = dl_malloc(capacity + 1);
    if (!data) return dl_out_of_memory(err);
    for (;;) {
        size += fread(data + size, 1, capacity - size, stream);
        if (size < capacity) break;
        if (capacity >= DL_FILE_LIMIT) {
            free(data);
            return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: larger than 2 GB", name);
        }
        char *grown = dl_realloc(data, 2 * capacity + 1, 1);
        if (!grown) {
            free(data);
            return dl_out_of_memory(err);
        }
        data = grown;
        capacity *= 2;
    }
    if (ferror(stream)) {
        free(data);
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: %s", name, strerror(errno));
    }
    assert(size <= capacity);
    data[size] = 0;
    *out = (dl_file){data, size};
    return DIFFLNS_OK;
}

/* So much a compressed file may hold: a few bytes must not take all memory. */
static size_t inflated_limit(size_t packed)
{
    size_t limit = DL_INFLATED_LEAST + DL_INFLATED_RATIO * packed;
    return packed < DL_FILE_LIMIT / DL_INFLATED_RATIO && limit < DL_FILE_LIMIT ? limit : DL_FILE_LIMIT;
}

/* Decompresses until the frame ends, the input does, the limit is reached or something is wrong; *result is zstd's last
 * word. False when memory ran out. */
static bool decompress_all(ZSTD_DStream *stream, ZSTD_inBuffer *in, dl_file *out, size_t *capacity, size_t *result)
{
    size_t limit = inflated_limit(in->size);
    while (in->pos < in->size || (*result != 0 && out->size == *capacity)) {
        if (out->size == *capacity) {
            if (*capacity >= limit) break;
            size_t wider = 2 * *capacity < limit ? 2 * *capacity : limit;
            char *grown = dl_realloc(out->data, wider + 1, 1);
            if (!grown) return false;
            out->data = grown;
            *capacity = wider;
        }
        ZSTD_outBuffer piece = {out->data, *capacity, out->size};
        *result = ZSTD_decompressStream(stream, &piece, in);
        if (ZSTD_isError(*result)) return ZSTD_getErrorCode(*result) != ZSTD_error_memory_allocation;
        out->size = piece.pos;
    }
    return true;
}

static dl_status decompress(const char *name, const void *bytes, size_t size, dl_file *out, dl_error *err)
{
    size_t capacity = 1 << 16, result = 1;
    dl_file whole = {dl_malloc(capacity + 1), 0};
    ZSTD_DStream *stream = ZSTD_createDStream();
    ZSTD_inBuffer in = {bytes, size, 0};
    bool fits = whole.data && stream && decompress_all(stream, &in, &whole, &capacity, &result);
    ZSTD_freeDStream(stream);
    assert(whole.size <= capacity && in.pos <= in.size);
    if (fits && result == 0 && in.pos == in.size) {
        whole.data[whole.size] = 0;
        *out = whole;
        return DIFFLNS_OK;
    }
    dl_file_free(&whole);
    if (!fits) return dl_out_of_memory(err);
    if (capacity >= inflated_limit(size) && !ZSTD_isError(result))
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: more than %zu MB when decompressed, too much for a file of %zu KB",
                       name, capacity >> 20, size >> 10);
    return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: not a complete zstd file%s%s", name, ZSTD_isError(result) ? ": " : "",
                   ZSTD_isError(result) ? ZSTD_getErrorName(result) : "");
}

dl_status dl_file_decode(const char *name, const void *bytes, size_t size, dl_file *out, dl_error *err)
{
    *out = (dl_file){0};
    if (size >= sizeof ZSTD_MAGIC && memcmp(bytes, ZSTD_MAGIC, sizeof ZSTD_MAGIC) == 0)
        return decompress(name, bytes, size, out, err);
    char *copy = dl_malloc(size + 1);
    if (!copy) return dl_out_of_memory(err);
    if (size) memcpy(copy, bytes, size);
    copy[size] = 0;
    *out = (dl_file){copy, size};
    return DIFFLNS_OK;
}

static dl_status open_for_reading(const char *path, FILE **out, dl_error *err)
{
    *out = fopen(path, "rb");
    struct stat about;
    if (*out && fstat(fileno(*out), &about) == 0 && !S_ISDIR(about.st_mode)) return DIFFLNS_OK;
    int reason = *out ? EISDIR : errno;
    if (*out) fclose(*out);
    if (reason == ENOMEM) return dl_out_of_memory(err);
    return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: cannot read: %s", path, strerror(reason));
}

dl_status dl_file_read(const char *path, dl_file *out, dl_error *err)
{
    *out = (dl_file){0};
    bool standard_input = strcmp(path, "-") == 0;
    const char *name = standard_input ? "standard input" : path;
    FILE *stream = stdin;
    if (!standard_input) DL_TRY(open_for_reading(path, &stream, err));
    dl_file raw = {0};
    dl_status status = read_stream(name, stream, &raw, err);
    if (!standard_input) fclose(stream);
    if (status != DIFFLNS_OK) return status;
    if (raw.size >= sizeof ZSTD_MAGIC && memcmp(raw.data, ZSTD_MAGIC, sizeof ZSTD_MAGIC) == 0) {
        status = decompress(name, raw.data, raw.size, out, err);
        dl_file_free(&raw);
        return status;
    }
    *out = raw;
    return DIFFLNS_OK;
}

void dl_file_free(dl_file *file)
{
    free(file->data);
    *file = (dl_file){0};
}

dl_status dl_directory_make(const char *path, dl_error *err)
{
    char *part = dl_strdup(path);
    if (!part) return dl_out_of_memory(err);
    size_t length = strlen(part);
    for (size_t end = 1; end <= length; end++) { /* every prefix before a slash, then the whole */
        char kept = part[end];
        if (kept != '/' && kept != 0) continue;
        part[end] = 0;
        int failed = mkdir(part, 0777) != 0 && errno != EEXIST;
        part[end] = kept;
        if (failed) break;
    }
    int reason = errno;
    free(part);
    struct stat about;
    if (stat(path, &about) == 0 && S_ISDIR(about.st_mode)) return DIFFLNS_OK;
    return dl_fail(err, DIFFLNS_IO, "%s: cannot create the folder: %s", path, strerror(reason));
}

/* The folder a path lies in, as stat() tells it. */
static bool stat_folder(const char *path, struct stat *about)
{
    size_t length = (size_t)(dl_file_base_name(path) - path);
    char *folder = dl_strdup(length ? path : ".");
    if (!folder) return false;
    if (length) folder[length] = 0;
    bool known = stat(folder, about) == 0;
    free(folder);
    return known;
}

bool dl_file_same(const char *a, const char *b)
{
    struct stat x, y;
    if (strcmp(a, "-") == 0 || strcmp(b, "-") == 0) return false;
    bool a_exists = stat(a, &x) == 0, b_exists = stat(b, &y) == 0;
    if (a_exists != b_exists) return false;
    if (a_exists) return S_ISREG(x.st_mode) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
    return strcmp(dl_file_base_name(a), dl_file_base_name(b)) == 0 && stat_folder(a, &x) && stat_folder(b, &y) &&
           x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

char *dl_file_inside(const char *folder, const char *name)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = dl_malloc(size);
    if (path) snprintf(path, size, "%s/%s", folder, name);
    return path;
}

const char *dl_file_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
