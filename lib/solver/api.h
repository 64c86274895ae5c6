/* What the files of the public interface share: arguments are checked before anything happens. */
#ifndef DL_SOLVER_API_H
#define DL_SOLVER_API_H

#include "base/status.h"

/* Returns BAD_INPUT from the calling function if `argument` is NULL. */
#define DL_REQUIRE(argument)                                                                                           \
    do {                                                                                                               \
        if (!(argument)) return dl_fail(err, DIFFLNS_BAD_INPUT, "%s is NULL", #argument);                              \
    } while (0)

/* The same for `out`, which is set to NULL: what every failing call leaves there. */
#define DL_REQUIRE_OUT(out)                                                                                            \
    do {                                                                                                               \
        DL_REQUIRE(out);                                                                                               \
        *(out) = NULL;                                                                                                 \
    } while (0)

#endif
