/* The most likely legal path (maximum a posteriori): exact dynamic programming over (timestep, cell) for one agent. It
 * turns noisy tokens into an inferred trajectory, and a network's log-probabilities into a draft.
 *
 * Maximised: sum over t of score[t][token of the action taken] - step cost per arrival off the goal
 *            - distance cost * (distance left at the end) - collision cost * (collisions with the crowd). */
#ifndef DL_DIFFUSION_MAP_PATH_H
#define DL_DIFFUSION_MAP_PATH_H

#include "diffusion/config.h"
#include "mapf/grid.h"

typedef struct dl_map_costs {
    float step, distance, collision;
} dl_map_costs;

/* Scratch of one thread for one grid. */
typedef struct dl_map_planner dl_map_planner;

dl_map_planner *dl_map_planner_create(const dl_grid *grid);
void dl_map_planner_free(dl_map_planner *planner);

/* The paths found so far, for decoding in groups: those found later pay for every collision with them. */
typedef struct dl_crowd dl_crowd;

dl_crowd *dl_crowd_create(const dl_map_planner *planner, int horizon);
void dl_crowd_free(dl_crowd *crowd);
/* Adds cells[0..horizon], a path of `planner`'s grid. */
void dl_crowd_add(dl_crowd *crowd, const dl_map_planner *planner, const dl_cell *cells);

/* Fills cells[0..horizon], cells[0] = start, and returns the value of the path. `score` has `horizon` rows of
 * `alphabet` numbers: 5 score the actions themselves, 6 the relative tokens. `crowd` has the same horizon; NULL =
 * nobody is in the way. Unreachable goals are no error: the distance left then does not count. */
float dl_map_path(dl_map_planner *planner, const uint16_t *distance, dl_cell start, dl_cell goal, int horizon,
                  const float *score, int alphabet, dl_map_costs costs, const dl_crowd *crowd, dl_cell *cells);

#endif
