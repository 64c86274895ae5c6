#include "support_joint.h"

#include "support.h"

/* Where everybody is, when (times after the last prefix are one), what it has visited, and who stays there for good. */
typedef struct joint {
    int cell[JOINT_MOST_AGENTS], visited[JOINT_MOST_AGENTS], done[JOINT_MOST_AGENTS];
    int time;
} joint;

typedef struct oracle {
    const dl_instance *instance;
    int agents, cells, last; /* last: the end of the longest prefix */
    int states;
    int *cost;  /* [states], the least known so far */
    int *next;  /* [states]: the queue of a cost as a list */
    int *queue; /* [room], by cost: the first state of its list, -1 = none */
    int room;
} oracle;

static int stops_of(const oracle *o, int agent)
{
    return dl_instance_stops(o->instance, agent);
}

static int code_of(const oracle *o, const joint *j)
{
    int code = j->time;
    for (int i = 0; i < o->agents; i++) {
        code = code * o->cells + j->cell[i];
        code = code * (stops_of(o, i) + 1) + j->visited[i];
        code = code * 2 + j->done[i];
    }
    return code;
}

static joint state_of(const oracle *o, int code)
{
    joint j;
    for (int i = o->agents - 1; i >= 0; i--) {
        j.done[i] = code % 2;
        code /= 2;
        j.visited[i] = code % (stops_of(o, i) + 1);
        code /= stops_of(o, i) + 1;
        j.cell[i] = code % o->cells;
        code /= o->cells;
    }
    j.time = code;
    return j;
}

static void offer(oracle *o, const joint *to, int cost)
{
    int code = code_of(o, to);
    if (cost >= o->cost[code]) return;
    if (cost >= o->room) {
        o->queue = realloc(o->queue, sizeof *o->queue * (size_t)(2 * cost + 16));
        for (; o->room < 2 * cost + 16; o->room++) o->queue[o->room] = -1;
    }
    /* A state that became cheaper is still in its old list. The lists are chained by state, so it is looked for there.
     */
    if (o->cost[code] < INT32_MAX) {
        int *link = &o->queue[o->cost[code]];
        while (*link != code) link = &o->next[*link];
        *link = o->next[code];
    }
    o->cost[code] = cost;
    o->next[code] = o->queue[cost];
    o->queue[cost] = code;
}

/* Is the agent held to a cell at this time? */
static bool is_held(const oracle *o, int agent, int time, int *cell)
{
    if (time > dl_instance_fixed(o->instance, agent)) return false;
    if (dl_instance_fixed(o->instance, agent) > 0) *cell = dl_errand_at(&o->instance->errand[agent], time);
    return dl_instance_fixed(o->instance, agent) > 0;
}

static bool collides(const joint *from, const joint *to, int agent)
{
    for (int i = 0; i < agent; i++) {
        if (to->cell[i] == to->cell[agent]) return true;
        if (to->cell[i] == from->cell[agent] && to->cell[agent] == from->cell[i]) return true;
    }
    return false;
}

/* Every legal step of the agents from number `agent` on; each that is not done costs one. */
static void step_on(oracle *o, const joint *from, joint *to, int agent, int cost)
{
    if (agent == o->agents) {
        to->time = from->time < o->last ? from->time + 1 : from->time;
        offer(o, to, cost);
        return;
    }
    const dl_cell *neighbor = o->instance->grid->neighbor[from->cell[agent]];
    int held = -1;
    /* At the last of all prefixes time stands still, and nobody is held any more. */
    bool is_bound = from->time < o->last && is_held(o, agent, from->time + 1, &held);
    for (int d = -1; d < (from->done[agent] ? 0 : DL_DIRECTIONS); d++) {
        int cell = d < 0 ? from->cell[agent] : neighbor[d];
        if (cell < 0 || (is_bound && cell != held)) continue;
        to->cell[agent] = cell;
        if (collides(from, to, agent)) continue;
        to->visited[agent] = from->visited[agent];
        if (to->visited[agent] < stops_of(o, agent) && o->instance->errand[agent].stop[to->visited[agent]] == cell)
            to->visited[agent]++;
        step_on(o, from, to, agent + 1, cost + !from->done[agent]);
    }
}

/* May the agent say that it stays for good: on its last goal, everything visited, and held to nothing else? */
static bool may_end(const oracle *o, const joint *j, int agent)
{
    if (j->done[agent] || j->cell[agent] != o->instance->goal[agent] || j->visited[agent] < stops_of(o, agent))
        return false;
    for (int time = j->time, held; is_held(o, agent, time, &held); time++)
        if (held != j->cell[agent]) return false;
    return true;
}

static bool is_over(const oracle *o, const joint *j)
{
    for (int i = 0; i < o->agents; i++)
        if (!j->done[i]) return false;
    return true;
}

static int search(oracle *o)
{
    for (int cost = 0; cost < o->room; cost++)
        while (o->queue[cost] >= 0) {
            int code = o->queue[cost];
            o->queue[cost] = o->next[code];
            joint from = state_of(o, code), to = from;
            if (is_over(o, &from)) return cost;
            o->cost[code] = -1; /* settled: nothing is cheaper */
            for (int i = 0; i < o->agents; i++) {
                if (!may_end(o, &from, i)) continue;
                joint ended = from;
                ended.done[i] = 1;
                offer(o, &ended, cost);
            }
            step_on(o, &from, &to, 0, cost);
        }
    return -1;
}

int joint_least_cost(const dl_instance *instance)
{
    oracle o = {.instance = instance,
                .agents = instance->agents,
                .cells = instance->grid->cells,
                .last = dl_instance_longest_prefix(instance)};
    o.states = o.last + 1;
    joint start = {.time = 0};
    for (int i = 0; i < o.agents; i++) {
        o.states *= o.cells * (stops_of(&o, i) + 1) * 2;
        start.cell[i] = instance->start[i];
        start.visited[i] = stops_of(&o, i) > 0 && instance->errand[i].stop[0] == instance->start[i];
    }
    o.cost = malloc(sizeof *o.cost * (size_t)o.states);
    o.next = malloc(sizeof *o.next * (size_t)o.states);
    for (int i = 0; i < o.states; i++) o.cost[i] = INT32_MAX;
    offer(&o, &start, 0);
    int found = search(&o);
    free(o.cost);
    free(o.next);
    free(o.queue);
    return found;
}
