#include "search/swap.h"

#include <stdlib.h>

#include "base/memory.h"

/* A swap by rotations that moves at most this many agents is taken before any junction is tried: it takes three steps,
 * where a junction takes six and the way there and back. Four squares' worth covers every edge of an open grid. */
enum { CHEAP_ROTATIONS = 24 };

bool dl_swapper_create(dl_swapper *s, dl_pebbles *pebbles, dl_rotation_swaps *rotations, dl_swap_search *search,
                       dl_rules rules)
{
    size_t cells = (size_t)pebbles->grid->cells;
    *s = (dl_swapper){.pebbles = pebbles,
                      .rotations = rotations,
                      .search = search,
                      .rules = rules,
                      .parent = DL_ARRAY(dl_cell, cells),
                      .queue = DL_ARRAY(dl_cell, 2 * cells),
                      .stamp = DL_ARRAY(uint32_t, cells)};
    if (s->parent && s->queue && s->stamp) return true;
    dl_swapper_free(s);
    return false;
}

void dl_swapper_free(dl_swapper *s)
{
    free(s->parent);
    free(s->queue);
    free(s->stamp);
    *s = (dl_swapper){0};
}

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

/* Tries every junction, nearest first. */
static bool swap_at_junction(dl_swapper *s, dl_cell x, dl_cell y)
{
    const dl_pebbles *p = s->pebbles;
    int tail = 0;
    s->now++;
    s->queue[tail++] = x;
    s->stamp[x] = s->now;
    for (int head = 0; head < tail; head++) {
        dl_cell at = s->queue[head];
        if (dl_grid_degree(p->grid, at) >= 3 && swap_at(s, x, y, at)) return true;
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

static const dl_rotation_swap *by_rotations(dl_swapper *s, dl_cell x, dl_cell y)
{
    if (s->rules != DL_RULES_MAPF) return NULL;
    const dl_rotation_swap *found = dl_rotation_swap_find(s->rotations, x, y);
    if (s->rotations->exhausted) s->pebbles->exhausted = true;
    return found;
}

bool dl_swap_is_cheap(dl_swapper *s, dl_cell x, dl_cell y)
{
    const dl_rotation_swap *rotations = by_rotations(s, x, y);
    return rotations && rotations->cost <= CHEAP_ROTATIONS;
}

bool dl_swap(dl_swapper *s, dl_cell x, dl_cell y)
{
    if (!dl_swap_is_cheap(s, x, y) && swap_at_junction(s, x, y)) return true;
    const dl_rotation_swap *rotations = by_rotations(s, x, y);
    if (!rotations) return s->rules == DL_RULES_MAPF && dl_swap_search_run(s->search, s->pebbles, x, y);
    dl_rotation_swap_apply(rotations, s->pebbles);
    return true;
}
