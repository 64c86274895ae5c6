/* Small random maps on which it matters how many cells are free: blocks, rings and junctions with corridors of all
 * lengths between them, trees, blobs. */
#ifndef DL_TESTS_SUPPORT_MAPS_H
#define DL_TESTS_SUPPORT_MAPS_H

#include "base/rng.h"

typedef struct small_map {
    int height, width;   /* at most 64 squares */
    uint64_t free_cells; /* square i is free if bit i is set */
} small_map;

enum { SMALL_MAP_LEAST_CELLS = 6 };

/* A connected map of SMALL_MAP_LEAST_CELLS to `most_cells` free cells, 20 at most. */
small_map small_map_draw(dl_rng *rng, int most_cells);

#endif
