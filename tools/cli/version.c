#include <stdio.h>
#include <sys/utsname.h>

#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

#include "base/isa.h"
#include "base/parallel.h"
#include "cli/cli.h"

#ifdef __clang__
#define COMPILER __VERSION__
#else
#define COMPILER "gcc " __VERSION__
#endif

#ifdef DIFFLNS_WITHOUT_LEARNING
#define LEARNING "no learning"
#else
#define LEARNING "learning"
#endif

#ifdef DIFFLNS_HAVE_MPI
#define MPI "mpi"
#else
#define MPI "no mpi"
#endif

static const char *library_of_c(void)
{
#ifdef __GLIBC__
    return gnu_get_libc_version();
#else
    return "other";
#endif
}

int cli_version(bool verbose)
{
    printf("difflns %s", difflns_version());
    struct utsname machine;
    if (verbose && uname(&machine) == 0)
        printf(" (%s, %s; instruction set %s; %s, %s; %s %s, glibc %s, %d cores)", COMPILER, DIFFLNS_BUILD,
               dl_isa_name(dl_isa_in_use()), LEARNING, MPI, machine.sysname, machine.machine, library_of_c(),
               dl_cores());
    putchar('\n');
    return 0;
}
