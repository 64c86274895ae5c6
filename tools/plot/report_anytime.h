/* The report of `bench anytime`: cost over time, instance by instance, and ratios at the checkpoints. */
#ifndef DL_PLOT_REPORT_ANYTIME_H
#define DL_PLOT_REPORT_ANYTIME_H

#include "bench/anytime.h"

dl_status dl_report_write_anytime(const dl_anytime *anytime, const char *command, const char *folder, dl_error *err);

#endif
