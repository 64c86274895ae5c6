/* Progress: long work tells a listener how far it is; the command line draws it. The library itself never prints. For
 * tools. */
#ifndef DL_BASE_PROGRESS_H
#define DL_BASE_PROGRESS_H

#include <stddef.h>
#include <stdint.h>

typedef struct dl_progress {
    /* `done` of `total` (0 = unknown); `detail` is a short text such as "conflicts 12, 13,400 it/s". */
    void (*report)(void *user, uint64_t done, uint64_t total, const char *detail);
    void *user;
} dl_progress;

/* `progress` may be NULL. */
static inline void dl_progress_report(const dl_progress *progress, uint64_t done, uint64_t total, const char *detail)
{
    if (progress && progress->report) progress->report(progress->user, done, total, detail);
}

#endif
