/* The test of running out of memory: the same work again and again, and each time another allocation fails. */
#ifndef DL_TESTS_FAULTS_EVERYWHERE_H
#define DL_TESTS_FAULTS_EVERYWHERE_H

#include "base/status.h"

/* Does the work, releases all of it, and looks at what came out: a status that is not OK must leave nothing behind.
 * Runs while allocations fail, so it returns DIFFLNS_INTERNAL for a finding instead of asserting. */
typedef dl_status (*faults_work)(void *user);

/* Lets the n-th allocation fail for n = 1, 1 + stride, ... until the work needs no n-th; once alone, and once with all
 * that follow. The work must end with OK or OUT_OF_MEMORY, and hold no block afterwards. Returns how many allocations
 * were made to fail. */
long faults_everywhere(faults_work work, void *user, long stride);

/* What to expect of work that is mostly a library's, such as writing JSON: under a sanitizer only our own allocations
 * can be made to fail, and those are a few. */
#ifdef FAULTS_OF_OURS_ONLY
#define FAULTS_WITH_LIBRARIES(count) 3
#else
#define FAULTS_WITH_LIBRARIES(count) (count)
#endif

#endif
