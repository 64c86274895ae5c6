/* What the likeliest and the drawn path share; only they include this. */
#ifndef DL_DIFFUSION_FRAMED_MAP_H
#define DL_DIFFUSION_FRAMED_MAP_H

#include "diffusion/likeliest_path.h"

/* The map in a frame of one blocked square, row by row, so that a step is a constant offset and a whole timestep is one
 * loop without branches. worth[t] holds, for each square an agent can have reached by t, the best value of the rest of
 * the path from there, the toll of the square itself included. */
struct dl_likeliest {
    const dl_grid *grid;
    int stride, squares;        /* of the framed map */
    int offset[DL_ACTIONS];     /* in the framed map */
    int32_t *square;            /* [cells] */
    float *toll;                /* [squares]: of being on a square that is not the goal */
    float step;                 /* the step cost `toll` was made for */
    uint8_t *token[DL_ACTIONS]; /* [squares] each: the relative token of an action, for the agent at hand */
    float *worth;               /* [capacity][squares] */
    int capacity;
    double *mass; /* [mass_capacity][squares]: of drawn paths, as `worth` of the likeliest */
    int mass_capacity;
    double *factor;              /* [squares]: exp of minus the toll, of drawn paths */
    const dl_deadline *deadline; /* not owned; NULL = none */
};

/* Counts in the planner's frame, a byte each: 255 on a square, and however many more, stay 255 for good. */
struct dl_crowd {
    int horizon, squares;
    uint8_t *there; /* [horizon + 1][squares]: on a square at t */
    uint8_t
        *leaving[DL_ACTIONS]; /* [horizon][squares] each, none for staying: from a square by an action, t to t + 1 */
};

/* Fills `token` for an agent. False when memory is out. */
DL_MUST_CHECK bool dl_framed_tokens(dl_likeliest *planner, const dl_field *distance);

/* The squares first..last an agent can have reached by `time`: whole rows. */
static inline void dl_framed_band(const dl_likeliest *planner, dl_cell start, int time, int *first, int *last)
{
    int row = dl_grid_position(planner->grid, start).row, height = planner->grid->height;
    int top = row - time > 0 ? row - time : 0, bottom = row + time < height ? row + time : height - 1;
    *first = (top + 1) * planner->stride;
    *last = (bottom + 2) * planner->stride - 1;
}

/* How many of the crowd swap places with an agent that leaves square `from` by `action`. */
static inline int dl_crowd_swaps(const dl_crowd *crowd, const dl_likeliest *planner, int time, int from, int action)
{
    if (action == DL_STAY) return 0;
    int opposite = ((action - 1) ^ 1) + 1;
    return crowd->leaving[opposite][(size_t)time * (size_t)crowd->squares + (size_t)(from + planner->offset[action])];
}

#endif
