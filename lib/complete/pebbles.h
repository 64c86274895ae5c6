/* Agents that move one at a time (or round a ring, all at once), with a log that can be undone or played backward.
 * The complete solver is written in these terms; timetable.h turns the log into a plan. */
#ifndef DL_COMPLETE_PEBBLES_H
#define DL_COMPLETE_PEBBLES_H

#include <stddef.h>

#include "base/memory.h"
#include "mapf/instance.h"
#include "order/timetable.h"

typedef struct dl_pebbles {
    const dl_grid *grid;
    int agents;
    int32_t *occupant; /* [cells]: an agent, -1 = free */
    dl_cell *place;    /* [agents] */
    dl_move *log;
    size_t moves, room;
    bool exhausted;           /* the log could not grow: from then on nobody moves any more */
    uint8_t *settled;         /* [cells]: cells a vacating agent must not touch unless told otherwise */
    int looks[DL_DIRECTIONS]; /* the order in which searches look at neighbors */
    /* scratch of vacate */
    uint32_t *stamp, now;
    dl_cell *from, *queue;
    void *memory; /* of the arrays of cells */
} dl_pebbles;

/* False when memory is out. */
DL_MUST_CHECK bool dl_pebbles_create(dl_pebbles *p, const dl_grid *grid, int agents, const dl_cell *place);
void dl_pebbles_free(dl_pebbles *p);
/* Back to `place` with an empty log. */
void dl_pebbles_reset(dl_pebbles *p, const dl_cell *place);

/* The agent on `from` moves to its free neighbor `to`. Where the log can't grow nobody moves, here and below:
 * a caller that waits for an agent to arrive checks `exhausted`. */
void dl_pebbles_move(dl_pebbles *p, dl_cell from, dl_cell to);
/* Everybody on the ring moves on to the next cell of it, free cells included; the last follows to the first. */
void dl_pebbles_rotate(dl_pebbles *p, const dl_cell *ring, int length);
/* Takes back everything logged since the log had `moves` entries. */
void dl_pebbles_undo(dl_pebbles *p, size_t moves);
/* Logs the entries first .. last-1 backward: the agent where an entry ended goes to where it began. */
void dl_pebbles_retrace(dl_pebbles *p, size_t first, size_t last);

typedef enum dl_reach { DL_REACH_ALL, DL_REACH_UNSETTLED } dl_reach;

/* The fewest moves that free `cell` without touching `barred` (and settled cells): the number of agents to shift, or
 * -1. The way stays in the scratch for dl_pebbles_shift. */
int dl_pebbles_find_blank(dl_pebbles *p, dl_cell cell, const dl_cell *barred, int count, dl_reach reach);
void dl_pebbles_shift(dl_pebbles *p, dl_cell cell);
/* Both together; true if `cell` is free afterward. A free cell is left alone. */
bool dl_pebbles_vacate(dl_pebbles *p, dl_cell cell, const dl_cell *barred, int count, dl_reach reach);

static inline bool dl_pebbles_free_cell(const dl_pebbles *p, dl_cell cell)
{
    return p->occupant[cell] < 0;
}

#endif
