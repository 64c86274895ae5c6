#include "cli/commit.h"

#include "commit_name.h"

const char *dl_commit(void)
{
    return COMMIT_NAME;
}
