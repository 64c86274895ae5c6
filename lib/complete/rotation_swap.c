#include "complete/rotation_swap.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

bool dl_rotation_swaps_create(dl_rotation_swaps *s, const dl_grid *grid, const dl_blocks *blocks)
{
    size_t cells = (size_t)grid->cells;
    *s = (dl_rotation_swaps){.grid = grid,
                             .blocks = blocks,
                             .known = DL_ARRAY(dl_rotation_swap *, cells * DL_DIRECTIONS),
                             .mark = DL_ARRAY(int32_t, cells),
                             .target = DL_ARRAY(int32_t, cells),
                             .from = DL_ARRAY(dl_cell, cells),
                             .queue = DL_ARRAY(dl_cell, cells)};
    if (s->known && s->mark && s->target && s->from && s->queue) return true;
    dl_rotation_swaps_free(s);
    return false;
}

void dl_rotation_swaps_free(dl_rotation_swaps *s)
{
    dl_arena_free(&s->arena);
    free(s->known);
    free(s->mark);
    free(s->target);
    free(s->from);
    free(s->queue);
    *s = (dl_rotation_swaps){0};
}

/* ---- Ways and rings
 * -------------------------------------------------------------------------------------------------- */

/* Room for `count` cells; NULL and exhausted when there is none. */
static dl_cell *take_cells(dl_rotation_swaps *s, int count)
{
    dl_cell *cells = DL_ARENA_ARRAY(&s->arena, dl_cell, count);
    if (!cells) s->exhausted = true;
    return cells;
}

/* A way through the map, first cell first. */
typedef struct way {
    dl_cell *cell;
    int length;
} way;

/* A shortest way from `start` to a cell whose target[] is `wanted`, avoiding `without`; length 0 if there is none or
 * memory is out. */
static way shortest_way(dl_rotation_swaps *s, dl_cell start, dl_cell without, int32_t wanted)
{
    int32_t seen = ++s->now;
    int tail = 0;
    s->queue[tail++] = start;
    s->mark[start] = s->mark[without] = seen;
    s->from[start] = DL_NO_CELL;
    for (int head = 0; head < tail; head++) {
        dl_cell at = s->queue[head];
        if (s->target[at] == wanted) {
            way found = {NULL, 0};
            for (dl_cell cell = at; cell != DL_NO_CELL; cell = s->from[cell]) found.length++;
            found.cell = take_cells(s, found.length);
            if (!found.cell) return (way){NULL, 0};
            int i = found.length;
            for (dl_cell cell = at; cell != DL_NO_CELL; cell = s->from[cell]) found.cell[--i] = cell;
            return found;
        }
        for (int d = 0; d < DL_DIRECTIONS; d++) {
            dl_cell next = s->grid->neighbor[at][d];
            if (next == DL_NO_CELL || s->mark[next] == seen) continue;
            s->mark[next] = seen;
            s->from[next] = at;
            s->queue[tail++] = next;
        }
    }
    return (way){NULL, 0};
}

static way way_to_cell(dl_rotation_swaps *s, dl_cell start, dl_cell without, dl_cell end)
{
    s->target[end] = ++s->now;
    return shortest_way(s, start, without, s->target[end]);
}

/* The same ring turned the other way. */
static dl_cycle backward(dl_rotation_swaps *s, dl_cycle ring)
{
    dl_cycle back = {take_cells(s, ring.length), ring.length};
    for (int i = 0; back.cell && i < ring.length; i++) back.cell[i] = ring.cell[ring.length - 1 - i];
    return back;
}

/* The ring from `u` up one way to `v` and down another; the ways hold the cells between, from v's side. */
static dl_cycle up_and_down(dl_rotation_swaps *s, dl_cell u, dl_cell v, way up, way down)
{
    dl_cycle ring = {take_cells(s, 2 + up.length + down.length), 0};
    if (!ring.cell) return ring;
    ring.cell[ring.length++] = u;
    for (int i = up.length - 1; i >= 0; i--) ring.cell[ring.length++] = up.cell[i];
    ring.cell[ring.length++] = v;
    for (int i = 0; i < down.length; i++) ring.cell[ring.length++] = down.cell[i];
    return ring;
}

/* The neighbors of `cell` inside the block. */
static int neighbors_in_block(const dl_rotation_swaps *s, dl_cell cell, int block, dl_cell *list)
{
    int count = 0;
    for (int d = 0; d < DL_DIRECTIONS; d++) {
        dl_cell next = s->grid->neighbor[cell][d];
        if (next != DL_NO_CELL && dl_blocks_of_edge(s->blocks, cell, next) == block) list[count++] = next;
    }
    return count;
}

static void append(dl_rotation_swap *swap, dl_cycle ring, int times)
{
    assert(times >= 0 && ring.length >= 4);
    for (int i = 0; i < times; i++) swap->ring[swap->rings++] = ring;
    swap->cost += times * ring.length;
}

static dl_rotation_swap *new_swap(dl_rotation_swaps *s, int rings)
{
    dl_rotation_swap *swap = DL_ARENA_ARRAY(&s->arena, dl_rotation_swap, 1);
    dl_cycle *ring = DL_ARENA_ARRAY(&s->arena, dl_cycle, rings);
    if (!swap || !ring) {
        s->exhausted = true;
        return NULL;
    }
    *swap = (dl_rotation_swap){.ring = ring};
    return swap;
}

/* ---- Three paths
 * ------------------------------------------------------------------------------------------------------ */

/* Exchanges v with the cell before it on the first path of the theta whose paths leave v by p, q and r, after `turns`
 * turns that bring the pair there. A block stays connected without v, so there always is one; NULL means that memory is
 * out, here and below. */
static dl_rotation_swap *swap_at_theta(dl_rotation_swaps *s, dl_cell v, dl_cell p, dl_cell q, dl_cell r, int turns)
{
    way outer = way_to_cell(s, p, v, r);
    if (s->exhausted) return NULL;
    int32_t on_outer = ++s->now;
    for (int i = 0; i < outer.length; i++) s->target[outer.cell[i]] = on_outer;
    way middle = shortest_way(s, q, v, on_outer), third = {take_cells(s, outer.length), 0};
    if (s->exhausted) return NULL;
    assert(outer.length > 0 && middle.length > 0); /* the block is connected without v */
    dl_cell u = middle.cell[middle.length - 1];
    int meet = 0;
    while (outer.cell[meet] != u) meet++;
    assert(meet < outer.length);
    way first = {outer.cell, meet}, second = {middle.cell, middle.length - 1};
    for (int i = outer.length - 1; i > meet; i--) third.cell[third.length++] = outer.cell[i];
    dl_cycle first_second = up_and_down(s, u, v, first, second), second_third = up_and_down(s, u, v, second, third);
    dl_cycle third_first = backward(s, up_and_down(s, u, v, first, third)), second_first = backward(s, first_second);
    dl_rotation_swap *swap = new_swap(s, 3 + 2 * turns);
    if (s->exhausted) return NULL;
    append(swap, first_second, turns);
    append(swap, first_second, 1);
    append(swap, second_third, 1);
    append(swap, third_first, 1);
    append(swap, second_first, turns);
    return swap;
}

/* Follows the ear of the block from a over b to the first branch cell: the pair is turned until b's agent is there. */
static dl_rotation_swap *swap_beyond(dl_rotation_swaps *s, int block, dl_cell a, dl_cell b)
{
    dl_cell around[DL_DIRECTIONS], behind = a, at = b;
    int count, turns = 0;
    while ((count = neighbors_in_block(s, at, block, around)) == 2) {
        dl_cell next = around[0] == behind ? around[1] : around[0];
        behind = at;
        at = next;
        turns++;
    }
    dl_rotation_swap *best = NULL;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) {
            if (i == j || around[i] == behind || around[j] == behind) continue;
            dl_rotation_swap *swap = swap_at_theta(s, at, behind, around[i], around[j], turns);
            if (!swap) return NULL;
            if (!best || swap->cost < best->cost) best = swap;
        }
    return best;
}

/* ---- Rings that share a cell
 * -------------------------------------------------------------------------------------------- */

/* A ring through `shared` in a block other than `block`; length 0 if there is none or memory is out. */
static dl_cycle other_ring(dl_rotation_swaps *s, dl_cell shared, int block)
{
    for (int d = 0; d < DL_DIRECTIONS; d++) {
        dl_cell next = s->grid->neighbor[shared][d], around[DL_DIRECTIONS];
        if (next == DL_NO_CELL) continue;
        int other = dl_blocks_of_edge(s->blocks, shared, next);
        if (other < 0 || other == block) continue;
        neighbors_in_block(s, shared, other, around);
        way rest = way_to_cell(s, around[0], shared, around[1]);
        dl_cycle ring = {take_cells(s, rest.length + 1), rest.length + 1};
        if (s->exhausted || !rest.cell || !ring.cell) break;
        ring.cell[0] = shared;
        memcpy(ring.cell + 1, rest.cell, sizeof(dl_cell) * (size_t)rest.length);
        return ring;
    }
    return (dl_cycle){NULL, 0};
}

/* The ring runs from x over y to a cell shared with another ring `ahead` cells on, and back to x. */
static dl_rotation_swap *swap_on_rings(dl_rotation_swaps *s, dl_cycle ring, int ahead, dl_cycle other)
{
    int turns = ahead - 2; /* until y's agent is on the cell before the shared one */
    assert(turns >= 0);
    dl_cycle back = backward(s, ring), other_back = backward(s, other);
    dl_rotation_swap *swap = new_swap(s, 2 * turns + 5 * (ring.length - 2) + 1);
    if (s->exhausted) return NULL;
    append(swap, ring, turns);
    for (int i = 0; i < ring.length - 2; i++) {
        append(swap, other, 1);
        append(swap, ring, 1);
        append(swap, other_back, 1);
        append(swap, back, 2);
    }
    append(swap, back, 1);
    append(swap, back, turns);
    return swap;
}

static dl_rotation_swap *swap_before_shared_cell(dl_rotation_swaps *s, int block, dl_cell x, dl_cell y)
{
    dl_cycle ring = {take_cells(s, dl_blocks_size(s->blocks, block)), 0};
    if (!ring.cell) return NULL;
    ring.length = dl_blocks_follow_ring(s->grid, s->blocks, block, x, y, ring.cell);
    for (int ahead = 2; ahead < ring.length + 2 && !s->exhausted; ahead++) {
        dl_cycle other = other_ring(s, ring.cell[ahead % ring.length], block);
        if (other.length > 0) return swap_on_rings(s, ring, ahead, other);
    }
    return NULL;
}

/* ---- Together
 * ------------------------------------------------------------------------------------------------------------ */

const dl_rotation_swap *dl_rotation_swap_find(dl_rotation_swaps *s, dl_cell a, dl_cell b)
{
    int block = dl_blocks_of_edge(s->blocks, a, b), d = 0;
    if (block < 0) return NULL;
    while (s->grid->neighbor[a][d] != b) d++;
    assert(d < DL_DIRECTIONS);
    dl_rotation_swap **known = &s->known[a * DL_DIRECTIONS + d];
    if (!*known) {
        bool ring = dl_blocks_is_ring(s->blocks, block);
        dl_rotation_swap *over_b = ring ? swap_before_shared_cell(s, block, a, b) : swap_beyond(s, block, a, b);
        dl_rotation_swap *over_a = ring ? swap_before_shared_cell(s, block, b, a) : swap_beyond(s, block, b, a);
        if (s->exhausted) return NULL;
        *known = over_a && over_b && over_b->cost <= over_a->cost ? over_b : over_a;
    }
    return *known;
}

void dl_rotation_swap_apply(const dl_rotation_swap *swap, dl_pebbles *p)
{
    assert(swap->rings > 0);
    for (int i = 0; i < swap->rings; i++) dl_pebbles_rotate(p, swap->ring[i].cell, swap->ring[i].length);
}
