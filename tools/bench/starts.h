/* Starts: the first plans that repair is given, for comparing them under the same repair. Beside the ones the solver
 * uses there are controls, which share one property with the network's drafts and lack the others. */
#ifndef DL_BENCH_STARTS_H
#define DL_BENCH_STARTS_H

#include "base/deadline.h"
#include "diffusion/sampler.h"
#include "search/planner.h"

/* A draft several starts are made from, so that it is sampled once. Zeroed = none yet. */
typedef struct dl_kept_draft {
    bool there;
    dl_draft draft;
} dl_kept_draft;

void dl_kept_draft_free(dl_kept_draft *kept);

/* What starts of one instance share; without `kept`, threads may use it together. */
typedef struct dl_start_scene {
    const dl_instance *instance;
    dl_scene *scene; /* with the distances */
    uint64_t seed;
    const dl_model *model;     /* NULL: only starts without a network */
    const dl_model *untrained; /* of the same configuration */
    dl_kept_draft *kept;       /* the model's draft of the one start there is; NULL = sample each anew */
} dl_start_scene;

typedef struct dl_start {
    const char *name;
    bool network;      /* needs the model */
    const char *about; /* for the report */
    /* Sets the planner's tracks, missing ones allowed; false if there was no time. */
    bool (*make)(const dl_start_scene *scene, int index, dl_planner *planner, const dl_deadline *deadline);
} dl_start;

enum { DL_STARTS = 9 };
extern const dl_start DL_START[DL_STARTS];

const dl_start *dl_start_find(const char *name);

#endif
