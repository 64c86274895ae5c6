/* Preloaded by ablate.py: time passes as fast as the process uses the processor, so that a limit of two seconds is as
 * much work on a busy machine as on an idle one, with this program or with one built from any other commit. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const int64_t BILLION = 1000000000;
/* The least a waiting thread sleeps: it looks at a clock that others move. */
static const int64_t LEAST_SLEEP = 5000000;

static int64_t read_clock(clockid_t clock)
{
    struct timespec now;
    syscall(SYS_clock_gettime, clock, &now);
    return now.tv_sec * BILLION + now.tv_nsec;
}

static struct timespec to_timespec(int64_t time)
{
    return (struct timespec){time / BILLION, time % BILLION};
}

// NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name): the names of a C library are reserved
int clock_gettime(clockid_t clock, struct timespec *now)
{
    if (clock == CLOCK_MONOTONIC) {
        *now = to_timespec(read_clock(CLOCK_PROCESS_CPUTIME_ID));
        return 0;
    }
    return (int)syscall(SYS_clock_gettime, clock, now);
}

/* The program waits by its monotonic clock. Woken too early, it looks at the clock and waits again. */
// NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name)
int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *lock, const struct timespec *until)
{
    int64_t left = until->tv_sec * BILLION + until->tv_nsec - read_clock(CLOCK_PROCESS_CPUTIME_ID);
    struct timespec end = to_timespec(read_clock(CLOCK_MONOTONIC) + (left > LEAST_SLEEP ? left : LEAST_SLEEP));
    return pthread_cond_clockwait(condition, lock, CLOCK_MONOTONIC, &end);
}
