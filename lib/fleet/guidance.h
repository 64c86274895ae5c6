/* Guidance: where a fleet's costs of edges come from. Lanes from the map, the flow of the fleet itself, or a table that
 * was made beforehand; by itself a fleet tries some of these in simulations beside its own driving, in time that its
 * plans leave, and takes what served best (trial.h). */
#ifndef DL_FLEET_GUIDANCE_H
#define DL_FLEET_GUIDANCE_H

#include "fleet/flow.h"
#include "fleet/lanes.h"

/* How costs come about. Zeroed: none. */
typedef struct dl_guidance_rules {
    dl_lanes lanes;          /* extra = 0: none */
    dl_flow_weights weights; /* both 0: the flow does not matter */
} dl_guidance_rules;

/* What a fleet tries, `none` first. */
enum { DL_GUIDANCE_CHOICES = 6, DL_GUIDANCE_NONE = 0, DL_GUIDANCE_TRAFFIC = 1, DL_GUIDANCE_LANES = 2 };
extern const dl_guidance_rules DL_GUIDANCE_RULES[DL_GUIDANCE_CHOICES];

struct dl_trial;

typedef struct dl_guidance {
    bool automatic;          /* look for the best of the rules */
    dl_guidance_rules rules; /* that hold now */
    dl_edge_costs *table;    /* the costs without the flow's part; NULL = none */
    dl_flow flow;            /* only where it matters */
    int64_t counted;         /* the last tick that was */
    struct dl_trial *trial;  /* at work; NULL = none */
    int64_t due;             /* the tick from which the next trial may begin */
    double recent, best;     /* goals a tick, smoothed, and the most since the last trial */
} dl_guidance;

#endif
