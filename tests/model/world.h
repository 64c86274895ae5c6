/* The plain model that the library is compared with: small grids, paths as arrays, everything by brute force. Knows
 * nothing of the library but its structs of cells. */
#ifndef DL_TESTS_MODEL_WORLD_H
#define DL_TESTS_MODEL_WORLD_H

#include <stdbool.h>

#include "difflns.h"

enum { MOST_SIDE = 8, MOST_CELLS = MOST_SIDE * MOST_SIDE, MOST_AGENTS = 12, MOST_TIMES = 4096 };

typedef struct grid {
    int height, width;
    uint8_t blocked[MOST_CELLS];
} grid;

typedef struct tasks {
    grid grid;
    int agents;
    difflns_cell start[MOST_AGENTS], goal[MOST_AGENTS];
} tasks;

/* Positions [times][agents]. */
typedef struct paths {
    int agents, times;
    difflns_cell (*at)[MOST_AGENTS];
} paths;

/* splitmix64 */
uint64_t next_random(uint64_t *state);
int below(uint64_t *state, int n);

bool is_free(const grid *g, difflns_cell cell);
bool same_cell(difflns_cell a, difflns_cell b);
int distance(const grid *g, difflns_cell from, difflns_cell to); /* -1 = no way */
difflns_cell random_cell(uint64_t *state, const grid *g);        /* any cell of the map */

/* The number of violations up to `time` (inclusive) is zero. */
bool valid_until(const tasks *t, const paths *p, int time);
bool valid(const tasks *t, const paths *p);
int64_t soc(const paths *p);
int makespan(const paths *p);
/* True if a plan exists, by search over joint states; only for worlds with few of them. */
bool joint_search_is_small(const tasks *t);
bool joint_search(const tasks *t);

#endif
