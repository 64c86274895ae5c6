/* Several processes of one job: who we are, and messages to and from rank 0. The library only knows this interface; the
 * program fills it in from MPI (tools/mpi). Alone there is one rank and nothing to send. Only one thread of a process
 * may use these. For tools. */
#ifndef DL_BASE_RANKS_H
#define DL_BASE_RANKS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct dl_ranks_ops {
    void (*share)(void *bytes, size_t size);
    void (*send)(const void *bytes, size_t size);
    bool (*receive)(void **bytes, size_t *size);
    void (*sum_floats)(float *values, size_t count);
    void (*sum_doubles)(double *values, size_t count);
} dl_ranks_ops;

typedef struct dl_ranks {
    int rank, size;
    const dl_ranks_ops *ops; /* NULL when size is 1 */
} dl_ranks;

static inline dl_ranks dl_ranks_alone(void)
{
    return (dl_ranks){0, 1, NULL};
}

/* Rank 0's bytes to everybody. */
static inline void dl_ranks_share(dl_ranks ranks, void *bytes, size_t size)
{
    if (ranks.size > 1) ranks.ops->share(bytes, size);
}

/* To rank 0; size may be 0. */
static inline void dl_ranks_send(dl_ranks ranks, const void *bytes, size_t size)
{
    if (ranks.size > 1) ranks.ops->send(bytes, size);
}

/* On rank 0: takes one message if there is any. *bytes is the caller's, to free(). */
static inline bool dl_ranks_receive(dl_ranks ranks, void **bytes, size_t *size)
{
    return ranks.size > 1 && ranks.ops->receive(bytes, size);
}

/* Element-wise sums over all ranks; each gets the result. */
static inline void dl_ranks_sum_floats(dl_ranks ranks, float *values, size_t count)
{
    if (ranks.size > 1) ranks.ops->sum_floats(values, count);
}

static inline void dl_ranks_sum_doubles(dl_ranks ranks, double *values, size_t count)
{
    if (ranks.size > 1) ranks.ops->sum_doubles(values, count);
}

#endif
