/* The report of an experiment: one self-contained page with charts, tables beside the paper's figures, and how it was
 * made; and every chart as PNG and PDF beside it. */
#ifndef DL_PLOT_REPORT_H
#define DL_PLOT_REPORT_H

#include "bench/experiment.h"
#include "bench/pairs.h"
#include "bench/repairability.h"
#include "bench/summary.h"

typedef struct dl_report {
    const dl_experiment *experiment;
    const dl_records *records;
    const dl_summary *summary;
    const dl_paper *paper;
    const dl_repairability *repairability; /* of `bench init`, otherwise NULL */
    const dl_pairs *pairs;                 /* where costs are compared case by case, otherwise NULL */
    const char *command;
    double time_scale;
    int threads; /* of one run */
} dl_report;

/* Writes FOLDER/report.html, and the charts as FOLDER/NAME.png and .pdf. */
dl_status dl_report_write(const dl_report *report, const char *folder, dl_error *err);

#endif
