/* Instance generators: four kinds of maps with starts and goals drawn on them. Everything a generator draws comes from
 * (parameters, seed) through integer arithmetic, so an instance is the same on every machine. Maps do not depend on the
 * number of agents, and more agents extend fewer: the first N of a seed are the instance of N (unless the map must be
 * redrawn because the larger number does not fit it). For tools. */
#ifndef DL_GENERATE_GENERATE_H
#define DL_GENERATE_GENERATE_H

#include "base/arena.h"
#include "mapf/instance.h"

typedef enum dl_map_kind { DL_MAP_RANDOM, DL_MAP_MAZE, DL_MAP_ROOM, DL_MAP_WAREHOUSE } dl_map_kind;

typedef enum dl_placement {
    DL_PLACE_ANY,     /* starts distinct, goals distinct; a cell may be one agent's start and another's goal */
    DL_PLACE_DISJOINT /* a cell is a start or a goal, never both: fits at most half of the cells */
} dl_placement;

typedef struct dl_generate_params {
    const char *family; /* the preset's name; names the map: FAMILY-N-SEED.map */
    dl_map_kind kind;
    int agents;
    dl_placement placement;
    double connected; /* share of the free cells that the largest component must hold; agents live in that one */

    int height, width; /* random, maze (odd) and room; a warehouse follows from its shelves */
    double density;    /* random: share of obstacles. maze: wall cells tried per cell */

    int wall_length;     /* maze: steps a wall tries to grow */
    double straightness; /* maze: weight of growing straight on, against 1 - straightness for each turn */

    int room_size;   /* room: side of a room; walls are one cell */
    int least_doors; /* room: the number of doors is drawn uniformly ... */
    int most_doors;  /* ... from this range, both ends included */

    int shelf_height, shelf_width; /* warehouse: cells of one shelf */
    int shelf_rows, shelf_columns; /* warehouse: number of shelves */
    int row_gap, column_gap;       /* warehouse: free cells between shelves */
    int end_strip, side_strip;     /* warehouse: free cells above and below, left and right of the shelves */
} dl_generate_params;

/* Working memory of one thread, reused from call to call. Zeroed = empty. */
typedef struct dl_generator_scratch {
    dl_arena arena;
} dl_generator_scratch;

void dl_generator_scratch_free(dl_generator_scratch *scratch);

/* The parameters of a preset; agents is left 0 for the caller to set. small-random, medium-maze, medium-room,
 * medium-warehouse and large-maze are the paper's families; random, maze, room and warehouse their 23x23 training
 * twins. */
dl_status dl_generate_preset(const char *family, dl_generate_params *out, dl_error *err);
/* The presets' names by number from 0; NULL after the last. */
const char *dl_generate_preset_name(int index);

/* Refuses parameters that are out of range, contradict each other, or cannot hold the agents. */
dl_status dl_generate_check(const dl_generate_params *params, dl_error *err);

dl_status dl_generate(const dl_generate_params *params, uint64_t seed, dl_generator_scratch *scratch, dl_instance **out,
                      dl_error *err);

#endif
