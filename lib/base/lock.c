#include "base/lock.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/output.h"

/* Whether the name still stands for what was locked: the holder before us removed it when it was done. */
static bool is_current(int descriptor, const char *path)
{
    struct stat locked, named;
    return fstat(descriptor, &locked) == 0 && stat(path, &named) == 0 && locked.st_dev == named.st_dev &&
           locked.st_ino == named.st_ino;
}

/* Returns a locked descriptor, or -1 with errno set: EWOULDBLOCK if somebody else holds the lock. */
static int open_locked(const char *path)
{
    for (;;) {
        int descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (descriptor < 0) return -1;
        bool locked = flock(descriptor, LOCK_EX | LOCK_NB) == 0;
        if (locked && is_current(descriptor, path)) return descriptor;
        int reason = errno;
        close(descriptor);
        errno = reason;
        if (!locked) return -1;
    }
}

static char *lock_path(const char *path)
{
    char *target = dl_output_target(path);
    size_t room = target ? strlen(target) + sizeof ".lock" : 0;
    char *name = target ? dl_malloc(room) : NULL;
    if (name) snprintf(name, room, "%s.lock", target);
    free(target);
    return name;
}

dl_status dl_lock_take(dl_lock *lock, const char *path, dl_error *err)
{
    *lock = (dl_lock){.descriptor = -1, .path = lock_path(path)};
    if (lock->path) lock->descriptor = open_locked(lock->path);
    if (lock->descriptor >= 0) return DIFFLNS_OK;
    int reason = lock->path ? errno : ENOMEM;
    free(lock->path);
    lock->path = NULL;
    if (reason == ENOMEM) return dl_out_of_memory(err);
    if (reason == EWOULDBLOCK) return dl_fail(err, DIFFLNS_IO, "%s: another process is writing it", path);
    return dl_fail(err, DIFFLNS_IO, "%s: cannot write: %s", path, strerror(reason));
}

void dl_lock_release(dl_lock *lock)
{
    if (!lock->path) return;
    assert(lock->descriptor >= 0);
    unlink(lock->path);
    close(lock->descriptor);
    free(lock->path);
    lock->path = NULL;
}
