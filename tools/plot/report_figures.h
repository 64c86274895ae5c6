/* From a summary to the figures of its report. */
#ifndef DL_PLOT_REPORT_FIGURES_H
#define DL_PLOT_REPORT_FIGURES_H

#include "base/arena.h"
#include "plot/report.h"
#include "plot/report_page.h"

typedef struct dl_report_figures {
    dl_report_figure *figure;
    int count, room;
    dl_arena arena; /* holds what the figures point to */
} dl_report_figures;

dl_report_figures dl_report_figures_of(const dl_report *report);
void dl_report_figures_free(dl_report_figures *figures);

#endif
