/* The report of `bench live`: throughput and planning time over density. */
#ifndef DL_PLOT_REPORT_LIVE_H
#define DL_PLOT_REPORT_LIVE_H

#include "bench/bench_live.h"

dl_status dl_report_write_live(const dl_live_results *results, const char *command, const char *folder, dl_error *err);

#endif
