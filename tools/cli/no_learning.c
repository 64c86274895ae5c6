/* The verbs that need a network, or compare with one, in a build without learning (DIFFLNS_LEARN=OFF). */
#include "cli/cli.h"

#define REFUSED(verb)                                                                                                  \
    int cli_##verb(const options *opts)                                                                                \
    {                                                                                                                  \
        (void)opts;                                                                                                    \
        return cli_usage("%s: this build has no learning", #verb);                                                     \
    }

REFUSED(bench)
REFUSED(expert)
REFUSED(info)
REFUSED(sample)
REFUSED(train)
