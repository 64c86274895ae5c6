/* Cores in reach, and loops over them. For tools. */
#ifndef DL_BASE_PARALLEL_H
#define DL_BASE_PARALLEL_H

/* The cores this process may run on, at least 1. */
int dl_cores(void);

/* Calls body(context, i) once for each i in 0..count-1, on up to `threads` threads (0 = one per core), the caller's
 * among them. Which thread gets which i is open. Where no more threads can be started, fewer do the work. */
void dl_parallel_for(int count, int threads, void (*body)(void *context, int index), void *context);

#endif
