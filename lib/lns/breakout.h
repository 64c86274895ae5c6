/* Breakout (Morris, 1993): what repair does where every change makes more pairs collide than it parts. All pairs weigh
 * one at first. When repair has stalled, those that collide weigh one more, again and again, until parting them is
 * worth new collisions of others. This is the table of the pairs that weigh more than one. */
#ifndef DL_LNS_BREAKOUT_H
#define DL_LNS_BREAKOUT_H

#include <stdint.h>

#include "base/memory.h"

typedef struct dl_heavy_pair {
    int32_t low, high; /* the agents */
    int32_t weight;    /* 0 = nobody is here */
} dl_heavy_pair;

/* Empty when all zero. */
typedef struct dl_breakout {
    dl_heavy_pair *slot; /* [room]: a hash table with linear probing; room is 0 or a power of two */
    int room, count;
} dl_breakout;

void dl_breakout_end(dl_breakout *b);
/* All pairs weigh one again. */
void dl_breakout_clear(dl_breakout *b);
/* The pair weighs one more. False when memory is out: it weighs what it did. */
DL_MUST_CHECK bool dl_breakout_raise(dl_breakout *b, int one, int other);
/* What a pair of the table weighs, 1 if it is not there; there must be one. */
int dl_breakout_look_up(const dl_breakout *b, int one, int other);

static inline int dl_breakout_weight(const dl_breakout *b, int one, int other)
{
    return b->count == 0 ? 1 : dl_breakout_look_up(b, one, other);
}

#endif
