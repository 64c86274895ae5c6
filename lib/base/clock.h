/* Clocks, in seconds. For tools. */
#ifndef DL_BASE_CLOCK_H
#define DL_BASE_CLOCK_H

#include <time.h>

static inline double dl_clock_read(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* On a clock that never goes back. */
static inline double dl_now(void)
{
    return dl_clock_read(CLOCK_MONOTONIC);
}

/* Of the processor: what the process, or the calling thread, has used so far. What other programs do counts little. */
static inline double dl_process_now(void)
{
    return dl_clock_read(CLOCK_PROCESS_CPUTIME_ID);
}

static inline double dl_thread_now(void)
{
    return dl_clock_read(CLOCK_THREAD_CPUTIME_ID);
}

#endif
