/* One writer at a time: a lock file beside what is written, held for as long as the work takes and given up by the
 * kernel when the process dies. For tools. */
#ifndef DL_BASE_LOCK_H
#define DL_BASE_LOCK_H

#include "base/status.h"

typedef struct dl_lock {
    int descriptor;
    char *path; /* of the lock file; NULL = not held */
} dl_lock;

/* Takes the lock of `path` (through symlinks) by PATH.lock; fails at once if another process holds it. */
dl_status dl_lock_take(dl_lock *lock, const char *path, dl_error *err);
/* Removes the lock file. Harmless if the lock is not held. */
void dl_lock_release(dl_lock *lock);

#endif
