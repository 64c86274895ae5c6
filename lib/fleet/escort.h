/* An escort brings one robot nearer to its goal whatever the others want: they have no goals in its plan and make way.
 * Where a search may fail this constructs, one step of the robot after the other: it pushes the robots ahead toward
 * a free cell, turns a ring, or exchanges the two ends of a bridge (complete/swap.h). The moves form an order, not a
 * timetable: each is made as soon as those before it on its cells are made, so that late robots do no harm.
 * Robots that take no part stay out of the cells that are still needed, and are free otherwise. */
#ifndef DL_FLEET_ESCORT_H
#define DL_FLEET_ESCORT_H

#include "complete/swap.h"
#include "fleet/window.h"

typedef struct dl_escort {
    dl_blocks blocks;
    dl_rotation_swaps rotations;
    dl_pebbles pebbles; /* agents are robots' numbers; its log holds the moves not yet made, in order */
    dl_swapper swapper;
    int robot;                /* of the last leg */
    int tried[DL_DIRECTIONS]; /* swaps that failed before time was out, by direction */
    int closed;               /* cells nobody may enter, marked in pebbles.settled: exchanges touch them all the same */
    bool lost;                /* no distances to go by: on large maps they may be missing for a while */
    uint8_t *bridged;         /* [components] is there a bridge in it? */
    int room;                 /* robots' numbers are below */
    uint8_t *due;             /* [due_room], by move: the step of the window in which it is made, 0 = after its end */
    size_t due_room;
    uint32_t *on_cell, *on_robot, stamps; /* [cells], [room]: scratch, marked if equal to `stamps` */
    int32_t *left;                        /* [cells]: scratch */
    dl_cell *zone;                        /* [cells] the cells of moves not yet made */
    int zone_cells;
} dl_escort;

typedef enum dl_escort_outcome {
    DL_ESCORT_LEG,    /* the robot comes at least one step nearer */
    DL_ESCORT_PAUSED, /* time is out; asked again with everybody where they are, it goes on */
    DL_ESCORT_STUCK,  /* it can't, wherever the others go */
    DL_ESCORT_UNKNOWN /* memory is out, its distance not yet known, or cells are closed */
} dl_escort_outcome;

/* False when memory is out; release it all the same. */
DL_MUST_CHECK bool dl_escort_create(dl_escort *escort, const dl_grid *grid);
void dl_escort_release(dl_escort *escort);
/* Makes room for robots with numbers below `robots`. False when memory is out: the escort is as it was. */
DL_MUST_CHECK bool dl_escort_fit(dl_escort *escort, int robots);

/* The next leg of the robot's way: moves from where everybody is now, `on` [cells], that bring it nearer to the goal
 * `field` measures. It is not there. */
dl_escort_outcome dl_escort_plan(dl_escort *escort, int robot, const dl_field *field, const uint16_t *on,
                                 const dl_deadline *deadline);
/* No moves are left, or wanted. */
void dl_escort_drop(dl_escort *escort);
static inline bool dl_escort_is_under_way(const dl_escort *escort)
{
    return escort->pebbles.moves > 0;
}

/* Takes off the moves that are due by the step of the window that each robot has reached, driven[robot], and says
 * whether the rest can be made from where everybody is now (escort_drive.c). */
bool dl_escort_catch_up(dl_escort *escort, const uint8_t *driven, const uint16_t *on);
/* Sets when each move is made if nobody is late, the paths of those who take part, and whom and what the others leave
 * alone: window->fixed and window->barred. The paths begin where the robots are. */
void dl_escort_write(dl_escort *escort, dl_window *window);
/* Takes back what dl_escort_write set but the paths. */
void dl_escort_unbar(dl_escort *escort, dl_window *window);

#endif
