/* Exhaustive search over joint states, against one of the tests' own. */
#include "complete/joint_search.h"

#include "support_worlds.h"

enum { WORLDS = 70, MOST_CELLS = 8 };

typedef struct board {
    dl_pebbles pebbles;
    dl_cell cell[MOST_CELLS + 8]; /* of the component: all there are */
    int32_t owner[MOST_CELLS + 8];
} board;

static void open_board(board *b, const dl_instance *instance)
{
    int cells = instance->grid->cells;
    for (int i = 0; i < cells; i++) {
        b->cell[i] = i;
        b->owner[i] = -1;
    }
    for (int agent = 0; agent < instance->agents; agent++) b->owner[instance->goal[agent]] = agent;
    assert_true(dl_pebbles_create(&b->pebbles, instance->grid, instance->agents, instance->start));
}

static bool search(board *b, const dl_instance *instance, dl_rules rules, const dl_deadline *deadline)
{
    return dl_joint_search(&b->pebbles, b->cell, instance->grid->cells, b->owner, rules, deadline);
}

/* A connected world of few cells; NULL if the dice did not make one. */
static dl_instance *draw_world(dl_rng *rng)
{
    int height = 1 + (int)dl_rng_below(rng, 3), width = 2 + (int)dl_rng_below(rng, 3);
    int agents = 1 + (int)dl_rng_below(rng, MOST_CELLS);
    dl_instance *instance = test_random_instance(rng, height, width, 0.15, agents);
    if (instance && instance->grid->components == 1 && instance->grid->cells <= MOST_CELLS) return instance;
    dl_instance_free(instance);
    return NULL;
}

/* Replays the log from the starts: legal moves that end on the goals. */
static void expect_legal_log(const board *b, const dl_instance *instance, dl_rules rules)
{
    dl_pebbles again;
    assert_true(dl_pebbles_create(&again, instance->grid, instance->agents, instance->start));
    for (size_t i = 0; i < b->pebbles.moves;) {
        const dl_move *move = &b->pebbles.log[i];
        if (move->ring) assert_int_equal(rules, DL_RULES_MAPF);
        int together = move->ring ? move->ring : 1;
        for (int k = 0; k < together; k++) { /* everybody leaves, then everybody arrives */
            assert_int_equal(again.place[move[k].agent], move[k].from);
            again.occupant[move[k].from] = -1;
        }
        for (int k = 0; k < together; k++) {
            assert_int_equal(again.occupant[move[k].to], -1);
            again.occupant[move[k].to] = move[k].agent;
            again.place[move[k].agent] = move[k].to;
        }
        i += (size_t)together;
    }
    assert_memory_equal(again.place, instance->goal, sizeof *again.place * (size_t)instance->agents);
    dl_pebbles_free(&again);
}

static void worlds_are_solved_exactly_if_they_can_be(void **state)
{
    (void)state;
    dl_deadline never = dl_no_deadline();
    int solved[2] = {0}, unsolvable[2] = {0};
    dl_rng rng = dl_rng_stream(1, DL_PURPOSE('j', 'o', 'i', 'n'), 0);
    for (int run = 0; run < WORLDS; run++) {
        dl_instance *instance = draw_world(&rng);
        if (!instance) continue;
        for (dl_rules rules = DL_RULES_PEBBLE; rules <= DL_RULES_MAPF; rules++) {
            int shortest = world_shortest_plan(instance, rules);
            board b;
            open_board(&b, instance);
            bool found = search(&b, instance, rules, &never);
            if (found != (shortest >= 0)) fail_msg("world %d: found %d, the least is %d", run, found, shortest);
            if (found) {
                expect_legal_log(&b, instance, rules);
                if (rules == DL_RULES_PEBBLE) assert_int_equal(b.pebbles.moves, shortest);
                solved[rules]++;
            } else {
                assert_int_equal(b.pebbles.moves, 0);
                assert_memory_equal(b.pebbles.place, instance->start, sizeof(dl_cell) * (size_t)instance->agents);
                unsolvable[rules]++;
            }
            dl_pebbles_free(&b.pebbles);
        }
        dl_instance_free(instance);
    }
    for (dl_rules rules = DL_RULES_PEBBLE; rules <= DL_RULES_MAPF; rules++)
        assert_true(solved[rules] > 5 && unsolvable[rules] > 1);
}

static void a_full_ring_turns_under_mapf_rules_only(void **state)
{
    (void)state;
    dl_deadline never = dl_no_deadline();
    dl_instance *instance =
        test_instance("../..", 4, (const int[][4]){{0, 0, 0, 1}, {0, 1, 1, 1}, {1, 1, 1, 0}, {1, 0, 0, 0}});
    board b;
    open_board(&b, instance);
    assert_false(search(&b, instance, DL_RULES_PEBBLE, &never));
    assert_true(search(&b, instance, DL_RULES_MAPF, &never));
    assert_int_equal(b.pebbles.moves, 4);
    dl_pebbles_free(&b.pebbles);
    dl_instance_free(instance);
}

static void without_time_or_with_too_many_cells_nothing_changes(void **state)
{
    (void)state;
    dl_deadline passed = {0, NULL}, never = dl_no_deadline();
    dl_instance *puzzle = test_instance(
        "..../....", 6,
        (const int[][4]){{0, 0, 1, 3}, {0, 1, 0, 0}, {0, 2, 0, 1}, {0, 3, 0, 2}, {1, 0, 0, 3}, {1, 1, 1, 0}});
    board b;
    open_board(&b, puzzle);
    assert_false(search(&b, puzzle, DL_RULES_PEBBLE, &passed));
    assert_int_equal(b.pebbles.moves, 0);
    assert_true(search(&b, puzzle, DL_RULES_PEBBLE, &never));
    dl_pebbles_free(&b.pebbles);
    dl_instance_free(puzzle);
    dl_instance *large = test_instance(".............", 1, (const int[][4]){{0, 0, 0, 1}});
    open_board(&b, large);
    assert_false(search(&b, large, DL_RULES_PEBBLE, &never));
    dl_pebbles_free(&b.pebbles);
    dl_instance_free(large);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worlds_are_solved_exactly_if_they_can_be),
        cmocka_unit_test(a_full_ring_turns_under_mapf_rules_only),
        cmocka_unit_test(without_time_or_with_too_many_cells_nothing_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
