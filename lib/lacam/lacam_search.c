#include "lacam/lacam_search.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/block.h"
#include "base/memory.h"

bool dl_lacam_search_init(dl_lacam_search *search, const dl_pibt_tables *tables, dl_lacam_settings settings)
{
    int agents = tables->instance->agents;
    *search = (dl_lacam_search){.tables = tables, .settings = settings};
    bool fits = dl_lacam_graph_init(&search->graph, agents);
    fits = dl_pibt_init(&search->pibt, tables, settings.swap, search->rng) && fits;
    return DL_BLOCK(search->memory, DL_CUT(search->home_order, agents), DL_CUT(search->constraints.agent, agents),
                    DL_CUT(search->constraints.cell, agents), DL_CUT(search->to, agents),
                    DL_CUT(search->best, agents)) &&
           fits;
}

void dl_lacam_search_release(dl_lacam_search *search)
{
    dl_lacam_graph_release(&search->graph);
    dl_pibt_release(&search->pibt);
    free(search->open);
    free(search->memory);
    free(search->queue);
}

static dl_lacam_node *node_at(const dl_lacam_search *search, uint32_t index)
{
    return dl_lacam_graph_node(&search->graph, index);
}

static int64_t f_of(const dl_lacam_search *search, uint32_t index)
{
    const dl_lacam_node *node = node_at(search, index);
    return node->g + node->h;
}

static void lacam_push(dl_lacam_search *search, uint32_t index)
{
    if (DL_GROW(search->open, search->open_capacity, search->opened + 1))
        search->open[search->opened++] = index;
    else
        search->exhausted = true;
}

bool dl_lacam_search_begin(dl_lacam_search *search, const dl_cell *root, int64_t h, const uint16_t *order,
                           uint64_t seed)
{
    size_t order_bytes = sizeof *order * (size_t)search->graph.agents;
    search->rng = dl_rng_stream(seed, DL_PURPOSE('l', 'a', 'c', 'm'), 0);
    search->pibt.rng = dl_rng_stream(seed, DL_PURPOSE('p', 'i', 'b', 't'), 0);
    search->seed = dl_rng_u64(&search->rng);
    search->opened = 0;
    search->exhausted = false;
    search->goal = DL_NO_NODE;
    dl_lacam_graph_reset(&search->graph);
    search->root = dl_lacam_graph_add(&search->graph, root, dl_lacam_hash(search->graph.agents, root));
    search->nearest = search->root;
    if (search->root == DL_NO_NODE) return false;
    dl_lacam_node *node = node_at(search, search->root);
    assert(h >= 0);
    node->h = h;
    memcpy(dl_lacam_graph_order(&search->graph, node), order, order_bytes);
    memcpy(search->home_order, order, order_bytes);
    lacam_push(search, search->root);
    return !search->exhausted;
}

void dl_lacam_next_order(const dl_lacam_search *search, const dl_cell *at, const uint16_t *before, uint16_t *after)
{
    const dl_cell *goal = search->tables->instance->goal;
    int agents = search->graph.agents, count = 0;
    for (int rank = 0; rank < agents; rank++)
        if (at[before[rank]] != goal[before[rank]]) after[count++] = before[rank];
    for (int rank = 0; rank < agents; rank++)
        if (at[search->home_order[rank]] == goal[search->home_order[rank]]) after[count++] = search->home_order[rank];
    assert(count == agents);
}

/* ---- One transition ---- */

typedef struct effect {
    uint64_t hash; /* of the successor */
    int64_t h;     /* of the successor */
    uint32_t cost; /* of the transition */
} effect;

static bool comes_closer(const dl_pibt_tables *tables, int agent, dl_cell from, dl_cell to)
{
    for (unsigned near = dl_pibt_guide(tables, agent, from); near; near &= near - 1)
        if (tables->step[from][__builtin_ctz(near) + 1] == to) return true;
    return false;
}

static effect effect_of(const dl_lacam_search *search, const dl_lacam_node *node, const dl_cell *to)
{
    const dl_cell *goal = search->tables->instance->goal;
    effect e = {node->hash, node->h, 0};
    for (int agent = 0; agent < search->graph.agents; agent++) {
        dl_cell from = node->at[agent];
        if (from == to[agent]) {
            e.cost += from != goal[agent];
            continue;
        }
        e.cost++;
        e.h += comes_closer(search->tables, agent, from, to[agent]) ? -1 : 1;
        e.hash += dl_lacam_hash_of(agent, to[agent]) - dl_lacam_hash_of(agent, from);
    }
    assert(e.h >= 0);
    return e;
}

/* The best of several PIBT samples under the current constraints, in search->best. */
static bool lacam_generate(dl_lacam_search *search, dl_lacam_node *node, effect *out)
{
    const uint16_t *order = dl_lacam_graph_order(&search->graph, node);
    bool found = false;
    for (int sample = 0; sample < search->settings.samples; sample++) {
        if (!dl_pibt_step(&search->pibt, node->at, order, &search->constraints, search->to)) continue;
        effect e = effect_of(search, node, search->to);
        if (found && e.cost + e.h >= out->cost + out->h) continue;
        found = true;
        *out = e;
        dl_cell *swap = search->best;
        search->best = search->to;
        search->to = swap;
        if (e.cost + e.h == node->h) break; /* no successor can be better */
    }
    return found;
}

/* ---- The graph ---- */

static void lacam_link(dl_lacam_search *search, uint32_t from, uint32_t to, uint32_t cost)
{
    if (!dl_lacam_graph_link(&search->graph, from, to, cost)) search->exhausted = true;
}

/* DL_NO_NODE when memory is out. */
static uint32_t add_child(dl_lacam_search *search, uint32_t parent, const dl_cell *at, const effect *e)
{
    uint32_t index = dl_lacam_graph_add(&search->graph, at, e->hash);
    if (index == DL_NO_NODE) {
        search->exhausted = true;
        return DL_NO_NODE;
    }
    dl_lacam_node *node = node_at(search, index), *from = node_at(search, parent);
    node->parent = parent;
    node->g = from->g + e->cost;
    node->h = e->h;
    assert(node->g >= from->g);
    dl_lacam_next_order(search, at, dl_lacam_graph_order(&search->graph, from),
                        dl_lacam_graph_order(&search->graph, node));
    /* Steps can be taken back at the same cost. */
    lacam_link(search, parent, index, e->cost);
    lacam_link(search, index, parent, e->cost);
    if (node->h < node_at(search, search->nearest)->h) search->nearest = index;
    lacam_push(search, index);
    return index;
}

static void lacam_enqueue(dl_lacam_search *search, size_t *tail, uint32_t index)
{
    if (DL_GROW(search->queue, search->queue_capacity, *tail + 1))
        search->queue[(*tail)++] = index;
    else
        search->exhausted = true;
}

/* Propagates the cost of `first` along all known transitions. */
static void lacam_relax(dl_lacam_search *search, uint32_t first)
{
    size_t head = 0, tail = 0;
    lacam_enqueue(search, &tail, first);
    while (head < tail) {
        uint32_t index = search->queue[head++];
        const dl_lacam_node *node = node_at(search, index);
        for (uint32_t e = node->first_edge; e != DL_NO_NODE; e = search->graph.edge[e].next) {
            const dl_lacam_edge *edge = &search->graph.edge[e];
            dl_lacam_node *target = node_at(search, edge->target);
            if (node->g + edge->cost >= target->g) continue;
            target->g = node->g + edge->cost;
            target->parent = index;
            lacam_enqueue(search, &tail, edge->target);
            if (search->goal != DL_NO_NODE && edge->target != search->goal &&
                target->g + target->h < f_of(search, search->goal))
                lacam_push(search, edge->target);
        }
    }
}

static void lacam_rewire(dl_lacam_search *search, uint32_t from, uint32_t to, uint32_t cost)
{
    if (from == to || dl_lacam_graph_linked(&search->graph, from, to)) return;
    lacam_link(search, from, to, cost);
    lacam_relax(search, from);
}

static bool memory_is_full(const dl_lacam_search *search)
{
    size_t lists = sizeof(uint32_t) * (search->open_capacity + search->queue_capacity);
    return dl_lacam_graph_bytes(&search->graph) + lists > search->settings.memory;
}

/* ---- The loop ---- */

static void lacam_extend(dl_lacam_search *search, uint32_t index)
{
    effect e;
    if (!lacam_generate(search, node_at(search, index), &e)) return;
    uint32_t known = dl_lacam_graph_find(&search->graph, search->best, e.hash);
    if (known == DL_NO_NODE) {
        add_child(search, index, search->best, &e);
    } else {
        lacam_rewire(search, index, known, e.cost);
        lacam_push(search, dl_rng_unit(&search->rng) < search->settings.root_rate ? search->root : known);
    }
}

static dl_lacam_outcome lacam_expand(dl_lacam_search *search, uint64_t expansions, const dl_deadline *deadline)
{
    uint64_t last = expansions > UINT64_MAX - search->expansions ? UINT64_MAX : search->expansions + expansions;
    while (search->opened > 0) {
        if (search->expansions >= last) return DL_LACAM_LIMIT;
        if (dl_deadline_passed(deadline)) return DL_LACAM_TIME;
        if (search->exhausted) return DL_LACAM_STARVED;
        if (memory_is_full(search)) return DL_LACAM_MEMORY;
        bool improving = search->goal != DL_NO_NODE;
        size_t place = search->opened - 1;
        assert(search->open[place] < search->graph.nodes);
        if (improving && dl_rng_unit(&search->rng) < search->settings.random_rate)
            place = dl_rng_below(&search->rng, (uint32_t)search->opened);
        uint32_t index = search->open[place];
        dl_lacam_node *node = node_at(search, index);
        bool spent = improving && node->g + node->h >= f_of(search, search->goal);
        if (!improving && node->h == 0) {
            assert(node->hash == dl_lacam_hash(search->graph.agents, search->tables->instance->goal));
            search->goal = index;
            return DL_LACAM_REACHED;
        }
        if (!spent) {
            search->expansions++;
            switch (dl_constraint_next(search->tables, node->at, dl_lacam_graph_order(&search->graph, node),
                                       node->hash ^ search->seed, &node->constraints, &search->constraints)) {
            case DL_CONSTRAINT_READY:
                lacam_extend(search, index);
                continue;
            case DL_CONSTRAINT_REJECTED:
                continue;
            case DL_CONSTRAINT_EXHAUSTED:
                spent = true;
            }
        }
        if (place == search->opened - 1) search->opened--;
    }
    return search->exhausted ? DL_LACAM_STARVED : DL_LACAM_EXHAUSTED;
}

dl_lacam_outcome dl_lacam_search_run(dl_lacam_search *search, uint64_t expansions, const dl_deadline *deadline)
{
    search->pibt.deadline = deadline;
    dl_lacam_outcome outcome = lacam_expand(search, expansions, deadline);
    search->pibt.deadline = NULL;
    return outcome;
}

/* ---- Plans ---- */

dl_plan *dl_lacam_search_plan(const dl_lacam_search *search, uint32_t node)
{
    int length = 0, agents = search->graph.agents;
    for (uint32_t i = node; i != DL_NO_NODE; i = node_at(search, i)->parent) length++;
    dl_cell *path = DL_ARRAY(dl_cell, (size_t)length * (size_t)agents); /* [agents][length] */
    dl_plan *plan = path ? dl_plan_create(agents) : NULL;
    if (!plan) {
        free(path);
        return NULL;
    }
    int time = length;
    for (uint32_t i = node; i != DL_NO_NODE; i = node_at(search, i)->parent) {
        time--;
        const dl_cell *at = node_at(search, i)->at;
        for (int agent = 0; agent < agents; agent++) path[(size_t)agent * (size_t)length + (size_t)time] = at[agent];
    }
    const dl_grid *grid = search->tables->instance->grid;
    bool fits = true;
    for (int agent = 0; agent < agents && fits; agent++)
        fits = dl_plan_set(plan, grid, agent, path + (size_t)agent * (size_t)length, length);
    free(path);
    if (!fits) {
        dl_plan_free(plan);
        return NULL;
    }
    dl_plan_trim(plan);
    return plan;
}
