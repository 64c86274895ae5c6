/* The report of `bench learning`: loss, collisions and final cost over the tokens seen, and where a power law leads. */
#ifndef DL_PLOT_REPORT_LEARNING_H
#define DL_PLOT_REPORT_LEARNING_H

#include "bench/learning.h"

dl_status dl_report_write_learning(const dl_learning *learning, const char *command, const char *folder, dl_error *err);

#endif
