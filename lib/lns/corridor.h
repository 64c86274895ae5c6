/* Corridors: whose goals lie in an agent's way when it makes way for as few as possible. The target neighborhood of
 * repair asks for them. */
#ifndef DL_LNS_CORRIDOR_H
#define DL_LNS_CORRIDOR_H

#include "base/deadline.h"
#include "engine/planner.h"

/* A step of the search. */
typedef struct dl_corridor_step {
    dl_cell cell, from;
    int32_t length;
} dl_corridor_step;

/* Where a list of owners begins in the pool, and how many there are. */
typedef struct dl_corridor_list {
    int32_t first, count; /* first: 0 = not known */
} dl_corridor_list;

typedef struct dl_corridor {
    int cells;
    uint32_t *settled; /* [cells]: settled when equal to stamp */
    uint32_t stamp;
    dl_cell *from;                          /* [cells] */
    dl_corridor_step *queue, *seeds, *next; /* [4 * cells] each: every cell is offered by each neighbor once */
    /* What was found before, one list of owners after the other: it depends on starts and goals only. */
    dl_corridor_list *known; /* [agents][DL_DIRECTIONS]: by the direction that was looked at first */
    int32_t *pool;           /* [room]; lists that do not fit are found anew */
    int used, room;
} dl_corridor;

/* NULL when memory is out. One is for one instance. */
DL_MUST_CHECK dl_corridor *dl_corridor_create(int cells, int agents);
void dl_corridor_free(dl_corridor *c);
/* No cell is settled. */
void dl_corridor_begin(dl_corridor *c);

/* The owners of the foreign goals on a path from the agent's start to its goal that visits as few of them as possible,
 * and is the shortest of those; into list [agents]. Returns how many they are, -1 when time is out. Which of several
 * such paths is taken depends on `turn`, the direction that is looked at first. */
int dl_corridor_goals(dl_corridor *c, const dl_planner *p, int agent, int turn, int32_t *list,
                      const dl_deadline *deadline);

#endif
