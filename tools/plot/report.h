/* The report of an experiment: FOLDER/bench.json holds how it was made and the rows of its CSV files, and report.py,
 * which the program has inside, makes report.html and charts of them. */
#ifndef DL_PLOT_REPORT_H
#define DL_PLOT_REPORT_H

#include "base/status.h"

typedef struct dl_report_head {
    const char *experiment, *title;
    const char *about;              /* a paragraph */
    const char *command, *commit;   /* that made it */
    const char *limits, *instances; /* in words; NULL = nothing to say */
    int threads;                    /* of one run; 0 = nothing to say */
} dl_report_head;

/* Writes both. Without Python there is bench.json alone, and a line on stderr says so. */
dl_status dl_report_write(const dl_report_head *head, const char *folder, dl_error *err);

#endif
