#include "support_exchange.h"

void prediction_make(const world *w, const dl_blocks *blocks, dl_rules rules, int agents, const world_permutation *at,
                     prediction *p)
{
    uint8_t occupied[WORLD_MAX_CELLS] = {0};
    int8_t agent_at[WORLD_MAX_CELLS], number[2 * WORLD_MAX_CELLS];
    for (int agent = 0; agent < agents; agent++) {
        occupied[at->to[agent]] = 1;
        agent_at[at->to[agent]] = (int8_t)agent;
    }
    dl_exchange x;
    assert_true(dl_exchange_find(w->grid, blocks, occupied, rules, NULL, &x));
    memset(p, 0, sizeof *p);
    memset(number, -1, sizeof number);
    p->agents = agents;
    for (int agent = 0; agent < agents; agent++) {
        int class = x.class_of[at->to[agent]];
        p->class_of[agent] = p->next[agent] = -1;
        if (class < 0) continue;
        if (number[class] < 0) { /* classes in the order of their first agents, so that predictions compare */
            number[class] = (int8_t)p->classes;
            p->kind[p->classes++] = x.kind[class];
        }
        p->class_of[agent] = number[class];
        p->size[(int)number[class]]++;
        if (x.kind[class] == DL_EXCHANGE_TURN) p->next[agent] = agent_at[x.next[at->to[agent]]];
    }
    dl_exchange_free(&x);
}

bool prediction_permits(const prediction *p, const world_permutation *g)
{
    bool odd[WORLD_MAX_CELLS] = {0}, seen[WORLD_MAX_CELLS] = {0};
    for (int agent = 0; agent < p->agents; agent++) {
        int class = p->class_of[agent], to = g->to[agent];
        if (class < 0 && to != agent) return false;
        if (class < 0) continue;
        if (p->class_of[to] != class) return false;
        if (p->kind[class] == DL_EXCHANGE_TURN && g->to[(int)p->next[agent]] != p->next[to]) return false;
        int length = 0;
        for (int i = agent; !seen[i]; i = g->to[i], length++) seen[i] = true;
        if (length > 0 && length % 2 == 0) odd[class] = !odd[class];
    }
    for (int class = 0; class < p->classes; class ++)
        if (p->kind[class] == DL_EXCHANGE_EVEN && odd[class]) return false;
    return true;
}

static uint64_t order_of(const prediction *p)
{
    uint64_t order = 1;
    for (int class = 0; class < p->classes; class ++) {
        uint64_t all = 1;
        for (int i = 2; i <= p->size[class]; i++) all *= (uint64_t)i;
        if (p->kind[class] == DL_EXCHANGE_EVEN && p->size[class] > 1) all /= 2;
        order *= p->kind[class] == DL_EXCHANGE_TURN ? (uint64_t)p->size[class] : all;
    }
    return order;
}

/* Classes of one agent and agents without a class are the same thing; rings may be numbered either way round. */
bool prediction_same(const prediction *a, const prediction *b)
{
    for (int i = 0; i < a->agents; i++)
        for (int j = 0; j < a->agents; j++) {
            if (i == j) continue;
            bool together_a = a->class_of[i] >= 0 && a->class_of[i] == a->class_of[j];
            bool together_b = b->class_of[i] >= 0 && b->class_of[i] == b->class_of[j];
            if (together_a != together_b) return false;
            if (together_a && a->kind[(int)a->class_of[i]] != b->kind[(int)b->class_of[i]]) return false;
        }
    for (int i = 0; i < a->agents; i++) {
        if (a->class_of[i] < 0 || a->kind[(int)a->class_of[i]] != DL_EXCHANGE_TURN) continue;
        int size = a->size[(int)a->class_of[i]];
        if (size < 3) continue;
        int j = a->next[i];
        if (b->next[i] != j && b->next[j] != i) return false;
    }
    return true;
}

const char *exchange_verdict_text(exchange_verdict verdict)
{
    static const char *const TEXT[] = {"agrees", "more is possible than predicted", "less is possible than predicted",
                                       "the prediction changes from one set of occupied cells to another"};
    return TEXT[verdict];
}

exchange_verdict exchange_compare_exhaustively(const world *w, const dl_blocks *blocks, dl_rules rules, int agents,
                                               uint64_t *sets)
{
    exchange_verdict verdict = EXCHANGE_AGREES;
    world_group group;
    world_group_find(w, agents, rules, &group);
    prediction first, other;
    prediction_make(w, blocks, rules, agents, &group.arrangement[0], &first);
    for (int i = 0; i < group.generators; i++)
        if (!prediction_permits(&first, &group.generator[i])) verdict = EXCHANGE_MORE_IS_POSSIBLE;
    if (verdict == EXCHANGE_AGREES && !world_group_reaches(&group, order_of(&first)))
        verdict = EXCHANGE_LESS_IS_POSSIBLE;
    for (int s = 1; s < group.sets && verdict == EXCHANGE_AGREES; s++) {
        prediction_make(w, blocks, rules, agents, &group.arrangement[s], &other);
        if (!prediction_same(&first, &other)) verdict = EXCHANGE_CHANGES_ON_THE_WAY;
    }
    *sets += (uint64_t)group.sets;
    world_group_free(&group);
    return verdict;
}
