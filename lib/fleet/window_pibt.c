/* PIBT with the swap rule for a fleet. lib/lacam/pibt.c has the same idea for an instance, whose goals never change
 * and whose tables are made once; here goals come and go, so that robots read their distances themselves. */
#include "fleet/window.h"

#include <assert.h>

enum { DEEPEST = 16384 }; /* recursion: 200 bytes a level fit the smallest stack we run on twice */

static const dl_trip *trip_of(const dl_window *window, int robot)
{
    return &window->trip[robot];
}

static bool has_task(const dl_window *window, int robot)
{
    return window->stage[robot] < trip_of(window, robot)->goals;
}

/* Directions of cheapest ways to the goal: a bit each. Without costs that is where it comes closer. */
static unsigned closer(const dl_window *window, int robot, dl_cell cell)
{
    if (!has_task(window, robot)) return 0;
    const dl_trip *trip = trip_of(window, robot);
    const int stage = window->stage[robot];
    const dl_field *field = trip->field[stage];
    const dl_edge_costs *costs = trip->costs[stage];
    const dl_cell *neighbor = window->grid->neighbor[cell];
    int here = dl_field_at(field, cell);
    unsigned set = 0;
    for (int d = 0; d < DL_DIRECTIONS; d++) {
        if (neighbor[d] == DL_NO_CELL) continue;
        int step = costs ? DL_STEP_UNITS + costs->extra[cell][d] : 1;
        set |= (unsigned)(dl_field_at(field, neighbor[d]) + step <= here) << d;
    }
    return set;
}

/* ---- The swap rule: two robots head-on in a corridor back off to the next junction ---- */

/* The exits of `cell` except the one in direction `back` and those into a dead end where a robot without task rests. */
static unsigned open_exits(const dl_window *window, dl_cell cell, int back)
{
    unsigned open = window->exits[cell] & ~dl_window_shut(window, cell) & ~(1u << back);
    for (unsigned pockets = open & window->dead_ends[cell]; pockets; pockets &= pockets - 1) {
        int d = __builtin_ctz(pockets);
        int resident = window->now[window->grid->neighbor[cell][d]];
        if (resident != DL_NO_ROBOT && !has_task(window, resident)) open &= ~(1u << d);
    }
    return open;
}

/* Would `pusher` on `x` and `other` on its neighbor in direction d have to exchange places? Follows the corridor as
 * long as it takes the pusher closer. */
static bool swap_needed(const dl_window *window, int pusher, int other, dl_cell x, int d)
{
    while (closer(window, pusher, x) >> d & 1) {
        dl_cell y = window->grid->neighbor[x][d];
        unsigned open = open_exits(window, y, d ^ 1);
        if (open & (open - 1)) return false; /* they can pass each other at y */
        if (!open) break;
        x = y;
        d = __builtin_ctz(open);
    }
    if (closer(window, other, x) >> d & 1) return false;
    if (closer(window, pusher, x) >> d & 1) return true;
    return has_task(window, pusher) && trip_of(window, pusher)->goal[window->stage[pusher]] == x;
}

/* Is there a junction where two robots can exchange places, walking from `from` in direction d? */
static bool swap_possible(const dl_window *window, dl_cell from, int d)
{
    for (dl_cell y = window->grid->neighbor[from][d]; y != from; y = window->grid->neighbor[y][d]) {
        unsigned open = open_exits(window, y, d ^ 1);
        if (open & (open - 1)) return true;
        if (!open) return false;
        d = __builtin_ctz(open);
    }
    return false; /* once round a loop */
}

/* The robot that `robot`, about to go in direction d, should exchange places with. */
static int swap_partner(const dl_window *window, int robot, dl_cell cell, int d)
{
    dl_cell ahead = window->grid->neighbor[cell][d];
    /* Exact shortcut: where two open ways lead on, nobody has to swap. */
    unsigned certain =
        window->exits[ahead] & ~dl_window_shut(window, ahead) & ~window->dead_ends[ahead] & ~(1u << (d ^ 1));
    if ((certain & (certain - 1)) && (closer(window, robot, cell) >> d & 1)) return DL_NO_ROBOT;
    unsigned sides = window->exits[cell] & ~(1u << d);
    int facing = window->now[ahead];
    if (facing != DL_NO_ROBOT && window->to[facing] == DL_NO_CELL && swap_needed(window, robot, facing, cell, d) &&
        swap_possible(window, ahead, d ^ 1))
        return facing;
    for (; sides; sides &= sides - 1) {
        dl_cell side = window->grid->neighbor[cell][__builtin_ctz(sides)];
        int pusher = window->now[side];
        if (pusher != DL_NO_ROBOT && swap_needed(window, pusher, robot, cell, d) && swap_possible(window, ahead, d ^ 1))
            return pusher;
    }
    return DL_NO_ROBOT;
}

/* ---- One step ---- */

/* Appends the directions of `set` in random order. */
static int append_shuffled(dl_window *window, unsigned set, int *wish, int count)
{
    uint32_t draw = set & (set - 1) ? dl_rng_u32(&window->rng) : 0;
    for (; set; draw /= 4) {
        unsigned skip = draw % (unsigned)__builtin_popcount(set), left = set;
        while (skip-- > 0) left &= left - 1;
        int d = __builtin_ctz(left);
        wish[count++] = d;
        set &= ~(1u << d);
    }
    return count;
}

enum { STAY = -1 };

/* With costs: by what the way costs from there, this step counted, equals in random order. */
static int order_wishes_by_cost(dl_window *window, int robot, dl_cell cell, int *wish)
{
    const dl_trip *trip = trip_of(window, robot);
    const int stage = window->stage[robot];
    const unsigned shut = dl_window_shut(window, cell);
    int all[DL_ACTIONS], cost[DL_ACTIONS], count = append_shuffled(window, window->exits[cell], all, 0), kept = 0;
    all[count++] = STAY;
    for (int i = 0; i < count; i++) {
        int d = all[i], extra = d == STAY ? 0 : trip->costs[stage]->extra[cell][d];
        if (extra == DL_COST_NEVER || (d != STAY && (shut >> d & 1))) continue;
        dl_cell to = d == STAY ? cell : window->grid->neighbor[cell][d];
        int its = DL_STEP_UNITS + extra + dl_field_at(trip->field[stage], to), place = kept++;
        for (; place > 0 && cost[place - 1] > its; place--) {
            cost[place] = cost[place - 1];
            wish[place] = wish[place - 1];
        }
        cost[place] = its;
        wish[place] = d;
    }
    return kept;
}

/* What it would like to do, best first: come closer, stay, move away. */
static int order_wishes(dl_window *window, int robot, dl_cell cell, int *wish)
{
    const dl_edge_costs *costs = trip_of(window, robot)->costs[window->stage[robot]];
    if (costs && has_task(window, robot)) return order_wishes_by_cost(window, robot, cell, wish);
    unsigned open = window->exits[cell] & ~dl_window_shut(window, cell), near = closer(window, robot, cell) & open;
    for (int d = 0; d < DL_DIRECTIONS && costs; d++) open &= ~((costs->extra[cell][d] == DL_COST_NEVER) * (1u << d));
    int count = append_shuffled(window, near, wish, 0);
    wish[count++] = STAY;
    return append_shuffled(window, open & ~near, wish, count);
}

static void take(dl_window *window, int robot, dl_cell cell)
{
    assert(window->to[robot] == DL_NO_CELL || window->to[robot] != cell || window->next[cell] == robot);
    window->next[cell] = (uint16_t)robot;
    window->to[robot] = cell;
}

static bool choose(dl_window *window, int robot);

/* `robot` inherits the priority of the one that wants its cell. */
static bool give_way(dl_window *window, int robot)
{
    if (window->depth == DEEPEST) {
        take(window, robot, window->at[robot]);
        return false;
    }
    window->depth++;
    bool done = choose(window, robot);
    window->depth--;
    return done;
}

static bool choose(dl_window *window, int robot)
{
    dl_cell cell = window->at[robot];
    int wish[DL_ACTIONS] = {STAY}, count = order_wishes(window, robot, cell, wish), partner = DL_NO_ROBOT;
    if (wish[0] != STAY) partner = swap_partner(window, robot, cell, wish[0]);
    if (partner != DL_NO_ROBOT)
        for (int a = 0, b = count - 1; a < b; a++, b--) {
            int swap = wish[a];
            wish[a] = wish[b];
            wish[b] = swap;
        }
    for (int k = 0; k < count; k++) {
        dl_cell wanted = wish[k] == STAY ? cell : window->grid->neighbor[cell][wish[k]];
        if (window->next[wanted] != DL_NO_ROBOT || (window->barred[wanted] && wanted != cell)) continue;
        int other = window->now[wanted];
        if (other != DL_NO_ROBOT && other != robot && window->to[other] == cell) continue; /* they would swap */
        take(window, robot, wanted);
        if (other != DL_NO_ROBOT && other != robot && window->to[other] == DL_NO_CELL && !give_way(window, other))
            continue;
        if (k == 0 && partner != DL_NO_ROBOT && window->to[partner] == DL_NO_CELL &&
            window->next[cell] == DL_NO_ROBOT && dl_window_is_open(window, window->at[partner], cell))
            take(window, partner, cell); /* the partner is pulled along to the junction */
        return true;
    }
    take(window, robot, cell);
    return false;
}

/* Those that have reached a goal since the window began choose after the others. */
static void set_turns(dl_window *window)
{
    int count = 0;
    for (int late = 0; late < 2; late++)
        for (int i = 0; i < window->robots; i++) {
            int robot = window->rank[i];
            bool waits = window->stage[robot] > 0 || !has_task(window, robot);
            if (waits == (late > 0)) window->turn[count++] = (uint16_t)robot;
        }
}

static void step(dl_window *window, int time)
{
    for (int i = 0; i < window->robots; i++) {
        int robot = window->rank[i];
        window->at[robot] = dl_window_path(window, robot)[time];
        window->to[robot] = DL_NO_CELL;
        window->now[window->at[robot]] = (uint16_t)robot;
    }
    for (int i = 0; i < window->robots; i++) {
        int robot = window->rank[i];
        if (window->fixed[robot])
            take(window, robot, dl_window_path(window, robot)[time + 1]);
        else if (time < trip_of(window, robot)->hold)
            take(window, robot, window->at[robot]);
    }
    set_turns(window);
    for (int i = 0; i < window->robots; i++)
        if (window->to[window->turn[i]] == DL_NO_CELL) choose(window, window->turn[i]);
    for (int i = 0; i < window->robots; i++) {
        int robot = window->rank[i];
        dl_cell to = window->to[robot];
        assert(to != DL_NO_CELL && window->next[to] == robot);
        window->now[window->at[robot]] = DL_NO_ROBOT;
        window->next[to] = DL_NO_ROBOT;
        dl_window_path(window, robot)[time + 1] = to;
        window->stage[robot] = (uint8_t)dl_trip_stage(trip_of(window, robot), window->stage[robot], to);
    }
}

void dl_window_pibt(dl_window *window, int from)
{
    for (int i = 0; i < window->robots; i++) {
        int robot = window->rank[i], stage = 0;
        const dl_cell *path = dl_window_path(window, robot);
        for (int t = 1; t <= from; t++) stage = dl_trip_stage(trip_of(window, robot), stage, path[t]);
        window->stage[robot] = (uint8_t)stage;
    }
    assert(from >= 0 && from < window->steps);
    for (int time = from; time < window->steps; time++) step(window, time);
    assert(window->depth == 0);
}
