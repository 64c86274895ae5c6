/* The classes of dl_exchange_find against the group of permutations that moves really generate, for every connected map
 * of a size, every number of agents and every set of occupied cells: that is every instance on these maps. */
#include "base/memory.h"
#include "support_exchange.h"
#include "support_maps.h"

static void compare_world(const world *w, uint64_t mask, dl_rules rules, uint64_t *sets)
{
    dl_blocks blocks;
    assert_true(dl_blocks_find(w->grid, NULL, &blocks));
    for (int agents = 1; agents <= w->grid->cells; agents++) {
        exchange_verdict verdict = exchange_compare_exhaustively(w, &blocks, rules, agents, sets);
        if (verdict != EXCHANGE_AGREES)
            fail_msg("map %dx%d:%llx rules %d, %d agents: %s", w->grid->height, w->grid->width,
                     (unsigned long long)mask, rules, agents, exchange_verdict_text(verdict));
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

/* A dozen; tests/exchange compares more, larger ones, by certificates. */
static void classes_match_random_maps(void **state)
{
    (void)state;
    enum { MAPS = 12, MOST_CELLS = 14 };
    uint64_t sets = 0;
    world *w = DL_NEW(world);
    for (int i = 0; i < MAPS; i++) {
        dl_rng rng = dl_rng_stream(20, DL_PURPOSE('m', 'a', 'p', 's'), (uint64_t)i);
        small_map map = small_map_draw(&rng, MOST_CELLS);
        world_create(w, map.height, map.width, map.free_cells);
        assert_int_equal(w->grid->components, 1);
        compare_world(w, map.free_cells, DL_RULES_MAPF, &sets);
        if (i % 4 == 0) compare_world(w, map.free_cells, DL_RULES_PEBBLE, &sets);
        world_free(w);
    }
    print_message("%d random maps, %llu occupancies compared\n", MAPS, (unsigned long long)sets);
    free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_match_every_map_of_2x5), cmocka_unit_test(classes_match_every_map_of_3x3),
        cmocka_unit_test(classes_match_every_map_of_3x4), cmocka_unit_test(classes_match_maps_of_3x5),
        cmocka_unit_test(classes_match_maps_of_2x8),      cmocka_unit_test(classes_match_maps_of_4x4),
        cmocka_unit_test(classes_match_random_maps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
