#include "engine/sipps/sipps.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/sipps/events.h"
#include "engine/sipps/labels.h"

typedef struct sipps {
    dl_planner base;
    dl_events events;
    dl_labels labels;
    int32_t *chain; /* labels of the finished path, goal first */
    int chain_room;
    uint32_t *marked; /* [agents]: agents met by the current partner count */
    uint32_t mark;
    int32_t *found; /* answers of passing_at */
    int found_room;
    dl_passing *passed; /* answers of passing */
    int passed_room;
    int scanned; /* events of stays looked at since the last look at the clock: one may take a million steps */
} sipps;

/* From one goal to the next. */
typedef struct leg {
    const dl_field *distance; /* to the goal of this leg */
    int rest;                 /* from there to the last goal at least */
} leg;

/* What stays the same during one search, and what belongs to the label being expanded. */
typedef struct search {
    sipps *s;
    const dl_request *request;
    const leg *legs;
    dl_cell goal;
    int bound;       /* nobody arrives earlier without a conflict */
    int hold;        /* the first time at which the agent may come to rest on its goal */
    bool exact;      /* distances are measured where they are not known; otherwise lower bounds serve */
    bool greedy;     /* weighted: being nearer to the goal counts for more than being early */
    int most_labels; /* before the search gives up */
    const dl_route *route;
    int mark;                 /* of the leg of the label being expanded, above its flags */
    const dl_field *distance; /* of that leg */
    int rest;
    int latest;   /* the leg's goal must be reached by then */
    dl_cell stop; /* where it ends; DL_NO_CELL in the last one, which does not end by passing over the goal */
} search;

static void enter_leg(search *q, int number)
{
    assert(number >= 0 && number < q->route->legs);
    q->mark = number << DL_LEG_SHIFT;
    q->distance = q->legs[number].distance;
    q->rest = q->legs[number].rest;
    q->latest = q->request->latest - q->rest;
    q->stop = number < q->route->legs - 1 ? q->route->stop[number] : DL_NO_CELL;
}

static int steps_left(const search *q, dl_cell cell, bool *exact)
{
    *exact = true;
    return q->exact ? dl_field_at(q->distance, cell) : dl_field_bound(q->distance, cell, exact);
}

/* Greedy searches give up one step of time for as many steps nearer to the goal. */
enum { STEPS_FOR_ONE = 8 };

/* A maximal run of times at which a cell is free, or is passed or rested on by others. */
typedef struct interval {
    int hi; /* exclusive, DL_NEVER = no end */
    bool soft;
} interval;

static interval interval_at(const search *q, dl_cell cell, int time)
{
    const dl_event_list *list = &q->s->events.list[cell];
    int rest = dl_planner_rest_time(&q->s->base, cell);
    if (time >= rest) return (interval){DL_NEVER, true};
    int at = dl_events_find(list, time);
    if (at < list->count && dl_event_time(list->event[at]) == time) {
        int end = time + 1, first = at;
        for (; at < list->count && dl_event_time(list->event[at]) <= end; at++)
            if (dl_event_time(list->event[at]) == end) end++;
        q->s->scanned += at - first;
        return (interval){end >= rest ? DL_NEVER : end, true};
    }
    int end = at < list->count ? dl_event_time(list->event[at]) : DL_NEVER;
    if (rest < end) end = rest;
    /* Coming to rest before `earliest` is not wanted, so an arrival after it must be a label of its own. */
    if (cell == q->goal && time < q->request->earliest && q->request->earliest < end) end = q->request->earliest;
    return (interval){end, false};
}

/* Does the move from -> to, arriving at `time`, exchange places with somebody? */
static bool is_swap(const sipps *s, dl_cell from, dl_cell to, int time)
{
    const dl_event_list *list = &s->events.list[to];
    for (int at = dl_events_find(list, time - 1); at < list->count; at++) {
        if (dl_event_time(list->event[at]) != time - 1) return false;
        int other = dl_event_agent(list->event[at]);
        if (time <= dl_planner_known(&s->base, other) && s->base.track[other].at[time] == from) return true;
    }
    return false;
}

static void add_label(sipps *s, dl_label new)
{
    if (!dl_labels_add(&s->labels, new, &s->base.rng)) s->base.exhausted = true; /* the search ends */
}

/* The place of a label: on a cell from t on, answering for the times before hx, in an interval that ends at hi, with c
 * conflicts. */
typedef struct stand {
    dl_cell cell;
    int t, hx, hi, c;
} stand;

/* A successor of label `parent`; `bound` is a lower bound of the final arrival. */
static void add_child(const search *q, int parent, stand to, int bound, int flags)
{
    bool exact;
    int left = steps_left(q, to.cell, &exact) + q->rest, f = to.t + left;
    if ((f > bound ? f : bound) > q->request->latest || to.c > q->request->most_conflicts) return;
    if (q->greedy) f += left / STEPS_FOR_ONE;
    if (f < bound) f = bound;
    add_label(q->s, (dl_label){.cell = to.cell,
                               .t = to.t,
                               .hx = to.hx,
                               .hi = to.hi,
                               .f = f,
                               .left = (uint32_t)left | (exact || q->greedy ? 0 : DL_GUESSED),
                               .c = (uint32_t)to.c & DL_LOW_BITS(DL_CONFLICT_BITS),
                               .flags = (uint32_t)flags & DL_LOW_BITS(DL_FLAG_BITS),
                               .parent = parent,
                               .next_of_cell = DL_NO_LABEL});
}

/* The bound holds only for labels without conflicts. */
static int bound_of(const search *q, int c)
{
    return c == 0 ? q->bound : q->hold;
}

static void move_to(const search *q, int parent, dl_cell to)
{
    const dl_label x = q->s->labels.label[parent]; /* a copy: the pool may move */
    bool exact;
    int left = steps_left(q, to, &exact);
    for (int time = x.t + 1; time <= x.hx && time < DL_NEVER;) {
        if (time + left > q->latest) return;
        interval run = interval_at(q, to, time);
        int next = time + 1;
        bool later_fits = next < run.hi && next <= x.hx;
        if (run.soft) {
            if (!q->request->hard)
                add_child(q, parent, (stand){to, time, run.hi, run.hi, x.c + 1}, bound_of(q, x.c + 1), q->mark);
        } else if (!is_swap(q->s, x.cell, to, time)) {
            add_child(q, parent, (stand){to, time, run.hi, run.hi, x.c}, bound_of(q, x.c), q->mark);
        } else { /* only the first time of a free run can be a swap: nobody is there to swap with later */
            if (!q->request->hard)
                add_child(q, parent, (stand){to, time, later_fits ? next : run.hi, run.hi, x.c + 1},
                          bound_of(q, x.c + 1), q->mark);
            if (later_fits) add_child(q, parent, (stand){to, next, run.hi, run.hi, x.c}, bound_of(q, x.c), q->mark);
        }
        time = run.hi;
    }
}

static void wait_on(const search *q, int parent)
{
    const dl_label x = q->s->labels.label[parent];
    if (x.hx != x.hi || x.hi == DL_NEVER) return;
    interval run = interval_at(q, x.cell, x.hi);
    if (run.soft && q->request->hard) return;
    int c = x.c + run.soft;
    add_child(q, parent, (stand){x.cell, x.hi, run.hi, run.hi, c}, run.soft ? q->hold : bound_of(q, c),
              x.cell == q->goal ? DL_LINGERING | q->mark : q->mark);
}

/* How often others pass the goal after `time`. */
static int passings_after(const search *q, int time)
{
    const dl_event_list *list = &q->s->events.list[q->goal];
    return list->count - dl_events_find(list, time + 1);
}

/* Goes on with the leg of a label, or with the next one where that leg ends. Returns its flags then. */
static uint32_t pass_stop(search *q, const dl_label *x)
{
    int number = (int)x->flags >> DL_LEG_SHIFT;
    enter_leg(q, number);
    if (x->cell != q->stop) return x->flags;
    enter_leg(q, number + 1);
    return x->flags + (1u << DL_LEG_SHIFT);
}

/* Labels taken, and events of stays looked at, between two looks at the clock: about a millisecond. */
enum { POLL_LABELS = 1 << 12, POLL_EVENTS = 1 << 20 };

static bool is_late(sipps *s, unsigned turn)
{
    if (turn % POLL_LABELS != 0 && s->scanned < POLL_EVENTS) return false;
    s->scanned = 0;
    return dl_distance_is_late(s->base.distance);
}

/* The label that ends the search, or DL_NO_LABEL. */
static int find_goal(search *q)
{
    sipps *s = q->s;
    const dl_grid *grid = s->base.instance->grid;
    for (unsigned turn = 1; s->labels.open > 0 && s->labels.count <= q->most_labels && !s->base.exhausted; turn++) {
        if (is_late(s, turn)) break;
        int index = dl_labels_pop(&s->labels);
        dl_label x = s->labels.label[index];
        if (x.flags & DL_DEAD) continue;
        if (x.flags & DL_FINAL) return index;
        if (q->route->legs > 1) x.flags = s->labels.label[index].flags = pass_stop(q, &x) & DL_LOW_BITS(DL_FLAG_BITS);
        if (x.cell == q->goal && q->stop == DL_NO_CELL && !(x.flags & DL_LINGERING) && x.t >= q->hold) {
            int passings = passings_after(q, x.t);
            if (passings == 0) return index;
            if (x.c + passings <= q->request->most_conflicts) {
                dl_label final = x;
                final.c = (final.c + (uint32_t)passings) & DL_LOW_BITS(DL_CONFLICT_BITS);
                final.f = x.t;
                final.flags = x.flags | DL_FINAL;
                final.parent = index;
                add_label(s, final);
            }
        }
        for (int d = 0; d < DL_DIRECTIONS; d++)
            if (grid->neighbor[x.cell][d] != DL_NO_CELL) move_to(q, index, grid->neighbor[x.cell][d]);
        wait_on(q, index);
    }
    return DL_NO_LABEL;
}

/* The arrival times of a path may move back inside their intervals; where to is the tie rule's choice. Waiting first
 * keeps every arrival as early as it is; late departure takes the latest that costs nothing. */
static int shifted_arrival(const search *q, const dl_label *before, const dl_label *x, int next_arrival,
                           dl_tie_rule rule)
{
    int latest = next_arrival - 1;
    if (latest > before->hx) latest = before->hx;
    if (latest >= x->hx) latest = x->hx - 1;
    if (latest <= x->t || rule == DL_WAIT_FIRST) return x->t;
    int wanted = latest;
    if (rule == DL_UNIFORM) wanted = x->t + (int)dl_rng_below(&q->s->base.rng, (uint32_t)(latest - x->t + 1));
    while (wanted > x->t && is_swap(q->s, before->cell, x->cell, wanted)) wanted--;
    return wanted;
}

/* False when memory is out. */
static bool write_track(const search *q, int last, dl_track *track)
{
    sipps *s = q->s;
    int length = 0;
    for (int index = last; index != DL_NO_LABEL; index = s->labels.label[index].parent) {
        if (!DL_GROW(s->chain, s->chain_room, length + 1)) return false;
        s->chain[length++] = index;
    }
    int cost = s->labels.label[last].t, filled = cost;
    assert(cost >= q->route->time && s->labels.label[last].cell == q->goal);
    if (!dl_track_reserve(track, cost)) return false;
    track->cost = cost;
    track->at[cost] = s->labels.label[last].cell;
    /* From the goal back: label i is stood on from its arrival until the arrival of the one after it. */
    for (int i = 0, next_arrival = cost + 1; i < length; i++) {
        const dl_label *x = &s->labels.label[s->chain[i]];
        int arrival = x->t;
        if (i > 0 && i + 1 < length) {
            const dl_label *before = &s->labels.label[s->chain[i + 1]];
            if (before->cell != x->cell) arrival = shifted_arrival(q, before, x, next_arrival, q->request->rule);
        }
        assert(arrival >= x->t && arrival <= next_arrival);
        while (filled >= arrival) track->at[filled--] = x->cell;
        next_arrival = arrival;
    }
    return true;
}

static void release_legs(dl_planner *p, int agent, const dl_route *route, int first)
{
    for (int i = first; i < route->legs; i++) dl_distance_release_goal(p->distance, agent, route->visited + i);
}

/* The fields of all legs, to be released; false when time or memory is out: then none is held. */
static bool acquire_legs(dl_planner *p, int agent, const dl_route *route, leg *legs)
{
    for (int i = route->legs - 1; i >= 0; i--) {
        legs[i] = (leg){.distance = dl_distance_acquire_goal(p->distance, agent, route->visited + i)};
        int length = 0; /* of the leg after this one */
        if (legs[i].distance && i + 1 < route->legs)
            length = dl_field_at(legs[i + 1].distance, dl_route_target(route, i));
        if (!legs[i].distance || length == DL_UNREACHABLE) {
            release_legs(p, agent, route, legs[i].distance ? i : i + 1);
            if (dl_distance_starved(p->distance)) p->exhausted = true;
            return false;
        }
        if (i + 1 < route->legs) legs[i].rest = legs[i + 1].rest + length;
    }
    return true;
}

/* How long the agent can stay where its prefix ends. Its own prefix is in the table, but it is not in its own way; what
 * collides with it is counted apart. */
static interval interval_after_prefix(const search *q)
{
    int time = q->route->time, earliest = q->request->earliest;
    interval run = interval_at(q, q->route->from, time + 1);
    if (run.soft) return (interval){time + 1, false};
    if (q->route->from == q->goal && time < earliest && earliest < run.hi) run.hi = earliest;
    return run;
}

/* One search from the beginning: the label that ends it, or DL_NO_LABEL. */
static int search_once(search *q)
{
    sipps *s = q->s;
    const dl_route *route = q->route;
    dl_labels_clear(&s->labels);
    enter_leg(q, 0);
    interval first = route->time > 0 ? interval_after_prefix(q) : interval_at(q, route->from, 0);
    if (first.soft && q->request->hard) return DL_NO_LABEL;
    add_child(q, DL_NO_LABEL, (stand){route->from, route->time, first.hi, first.hi, first.soft}, q->bound, 0);
    return find_goal(q);
}

static bool gave_up(const search *q, int last)
{
    return last == DL_NO_LABEL && q->s->labels.count > q->most_labels;
}

/* On large maps lower bounds of distances, which cost nothing, lead to the goal with a few labels for each step of the
 * way where nobody is met. A search that needs more begins anew: greedily if it is in haste, otherwise, or if that did
 * not help either, with exact distances. */
enum { LABELS_A_STEP = 5, GREEDY_LABELS_A_STEP = 16 };

static int search_large_map(search *q)
{
    int way = dl_field_at(q->distance, q->route->from); /* before this question no bound is known */
    if (way == DL_UNREACHABLE) return DL_NO_LABEL;
    q->exact = false;
    q->most_labels = LABELS_A_STEP * (way + 1);
    int last = search_once(q);
    if (!gave_up(q, last)) return last;
    q->greedy = q->request->hasty;
    if (q->greedy) {
        q->most_labels = GREEDY_LABELS_A_STEP * (way + 1);
        last = search_once(q);
        if (!gave_up(q, last)) return last;
    }
    q->exact = true;
    q->most_labels = INT_MAX;
    return search_once(q);
}

static int search_route(search *q, dl_track *track)
{
    sipps *s = q->s;
    const dl_route *route = q->route;
    const dl_event_list *at_goal = &s->events.list[q->goal];
    int after_last = at_goal->count ? dl_event_time(at_goal->event[at_goal->count - 1]) + 1 : 0;
    if (route->time > 0 && after_last <= route->time + 1) after_last = 0; /* that was the prefix */
    q->hold = q->request->hard && after_last > q->request->earliest ? after_last : q->request->earliest;
    q->bound = after_last > q->hold ? after_last : q->hold;
    q->exact = true;
    q->most_labels = INT_MAX;
    enter_leg(q, 0);
    int last = q->distance->search && route->legs == 1 ? search_large_map(q) : search_once(q);
    if (last != DL_NO_LABEL && write_track(q, last, track)) return (int)s->labels.label[last].c;
    if (last != DL_NO_LABEL || dl_distance_starved(s->base.distance)) s->base.exhausted = true;
    return DL_NO_PATH;
}

/* A path that leads over several goals or begins with a prefix. */
static int plan_errand(dl_planner *p, int agent, const dl_request *request)
{
    leg legs[DL_MOST_GOALS] = {{0}};
    dl_route route = dl_planner_route(p, agent);
    dl_request asked = *request;
    int touched = route.time > 0 ? dl_planner_touches_prefix(p, agent) : 0;
    if (touched > 0 && (request->hard || touched > request->most_conflicts)) return DL_NO_PATH;
    asked.most_conflicts -= touched;
    if (dl_route_may_end_at_once(&route) && asked.latest < route.time) asked.latest = route.time;
    if (!acquire_legs(p, agent, &route, legs) || !legs[0].distance) return DL_NO_PATH;
    search q = {.s = (sipps *)p, .request = &asked, .goal = route.goal, .legs = legs, .route = &route};
    dl_track *track = &p->spare[agent];
    int result = search_route(&q, track);
    release_legs(p, agent, &route, 0);
    if (result == DL_NO_PATH) return DL_NO_PATH;
    if (route.time > 0) dl_errand_write(&p->instance->errand[agent], route.time, track->at);
    if (track->cost == route.time) track->cost = dl_instance_prefix_arrival(p->instance, agent);
    return result + touched;
}

static int plan(dl_planner *p, int agent, const dl_request *request)
{
    assert(!p->in_table[agent]);
    if (p->instance->errand) return plan_errand(p, agent, request);
    dl_route route = dl_planner_route(p, agent);
    leg only = {.distance = dl_planner_acquire(p, agent)};
    if (!only.distance) return DL_NO_PATH;
    search q = {.s = (sipps *)p, .request = request, .goal = route.goal, .legs = &only, .route = &route};
    int result = search_route(&q, &p->spare[agent]);
    dl_distance_release(p->distance, agent);
    return result;
}

static bool fix(dl_planner *p, int agent)
{
    const dl_errand *errand = &p->instance->errand[agent];
    dl_events *events = &((sipps *)p)->events;
    for (int t = 0; t < errand->walk; t++)
        if (!dl_events_add(events, errand->prefix[t], t, agent)) return false;
    return dl_events_add_stay(events, errand->prefix[errand->walk], errand->walk, errand->fixed, agent);
}

/* The last time, up to `end`, of the stay that is under way at time t. */
static int last_of_stay(const dl_track *track, int t, int end)
{
    while (t < end && track->at[t + 1] == track->at[t]) t++;
    return t;
}

static void remove_until(dl_planner *p, int agent, int end)
{
    const dl_track *track = &p->track[agent];
    for (int t = dl_planner_first(p, agent), last; t <= end; t = last + 1) {
        last = last_of_stay(track, t, end);
        dl_events_remove_stay(&((sipps *)p)->events, track->at[t], t, last, agent);
    }
}

static bool insert(dl_planner *p, int agent)
{
    const dl_track *track = &p->track[agent];
    for (int t = dl_planner_first(p, agent), last; t <= track->cost; t = last + 1) {
        last = last_of_stay(track, t, track->cost);
        if (dl_events_add_stay(&((sipps *)p)->events, track->at[t], t, last, agent)) continue;
        remove_until(p, agent, t - 1);
        return false;
    }
    return true;
}

static void remove_path(dl_planner *p, int agent)
{
    remove_until(p, agent, p->track[agent].cost);
}

static void clear(dl_planner *p)
{
    dl_events *events = &((sipps *)p)->events;
    for (int agent = 0; agent < p->instance->agents; agent++) {
        for (int t = 0; p->in_table[agent] && t <= p->track[agent].cost; t++)
            events->list[p->track[agent].at[t]].count = 0;
        for (int t = 0; dl_planner_first(p, agent) > 0 && t <= p->instance->errand[agent].walk; t++)
            events->list[p->instance->errand[agent].prefix[t]].count = 0;
    }
}

static void meet(sipps *s, int agent, int32_t *list, int *count)
{
    assert(agent >= 0 && agent < s->base.instance->agents);
    if (s->marked[agent] == s->mark || !s->base.in_table[agent]) return;
    s->marked[agent] = s->mark;
    list[(*count)++] = agent;
}

static int partners(dl_planner *p, const dl_track *track, int limit, int32_t *list)
{
    sipps *s = (sipps *)p;
    int count = 0;
    s->mark++;
    for (int t = 0; t <= track->cost && count <= limit; t++) {
        dl_cell cell = track->at[t];
        const dl_event_list *here = &s->events.list[cell];
        bool moved = t > 0 && track->at[t - 1] != cell;
        for (int at = dl_events_find(here, moved ? t - 1 : t); at < here->count; at++) {
            int time = dl_event_time(here->event[at]), other = dl_event_agent(here->event[at]);
            if (time > t) break;
            if (time == t || (t <= dl_planner_known(p, other) && p->track[other].at[t] == track->at[t - 1]))
                meet(s, other, list, &count);
        }
        if (dl_planner_rest_time(p, cell) < t) meet(s, dl_planner_goal_owner(p, cell), list, &count);
    }
    const dl_event_list *at_goal = &s->events.list[track->at[track->cost]];
    for (int at = dl_events_find(at_goal, track->cost + 1); at < at_goal->count && count <= limit; at++)
        meet(s, dl_event_agent(at_goal->event[at]), list, &count);
    return count;
}

static const int32_t *passing_at(dl_planner *p, dl_cell cell, int time, int *count)
{
    sipps *s = (sipps *)p;
    const dl_event_list *list = &s->events.list[cell];
    *count = 0;
    for (int at = dl_events_find(list, time); at < list->count && dl_event_time(list->event[at]) == time; at++) {
        if (!DL_GROW(s->found, s->found_room, *count + 1)) {
            p->exhausted = true;
            break;
        }
        s->found[(*count)++] = dl_event_agent(list->event[at]);
    }
    return s->found;
}

static const dl_passing *passing(dl_planner *p, dl_cell cell, int *count)
{
    sipps *s = (sipps *)p;
    const dl_event_list *list = &s->events.list[cell];
    *count = 0;
    if (!DL_GROW(s->passed, s->passed_room, list->count)) {
        p->exhausted = true;
        return s->passed;
    }
    for (int at = 0; at < list->count; at++)
        s->passed[at] = (dl_passing){dl_event_time(list->event[at]), dl_event_agent(list->event[at])};
    *count = list->count;
    return s->passed;
}

static bool audit(dl_planner *p)
{
    const sipps *s = (const sipps *)p;
    int cells = p->instance->grid->cells;
    dl_events fresh;
    bool same = dl_events_create(&fresh, cells);
    for (int agent = 0; agent < p->instance->agents; agent++)
        for (int t = 0; same && t <= dl_planner_known(p, agent); t++)
            same = dl_events_add(&fresh, p->track[agent].at[t], t, agent);
    for (int cell = 0; cell < cells && same; cell++) {
        const dl_event_list *is = &s->events.list[cell], *wanted = &fresh.list[cell];
        same = is->count == wanted->count &&
               (is->count == 0 || memcmp(is->event, wanted->event, sizeof *is->event * (size_t)is->count) == 0);
    }
    dl_events_free(&fresh);
    return same;
}

static void free_planner(dl_planner *p)
{
    sipps *s = (sipps *)p;
    dl_planner_end(p);
    dl_events_free(&s->events);
    dl_labels_free(&s->labels);
    free(s->chain);
    free(s->marked);
    free(s->found);
    free(s->passed);
    free(s);
}

static const dl_planner_ops OPS = {.name = "sipps",
                                   .insert = insert,
                                   .remove = remove_path,
                                   .fix = fix,
                                   .clear = clear,
                                   .plan = plan,
                                   .partners = partners,
                                   .passing_at = passing_at,
                                   .passing = passing,
                                   .audit = audit,
                                   .free = free_planner};

dl_planner *dl_sipps_planner_create(const dl_instance *instance, dl_distance *distance)
{
    sipps *s = DL_NEW(sipps);
    if (!s) return NULL;
    bool fits = dl_planner_begin(&s->base, &OPS, instance, distance);
    fits = dl_events_create(&s->events, instance->grid->cells) && fits;
    fits = dl_labels_create(&s->labels, instance->grid->cells) && fits;
    s->marked = DL_ARRAY(uint32_t, instance->agents);
    if (fits && s->marked) return &s->base;
    free_planner(&s->base);
    return NULL;
}
