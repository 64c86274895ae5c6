/* What a caller may ask of difflns_solve. */
#ifndef DL_SOLVER_OPTIONS_H
#define DL_SOLVER_OPTIONS_H

#include "base/status.h"
#include "mapf/instance.h"

enum { DL_MOST_THREADS = 256 };

/* Refuses options that are out of range or lack what they need. */
dl_status dl_options_check(const dl_instance *instance, const difflns_options *options, dl_error *err);

#endif
