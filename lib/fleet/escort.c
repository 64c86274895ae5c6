#include "fleet/escort.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* A leg ends with the step that brings it to so many moves: longer ones keep more cells from the others. */
enum { LEG_MOVES = 16 };
/* Moves there is room for from the start, so that hardly any leg allocates. */
enum { FIRST_ROOM = 4096 };
/* A full ring turns only if none of its robots is late: longer ones are turned only where nothing else helps. */
enum { SHORT_RING = 8 };
enum { GONE = UINT8_MAX }; /* in due[]: a move that nobody needs */

bool dl_escort_create(dl_escort *e, const dl_grid *grid)
{
    size_t cells = (size_t)grid->cells;
    *e = (dl_escort){.on_cell = DL_ARRAY(uint32_t, cells),
                     .left = DL_ARRAY(int32_t, cells),
                     .bridged = DL_ARRAY(uint8_t, grid->components),
                     .zone = DL_ARRAY(dl_cell, cells)};
    if (!e->on_cell || !e->left || !e->zone || !e->bridged || !dl_blocks_find(grid, NULL, &e->blocks)) return false;
    for (dl_cell cell = 0; cell < grid->cells; cell++)
        e->bridged[grid->component[cell]] |= e->blocks.parent[cell] != DL_NO_CELL && e->blocks.edge_block[cell] < 0;
    return dl_rotation_swaps_create(&e->rotations, grid, &e->blocks) && dl_pebbles_create(&e->pebbles, grid, 0, NULL) &&
           dl_swapper_create(&e->swapper, &e->pebbles, &e->rotations, DL_RULES_MAPF) &&
           DL_GROW(e->pebbles.log, e->pebbles.room, FIRST_ROOM) && DL_GROW(e->due, e->due_room, FIRST_ROOM);
}

void dl_escort_release(dl_escort *e)
{
    dl_swapper_free(&e->swapper);
    dl_pebbles_free(&e->pebbles);
    dl_rotation_swaps_free(&e->rotations);
    dl_blocks_free(&e->blocks);
    free(e->due);
    free(e->on_cell);
    free(e->on_robot);
    free(e->left);
    free(e->bridged);
    free(e->zone);
    *e = (dl_escort){0};
}

bool dl_escort_fit(dl_escort *e, int robots)
{
    if (robots <= e->room) return true;
    dl_cell *place = dl_realloc(e->pebbles.place, (size_t)robots, sizeof *place);
    if (place) e->pebbles.place = place;
    uint32_t *on_robot = dl_realloc(e->on_robot, (size_t)robots, sizeof *on_robot);
    if (on_robot) e->on_robot = on_robot;
    if (!place || !on_robot) return false;
    memset(on_robot + e->room, 0, sizeof *on_robot * (size_t)(robots - e->room));
    e->room = robots;
    return true;
}

void dl_escort_drop(dl_escort *e)
{
    e->pebbles.moves = 0;
}

/* ---- One step nearer ---- */

/* The shortest ring through the step from `at` to its neighbor `to`, in swapper.ring; 0 = a bridge, or all are closed.
 */
static int find_ring(dl_escort *e, dl_cell at, dl_cell to)
{
    dl_pebbles *p = &e->pebbles;
    if (dl_blocks_of_edge(&e->blocks, at, to) < 0) return 0;
    int tail = 0;
    p->now++;
    p->queue[tail++] = to;
    p->stamp[to] = p->now;
    p->from[to] = at;
    for (int head = 0; head < tail && p->stamp[at] != p->now; head++)
        for (int d = 0; d < DL_DIRECTIONS; d++) {
            dl_cell here = p->queue[head], next = p->grid->neighbor[here][d];
            if (next == DL_NO_CELL || p->stamp[next] == p->now || (here == to && next == at) || p->settled[next])
                continue;
            p->stamp[next] = p->now;
            p->from[next] = here;
            p->queue[tail++] = next;
        }
    if (p->stamp[at] != p->now) return 0;
    int length = 1;
    for (dl_cell cell = p->from[at]; cell != at; cell = p->from[cell]) length++;
    e->swapper.ring[0] = at;
    int i = length;
    for (dl_cell cell = p->from[at]; cell != at; cell = p->from[cell]) e->swapper.ring[--i] = cell;
    return length;
}

/* The neighbors of `at` that are nearer to the goal. */
static int list_nearer(const dl_escort *e, dl_cell at, const dl_field *field, dl_cell *nearer)
{
    int here = dl_field_at(field, at), count = 0;
    for (int d = 0; d < DL_DIRECTIONS; d++) {
        dl_cell next = e->pebbles.grid->neighbor[at][d];
        if (next == DL_NO_CELL || e->pebbles.settled[next]) continue;
        if (dl_field_at(field, next) < here) nearer[count++] = next;
    }
    return count;
}

/* The robots ahead are pushed to the nearest free cell, those before it first: one tick for all of them. */
static bool push(dl_escort *e, dl_cell at, const dl_cell *nearer, int count)
{
    dl_pebbles *p = &e->pebbles;
    dl_cell best = DL_NO_CELL;
    int fewest = INT_MAX;
    for (int i = 0; i < count; i++) {
        int shifted = dl_pebbles_find_blank(p, nearer[i], &at, 1, DL_REACH_UNSETTLED);
        if (shifted < 0 || shifted >= fewest) continue;
        fewest = shifted;
        best = nearer[i];
    }
    if (best == DL_NO_CELL || !dl_pebbles_vacate(p, best, &at, 1, DL_REACH_UNSETTLED)) return false;
    dl_pebbles_move(p, at, best);
    return true;
}

static bool turn(dl_escort *e, dl_cell at, const dl_cell *nearer, int count, int longest)
{
    for (int i = 0; i < count; i++) {
        int length = find_ring(e, at, nearer[i]);
        if (length == 0 || length > longest) continue;
        dl_pebbles_rotate(&e->pebbles, e->swapper.ring, length);
        return true;
    }
    return false;
}

static int *tried_toward(dl_escort *e, dl_cell at, dl_cell to)
{
    int d = 0;
    while (e->pebbles.grid->neighbor[at][d] != to) d++;
    assert(d < DL_DIRECTIONS);
    return &e->tried[d];
}

/* No free cell lies ahead: a robot there must get behind this one. */
static bool change_places(dl_escort *e, dl_cell at, const dl_cell *nearer, int count, const dl_deadline *deadline)
{
    if (turn(e, at, nearer, count, SHORT_RING)) return true;
    for (int i = 0; i < count; i++) {
        if (dl_swap_within(&e->swapper, at, nearer[i], deadline, tried_toward(e, at, nearer[i]))) return true;
        if (e->swapper.late) return false;
    }
    return turn(e, at, nearer, count, INT_MAX);
}

/* ---- What nobody needs ---- */

static void compact(dl_escort *e)
{
    dl_pebbles *p = &e->pebbles;
    size_t left = 0;
    for (size_t i = 0; i < p->moves; i++)
        if (e->due[i] != GONE) {
            p->log[left] = p->log[i];
            e->due[left++] = e->due[i];
        }
    assert(left <= p->moves);
    p->moves = left;
}

/* Keeps the moves of `robot`, and those without which a move that is kept would meet somebody: the mover's own before
 * it, and those that leave its cell before. A ring turns as a whole. */
static void keep_needed(dl_escort *e, int robot)
{
    dl_pebbles *p = &e->pebbles;
    uint32_t wanted = ++e->stamps; /* robots of which moves are kept; cells that somebody enters later */
    e->on_robot[robot] = wanted;
    for (size_t end = p->moves; end > 0;) {
        size_t length = p->log[end - 1].ring > 0 ? (size_t)p->log[end - 1].ring : 1, first = end - length;
        bool needed = false;
        for (size_t i = first; i < end; i++)
            needed |= e->on_robot[p->log[i].agent] == wanted || e->on_cell[p->log[i].from] == wanted;
        for (size_t i = first; i < end; i++) {
            e->due[i] = needed ? 0 : GONE;
            if (!needed) continue;
            e->on_robot[p->log[i].agent] = wanted;
            e->on_cell[p->log[i].from] = 0;
        }
        for (size_t i = first; i < end && needed; i++)
            if (length == 1) e->on_cell[p->log[i].to] = wanted;
        end = first;
    }
    compact(e);
}

/* The robot of move `last` comes back to where its move `first` began: it may as well stay, unless a ring carries it in
 * between. */
static bool cut_loop(dl_escort *e, size_t first, size_t last)
{
    const dl_move *log = e->pebbles.log;
    int agent = log[last].agent;
    for (size_t i = first; i <= last; i++)
        if (log[i].agent == agent && e->due[i] != GONE && log[i].ring > 0) return false;
    for (size_t i = first; i <= last; i++)
        if (log[i].agent == agent) e->due[i] = GONE;
    return true;
}

/* Robots that leave a cell and return before anybody else has been there stay. True if there were any. */
static bool cut_loops(dl_escort *e)
{
    dl_pebbles *p = &e->pebbles;
    bool any = false;
    uint32_t empty = ++e->stamps; /* marks cells whose last robot left with the move left[cell] */
    for (size_t i = 0; i < p->moves; i++) {
        const dl_move *move = &p->log[i];
        size_t before = (size_t)e->left[move->to];
        bool back = move->ring == 0 && e->on_cell[move->to] == empty && e->due[before] != GONE &&
                    p->log[before].agent == move->agent;
        e->on_cell[move->to] = 0;
        if (back && cut_loop(e, before, i)) {
            any = true;
            continue;
        }
        if (move->ring > 0) continue; /* somebody else comes to its cell in the same instant */
        e->on_cell[move->from] = empty;
        e->left[move->from] = (int32_t)i;
    }
    compact(e);
    return any;
}

/* ---- A leg ---- */

/* Swaps that failed fail again only if nobody has moved. */
static void place_robots(dl_escort *e, int robot, const uint16_t *on)
{
    dl_pebbles *p = &e->pebbles;
    bool same = e->robot == robot;
    p->moves = 0;
    for (dl_cell cell = 0; cell < p->grid->cells; cell++) {
        int there = on[cell] == DL_NO_ROBOT ? -1 : on[cell];
        same &= p->occupant[cell] == there;
        p->occupant[cell] = there;
        if (there >= 0) p->place[there] = cell;
    }
    if (!same) memset(e->tried, 0, sizeof e->tried);
    e->robot = robot;
}

/* One step nearer. */
static bool advance(dl_escort *e, int robot, const dl_field *field, const dl_deadline *deadline)
{
    dl_cell nearer[DL_DIRECTIONS], at = e->pebbles.place[robot];
    int count = list_nearer(e, at, field, nearer);
    e->lost = count == 0;
    if (!push(e, at, nearer, count) && !change_places(e, at, nearer, count, deadline)) return false;
    memset(e->tried, 0, sizeof e->tried);
    return true;
}

dl_escort_outcome dl_escort_plan(dl_escort *e, int robot, const dl_field *field, const uint16_t *on,
                                 const dl_deadline *deadline)
{
    dl_pebbles *p = &e->pebbles;
    assert(robot >= 0 && robot < e->room);
    place_robots(e, robot, on);
    assert(on[p->place[robot]] == robot);
    e->swapper.late = false;
    while (p->moves < LEG_MOVES && dl_field_at(field, p->place[robot]) > 0)
        if (!advance(e, robot, field, deadline) || dl_is_late(deadline)) break;
    if (p->exhausted || !DL_GROW(e->due, e->due_room, p->moves)) {
        p->exhausted = e->rotations.exhausted = false;
        dl_escort_drop(e);
        return DL_ESCORT_UNKNOWN;
    }
    if (p->moves == 0 && (e->lost || (e->closed > 0 && !e->swapper.late))) return DL_ESCORT_UNKNOWN;
    if (p->moves == 0) return e->swapper.late ? DL_ESCORT_PAUSED : DL_ESCORT_STUCK;
    do keep_needed(e, robot);
    while (cut_loops(e));
    return DL_ESCORT_LEG;
}
