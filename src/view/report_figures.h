/* From a summary to the figures of its report. */
#ifndef DL_VIEW_REPORT_FIGURES_H
#define DL_VIEW_REPORT_FIGURES_H

#include "base/arena.h"
#include "view/chart.h"
#include "view/report.h"

/* A figure, what to call its files, and the words below it. */
typedef struct dl_report_figure {
    dl_figure figure;
    const char *name, *caption;
} dl_report_figure;

typedef struct dl_report_figures {
    dl_report_figure *figure;
    int count, room;
    dl_arena arena; /* holds what the figures point to */
} dl_report_figures;

dl_report_figures dl_report_figures_of(const dl_report *report);
void dl_report_figures_free(dl_report_figures *figures);

#endif
