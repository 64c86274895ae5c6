/* The most likely legal path (maximum a posteriori): exact dynamic programming over (timestep, cell) for one agent. It
 * turns noisy tokens into an inferred trajectory, and a network's log-probabilities into a draft.
 *
 * Maximized: sum over t of score[t][action taken] - step cost per arrival off the goal
 *            - distance cost * (distance left at the end) - collision cost * (collisions with the crowd). */
#ifndef DL_DIFFUSION_LIKELIEST_PATH_H
#define DL_DIFFUSION_LIKELIEST_PATH_H

#include "base/deadline.h"
#include "base/memory.h"
#include "diffusion/config.h"
#include "mapf/field.h"

typedef struct dl_likeliest_costs {
    float step, distance, collision;
} dl_likeliest_costs;

/* Scratch of one thread for one grid. */
typedef struct dl_likeliest dl_likeliest;

/* NULL when memory is out. */
DL_MUST_CHECK dl_likeliest *dl_likeliest_create(const dl_grid *grid);
void dl_likeliest_free(dl_likeliest *planner);
/* Paths not found by then are not found. The deadline stays the caller's; NULL = there is none, as at first. */
void dl_likeliest_until(dl_likeliest *planner, const dl_deadline *deadline);

/* The paths found so far, for decoding in groups: those found later pay for every collision with them. */
typedef struct dl_crowd dl_crowd;

DL_MUST_CHECK dl_crowd *dl_crowd_create(const dl_likeliest *planner, int horizon);
void dl_crowd_free(dl_crowd *crowd);
/* Adds cells[0..horizon], a path of `planner`'s grid. */
void dl_crowd_add(dl_crowd *crowd, const dl_likeliest *planner, const dl_cell *cells);
/* Takes one out that was added. */
void dl_crowd_remove(dl_crowd *crowd, const dl_likeliest *planner, const dl_cell *cells);

/* Fills cells[1..horizon] from cells[0], the start, and returns the value of the path. `score` has `horizon` rows of a
 * number for each action. `crowd` has the same horizon; NULL = nobody is in the way. Unreachable goals are no error:
 * the distance left then does not count. -INFINITY when memory or time is out. */
DL_MUST_CHECK float dl_likeliest_path(dl_likeliest *planner, const dl_field *distance, dl_cell goal, int horizon,
                                      const float *score, dl_likeliest_costs costs, const dl_crowd *crowd,
                                      dl_cell *cells);

#endif
