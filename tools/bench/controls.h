/* The starts under comparison: the product's own, made by its registry, and beside them controls, which share one
 * property with the network's drafts and lack the others. */
#ifndef DL_BENCH_CONTROLS_H
#define DL_BENCH_CONTROLS_H

#include "start/diffusion.h"

/* A draft several starts are made from, so that it is sampled once. Zeroed = none yet. */
typedef struct dl_kept_draft {
    bool there;
    dl_start_sampling sampling; /* how it was sampled */
    dl_draft draft;
} dl_kept_draft;

void dl_kept_draft_free(dl_kept_draft *kept);

/* What starts of one instance share; without `kept`, threads may use it together. */
typedef struct dl_start_case {
    dl_starts *starts;    /* the product's */
    dl_starts *untrained; /* the same with a network before training; NULL = without it */
    dl_kept_draft *kept;  /* the draft of the one start there is; NULL = sample each anew */
} dl_start_case;

/* A start of the registry or a control. */
typedef struct dl_compared_start {
    const char *name;
    bool network;            /* needs the model */
    const char *about;       /* for the report */
    const dl_start *product; /* of the registry, or ... */
    /* ... what makes the control: sets the planner's tracks, missing ones allowed; false if there was no time. */
    bool (*make)(const dl_start_case *scene, int index, dl_planner *planner, const dl_deadline *deadline);
} dl_compared_start;

/* The registry's starts and then the controls; false after the last. */
bool dl_compared_start_at(int index, dl_compared_start *out);
/* False if there is none of that name. */
bool dl_compared_start_find(const char *name, dl_compared_start *out);
/* Sets the planner's tracks for start number `index`, which depend on the seed and the number alone. */
bool dl_compared_start_make(const dl_compared_start *start, const dl_start_case *scene, int index, dl_planner *planner,
                            const dl_deadline *deadline);

#endif
