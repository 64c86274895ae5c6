#include "engine/boards/occupancy.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Longer than nearly every path on the maps of the paper, so that rows hardly ever grow. */
enum { FIRST_HORIZON = 128 };

/* The same lines, each as long as `new_width`. */
static void widen(char *wide, const char *old, size_t lines, size_t old_width, size_t new_width, int fill)
{
    for (size_t i = 0; i < lines; i++) {
        if (old_width) memcpy(wide + i * new_width, old + i * old_width, old_width);
        memset(wide + i * new_width + old_width, fill, new_width - old_width);
    }
}

/* All or nothing: the three tables always agree on the horizon. */
static bool grow(dl_occupancy *o, int horizon)
{
    size_t was = (size_t)o->horizon, is = (size_t)horizon, bytes = o->row_size * sizeof(dl_vector);
    size_t cells = (size_t)o->layout->grid->cells, agents = (size_t)o->agents;
    dl_vector *rows = dl_aligned(is * bytes);
    uint16_t *head = dl_malloc(cells * is * sizeof *head), *next = dl_malloc(agents * is * sizeof *next);
    if (!rows || !head || !next) {
        free(rows);
        free(head);
        free(next);
        return false;
    }
    if (was) memcpy(rows, o->rows, was * bytes);
    memset((char *)rows + was * bytes, 0, (is - was) * bytes);
    widen((char *)head, (const char *)o->head, cells, was * sizeof *head, is * sizeof *head, 0xFF);
    widen((char *)next, (const char *)o->next, agents, was * sizeof *next, is * sizeof *next, 0xFF);
    dl_occupancy_end(o);
    o->rows = rows;
    o->head = head;
    o->next = next;
    o->horizon = horizon;
    return true;
}

bool dl_occupancy_reserve(dl_occupancy *o, int time)
{
    if (time < o->horizon) return true;
    int horizon = o->horizon ? o->horizon : FIRST_HORIZON;
    while (horizon <= time) horizon *= 2;
    assert(time >= 0 && horizon > o->horizon);
    return grow(o, horizon);
}

bool dl_occupancy_begin(dl_occupancy *o, const dl_board_layout *layout, int agents)
{
    *o = (dl_occupancy){.layout = layout, .agents = agents, .row_size = DL_ROW_BOARDS * (size_t)layout->vectors};
    return dl_occupancy_reserve(o, FIRST_HORIZON - 1);
}

void dl_occupancy_end(dl_occupancy *o)
{
    free(o->rows);
    free(o->head);
    free(o->next);
}

static dl_vector *board(const dl_occupancy *o, int time, int which)
{
    return o->rows + (size_t)time * o->row_size + (size_t)which * (size_t)o->layout->vectors;
}

/* The direction of the step from one bit to another, without a branch: steps are as good as random. A wait is no step;
 * what it yields is not used. */
static int direction(int from_bit, int to_bit)
{
    int step = to_bit - from_bit;
    return 2 * ((step == 1) | (step == -1)) + (step > 0);
}

_Static_assert(DL_UP == 1 && DL_DOWN == 2 && DL_LEFT == 3 && DL_RIGHT == 4, "direction() relies on this order");

/* One row after the other, as words: the inner loops below are a quarter of all work. */
typedef struct row_walk {
    uint64_t *row;
    size_t row_words, board_words;
} row_walk;

static row_walk row_at(const dl_occupancy *o, int time)
{
    return (row_walk){(uint64_t *)(o->rows + (size_t)time * o->row_size), o->row_size * DL_VECTOR_WORDS,
                      (size_t)o->layout->vectors * DL_VECTOR_WORDS};
}

/* The word that says whether entering `from` against a step from there to `to` would be a swap. */
static uint64_t *swap_word(const row_walk *w, int from_bit, int to_bit)
{
    return w->row + (size_t)(DL_ROW_SWAP + (direction(from_bit, to_bit) ^ 1)) * w->board_words + (from_bit >> 6);
}

_Static_assert(DL_ROW_OCCUPIED == 0, "the row begins with its board of occupied cells");

/* The times from `first` to `last`; there are rows for them. */
static inline void put(dl_occupancy *o, int agent, const dl_cell *at, int first, int last)
{
    const int32_t *bit_of = o->layout->bit_of;
    const size_t horizon = (size_t)o->horizon;
    assert(agent >= 0 && agent < o->agents && last < o->horizon);
    uint16_t *next = o->next + (size_t)agent * horizon, *heads = o->head;
    row_walk w = row_at(o, first);
    int before = bit_of[at[first > 0 ? first - 1 : 0]];
    for (int t = first; t <= last; t++, w.row += w.row_words) {
        dl_cell cell = at[t];
        int bit = bit_of[cell];
        uint16_t *head = &heads[(size_t)cell * horizon + (size_t)t];
        next[t] = *head;
        *head = (uint16_t)agent;
        w.row[bit >> 6] |= UINT64_C(1) << (bit & 63);
        *swap_word(&w, before, bit) |= (uint64_t)(bit != before) << (before & 63);
        before = bit;
    }
}

bool dl_occupancy_insert(dl_occupancy *o, int agent, const dl_track *track, int first)
{
    if (!dl_occupancy_reserve(o, track->cost + 1)) return false; /* one empty row stays after the last arrival */
    put(o, agent, track->at, first, track->cost);
    dl_board_set(board(o, track->cost, DL_ROW_ARRIVE), o->layout->bit_of[track->at[track->cost]]);
    return true;
}

bool dl_occupancy_fix(dl_occupancy *o, int agent, const dl_cell *at, int last)
{
    if (!dl_occupancy_reserve(o, last + 1)) return false;
    put(o, agent, at, 0, last);
    return true;
}

/* Takes the agent out of a list in which it is not the first. */
static void unlink_agent(dl_occupancy *o, uint16_t head, int agent, int time)
{
    uint16_t *link = &o->next[(size_t)head * (size_t)o->horizon + (size_t)time];
    assert(head != DL_NOBODY);
    while (*link != agent) link = &o->next[(size_t)*link * (size_t)o->horizon + (size_t)time];
    *link = o->next[(size_t)agent * (size_t)o->horizon + (size_t)time];
}

/* Did one of those on (cell, t) come from `from`? */
static bool another_came_from(const dl_occupancy *o, const dl_track *tracks, uint16_t head, int t, dl_cell from)
{
    for (uint16_t b = head; b != DL_NOBODY; b = dl_occupancy_next(o, b, t))
        if (tracks[b].at[t - 1] == from) return true;
    return false;
}

void dl_occupancy_remove(dl_occupancy *o, int agent, const dl_track *tracks, int first)
{
    const int32_t *bit_of = o->layout->bit_of;
    const size_t horizon = (size_t)o->horizon;
    const dl_track *track = &tracks[agent];
    assert(track->cost >= 0 && track->cost < o->horizon);
    const uint16_t *next = o->next + (size_t)agent * horizon;
    uint16_t *heads = o->head;
    row_walk w = row_at(o, first);
    dl_cell from = track->at[first > 0 ? first - 1 : 0];
    int before = bit_of[from];
    for (int t = first; t <= track->cost; t++, w.row += w.row_words) {
        dl_cell cell = track->at[t];
        int bit = bit_of[cell];
        uint16_t *head = &heads[(size_t)cell * horizon + (size_t)t], left = *head;
        if (left == agent)
            *head = left = next[t];
        else
            unlink_agent(o, left, agent, t);
        uint64_t moved = bit != before;
        if (left == DL_NOBODY)
            w.row[bit >> 6] &= ~(UINT64_C(1) << (bit & 63));
        else if (moved && another_came_from(o, tracks, left, t, from))
            moved = 0;
        *swap_word(&w, before, bit) &= ~(moved << (before & 63));
        from = cell;
        before = bit;
    }
    dl_board_clear(board(o, track->cost, DL_ROW_ARRIVE), bit_of[track->at[track->cost]]);
}

static void empty_list(dl_occupancy *o, dl_cell cell, int time)
{
    o->head[(size_t)cell * (size_t)o->horizon + (size_t)time] = DL_NOBODY;
}

void dl_occupancy_clear(dl_occupancy *o, int makespan, const dl_instance *instance, const dl_track *tracks,
                        const bool *in)
{
    assert(makespan < o->horizon);
    memset(o->rows, 0, (size_t)(makespan + 1) * o->row_size * sizeof(dl_vector));
    for (int agent = 0; agent < instance->agents; agent++) {
        int fixed = dl_instance_fixed(instance, agent);
        for (int t = 0; in[agent] && t <= tracks[agent].cost; t++) empty_list(o, tracks[agent].at[t], t);
        for (int t = 0; fixed > 0 && fixed < o->horizon && t <= fixed; t++)
            empty_list(o, dl_errand_at(&instance->errand[agent], t), t);
    }
}
