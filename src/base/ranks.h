/* Several processes of one job, started by mpirun: who we are, and messages to and from rank 0. In a build without MPI,
 * or without mpirun, there is one rank and nothing to send. Only one thread of a process may use these. */
#ifndef DL_BASE_RANKS_H
#define DL_BASE_RANKS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct dl_ranks {
    int rank, size;
} dl_ranks;

/* Call once at the start of a verb that can use several processes, and end before the program does. */
dl_ranks dl_ranks_begin(void);
void dl_ranks_end(dl_ranks ranks);

/* Rank 0's bytes to everybody. */
void dl_ranks_share(dl_ranks ranks, void *bytes, size_t size);
/* To rank 0; size may be 0. */
void dl_ranks_send(dl_ranks ranks, const void *bytes, size_t size);
/* On rank 0: takes one message if there is any. *bytes is the caller's, to free(). */
bool dl_ranks_receive(dl_ranks ranks, void **bytes, size_t *size);

/* Element-wise sums over all ranks; each gets the result. */
void dl_ranks_sum_floats(dl_ranks ranks, float *values, size_t count);
void dl_ranks_sum_doubles(dl_ranks ranks, double *values, size_t count);

#endif
