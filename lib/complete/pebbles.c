#include "complete/pebbles.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/block.h"
#include "base/memory.h"

bool dl_pebbles_create(dl_pebbles *p, const dl_grid *grid, int agents, const dl_cell *place)
{
    size_t cells = (size_t)grid->cells;
    *p = (dl_pebbles){.grid = grid, .agents = agents, .looks = {0, 1, 2, 3}, .place = DL_ARRAY(dl_cell, agents)};
    if (!p->place || !DL_BLOCK(p->memory, DL_CUT(p->occupant, cells), DL_CUT(p->settled, cells),
                               DL_CUT(p->stamp, cells), DL_CUT(p->from, cells), DL_CUT(p->queue, cells))) {
        dl_pebbles_free(p);
        return false;
    }
    dl_pebbles_reset(p, place);
    return true;
}

void dl_pebbles_free(dl_pebbles *p)
{
    free(p->memory);
    free(p->place);
    free(p->log);
    *p = (dl_pebbles){0};
}

void dl_pebbles_reset(dl_pebbles *p, const dl_cell *place)
{
    p->moves = 0;
    memset(p->settled, 0, (size_t)p->grid->cells);
    for (dl_cell cell = 0; cell < p->grid->cells; cell++) p->occupant[cell] = -1;
    for (int agent = 0; agent < p->agents; agent++) {
        assert(p->occupant[place[agent]] < 0);
        p->place[agent] = place[agent];
        p->occupant[place[agent]] = agent;
    }
}

static void put(dl_pebbles *p, int agent, dl_cell cell)
{
    p->occupant[cell] = agent;
    if (agent >= 0) p->place[agent] = cell;
}

/* Room for `count` more entries of the log. */
static bool reserve(dl_pebbles *p, int count)
{
    if (p->exhausted || !DL_GROW(p->log, p->room, p->moves + (size_t)count)) p->exhausted = true;
    return !p->exhausted;
}

static void append(dl_pebbles *p, int agent, dl_cell from, dl_cell to, int ring)
{
    p->log[p->moves++] = (dl_move){agent, from, to, ring};
}

static inline bool are_neighbors(const dl_grid *grid, dl_cell a, dl_cell b)
{
    const dl_cell *n = grid->neighbor[a];
    return n[0] == b || n[1] == b || n[2] == b || n[3] == b;
}

void dl_pebbles_move(dl_pebbles *p, dl_cell from, dl_cell to)
{
    int agent = p->occupant[from];
    if (!reserve(p, 1)) return;
    assert(agent >= 0 && p->place[agent] == from && p->occupant[to] < 0 && are_neighbors(p->grid, from, to));
    append(p, agent, from, to, 0);
    put(p, -1, from);
    put(p, agent, to);
}

static void rotate_full(dl_pebbles *p, const dl_cell *ring, int length)
{
    if (!reserve(p, length)) return;
    assert(length >= 4 && are_neighbors(p->grid, ring[length - 1], ring[0]));
    int carried = p->occupant[ring[length - 1]];
    for (int i = 0; i < length; i++) append(p, p->occupant[ring[i]], ring[i], ring[(i + 1) % length], length);
    for (int i = 0; i < length; i++) {
        int here = p->occupant[ring[i]];
        assert(here >= 0 && carried >= 0);
        put(p, carried, ring[i]);
        carried = here;
    }
}

void dl_pebbles_rotate(dl_pebbles *p, const dl_cell *ring, int length)
{
    int hole = 0;
    while (hole < length && p->occupant[ring[hole]] >= 0) hole++;
    if (hole == length) {
        rotate_full(p, ring, length);
        return;
    }
    /* Behind a free cell everybody moves on in turn, nearest first: no rotation is needed. */
    for (int i = 1; i < length; i++) {
        dl_cell from = ring[(hole - i + length) % length], to = ring[(hole - i + 1 + length) % length];
        if (p->occupant[from] >= 0) dl_pebbles_move(p, from, to);
    }
}

static void take_back_ring(dl_pebbles *p, const dl_move *entry, int length)
{
    for (int i = 0; i < length; i++) put(p, entry[i].agent, entry[i].from);
}

void dl_pebbles_undo(dl_pebbles *p, size_t moves)
{
    assert(moves <= p->moves);
    while (p->moves > moves) {
        const dl_move *last = &p->log[p->moves - 1];
        if (last->ring > 0) {
            assert(p->moves >= (size_t)last->ring);
            p->moves -= (size_t)last->ring;
            take_back_ring(p, &p->log[p->moves], p->log[p->moves].ring);
            continue;
        }
        assert(p->occupant[last->to] == last->agent && p->occupant[last->from] < 0);
        put(p, -1, last->to);
        put(p, last->agent, last->from);
        p->moves--;
    }
}

void dl_pebbles_retrace(dl_pebbles *p, size_t first, size_t last)
{
    assert(first <= last && last <= p->moves);
    while (last > first) {
        dl_move entry = p->log[last - 1]; /* a copy: the log grows */
        if (entry.ring == 0) {
            dl_pebbles_move(p, entry.to, entry.from);
            last--;
            continue;
        }
        last -= (size_t)entry.ring;
        dl_cell *ring = p->queue; /* scratch that nobody needs between two searches */
        for (int i = 0; i < entry.ring; i++) ring[entry.ring - 1 - i] = p->log[last + (size_t)i].from;
        dl_pebbles_rotate(p, ring, entry.ring);
    }
}

int dl_pebbles_find_blank(dl_pebbles *p, dl_cell cell, const dl_cell *barred, int count, dl_reach reach)
{
    p->now++;
    for (int i = 0; i < count; i++) p->stamp[barred[i]] = p->now;
    if (p->stamp[cell] == p->now) return -1;
    int tail = 0, length = 0;
    p->queue[tail++] = cell;
    p->stamp[cell] = p->now;
    p->from[cell] = DL_NO_CELL;
    for (int head = 0; head < tail; head++) {
        dl_cell at = p->queue[head];
        if (p->occupant[at] < 0) {
            p->queue[0] = at; /* the free cell, for dl_pebbles_shift */
            for (; p->from[at] != DL_NO_CELL; at = p->from[at]) length++;
            return length;
        }
        for (int k = 0; k < DL_DIRECTIONS; k++) {
            dl_cell next = p->grid->neighbor[at][p->looks[k]];
            if (next == DL_NO_CELL || p->stamp[next] == p->now) continue;
            if (reach == DL_REACH_UNSETTLED && p->settled[next]) continue;
            p->stamp[next] = p->now;
            p->from[next] = at;
            p->queue[tail++] = next;
        }
    }
    return -1;
}

void dl_pebbles_shift(dl_pebbles *p, dl_cell cell)
{
    for (dl_cell at = p->queue[0]; at != cell; at = p->from[at]) dl_pebbles_move(p, p->from[at], at);
}

bool dl_pebbles_vacate(dl_pebbles *p, dl_cell cell, const dl_cell *barred, int count, dl_reach reach)
{
    if (p->occupant[cell] < 0) return true;
    if (dl_pebbles_find_blank(p, cell, barred, count, reach) < 0) return false;
    assert(p->occupant[p->queue[0]] < 0);
    dl_pebbles_shift(p, cell);
    assert(p->exhausted || p->occupant[cell] < 0);
    return true;
}
