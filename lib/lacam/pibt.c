#include "lacam/pibt.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/block.h"
#include "base/memory.h"

enum { DEEPEST = 16384 }; /* recursion: 200 bytes a level fit the smallest stack we run on twice */

/* ---- Tables ---- */

static void fill_shuffled(dl_pibt_tables *tables)
{
    for (int set = 0; set < 16; set++)
        for (int index = 0; index < DL_PERMUTATIONS; index++) {
            /* `index` in the factorial number system; each order of a smaller set comes up equally often. */
            int action[DL_DIRECTIONS], count = 0, rest = index;
            uint16_t packed = 0;
            for (int d = 0; d < DL_DIRECTIONS; d++)
                if (set >> d & 1) action[count++] = d + 1;
            for (int k = 0, left = count; left > 0; k++, left--) {
                int pick = rest % left;
                rest /= left;
                packed |= (uint16_t)(action[pick] << 4 * k);
                memmove(&action[pick], &action[pick + 1], sizeof *action * (size_t)(left - pick - 1));
            }
            tables->shuffled[set][index] = packed;
        }
}

size_t dl_pibt_tables_bytes(const dl_instance *instance)
{
    size_t cells = (size_t)instance->grid->cells;
    return sizeof(dl_pibt_tables) + cells * ((size_t)instance->agents + sizeof(dl_cell[DL_ACTIONS]) + 3);
}

/* The directions that come closer to the goal of the row. False when time is out, or if a distance could not be
 * measured any more. */
static bool fill_guide(const dl_grid *grid, const dl_field *row, dl_cell goal, const dl_deadline *deadline,
                       uint8_t *guide)
{
    for (dl_cell cell = 0; cell < grid->cells; cell++) {
        if (dl_is_late_at(deadline, (size_t)cell)) return false;
        int here = dl_field_at(row, cell);
        if (here == DL_UNREACHABLE && grid->component[cell] == grid->component[goal]) return false;
        for (int d = 0; d < DL_DIRECTIONS; d++) {
            dl_cell neighbor = grid->neighbor[cell][d];
            guide[cell] |= (uint8_t)((neighbor != DL_NO_CELL && dl_field_at(row, neighbor) < here) << d);
        }
    }
    return true;
}

dl_pibt_tables *dl_pibt_tables_create(const dl_instance *instance, dl_distance *distance, const dl_deadline *deadline)
{
    const dl_grid *grid = instance->grid;
    dl_pibt_tables *tables = DL_NEW(dl_pibt_tables);
    if (!tables) return NULL;
    tables->instance = instance;
    if (!DL_BLOCK(tables->memory, DL_CUT(tables->step, grid->cells), DL_CUT(tables->exits, grid->cells),
                  DL_CUT(tables->dead_ends, grid->cells), DL_CUT(tables->degree, grid->cells),
                  DL_CUT(tables->guide, (size_t)instance->agents * (size_t)grid->cells),
                  DL_CUT(tables->start_distance, instance->agents))) {
        dl_pibt_tables_free(tables);
        return NULL;
    }
    fill_shuffled(tables);
    for (dl_cell cell = 0; cell < grid->cells; cell++) {
        if (dl_is_late_at(deadline, (size_t)cell)) {
            dl_pibt_tables_free(tables);
            return NULL;
        }
        tables->step[cell][DL_STAY] = cell;
        tables->degree[cell] = (uint8_t)dl_grid_degree(grid, cell);
        for (int d = 0; d < DL_DIRECTIONS; d++) {
            dl_cell neighbor = grid->neighbor[cell][d];
            tables->step[cell][d + 1] = neighbor;
            if (neighbor == DL_NO_CELL) continue;
            tables->exits[cell] |= (uint8_t)(1 << d);
            if (dl_grid_degree(grid, neighbor) == 1) tables->dead_ends[cell] |= (uint8_t)(1 << d);
        }
    }
    for (int agent = 0; agent < instance->agents; agent++) {
        const dl_field *row = dl_deadline_passed(deadline) ? NULL : dl_distance_acquire(distance, agent);
        bool filled = false;
        if (row) {
            uint8_t *guide = tables->guide + (size_t)agent * (size_t)grid->cells;
            tables->start_distance[agent] = dl_field_at(row, instance->start[agent]);
            filled = fill_guide(grid, row, instance->goal[agent], deadline, guide);
            dl_distance_release(distance, agent);
        }
        if (!filled) {
            dl_pibt_tables_free(tables);
            return NULL;
        }
    }
    return tables;
}

void dl_pibt_tables_free(dl_pibt_tables *tables)
{
    if (!tables) return;
    free(tables->memory);
    free(tables);
}

/* ---- The generator ---- */

bool dl_pibt_init(dl_pibt *pibt, const dl_pibt_tables *tables, bool swap, dl_rng rng)
{
    size_t bytes = sizeof(uint16_t) * (size_t)tables->instance->grid->cells;
    *pibt = (dl_pibt){.tables = tables, .swap = swap, .rng = rng};
    pibt->now = dl_malloc(bytes);
    pibt->next = dl_malloc(bytes);
    if (!pibt->now || !pibt->next) return false;
    memset(pibt->now, 0xFF, bytes);
    memset(pibt->next, 0xFF, bytes);
    return true;
}

void dl_pibt_release(dl_pibt *pibt)
{
    free(pibt->now);
    free(pibt->next);
}

static unsigned closer(const dl_pibt *pibt, int agent, dl_cell cell)
{
    return dl_pibt_guide(pibt->tables, agent, cell);
}

/* Closer moves in random order, stay, the other moves in random order. */
static dl_action_order order_by_distance(dl_pibt *pibt, int agent, dl_cell cell)
{
    const dl_pibt_tables *tables = pibt->tables;
    unsigned near = closer(pibt, agent, cell);
    uint64_t draw = (uint64_t)dl_rng_u32(&pibt->rng) * DL_PERMUTATIONS;
    uint64_t second = (draw & UINT32_MAX) * DL_PERMUTATIONS;
    unsigned count = (unsigned)__builtin_popcount(near);
    dl_action_order order = tables->shuffled[near][draw >> 32];
    order |= (dl_action_order)tables->shuffled[tables->exits[cell] & ~near][second >> 32] << 4 * (count + 1);
    return order;
}

/* The exits of `cell` except the one in direction `back` and those into a settled dead end: a cell without other exit
 * whose agent is at home there. */
static unsigned open_exits(const dl_pibt *pibt, dl_cell cell, int back)
{
    const dl_pibt_tables *tables = pibt->tables;
    unsigned open = tables->exits[cell] & ~(1u << back);
    for (unsigned pockets = open & tables->dead_ends[cell]; pockets; pockets &= pockets - 1) {
        int d = __builtin_ctz(pockets);
        dl_cell pocket = tables->step[cell][d + 1];
        uint16_t resident = pibt->now[pocket];
        if (resident != DL_NO_AGENT && tables->instance->goal[resident] == pocket) open &= ~(1u << d);
    }
    return open;
}

/* Is it late at this step along a corridor? Corridors may have millions of cells, and each agent asks along its own. */
static bool is_late(dl_pibt *pibt)
{
    if (!pibt->late) pibt->late = dl_is_late_at(pibt->deadline, pibt->walked++);
    return pibt->late;
}

/* Would `pusher` on `x` and `other` on its neighbor in direction d have to exchange places? Follows the corridor as
 * long as it takes the pusher closer. */
static bool swap_needed(dl_pibt *pibt, int pusher, int other, dl_cell x, int d)
{
    const dl_pibt_tables *tables = pibt->tables;
    while (closer(pibt, pusher, x) >> d & 1 && !is_late(pibt)) {
        dl_cell y = tables->step[x][d + 1];
        unsigned open = open_exits(pibt, y, d ^ 1);
        if (open & (open - 1)) return false; /* they can pass each other at y */
        if (!open) break;
        x = y;
        d = __builtin_ctz(open);
    }
    bool other_comes_back = !(closer(pibt, other, x) >> d & 1);
    return other_comes_back && (tables->instance->goal[pusher] == x || (closer(pibt, pusher, x) >> d & 1));
}

/* Is there a junction where two agents can exchange places, walking from `from` in direction d? */
static bool swap_possible(dl_pibt *pibt, dl_cell from, int d)
{
    const dl_pibt_tables *tables = pibt->tables;
    for (dl_cell y = tables->step[from][d + 1]; y != from && !is_late(pibt); y = tables->step[y][d + 1]) {
        unsigned open = open_exits(pibt, y, d ^ 1);
        if (open & (open - 1)) return true;
        if (!open) return false;
        d = __builtin_ctz(open);
    }
    return false; /* once round a loop */
}

/* The agent that `agent`, about to take `action`, should exchange places with, or DL_NO_AGENT. */
static int swap_partner(dl_pibt *pibt, int agent, dl_cell cell, int action)
{
    if (action == DL_STAY) return DL_NO_AGENT;
    const dl_pibt_tables *tables = pibt->tables;
    int d = action - 1;
    dl_cell ahead = tables->step[cell][action];
    /* Exact shortcut: where two open ways lead on, nobody has to swap. */
    unsigned certain = tables->exits[ahead] & ~tables->dead_ends[ahead] & ~(1u << (d ^ 1));
    if ((certain & (certain - 1)) && (closer(pibt, agent, cell) >> d & 1)) return DL_NO_AGENT;
    int facing = pibt->now[ahead];
    if (facing != DL_NO_AGENT && facing != agent && pibt->to[facing] == DL_NO_CELL &&
        swap_needed(pibt, agent, facing, cell, d) && swap_possible(pibt, ahead, d ^ 1))
        return facing;
    for (unsigned sides = tables->exits[cell] & ~(1u << d); sides; sides &= sides - 1) {
        int pusher = pibt->now[tables->step[cell][__builtin_ctz(sides) + 1]];
        if (pusher != DL_NO_AGENT && swap_needed(pibt, pusher, agent, cell, d) && swap_possible(pibt, ahead, d ^ 1))
            return pusher;
    }
    return DL_NO_AGENT;
}

static dl_action_order reversed(dl_action_order order, int count)
{
    dl_action_order result = 0;
    for (int k = 0; k < count; k++) result |= (order >> 4 * k & 15) << 4 * (count - 1 - k);
    return result;
}

static void pibt_take(dl_pibt *pibt, int agent, dl_cell cell)
{
    assert(cell != DL_NO_CELL);
    pibt->next[cell] = (uint16_t)agent;
    pibt->to[agent] = cell;
}

static bool pibt_plan(dl_pibt *pibt, int agent);

/* `agent` inherits the priority of the one that wants its cell. */
static bool give_way(dl_pibt *pibt, int agent)
{
    if (pibt->depth == DEEPEST) {
        pibt_take(pibt, agent, pibt->at[agent]);
        return false;
    }
    pibt->depth++;
    bool done = pibt_plan(pibt, agent);
    pibt->depth--;
    return done;
}

static bool pibt_plan(dl_pibt *pibt, int agent)
{
    const dl_pibt_tables *tables = pibt->tables;
    dl_cell cell = pibt->at[agent];
    if (pibt->late) { /* the step counts for nothing */
        pibt_take(pibt, agent, cell);
        return false;
    }
    int count = tables->degree[cell] + 1;
    dl_action_order order = pibt->preference ? pibt->preference[agent] : 0;
    if (order) {
        count = DL_ACTIONS;
    } else {
        order = order_by_distance(pibt, agent, cell);
    }
    int partner = DL_NO_AGENT, first = (int)(order & 15);
    if (pibt->swap && tables->step[cell][first] != DL_NO_CELL) partner = swap_partner(pibt, agent, cell, first);
    if (partner != DL_NO_AGENT) order = reversed(order, count);
    for (int k = 0; k < count; k++, order >>= 4) {
        dl_cell wanted = tables->step[cell][order & 15];
        if (wanted == DL_NO_CELL || pibt->next[wanted] != DL_NO_AGENT) continue;
        int other = pibt->now[wanted];
        if (other != DL_NO_AGENT && pibt->to[other] == cell && other != agent) continue; /* they would swap */
        pibt_take(pibt, agent, wanted);
        if (other != DL_NO_AGENT && wanted != cell && pibt->to[other] == DL_NO_CELL && !give_way(pibt, other)) continue;
        if (k == 0 && partner != DL_NO_AGENT && pibt->to[partner] == DL_NO_CELL && pibt->next[cell] == DL_NO_AGENT)
            pibt_take(pibt, partner, cell); /* the partner is pulled along to the junction */
        return true;
    }
    pibt_take(pibt, agent, cell);
    return false;
}

static bool keep_constraints(dl_pibt *pibt, const dl_constraints *constraints)
{
    for (int k = 0; k < constraints->count; k++) {
        int agent = constraints->agent[k];
        dl_cell wanted = constraints->cell[k];
        int other = pibt->now[wanted];
        if (pibt->next[wanted] != DL_NO_AGENT) return false;
        if (other != DL_NO_AGENT && other != agent && pibt->to[other] == pibt->at[agent]) return false;
        pibt_take(pibt, agent, wanted);
    }
    return true;
}

bool dl_pibt_step(dl_pibt *pibt, const dl_cell *at, const uint16_t *order, const dl_constraints *constraints,
                  dl_cell *to)
{
    int agents = pibt->tables->instance->agents;
    pibt->at = at;
    pibt->to = to;
    pibt->late = false;
    for (int agent = 0; agent < agents; agent++) {
        assert(pibt->now[at[agent]] == DL_NO_AGENT); /* no two on one cell */
        pibt->now[at[agent]] = (uint16_t)agent;
        to[agent] = DL_NO_CELL;
    }
    bool done = !constraints || keep_constraints(pibt, constraints);
    for (int rank = 0; done && rank < agents; rank++)
        if (to[order[rank]] == DL_NO_CELL) done = pibt_plan(pibt, order[rank]) && !pibt->late;
    assert(pibt->depth == 0);
    for (int agent = 0; agent < agents; agent++) {
        assert(!done || (to[agent] != DL_NO_CELL && pibt->next[to[agent]] == agent));
        pibt->now[at[agent]] = DL_NO_AGENT;
        if (to[agent] != DL_NO_CELL) pibt->next[to[agent]] = DL_NO_AGENT;
    }
    return done;
}
