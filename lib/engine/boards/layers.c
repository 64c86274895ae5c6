#include "engine/boards/layers.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Time steps between two looks at whether a layer still changes, once nobody else moves any more. */
enum { STILL_STRIDE = 8 };

/* A vector of the cells that are entered without swapping places; `row` is the same vector of the row's first board. */
static inline dl_vector entered(const dl_ring *own, const dl_vector *row, int vectors)
{
    dl_vector cells = {0};
    for (int d = 0; d < DL_DIRECTIONS; d++) cells |= own->way[d] & ~row[(DL_ROW_SWAP + d) * vectors];
    return cells;
}

#define RING    dl_ring_narrow
#define VECTORS 1
#include "engine/boards/sweep_kernel.h"
#define VECTORS 2
#include "engine/boards/sweep_kernel.h"
#define VECTORS 3
#include "engine/boards/sweep_kernel.h"
#define VECTORS 4
#include "engine/boards/sweep_kernel.h"
#define VECTORS 5
#include "engine/boards/sweep_kernel.h"
#define VECTORS 6
#include "engine/boards/sweep_kernel.h"
#define VECTORS 8
#include "engine/boards/sweep_kernel.h"
#define VECTORS 10
#include "engine/boards/sweep_kernel.h"
#define VECTORS 12
#include "engine/boards/sweep_kernel.h"
#define VECTORS 16
#include "engine/boards/sweep_kernel.h"
#undef RING
#define RING    dl_ring_wide
#define VECTORS job->vectors
#define SUFFIX  wide
#define WIDE
#include "engine/boards/sweep_kernel.h"
#undef RING
#undef WIDE

typedef struct kernel_pair {
    dl_sweep_kernel first, next;
} kernel_pair;

static kernel_pair choose_kernels(const dl_board_layout *layout)
{
#define PAIR(n) ((kernel_pair){first_layer_##n, next_layer_##n})
    if (!layout->narrow) return PAIR(wide);
    switch (layout->vectors) {
    case 1:
        return PAIR(1);
    case 2:
        return PAIR(2);
    case 3:
        return PAIR(3);
    case 4:
        return PAIR(4);
    case 5:
        return PAIR(5);
    case 6:
        return PAIR(6);
    case 8:
        return PAIR(8);
    case 10:
        return PAIR(10);
    case 12:
        return PAIR(12);
    default:
        return PAIR(16);
    }
#undef PAIR
}

/* ---- memory ---- */

bool dl_layers_begin(dl_layers *l, const dl_board_layout *layout, const dl_occupancy *occupancy)
{
    kernel_pair kernels = choose_kernels(layout);
    *l = (dl_layers){.layout = layout, .occupancy = occupancy, .first = kernels.first, .next = kernels.next};
    l->job = (dl_sweep_job){.row_size = occupancy->row_size,
                            .free = layout->free,
                            .rest = dl_aligned(sizeof(dl_vector) * (size_t)layout->vectors),
                            .stride = (size_t)(layout->vectors + layout->guard),
                            .step = layout->step,
                            .vectors = layout->vectors};
    return l->job.rest != NULL;
}

void dl_layers_end(dl_layers *l)
{
    for (int i = 0; i < l->room; i++) free(l->layer[i].memory);
    free(l->layer);
    free(l->job.busy);
    free(l->job.rest);
}

/* The layer's board of time 0 lies after a guard; room for times up to `time`. False when memory is out, here and
 * below. */
static bool reserve_layer(dl_layers *l, int index, int time)
{
    if (index >= l->room) {
        int room = l->room;
        if (!DL_GROW(l->layer, l->room, index + 1)) return false;
        memset(l->layer + room, 0, sizeof *l->layer * (size_t)(l->room - room));
    }
    dl_layer *layer = &l->layer[index];
    if (time < layer->room) return true;
    int room = layer->room ? layer->room : 128;
    while (room <= time) room *= 2;
    size_t guard = (size_t)l->layout->guard;
    size_t bytes = (guard + (size_t)room * l->job.stride) * sizeof(dl_vector);
    size_t kept = layer->room ? (guard + (size_t)layer->room * l->job.stride) * sizeof(dl_vector) : 0;
    dl_vector *memory = dl_aligned(bytes);
    if (!memory) return false;
    if (kept) memcpy(memory, layer->memory, kept);
    memset((char *)memory + kept, 0, bytes - kept);
    free(layer->memory);
    layer->memory = memory;
    layer->room = room;
    return true;
}

static bool reserve_busy(dl_layers *l, int time)
{
    if (time < l->busy_room) return true;
    int room = l->busy_room ? l->busy_room : 128;
    while (room <= time) room *= 2;
    size_t vectors = (size_t)l->layout->vectors;
    dl_vector *busy = dl_aligned((size_t)room * vectors * sizeof *busy);
    if (!busy) return false;
    if (l->busy_room) memcpy(busy, l->job.busy, (size_t)l->busy_room * vectors * sizeof *busy);
    free(l->job.busy);
    l->job.busy = busy;
    l->busy_room = room;
    return true;
}

/* ---- sweeping ---- */

bool dl_layers_open(dl_layers *l, const dl_route *route, int makespan)
{
    l->route = *route;
    l->job.rows = l->occupancy->rows;
    l->job.makespan = makespan;
    l->job.goal_bit = l->layout->bit_of[route->goal];
    assert(route->legs > 0 && makespan < l->occupancy->horizon);
    return reserve_busy(l, route->time);
}

/* Who is at rest when the route begins, and which cells are busy then. What collides with the agent's prefix is counted
 * apart, and its end is not busy: an agent met there counts again. */
static void begin_rest(dl_layers *l)
{
    const dl_route *route = &l->route;
    const int vectors = l->layout->vectors;
    dl_vector *rest = l->job.rest, *busy = l->job.busy + (size_t)route->time * (size_t)vectors;
    const dl_vector *occupied = dl_occupancy_board(l->occupancy, route->time, DL_ROW_OCCUPIED);
    memset(rest, 0, sizeof *rest * (size_t)vectors);
    for (int t = 0; t <= route->time; t++) {
        const dl_vector *arrive = dl_occupancy_board(l->occupancy, t, DL_ROW_ARRIVE);
        for (int k = 0; k < vectors; k++) {
            if (t == route->time) busy[k] = occupied[k] | rest[k];
            rest[k] |= arrive[k];
        }
    }
    if (route->time > 0) dl_board_clear(busy, l->layout->bit_of[route->from]);
}

/* Sets the boards of the time the route begins: the agent alone in the first layer, nobody in the others. */
static bool begin_layer(dl_layers *l, int c, int leg)
{
    int index = c * l->route.legs + leg;
    if (!reserve_layer(l, index, l->route.time)) return false;
    assert(l->layer[index].room > l->route.time);
    dl_vector *first = l->layer[index].memory + l->layout->guard + (size_t)l->route.time * l->job.stride;
    memset(first, 0, sizeof *first * (size_t)l->layout->vectors);
    if (index == 0) dl_board_set(first, l->layout->bit_of[l->route.from]);
    if (c == 0) begin_rest(l);
    return true;
}

/* Makes room for times up to `end`, and lets the kernels work on the layer. */
static bool use_layer(dl_layers *l, int c, int leg, int end)
{
    int index = c * l->route.legs + leg;
    if (!reserve_layer(l, index, end) || (c == 0 && !reserve_busy(l, end))) return false;
    l->job.layer = l->layer[index].memory + l->layout->guard;
    l->layer[index].end = INT_MAX;
    if (c > 0) {
        const dl_layer *lower = dl_layers_at(l, c - 1, leg);
        assert(lower->memory && lower->end >= l->route.time);
        l->job.lower = lower->memory + l->layout->guard;
        l->job.lower_end = lower->end;
    }
    return true;
}

bool dl_layers_arrive(const dl_layers *l, int c, int time)
{
    const dl_route *route = &l->route;
    int goal = l->job.goal_bit, last = route->legs - 1;
    if (time == route->time) return c == 0 && last == 0;
    bool taken = dl_board_test(dl_layers_busy(l, time), goal);
    for (int d = 0; d < DL_DIRECTIONS; d++) {
        int from = goal - l->layout->offset[d];
        const dl_vector *swap = dl_occupancy_board(l->occupancy, dl_layers_still(l, time), DL_ROW_SWAP + d);
        bool paid = taken || dl_board_test(swap, goal);
        if (c >= paid && dl_layers_reached(l, c - paid, last, time - 1, from)) return true;
    }
    return false;
}

/* From this time on nothing changes a layer but itself. */
static int settled(const dl_layers *l, int c, int leg, int watch)
{
    int time = l->job.makespan + 1;
    if (time < watch) time = watch;
    if (c > 0 && dl_layers_at(l, c - 1, leg)->end > time) time = dl_layers_at(l, c - 1, leg)->end;
    if (leg > 0 && dl_layers_at(l, c, leg - 1)->end > time) time = dl_layers_at(l, c, leg - 1)->end;
    return time;
}

static bool is_still(const dl_layers *l, int t)
{
    const dl_vector *now = l->job.layer + (size_t)t * l->job.stride;
    return memcmp(now, now - l->job.stride, sizeof(dl_vector) * (size_t)l->layout->vectors) == 0;
}

/* The only leg of nearly every agent: many steps in one call. */
static int sweep_at_once(dl_layers *l, int c, int watch, int latest)
{
    dl_sweep_kernel run = c ? l->next : l->first;
    dl_layer *layer;
    int t = l->route.time, settles = settled(l, c, 0, watch);
    for (;;) {
        int end = t < settles ? settles : t + STILL_STRIDE;
        if (end > latest) end = latest;
        if (!use_layer(l, c, 0, end)) return DL_LAYERS_EXHAUSTED;
        layer = &l->layer[c];
        int hit = run(&l->job, t, end, watch);
        if (hit >= 0 && dl_layers_arrive(l, c, hit)) return hit;
        t = hit >= 0 ? hit : end;
        layer->end = t;
        if (t >= latest || (t > settles && is_still(l, t))) return -1;
    }
}

/* One of several legs: an agent on the goal of the leg before goes on with this one. */
static int sweep_leg(dl_layers *l, int c, int leg, int watch, int latest)
{
    dl_sweep_kernel run = c ? l->next : l->first;
    bool is_last = leg == l->route.legs - 1;
    int t = l->route.time, settles = settled(l, c, leg, is_last ? watch : 0);
    int joint = leg > 0 ? dl_layers_target(l, leg - 1) : -1, hit = -1;
    while (hit < 0 && t < latest) {
        if (!use_layer(l, c, leg, t + 1)) return DL_LAYERS_EXHAUSTED;
        run(&l->job, t, t + 1, INT_MAX);
        dl_vector *board = l->job.layer + (size_t)++t * l->job.stride;
        if (joint >= 0 && dl_layers_reached(l, c, leg - 1, t, joint)) dl_board_set(board, joint);
        bool there = is_last && t >= watch && dl_board_test(board, l->job.goal_bit);
        if (there && dl_layers_arrive(l, c, t)) hit = t;
        if (t > settles && t % STILL_STRIDE == 0 && is_still(l, t)) break;
    }
    l->layer[c * l->route.legs + leg].end = t;
    return hit;
}

int dl_layers_sweep(dl_layers *l, int c, int watch, int latest)
{
    const dl_route *route = &l->route;
    assert(c >= 0 && watch >= 0 && latest >= route->time);
    if (!begin_layer(l, c, 0)) return DL_LAYERS_EXHAUSTED;
    if (route->legs == 1) {
        bool there = c == 0 && watch <= route->time && route->from == route->goal;
        return there ? route->time : sweep_at_once(l, c, watch, latest);
    }
    int time = -1;
    for (int leg = 0; leg < route->legs; leg++) {
        if (leg > 0 && !begin_layer(l, c, leg)) return DL_LAYERS_EXHAUSTED;
        time = sweep_leg(l, c, leg, watch, latest);
        if (time == DL_LAYERS_EXHAUSTED) return time;
    }
    return time;
}
