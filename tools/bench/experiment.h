/* The experiments as a table: which settings, which methods, which limits. */
#ifndef DL_BENCH_EXPERIMENT_H
#define DL_BENCH_EXPERIMENT_H

#include "bench/method.h"
#include "generate/settings.h"

/* Which settings an experiment takes when none are named. */
typedef enum dl_setting_pool {
    DL_POOL_PAPER,
    DL_POOL_FRONTIER,
    DL_POOL_DENSEST,  /* the paper's last of each family */
    DL_POOL_ATTENTION /* the three of the paper's ablation */
} dl_setting_pool;

/* What its report draws. */
typedef enum dl_report_shape {
    DL_SHAPE_LINES,      /* figures against the number of agents, family by family */
    DL_SHAPE_BARS,       /* figures of a few settings side by side */
    DL_SHAPE_CANDIDATES, /* candidates used */
    DL_SHAPE_INIT,       /* success against iterations */
    DL_SHAPE_STANDARD    /* as lines, with published figures beside */
} dl_report_shape;

typedef struct dl_experiment {
    const char *name, *title;
    const char *about; /* a paragraph for the report */
    const char *paper; /* the experiment of paper.csv it repeats */
    dl_setting_pool pool;
    dl_report_shape shape;
    int cases;              /* of each setting; 0 = the setting's own */
    bool timed;             /* limits are seconds; otherwise iterations */
    double seconds;         /* limit of a run; 0 = the setting's */
    uint64_t iterations;    /* of one start, where limits are iterations */
    const char *usual;      /* methods compared when none are named */
    const dl_method *known; /* the methods one may name; the last has no name */
} dl_experiment;

/* NULL if there is none of that name. */
const dl_experiment *dl_experiment_find(const char *name);
/* "main, frontier, ..." for messages. */
const char *dl_experiment_names(void);

typedef struct dl_setting_list {
    dl_setting *setting;
    int count, room;
} dl_setting_list;

/* `list` is like "medium-maze:190,small-random": a family stands for all its settings of the experiment, a number of
 * agents of your own has the family's longest limit. NULL = the experiment's. */
dl_status dl_settings_read(const dl_experiment *experiment, const char *list, dl_setting_list *out, dl_error *err);

typedef struct dl_method_list {
    dl_method *method;
    int count, room;
    char *text; /* holds names */
} dl_method_list;

/* `list` is like "lns2,lacam", NULL = the usual ones; `external` holds NAME=COMMAND. */
dl_status dl_methods_read(const dl_experiment *experiment, const char *list, const char *const *external,
                          int external_count, dl_method_list *out, dl_error *err);
void dl_methods_free(dl_method_list *list);

#endif
