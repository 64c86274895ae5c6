#include "mpi/mpi_ranks.h"

#ifdef DIFFLNS_HAVE_MPI

#include <limits.h>
#include <mpi.h>
#include <stdlib.h>

#include "base/memory.h"
#include "memory/need.h"

/* Starting MPI costs a good part of a second, so it is only done where a launcher asked for it. */
static bool under_launcher(void)
{
    return getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMI_SIZE") || getenv("PMIX_RANK");
}

static void share(void *bytes, size_t size)
{
    for (char *piece = bytes; size > 0;) {
        int length = size < INT_MAX ? (int)size : INT_MAX;
        MPI_Bcast(piece, length, MPI_BYTE, 0, MPI_COMM_WORLD);
        piece += length;
        size -= (size_t)length;
    }
}

static void send(const void *bytes, size_t size)
{
    MPI_Send(bytes, (int)size, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
}

static bool receive(void **bytes, size_t *size)
{
    int waiting = 0, length = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &waiting, &status);
    if (!waiting) return false;
    MPI_Get_count(&status, MPI_BYTE, &length);
    *size = (size_t)length;
    *bytes = needed(dl_malloc(*size));
    MPI_Recv(*bytes, length, MPI_BYTE, status.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return true;
}

enum { SUM_PIECE = 1 << 24 }; /* elements of one reduction: MPI counts are ints */

static void sum(char *values, size_t count, size_t size, MPI_Datatype type)
{
    for (size_t first = 0; first < count; first += SUM_PIECE) {
        int length = (int)(count - first < SUM_PIECE ? count - first : SUM_PIECE);
        MPI_Allreduce(MPI_IN_PLACE, values + first * size, length, type, MPI_SUM, MPI_COMM_WORLD);
    }
}

static void sum_floats(float *values, size_t count)
{
    sum((char *)values, count, sizeof *values, MPI_FLOAT);
}

static void sum_doubles(double *values, size_t count)
{
    sum((char *)values, count, sizeof *values, MPI_DOUBLE);
}

static const dl_ranks_ops OPS = {share, send, receive, sum_floats, sum_doubles};

dl_ranks dl_mpi_begin(void)
{
    dl_ranks ranks = dl_ranks_alone();
    if (!under_launcher()) return ranks;
    int level;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &ranks.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks.size);
    ranks.ops = &OPS;
    return ranks;
}

void dl_mpi_end(void)
{
    int started = 0;
    MPI_Initialized(&started);
    if (started) MPI_Finalize();
}

#else

dl_ranks dl_mpi_begin(void)
{
    return dl_ranks_alone();
}

void dl_mpi_end(void)
{
}

#endif
