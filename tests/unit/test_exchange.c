/* The classes of dl_exchange_find against the group of permutations that moves really generate, for every connected map
 * of a size, every number of agents and every set of occupied cells: that is every instance on these maps. */
#include "base/memory.h"
#include "search/exchange.h"
#include "support_worlds.h"

/* What the classes say about agents instead of cells. */
typedef struct prediction {
    int agents, classes;
    uint8_t kind[WORLD_MAX_CELLS];
    int8_t class_of[WORLD_MAX_CELLS];
    int8_t next[WORLD_MAX_CELLS];
    int size[WORLD_MAX_CELLS];
} prediction;

static void predict(const world *w, const dl_blocks *blocks, dl_rules rules, int agents, const world_permutation *at,
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

static bool permits(const prediction *p, const world_permutation *g)
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
static bool same_prediction(const prediction *a, const prediction *b)
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

static void compare_world(const world *w, uint32_t mask, dl_rules rules, uint64_t *pairs)
{
    dl_blocks blocks;
    assert_true(dl_blocks_find(w->grid, NULL, &blocks));
    for (int agents = 1; agents <= w->grid->cells; agents++) {
        world_group group;
        world_group_find(w, agents, rules, &group);
        prediction first, other;
        predict(w, &blocks, rules, agents, &group.arrangement[0], &first);
        for (int i = 0; i < group.generators; i++)
            if (!permits(&first, &group.generator[i]))
                fail_msg("map %dx%d:%x rules %d, %d agents: more is possible than predicted", w->grid->height,
                         w->grid->width, mask, rules, agents);
        if (!world_group_reaches(&group, order_of(&first)))
            fail_msg("map %dx%d:%x rules %d, %d agents: less is possible than predicted", w->grid->height,
                     w->grid->width, mask, rules, agents);
        for (int s = 1; s < group.sets; s++) {
            predict(w, &blocks, rules, agents, &group.arrangement[s], &other);
            if (!same_prediction(&first, &other))
                fail_msg("map %dx%d:%x rules %d, %d agents: the prediction changes from set %x to %x", w->grid->height,
                         w->grid->width, mask, rules, agents, group.set[0], group.set[s]);
        }
        *pairs += (uint64_t)group.sets;
        world_group_free(&group);
    }
    dl_blocks_free(&blocks);
}

/* Every connected map of that size, or one in `stride`. */
static void compare_all(int height, int width, int stride)
{
    world *w = DL_NEW(world);
    uint64_t sets = 0;
    int maps = 0;
    for (uint32_t mask = 1; mask < 1u << (height * width); mask += (uint32_t)stride) {
        world_create(w, height, width, mask);
        if (w->grid->components == 1) {
            maps++;
            compare_world(w, mask, DL_RULES_PEBBLE, &sets);
            compare_world(w, mask, DL_RULES_MAPF, &sets);
        }
        world_free(w);
    }
    print_message("%dx%d: %d connected maps, %llu occupancies compared\n", height, width, maps,
                  (unsigned long long)sets);
    free(w);
}

static void classes_match_every_map_of_2x5(void **state)
{
    (void)state;
    compare_all(2, 5, 1);
}

static void classes_match_every_map_of_3x3(void **state)
{
    (void)state;
    compare_all(3, 3, 1);
}

static void classes_match_every_map_of_3x4(void **state)
{
    (void)state;
    compare_all(3, 4, 1);
}

/* With DIFFLNS_LONG in the environment all 11,506 of them, which takes minutes. */
static void classes_match_maps_of_4x4(void **state)
{
    (void)state;
    compare_all(4, 4, getenv("DIFFLNS_LONG") ? 1 : 211);
}

static void classes_match_maps_of_3x5(void **state)
{
    (void)state;
    compare_all(3, 5, getenv("DIFFLNS_LONG") ? 1 : 101);
}

static void classes_match_maps_of_2x8(void **state)
{
    (void)state;
    compare_all(2, 8, getenv("DIFFLNS_LONG") ? 1 : 401);
}

/* Grows a connected map cell by cell. The shyer it is of cells with two neighbors, the more corridors it has. */
static uint32_t random_map(dl_rng *rng, int height, int width, int cells)
{
    uint32_t mask = 1u << dl_rng_below(rng, (uint32_t)(height * width)), shyness = dl_rng_below(rng, 100);
    for (int count = 1; count < cells;) {
        int cell = (int)dl_rng_below(rng, (uint32_t)(height * width)), row = cell / width, col = cell % width;
        int neighbors = (row > 0 && mask >> (cell - width) & 1) + (row + 1 < height && mask >> (cell + width) & 1) +
                        (col > 0 && mask >> (cell - 1) & 1) + (col + 1 < width && mask >> (cell + 1) & 1);
        if (mask >> cell & 1 || neighbors == 0) continue;
        if (neighbors > 1 && dl_rng_below(rng, 100) < shyness) continue;
        mask |= 1u << cell;
        count++;
    }
    return mask;
}

/* DIFFLNS_LONG is the number of maps then, from 1 on: a million takes hours. */
static void classes_match_random_maps_of_up_to_20_cells(void **state)
{
    (void)state;
    static const struct {
        int height, width;
    } frame[] = {{4, 5}, {4, 7}, {5, 6}, {3, 10}, {2, 15}};
    const char *wanted = getenv("DIFFLNS_LONG");
    int maps = wanted && atoi(wanted) > 1 ? atoi(wanted) : 12;
    uint64_t sets = 0;
    dl_rng rng = dl_rng_stream(20, 1, 0);
    world *w = DL_NEW(world);
    for (int i = 0; i < maps; i++) {
        int shape = (int)dl_rng_below(&rng, 5), cells = 6 + (int)dl_rng_below(&rng, wanted ? 15 : 9);
        uint32_t mask = random_map(&rng, frame[shape].height, frame[shape].width, cells);
        world_create(w, frame[shape].height, frame[shape].width, mask);
        assert_int_equal(w->grid->components, 1);
        compare_world(w, mask, DL_RULES_MAPF, &sets);
        if (i % 4 == 0) compare_world(w, mask, DL_RULES_PEBBLE, &sets);
        world_free(w);
    }
    print_message("%d random maps, %llu occupancies compared\n", maps, (unsigned long long)sets);
    free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(classes_match_every_map_of_2x5),
                                       cmocka_unit_test(classes_match_every_map_of_3x3),
                                       cmocka_unit_test(classes_match_every_map_of_3x4),
                                       cmocka_unit_test(classes_match_maps_of_3x5),
                                       cmocka_unit_test(classes_match_maps_of_2x8),
                                       cmocka_unit_test(classes_match_maps_of_4x4),
                                       cmocka_unit_test(classes_match_random_maps_of_up_to_20_cells)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
