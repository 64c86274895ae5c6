#include "search/sweep.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "search/occupancy.h"

/* Time steps between two looks at whether a layer still changes, once nobody else moves any more. */
enum { STILL_STRIDE = 8 };

/* What a kernel reads and writes. */
typedef struct sweep_job {
    const dl_vector *rows; /* of the occupancy */
    size_t row_size;
    int makespan;
    const dl_vector *free;
    dl_vector *rest;        /* [vectors]: cells with an agent at rest after the last computed time */
    dl_vector *busy;        /* [time][vectors]: occupied or at rest */
    dl_vector *layer;       /* the layer to compute: the board of time t lies at t * stride */
    const dl_vector *lower; /* the layer of one conflict less; constant from lower_end on */
    size_t stride;
    int lower_end;
    int step, vectors, goal_bit;
} sweep_job;

typedef int (*kernel)(const sweep_job *job, int t, int end, int watch);

typedef struct kernel_pair {
    kernel first, next;
} kernel_pair;

#define RING    dl_ring_narrow
#define VECTORS 1
#include "search/sweep_kernel.h"
#define VECTORS 2
#include "search/sweep_kernel.h"
#define VECTORS 3
#include "search/sweep_kernel.h"
#define VECTORS 4
#include "search/sweep_kernel.h"
#define VECTORS 5
#include "search/sweep_kernel.h"
#define VECTORS 6
#include "search/sweep_kernel.h"
#define VECTORS 8
#include "search/sweep_kernel.h"
#define VECTORS 10
#include "search/sweep_kernel.h"
#define VECTORS 12
#include "search/sweep_kernel.h"
#define VECTORS 16
#include "search/sweep_kernel.h"
#undef RING
#define RING    dl_ring_wide
#define VECTORS job->vectors
#define SUFFIX  wide
#include "search/sweep_kernel.h"
#undef RING

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

/* One layer: the boards of times 0..end; later ones equal the last. */
typedef struct layer {
    dl_vector *memory;
    int room; /* times that fit */
    int end;
} layer;

typedef struct sweep_planner {
    dl_planner base;
    dl_board_layout *layout;
    dl_occupancy occupancy;
    kernel_pair kernels;
    sweep_job job;
    layer *layers;
    int layers_room, busy_room;
    uint32_t *mark, stamp; /* [agents]: seen in the current count of partners when equal to stamp */
    int32_t *at_list;      /* [agents] */
    dl_passing *passing_list;
    int passing_room;
} sweep_planner;

/* A way to end: a total of conflicts, an arrival time, and the layer it was reached in. */
typedef struct ending {
    int total, time, layer;
} ending;

static sweep_planner *of(dl_planner *p)
{
    return (sweep_planner *)p;
}

static size_t layer_start(const sweep_planner *s)
{
    return (size_t)s->layout->guard;
}

/* The layer's board of time 0 lies after a guard; room for times up to `time`. False when memory is out, here and
 * below. */
static bool reserve_layer(sweep_planner *s, int c, int time)
{
    if (c >= s->layers_room) {
        int room = s->layers_room;
        if (!DL_GROW(s->layers, s->layers_room, c + 1)) return false;
        memset(s->layers + room, 0, sizeof *s->layers * (size_t)(s->layers_room - room));
    }
    layer *l = &s->layers[c];
    if (time < l->room) return true;
    int room = l->room ? l->room : 128;
    while (room <= time) room *= 2;
    size_t bytes = (layer_start(s) + (size_t)room * s->job.stride) * sizeof(dl_vector);
    size_t kept = l->room ? (layer_start(s) + (size_t)l->room * s->job.stride) * sizeof(dl_vector) : 0;
    dl_vector *memory = dl_aligned(bytes);
    if (!memory) return false;
    if (kept) memcpy(memory, l->memory, kept);
    memset((char *)memory + kept, 0, bytes - kept);
    free(l->memory);
    l->memory = memory;
    l->room = room;
    return true;
}

static bool reserve_busy(sweep_planner *s, int time)
{
    if (time < s->busy_room) return true;
    int room = s->busy_room ? s->busy_room : 128;
    while (room <= time) room *= 2;
    size_t vectors = (size_t)s->layout->vectors;
    dl_vector *busy = dl_aligned((size_t)room * vectors * sizeof *busy);
    if (!busy) return false;
    if (s->busy_room) memcpy(busy, s->job.busy, (size_t)s->busy_room * vectors * sizeof *busy);
    free(s->job.busy);
    s->job.busy = busy;
    s->busy_room = room;
    return true;
}

static bool reached(const sweep_planner *s, int c, int time, int bit)
{
    const layer *l = &s->layers[c];
    int t = time < l->end ? time : l->end;
    return dl_board_test(l->memory + layer_start(s) + (size_t)t * s->job.stride, bit);
}

/* Rows after the makespan are all alike: the first of them stands for all. */
static int still(const sweep_planner *s, int time)
{
    return time <= s->job.makespan ? time : s->job.makespan + 1;
}

static bool busy(const sweep_planner *s, int time, int bit)
{
    return dl_board_test(s->job.busy + (size_t)still(s, time) * (size_t)s->layout->vectors, bit);
}

/* Is the goal entered by a move at `time` in layer c? Starting there is an arrival, too. */
static bool arrives_by_move(const sweep_planner *s, int c, int time)
{
    int goal = s->job.goal_bit;
    if (time == 0) return c == 0;
    bool taken = busy(s, time, goal);
    for (int d = 0; d < DL_DIRECTIONS; d++) {
        int from = goal - s->layout->offset[d];
        bool paid = taken || dl_board_test(dl_occupancy_board(&s->occupancy, still(s, time), DL_ROW_SWAP + d), goal);
        if (c >= paid && reached(s, c - paid, time - 1, from)) return true;
    }
    return false;
}

static int last_visit(const sweep_planner *s, dl_cell goal)
{
    int t = s->base.makespan;
    while (t >= 0 && dl_occupancy_head(&s->occupancy, goal, t) == DL_NOBODY) t--;
    return t;
}

static int visitors(const sweep_planner *s, dl_cell cell, int time)
{
    int count = 0;
    for (uint16_t b = dl_occupancy_head(&s->occupancy, cell, time); b != DL_NOBODY;
         b = dl_occupancy_next(&s->occupancy, b, time))
        count++;
    return count;
}

/* Sweeps layer c until the goal is reached for good (returns that time) or until `latest` or no change any more
 * (returns -1). Coming to rest for good means: by a move, not before `watch`. */
static int sweep_layer(sweep_planner *s, int c, int watch, int latest)
{
    sweep_job *job = &s->job;
    layer *l = &s->layers[c];
    kernel run = c ? s->kernels.next : s->kernels.first;
    int t = 0, settled = job->makespan + 1;
    if (settled < watch) settled = watch;
    if (c && s->layers[c - 1].end > settled) settled = s->layers[c - 1].end;
    for (;;) {
        int end = t < settled ? settled : t + STILL_STRIDE;
        if (end > latest) end = latest;
        if (!reserve_layer(s, c, end) || (c == 0 && !reserve_busy(s, end))) {
            s->base.exhausted = true;
            return -1;
        }
        l = &s->layers[c];
        job->layer = l->memory + layer_start(s);
        if (c) {
            job->lower = s->layers[c - 1].memory + layer_start(s);
            job->lower_end = s->layers[c - 1].end;
        }
        l->end = INT_MAX;
        int hit = run(job, t, end, watch);
        if (hit >= 0 && arrives_by_move(s, c, hit)) return hit;
        t = hit >= 0 ? hit : end;
        l->end = t;
        if (hit < 0 && t >= latest) return -1;
        const dl_vector *now = job->layer + (size_t)t * job->stride;
        if (t > settled && memcmp(now, now - job->stride, sizeof(dl_vector) * (size_t)s->layout->vectors) == 0)
            return -1;
        if (t >= latest) return -1;
    }
}

/* Ends of layer c before the goal's last visitor: each later visit is one more conflict. */
static void weigh_early_ends(const sweep_planner *s, int c, dl_cell goal, int last, int earliest, int latest,
                             ending *best)
{
    int later = last < 0 ? 0 : visitors(s, goal, last); /* after t */
    for (int t = last - 1; t >= earliest; t--) {
        int total = c + later;
        if (total > best->total) return;
        bool better = t <= latest && (total < best->total || t < best->time);
        if (better && reached(s, c, t, s->job.goal_bit) && arrives_by_move(s, c, t)) *best = (ending){total, t, c};
        later += visitors(s, goal, t);
    }
}

/* ---- the way back ---- */

/* Ways to have come to a cell are bits of a mask: directions, and this one for waiting. */
enum { WAIT_WAY = 1 << DL_DIRECTIONS };

static bool word_test(const uint64_t *board, int bit)
{
    return (board[bit >> 6] >> (bit & 63)) & 1;
}

/* The boards around one step back in time. Boards of layers have guards, so bits next to a cell are always readable. */
typedef struct step_back {
    const uint64_t *same, *lower;    /* the layer at hand and the one below at the time before; lower may be NULL */
    const uint64_t *row;             /* occupancy at the time of arrival */
    const uint64_t *busy, *busy_was; /* then and before */
    size_t words;                    /* of a board */
} step_back;

static const uint64_t *layer_board(const sweep_planner *s, int c, int time)
{
    const layer *l = &s->layers[c];
    return (const uint64_t *)(l->memory + layer_start(s) + (size_t)(time < l->end ? time : l->end) * s->job.stride);
}

/* The ways into (bit, t, c): a mask; those in *paid come from the layer below. */
static unsigned ways_into(const sweep_planner *s, const step_back *b, int bit, unsigned *paid)
{
    unsigned ways = 0;
    bool busy_now = word_test(b->busy, bit);
    *paid = busy_now ? WAIT_WAY - 1 : 0;
    for (int d = 0; d < DL_DIRECTIONS; d++) {
        unsigned swap = word_test(b->row + (size_t)(DL_ROW_SWAP + d) * b->words, bit);
        *paid |= swap << d;
    }
    if (busy_now && !word_test(b->busy_was, bit)) *paid |= WAIT_WAY;
    for (int d = 0; d < DL_DIRECTIONS; d++) {
        const uint64_t *board = *paid >> d & 1 ? b->lower : b->same;
        if (board) ways |= (unsigned)word_test(board, bit - s->layout->offset[d]) << d;
    }
    const uint64_t *board = *paid & WAIT_WAY ? b->lower : b->same;
    if (board && word_test(board, bit)) ways |= WAIT_WAY;
    return ways;
}

/* Those of the ways that the rule likes most; without distances all are alike. */
static unsigned liked(const sweep_planner *s, unsigned ways, int bit, dl_tie_rule rule, const dl_field *distance)
{
    if (rule == DL_UNIFORM || (ways & (ways - 1)) == 0) return ways;
    if (rule == DL_WAIT_FIRST && ways & WAIT_WAY) return WAIT_WAY;
    if (!distance) return ways;
    unsigned farther = 0;
    int here = dl_field_at(distance, s->layout->cell_of[bit]);
    for (unsigned moves = ways & (WAIT_WAY - 1); moves; moves &= moves - 1) {
        int d = __builtin_ctz(moves);
        farther |= (unsigned)(dl_field_at(distance, s->layout->cell_of[bit - s->layout->offset[d]]) > here) << d;
    }
    if (farther) return farther;
    return ways & WAIT_WAY ? WAIT_WAY : ways;
}

static int draw_way(dl_rng *rng, unsigned ways)
{
    if (ways & (ways - 1))
        for (uint32_t skip = dl_rng_below(rng, (uint32_t)__builtin_popcount(ways)); skip > 0; skip--) ways &= ways - 1;
    return __builtin_ctz(ways);
}

/* The same where no conflict was paid for, which is every path of improvement: cells of layer 0 are never busy, so a
 * way in is open unless it is a swap. */
static bool walk_back_free(sweep_planner *s, int agent, int time, dl_tie_rule rule)
{
    const dl_board_layout *layout = s->layout;
    dl_track *track = &s->base.spare[agent];
    const size_t words = (size_t)layout->vectors * DL_VECTOR_WORDS, stride = s->job.stride * DL_VECTOR_WORDS;
    const uint64_t *same = layer_board(s, 0, time);
    if (!dl_track_reserve(track, time)) return false;
    const dl_field *distance = dl_planner_acquire(&s->base, agent);
    track->cost = time;
    int bit = s->job.goal_bit;
    track->at[time] = layout->cell_of[bit];
    for (int t = time; t > 0; t--) {
        const uint64_t *swaps = (const uint64_t *)dl_occupancy_board(&s->occupancy, still(s, t), DL_ROW_SWAP);
        unsigned ways = 0;
        same -= stride;
        for (int d = 0; d < DL_DIRECTIONS; d++)
            ways |= ((unsigned)word_test(same, bit - layout->offset[d]) &
                     (unsigned)!word_test(swaps + (size_t)d * words, bit))
                    << d;                                          /* without a branch */
        if (t < time) ways |= word_test(same, bit) ? WAIT_WAY : 0; /* the last step is a move */
        assert(ways);
        int way = draw_way(&s->base.rng, liked(s, ways, bit, rule, distance));
        if (way < DL_DIRECTIONS) bit -= layout->offset[way];
        track->at[t - 1] = layout->cell_of[bit];
    }
    if (distance) dl_distance_release(s->base.distance, agent);
    return true;
}

/* Walks from the end back to the start and writes the spare track. */
static bool walk_back(sweep_planner *s, int agent, const ending *end, dl_tie_rule rule)
{
    const dl_board_layout *layout = s->layout;
    dl_track *track = &s->base.spare[agent];
    if (!dl_track_reserve(track, end->time)) return false;
    const dl_field *distance = dl_planner_acquire(&s->base, agent);
    track->cost = end->time;
    int bit = s->job.goal_bit, c = end->layer;
    track->at[end->time] = layout->cell_of[bit];
    step_back b = {.words = (size_t)layout->vectors * DL_VECTOR_WORDS};
    for (int t = end->time; t > 0; t--) {
        b.same = layer_board(s, c, t - 1);
        b.lower = c ? layer_board(s, c - 1, t - 1) : NULL;
        b.row = (const uint64_t *)dl_occupancy_board(&s->occupancy, still(s, t), 0);
        b.busy = (const uint64_t *)s->job.busy + (size_t)still(s, t) * b.words;
        b.busy_was = (const uint64_t *)s->job.busy + (size_t)still(s, t - 1) * b.words;
        unsigned paid, ways = ways_into(s, &b, bit, &paid);
        if (t == end->time) ways &= WAIT_WAY - 1; /* the last step is a move */
        assert(ways);
        int way = draw_way(&s->base.rng, liked(s, ways, bit, rule, distance));
        if (way < DL_DIRECTIONS) bit -= layout->offset[way];
        c -= (int)(paid >> way & 1);
        track->at[t - 1] = layout->cell_of[bit];
    }
    if (distance) dl_distance_release(s->base.distance, agent);
    return true;
}

/* Sets the boards of time 0: the agent alone in layer 0, nobody in the layers above. */
static bool begin_layer(sweep_planner *s, int c, int start_bit)
{
    if (!reserve_layer(s, c, 0)) return false;
    dl_vector *first = s->layers[c].memory + layer_start(s);
    memset(first, 0, sizeof *first * (size_t)s->layout->vectors);
    if (c == 0) dl_board_set(first, start_bit);
    return true;
}

static bool begin_job(sweep_planner *s, dl_cell goal)
{
    sweep_job *job = &s->job;
    size_t vectors = (size_t)s->layout->vectors;
    job->rows = s->occupancy.rows;
    job->makespan = s->base.makespan;
    job->goal_bit = s->layout->bit_of[goal];
    if (!reserve_busy(s, 0)) return false;
    memcpy(job->busy, dl_occupancy_board(&s->occupancy, 0, DL_ROW_OCCUPIED), vectors * sizeof(dl_vector));
    memcpy(job->rest, dl_occupancy_board(&s->occupancy, 0, DL_ROW_ARRIVE), vectors * sizeof(dl_vector));
    return true;
}

static int out_of_memory(dl_planner *p)
{
    p->exhausted = true;
    return DL_NO_PATH;
}

static int plan(dl_planner *p, int agent, const dl_request *request)
{
    sweep_planner *s = of(p);
    dl_cell start = p->instance->start[agent], goal = p->instance->goal[agent];
    assert(!p->in_table[agent]);
    int last = last_visit(s, goal);
    int watch = request->earliest > last ? request->earliest : last < 0 ? 0 : last;
    int end = request->latest < DL_BOARD_LAST_TIME ? request->latest : DL_BOARD_LAST_TIME;
    if (request->hard && end < watch) return DL_NO_PATH;
    if (!begin_job(s, goal)) return out_of_memory(p);
    ending best = {INT_MAX, INT_MAX, 0};
    /* A step adds at most one conflict, and nobody needs more steps than to wait for all and cross the map. */
    int top = p->makespan + p->instance->grid->cells + request->earliest;
    if (top > request->most_conflicts) top = request->most_conflicts;
    if (request->hard) top = 0;
    for (int c = 0; c <= top && c <= best.total; c++) {
        int latest = c == best.total && best.time <= end ? best.time - 1 : end;
        if (latest < 0) break;
        if (!begin_layer(s, c, s->layout->bit_of[start])) return out_of_memory(p);
        bool there = c == 0 && watch == 0 && start == goal;
        int time = there ? 0 : sweep_layer(s, c, watch, latest);
        if (time >= 0) {
            best = (ending){c, time, c};
            break;
        }
        if (p->exhausted) return DL_NO_PATH;
        if (!request->hard) weigh_early_ends(s, c, goal, last, request->earliest, latest, &best);
    }
    if (best.total > top) return DL_NO_PATH;
    bool written = best.layer == 0 ? walk_back_free(s, agent, best.time, request->rule)
                                   : walk_back(s, agent, &best, request->rule);
    return written ? best.total : out_of_memory(p);
}

static bool insert(dl_planner *p, int agent)
{
    return dl_occupancy_insert(&of(p)->occupancy, agent, &p->track[agent]);
}

static void take_out(dl_planner *p, int agent)
{
    dl_occupancy_remove(&of(p)->occupancy, agent, p->track);
}

static void clear(dl_planner *p)
{
    dl_occupancy_clear(&of(p)->occupancy, p->makespan, p->instance->agents, p->track, p->in_table);
}

/* A set of agents being collected. */
typedef struct crowd {
    sweep_planner *s;
    int32_t *list;
    int count;
} crowd;

static void meet(crowd *c, int agent)
{
    if (c->s->mark[agent] == c->s->stamp) return;
    c->s->mark[agent] = c->s->stamp;
    c->list[c->count++] = agent;
}

static int partners(dl_planner *p, const dl_track *track, int limit, int32_t *list)
{
    sweep_planner *s = of(p);
    const dl_occupancy *o = &s->occupancy;
    crowd met = {s, list, 0};
    if (++s->stamp == 0) { /* stamps have run through: marks of the last round could be mistaken for new ones */
        memset(s->mark, 0, sizeof *s->mark * (size_t)p->room);
        s->stamp = 1;
    }
    int moving = track->cost < p->makespan ? track->cost : p->makespan;
    for (int t = 0; t <= track->cost && met.count <= limit; t++) {
        dl_cell cell = track->at[t];
        if (t <= moving) {
            for (uint16_t b = dl_occupancy_head(o, cell, t); b != DL_NOBODY; b = dl_occupancy_next(o, b, t))
                meet(&met, b);
            if (t > 0 && track->at[t - 1] != cell) {
                uint16_t b = dl_occupancy_head(o, track->at[t - 1], t);
                for (; b != DL_NOBODY; b = dl_occupancy_next(o, b, t))
                    if (p->track[b].at[t - 1] == cell) meet(&met, b);
            }
        }
        if (dl_planner_rest_time(p, cell) < t) meet(&met, p->goal_owner[cell]);
    }
    dl_cell goal = track->at[track->cost];
    for (int t = track->cost + 1; t <= p->makespan && met.count <= limit; t++)
        for (uint16_t b = dl_occupancy_head(o, goal, t); b != DL_NOBODY; b = dl_occupancy_next(o, b, t)) meet(&met, b);
    return met.count;
}

static const int32_t *passing_at(dl_planner *p, dl_cell cell, int time, int *count)
{
    sweep_planner *s = of(p);
    *count = 0;
    if (time > p->makespan) return s->at_list;
    for (uint16_t b = dl_occupancy_head(&s->occupancy, cell, time); b != DL_NOBODY;
         b = dl_occupancy_next(&s->occupancy, b, time))
        s->at_list[(*count)++] = b;
    return s->at_list;
}

static const dl_passing *passing(dl_planner *p, dl_cell cell, int *count)
{
    sweep_planner *s = of(p);
    int found = 0;
    for (int t = 0; t <= p->makespan && !p->exhausted; t++)
        for (uint16_t b = dl_occupancy_head(&s->occupancy, cell, t); b != DL_NOBODY;
             b = dl_occupancy_next(&s->occupancy, b, t)) {
            if (!DL_GROW(s->passing_list, s->passing_room, found + 1)) {
                p->exhausted = true;
                break;
            }
            s->passing_list[found++] = (dl_passing){t, b};
        }
    *count = found;
    return s->passing_list;
}

/* Lists may hold their agents in any order, so they are compared by what they contain. */
static bool audit(dl_planner *p)
{
    sweep_planner *s = of(p);
    const dl_occupancy *o = &s->occupancy;
    dl_occupancy fresh;
    bool same =
        dl_occupancy_begin(&fresh, s->layout, p->instance->agents) && dl_occupancy_reserve(&fresh, o->horizon - 1);
    for (int agent = 0; same && agent < p->instance->agents; agent++)
        if (p->in_table[agent]) same = dl_occupancy_insert(&fresh, agent, &p->track[agent]);
    same = same && fresh.horizon == o->horizon &&
           memcmp(fresh.rows, o->rows, (size_t)o->horizon * o->row_size * sizeof(dl_vector)) == 0;
    for (dl_cell cell = 0; same && cell < p->instance->grid->cells; cell++)
        for (int t = 0; same && t < o->horizon; t++) {
            int balance = 0;
            for (uint16_t b = dl_occupancy_head(o, cell, t); b != DL_NOBODY; b = dl_occupancy_next(o, b, t)) {
                same = same && p->in_table[b] && t <= p->track[b].cost && p->track[b].at[t] == cell;
                balance++;
            }
            for (uint16_t b = dl_occupancy_head(&fresh, cell, t); b != DL_NOBODY; b = dl_occupancy_next(&fresh, b, t))
                balance--;
            same = same && balance == 0;
        }
    int makespan = 0;
    for (int agent = 0; agent < p->instance->agents; agent++)
        if (p->in_table[agent] && p->track[agent].cost > makespan) makespan = p->track[agent].cost;
    dl_occupancy_end(&fresh);
    return same && makespan == p->makespan;
}

static void release(dl_planner *p)
{
    sweep_planner *s = of(p);
    dl_occupancy_end(&s->occupancy);
    for (int c = 0; c < s->layers_room; c++) free(s->layers[c].memory);
    free(s->layers);
    free(s->job.busy);
    free(s->job.rest);
    free(s->mark);
    free(s->at_list);
    free(s->passing_list);
    dl_board_layout_free(s->layout);
    dl_planner_end(p);
    free(s);
}

static const dl_planner_ops OPS = {"boards", insert,     take_out, clear, plan,
                                   partners, passing_at, passing,  audit, release};

dl_planner *dl_sweep_planner_create(const dl_instance *instance, dl_distance *distance)
{
    sweep_planner *s = DL_NEW(sweep_planner);
    if (!s) return NULL;
    bool fits = dl_planner_begin(&s->base, &OPS, instance, distance);
    s->base.last_time = DL_BOARD_LAST_TIME;
    s->layout = fits ? dl_board_layout_create(instance->grid) : NULL;
    if (!s->layout || !dl_occupancy_begin(&s->occupancy, s->layout, instance->agents)) {
        release(&s->base);
        return NULL;
    }
    s->kernels = choose_kernels(s->layout);
    s->job = (sweep_job){.row_size = s->occupancy.row_size,
                         .free = s->layout->free,
                         .rest = dl_aligned(sizeof(dl_vector) * (size_t)s->layout->vectors),
                         .stride = (size_t)(s->layout->vectors + s->layout->guard),
                         .step = s->layout->step,
                         .vectors = s->layout->vectors};
    s->mark = DL_ARRAY(uint32_t, instance->agents);
    s->at_list = DL_ARRAY(int32_t, instance->agents);
    if (s->job.rest && s->mark && s->at_list) return &s->base;
    release(&s->base);
    return NULL;
}
