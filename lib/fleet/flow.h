/* How a fleet moves: steps over each edge and waits on each cell, counted tick by tick and smoothed, and the costs of
 * edges that follow: a step against the flow costs more, and so does one into a cell where robots stand. The way most
 * go gets cheaper for others, so that lanes form by themselves where they are needed. */
#ifndef DL_FLEET_FLOW_H
#define DL_FLEET_FLOW_H

#include "base/memory.h"
#include "mapf/edge_costs.h"

typedef struct dl_flow {
    const dl_grid *grid;
    uint16_t (*steps)[DL_DIRECTIONS]; /* [cells] since they were last smoothed */
    uint16_t *waits;                  /* [cells] */
    int ticks;                        /* counted, at most DL_FLOW_TICKS */
    float (*rate)[DL_DIRECTIONS];     /* [cells] steps a tick, smoothed */
    float *standing;                  /* [cells] share of ticks in which somebody waited there, smoothed */
} dl_flow;

enum { DL_FLOW_TICKS = 10000 }; /* counts fit 16 bits, as one robot passes an edge in a tick */

/* What counts how much, in units. */
typedef struct dl_flow_weights {
    double against; /* a step where all others go the other way */
    double crowd;   /* a step to a cell where somebody always waits */
} dl_flow_weights;

/* False when memory is out; release it all the same. */
DL_MUST_CHECK bool dl_flow_create(dl_flow *flow, const dl_grid *grid);
void dl_flow_release(dl_flow *flow);

/* In one tick a robot went from `from` to `to`, a neighbor or the same cell. */
void dl_flow_count(dl_flow *flow, dl_cell from, dl_cell to);
/* A tick is over. */
void dl_flow_tick(dl_flow *flow);
/* The counts become rates: `share` of what is known is new. */
void dl_flow_smooth(dl_flow *flow, double share);
/* Costs by the rates, on top of `base` (NULL: none). NULL when memory is out. */
dl_edge_costs *dl_flow_costs(const dl_flow *flow, const dl_edge_costs *base, const dl_flow_weights *weights);

#endif
