#include "engine/boards/sweep.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/boards/layers.h"

/* A set of ways to have come to a cell, written out. */
typedef struct way_set {
    uint8_t count, way[DL_DIRECTIONS + 1];
} way_set;

typedef struct sweep_planner {
    dl_planner base;
    dl_board_layout *layout;
    dl_occupancy occupancy;
    dl_layers layers;
    way_set ways[1 << (DL_DIRECTIONS + 1)];
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

/* When somebody last passes the goal after the fixed part of the route; -1 = nobody does. */
static int last_visit(const sweep_planner *s, const dl_route *route)
{
    int t = s->base.makespan, first = route->time > 0 ? route->time + 1 : 0;
    while (t >= first && dl_occupancy_head(&s->occupancy, route->goal, t) == DL_NOBODY) t--;
    return t >= first ? t : -1;
}

static int visitors(const sweep_planner *s, dl_cell cell, int time)
{
    int count = 0;
    for (uint16_t b = dl_occupancy_head(&s->occupancy, cell, time); b != DL_NOBODY;
         b = dl_occupancy_next(&s->occupancy, b, time))
        count++;
    return count;
}

/* Ends of layer c before the goal's last visitor: each later visit is one more conflict. */
static void weigh_early_ends(const sweep_planner *s, int c, int last, int earliest, int latest, ending *best)
{
    const dl_layers *l = &s->layers;
    dl_cell goal = l->route.goal;
    if (earliest < l->route.time) earliest = l->route.time;
    int later = last < 0 ? 0 : visitors(s, goal, last); /* after t */
    for (int t = last - 1; t >= earliest; t--) {
        int total = c + later;
        if (total > best->total) return;
        bool better = t <= latest && (total < best->total || t < best->time);
        if (better && dl_layers_reached(l, c, l->route.legs - 1, t, l->job.goal_bit) && dl_layers_arrive(l, c, t))
            *best = (ending){total, t, c};
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

/* Choices among at most five ways, several from one random word: each takes the digits it needs, and what is left over
 * decides the next. After eight of them a choice is off by less than one in fifty thousand. */
typedef struct way_draw {
    dl_rng *rng;
    uint32_t digits;
    int left; /* choices until the next word */
} way_draw;

enum { CHOICES_OF_A_WORD = 8 };

static int draw_way(const sweep_planner *s, way_draw *draw, unsigned ways)
{
    if ((ways & (ways - 1)) == 0) return __builtin_ctz(ways);
    if (draw->left-- == 0) {
        draw->digits = dl_rng_u32(draw->rng);
        draw->left = CHOICES_OF_A_WORD - 1;
    }
    uint64_t product = (uint64_t)draw->digits * s->ways[ways].count;
    draw->digits = (uint32_t)product;
    return s->ways[ways].way[product >> 32];
}

/* The fixed part of the path, before what was searched. */
static bool begin_track(sweep_planner *s, int agent, int cost)
{
    dl_track *track = &s->base.spare[agent];
    const dl_route *route = &s->layers.route;
    if (!dl_track_reserve(track, cost)) return false;
    if (route->time > 0) dl_errand_write(&s->base.instance->errand[agent], route->time - 1, track->at);
    track->cost = cost;
    track->at[cost] = route->goal;
    return true;
}

/* The way back where no conflict was paid for and there is one goal, which is every path of improvement: cells of layer
 * 0 are never busy, so a way in is open unless it is a swap. */
static bool walk_back_free(sweep_planner *s, int agent, int time, dl_tie_rule rule)
{
    const dl_board_layout *layout = s->layout;
    const dl_layers *l = &s->layers;
    const size_t words = (size_t)layout->vectors * DL_VECTOR_WORDS, stride = l->job.stride * DL_VECTOR_WORDS;
    const uint64_t *same = (const uint64_t *)dl_layers_board(l, 0, 0, time);
    if (!begin_track(s, agent, time)) return false;
    const dl_field *distance = rule == DL_UNIFORM ? NULL : dl_planner_acquire(&s->base, agent);
    way_draw draw = {.rng = &s->base.rng};
    dl_cell *at = s->base.spare[agent].at;
    int bit = l->job.goal_bit;
    for (int t = time; t > l->route.time; t--) {
        const uint64_t *swaps = (const uint64_t *)dl_occupancy_board(&s->occupancy, dl_layers_still(l, t), DL_ROW_SWAP);
        unsigned ways = 0;
        same -= stride;
        for (int d = 0; d < DL_DIRECTIONS; d++)
            ways |= ((unsigned)word_test(same, bit - layout->offset[d]) &
                     (unsigned)!word_test(swaps + (size_t)d * words, bit))
                    << d;                                          /* without a branch */
        if (t < time) ways |= word_test(same, bit) ? WAIT_WAY : 0; /* the last step is a move */
        assert(ways);
        int way = draw_way(s, &draw, liked(s, ways, bit, rule, distance));
        if (way < DL_DIRECTIONS) bit -= layout->offset[way];
        at[t - 1] = layout->cell_of[bit];
    }
    if (distance) dl_distance_release(s->base.distance, agent);
    return true;
}

/* The field of a leg's goal, which stands in for the one before; NULL when there is no time or memory for it. */
static const dl_field *change_leg(sweep_planner *s, int agent, const dl_field *old, int leg)
{
    int goal = s->layers.route.visited + leg;
    if (old) dl_distance_release_goal(s->base.distance, agent, goal + 1);
    return dl_distance_acquire_goal(s->base.distance, agent, goal);
}

/* Walks from the end back to where the route begins and writes the spare track. */
static bool walk_back(sweep_planner *s, int agent, const ending *end, dl_tie_rule rule)
{
    const dl_board_layout *layout = s->layout;
    const dl_layers *l = &s->layers;
    int bit = l->job.goal_bit, c = end->layer, leg = l->route.legs - 1;
    if (!begin_track(s, agent, end->time)) return false;
    const dl_field *distance = dl_planner_acquire(&s->base, agent);
    dl_cell *at = s->base.spare[agent].at;
    way_draw draw = {.rng = &s->base.rng};
    step_back b = {.words = (size_t)layout->vectors * DL_VECTOR_WORDS};
    for (int t = end->time; t > l->route.time; t--) {
        /* A goal on the way is visited as late as it can be. */
        if (leg > 0 && bit == dl_layers_target(l, leg - 1) && dl_layers_reached(l, c, leg - 1, t, bit))
            distance = change_leg(s, agent, distance, --leg);
        b.same = (const uint64_t *)dl_layers_board(l, c, leg, t - 1);
        b.lower = c ? (const uint64_t *)dl_layers_board(l, c - 1, leg, t - 1) : NULL;
        b.row = (const uint64_t *)dl_occupancy_board(&s->occupancy, dl_layers_still(l, t), 0);
        b.busy = (const uint64_t *)dl_layers_busy(l, t);
        b.busy_was = (const uint64_t *)dl_layers_busy(l, t - 1);
        unsigned paid, ways = ways_into(s, &b, bit, &paid);
        if (t == end->time) ways &= WAIT_WAY - 1; /* the last step is a move */
        assert(ways);
        int way = draw_way(s, &draw, liked(s, ways, bit, rule, distance));
        if (way < DL_DIRECTIONS) bit -= layout->offset[way];
        c -= (int)(paid >> way & 1);
        at[t - 1] = layout->cell_of[bit];
    }
    if (distance) dl_distance_release_goal(s->base.distance, agent, l->route.visited + leg);
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
    const dl_route route = dl_planner_route(p, agent);
    assert(!p->in_table[agent]);
    int touched = route.time > 0 ? dl_planner_touches_prefix(p, agent) : 0;
    int last = last_visit(s, &route);
    int watch = request->earliest > last ? request->earliest : last < 0 ? 0 : last;
    int end = request->latest < DL_BOARD_LAST_TIME ? request->latest : DL_BOARD_LAST_TIME;
    if (dl_route_may_end_at_once(&route) && end < route.time) end = route.time;
    if (request->hard && (end < watch || touched > 0)) return DL_NO_PATH;
    if (!dl_layers_open(&s->layers, &route, p->makespan)) return out_of_memory(p);
    ending best = {INT_MAX, INT_MAX, 0};
    /* A step adds at most one conflict, and nobody needs more steps than to wait for all and cross the map. */
    int top = p->makespan + route.legs * p->instance->grid->cells + request->earliest;
    if (top > request->most_conflicts - touched) top = request->most_conflicts - touched;
    if (request->hard) top = 0;
    for (int c = 0; c <= top && c <= best.total; c++) {
        int latest = c == best.total && best.time <= end ? best.time - 1 : end;
        if (latest < route.time) break;
        int time = dl_layers_sweep(&s->layers, c, watch, latest);
        if (time == DL_LAYERS_EXHAUSTED) return out_of_memory(p);
        if (time >= 0) {
            best = (ending){c, time, c};
            break;
        }
        if (!request->hard) weigh_early_ends(s, c, last, request->earliest, latest, &best);
    }
    if (best.total > top) return DL_NO_PATH;
    bool written = best.layer == 0 && route.legs == 1 ? walk_back_free(s, agent, best.time, request->rule)
                                                      : walk_back(s, agent, &best, request->rule);
    if (!written) return out_of_memory(p);
    if (best.time == route.time) p->spare[agent].cost = dl_instance_prefix_arrival(p->instance, agent);
    return best.total + touched;
}

static bool insert(dl_planner *p, int agent)
{
    return dl_occupancy_insert(&of(p)->occupancy, agent, &p->track[agent], dl_planner_first(p, agent));
}

static bool fix(dl_planner *p, int agent)
{
    return dl_occupancy_fix(&of(p)->occupancy, agent, p->track[agent].at, dl_instance_fixed(p->instance, agent));
}

static void take_out(dl_planner *p, int agent)
{
    dl_occupancy_remove(&of(p)->occupancy, agent, p->track, dl_planner_first(p, agent));
}

static void clear(dl_planner *p)
{
    dl_occupancy_clear(&of(p)->occupancy, p->makespan, p->instance, p->track, p->in_table);
}

/* A set of agents being collected. */
typedef struct crowd {
    sweep_planner *s;
    int32_t *list;
    int count;
} crowd;

static void meet(crowd *c, int agent)
{
    assert(agent >= 0 && agent < c->s->base.instance->agents);
    if (c->s->mark[agent] == c->s->stamp || !c->s->base.in_table[agent]) return;
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
        if (dl_planner_rest_time(p, cell) < t) meet(&met, dl_planner_goal_owner(p, cell));
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
    for (int agent = 0; same && agent < p->instance->agents; agent++) {
        int fixed = dl_instance_fixed(p->instance, agent);
        if (fixed > 0) same = dl_occupancy_fix(&fresh, agent, p->track[agent].at, fixed);
        if (same && p->in_table[agent])
            same = dl_occupancy_insert(&fresh, agent, &p->track[agent], dl_planner_first(p, agent));
    }
    same = same && fresh.horizon == o->horizon &&
           memcmp(fresh.rows, o->rows, (size_t)o->horizon * o->row_size * sizeof(dl_vector)) == 0;
    for (dl_cell cell = 0; same && cell < p->instance->grid->cells; cell++)
        for (int t = 0; same && t < o->horizon; t++) {
            int balance = 0;
            for (uint16_t b = dl_occupancy_head(o, cell, t); b != DL_NOBODY; b = dl_occupancy_next(o, b, t)) {
                same = same && t <= dl_planner_known(p, b) && p->track[b].at[t] == cell;
                balance++;
            }
            for (uint16_t b = dl_occupancy_head(&fresh, cell, t); b != DL_NOBODY; b = dl_occupancy_next(&fresh, b, t))
                balance--;
            same = same && balance == 0;
        }
    int makespan = dl_instance_longest_prefix(p->instance);
    for (int agent = 0; agent < p->instance->agents; agent++)
        if (p->in_table[agent] && p->track[agent].cost > makespan) makespan = p->track[agent].cost;
    dl_occupancy_end(&fresh);
    return same && makespan == p->makespan;
}

static void release(dl_planner *p)
{
    sweep_planner *s = of(p);
    dl_occupancy_end(&s->occupancy);
    dl_layers_end(&s->layers);
    free(s->mark);
    free(s->at_list);
    free(s->passing_list);
    dl_board_layout_free(s->layout);
    dl_planner_end(p);
    free(s);
}

static const dl_planner_ops OPS = {.name = "boards",
                                   .insert = insert,
                                   .remove = take_out,
                                   .fix = fix,
                                   .clear = clear,
                                   .plan = plan,
                                   .partners = partners,
                                   .passing_at = passing_at,
                                   .passing = passing,
                                   .audit = audit,
                                   .free = release};

dl_planner *dl_sweep_planner_create(const dl_instance *instance, dl_distance *distance)
{
    sweep_planner *s = DL_NEW(sweep_planner);
    if (!s) return NULL;
    bool fits = dl_planner_begin(&s->base, &OPS, instance, distance);
    s->base.last_time = DL_BOARD_LAST_TIME;
    s->layout = fits ? dl_board_layout_create(instance->grid) : NULL;
    fits = s->layout && dl_occupancy_begin(&s->occupancy, s->layout, instance->agents);
    fits = fits && dl_layers_begin(&s->layers, s->layout, &s->occupancy);
    for (unsigned ways = 0; ways < 1 << (DL_DIRECTIONS + 1); ways++)
        for (int way = 0; way <= DL_DIRECTIONS; way++)
            if (ways >> way & 1) s->ways[ways].way[s->ways[ways].count++] = (uint8_t)way;
    s->mark = DL_ARRAY(uint32_t, instance->agents);
    s->at_list = DL_ARRAY(int32_t, instance->agents);
    if (fits && s->mark && s->at_list) return &s->base;
    release(&s->base);
    return NULL;
}
