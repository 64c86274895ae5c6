#include "search/theta.h"

#include <limits.h>
#include <stdlib.h>

#include "base/memory.h"

void dl_thetas_create(dl_thetas *t, const dl_grid *grid, const dl_blocks *blocks)
{
    size_t cells = (size_t)grid->cells;
    *t = (dl_thetas){.grid = grid,
                     .blocks = blocks,
                     .known = DL_ARRAY(dl_theta *, cells *DL_DIRECTIONS),
                     .mark = DL_ARRAY(int32_t, cells),
                     .target = DL_ARRAY(int32_t, cells),
                     .from = DL_ARRAY(dl_cell, cells),
                     .queue = DL_ARRAY(dl_cell, cells)};
}

void dl_thetas_free(dl_thetas *t)
{
    dl_arena_free(&t->arena);
    free(t->known);
    free(t->mark);
    free(t->target);
    free(t->from);
    free(t->queue);
    *t = (dl_thetas){0};
}

/* A way through the map, first cell first. */
typedef struct way {
    dl_cell *cell;
    int length;
} way;

/* A shortest way from `start` to a cell marked `target` that avoids `without`; length 0 if there is none. */
static way shortest_way(dl_thetas *t, dl_cell start, dl_cell without, const int32_t *target, int32_t wanted)
{
    int32_t seen = ++t->now;
    int tail = 0;
    t->queue[tail++] = start;
    t->mark[start] = t->mark[without] = seen;
    t->from[start] = DL_NO_CELL;
    for (int head = 0; head < tail; head++) {
        dl_cell at = t->queue[head];
        if (target[at] == wanted) {
            way found = {NULL, 0};
            for (dl_cell cell = at; cell != DL_NO_CELL; cell = t->from[cell]) found.length++;
            found.cell = DL_ARENA_ARRAY(&t->arena, dl_cell, found.length);
            int i = found.length;
            for (dl_cell cell = at; cell != DL_NO_CELL; cell = t->from[cell]) found.cell[--i] = cell;
            return found;
        }
        for (int d = 0; d < DL_DIRECTIONS; d++) {
            dl_cell next = t->grid->neighbor[at][d];
            if (next == DL_NO_CELL || t->mark[next] == seen) continue;
            t->mark[next] = seen;
            t->from[next] = at;
            t->queue[tail++] = next;
        }
    }
    return (way){NULL, 0};
}

/* The ring from `u` up the interior of one way to `v` and down the interior of another; both run from v towards u. */
static void join_ring(dl_thetas *t, dl_theta *theta, int which, dl_cell u, dl_cell v, way up, way down)
{
    dl_cell *ring = DL_ARENA_ARRAY(&t->arena, dl_cell, 2 + up.length + down.length);
    int length = 0;
    ring[length++] = u;
    for (int i = up.length - 1; i >= 0; i--) ring[length++] = up.cell[i];
    ring[length++] = v;
    for (int i = 0; i < down.length; i++) ring[length++] = down.cell[i];
    theta->ring[which] = ring;
    theta->length[which] = length;
    theta->cost += length;
}

static void reverse(dl_cell *ring, int length)
{
    for (int i = 0, j = length - 1; i < j; i++, j--) {
        dl_cell swap = ring[i];
        ring[i] = ring[j];
        ring[j] = swap;
    }
}

/* The theta at v whose paths leave by p, q and r; NULL if there is none. */
static dl_theta *theta_at(dl_thetas *t, dl_cell v, dl_cell p, dl_cell q, dl_cell r)
{
    t->target[r] = ++t->now;
    way outer = shortest_way(t, p, v, t->target, t->target[r]); /* from p to r */
    int32_t on_outer = ++t->now;
    for (int i = 0; i < outer.length; i++) t->target[outer.cell[i]] = on_outer;
    way middle = shortest_way(t, q, v, t->target, on_outer); /* from q to the outer ring */
    if (outer.length == 0 || middle.length == 0) return NULL;
    dl_cell u = middle.cell[middle.length - 1];
    int meet = 0;
    while (outer.cell[meet] != u) meet++;
    way first = {outer.cell, meet}, second = {middle.cell, middle.length - 1};
    way third = {outer.cell + meet + 1, outer.length - meet - 1};
    reverse(third.cell, third.length);
    dl_theta *theta = DL_ARENA_ARRAY(&t->arena, dl_theta, 1);
    theta->cost = 0;
    join_ring(t, theta, 0, u, v, first, second);
    join_ring(t, theta, 1, u, v, second, third);
    join_ring(t, theta, 2, u, v, first, third);
    reverse(theta->ring[2], theta->length[2]);
    return theta;
}

/* The neighbors of `cell` inside the block. */
static int neighbors_in_block(const dl_thetas *t, dl_cell cell, int block, dl_cell *list)
{
    int count = 0;
    for (int d = 0; d < DL_DIRECTIONS; d++) {
        dl_cell next = t->grid->neighbor[cell][d];
        if (next != DL_NO_CELL && dl_blocks_of_edge(t->blocks, cell, next) == block) list[count++] = next;
    }
    return count;
}

/* The cheapest theta that exchanges the branch cell v with its neighbor p. */
static const dl_theta *best_theta(dl_thetas *t, dl_cell v, dl_cell p)
{
    int d = 0;
    while (t->grid->neighbor[v][d] != p) d++;
    dl_theta **known = &t->known[v * DL_DIRECTIONS + d];
    if (*known) return *known;
    dl_cell around[DL_DIRECTIONS];
    int count = neighbors_in_block(t, v, dl_blocks_of_edge(t->blocks, v, p), around);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) {
            if (i == j || around[i] == p || around[j] == p) continue;
            dl_theta *theta = theta_at(t, v, p, around[i], around[j]);
            if (theta && (!*known || theta->cost < (*known)->cost)) *known = theta;
        }
    return *known;
}

/* Follows the ear of the block from a over b to the first branch cell: the pair is turned until b's agent is there. */
static dl_rotation_swap swap_beyond(dl_thetas *t, int block, dl_cell a, dl_cell b)
{
    dl_rotation_swap swap = {.cost = INT_MAX};
    dl_cell around[DL_DIRECTIONS], behind = a, at = b;
    while (neighbors_in_block(t, at, block, around) == 2) {
        dl_cell next = around[0] == behind ? around[1] : around[0];
        behind = at;
        at = next;
        swap.turns++;
    }
    swap.theta = best_theta(t, at, behind);
    if (!swap.theta) return swap;
    /* The last ring holds the whole ear and runs from v down it: turn the other way, which the first ring does. */
    swap.turn = swap.theta->ring[0];
    swap.turn_length = swap.theta->length[0];
    swap.cost = swap.theta->cost + 2 * swap.turns * swap.turn_length;
    return swap;
}

dl_rotation_swap dl_thetas_for_edge(dl_thetas *t, dl_cell a, dl_cell b)
{
    int block = dl_blocks_of_edge(t->blocks, a, b);
    if (block < 0 || dl_blocks_is_ring(t->blocks, block)) return (dl_rotation_swap){.cost = INT_MAX};
    dl_rotation_swap over_b = swap_beyond(t, block, a, b), over_a = swap_beyond(t, block, b, a);
    return over_b.cost <= over_a.cost ? over_b : over_a;
}

void dl_rotation_swap_apply(const dl_rotation_swap *swap, dl_pebbles *p)
{
    size_t first = p->moves;
    for (int i = 0; i < swap->turns; i++) dl_pebbles_rotate(p, swap->turn, swap->turn_length);
    size_t turned = p->moves;
    for (int i = 0; i < 3; i++) dl_pebbles_rotate(p, swap->theta->ring[i], swap->theta->length[i]);
    dl_pebbles_retrace(p, first, turned);
}
