#include "complete/push_and_swap.h"

#include <stdlib.h>

#include "base/block.h"
#include "complete/joint_search.h"

/* A push that shifts more agents than this gives way to a swap where one is cheap. Chains move in one step, so long
 * ones are fine: plans of mazes, rooms and warehouses were 10 to 30 % longer with 2 and the same with any number
 * above 8. */
enum { PATIENCE = 8 };

typedef struct pusher {
    const dl_grid *grid;
    dl_swapper *swapper;
    dl_pebbles *pebbles;
    const dl_deadline *deadline;
    bool late; /* seen to have passed */
    dl_rng *rng;
    int32_t *owner;   /* [cells]: the agent whose goal it is, -1 = none */
    int32_t *depth;   /* [cells]: distance to the hub, where the last free cells gather */
    dl_cell *order;   /* cells of the component at hand, those to settle first in front */
    int cells, goals; /* the first `goals` of them are goals */
    int front;        /* those before are settled */
    int32_t *mark, now;
    dl_cell *parent, *queue, *beyond;
    /* lowpoint search over the unsettled cells */
    int32_t *number, *low, *size, *goals_below, *hanging, *held;
    uint8_t *direction;
} pusher;

/* Is it late at this turn of a long loop? Then what the loop was to find is not to be used. */
static bool is_late_at(pusher *u, size_t turn)
{
    if (!u->late) u->late = dl_is_late_at(u->deadline, turn);
    return u->late;
}

/* ---- The order of peeling ------------------------------------------------------------------------------------------
 */

/* A junction where a free cell stays, if there is one: a random one, so that runs differ. */
static dl_cell choose_hub(pusher *u)
{
    dl_cell hub = u->queue[0];
    int best = -1, ties = 0;
    for (int i = 0; i < u->cells && !is_late_at(u, (size_t)i); i++) {
        dl_cell cell = u->queue[i];
        int merit = 2 * (dl_grid_degree(u->grid, cell) >= 3) + (u->owner[cell] < 0);
        if (merit > best) ties = 0;
        if (merit < best || dl_rng_below(u->rng, (uint32_t)++ties) > 0) continue;
        best = merit;
        hub = cell;
    }
    return hub;
}

/* Breadth-first from `root` over the whole component; fills queue and depth. */
static void measure_depth(pusher *u, dl_cell root)
{
    u->now++;
    u->cells = 0;
    u->queue[u->cells++] = root;
    u->mark[root] = u->now;
    u->depth[root] = 0;
    for (int head = 0; head < u->cells && !is_late_at(u, (size_t)head); head++) {
        dl_cell at = u->queue[head];
        for (int k = 0; k < DL_DIRECTIONS; k++) {
            dl_cell next = u->grid->neighbor[at][u->pebbles->looks[k]];
            if (next == DL_NO_CELL || u->mark[next] == u->now) continue;
            u->mark[next] = u->now;
            u->depth[next] = u->depth[at] + 1;
            u->queue[u->cells++] = next;
        }
    }
}

/* Goals before cells that end free, deepest first; the breadth-first queue is sorted by depth already. */
static void order_cells(pusher *u)
{
    int filled = 0;
    u->goals = u->front = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int i = u->cells - 1; i >= 0 && !is_late_at(u, (size_t)i); i--) {
            dl_cell cell = u->queue[i];
            if ((u->owner[cell] >= 0) != (pass == 0)) continue;
            u->order[filled++] = cell;
            u->goals += pass == 0;
        }
}

static bool unsettled(const pusher *u, int row, int col)
{
    dl_cell cell = dl_grid_cell(u->grid, row, col);
    return cell != DL_NO_CELL && !u->pebbles->settled[cell];
}

/* True if the unsettled neighbors of `cell` hang together through the eight cells around it: then it can go. */
static bool is_loose(const pusher *u, dl_cell cell)
{
    static const int AROUND[8][2] = {{-1, 0}, {-1, 1}, {0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}};
    difflns_cell at = dl_grid_position(u->grid, cell);
    bool open[8];
    for (int i = 0; i < 8; i++) open[i] = unsettled(u, at.row + AROUND[i][0], at.col + AROUND[i][1]);
    int neighbors = 0, links = 0;
    for (int i = 0; i < 8; i += 2) {
        neighbors += open[i];
        links += open[i] && open[i + 1] && open[(i + 2) % 8];
    }
    return neighbors - links <= 1;
}

/* Lowpoint search over the unsettled cells from `root`. Afterward hanging[cell] counts the cells that lose touch with
 * the root if `cell` goes, and held[cell] the goals among them. */
static void find_hanging_cells(pusher *u, dl_cell root)
{
    u->now++;
    int seen = 0;
    dl_cell cell = root, next = root;
    u->parent[root] = DL_NO_CELL;
    for (size_t turn = 0; cell != DL_NO_CELL && !is_late_at(u, turn); turn++) {
        if (next != DL_NO_CELL && u->mark[next] != u->now) { /* enter it */
            if (next != cell) u->parent[next] = cell;
            cell = next;
            u->mark[cell] = u->now;
            u->number[cell] = u->low[cell] = seen++;
            u->direction[cell] = 0;
            u->hanging[cell] = u->held[cell] = 0;
            u->size[cell] = 1;
            u->goals_below[cell] = u->owner[cell] >= 0;
        } else if (next != DL_NO_CELL && next != u->parent[cell] && u->number[next] < u->low[cell]) {
            u->low[cell] = u->number[next];
        }
        next = DL_NO_CELL;
        while (u->direction[cell] < DL_DIRECTIONS && next == DL_NO_CELL) {
            next = u->grid->neighbor[cell][u->direction[cell]++];
            if (next != DL_NO_CELL && u->pebbles->settled[next]) next = DL_NO_CELL;
        }
        if (next != DL_NO_CELL) continue;
        dl_cell parent = u->parent[cell]; /* leave it */
        if (parent != DL_NO_CELL) {
            if (u->low[cell] < u->low[parent]) u->low[parent] = u->low[cell];
            if (u->low[cell] >= u->number[parent]) {
                u->hanging[parent] += u->size[cell];
                u->held[parent] += u->goals_below[cell];
            }
            u->size[parent] += u->size[cell];
            u->goals_below[parent] += u->goals_below[cell];
        }
        cell = parent;
    }
}

/* The first goal in order that can go by the look of its surroundings, DL_NO_CELL if there is none. */
static dl_cell loose_goal(pusher *u)
{
    while (u->front < u->goals && u->pebbles->settled[u->order[u->front]]) u->front++;
    for (int i = u->front; i < u->goals; i++)
        if (!u->pebbles->settled[u->order[i]] && is_loose(u, u->order[i])) return u->order[i];
    return DL_NO_CELL;
}

/* The goal that can go soonest: after the fewest cells that end free beyond it. */
static dl_cell goal_with_least_beyond(pusher *u)
{
    int last = u->cells - 1;
    while (u->pebbles->settled[u->order[last]]) last--;
    find_hanging_cells(u, u->order[last]);
    dl_cell best = DL_NO_CELL;
    for (int i = u->front; i < u->goals; i++) {
        dl_cell cell = u->order[i];
        if (u->pebbles->settled[cell] || u->held[cell] > 0) continue;
        if (best == DL_NO_CELL || u->hanging[cell] < u->hanging[best]) best = cell;
    }
    return best;
}

/* ---- Settling
 * -------------------------------------------------------------------------------------------------------- */

/* Ways to `target` through unsettled cells; parent[] leads there. */
static void find_ways(pusher *u, dl_cell target, dl_cell from)
{
    int tail = 0;
    u->now++;
    u->queue[tail++] = target;
    u->mark[target] = u->now;
    for (int head = 0; head < tail && u->mark[from] != u->now && !is_late_at(u, (size_t)head); head++) {
        dl_cell at = u->queue[head];
        for (int k = 0; k < DL_DIRECTIONS; k++) {
            dl_cell next = u->grid->neighbor[at][u->pebbles->looks[k]];
            if (next == DL_NO_CELL || u->mark[next] == u->now || u->pebbles->settled[next]) continue;
            u->mark[next] = u->now;
            u->parent[next] = at;
            u->queue[tail++] = next;
        }
    }
}

/* The agent on `at` goes on to its neighbor `to`: pushes, or swaps if a push shifts too many or none is possible. A
 * swap may take thousands of tries where hardly a cell is free. */
static bool advance(pusher *u, dl_cell at, dl_cell to)
{
    dl_pebbles *p = u->pebbles;
    if (!dl_pebbles_free_cell(p, to)) {
        int shifted = dl_pebbles_find_blank(p, to, &at, 1, DL_REACH_UNSETTLED);
        bool push = shifted >= 0 && (shifted <= PATIENCE || !dl_swap_is_cheap(u->swapper, at, to));
        if (!push) {
            if (dl_swap_within(u->swapper, at, to, u->deadline, &(int){0})) return true;
            u->late = u->swapper->late;
            if (u->late) return false;
            if (dl_pebbles_find_blank(p, to, &at, 1, DL_REACH_UNSETTLED) < 0) return false;
        }
        dl_pebbles_shift(p, to);
    }
    dl_pebbles_move(p, at, to);
    return true;
}

static bool settle(pusher *u, dl_cell cell)
{
    dl_pebbles *p = u->pebbles;
    int agent = u->owner[cell];
    if (agent < 0) {
        if (!dl_pebbles_vacate(p, cell, NULL, 0, DL_REACH_UNSETTLED)) return false;
    } else {
        find_ways(u, cell, p->place[agent]);
        if (u->late) return false;
        for (size_t steps = 0; p->place[agent] != cell; steps++) {
            if (is_late_at(u, steps)) return false;
            if (!advance(u, p->place[agent], u->parent[p->place[agent]]) || p->exhausted) return false;
        }
    }
    p->settled[cell] = 1;
    return true;
}

static dl_push_outcome stuck(const pusher *u)
{
    return u->pebbles->exhausted || u->late ? DL_PUSH_STOPPED : DL_PUSH_STUCK;
}

/* Settles what hangs on `cell` alone, all of it cells that end free, farthest first. */
static dl_push_outcome settle_beyond(pusher *u, dl_cell cell)
{
    int tail = 0;
    dl_cell *beyond = u->beyond;
    for (int d = 0; d < DL_DIRECTIONS; d++) {
        dl_cell next = u->grid->neighbor[cell][d];
        if (next == DL_NO_CELL || u->pebbles->settled[next]) continue;
        if (u->parent[next] == cell && u->low[next] >= u->number[cell]) beyond[tail++] = next;
    }
    u->now++;
    u->mark[cell] = u->now;
    for (int i = 0; i < tail; i++) u->mark[beyond[i]] = u->now;
    for (int head = 0; head < tail; head++)
        for (int d = 0; d < DL_DIRECTIONS; d++) {
            dl_cell next = u->grid->neighbor[beyond[head]][d];
            if (next == DL_NO_CELL || u->pebbles->settled[next] || u->mark[next] == u->now) continue;
            u->mark[next] = u->now;
            beyond[tail++] = next;
        }
    while (tail > 0) {
        if (dl_deadline_passed(u->deadline)) return DL_PUSH_STOPPED;
        if (!settle(u, beyond[--tail])) return stuck(u);
    }
    return DL_PUSH_SOLVED;
}

/* Settles every goal of the component; the cells not yet settled stay connected throughout. */
static dl_push_outcome settle_goals(pusher *u)
{
    for (int left = u->goals; left > 0; left--) {
        if (dl_deadline_passed(u->deadline)) return DL_PUSH_STOPPED;
        dl_cell cell = loose_goal(u);
        if (cell == DL_NO_CELL) {
            cell = goal_with_least_beyond(u);
            if (u->late) return DL_PUSH_STOPPED;
            dl_push_outcome outcome = settle_beyond(u, cell);
            if (outcome != DL_PUSH_SOLVED) return outcome;
        }
        if (!settle(u, cell)) return stuck(u);
    }
    return DL_PUSH_SOLVED;
}

/* Without a free cell a lone ring can only turn as a whole: it does if that brings everybody on it home, the shorter
 * way round. */
static void turn_full_ring(pusher *u, int block)
{
    dl_pebbles *p = u->pebbles;
    const dl_blocks *b = u->swapper->rotations->blocks;
    dl_cell *ring = u->order;
    int length = dl_blocks_follow_ring(u->grid, b, block, b->member[b->first[block]], DL_NO_CELL, ring), turns = 0;
    while (turns < length && u->owner[ring[turns]] != p->occupant[ring[0]]) turns++;
    for (int i = 0; i < length; i++)
        if (u->owner[ring[(i + turns) % length]] != p->occupant[ring[i]]) return;
    bool back = 2 * turns > length;
    for (int i = 0, j = length - 1; back && i < j; i++, j--) {
        dl_cell swap = ring[i];
        ring[i] = ring[j];
        ring[j] = swap;
    }
    for (int i = 0; i < (back ? length - turns : turns); i++) dl_pebbles_rotate(p, ring, length);
}

static void turn_full_rings(pusher *u, int component)
{
    const dl_blocks *b = u->swapper->rotations->blocks;
    for (int block = 0; block < b->count; block++)
        if (dl_blocks_is_ring(b, block) && u->grid->component[b->member[b->first[block]]] == component)
            turn_full_ring(u, block);
}

static dl_push_outcome solve_component(pusher *u, dl_cell first)
{
    measure_depth(u, first);
    if (u->late) return DL_PUSH_STOPPED;
    int blanks = 0;
    bool home = true;
    for (int i = 0; i < u->cells && !is_late_at(u, (size_t)i); i++) {
        blanks += dl_pebbles_free_cell(u->pebbles, u->queue[i]);
        home &= u->owner[u->queue[i]] == u->pebbles->occupant[u->queue[i]];
    }
    if (u->late) return DL_PUSH_STOPPED;
    if (home) return DL_PUSH_SOLVED;
    if (blanks == 0 && u->swapper->rules == DL_RULES_MAPF) turn_full_rings(u, u->grid->component[first]);
    measure_depth(u, choose_hub(u));
    if (u->late) return DL_PUSH_STOPPED;
    order_cells(u);
    if (u->late) return DL_PUSH_STOPPED;
    size_t before = u->pebbles->moves;
    dl_push_outcome outcome = settle_goals(u);
    if (outcome != DL_PUSH_STUCK) return outcome;
    dl_pebbles_undo(u->pebbles, before);
    bool found = dl_joint_search(u->pebbles, u->order, u->cells, u->owner, u->swapper->rules, u->deadline);
    return found ? DL_PUSH_SOLVED : stuck(u);
}

dl_push_outcome dl_push_and_swap(dl_swapper *swapper, const dl_cell *goal, dl_rng *rng, const dl_deadline *deadline)
{
    dl_pebbles *p = swapper->pebbles;
    const dl_grid *grid = p->grid;
    size_t cells = (size_t)grid->cells;
    pusher u = {.grid = grid, .swapper = swapper, .pebbles = p, .deadline = deadline, .rng = rng};
    uint8_t *solved = NULL;
    void *memory = NULL;
    bool fits =
        !dl_is_late(deadline) &&
        DL_BLOCK(memory, DL_CUT(u.owner, cells), DL_CUT(u.depth, cells), DL_CUT(u.order, cells), DL_CUT(u.mark, cells),
                 DL_CUT(u.parent, cells), DL_CUT(u.queue, cells), DL_CUT(u.number, cells), DL_CUT(u.low, cells),
                 DL_CUT(u.size, cells), DL_CUT(u.goals_below, cells), DL_CUT(u.hanging, cells), DL_CUT(u.held, cells),
                 DL_CUT(u.beyond, cells), DL_CUT(u.direction, cells), DL_CUT(solved, grid->components));
    if (!fits && !dl_is_late(deadline)) p->exhausted = true;
    for (dl_cell cell = 0; cell < grid->cells && fits; cell++) u.owner[cell] = -1;
    for (int agent = 0; agent < p->agents && fits; agent++) u.owner[goal[agent]] = agent;
    int32_t looks[DL_DIRECTIONS] = {0, 1, 2, 3};
    dl_rng_shuffle(rng, looks, DL_DIRECTIONS);
    for (int k = 0; k < DL_DIRECTIONS; k++) p->looks[k] = looks[k];
    dl_push_outcome outcome = fits ? DL_PUSH_SOLVED : DL_PUSH_STOPPED;
    for (int agent = 0; agent < p->agents && outcome == DL_PUSH_SOLVED; agent++) {
        int component = grid->component[goal[agent]];
        if (solved[component]) continue;
        solved[component] = 1;
        outcome = solve_component(&u, goal[agent]);
        if (p->exhausted) outcome = DL_PUSH_STOPPED;
    }
    free(memory);
    return outcome;
}
