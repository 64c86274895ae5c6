/* The classes of dl_exchange_find on random maps of up to 20 cells: every number of agents, both rule sets, a random
 * set of occupied cells and others on the way.
 *
 *   exchange [MAPS [SEED]]      so many maps; each has a seed of its own, from SEED on
 *
 * A disagreement is printed with the seed of its map and makes the exit status 1. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/memory.h"
#include "certificate.h"
#include "support_maps.h"

static void print_world(const world *w, uint32_t occupied)
{
    for (int row = 0; row < w->grid->height; row++) {
        for (int col = 0; col < w->grid->width; col++) {
            dl_cell cell = dl_grid_cell(w->grid, row, col);
            putchar(cell == DL_NO_CELL ? '#' : occupied >> cell & 1 ? 'o' : '.');
        }
        putchar('\n');
    }
}

static uint32_t draw_set(dl_rng *rng, int cells, int count)
{
    uint32_t set = 0;
    while (__builtin_popcount(set) < count) set |= 1u << dl_rng_below(rng, (uint32_t)cells);
    return set;
}

/* Returns the number of disagreements. */
static int compare_map(world *w, uint64_t seed, certificate_tally *tally)
{
    static const dl_rules RULES[] = {DL_RULES_MAPF, DL_RULES_PEBBLE};
    static const char *const NAME[] = {"MAPF", "pebble"};
    int disagreements = 0;
    dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('e', 'x', 'c', 'h'), 0);
    small_map map = small_map_draw(&rng, WORLD_MAX_CELLS);
    dl_blocks blocks;
    world_create(w, map.height, map.width, map.free_cells);
    assert_true(w->grid->components == 1 && dl_blocks_find(w->grid, NULL, &blocks));
    for (int r = 0; r < 2; r++) {
        walker k;
        walker_create(&k, w, RULES[r]);
        for (int agents = 1; agents <= w->grid->cells; agents++) {
            uint32_t occupied = draw_set(&rng, w->grid->cells, agents);
            exchange_verdict verdict = certificate_find(&k, &blocks, RULES[r], occupied, &rng, tally);
            if (verdict == EXCHANGE_AGREES) continue;
            disagreements++;
            printf("map %llu, %s rules, %d agents: %s\n", (unsigned long long)seed, NAME[r], agents,
                   exchange_verdict_text(verdict));
            print_world(w, occupied);
        }
    }
    dl_blocks_free(&blocks);
    world_free(w);
    return disagreements;
}

int main(int arguments, char **argument)
{
    int maps = arguments > 1 ? atoi(argument[1]) : 10000;
    uint64_t seed = arguments > 2 ? strtoull(argument[2], NULL, 10) : 1;
    world *w = DL_NEW(world);
    certificate_tally tally = {0};
    long disagreements = 0;
    for (int i = 0; i < maps; i++) disagreements += compare_map(w, seed + (uint64_t)i, &tally);
    printf(
        "%d maps, %llu groups, %llu occupied sets, %llu loops, %llu groups by exhaustion, %ld disagreements, %.0f s\n",
        maps, (unsigned long long)tally.groups, (unsigned long long)tally.sets, (unsigned long long)tally.loops,
        (unsigned long long)tally.exhaustive, disagreements, (double)clock() / CLOCKS_PER_SEC);
    free(w);
    return disagreements > 0;
}
