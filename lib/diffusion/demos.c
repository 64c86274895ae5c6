#include "diffusion/demos.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/lock.h"
#include "base/memory.h"
#include "base/output.h"
#include "diffusion/demo_record.h"

/* The file begins with this, then the text that says how it was made, then records. */
typedef struct file_head {
    char magic[8];
    uint32_t version;
    uint32_t about_size;
    uint64_t check; /* over magic, version, size and the text */
} file_head;

_Static_assert(sizeof(file_head) == 24, "the head is part of the file format");

static const char MAGIC[8] = "DLDEMOS";
enum { VERSION = 1, ABOUT_LIMIT = 1 << 20, BUFFER = 1 << 20 };

/* Where a record lies and what its header says. */
typedef struct place {
    uint64_t offset;
    dl_demo_header header;
} place;

/* Everything that is known after one pass over a file. */
typedef struct content {
    char *about;
    place *place; /* in the order of the file; sorted for readers */
    size_t places, capacity;
    uint64_t end;   /* of the last sound record */
    bool cut_short; /* the file ends inside a record: a writer was stopped */
} content;

struct dl_demos {
    int file;
    char *path;
    char *about;
    place *solved; /* by job */
    int64_t count, unsolved;
};

struct dl_demos_writer {
    int file; /* -1 = not open yet */
    char *path;
    dl_lock lock;
    content content;
    uint8_t *done; /* [done_capacity] by job */
    uint64_t done_capacity;
};

/* ---- One pass ---- */

static uint64_t head_check(const file_head *head, const char *about)
{
    return dl_demo_checksum(dl_demo_checksum(0, head, offsetof(file_head, check)), about, head->about_size);
}

static void release_content(content *c)
{
    free(c->about);
    free(c->place);
    *c = (content){0};
}

static dl_status read_head(FILE *stream, const char *path, content *out, dl_error *err)
{
    file_head head;
    size_t got = fread(&head, 1, sizeof head, stream);
    if (got < sizeof head.magic || memcmp(head.magic, MAGIC, sizeof MAGIC) != 0)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: not a demonstration file", path);
    if (got < sizeof head) return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: truncated header", path);
    if (head.version != VERSION)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: version %u, expected %d", path, head.version, VERSION);
    if (head.about_size > ABOUT_LIMIT) return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: damaged header", path);
    out->about = dl_calloc(head.about_size + 1, 1);
    if (!out->about) return dl_out_of_memory(err);
    if (fread(out->about, 1, head.about_size, stream) < head.about_size)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: truncated header", path);
    if (head.check != head_check(&head, out->about))
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: damaged header: the checksum does not match", path);
    out->end = sizeof head + head.about_size;
    return DIFFLNS_OK;
}

/* Reads records up to the end or the first fault, which goes to *damage. Fails when memory is out. */
static dl_status read_records(FILE *stream, const char *path, content *out, dl_error *damage, dl_error *err)
{
    bool room_left = true;
    char *frame = NULL;
    size_t room = 0;
    *damage = (dl_error){.status = DIFFLNS_OK};
    for (;;) {
        dl_demo_header header;
        size_t got = fread(&header, 1, sizeof header, stream);
        if (got == 0) break;
        const char *fault = NULL;
        out->cut_short = got < sizeof header;
        if (!out->cut_short) fault = dl_demo_header_fault(&header);
        if (!out->cut_short && !fault) {
            room_left = DL_GROW(frame, room, (size_t)header.size + 1);
            if (!room_left) break;
            out->cut_short = fread(frame, 1, header.size, stream) < header.size;
            if (!out->cut_short && !dl_demo_record_intact(&header, frame)) fault = "the checksum does not match";
        }
        if (out->cut_short) fault = "the file ends inside it";
        if (fault) {
            dl_fail(damage, DIFFLNS_BAD_INPUT,
                    "%s: record %zu at byte %llu is damaged: %s; the %zu before it are sound", path, out->places,
                    (unsigned long long)out->end, fault, out->places);
            break;
        }
        room_left = DL_GROW(out->place, out->capacity, out->places + 1);
        if (!room_left) break;
        out->place[out->places++] = (place){out->end, header};
        out->end += sizeof header + header.size;
    }
    free(frame);
    return room_left ? DIFFLNS_OK : dl_out_of_memory(err);
}

/* One pass over an open file, whose position is left undefined. */
static dl_status read_content(int file, const char *path, content *out, dl_error *damage, dl_error *err)
{
    *out = (content){0};
    int own = dup(file);
    FILE *stream = own >= 0 ? fdopen(own, "rb") : NULL;
    if (!stream) {
        int reason = errno;
        if (own >= 0) close(own);
        if (reason == ENOMEM) return dl_out_of_memory(err);
        return dl_fail(err, DIFFLNS_IO, "%s: cannot read: %s", path, strerror(reason));
    }
    rewind(stream);
    setvbuf(stream, NULL, _IOFBF, BUFFER);
    dl_status status = read_head(stream, path, out, err);
    dl_error found = {.status = DIFFLNS_OK}; /* `damage` and `err` may be one */
    if (status == DIFFLNS_OK) status = read_records(stream, path, out, &found, err);
    if (status == DIFFLNS_OK) *damage = found;
    fclose(stream);
    if (status != DIFFLNS_OK) release_content(out);
    return status;
}

static int by_job(const void *a, const void *b)
{
    uint64_t x = ((const place *)a)->header.about.job, y = ((const place *)b)->header.about.job;
    return (x > y) - (x < y);
}

/* ---- Reading ---- */

dl_status dl_demos_salvage(const char *path, dl_demos **out, dl_error *damage)
{
    *out = NULL;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat about;
    if (file < 0 || fstat(file, &about) != 0 || S_ISDIR(about.st_mode)) {
        int reason = file < 0 ? errno : EISDIR;
        if (file >= 0) close(file);
        return dl_fail(damage, DIFFLNS_BAD_INPUT, "%s: cannot read: %s", path, strerror(reason));
    }
    content c;
    dl_status status = read_content(file, path, &c, damage, damage);
    if (status != DIFFLNS_OK) {
        close(file);
        return status;
    }
    dl_demos *demos = DL_NEW(dl_demos);
    char *name = dl_strdup(path);
    if (!demos || !name) {
        free(demos);
        free(name);
        release_content(&c);
        close(file);
        return dl_out_of_memory(damage);
    }
    *demos = (dl_demos){.file = file, .path = name, .about = c.about, .solved = c.place};
    for (size_t i = 0; i < c.places; i++) {
        if (c.place[i].header.outcome == DL_DEMO_SOLVED) {
            demos->solved[demos->count++] = c.place[i];
        } else {
            demos->unsolved++;
        }
    }
    if (demos->count > 0) qsort(demos->solved, (size_t)demos->count, sizeof *demos->solved, by_job);
    *out = demos;
    return DIFFLNS_OK;
}

dl_status dl_demos_open(const char *path, dl_demos **out, dl_error *err)
{
    dl_error damage;
    dl_status status = dl_demos_salvage(path, out, &damage);
    if (status == DIFFLNS_OK && damage.status != DIFFLNS_OK) {
        dl_demos_close(*out);
        *out = NULL;
        status = damage.status;
    }
    if (status != DIFFLNS_OK && err) *err = damage;
    return status;
}

void dl_demos_close(dl_demos *demos)
{
    if (!demos) return;
    close(demos->file);
    free(demos->path);
    free(demos->about);
    free(demos->solved);
    free(demos);
}

int64_t dl_demos_count(const dl_demos *demos)
{
    return demos->count;
}

int64_t dl_demos_unsolved(const dl_demos *demos)
{
    return demos->unsolved;
}

const dl_demo_summary *dl_demos_summary(const dl_demos *demos, int64_t index)
{
    return &demos->solved[index].header.about;
}

const char *dl_demos_about(const dl_demos *demos)
{
    return demos->about;
}

/* Reads exactly `size` bytes at `offset`. */
static bool read_at(int file, void *bytes, size_t size, uint64_t offset)
{
    while (size > 0) {
        ssize_t got = pread(file, bytes, size, (off_t)offset);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        bytes = (char *)bytes + got;
        size -= (size_t)got;
        offset += (uint64_t)got;
    }
    return true;
}

dl_status dl_demos_read(const dl_demos *demos, int64_t index, dl_demo *out, dl_error *err)
{
    *out = (dl_demo){0};
    if (index < 0 || index >= demos->count)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: demonstration %lld: expected 0 to %lld", demos->path,
                       (long long)index, (long long)demos->count - 1);
    const place *p = &demos->solved[index];
    void *frame = dl_malloc(p->header.size);
    if (!frame) return dl_out_of_memory(err);
    dl_status status;
    if (read_at(demos->file, frame, p->header.size, p->offset + sizeof p->header) &&
        dl_demo_record_intact(&p->header, frame)) {
        status = dl_demo_unpack(&p->header, frame, demos->path, index, out, err);
    } else {
        status = dl_fail(err, DIFFLNS_BAD_INPUT, "%s: demonstration %lld: changed on disk since the file was opened",
                         demos->path, (long long)index);
    }
    free(frame);
    return status;
}

/* ---- Writing ---- */

static dl_status write_all(int file, const char *path, const void *bytes, size_t size, dl_error *err)
{
    while (size > 0) {
        ssize_t put = write(file, bytes, size);
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) return dl_fail(err, DIFFLNS_IO, "%s: cannot write: %s", path, strerror(errno));
        bytes = (const char *)bytes + put;
        size -= (size_t)put;
    }
    return DIFFLNS_OK;
}

static file_head head_of(const char *about)
{
    file_head head = {.version = VERSION, .about_size = (uint32_t)strlen(about)};
    memcpy(head.magic, MAGIC, sizeof head.magic);
    head.check = head_check(&head, about);
    return head;
}

/* False when memory is out. */
static bool mark_done(dl_demos_writer *writer, uint64_t job)
{
    if (job >= writer->done_capacity) {
        uint64_t capacity = 2 * job + 64;
        uint8_t *grown = dl_realloc(writer->done, capacity, 1);
        if (!grown) return false;
        writer->done = grown;
        memset(writer->done + writer->done_capacity, 0, capacity - writer->done_capacity);
        writer->done_capacity = capacity;
    }
    writer->done[job] = 1;
    return true;
}

/* The head alone, whole or not there. */
static dl_status start_file(const char *path, const char *about, dl_error *err)
{
    file_head head = head_of(about);
    dl_output out;
    DL_TRY(dl_output_open(&out, path, err));
    fwrite(&head, sizeof head, 1, out.stream);
    fwrite(about, 1, head.about_size, out.stream);
    return dl_output_commit(&out, err);
}

static dl_status continue_file(dl_demos_writer *writer, const char *about, dl_error *err)
{
    content *c = &writer->content;
    dl_error damage;
    DL_TRY(read_content(writer->file, writer->path, c, &damage, err));
    bool same = c->about && strcmp(c->about, about) == 0;
    if (!same)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: was started with other options: %.300s", writer->path, c->about);
    if (damage.status != DIFFLNS_OK && !c->cut_short) {
        if (err) *err = damage;
        return damage.status;
    }
    if (ftruncate(writer->file, (off_t)c->end) != 0 || lseek(writer->file, 0, SEEK_END) < 0)
        return dl_fail(err, DIFFLNS_IO, "%s: cannot write: %s", writer->path, strerror(errno));
    for (size_t i = 0; i < c->places; i++)
        if (!mark_done(writer, c->place[i].header.about.job)) return dl_out_of_memory(err);
    return DIFFLNS_OK;
}

/* Locked before anything is looked at: of two writers of a new file the second must not replace what the first began.
 */
static dl_status open_writer(dl_demos_writer *writer, const char *about, dl_error *err)
{
    const char *path = writer->path;
    struct stat now;
    DL_TRY(dl_lock_take(&writer->lock, path, err));
    if (stat(path, &now) != 0 || (S_ISREG(now.st_mode) && now.st_size == 0)) DL_TRY(start_file(path, about, err));
    writer->file = open(path, O_RDWR | O_CLOEXEC);
    if (writer->file < 0) return dl_fail(err, DIFFLNS_IO, "%s: cannot write: %s", path, strerror(errno));
    return continue_file(writer, about, err);
}

dl_status dl_demos_writer_open(const char *path, const char *about, dl_demos_writer **out, dl_error *err)
{
    *out = NULL;
    dl_demos_writer *writer = DL_NEW(dl_demos_writer);
    char *name = dl_strdup(path);
    if (!writer || !name) {
        free(writer);
        free(name);
        return dl_out_of_memory(err);
    }
    *writer = (dl_demos_writer){.file = -1, .path = name};
    dl_status status = open_writer(writer, about, err);
    if (status == DIFFLNS_OK) {
        *out = writer;
    } else {
        dl_demos_writer_close(writer);
    }
    return status;
}

bool dl_demos_writer_has(const dl_demos_writer *writer, uint64_t job)
{
    return job < writer->done_capacity && writer->done[job];
}

dl_status dl_demos_append(dl_demos_writer *writer, const dl_demo_record *record, dl_error *err)
{
    content *c = &writer->content;
    dl_demo_header header;
    memcpy(&header, record->bytes, sizeof header);
    bool marked = dl_demos_writer_has(writer, header.about.job);
    if (!DL_GROW(c->place, c->capacity, c->places + 1) || !mark_done(writer, header.about.job))
        return dl_out_of_memory(err);
    dl_status status = write_all(writer->file, writer->path, record->bytes, record->size, err);
    if (status != DIFFLNS_OK) { /* a full disk: what was written of the record goes again */
        if (ftruncate(writer->file, (off_t)c->end) == 0) lseek(writer->file, 0, SEEK_END);
        writer->done[header.about.job] = marked;
        return status;
    }
    c->place[c->places++] = (place){c->end, header};
    c->end += record->size;
    return DIFFLNS_OK;
}

static dl_status write_sorted(dl_demos_writer *writer, dl_error *err)
{
    content *c = &writer->content;
    qsort(c->place, c->places, sizeof *c->place, by_job);
    dl_output sorted;
    DL_TRY(dl_output_open(&sorted, writer->path, err));
    file_head head = head_of(c->about);
    fwrite(&head, sizeof head, 1, sorted.stream);
    fwrite(c->about, 1, head.about_size, sorted.stream);
    char *record = NULL;
    size_t room = 0;
    for (size_t i = 0; i < c->places; i++) {
        size_t size = sizeof(dl_demo_header) + c->place[i].header.size;
        bool enough = DL_GROW(record, room, size);
        if (!enough || !read_at(writer->file, record, size, c->place[i].offset)) {
            int reason = errno;
            free(record);
            dl_output_discard(&sorted);
            if (!enough) return dl_out_of_memory(err);
            return dl_fail(err, DIFFLNS_IO, "%s: cannot read: %s", writer->path, strerror(reason));
        }
        fwrite(record, 1, size, sorted.stream);
    }
    free(record);
    return dl_output_commit(&sorted, err);
}

dl_status dl_demos_writer_finish(dl_demos_writer *writer, dl_error *err)
{
    const content *c = &writer->content;
    bool sorted = true;
    for (size_t i = 1; i < c->places; i++) sorted &= by_job(&c->place[i - 1], &c->place[i]) <= 0;
    dl_status status = DIFFLNS_OK;
    if (!sorted) {
        status = write_sorted(writer, err);
    } else if (fsync(writer->file) != 0) {
        status = dl_fail(err, DIFFLNS_IO, "%s: cannot write: %s", writer->path, strerror(errno));
    }
    dl_demos_writer_close(writer);
    return status;
}

void dl_demos_writer_close(dl_demos_writer *writer)
{
    if (!writer) return;
    if (writer->file >= 0) close(writer->file);
    dl_lock_release(&writer->lock);
    release_content(&writer->content);
    free(writer->done);
    free(writer->path);
    free(writer);
}
