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
    const dl_block *rows; /* of the occupancy */
    size_t row_size;
    int makespan;
    const dl_block *free;
    dl_block *rest;        /* [blocks]: cells with an agent at rest after the last computed time */
    dl_block *busy;        /* [time][blocks]: occupied or at rest */
    dl_block *layer;       /* the layer to compute: the board of time t lies at t * stride */
    const dl_block *lower; /* the layer of one conflict less; constant from lower_end on */
    size_t stride;
    int lower_end;
    int step, blocks, goal_bit;
} sweep_job;

typedef int (*kernel)(const sweep_job *job, int t, int end, int watch);

typedef struct kernel_pair {
    kernel first, next;
} kernel_pair;

#define RING   dl_ring_narrow
#define BLOCKS 1
#include "search/sweep_kernel.h"
#define BLOCKS 2
#include "search/sweep_kernel.h"
#define BLOCKS 3
#include "search/sweep_kernel.h"
#define BLOCKS 4
#include "search/sweep_kernel.h"
#define BLOCKS 5
#include "search/sweep_kernel.h"
#define BLOCKS 6
#include "search/sweep_kernel.h"
#define BLOCKS 8
#include "search/sweep_kernel.h"
#define BLOCKS 10
#include "search/sweep_kernel.h"
#define BLOCKS 12
#include "search/sweep_kernel.h"
#define BLOCKS 16
#include "search/sweep_kernel.h"
#undef RING
#define RING   dl_ring_wide
#define BLOCKS job->blocks
#define SUFFIX wide
#include "search/sweep_kernel.h"
#undef RING

static kernel_pair choose_kernels(const dl_board_layout *layout)
{
#define PAIR(n) ((kernel_pair){first_layer_##n, next_layer_##n})
    if (!layout->narrow) return PAIR(wide);
    switch (layout->blocks) {
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
    dl_block *memory;
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

/* The layer's board of time 0 lies behind a guard; room for times up to `time`. */
static void reserve_layer(sweep_planner *s, int c, int time)
{
    if (c >= s->layers_room) {
        int room = s->layers_room;
        DL_GROW(s->layers, s->layers_room, c + 1);
        memset(s->layers + room, 0, sizeof *s->layers * (size_t)(s->layers_room - room));
    }
    layer *l = &s->layers[c];
    if (time < l->room) return;
    int room = l->room ? l->room : 128;
    while (room <= time) room *= 2;
    size_t bytes = (layer_start(s) + (size_t)room * s->job.stride) * sizeof(dl_block);
    size_t kept = l->room ? (layer_start(s) + (size_t)l->room * s->job.stride) * sizeof(dl_block) : 0;
    dl_block *memory = dl_aligned(bytes);
    if (kept) memcpy(memory, l->memory, kept);
    memset((char *)memory + kept, 0, bytes - kept);
    free(l->memory);
    l->memory = memory;
    l->room = room;
}

static void reserve_busy(sweep_planner *s, int time)
{
    if (time < s->busy_room) return;
    int room = s->busy_room ? s->busy_room : 128;
    while (room <= time) room *= 2;
    size_t blocks = (size_t)s->layout->blocks;
    dl_block *busy = dl_aligned((size_t)room * blocks * sizeof *busy);
    if (s->busy_room) memcpy(busy, s->job.busy, (size_t)s->busy_room * blocks * sizeof *busy);
    free(s->job.busy);
    s->job.busy = busy;
    s->busy_room = room;
}

static bool reached(const sweep_planner *s, int c, int time, int bit)
{
    const layer *l = &s->layers[c];
    int t = time < l->end ? time : l->end;
    return dl_board_test(l->memory + layer_start(s) + (size_t)t * s->job.stride, bit);
}

/* Rows behind the makespan are all alike: the first of them stands for all. */
static int still(const sweep_planner *s, int time)
{
    return time <= s->job.makespan ? time : s->job.makespan + 1;
}

static bool busy(const sweep_planner *s, int time, int bit)
{
    return dl_board_test(s->job.busy + (size_t)still(s, time) * (size_t)s->layout->blocks, bit);
}

/* Is (bit, time, c) reached by moving in direction d? Then *c_before is the layer the move comes from. */
static bool comes_by_move(const sweep_planner *s, int c, int time, int bit, int d, int *c_before)
{
    int from = bit - s->layout->offset[d];
    if (from < 0 || from >= s->layout->blocks * DL_BLOCK_BITS) return false;
    bool conflict =
        busy(s, time, bit) || dl_board_test(dl_occupancy_board(&s->occupancy, still(s, time), DL_ROW_SWAP + d), bit);
    *c_before = c - conflict;
    return *c_before >= 0 && reached(s, *c_before, time - 1, from);
}

static bool comes_by_wait(const sweep_planner *s, int c, int time, int bit, int *c_before)
{
    *c_before = c - (busy(s, time, bit) && !busy(s, time - 1, bit));
    return *c_before >= 0 && reached(s, *c_before, time - 1, bit);
}

static bool arrives_by_move(const sweep_planner *s, int c, int time)
{
    int before;
    if (time == 0) return c == 0; /* starting on the goal is an arrival, too */
    for (int d = 0; d < DL_DIRECTIONS; d++)
        if (comes_by_move(s, c, time, s->job.goal_bit, d, &before)) return true;
    return false;
}

static int last_visit(const sweep_planner *s, dl_cell goal)
{
    int t = s->job.makespan;
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
        reserve_layer(s, c, end);
        if (c == 0) reserve_busy(s, end);
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
        const dl_block *now = job->layer + (size_t)t * job->stride;
        if (t > settled && memcmp(now, now - job->stride, sizeof(dl_block) * (size_t)s->layout->blocks) == 0) return -1;
        if (t >= latest) return -1;
    }
}

/* Ends of layer c before the goal's last visitor: each later visit is one more conflict. */
static void weigh_early_ends(const sweep_planner *s, int c, dl_cell goal, int last, int earliest, int latest,
                             ending *best)
{
    int later = last < 0 ? 0 : visitors(s, goal, last); /* behind t */
    for (int t = last - 1; t >= earliest; t--) {
        int total = c + later;
        if (total > best->total) return;
        bool better = t <= latest && (total < best->total || t < best->time);
        if (better && reached(s, c, t, s->job.goal_bit) && arrives_by_move(s, c, t)) *best = (ending){total, t, c};
        later += visitors(s, goal, t);
    }
}

/* One step back on the way to the goal. */
typedef struct predecessor {
    int bit, layer, action;
    int rank; /* how much the rule likes it: the least is taken */
} predecessor;

/* Ranks of a move from a cell farther from the goal, a wait, and a move from a nearer one. */
static const int RANK[DL_TIE_RULES][3] = {
    [DL_LATE_DEPARTURE] = {0, 1, 2}, [DL_WAIT_FIRST] = {1, 0, 2}, [DL_UNIFORM] = {0, 0, 0}};

static const predecessor *choose(sweep_planner *s, const predecessor *options, int count, const uint8_t *wish)
{
    int best[DL_ACTIONS], ties = 0;
    for (int i = 0; i < count; i++) {
        if (ties > 0) {
            const predecessor *rival = &options[best[0]];
            int wanted = wish ? wish[options[i].action] - wish[rival->action] : 0;
            int liked = wanted ? -wanted : options[i].rank - rival->rank;
            if (liked > 0) continue;
            if (liked < 0) ties = 0;
        }
        best[ties++] = i;
    }
    return &options[best[ties > 1 ? (int)dl_rng_below(&s->base.rng, (uint32_t)ties) : 0]];
}

/* Walks from the end back to the start and writes the spare track. */
static void walk_back(sweep_planner *s, int agent, const ending *end, dl_tie_rule rule)
{
    const dl_board_layout *layout = s->layout;
    const uint16_t *distance = dl_distance_acquire(s->base.distance, agent);
    const dl_preference *preference = s->base.preference ? &s->base.preference[agent] : NULL;
    dl_track *track = &s->base.spare[agent];
    dl_track_reserve(track, end->time);
    track->cost = end->time;
    int bit = s->job.goal_bit, c = end->layer;
    dl_cell cell = layout->cell_of[bit];
    track->at[end->time] = cell;
    for (int t = end->time; t > 0; t--) {
        predecessor options[DL_ACTIONS];
        int count = 0, before;
        for (int d = 0; d < DL_DIRECTIONS; d++)
            if (comes_by_move(s, c, t, bit, d, &before)) {
                int from = bit - layout->offset[d];
                bool farther = distance[layout->cell_of[from]] > distance[cell];
                options[count++] = (predecessor){from, before, d + 1, RANK[rule][farther ? 0 : 2]};
            }
        if (t < end->time && comes_by_wait(s, c, t, bit, &before))
            options[count++] = (predecessor){bit, before, DL_STAY, RANK[rule][1]};
        assert(count > 0);
        const uint8_t *wish =
            preference && t <= preference->steps ? preference->score + (size_t)(t - 1) * DL_ACTIONS : NULL;
        const predecessor *chosen = choose(s, options, count, wish);
        bit = chosen->bit;
        c = chosen->layer;
        cell = layout->cell_of[bit];
        track->at[t - 1] = cell;
    }
    dl_distance_release(s->base.distance, agent);
}

/* Sets the boards of time 0: the agent alone in layer 0, nobody in the layers above. */
static void begin_layer(sweep_planner *s, int c, int start_bit)
{
    reserve_layer(s, c, 0);
    dl_block *first = s->layers[c].memory + layer_start(s);
    memset(first, 0, sizeof *first * (size_t)s->layout->blocks);
    if (c == 0) dl_board_set(first, start_bit);
}

static void begin_job(sweep_planner *s, dl_cell goal)
{
    sweep_job *job = &s->job;
    size_t blocks = (size_t)s->layout->blocks;
    job->rows = s->occupancy.rows;
    job->makespan = s->base.makespan;
    job->goal_bit = s->layout->bit_of[goal];
    reserve_busy(s, 0);
    memcpy(job->busy, dl_occupancy_board(&s->occupancy, 0, DL_ROW_OCCUPIED), blocks * sizeof(dl_block));
    memcpy(job->rest, dl_occupancy_board(&s->occupancy, 0, DL_ROW_ARRIVE), blocks * sizeof(dl_block));
}

static int plan(dl_planner *p, int agent, const dl_request *request)
{
    sweep_planner *s = of(p);
    dl_cell start = p->instance->start[agent], goal = p->instance->goal[agent];
    assert(!p->in_table[agent]);
    begin_job(s, goal);
    int last = last_visit(s, goal);
    int watch = request->earliest > last ? request->earliest : last < 0 ? 0 : last;
    ending best = {INT_MAX, INT_MAX, 0};
    /* A step adds at most one conflict, and nobody needs more steps than to wait for all and cross the map. */
    int top = p->makespan + p->instance->grid->cells + request->earliest;
    if (top > request->most_conflicts) top = request->most_conflicts;
    if (request->hard) top = 0;
    for (int c = 0; c <= top && c <= best.total; c++) {
        int latest = c == best.total && best.time <= request->latest ? best.time - 1 : request->latest;
        if (latest < (request->hard ? watch : 0)) break;
        begin_layer(s, c, s->layout->bit_of[start]);
        bool there = c == 0 && watch == 0 && start == goal;
        int time = there ? 0 : sweep_layer(s, c, watch, latest);
        if (time >= 0) {
            best = (ending){c, time, c};
            break;
        }
        if (!request->hard) weigh_early_ends(s, c, goal, last, request->earliest, latest, &best);
    }
    if (best.total > top) return DL_NO_PATH;
    walk_back(s, agent, &best, request->rule);
    return best.total;
}

static void insert(dl_planner *p, int agent)
{
    dl_occupancy_insert(&of(p)->occupancy, agent, &p->track[agent]);
}

static void take_out(dl_planner *p, int agent)
{
    dl_occupancy_remove(&of(p)->occupancy, agent, p->track);
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
        memset(s->mark, 0, sizeof *s->mark * (size_t)p->instance->agents);
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
    for (int t = 0; t <= p->makespan; t++)
        for (uint16_t b = dl_occupancy_head(&s->occupancy, cell, t); b != DL_NOBODY;
             b = dl_occupancy_next(&s->occupancy, b, t)) {
            DL_GROW(s->passing_list, s->passing_room, found + 1);
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
    dl_occupancy_begin(&fresh, s->layout, p->instance->agents);
    dl_occupancy_reserve(&fresh, o->horizon - 1);
    for (int agent = 0; agent < p->instance->agents; agent++)
        if (p->in_table[agent]) dl_occupancy_insert(&fresh, agent, &p->track[agent]);
    bool same = fresh.horizon == o->horizon &&
                memcmp(fresh.rows, o->rows, (size_t)o->horizon * o->row_size * sizeof(dl_block)) == 0;
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

static const dl_planner_ops OPS = {"boards", insert, take_out, plan, partners, passing_at, passing, audit, release};

dl_planner *dl_sweep_planner_create(const dl_instance *instance, dl_distance *distance)
{
    sweep_planner *s = DL_NEW(sweep_planner);
    dl_planner_begin(&s->base, &OPS, instance, distance);
    s->layout = dl_board_layout_create(instance->grid);
    dl_occupancy_begin(&s->occupancy, s->layout, instance->agents);
    s->kernels = choose_kernels(s->layout);
    s->job = (sweep_job){.row_size = s->occupancy.row_size,
                         .free = s->layout->free,
                         .rest = dl_aligned(sizeof(dl_block) * (size_t)s->layout->blocks),
                         .stride = (size_t)(s->layout->blocks + s->layout->guard),
                         .step = s->layout->step,
                         .blocks = s->layout->blocks};
    s->mark = DL_ARRAY(uint32_t, instance->agents);
    s->at_list = DL_ARRAY(int32_t, instance->agents);
    return &s->base;
}
