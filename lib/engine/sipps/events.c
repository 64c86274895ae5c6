#include "engine/sipps/events.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { FIRST_CLASS = 3 }; /* 8 events fill one cache line, the arena's unit */

bool dl_events_create(dl_events *events, int cells)
{
    *events = (dl_events){.list = DL_ARRAY(dl_event_list, cells)};
    return events->list != NULL;
}

void dl_events_free(dl_events *events)
{
    free(events->list);
    dl_arena_free(&events->arena);
}

/* Free pieces of one size are chained through their first bytes. */
static dl_event *take_piece(dl_events *events, int class)
{
    dl_free_piece *piece = events->free_piece[class];
    if (!piece) return dl_arena_alloc(&events->arena, sizeof(dl_event) << class);
    events->free_piece[class] = piece->next;
    return (void *)piece;
}

static bool grow(dl_events *events, dl_event_list *list)
{
    int class = list->capacity ? __builtin_ctz((unsigned)list->capacity) + 1 : FIRST_CLASS;
    dl_event *piece = take_piece(events, class);
    if (!piece) return false;
    if (list->capacity) {
        memcpy(piece, list->event, sizeof *piece * (size_t)list->count);
        dl_free_piece *left = (void *)list->event;
        left->next = events->free_piece[class - 1];
        events->free_piece[class - 1] = left;
    }
    assert(list->count <= 1 << class);
    list->event = piece;
    list->capacity = 1 << class;
    return true;
}

static int position(const dl_event_list *list, dl_event event)
{
    int at = dl_events_find(list, dl_event_time(event));
    while (at < list->count && list->event[at] < event) at++;
    return at;
}

static dl_event event_of(int time, int agent)
{
    assert(time >= 0 && agent >= 0 && agent <= UINT16_MAX);
    return (dl_event)time << 16 | (dl_event)agent;
}

bool dl_events_add(dl_events *events, dl_cell cell, int time, int agent)
{
    dl_event_list *list = &events->list[cell];
    dl_event event = event_of(time, agent);
    if (list->count == list->capacity && !grow(events, list)) return false;
    int at = position(list, event);
    memmove(list->event + at + 1, list->event + at, sizeof event * (size_t)(list->count - at));
    assert(at == 0 || list->event[at - 1] <= event);
    list->event[at] = event;
    list->count++;
    return true;
}

static void events_remove(dl_events *events, dl_cell cell, int time, int agent)
{
    dl_event_list *list = &events->list[cell];
    int at = position(list, event_of(time, agent));
    assert(at < list->count && list->event[at] == event_of(time, agent));
    list->count--;
    memmove(list->event + at, list->event + at + 1, sizeof *list->event * (size_t)(list->count - at));
}

bool dl_events_add_stay(dl_events *events, dl_cell cell, int first, int last, int agent)
{
    assert(first <= last);
    if (first == last) return dl_events_add(events, cell, first, agent);
    dl_event_list *list = &events->list[cell];
    int before = list->count, length = last - first + 1;
    while (list->capacity - before < length)
        if (!grow(events, list)) return false;
    list->count += length;
    dl_event *to = list->event + list->count, *from = list->event + before;
    for (int time = last; time >= first;) { /* merged from the end, where there is room */
        dl_event event = event_of(time, agent);
        if (from > list->event && from[-1] > event) {
            *--to = *--from;
        } else {
            *--to = event;
            time--;
        }
    }
    return true;
}

void dl_events_remove_stay(dl_events *events, dl_cell cell, int first, int last, int agent)
{
    if (first == last) {
        events_remove(events, cell, first, agent);
        return;
    }
    dl_event_list *list = &events->list[cell];
    int to = position(list, event_of(first, agent)), from = to;
    for (; from < list->count && dl_event_time(list->event[from]) <= last; from++)
        if (dl_event_agent(list->event[from]) != agent) list->event[to++] = list->event[from];
    memmove(list->event + to, list->event + from, sizeof *list->event * (size_t)(list->count - from));
    assert(from - to == last - first + 1); /* the agent was there all the time */
    list->count -= from - to;
}
