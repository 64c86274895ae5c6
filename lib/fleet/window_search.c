/* The search for one robot: A* over (cell, time, stage) with buckets, no farther than the window. Among equals the
 * latest is looked at first, so that what can't be avoided is put off: by then the others may have moved on. */
#include <string.h>

#include "fleet/window.h"

enum { NOBODY = -1 };

/* One search: all costs are counted from the least possible one. */
typedef struct search {
    dl_window *window;
    const dl_trip *trip;
    int least, limit;
    int side;                   /* of the box */
    int nodes, lowest, highest; /* the buckets that may hold something */
} search;

/* Takes up the state unless it is known or too dear; false when there is no room for it. */
static bool look_at(search *s, const dl_search_node *node)
{
    dl_window *window = s->window;
    int box = s->side * s->side;
    int state = (node->time * (DL_TRIP_GOALS + 1) + node->stage) * box + node->square;
    if (window->seen[state] == window->searches) return true;
    int cost = node->spent + DL_STEP_COST * dl_trip_ahead(s->trip, node->stage, node->cell) - s->least;
    if (cost > s->limit) return true;
    if (s->nodes == DL_SEARCH_NODES) return false;
    window->seen[state] = window->searches;
    int index = s->nodes++;
    window->node[index] = *node;
    while (s->highest < cost) window->bucket[++s->highest] = NOBODY;
    window->node[index].next = window->bucket[cost];
    window->bucket[cost] = index;
    return true;
}

static int take_cheapest(search *s)
{
    int32_t *bucket = s->window->bucket;
    while (s->lowest <= s->highest && bucket[s->lowest] == NOBODY) s->lowest++;
    if (s->lowest > s->highest) return NOBODY;
    int index = bucket[s->lowest];
    bucket[s->lowest] = s->window->node[index].next;
    return index;
}

/* May a robot step from `from` to `to` after `time`? */
static bool is_free(const dl_window *window, dl_cell from, dl_cell to, int time)
{
    const uint16_t *there = dl_window_taken(window, to) + time;
    if (there[1]) return false;
    return !there[0] || dl_window_taken(window, from)[time + 1] != there[0]; /* else they would swap */
}

static bool expand(search *s, int index, unsigned turn)
{
    const dl_window *window = s->window;
    const dl_search_node node = window->node[index];
    const dl_trip *trip = s->trip;
    bool busy = node.stage < trip->goals;
    dl_search_node child = {.parent = index, .time = (uint8_t)(node.time + 1)};
    if (!dl_window_taken(window, node.cell)[node.time + 1]) {
        child.cell = node.cell;
        child.square = node.square;
        child.spent = node.spent + (busy ? DL_STEP_COST : 0);
        child.stage = (uint8_t)dl_trip_stage(trip, node.stage, child.cell);
        if (!look_at(s, &child)) return false;
    }
    if (node.time < trip->hold) return true;
    const int shift[DL_DIRECTIONS] = {-s->side, s->side, -1, 1};
    for (unsigned k = 0; k < DL_DIRECTIONS; k++) {
        unsigned d = (k + turn) % DL_DIRECTIONS;
        child.cell = window->grid->neighbor[node.cell][d];
        if (child.cell == DL_NO_CELL || !is_free(window, node.cell, child.cell, node.time)) continue;
        child.spent = node.spent + (busy ? DL_STEP_COST : DL_MAKE_WAY_COST);
        child.square = (int16_t)(node.square + shift[d]);
        child.stage = (uint8_t)dl_trip_stage(trip, node.stage, child.cell);
        if (!look_at(s, &child)) return false;
    }
    return true;
}

int dl_window_search(dl_window *window, int robot, int limit)
{
    dl_cell *path = dl_window_path(window, robot);
    int side = 2 * window->steps + 1;
    if (++window->searches == 0) { /* once in four billion */
        memset(window->seen, 0,
               sizeof *window->seen * (size_t)(side * side) * (size_t)((window->steps + 1) * (DL_TRIP_GOALS + 1)));
        window->searches = 1;
    }
    search s = {.window = window, .trip = &window->trip[robot], .side = side, .highest = -1};
    s.least = dl_window_least_cost(window, robot);
    s.limit = limit - s.least;
    if (s.limit >= DL_SEARCH_BUCKETS) s.limit = DL_SEARCH_BUCKETS - 1;
    unsigned turn = dl_rng_u32(&window->rng);
    dl_search_node start = {.cell = path[0], .parent = NOBODY, .square = (int16_t)(side * side / 2)};
    if (s.limit < 0 || !look_at(&s, &start)) return DL_NO_PATH;
    for (int index; (index = take_cheapest(&s)) != NOBODY;) {
        const dl_search_node *node = &window->node[index];
        if (node->time == window->steps) {
            int cost = s.least + s.lowest;
            for (int i = index; i != NOBODY; i = window->node[i].parent)
                path[window->node[i].time] = window->node[i].cell;
            return cost;
        }
        if (!expand(&s, index, turn)) return DL_NO_PATH;
    }
    return DL_NO_PATH;
}
