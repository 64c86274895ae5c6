/* An object that serves one call at a time notices when a second thread calls meanwhile, and says so instead of being
 * torn apart. Zeroed, nobody is in. */
#ifndef DL_BASE_BUSY_H
#define DL_BASE_BUSY_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/status.h"

typedef struct dl_busy {
    atomic_bool taken;
} dl_busy;

/* False if a call is at work: then the object must not be touched. */
static inline bool dl_busy_enter(dl_busy *busy)
{
    return !atomic_exchange_explicit(&busy->taken, true, memory_order_acquire);
}

static inline void dl_busy_leave(dl_busy *busy)
{
    atomic_store_explicit(&busy->taken, false, memory_order_release);
}

/* The same, handing on what the call came to: return dl_busy_left(busy, work(...)); */
static inline dl_status dl_busy_left(dl_busy *busy, dl_status status)
{
    dl_busy_leave(busy);
    return status;
}

/* Returns DIFFLNS_BUSY from the calling function if another call is at work on the object that `what` names. */
#define DL_BUSY_ENTER(busy, what)                                                                                      \
    do {                                                                                                               \
        if (!dl_busy_enter(busy))                                                                                      \
            return dl_fail(err, DIFFLNS_BUSY, "the %s is busy: another thread is calling it", what);                   \
    } while (0)

#endif
