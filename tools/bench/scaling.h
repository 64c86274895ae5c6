/* How time and memory grow with agents, timesteps and the map: distance fields, an iteration of repair, a pass of the
 * network, each by itself; and the exponents of that growth. */
#ifndef DL_BENCH_SCALING_H
#define DL_BENCH_SCALING_H

#include "base/progress.h"
#include "base/status.h"
#include "bench/statistics.h"

typedef enum dl_sweep { DL_SWEEP_AGENTS, DL_SWEEP_MAP, DL_SWEEP_HORIZON, DL_SWEEPS } dl_sweep;
typedef enum dl_operation {
    DL_OPERATION_DISTANCES,
    DL_OPERATION_REPAIR,
    DL_OPERATION_DRAFT,
    DL_OPERATIONS
} dl_operation;

typedef struct dl_scaling_point {
    dl_sweep sweep;
    dl_operation operation;
    int agents, side, cells, horizon; /* side: of the square map */
    double seconds;                   /* of the processor: all fields, one iteration, one pass */
    double megabytes;                 /* by which the process grew at most; NaN = not known on this system */
} dl_scaling_point;

typedef struct dl_scaling {
    dl_scaling_point *point; /* of each sweep and operation in growing order */
    int count, room;
} dl_scaling;

const char *dl_sweep_name(dl_sweep sweep);
const char *dl_operation_name(dl_operation operation);
/* What a sweep makes grow: agents, free cells, timesteps. */
double dl_scaling_size(const dl_scaling_point *point);

/* Each measurement is repeated for about `seconds` and the fastest counts. */
dl_status dl_scaling_measure(double seconds, uint64_t seed, const dl_progress *progress, dl_scaling *out,
                             dl_error *err);
void dl_scaling_free(dl_scaling *scaling);

/* The exponent of the growth of seconds or megabytes. */
dl_estimate dl_scaling_exponent(const dl_scaling *scaling, dl_sweep sweep, dl_operation operation, int of_memory);

/* results.csv and summary.csv in the folder. */
dl_status dl_scaling_write(const dl_scaling *scaling, const char *folder, dl_error *err);

#endif
