/* Who is where and when, for maps that suit boards: one row of boards for each time step, and lists of the agents
 * after each bit. Times up to an agent's arrival are in the rows; its rest afterward is one bit of `arrive`, which a
 * sweep accumulates, so inserting a path never writes an endless tail. */
#ifndef DL_ENGINE_BOARDS_OCCUPANCY_H
#define DL_ENGINE_BOARDS_OCCUPANCY_H

#include "engine/boards/board.h"
#include "engine/planner.h"

/* The boards of one row: cells passed at t; cells where an agent comes to rest at t; and for each direction the cells
 * that can't be *entered* that way at t without swapping places with an agent. */
enum { DL_ROW_OCCUPIED, DL_ROW_ARRIVE, DL_ROW_SWAP, DL_ROW_BOARDS = DL_ROW_SWAP + DL_DIRECTIONS };
enum { DL_NOBODY = 0xFFFF };

typedef struct dl_occupancy {
    const dl_board_layout *layout; /* not owned */
    int agents;
    int horizon;     /* times 0..horizon-1 have a row; all rows after the makespan are empty */
    size_t row_size; /* vectors from a row to the next */
    dl_vector *rows; /* [horizon][DL_ROW_BOARDS][vectors] */
    uint16_t *head;  /* [cells][horizon]: the first agent on that cell at that time, or DL_NOBODY */
    uint16_t *next;  /* [agents][horizon]: the next agent on the same cell at that time */
} dl_occupancy;

/* False when memory is out; end it all the same. */
DL_MUST_CHECK bool dl_occupancy_begin(dl_occupancy *o, const dl_board_layout *layout, int agents);
void dl_occupancy_end(dl_occupancy *o);
/* A track from the time `first` on: what comes before is fixed, and there already. False when memory is out: nothing
 * has changed then, here and below. */
DL_MUST_CHECK bool dl_occupancy_insert(dl_occupancy *o, int agent, const dl_track *track, int first);
/* The fixed part of a track, times 0..last. */
DL_MUST_CHECK bool dl_occupancy_fix(dl_occupancy *o, int agent, const dl_cell *at, int last);
/* The counterpart of insert. `tracks` are those of all agents: they tell whether a bit has another reason to stay. */
void dl_occupancy_remove(dl_occupancy *o, int agent, const dl_track *tracks, int first);
/* Takes out all tracks of agents that are `in`, and all that was fixed; none of it ends after the makespan. */
void dl_occupancy_clear(dl_occupancy *o, int makespan, const dl_instance *instance, const dl_track *tracks,
                        const bool *in);
/* Makes rows for times up to `time`. */
DL_MUST_CHECK bool dl_occupancy_reserve(dl_occupancy *o, int time);

static inline const dl_vector *dl_occupancy_board(const dl_occupancy *o, int time, int board)
{
    return o->rows + (size_t)time * o->row_size + (size_t)board * (size_t)o->layout->vectors;
}

static inline uint16_t dl_occupancy_head(const dl_occupancy *o, dl_cell cell, int time)
{
    return o->head[(size_t)cell * (size_t)o->horizon + (size_t)time];
}

static inline uint16_t dl_occupancy_next(const dl_occupancy *o, int agent, int time)
{
    return o->next[(size_t)agent * (size_t)o->horizon + (size_t)time];
}

#endif
