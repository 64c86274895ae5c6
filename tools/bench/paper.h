/* What the paper reports, as data (paper.csv): its main table, its candidates, and what its text says of the
 * multi-start experiment. */
#ifndef DL_BENCH_PAPER_H
#define DL_BENCH_PAPER_H

#include "bench/records.h"

typedef struct dl_paper_row {
    char experiment[DL_RECORD_NAME], family[DL_RECORD_NAME], method[DL_RECORD_NAME];
    int agents;
    double success; /* 0 to 1; NaN here and below = not stated */
    double soc, seconds, candidates;
} dl_paper_row;

typedef struct dl_paper {
    dl_paper_row *row;
    int count, room;
} dl_paper;

dl_paper dl_paper_read(void);
void dl_paper_free(dl_paper *paper);
const dl_paper_row *dl_paper_find(const dl_paper *paper, const char *experiment, const char *family, int agents,
                                  const char *method);
/* The paper's name of the method it compares with ours of this name, or NULL. */
const char *dl_paper_method(const char *ours);

#endif
