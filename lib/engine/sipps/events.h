/* Events: the reservation table of large maps. For each cell the sorted list of (time, agent) that pass it; its size is
 * the sum of the path lengths, however large the map and however late the times. */
#ifndef DL_ENGINE_SIPPS_EVENTS_H
#define DL_ENGINE_SIPPS_EVENTS_H

#include "base/arena.h"
#include "mapf/grid.h"

/* time << 16 | agent, so that one comparison orders by time and then by agent. 64 bits: mazes have paths of more steps
 * than 16 bits count. */
typedef uint64_t dl_event;

static inline int dl_event_time(dl_event event)
{
    return (int)(event >> 16);
}

static inline int dl_event_agent(dl_event event)
{
    return (int)(event & 0xFFFF);
}

typedef struct dl_event_list {
    dl_event *event; /* ascending */
    int count, capacity;
} dl_event_list;

/* Lists grow by powers of two; the pieces they leave are kept for others, so a warmed-up table allocates nothing. */
enum { DL_EVENT_CLASSES = 28 };

typedef struct dl_free_piece {
    struct dl_free_piece *next;
} dl_free_piece;

typedef struct dl_events {
    dl_event_list *list;                         /* [cells] */
    dl_free_piece *free_piece[DL_EVENT_CLASSES]; /* by size */
    dl_arena arena;
} dl_events;

/* False when memory is out, here and below. */
DL_MUST_CHECK bool dl_events_create(dl_events *events, int cells);
void dl_events_free(dl_events *events);
/* A list never shrinks: what was removed can always be added again. */
DL_MUST_CHECK bool dl_events_add(dl_events *events, dl_cell cell, int time, int agent);
/* The same for all times from `first` to `last`, at once: an agent may wait for a hundred thousand steps. When memory
 * is out nothing is added. */
DL_MUST_CHECK bool dl_events_add_stay(dl_events *events, dl_cell cell, int first, int last, int agent);
void dl_events_remove_stay(dl_events *events, dl_cell cell, int first, int last, int agent);

/* Index of the first event of the list at `time` or later. */
static inline int dl_events_find(const dl_event_list *list, int time)
{
    dl_event wanted = (dl_event)time << 16;
    int low = 0, high = list->count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (list->event[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

#endif
