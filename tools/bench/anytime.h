/* Cost over time: what plans cost after a second, ten and a minute, by our solver and by any others, on dense boards,
 * full ones, and instances of a folder. Ours is listened to while it works (`--stop limit`); others are run once for
 * each limit, because they tell nothing before they end. */
#ifndef DL_BENCH_ANYTIME_H
#define DL_BENCH_ANYTIME_H

#include <stdio.h>

#include "base/progress.h"
#include "bench/experiment.h"
#include "bench/statistics.h"

enum { DL_CHECKPOINTS = 3 };

#define DL_ANYTIME_ABOUT                                                                                               \
    "The sum of costs of the best plan over time. Ours (auto) is one run with --stop limit, listened to as it works; " \
    "other solvers are run once for each limit, and what they hand over counts from the end of that limit on."

typedef struct dl_anytime_options {
    const char *settings; /* as dl_settings_read() takes them; NULL = dense and full boards, unless there is a folder */
    const char *instances; /* a folder of maps with scenarios, or NULL */
    const char *const *external;
    int external_count;
    const char *folder; /* for results and the files of other solvers */
    int cases;          /* of each setting; 0 = one */
    double time_scale;
    uint64_t seed;
    int threads; /* at least 1 */
    const atomic_int *stop;
} dl_anytime_options;

typedef struct dl_anytime_point {
    double seconds;
    int64_t soc;
} dl_anytime_point;

/* One method on one instance: what its best plan costs from which moment on. */
typedef struct dl_anytime_curve {
    char instance[128];
    int method; /* number in the list of methods */
    int agents;
    int64_t lower_bound; /* the sum of distances */
    dl_anytime_point *point;
    int count, room;
} dl_anytime_curve;

typedef struct dl_anytime {
    dl_method_list methods; /* ours first */
    double checkpoint[DL_CHECKPOINTS];
    dl_anytime_curve *curve; /* an instance's methods follow each other */
    int curves, room;
} dl_anytime;

/* STOPPED if asked to. Free it in any case. */
dl_status dl_anytime_measure(const dl_anytime_options *options, const dl_progress *progress, dl_anytime *out,
                             dl_error *err);
void dl_anytime_free(dl_anytime *anytime);

/* What the best plan cost at that time; -1 = there was none. */
int64_t dl_anytime_cost(const dl_anytime_curve *curve, double seconds);
/* A method's cost at a checkpoint over ours at the same, over the instances where both have a plan. */
dl_estimate dl_anytime_ratio(const dl_anytime *anytime, int method, int checkpoint);

/* FOLDER/results.csv: every method's cost at the checkpoints; FOLDER/curves.csv: all points;
 * FOLDER/ratios.csv: costs over ours. */
dl_status dl_anytime_write(const dl_anytime *anytime, const char *folder, dl_error *err);
void dl_anytime_print(const dl_anytime *anytime, FILE *table);

#endif
