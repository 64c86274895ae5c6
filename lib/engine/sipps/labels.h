/* Labels: the nodes of SIPPS and their open list. A label beats another in the same safe interval that comes no earlier
 * and has no fewer conflicts; what remains of one cell is kept in a list, what is still to be expanded in a heap. */
#ifndef DL_ENGINE_SIPPS_LABELS_H
#define DL_ENGINE_SIPPS_LABELS_H

#include "base/rng.h"
#include "engine/planner.h"
#include "mapf/instance.h"

/* Flags of a label. DEAD = beaten after it was stored. Above them stands the leg: how many goals were visited. */
enum { DL_LINGERING = 1, DL_FINAL = 2, DL_DEAD = 4, DL_LEG_SHIFT = 3, DL_FLAG_BITS = 9 };
_Static_assert(DL_MOST_GOALS <= 1 << (DL_FLAG_BITS - DL_LEG_SHIFT), "legs fit");
enum { DL_NO_LABEL = -1 };
/* Bits of what labels are compared by. */
enum { DL_CONFLICT_BITS = 22, DL_TIME_BITS = 26 };
_Static_assert(DL_MOST_CONFLICTS < 1 << DL_CONFLICT_BITS && DL_NEVER < 1 << DL_TIME_BITS, "conflicts and times fit");
#define DL_LOW_BITS(count) ((1u << (count)) - 1) /* says to the compiler what the assertion above said */
#define DL_GUESSED         (1u << DL_TIME_BITS)

/* The agent can be on `cell` from time t on, with c conflicts so far, and answers for the times before hx; hi ends
 * the safe interval it stands in. */
typedef struct dl_label {
    dl_cell cell;
    int32_t t, hx, hi, f;
    uint32_t left; /* steps to the goal if nobody were in the way, plus DL_GUESSED if that is only a lower bound */
    uint32_t c : DL_CONFLICT_BITS, flags : DL_FLAG_BITS;
    int32_t parent, next_of_cell;
} dl_label;

typedef struct dl_open_label dl_open_label;
typedef struct dl_labels_of_cell dl_labels_of_cell;

typedef struct dl_labels {
    dl_label *label; /* moves when one is added */
    int count, room;
    dl_open_label *heap;
    int open, heap_room;
    dl_labels_of_cell *of_cell; /* [cells] */
    uint32_t stamp;
} dl_labels;

/* False when memory is out, here and below. */
DL_MUST_CHECK bool dl_labels_create(dl_labels *labels, int cells);
void dl_labels_free(dl_labels *labels);
/* Forgets all labels, at no cost. */
void dl_labels_clear(dl_labels *labels);
/* Stores and queues a label unless one at the same place is as good; removes those it beats. */
DL_MUST_CHECK bool dl_labels_add(dl_labels *labels, dl_label new, dl_rng *rng);
/* Takes the best open label, which may be DL_DEAD by now. There must be one. */
int dl_labels_pop(dl_labels *labels);

#endif
