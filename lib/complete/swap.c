#include "complete/swap.h"

#include <stdlib.h>

#include "base/block.h"

/* A swap by rotations that moves at most this many agents is taken before any junction is tried: it takes three steps,
 * where a junction takes six and the way there and back. Four squares' worth covers every edge of an open grid. */
enum { CHEAP_ROTATIONS = 24 };

bool dl_swapper_create(dl_swapper *s, dl_pebbles *pebbles, dl_rotation_swaps *rotations, dl_rules rules)
{
    size_t cells = (size_t)pebbles->grid->cells;
    *s = (dl_swapper){.pebbles = pebbles, .rotations = rotations, .rules = rules};
    return DL_BLOCK(s->memory, DL_CUT(s->parent, cells), DL_CUT(s->queue, 2 * cells), DL_CUT(s->ring, cells),
                    DL_CUT(s->stamp, cells));
}

void dl_swapper_free(dl_swapper *s)
{
    free(s->memory);
    *s = (dl_swapper){0};
}

/* ---- At a junction with two free branches -------------------------------------------------------------------------
 */

/* A junction with its pair and two free branches, ready to exchange. */
typedef struct junction {
    dl_cell center, partner, branch[2];
} junction;

static bool vacate(dl_pebbles *p, dl_cell cell, int count, const dl_cell *barred)
{
    return dl_pebbles_vacate(p, cell, barred, count, DL_REACH_ALL);
}

#define CELLS(...)                                                                                                     \
    (int)(sizeof((dl_cell[]){__VA_ARGS__}) / sizeof(dl_cell)), (dl_cell[])                                             \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }

/* The branches of `center` other than `partner`, free ones first; returns how many there are and how many are free. */
static int list_branches(const dl_pebbles *p, dl_cell center, dl_cell partner, dl_cell *branch, int *free_branches)
{
    int count = 0;
    *free_branches = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < DL_DIRECTIONS; k++) {
            dl_cell cell = p->grid->neighbor[center][p->looks[k]];
            if (cell == DL_NO_CELL || cell == partner || dl_pebbles_free_cell(p, cell) != (pass == 0)) continue;
            branch[count++] = cell;
            *free_branches += pass == 0;
        }
    return count;
}

/* Pushes agents off the branches without touching the pair or branches that are free already. */
static void clear_branches(dl_pebbles *p, junction *j)
{
    dl_cell branch[DL_DIRECTIONS];
    int is_free, count = list_branches(p, j->center, j->partner, branch, &is_free);
    for (int i = is_free; i < count && is_free < 2; i++) {
        dl_cell barred[2 + DL_DIRECTIONS] = {j->center, j->partner};
        for (int k = 0; k < is_free; k++) barred[2 + k] = branch[k];
        if (!vacate(p, branch[i], 2 + is_free, barred)) continue;
        dl_cell cleared = branch[i];
        branch[i] = branch[is_free];
        branch[is_free++] = cleared;
    }
}

/* The agent of branch v escapes through the free branch e, which is then cleared in turn. */
static bool clear_through(dl_pebbles *p, junction *j, dl_cell e, dl_cell v)
{
    if (!vacate(p, v, CELLS(j->center, j->partner))) return false;
    if (!vacate(p, e, CELLS(j->center, j->partner, v))) return false;
    j->branch[0] = e;
    j->branch[1] = v;
    return true;
}

/* The pair steps forward into e, so that the partner's old place becomes a branch. */
static bool step_forward(dl_pebbles *p, junction *j, dl_cell e, dl_cell v)
{
    dl_cell center = j->center, old = j->partner;
    dl_pebbles_move(p, center, e);
    dl_pebbles_move(p, old, center);
    if (!vacate(p, v, CELLS(center, e))) return false;
    if (!vacate(p, old, CELLS(center, e, v))) return false;
    *j = (junction){center, e, {v, old}};
    return true;
}

/* The pair steps back, the agent of v passes through the center into e and on, and the pair returns. */
static bool step_back(dl_pebbles *p, junction *j, dl_cell e, dl_cell v)
{
    dl_cell center = j->center, z = j->partner;
    int partner = p->occupant[z];
    if (dl_pebbles_free_cell(p, v)) return false;
    if (!vacate(p, z, CELLS(center))) return false;
    dl_cell behind = p->place[partner];
    dl_pebbles_move(p, center, z);
    if (!vacate(p, e, CELLS(center, z, behind))) return false;
    if (dl_pebbles_free_cell(p, v)) return false;
    dl_pebbles_move(p, v, center);
    dl_pebbles_move(p, center, e);
    dl_pebbles_move(p, z, center);
    dl_pebbles_move(p, behind, z);
    if (!vacate(p, e, CELLS(center, z, v))) return false;
    j->branch[0] = v;
    j->branch[1] = e;
    return true;
}

typedef bool room_maker(dl_pebbles *p, junction *j, dl_cell e, dl_cell v);

/* The pair stands on j->center and j->partner; finds or makes two free branches. On failure the caller undoes. */
static bool make_room(dl_pebbles *p, junction *j)
{
    static room_maker *const MAKERS[] = {clear_through, step_forward, step_back};
    dl_cell branch[DL_DIRECTIONS];
    int is_free;
    clear_branches(p, j);
    int count = list_branches(p, j->center, j->partner, branch, &is_free);
    if (is_free >= 2) {
        j->branch[0] = branch[0];
        j->branch[1] = branch[1];
        return true;
    }
    if (is_free == 0) return false;
    size_t before = p->moves;
    for (int m = 0; m < 3; m++)
        for (int i = 1; i < count; i++) {
            junction attempt = *j;
            if (MAKERS[m](p, &attempt, branch[0], branch[i])) {
                *j = attempt;
                return true;
            }
            dl_pebbles_undo(p, before);
        }
    return false;
}

static void exchange(dl_pebbles *p, const junction *j)
{
    dl_pebbles_move(p, j->center, j->branch[0]);
    dl_pebbles_move(p, j->partner, j->center);
    dl_pebbles_move(p, j->center, j->branch[1]);
    dl_pebbles_move(p, j->branch[0], j->center);
    dl_pebbles_move(p, j->center, j->partner);
    dl_pebbles_move(p, j->branch[1], j->center);
}

/* Pushes the pair along the tree path to `center`, one behind the other. */
static bool push_pair(dl_swapper *s, dl_cell x, dl_cell y, dl_cell center, junction *j)
{
    dl_pebbles *p = s->pebbles;
    int length = 0;
    dl_cell *path = s->queue + 2 * p->grid->cells; /* from x to center, after the queue of the search */
    for (dl_cell at = center; at != x; at = s->parent[at]) path[-++length] = at;
    dl_cell leader = x, tail = y;
    int i = 0;
    path -= length;
    if (length > 0 && path[0] == y) {
        leader = y;
        tail = x;
        i = 1;
    }
    for (; i < length; i++) {
        if (!vacate(p, path[i], CELLS(leader, tail))) return false;
        dl_pebbles_move(p, leader, path[i]);
        dl_pebbles_move(p, tail, leader);
        tail = leader;
        leader = path[i];
    }
    *j = (junction){.center = leader, .partner = tail};
    return true;
}

static bool swap_at(dl_swapper *s, dl_cell x, dl_cell y, dl_cell center)
{
    dl_pebbles *p = s->pebbles;
    size_t before = p->moves;
    junction j;
    if (!push_pair(s, x, y, center, &j) || !make_room(p, &j)) {
        dl_pebbles_undo(p, before);
        return false;
    }
    size_t ready = p->moves;
    exchange(p, &j);
    dl_pebbles_retrace(p, before, ready);
    return true;
}

static bool is_junction(const dl_swapper *s, dl_cell cell)
{
    return dl_grid_degree(s->pebbles->grid, cell) >= 3;
}

/* Tries every cell of a kind, nearest first. */
static bool swap_at_nearest(dl_swapper *s, dl_cell x, dl_cell y, bool (*fits)(const dl_swapper *s, dl_cell cell),
                            bool (*swap)(dl_swapper *s, dl_cell x, dl_cell y, dl_cell center))
{
    const dl_pebbles *p = s->pebbles;
    int tail = 0;
    s->now++;
    s->queue[tail++] = x;
    s->stamp[x] = s->now;
    for (int head = 0; head < tail; head++) {
        dl_cell at = s->queue[head];
        if (fits(s, at) && ++s->attempts > s->tried) {
            if (swap(s, x, y, at)) return true;
            s->tried = s->attempts;
            s->late = dl_is_late(s->deadline);
            if (s->late) return false;
        }
        for (int k = 0; k < DL_DIRECTIONS; k++) {
            dl_cell next = p->grid->neighbor[at][p->looks[k]];
            if (next == DL_NO_CELL || s->stamp[next] == s->now) continue;
            s->stamp[next] = s->now;
            s->parent[next] = at;
            s->queue[tail++] = next;
        }
    }
    return false;
}

/* ---- In a block, with one free cell beside it ---------------------------------------------------------------------
 */

static const dl_rotation_swap *by_rotations(dl_swapper *s, dl_cell x, dl_cell y)
{
    if (s->rules != DL_RULES_MAPF) return NULL;
    const dl_rotation_swap *found = dl_rotation_swap_find(s->rotations, x, y);
    if (s->rotations->exhausted) s->pebbles->exhausted = true;
    return found;
}

/* The ring of `block` from `first` over `second`, in s->ring. */
static int follow_ring(dl_swapper *s, int block, dl_cell first, dl_cell second)
{
    return dl_blocks_follow_ring(s->pebbles->grid, s->rotations->blocks, block, first, second, s->ring);
}

static void turn_ring_back(dl_swapper *s, int length, int times)
{
    for (int i = 0, k = length - 1; i < k; i++, k--) {
        dl_cell cell = s->ring[i];
        s->ring[i] = s->ring[k];
        s->ring[k] = cell;
    }
    while (times-- > 0) dl_pebbles_rotate(s->pebbles, s->ring, length);
}

/* The agent on `center` steps out to the free cell `out`, the ring moves on, the partner passes the center, the agent
 * steps in again behind it, and the ring turns back. */
static void exchange_beside_ring(dl_swapper *s, int block, dl_cell center, dl_cell partner, dl_cell out)
{
    dl_pebbles *p = s->pebbles;
    int length = follow_ring(s, block, partner, center);
    dl_pebbles_move(p, center, out);
    dl_pebbles_rotate(p, s->ring, length);
    dl_pebbles_move(p, center, s->ring[2]);
    dl_pebbles_move(p, out, center);
    turn_ring_back(s, length, 1);
}

/* Turns the ring, the shorter way round, until agent x stands on `center` and y, its neighbor, still beside it. */
static void carry_pair(dl_swapper *s, int block, int x, int y, dl_cell center)
{
    dl_pebbles *p = s->pebbles;
    int length = follow_ring(s, block, p->place[x], p->place[y]), ahead = 0;
    while (s->ring[ahead] != center) ahead++;
    if (2 * ahead > length) {
        turn_ring_back(s, length, length - ahead);
        return;
    }
    while (ahead-- > 0) dl_pebbles_rotate(p, s->ring, length);
}

/* Frees `out`, which hangs on the ring at `center`. Where the pair is in the way of the free cells, the ring turns
 * first. On failure the caller undoes. */
static bool free_beside_ring(dl_swapper *s, int block, int x, int y, dl_cell center, dl_cell out)
{
    dl_pebbles *p = s->pebbles;
    while (!vacate(p, out, CELLS(p->place[x], p->place[y]))) {
        if (p->exhausted || (p->place[x] != center && p->place[y] != center)) return false;
        int length = follow_ring(s, block, p->place[x], p->place[y]);
        dl_pebbles_rotate(p, s->ring, length);
    }
    return true;
}

/* Agents x and y stand side by side on a ring that touches no other block: some cell beside it must be freed. The
 * nearest is tried first. */
static bool swap_on_ring(dl_swapper *s, int block, int x, int y)
{
    dl_pebbles *p = s->pebbles;
    size_t before = p->moves;
    int length = dl_blocks_size(s->rotations->blocks, block);
    for (int i = 0; i < length; i++) {
        follow_ring(s, block, p->place[x], p->place[y]);
        dl_cell center = s->ring[i % 2 ? length - (i + 1) / 2 : i / 2];
        for (int d = 0; d < DL_DIRECTIONS; d++) {
            dl_cell out = p->grid->neighbor[center][d];
            if (out == DL_NO_CELL || dl_blocks_of_edge(s->rotations->blocks, center, out) == block) continue;
            if (free_beside_ring(s, block, x, y, center, out)) {
                carry_pair(s, block, x, y, center);
                size_t ready = p->moves;
                if (p->exhausted) return false;
                exchange_beside_ring(s, block, center, p->place[y], out);
                dl_pebbles_retrace(p, before, ready);
                return true;
            }
            dl_pebbles_undo(p, before);
        }
    }
    return false;
}

/* Exchanges what stands on the ends of an edge of a block. */
static bool swap_across_edge(dl_swapper *s, dl_cell x, dl_cell y)
{
    const dl_rotation_swap *rotations = by_rotations(s, x, y);
    int block = dl_blocks_of_edge(s->rotations->blocks, x, y);
    if (rotations) {
        dl_rotation_swap_apply(rotations, s->pebbles);
        return true;
    }
    return dl_blocks_is_ring(s->rotations->blocks, block) &&
           swap_on_ring(s, block, s->pebbles->occupant[x], s->pebbles->occupant[y]);
}

/* The pair stands on j->center in a block and on j->partner outside, and steps in, over a neighbor that can be freed.
 */
static bool step_into_block(dl_swapper *s, junction *j)
{
    dl_pebbles *p = s->pebbles;
    for (int d = 0; d < DL_DIRECTIONS; d++) {
        dl_cell next = p->grid->neighbor[j->center][d];
        if (next == DL_NO_CELL || dl_blocks_of_edge(s->rotations->blocks, j->center, next) < 0) continue;
        if (!vacate(p, next, CELLS(j->center, j->partner))) continue;
        dl_pebbles_move(p, j->center, next);
        dl_pebbles_move(p, j->partner, j->center);
        *j = (junction){.center = next, .partner = j->center};
        return true;
    }
    return false;
}

/* Brings the agent on `at` to its neighbor `next` in the block, with whatever turns that takes. */
static void turn_to(dl_swapper *s, dl_cell at, dl_cell next)
{
    const dl_rotation_swap *rotations = by_rotations(s, at, next);
    if (rotations) {
        dl_rotation_swap_apply(rotations, s->pebbles);
        return;
    }
    int length = follow_ring(s, dl_blocks_of_edge(s->rotations->blocks, at, next), at, next);
    dl_pebbles_rotate(s->pebbles, s->ring, length);
}

/* The same where all free cells lie beyond another bridge at the center: the leader steps aside onto it, the block
 * carries the other one on, the agent that came to the center makes way to where the pair came from, and the leader
 * returns.
 */
static bool slip_into_block(dl_swapper *s, junction *j)
{
    dl_pebbles *p = s->pebbles;
    const dl_blocks *b = s->rotations->blocks;
    dl_cell aside = DL_NO_CELL, next = DL_NO_CELL;
    for (int d = 0; d < DL_DIRECTIONS; d++) {
        dl_cell cell = p->grid->neighbor[j->center][d];
        if (cell == DL_NO_CELL || cell == j->partner) continue;
        *(dl_blocks_of_edge(b, j->center, cell) < 0 ? &aside : &next) = cell;
    }
    if (aside == DL_NO_CELL || next == DL_NO_CELL) return false;
    if (!vacate(p, aside, CELLS(j->center, j->partner))) return false;
    dl_pebbles_move(p, j->center, aside);
    dl_pebbles_move(p, j->partner, j->center);
    turn_to(s, j->center, next);
    if (!dl_pebbles_free_cell(p, j->center)) dl_pebbles_move(p, j->center, j->partner);
    dl_pebbles_move(p, aside, j->center);
    *j = (junction){.center = next, .partner = j->center};
    return !p->exhausted;
}

static bool is_in_block(const dl_swapper *s, dl_cell cell)
{
    return s->rotations->blocks->block_of[cell] >= 0;
}

static bool swap_in_block(dl_swapper *s, dl_cell x, dl_cell y, dl_cell center)
{
    dl_pebbles *p = s->pebbles;
    size_t before = p->moves;
    junction j;
    bool inside = push_pair(s, x, y, center, &j);
    if (inside && dl_blocks_of_edge(s->rotations->blocks, j.center, j.partner) < 0)
        inside = step_into_block(s, &j) || slip_into_block(s, &j);
    size_t ready = p->moves;
    if (!inside || p->exhausted || !swap_across_edge(s, j.center, j.partner)) {
        dl_pebbles_undo(p, before);
        return false;
    }
    dl_pebbles_retrace(p, before, ready);
    return true;
}

bool dl_swap_is_cheap(dl_swapper *s, dl_cell x, dl_cell y)
{
    const dl_rotation_swap *rotations = by_rotations(s, x, y);
    return rotations && rotations->cost <= CHEAP_ROTATIONS;
}

static bool swap_pair(dl_swapper *s, dl_cell x, dl_cell y)
{
    if (!dl_swap_is_cheap(s, x, y) && swap_at_nearest(s, x, y, is_junction, swap_at)) return true;
    if (s->late) return false;
    const dl_rotation_swap *rotations = by_rotations(s, x, y);
    if (rotations) {
        dl_rotation_swap_apply(rotations, s->pebbles);
        return true;
    }
    return s->rules == DL_RULES_MAPF && swap_at_nearest(s, x, y, is_in_block, swap_in_block);
}

bool dl_swap_within(dl_swapper *s, dl_cell x, dl_cell y, const dl_deadline *deadline, int *tried)
{
    s->deadline = deadline;
    s->attempts = 0;
    s->tried = *tried;
    s->late = false;
    bool done = swap_pair(s, x, y);
    *tried = s->tried;
    return done;
}

bool dl_swap(dl_swapper *s, dl_cell x, dl_cell y)
{
    return dl_swap_within(s, x, y, NULL, &(int){0});
}
