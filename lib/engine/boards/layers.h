/* Layers: the boards of a sweep. Layer (c, leg) holds for each time the cells an agent can have reached with c
 * conflicts on its way to goal number `leg` of those it has to visit; most agents have one. A layer is computed from
 * itself, from the one of a conflict less, and from the one of a leg less, which it joins on that leg's goal. */
#ifndef DL_ENGINE_BOARDS_LAYERS_H
#define DL_ENGINE_BOARDS_LAYERS_H

#include "engine/boards/occupancy.h"

/* What a kernel reads and writes. */
typedef struct dl_sweep_job {
    const dl_vector *rows; /* of the occupancy */
    size_t row_size;
    int makespan;
    const dl_vector *free;
    dl_vector *rest;        /* [vectors]: cells with an agent at rest after the last computed time */
    dl_vector *busy;        /* [time][vectors]: occupied or at rest */
    dl_vector *layer;       /* the layer to compute: the board of time t lies at t * stride */
    const dl_vector *lower; /* the layer of one conflict less; constant from lower_end on */
    size_t stride;
    int lower_end;
    int step, vectors, goal_bit;
} dl_sweep_job;

/* Computes the boards of times t+1..end; returns the first time from `watch` on at which the goal is reached, or -1. */
typedef int (*dl_sweep_kernel)(const dl_sweep_job *job, int t, int end, int watch);

/* One layer: the boards of times from the route's to `end`; later ones equal the last. */
typedef struct dl_layer {
    dl_vector *memory;
    int room; /* times that fit */
    int end;
} dl_layer;

typedef struct dl_layers {
    const dl_board_layout *layout; /* not owned, here and below */
    const dl_occupancy *occupancy;
    dl_sweep_kernel first, next; /* of layers without conflicts, of others */
    dl_sweep_job job;
    dl_layer *layer;
    int room, busy_room;
    dl_route route; /* of the agent being planned */
} dl_layers;

/* False when memory is out; end it all the same. */
DL_MUST_CHECK bool dl_layers_begin(dl_layers *l, const dl_board_layout *layout, const dl_occupancy *occupancy);
void dl_layers_end(dl_layers *l);
/* Forgets all layers and sets out on a route among tracks of this makespan. False when memory is out. */
DL_MUST_CHECK bool dl_layers_open(dl_layers *l, const dl_route *route, int makespan);
/* Sweeps the layers of c conflicts, those of fewer must be there. Returns the time at which the last goal is reached
 * for good, by a move and not before `watch`; -1 if that is not so until `latest` or until nothing changes any more;
 * DL_LAYERS_EXHAUSTED when memory is out. */
int dl_layers_sweep(dl_layers *l, int c, int watch, int latest);
enum { DL_LAYERS_EXHAUSTED = -2 };
/* Is the last goal entered by a move at `time` with c conflicts? Setting out there is an arrival, too. */
bool dl_layers_arrive(const dl_layers *l, int c, int time);

static inline const dl_layer *dl_layers_at(const dl_layers *l, int c, int leg)
{
    return &l->layer[(size_t)c * (size_t)l->route.legs + (size_t)leg];
}

static inline const dl_vector *dl_layers_board(const dl_layers *l, int c, int leg, int time)
{
    const dl_layer *layer = dl_layers_at(l, c, leg);
    return layer->memory + l->layout->guard + (size_t)(time < layer->end ? time : layer->end) * l->job.stride;
}

static inline bool dl_layers_reached(const dl_layers *l, int c, int leg, int time, int bit)
{
    return dl_board_test(dl_layers_board(l, c, leg, time), bit);
}

/* Rows after the makespan are all alike: the first of them stands for all. */
static inline int dl_layers_still(const dl_layers *l, int time)
{
    return time <= l->job.makespan ? time : l->job.makespan + 1;
}

static inline const dl_vector *dl_layers_busy(const dl_layers *l, int time)
{
    return l->job.busy + (size_t)dl_layers_still(l, time) * (size_t)l->layout->vectors;
}

static inline int dl_layers_target(const dl_layers *l, int leg)
{
    return l->layout->bit_of[dl_route_target(&l->route, leg)];
}

#endif
