/* The ranks of a job started by mpirun. In a build without MPI, or without mpirun, there is one rank. */
#ifndef DL_MPI_MPI_RANKS_H
#define DL_MPI_MPI_RANKS_H

#include "base/ranks.h"

/* Call once at the start of a verb that can use several processes, and end before the program does. */
dl_ranks dl_mpi_begin(void);
void dl_mpi_end(void);

#endif
