#include "lns/conflict_graph.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/block.h"
#include "base/memory.h"

bool dl_conflicts_begin(dl_conflicts *c, int agents)
{
    *c = (dl_conflicts){.agents = agents};
    if (!DL_BLOCK(c->memory, DL_CUT(c->of, agents), DL_CUT(c->involved, agents), DL_CUT(c->place, agents),
                  DL_CUT(c->tree, agents + 1), DL_CUT(c->mark, agents)))
        return false;
    dl_conflicts_clear(c);
    return true;
}

void dl_conflicts_end(dl_conflicts *c)
{
    for (int agent = 0; c->of && agent < c->agents; agent++) free(c->of[agent].agent);
    free(c->memory);
}

void dl_conflicts_clear(dl_conflicts *c)
{
    for (int agent = 0; agent < c->agents; agent++) {
        c->of[agent].count = 0;
        c->place[agent] = -1;
    }
    memset(c->tree, 0, sizeof *c->tree * ((size_t)c->agents + 1));
    c->involved_count = 0;
    c->pairs = 0;
}

static void change_degree(dl_conflicts *c, int agent, int change)
{
    for (int i = agent + 1; i <= c->agents; i += i & -i) c->tree[i] += change;
    assert(c->of[agent].count >= 0);
    bool collides = c->of[agent].count > 0, listed = c->place[agent] >= 0;
    if (collides && !listed) {
        c->place[agent] = c->involved_count;
        c->involved[c->involved_count++] = agent;
    } else if (!collides && listed) {
        assert(c->involved[c->place[agent]] == agent);
        int moved = c->involved[--c->involved_count];
        c->involved[c->place[agent]] = moved;
        c->place[moved] = c->place[agent];
        c->place[agent] = -1;
    }
}

static void add_collider(dl_conflicts *c, int agent, int other)
{
    dl_colliders *list = &c->of[agent];
    list->agent[list->count++] = other;
    change_degree(c, agent, 1);
}

static bool has_room(dl_colliders *list)
{
    return DL_GROW(list->agent, list->room, list->count + 1);
}

bool dl_conflicts_join(dl_conflicts *c, int a, int b)
{
    assert(a != b);
    c->pairs++;
    if (!has_room(&c->of[a]) || !has_room(&c->of[b])) return false;
    add_collider(c, a, b);
    add_collider(c, b, a);
    return true;
}

void dl_conflicts_part(dl_conflicts *c, int agent)
{
    dl_colliders *list = &c->of[agent];
    int degree = list->count;
    if (degree == 0) return;
    for (int i = 0; i < degree; i++) {
        int other = list->agent[i];
        dl_colliders *back = &c->of[other];
        int k = 0;
        while (back->agent[k] != agent) k++;
        assert(k < back->count);
        back->agent[k] = back->agent[--back->count];
        change_degree(c, other, -1);
    }
    list->count = 0;
    c->pairs -= degree;
    assert(c->pairs >= 0);
    change_degree(c, agent, -degree);
}

static void new_stamp(dl_conflicts *c)
{
    if (++c->stamp) return;
    memset(c->mark, 0, sizeof *c->mark * (size_t)c->agents);
    c->stamp = 1;
}

int dl_conflicts_touching(dl_conflicts *c, const dl_breakout *weights, const int32_t *set, int count)
{
    new_stamp(c);
    int sum = 0;
    for (int i = 0; i < count; i++) { /* an edge inside the set is counted at its earlier end */
        const dl_colliders *list = &c->of[set[i]];
        c->mark[set[i]] = c->stamp;
        for (int k = 0; k < list->count; k++)
            if (c->mark[list->agent[k]] != c->stamp) sum += dl_breakout_weight(weights, set[i], list->agent[k]);
    }
    return sum;
}

bool dl_conflicts_raise(const dl_conflicts *c, dl_breakout *weights)
{
    for (int i = 0; i < c->involved_count; i++) {
        int agent = c->involved[i];
        const dl_colliders *list = &c->of[agent];
        for (int k = 0; k < list->count; k++) /* each edge from one of its ends */
            if (agent < list->agent[k] && !dl_breakout_raise(weights, agent, list->agent[k])) return false;
    }
    return true;
}

int dl_conflicts_draw_by_degree(const dl_conflicts *c, dl_rng *rng)
{
    assert(c->pairs > 0 && c->involved_count >= 2);
    int32_t rank = (int32_t)dl_rng_below(rng, (uint32_t)(2 * c->pairs));
    int agent = 0, span = 1;
    while (span * 2 <= c->agents) span *= 2;
    for (; span > 0; span /= 2) /* the last prefix whose sum is at most the rank */
        if (agent + span <= c->agents && c->tree[agent + span] <= rank) {
            agent += span;
            rank -= c->tree[agent];
        }
    assert(c->of[agent].count > rank);
    return agent;
}

int dl_conflicts_draw_any(const dl_conflicts *c, dl_rng *rng)
{
    uint64_t ends = 2 * (uint64_t)c->pairs, all = ends + (uint64_t)c->agents;
    if (dl_rng_unit(rng) * (double)all < (double)ends) return dl_conflicts_draw_by_degree(c, rng);
    return (int)dl_rng_below(rng, (uint32_t)c->agents);
}

bool dl_conflicts_audit(dl_conflicts *c, dl_planner *p)
{
    int32_t *list = DL_ARRAY(int32_t, c->agents);
    int64_t ends = 0, involved = 0, tree = 0;
    bool same = list != NULL;
    for (int agent = 0; agent < c->agents && same; agent++) {
        const dl_colliders *known = &c->of[agent];
        dl_planner_remove(p, agent);
        int count = dl_planner_partners(p, &p->track[agent], c->agents, list);
        dl_planner_put_back(p, agent);
        new_stamp(c);
        for (int i = 0; i < count; i++) c->mark[list[i]] = c->stamp;
        for (int i = 0; i < known->count; i++) same = same && c->mark[known->agent[i]] == c->stamp;
        same = same && count == known->count && (c->place[agent] >= 0) == (count > 0);
        ends += count;
        involved += count > 0;
    }
    for (int i = c->agents; i > 0; i -= i & -i) tree += c->tree[i];
    free(list);
    return same && ends == 2 * c->pairs && tree == ends && involved == c->involved_count;
}
