#include "support_worlds.h"

#include "base/memory.h"

/* ---- Maps and rings -----------------------------------------------------------------------------------------------
 */

static void follow_ring(world *w, uint8_t *way, int length, uint32_t used)
{
    for (int d = 0; d < DL_DIRECTIONS; d++) {
        dl_cell next = w->grid->neighbor[way[length - 1]][d];
        if (next == DL_NO_CELL) continue;
        if (next == way[0] && length >= 4 && way[1] < way[length - 1]) {
            assert_true(w->rings < WORLD_MAX_RINGS);
            w->ring[w->rings].length = length;
            w->ring[w->rings].mask = used;
            memcpy(w->ring[w->rings++].cell, way, (size_t)length);
        }
        if (next <= way[0] || used >> next & 1) continue;
        way[length] = (uint8_t)next;
        follow_ring(w, way, length + 1, used | 1u << next);
    }
}

void world_create(world *w, int height, int width, uint64_t free_cells)
{
    uint8_t blocked[WORLD_MAX_SQUARES], way[WORLD_MAX_CELLS];
    for (int i = 0; i < height * width; i++) blocked[i] = !(free_cells >> i & 1);
    w->rings = 0;
    assert_int_equal(dl_grid_create(height, width, blocked, &w->grid, NULL), DIFFLNS_OK);
    for (dl_cell cell = 0; cell < w->grid->cells; cell++) {
        way[0] = (uint8_t)cell;
        follow_ring(w, way, 1, 1u << cell);
    }
}

void world_free(world *w)
{
    dl_grid_free(w->grid);
}

/* ---- Groups ---------------------------------------------------------------------------------------------------------
 */

typedef struct explorer {
    world_group *group;
    int32_t *index; /* by set: its number, -1 = not reached */
} explorer;

static void add_generator(world_group *group, const world_permutation *g)
{
    bool identity = true;
    for (int agent = 0; agent < group->agents; agent++) identity &= g->to[agent] == agent;
    if (identity) return;
    for (int i = group->generators - 1; i >= 0 && i >= group->generators - 8; i--)
        if (memcmp(group->generator[i].to, g->to, (size_t)group->agents) == 0) return; /* the commonest repetitions */
    if (!DL_GROW(group->generator, group->generator_room, group->generators + 1)) abort();
    group->generator[group->generators++] = *g;
}

static void arrive(explorer *e, uint32_t set, const world_permutation *arrangement)
{
    world_group *group = e->group;
    if (e->index[set] < 0) {
        e->index[set] = group->sets;
        group->set[group->sets] = set;
        group->arrangement[group->sets++] = *arrangement;
        return;
    }
    uint8_t agent_at[WORLD_MAX_CELLS];
    world_permutation g;
    const world_permutation *known = &group->arrangement[e->index[set]];
    for (int agent = 0; agent < group->agents; agent++) agent_at[known->to[agent]] = (uint8_t)agent;
    for (int agent = 0; agent < group->agents; agent++) g.to[agent] = agent_at[arrangement->to[agent]];
    add_generator(group, &g);
}

static void step_from(explorer *e, const world *w, uint32_t set, world_permutation at, dl_rules rules)
{
    int agents = e->group->agents;
    for (int agent = 0; agent < agents; agent++) {
        int cell = at.to[agent];
        for (int d = 0; d < DL_DIRECTIONS; d++) {
            dl_cell next = w->grid->neighbor[cell][d];
            if (next == DL_NO_CELL || set >> next & 1) continue;
            at.to[agent] = (uint8_t)next;
            arrive(e, (set & ~(1u << cell)) | 1u << next, &at);
            at.to[agent] = (uint8_t)cell;
        }
    }
    for (int r = 0; rules == DL_RULES_MAPF && r < w->rings; r++) {
        if (w->ring[r].mask & ~set) continue;
        uint8_t ahead[WORLD_MAX_CELLS];
        for (int cell = 0; cell < w->grid->cells; cell++) ahead[cell] = (uint8_t)cell;
        for (int i = 0; i < w->ring[r].length; i++)
            ahead[w->ring[r].cell[i]] = w->ring[r].cell[(i + 1) % w->ring[r].length];
        world_permutation turned;
        for (int agent = 0; agent < agents; agent++) turned.to[agent] = ahead[at.to[agent]];
        arrive(e, set, &turned);
    }
}

void world_group_find(const world *w, int agents, dl_rules rules, world_group *group)
{
    size_t all = (size_t)1 << w->grid->cells;
    *group = (world_group){
        .agents = agents, .set = DL_ARRAY(uint32_t, all), .arrangement = DL_ARRAY(world_permutation, all)};
    explorer e = {.group = group, .index = DL_ARRAY(int32_t, all)};
    memset(e.index, 0xFF, all * sizeof *e.index);
    world_permutation first = {{0}};
    for (int agent = 0; agent < agents; agent++) first.to[agent] = (uint8_t)agent;
    arrive(&e, (1u << agents) - 1, &first);
    for (int s = 0; s < group->sets; s++) step_from(&e, w, group->set[s], group->arrangement[s], rules);
    free(e.index);
}

void world_group_free(world_group *group)
{
    free(group->set);
    free(group->arrangement);
    free(group->generator);
}

/* Sims's table: coset[i][j] moves i to j and fixes everything below i. Products of one entry a row are all different,
 * so their number is a lower bound of the group's order, and exact once the table is full. */
typedef struct sims_table {
    int agents;
    bool filled[WORLD_MAX_CELLS][WORLD_MAX_CELLS];
    world_permutation coset[WORLD_MAX_CELLS][WORLD_MAX_CELLS];
} sims_table;

static bool sift(sims_table *t, world_permutation g)
{
    for (int i = 0; i < t->agents; i++) {
        int j = g.to[i];
        if (j == i) continue;
        if (!t->filled[i][j]) {
            t->filled[i][j] = true;
            t->coset[i][j] = g;
            return true;
        }
        uint8_t inverse[WORLD_MAX_CELLS];
        for (int k = 0; k < t->agents; k++) inverse[t->coset[i][j].to[k]] = (uint8_t)k;
        for (int k = 0; k < t->agents; k++) g.to[k] = inverse[g.to[k]];
    }
    return false;
}

static uint64_t table_order(const sims_table *t)
{
    uint64_t order = 1;
    for (int i = 0; i < t->agents; i++) {
        uint64_t row = 1;
        for (int j = 0; j < t->agents; j++) row += t->filled[i][j];
        order *= row;
    }
    return order;
}

bool world_group_reaches(const world_group *group, uint64_t order)
{
    if (order <= 1) return true;
    if (group->generators == 0) return false;
    sims_table table = {.agents = group->agents};
    const world_permutation *needed[WORLD_MAX_CELLS * WORLD_MAX_CELLS]; /* the others are products of these */
    uint32_t count = 0;
    for (int i = 0; i < group->generators; i++)
        if (sift(&table, group->generator[i])) needed[count++] = &group->generator[i];
    if (table_order(&table) >= order) return true;
    /* Random products reach what is missing; forty in a row without news happen with probability below 2^-40. */
    dl_rng rng = dl_rng_stream(1, DL_PURPOSE('s', 'i', 'm', 's'), 0);
    world_permutation product = group->generator[0];
    for (int barren = 0; barren < 40 * group->agents; barren++) {
        for (int k = (int)dl_rng_below(&rng, 20); k >= 0; k--) {
            const world_permutation *g = needed[dl_rng_below(&rng, count)];
            for (int i = 0; i < group->agents; i++) product.to[i] = g->to[product.to[i]];
        }
        if (!sift(&table, product)) continue;
        if (table_order(&table) >= order) return true;
        barren = 0;
    }
    return table_order(&table) >= order;
}

/* ---- Joint states
 * ----------------------------------------------------------------------------------------------------- */

typedef struct joint {
    const dl_grid *grid;
    int agents;
    dl_rules rules;
    uint8_t *seen;
    uint64_t *queue;
    uint64_t tail;
    uint8_t from[WORLD_MAX_CELLS], to[WORLD_MAX_CELLS];
} joint;

static uint64_t encode(const joint *j, const uint8_t *at)
{
    uint64_t code = 0;
    for (int agent = 0; agent < j->agents; agent++) code = code * (uint64_t)j->grid->cells + at[agent];
    return code;
}

static void decode(const joint *j, uint64_t code, uint8_t *at)
{
    for (int agent = j->agents - 1; agent >= 0; agent--) {
        at[agent] = (uint8_t)(code % (uint64_t)j->grid->cells);
        code /= (uint64_t)j->grid->cells;
    }
}

/* Tries every choice of the agents from `agent` on; the rules are applied as they are stated. */
static void choose_steps(joint *j, int agent, int moved)
{
    if (agent == j->agents) {
        uint64_t code = encode(j, j->to);
        if (j->seen[code]) return;
        j->seen[code] = 1;
        j->queue[j->tail++] = code;
        return;
    }
    for (int d = -1; d < DL_DIRECTIONS; d++) {
        dl_cell to = d < 0 ? j->from[agent] : j->grid->neighbor[j->from[agent]][d];
        if (to == DL_NO_CELL || (d >= 0 && moved && j->rules == DL_RULES_PEBBLE)) continue;
        bool allowed = true;
        for (int other = 0; other < agent; other++) {
            allowed &= j->to[other] != to;
            allowed &= !(j->to[other] == j->from[agent] && j->from[other] == to);
        }
        for (int other = 0; other < j->agents && j->rules == DL_RULES_PEBBLE && d >= 0; other++)
            allowed &= j->from[other] != to;
        if (!allowed) continue;
        j->to[agent] = (uint8_t)to;
        choose_steps(j, agent + 1, moved + (d >= 0));
    }
}

int world_shortest_plan(const dl_instance *instance, dl_rules rules)
{
    joint j = {.grid = instance->grid, .agents = instance->agents, .rules = rules};
    uint64_t states = 1;
    for (int agent = 0; agent < instance->agents; agent++) states *= (uint64_t)instance->grid->cells;
    assert_true(states <= 100000000);
    j.seen = DL_ARRAY(uint8_t, states);
    j.queue = dl_malloc(states * sizeof *j.queue);
    uint8_t goal[WORLD_MAX_CELLS];
    for (int agent = 0; agent < j.agents; agent++) {
        j.from[agent] = (uint8_t)instance->start[agent];
        goal[agent] = (uint8_t)instance->goal[agent];
    }
    uint64_t wanted = encode(&j, goal), first = encode(&j, j.from);
    j.seen[first] = 1;
    j.queue[j.tail++] = first;
    int steps = 0, found = -1;
    for (uint64_t head = 0, level = 1; head < j.tail && found < 0; head++) {
        if (head == level) {
            steps++;
            level = j.tail;
        }
        if (j.queue[head] == wanted) found = steps;
        decode(&j, j.queue[head], j.from);
        choose_steps(&j, 0, 0);
    }
    free(j.seen);
    free(j.queue);
    return found;
}
