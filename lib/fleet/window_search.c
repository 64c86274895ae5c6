/* The search for one robot: A* over (cell, time, stage) with buckets, no farther than the window. Among equals the
 * latest is looked at first, so that what can't be avoided is put off: by then the others may have moved on. */
#include <assert.h>
#include <string.h>

#include "fleet/window.h"

enum { NOBODY = -1 };

/* One search: all costs are counted from the least possible one. */
typedef struct search {
    dl_window *window;
    const dl_trip *trip;
    int least, limit;
    int side, box;              /* of the box, and its squares */
    int nodes, lowest, highest; /* the buckets that may hold something */
} search;

/* Takes up a state that costs `cost` unless it is known; false when there is no room for it. Fields are written one by
 * one: a node made elsewhere and copied would be read before it is all there, which costs a fifth of the search. */
static inline bool look_at(search *s, int parent, dl_cell cell, int square, int time, int stage, int spent, int cost)
{
    dl_window *window = s->window;
    uint32_t *seen = &window->seen[(time * (DL_TRIP_GOALS + 1) + stage) * s->box + square];
    if (*seen == window->searches) return true;
    assert(cost >= s->lowest && cost < DL_SEARCH_BUCKETS && time <= window->steps);
    assert(square >= 0 && square < s->box && stage <= s->trip->goals);
    if (s->nodes == DL_SEARCH_NODES) return false;
    *seen = window->searches;
    while (s->highest < cost) window->bucket[++s->highest] = NOBODY;
    dl_search_node *node = &window->node[s->nodes];
    node->cell = cell;
    node->parent = parent;
    node->next = window->bucket[cost];
    node->spent = spent;
    node->square = (int16_t)square;
    node->time = (uint8_t)time;
    node->stage = (uint8_t)stage;
    window->bucket[cost] = s->nodes++;
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

/* The states after one: a wait, and a step in each direction. What would cost too much is left out first, as distances
 * lie closer together in memory than the table of who is where. */
static bool expand(search *s, int index, unsigned turn)
{
    const dl_window *window = s->window;
    const dl_trip *trip = s->trip;
    const dl_search_node *node = &window->node[index];
    const dl_cell at = node->cell, *neighbor = window->grid->neighbor[at];
    const int time = node->time, stage = node->stage, spent = node->spent, square = node->square;
    const int shift[DL_DIRECTIONS] = {-s->side, s->side, -1, 1};
    const bool busy = stage < trip->goals;
    const unsigned shut = dl_window_shut(window, at);
    const uint16_t enters = dl_window_taken(window, at)[time + 1]; /* who comes here */
    const unsigned choices = time < trip->hold ? 1 : 1 + DL_DIRECTIONS;
    for (unsigned k = enters ? 1 : 0; k < choices; k++) {
        unsigned d = (k - 1 + turn) % DL_DIRECTIONS;
        bool waits = k == 0;
        dl_cell to = waits ? at : neighbor[d];
        if (to == DL_NO_CELL) continue;
        int then = dl_trip_stage(trip, stage, to);
        int extra = waits ? 0 : dl_trip_extra(trip, stage, at, (int)d);
        if (extra == DL_COST_NEVER || (!waits && (shut >> d & 1))) continue;
        int more = spent + (busy ? DL_STEP_COST + extra : waits ? 0 : DL_MAKE_WAY_COST);
        int cost = more + dl_trip_ahead(trip, then, to) - s->least;
        if (cost > s->limit) continue;
        if (cost < s->lowest) cost = s->lowest; /* distances that became known meanwhile */
        const uint16_t *there = dl_window_taken(window, to) + time;
        if (there[1] || (enters && enters == there[0])) continue; /* somebody goes there, or they would swap */
        if (!look_at(s, index, to, square + (waits ? 0 : shift[d]), time + 1, then, more, cost)) return false;
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
    search s = {.window = window, .trip = &window->trip[robot], .side = side, .box = side * side, .highest = -1};
    s.least = dl_window_least_cost(window, robot);
    s.limit = limit - s.least;
    if (s.limit >= DL_SEARCH_BUCKETS) s.limit = DL_SEARCH_BUCKETS - 1;
    unsigned turn = dl_rng_u32(&window->rng);
    if (s.limit < 0 || !look_at(&s, NOBODY, path[0], s.box / 2, 0, 0, 0, 0)) return DL_NO_PATH;
    for (int index; (index = take_cheapest(&s)) != NOBODY;) {
        const dl_search_node *node = &window->node[index];
        if (node->time == window->steps) {
            int cost = s.least + s.lowest;
            assert(cost <= limit && node->time == window->steps);
            for (int i = index; i != NOBODY; i = window->node[i].parent)
                path[window->node[i].time] = window->node[i].cell;
            return cost;
        }
        if (!expand(&s, index, turn)) return DL_NO_PATH;
    }
    return DL_NO_PATH;
}
