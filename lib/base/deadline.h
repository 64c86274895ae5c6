/* Time limits and cancellation: every loop that can run long polls one of these. For tools. */
#ifndef DL_BASE_DEADLINE_H
#define DL_BASE_DEADLINE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/clock.h"
#include "base/memory.h"

typedef struct dl_deadline {
    double end;               /* on the clock of dl_now(); infinite when there is no limit */
    const atomic_int *cancel; /* non-zero asks to stop at once; may be NULL */
} dl_deadline;

static inline dl_deadline dl_deadline_after(double seconds, const atomic_int *cancel)
{
    return (dl_deadline){dl_now() + seconds, cancel};
}

static inline dl_deadline dl_no_deadline(void)
{
    return (dl_deadline){__builtin_inf(), NULL};
}

/* The same limit, or `seconds` from now if that is earlier. */
static inline dl_deadline dl_deadline_within(dl_deadline outer, double seconds)
{
    double end = dl_now() + seconds;
    return (dl_deadline){end < outer.end ? end : outer.end, outer.cancel};
}

static inline bool dl_deadline_canceled(const dl_deadline *deadline)
{
    return deadline->cancel && atomic_load_explicit(deadline->cancel, memory_order_relaxed) != 0;
}

static inline bool dl_deadline_passed(const dl_deadline *deadline)
{
    return dl_deadline_canceled(deadline) || dl_now() >= deadline->end;
}

/* The same for work that may have no deadline at all: NULL. */
static inline bool dl_is_late(const dl_deadline *deadline)
{
    return deadline && dl_deadline_passed(deadline);
}

/* For loops over the cells of a map: the clock is looked at once in so many turns, about a millisecond. */
enum { DL_LOOK_TURNS = 1 << 16 };

static inline bool dl_is_late_at(const dl_deadline *deadline, size_t turn)
{
    return turn % DL_LOOK_TURNS == DL_LOOK_TURNS - 1 && dl_is_late(deadline);
}

static inline double dl_deadline_left(const dl_deadline *deadline)
{
    double left = deadline->end - dl_now();
    return left > 0 ? left : 0;
}

/* NULL also when time is out: on a map of millions of cells one array after the other takes a tenth of a second. */
#define DL_ARRAY_IN_TIME(type, count, deadline) (dl_is_late(deadline) ? NULL : DL_ARRAY(type, count))

#endif
