/* The window: the next few steps of all robots without a collision, and the memory to work on them. Beyond its end a
 * robot is thought to follow its distances. Nothing here allocates but dl_window_create and dl_window_fit. */
#ifndef DL_FLEET_WINDOW_H
#define DL_FLEET_WINDOW_H

#include "base/deadline.h"
#include "base/memory.h"
#include "base/rng.h"
#include "mapf/field.h"

enum {
    DL_WINDOW_MOST = 64,   /* steps: more look farther than anybody's delays let plans live */
    DL_TRIP_GOALS = 2,     /* goals of a queue that a window looks at */
    DL_FLEET_MOST = 65534, /* robots: numbers fit 16 bits, with room for "none" */
    DL_NO_ROBOT = 0xFFFF,
    DL_BARRED = 0xFFFE, /* stands for a robot where nobody else may go */
    DL_NO_PATH = -1
};

/* A search that meets more states than this gives up: in a crowd, where it would look everywhere and find little. */
enum { DL_SEARCH_NODES = 1 << 12 };

/* Costs are counted in quarters of a step, so that making way for somebody with a task always pays. */
enum { DL_STEP_COST = DL_STEP_UNITS, DL_MAKE_WAY_COST = 1 };
/* A step away from the goal costs itself and the way back; paths that lose more than that, by steps that cost extra,
 * are not looked for. */
enum { DL_SEARCH_BUCKETS = 4 * DL_STEP_COST * DL_WINDOW_MOST + 1 };

/* What a robot has before it. Stage k is the way to goal k; in the stage after the last goal it has no task. */
typedef struct dl_trip {
    int goals;
    dl_cell goal[DL_TRIP_GOALS];
    const dl_field *field[DL_TRIP_GOALS];          /* distances to them */
    const dl_edge_costs *costs[DL_TRIP_GOALS + 1]; /* with which they were measured, and what holds after the last
                                                      goal; NULL = none */
    int unit[DL_TRIP_GOALS];                       /* what one counts: a step, or with costs a unit */
    int beyond[DL_TRIP_GOALS];                     /* cost from goal k through those after it */
    int hold;                                      /* steps during which it must not move */
    int weight;                                    /* of its cost among those of others: grows while it waits */
} dl_trip;

typedef struct dl_search_node {
    dl_cell cell;
    int32_t parent, next; /* next: in the bucket */
    int32_t spent;        /* cost so far */
    int16_t square;       /* in the box around the start */
    uint8_t time, stage;
} dl_search_node;

typedef struct dl_window {
    const dl_grid *grid;
    int steps;
    int robots, room;    /* who takes part, and for how many numbers there is memory */
    uint16_t *rank;      /* [robots] their numbers, those with the highest priority first */
    dl_trip *trip;       /* [room], by number as all below */
    dl_cell *path;       /* [room][steps + 1] */
    int32_t *cost;       /* [room] of the path */
    uint16_t *taken;     /* [cells][steps + 1] who is there, plus one; 0 = nobody */
    uint8_t *fixed;      /* [room] whose paths are given and stay as they are */
    const uint8_t *shut; /* [cells] a bit for each direction in which nobody may leave the cell; NULL = none */
    uint8_t *barred;     /* [cells] where only these go: they alone are there now */
    int barred_cells;    /* how many */
    dl_rng rng;
    /* Scratch of the search: states are squares of a box around the start, times and stages. */
    dl_search_node *node;
    int32_t *bucket; /* heads of lists, by cost */
    uint32_t *seen;  /* [states] the search that saw it last */
    uint32_t searches;
    /* Of PIBT: directions with a free neighbor, and of those the ones whose neighbor has no other exit; the rest is
     * scratch. */
    uint8_t *exits, *dead_ends; /* [cells] */
    uint16_t *now, *next;       /* [cells] who stands there, who goes there; DL_NO_ROBOT = nobody */
    dl_cell *at, *to;           /* [room] */
    uint8_t *stage;             /* [room] */
    uint16_t *turn;             /* [room] in which order they choose */
    int depth;                  /* robots that wait for each other right now */
    /* Scratch of retiming and improvement. */
    dl_cell *spare;       /* [room][steps + 1] */
    int32_t *after;       /* [room][steps + 1] */
    int32_t *last;        /* [cells] */
    uint8_t *made, *mark; /* [room] */
} dl_window;

/* False when memory is out; release it all the same. */
DL_MUST_CHECK bool dl_window_create(dl_window *window, const dl_grid *grid, int steps);
void dl_window_release(dl_window *window);
/* Makes room for robots with numbers below `robots`. False when memory is out: the window is as it was. */
DL_MUST_CHECK bool dl_window_fit(dl_window *window, int robots);

static inline dl_cell *dl_window_path(const dl_window *window, int robot)
{
    return window->path + (size_t)robot * (size_t)(window->steps + 1);
}

static inline uint16_t *dl_window_taken(const dl_window *window, dl_cell cell)
{
    return window->taken + (size_t)cell * (size_t)(window->steps + 1);
}

/* What is left to pay from `cell` through all goals from `stage` on. What could not be measured in time counts as very
 * far. */
static inline int dl_trip_ahead(const dl_trip *trip, int stage, dl_cell cell)
{
    enum { VERY_FAR = DL_UNREACHABLE / (4 * DL_STEP_COST) };
    if (stage >= trip->goals) return 0;
    int far = dl_field_at(trip->field[stage], cell);
    int cost = far < VERY_FAR ? far * trip->unit[stage] + trip->beyond[stage] : VERY_FAR;
    return cost < DL_STEP_COST * VERY_FAR ? cost : DL_STEP_COST * VERY_FAR;
}

/* What the step in direction d from `cell` costs beyond itself; DL_COST_NEVER = it must not be made. */
static inline int dl_trip_extra(const dl_trip *trip, int stage, dl_cell cell, int d)
{
    return dl_edge_cost(trip->costs[stage], cell, d);
}

/* The stage after entering `cell`, or staying there. */
static inline int dl_trip_stage(const dl_trip *trip, int stage, dl_cell cell)
{
    return stage + (stage < trip->goals && trip->goal[stage] == cell);
}

/* Directions in which nobody may leave the cell: a bit each. */
static inline unsigned dl_window_shut(const dl_window *window, dl_cell cell)
{
    return window->shut ? window->shut[cell] : 0;
}

/* Is the step between these neighbors open? */
static inline bool dl_window_is_open(const dl_window *window, dl_cell from, dl_cell to)
{
    for (unsigned shut = dl_window_shut(window, from); shut; shut &= shut - 1)
        if (window->grid->neighbor[from][__builtin_ctz(shut)] == to) return false;
    return true;
}

/* Puts a robot's path into the table of who is where, and takes it out. */
void dl_window_enter(dl_window *window, int robot);
void dl_window_leave(dl_window *window, int robot);
/* What the path of a robot costs: steps with a task, what is left at the end of the window, and moves without one. */
int dl_window_path_cost(const dl_window *window, int robot);
/* No path of this robot costs less. */
int dl_window_least_cost(const dl_window *window, int robot);
/* Sets all costs; returns their weighted sum. */
int64_t dl_window_measure(dl_window *window);
/* Is the first step of all legal? Shares nothing with what makes paths. */
bool dl_window_legal(dl_window *window);

/* The best path for a robot from path[0] around everybody in the table, if one costs at most `limit` (window_search.c).
 * Returns its cost or DL_NO_PATH: then the path is as it was. The robot itself must not be in the table. */
int dl_window_search(dl_window *window, int robot, int limit);

/* Everybody's steps from time `from` on by PIBT with the swap rule: priority inheritance with backtracking, in the
 * order of window->rank (window_pibt.c). Always legal. */
void dl_window_pibt(dl_window *window, int from);

/* The plan goes on after robots were late: keeps the order in which robots pass each cell, and lets everybody step as
 * soon as that order and their holds allow (window_retime.c). done[robot] is how many steps of its path a robot has
 * made; the paths then begin where the robots are, and at their end robots wait. False if they stand where that order
 * can't have led them: the paths are as they were. */
bool dl_window_retime(dl_window *window, const uint8_t *done);

/* Those whose paths lead through barred cells search others. False if somebody finds none: then some paths are useless.
 */
bool dl_window_clear(dl_window *window);

typedef struct dl_window_effort {
    int64_t iterations; /* at most */
    int64_t patience;   /* and at most so many in a row without gain */
    dl_deadline deadline;
} dl_window_effort;

/* Large neighborhood search: replans robots that are held up together with those in their way, again and again, and
 * keeps what does not cost more (window_improve.c). Returns the iterations made. */
int64_t dl_window_improve(dl_window *window, const dl_window_effort *effort);

#endif
