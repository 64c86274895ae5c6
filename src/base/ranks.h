/* Several processes on one or many machines (MPI), or just this one. Without MPI, or when not started by mpirun, there
 * is one rank and every call is a no-op. */
#ifndef DL_BASE_RANKS_H
#define DL_BASE_RANKS_H

#include <stddef.h>

typedef struct dl_ranks {
    int rank, count;
} dl_ranks;

/* Once per process, from the main thread. */
dl_ranks dl_ranks_begin(void);
void dl_ranks_end(const dl_ranks *ranks);

/* Element-wise sums over all ranks; each gets the result. */
void dl_ranks_sum_floats(const dl_ranks *ranks, float *values, size_t count);
void dl_ranks_sum_doubles(const dl_ranks *ranks, double *values, size_t count);

#endif
