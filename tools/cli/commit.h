/* The commit that the program was built from. */
#ifndef DL_CLI_COMMIT_H
#define DL_CLI_COMMIT_H

/* As git describes it; "unknown" where there was no git. */
const char *dl_commit(void);

#endif
