#include "base/ranks.h"

#include <stdlib.h>

#include "base/memory.h"

#ifdef DIFFLNS_HAVE_MPI

#include <limits.h>
#include <mpi.h>

/* Starting MPI costs a good part of a second, so it is only done where a launcher asked for it. */
static bool under_launcher(void)
{
    return getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMI_SIZE") || getenv("PMIX_RANK");
}

dl_ranks dl_ranks_begin(void)
{
    dl_ranks ranks = {0, 1};
    if (!under_launcher()) return ranks;
    int level;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &ranks.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks.size);
    return ranks;
}

void dl_ranks_end(dl_ranks ranks)
{
    int started = 0;
    (void)ranks;
    MPI_Initialized(&started);
    if (started) MPI_Finalize();
}

void dl_ranks_share(dl_ranks ranks, void *bytes, size_t size)
{
    if (ranks.size == 1) return;
    for (char *piece = bytes; size > 0;) {
        int length = size < INT_MAX ? (int)size : INT_MAX;
        MPI_Bcast(piece, length, MPI_BYTE, 0, MPI_COMM_WORLD);
        piece += length;
        size -= (size_t)length;
    }
}

void dl_ranks_send(dl_ranks ranks, const void *bytes, size_t size)
{
    if (ranks.size > 1) MPI_Send(bytes, (int)size, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
}

bool dl_ranks_receive(dl_ranks ranks, void **bytes, size_t *size)
{
    int waiting = 0, length = 0;
    MPI_Status status;
    if (ranks.size > 1) MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &waiting, &status);
    if (!waiting) return false;
    MPI_Get_count(&status, MPI_BYTE, &length);
    *size = (size_t)length;
    *bytes = dl_malloc(*size);
    MPI_Recv(*bytes, length, MPI_BYTE, status.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return true;
}

enum { SUM_PIECE = 1 << 24 }; /* elements of one reduction: MPI counts are ints */

static void sum(dl_ranks ranks, char *values, size_t count, size_t size, MPI_Datatype type)
{
    if (ranks.size == 1) return;
    for (size_t first = 0; first < count; first += SUM_PIECE) {
        int length = (int)(count - first < SUM_PIECE ? count - first : SUM_PIECE);
        MPI_Allreduce(MPI_IN_PLACE, values + first * size, length, type, MPI_SUM, MPI_COMM_WORLD);
    }
}

void dl_ranks_sum_floats(dl_ranks ranks, float *values, size_t count)
{
    sum(ranks, (char *)values, count, sizeof *values, MPI_FLOAT);
}

void dl_ranks_sum_doubles(dl_ranks ranks, double *values, size_t count)
{
    sum(ranks, (char *)values, count, sizeof *values, MPI_DOUBLE);
}

#else

dl_ranks dl_ranks_begin(void)
{
    return (dl_ranks){0, 1};
}

void dl_ranks_end(dl_ranks ranks)
{
    (void)ranks;
}

void dl_ranks_share(dl_ranks ranks, void *bytes, size_t size)
{
    (void)ranks, (void)bytes, (void)size;
}

void dl_ranks_send(dl_ranks ranks, const void *bytes, size_t size)
{
    (void)ranks, (void)bytes, (void)size;
}

bool dl_ranks_receive(dl_ranks ranks, void **bytes, size_t *size)
{
    (void)ranks, (void)bytes, (void)size;
    return false;
}

void dl_ranks_sum_floats(dl_ranks ranks, float *values, size_t count)
{
    (void)ranks, (void)values, (void)count;
}

void dl_ranks_sum_doubles(dl_ranks ranks, double *values, size_t count)
{
    (void)ranks, (void)values, (void)count;
}

#endif
