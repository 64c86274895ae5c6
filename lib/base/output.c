#include "base/output.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"

/* Writers of one path at the same time; each has a temporary of its own. */
enum { TEMPORARY_NAMES = 1000 };
enum { MOST_SYMLINKS = 40 }; /* as in the kernel */

/* ---- Where to write ---- */

/* The target of a symlink at `path`; relative ones start in the link's folder. */
static char *follow(const char *path, const char *target)
{
    const char *slash = strrchr(path, '/');
    size_t folder = slash && target[0] != '/' ? (size_t)(slash + 1 - path) : 0, length = strlen(target);
    char *joined = dl_malloc(folder + length + 1);
    if (!joined) return NULL;
    memcpy(joined, path, folder);
    memcpy(joined + folder, target, length + 1);
    return joined;
}

char *dl_output_target(const char *path)
{
    char *current = dl_strdup(path);
    for (int links = 0; current && links < MOST_SYMLINKS; links++) {
        char target[PATH_MAX];
        ssize_t length = readlink(current, target, sizeof target - 1);
        if (length < 0) return current; /* no link: a file, or nothing yet */
        target[length] = 0;
        char *next = follow(current, target);
        free(current);
        current = next;
    }
    errno = current ? ELOOP : ENOMEM;
    free(current);
    return NULL;
}

/* /dev/stdout in a redirection is a regular file, too, but one that others are writing at the moment. */
static int standard_stream(const struct stat *about)
{
    for (int descriptor = STDOUT_FILENO; descriptor <= STDERR_FILENO; descriptor++) {
        struct stat standard;
        if (fstat(descriptor, &standard) == 0 && standard.st_dev == about->st_dev && standard.st_ino == about->st_ino)
            return descriptor;
    }
    return -1;
}

/* ---- Temporaries ---- */

/* Removes the temporary of a writer that is dead: nobody holds its lock. Its name must still stand for what was locked,
 * since a living writer may have renamed it and another one taken the name meanwhile. */
static bool remove_abandoned(const char *temporary)
{
    int descriptor = open(temporary, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0) return errno == ENOENT;
    struct stat locked, named;
    bool removed = flock(descriptor, LOCK_EX | LOCK_NB) == 0 && fstat(descriptor, &locked) == 0 &&
                   lstat(temporary, &named) == 0 && locked.st_dev == named.st_dev && locked.st_ino == named.st_ino &&
                   unlink(temporary) == 0;
    close(descriptor);
    return removed;
}

/* Creates and locks a temporary. -1 with errno EEXIST if a living writer has that name. */
static int create_temporary(const char *temporary)
{
    for (;;) {
        /* The kernel applies the umask. */
        int descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor < 0) {
            if (errno != EEXIST) return -1;
            if (remove_abandoned(temporary)) continue;
            errno = EEXIST;
            return -1;
        }
        /* Somebody may have taken it for abandoned before it was locked. Where there are no locks, nobody can. */
        struct stat about;
        bool locked = flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
        if (locked && fstat(descriptor, &about) == 0 && about.st_nlink > 0) return descriptor;
        close(descriptor);
    }
}

/* Opens the first free of PATH.difflns-0.tmp, PATH.difflns-1.tmp, ... and removes an abandoned one after it. */
static int open_temporary(dl_output *out)
{
    size_t room = strlen(out->path) + 32;
    out->temporary = dl_malloc(room);
    char *next = dl_malloc(room);
    if (!out->temporary || !next) {
        free(next);
        errno = ENOMEM;
        return -1;
    }
    int descriptor = -1, number = 0;
    errno = EEXIST;
    for (; descriptor < 0 && errno == EEXIST && number < TEMPORARY_NAMES; number++) {
        snprintf(out->temporary, room, "%s.difflns-%d.tmp", out->path, number);
        descriptor = create_temporary(out->temporary);
    }
    int reason = errno;
    if (descriptor >= 0) {
        snprintf(next, room, "%s.difflns-%d.tmp", out->path, number);
        remove_abandoned(next);
    }
    free(next);
    errno = reason;
    return descriptor;
}

/* ---- Open, commit, discard ---- */

static void release(dl_output *out)
{
    free(out->name);
    free(out->path);
    free(out->temporary);
    *out = (dl_output){0};
}

/* Returns a descriptor, or -1 with errno set. */
static int open_descriptor(dl_output *out, const char *path)
{
    struct stat about;
    bool exists = stat(path, &about) == 0;
    if (exists) {
        int standard = standard_stream(&about);
        if (standard >= 0) return fflush(standard == STDOUT_FILENO ? stdout : stderr) == 0 ? dup(standard) : -1;
        if (!S_ISREG(about.st_mode)) return open(path, O_WRONLY | O_CLOEXEC);
    }
    out->path = dl_output_target(path);
    if (!out->path) return -1;
    int descriptor = open_temporary(out);
    if (descriptor >= 0 && exists) (void)!fchmod(descriptor, about.st_mode & 0777); /* who may read it stays the same */
    return descriptor;
}

dl_status dl_output_open(dl_output *out, const char *path, dl_error *err)
{
    *out = (dl_output){0};
    if (strcmp(path, "-") == 0) {
        out->stream = stdout;
        return DIFFLNS_OK;
    }
    out->name = dl_strdup(path);
    int descriptor = out->name ? open_descriptor(out, path) : -1;
    if (descriptor >= 0) out->stream = fdopen(descriptor, "wb");
    if (out->stream) return DIFFLNS_OK;
    int reason = out->name ? errno : ENOMEM;
    if (descriptor >= 0) {
        close(descriptor);
        if (out->temporary) unlink(out->temporary);
    }
    release(out);
    if (reason == ENOMEM) return dl_out_of_memory(err);
    return dl_fail(err, DIFFLNS_IO, "%s: cannot write: %s", path, strerror(reason));
}

dl_status dl_output_open_inside(dl_output *out, const char *folder, const char *name, dl_error *err)
{
    *out = (dl_output){0};
    DL_TRY(dl_directory_make(folder, err));
    char *path = dl_file_inside(folder, name);
    if (!path) return dl_out_of_memory(err);
    dl_status status = dl_output_open(out, path, err);
    free(path);
    return status;
}

dl_status dl_output_commit(dl_output *out, dl_error *err)
{
    assert(out->stream && !out->temporary == !out->path); /* open, and renamed from somewhere to somewhere */
    int reason = 0;
    if (fflush(out->stream) != 0)
        reason = errno;
    else if (ferror(out->stream))
        reason = EIO; /* an earlier write failed and its reason is gone */
    /* Renamed while it is locked: once unlocked it may be taken for abandoned. */
    if (out->temporary && !reason && (fsync(fileno(out->stream)) != 0 || rename(out->temporary, out->path) != 0))
        reason = errno;
    if (out->temporary && reason) unlink(out->temporary);
    if (out->stream != stdout && fclose(out->stream) != 0 && !out->temporary && !reason) reason = errno;
    dl_status status = DIFFLNS_OK;
    if (reason)
        status = dl_fail(err, DIFFLNS_IO, "%s: cannot write: %s", out->name ? out->name : "standard output",
                         strerror(reason));
    release(out);
    return status;
}

void dl_output_discard(dl_output *out)
{
    if (out->temporary) unlink(out->temporary);
    if (out->stream && out->stream != stdout) fclose(out->stream);
    release(out);
}
