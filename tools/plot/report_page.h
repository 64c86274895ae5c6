/* What the pages of reports have in common: head, figures, how they were made. */
#ifndef DL_PLOT_REPORT_PAGE_H
#define DL_PLOT_REPORT_PAGE_H

#include "base/text.h"
#include "plot/chart.h"

/* A figure, what to call its files, and the words below it. */
typedef struct dl_report_figure {
    dl_figure figure;
    const char *name, *caption;
} dl_report_figure;

void dl_report_begin(dl_text *page, const char *experiment, const char *title, const char *about);
/* A number, a dash if there is none. */
void dl_report_add_number(dl_text *page, double number, int digits);
/* The chart in the page, and as FOLDER/NAME.png and .pdf. Without cairo there are none, and the page says so. */
dl_status dl_report_add_figure(dl_text *page, const dl_report_figure *figure, const char *folder, dl_error *err);
/* Command, program, processor and date; `facts` are rows of the same list, in HTML. */
void dl_report_add_circumstances(dl_text *page, const char *command, const char *facts);
/* Writes FOLDER/report.html, unless `status` says that something went wrong before, which it returns then. Releases the
 * page in any case. */
dl_status dl_report_finish(dl_text *page, dl_status status, const char *folder, dl_error *err);

#endif
