/* The report of `bench scaling`: growth of time and memory on logarithmic axes, and its exponents. */
#ifndef DL_PLOT_REPORT_SCALING_H
#define DL_PLOT_REPORT_SCALING_H

#include "bench/scaling.h"

dl_status dl_report_write_scaling(const dl_scaling *scaling, const char *command, const char *folder, dl_error *err);

#endif
