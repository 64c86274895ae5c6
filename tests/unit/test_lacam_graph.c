/* LaCAM's search graph: configurations are found again, whatever their hashes, and transitions are remembered. */
#include "lacam/lacam_graph.h"

#include "support.h"

enum { AGENTS = 40, CELLS = 500 };

static void draw_configuration(dl_rng *rng, dl_cell *at)
{
    for (int agent = 0; agent < AGENTS; agent++) at[agent] = (dl_cell)dl_rng_below(rng, CELLS);
}

/* More than the first table and the first chunk hold. */
static void a_configuration_is_found_again_and_no_other(void **state)
{
    (void)state;
    enum { NODES = 9000 };
    dl_rng rng = dl_rng_stream(1, DL_PURPOSE('g', 'r', 'a', 'p'), 0), again = rng;
    dl_lacam_graph graph;
    dl_cell at[AGENTS];
    assert_true(dl_lacam_graph_init(&graph, AGENTS));
    for (uint32_t i = 0; i < NODES; i++) {
        draw_configuration(&rng, at);
        uint64_t hash = dl_lacam_hash(AGENTS, at);
        assert_int_equal(dl_lacam_graph_find(&graph, at, hash), DL_NO_NODE);
        assert_int_equal(dl_lacam_graph_add(&graph, at, hash), i);
    }
    assert_true(graph.chunks > 1);
    for (uint32_t i = 0; i < NODES; i++) {
        draw_configuration(&again, at);
        assert_int_equal(dl_lacam_graph_find(&graph, at, dl_lacam_hash(AGENTS, at)), i);
        assert_memory_equal(dl_lacam_graph_node(&graph, i)->at, at, sizeof at);
    }
    dl_lacam_graph_release(&graph);
}

static void configurations_of_one_hash_are_told_apart(void **state)
{
    (void)state;
    dl_lacam_graph graph;
    assert_true(dl_lacam_graph_init(&graph, 2));
    for (dl_cell cell = 0; cell < 50; cell++)
        assert_int_equal(dl_lacam_graph_add(&graph, (dl_cell[]){cell, 7}, 12345), (uint32_t)cell);
    for (dl_cell cell = 0; cell < 50; cell++)
        assert_int_equal(dl_lacam_graph_find(&graph, (dl_cell[]){cell, 7}, 12345), (uint32_t)cell);
    assert_int_equal(dl_lacam_graph_find(&graph, (dl_cell[]){7, 50}, 12345), DL_NO_NODE);
    dl_lacam_graph_release(&graph);
}

/* So that a step of one agent changes it by two shares. */
static void the_hash_is_a_sum_over_agents(void **state)
{
    (void)state;
    dl_rng rng = dl_rng_stream(2, DL_PURPOSE('g', 'r', 'a', 'p'), 0);
    dl_cell at[AGENTS];
    draw_configuration(&rng, at);
    uint64_t sum = 0;
    for (int agent = 0; agent < AGENTS; agent++) sum += dl_lacam_hash_of(agent, at[agent]);
    assert_true(dl_lacam_hash(AGENTS, at) == sum);
    assert_false(dl_lacam_hash_of(0, 1) == dl_lacam_hash_of(1, 0));
}

static void transitions_have_a_direction_and_a_cost(void **state)
{
    (void)state;
    dl_lacam_graph graph;
    assert_true(dl_lacam_graph_init(&graph, 1));
    uint32_t node[3];
    for (dl_cell cell = 0; cell < 3; cell++) node[cell] = dl_lacam_graph_add(&graph, &cell, dl_lacam_hash(1, &cell));
    assert_true(dl_lacam_graph_link(&graph, node[0], node[1], 4));
    assert_true(dl_lacam_graph_link(&graph, node[0], node[2], 5));
    assert_true(dl_lacam_graph_linked(&graph, node[0], node[1]));
    assert_true(dl_lacam_graph_linked(&graph, node[0], node[2]));
    assert_false(dl_lacam_graph_linked(&graph, node[1], node[0]));
    assert_false(dl_lacam_graph_linked(&graph, node[1], node[2]));
    uint32_t cost = 0;
    for (uint32_t e = dl_lacam_graph_node(&graph, node[0])->first_edge; e != DL_NO_NODE; e = graph.edge[e].next)
        cost = 10 * cost + graph.edge[e].cost;
    assert_int_equal(cost, 54);
    dl_lacam_graph_release(&graph);
}

static void a_reset_graph_knows_nothing_and_takes_no_more_memory(void **state)
{
    (void)state;
    enum { NODES = 5000 };
    dl_lacam_graph graph;
    assert_true(dl_lacam_graph_init(&graph, AGENTS));
    size_t bytes = 0;
    for (int round = 0; round < 3; round++) {
        dl_rng rng = dl_rng_stream(3, DL_PURPOSE('g', 'r', 'a', 'p'), (uint64_t)round);
        for (uint32_t i = 0; i < NODES; i++) {
            dl_cell at[AGENTS];
            draw_configuration(&rng, at);
            assert_int_equal(dl_lacam_graph_add(&graph, at, dl_lacam_hash(AGENTS, at)), i);
            if (i > 0) assert_true(dl_lacam_graph_link(&graph, i - 1, i, 1));
        }
        if (round > 0) assert_int_equal(dl_lacam_graph_bytes(&graph), bytes);
        bytes = dl_lacam_graph_bytes(&graph);
        dl_lacam_graph_reset(&graph);
        assert_int_equal(graph.nodes, 0);
        rng = dl_rng_stream(3, DL_PURPOSE('g', 'r', 'a', 'p'), (uint64_t)round);
        dl_cell first[AGENTS];
        draw_configuration(&rng, first);
        assert_int_equal(dl_lacam_graph_find(&graph, first, dl_lacam_hash(AGENTS, first)), DL_NO_NODE);
    }
    dl_lacam_graph_release(&graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_configuration_is_found_again_and_no_other),
        cmocka_unit_test(configurations_of_one_hash_are_told_apart),
        cmocka_unit_test(the_hash_is_a_sum_over_agents),
        cmocka_unit_test(transitions_have_a_direction_and_a_cost),
        cmocka_unit_test(a_reset_graph_knows_nothing_and_takes_no_more_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
