/* What the kinds of maps offer to generate.c; one file each: generate_random.c, generate_maze.c, generate_room.c,
 * generate_warehouse.c. */
#ifndef DL_GENERATE_GENERATE_MAP_H
#define DL_GENERATE_GENERATE_MAP_H

#include "base/rng.h"
#include "generate/generate.h"

typedef struct dl_map_maker {
    /* Refuses parameters this kind can't draw. Sides and shares are known to be in range. */
    dl_status (*check)(const dl_generate_params *params, dl_error *err);
    /* No map of these parameters has more free cells. */
    int (*most_free_cells)(const dl_generate_params *params);
    /* Draws one map into blocked [height*width], which is zeroed. False when memory is out. */
    bool (*draw)(const dl_generate_params *params, dl_rng *rng, dl_arena *arena, uint8_t *blocked);
} dl_map_maker;

extern const dl_map_maker DL_RANDOM_MAPS, DL_MAZE_MAPS, DL_ROOM_MAPS, DL_WAREHOUSE_MAPS;

/* Shares become whole millionths once, so that all that follows is exact and the same on every machine. */
enum { DL_MILLION = 1000000 };

static inline int64_t dl_millionths(double share)
{
    return (int64_t)(share * DL_MILLION + 0.5);
}

/* The sides of a warehouse follow from its shelves. */
int dl_warehouse_height(const dl_generate_params *params);
int dl_warehouse_width(const dl_generate_params *params);

#endif
