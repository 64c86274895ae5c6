#include "mapf/check.h"

#include <stdlib.h>
#include <string.h>

#include "base/block.h"

/* How far an agent's errand is done. */
typedef struct errand_state {
    int visited; /* stops of its queue, in order */
    bool strayed;
} errand_state;

typedef struct checker {
    const dl_instance *instance;
    const dl_plan *plan;
    dl_check_result *result;
    difflns_violation *list;
    size_t room, listed;
    int32_t *here, *before; /* [height*width]: 1 + an agent on that square now, one step ago; 0 = nobody */
    int32_t *next_here;     /* [agents]: further agents on the same square now, 0 = end; chains start at here[] */
    int32_t *now, *was;     /* [agents]: the square of each now, one step ago; -1 = off the map */
    errand_state *errand;   /* [agents]; NULL if nobody has an errand */
} checker;

static void violate(checker *c, difflns_violation_kind kind, int agent, int other, int time, difflns_cell cell)
{
    c->result->violations++;
    c->result->by_kind[kind]++;
    if (c->listed < c->room) c->list[c->listed++] = (difflns_violation){kind, agent, other, time, cell};
}

static bool same(difflns_cell a, difflns_cell b)
{
    return a.row == b.row && a.col == b.col;
}

static bool adjacent(difflns_cell a, difflns_cell b)
{
    int64_t rows = (int64_t)a.row - b.row, cols = (int64_t)a.col - b.col;
    return (rows < 0 ? -rows : rows) + (cols < 0 ? -cols : cols) == 1;
}

/* The square's index on the map, or -1 when it is off the map. */
static int square(const checker *c, difflns_cell at)
{
    const dl_grid *grid = c->instance->grid;
    bool inside = at.row >= 0 && at.row < grid->height && at.col >= 0 && at.col < grid->width;
    return inside ? at.row * grid->width + at.col : -1;
}

static difflns_cell place(const checker *c, int agent, int time)
{
    const dl_path *path = &c->plan->path[agent];
    return path->at[time < path->length ? time : path->length - 1];
}

static int arrival(const dl_path *path)
{
    int time = path->length - 1;
    while (time > 0 && same(path->at[time], path->at[time - 1])) time--;
    return time;
}

/* The agent by itself; notes its square. */
static void check_alone(checker *c, int agent, int time)
{
    const dl_path *path = &c->plan->path[agent];
    if (time >= path->length) { /* resting: judged on arrival */
        c->now[agent] = c->was[agent];
        return;
    }
    difflns_cell at = path->at[time];
    int index = c->now[agent] = square(c, at);
    if (index < 0)
        violate(c, DIFFLNS_BOUNDS, agent, -1, time, at);
    else if (c->instance->grid->blocked[index])
        violate(c, DIFFLNS_OBSTACLE, agent, -1, time, at);
    if (time > 0 && !same(at, path->at[time - 1]) && !adjacent(at, path->at[time - 1]))
        violate(c, DIFFLNS_TELEPORT, agent, -1, time, at);
}

/* Every pair on one square, and every pair that exchanged squares since the step before. */
static void check_together(checker *c, int agents, int time)
{
    for (int agent = 0; agent < agents; agent++) {
        int index = c->now[agent];
        if (index < 0) continue;
        for (int other = c->here[index]; other != 0; other = c->next_here[other - 1])
            violate(c, DIFFLNS_VERTEX, other - 1, agent, time, place(c, agent, time));
        c->next_here[agent] = c->here[index];
        c->here[index] = agent + 1;
    }
    if (time == 0) return;
    for (int agent = 0; agent < agents; agent++) {
        int target = c->now[agent], origin = c->was[agent];
        if (target < 0 || origin < 0 || target == origin || !c->before[target]) continue;
        for (int other = c->here[origin]; other != 0; other = c->next_here[other - 1])
            if (other - 1 > agent && c->was[other - 1] == target)
                violate(c, DIFFLNS_SWAP, agent, other - 1, time, place(c, agent, time));
    }
}

/* Nobody is on the board of the step before any more, and the step at hand becomes it. */
static void step_on(checker *c, int agents, int time)
{
    for (int agent = 0; agent < agents && time > 0; agent++)
        if (c->was[agent] >= 0) c->before[c->was[agent]] = 0;
    int32_t *board = c->before, *squares = c->was;
    c->before = c->here;
    c->here = board;
    c->was = c->now;
    c->now = squares;
}

static void check_start(checker *c, int agent)
{
    difflns_cell is = c->plan->path[agent].at[0];
    if (square(c, is) != c->instance->grid->where[c->instance->start[agent]])
        violate(c, DIFFLNS_WRONG_START, agent, -1, 0, is);
}

static void check_end(checker *c, int agent)
{
    int last = c->plan->path[agent].length - 1;
    difflns_cell is = c->plan->path[agent].at[last];
    if (square(c, is) != c->instance->grid->where[c->instance->goal[agent]])
        violate(c, DIFFLNS_WRONG_GOAL, agent, -1, last, is);
}

/* The prefix, and the goals before the last one. Each is complained of once. */
static void check_errand(checker *c, int agent, int time)
{
    const dl_errand *errand = &c->instance->errand[agent];
    const int32_t *where = c->instance->grid->where;
    errand_state *state = &c->errand[agent];
    if (errand->fixed > 0 && time <= errand->fixed && c->now[agent] != where[dl_errand_at(errand, time)] &&
        !state->strayed) {
        state->strayed = true;
        violate(c, DIFFLNS_WRONG_PREFIX, agent, -1, time, place(c, agent, time));
    }
    if (state->visited < errand->stops && c->now[agent] == where[errand->stop[state->visited]]) state->visited++;
    if (time == c->plan->path[agent].length - 1 && state->visited < errand->stops)
        violate(c, DIFFLNS_MISSED_GOAL, agent, -1, time,
                dl_grid_position(c->instance->grid, errand->stop[state->visited]));
}

bool dl_check(const dl_instance *instance, const dl_plan *plan, dl_check_result *result, difflns_violation *list,
              size_t room, size_t *listed)
{
    memset(result, 0, sizeof *result);
    checker c = {.instance = instance, .plan = plan, .result = result, .list = list, .room = list ? room : 0};
    bool counts_match = plan->agents == instance->agents;
    int agents = counts_match ? plan->agents : 0, horizon = 0;
    if (!counts_match) violate(&c, DIFFLNS_AGENT_COUNT, plan->agents, -1, 0, (difflns_cell){0, 0});
    for (int agent = 0; agent < agents; agent++) {
        const dl_path *path = &plan->path[agent];
        if (path->length < 1) { /* an agent without a path is an agent that is not there */
            violate(&c, DIFFLNS_AGENT_COUNT, agent, -1, 0, (difflns_cell){0, 0});
            counts_match = false;
            continue;
        }
        int cost = arrival(path);
        result->soc += cost;
        if (cost > result->makespan) result->makespan = cost;
        if (path->length > horizon) horizon = path->length;
    }
    if (!counts_match) agents = 0;
    size_t area = (size_t)instance->grid->height * (size_t)instance->grid->width;
    void *memory;
    bool fits = DL_BLOCK(memory, DL_CUT(c.here, area), DL_CUT(c.before, area), DL_CUT(c.next_here, agents),
                         DL_CUT(c.now, agents), DL_CUT(c.was, agents), DL_CUT(c.errand, instance->errand ? agents : 0));
    int end = horizon;
    if (instance->errand) {
        int longest = dl_instance_longest_prefix(instance);
        if (longest >= end) end = longest + 1; /* agents that rest already may be held to go on */
    }
    for (int agent = 0; agent < agents && fits; agent++) check_start(&c, agent);
    for (int time = 0; time < end && agents > 0 && fits; time++) {
        for (int agent = 0; agent < agents; agent++) {
            check_alone(&c, agent, time);
            if (time == plan->path[agent].length - 1) check_end(&c, agent);
            if (instance->errand) check_errand(&c, agent, time);
        }
        if (time < horizon) check_together(&c, agents, time);
        step_on(&c, agents, time);
    }
    if (listed) *listed = c.listed;
    free(memory);
    return fits;
}

bool dl_check_valid(const dl_instance *instance, const dl_plan *plan)
{
    dl_check_result result;
    return dl_check(instance, plan, &result, NULL, 0, NULL) && result.violations == 0;
}
