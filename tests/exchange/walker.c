#include "walker.h"

static int pick(dl_rng *rng, uint32_t set)
{
    for (uint32_t skip = dl_rng_below(rng, (uint32_t)__builtin_popcount(set)); skip > 0; skip--) set &= set - 1;
    return __builtin_ctz(set);
}

static uint32_t neighbors_of(const walker *k, uint32_t set)
{
    uint32_t around = 0;
    for (uint32_t left = set; left; left &= left - 1) around |= k->adjacent[__builtin_ctz(left)];
    return around & ~set;
}

void walker_create(walker *k, const world *w, dl_rules rules)
{
    *k = (walker){.world = w, .rings_turn = rules == DL_RULES_MAPF, .all = (1u << w->grid->cells) - 1};
    for (int cell = 0; cell < w->grid->cells; cell++)
        for (int d = 0; d < DL_DIRECTIONS; d++)
            if (w->grid->neighbor[cell][d] != DL_NO_CELL) k->adjacent[cell] |= 1u << w->grid->neighbor[cell][d];
}

void walker_begin(walker *k, uint32_t home)
{
    uint8_t agent = 0;
    k->home = k->occupied = home;
    for (uint32_t left = home; left; left &= left - 1)
        k->who[__builtin_ctz(left)] = k->host[__builtin_ctz(left)] = agent++;
}

/* Along the shortest way from a free cell to an occupied one of `spare`, everybody moves up: the free cell is filled,
 * that one is left, and what lies between is as full as before. */
static void fill(walker *k, dl_rng *rng, int hole, uint32_t spare)
{
    uint8_t toward[WORLD_MAX_CELLS], way[WORLD_MAX_CELLS];
    uint32_t seen = 1u << hole, front = seen;
    while (!(front & spare)) {
        uint32_t next = 0;
        for (uint32_t left = front; left; left &= left - 1) {
            int cell = __builtin_ctz(left);
            for (uint32_t out = k->adjacent[cell] & ~seen; out; out &= out - 1)
                toward[__builtin_ctz(out)] = (uint8_t)cell;
            next |= k->adjacent[cell] & ~seen;
            seen |= k->adjacent[cell];
        }
        front = next;
    }
    int length = 0, left = pick(rng, front & spare), to = hole;
    for (int cell = left; cell != hole; cell = toward[cell]) way[length++] = (uint8_t)cell;
    while (length-- > 0) {
        int cell = way[length];
        if (!(k->occupied >> cell & 1)) continue;
        k->who[to] = k->who[cell];
        to = cell;
    }
    k->occupied ^= 1u << hole | 1u << left;
}

static void gather(walker *k, dl_rng *rng, uint32_t wanted)
{
    for (uint32_t holes; (holes = wanted & ~k->occupied);) fill(k, rng, pick(rng, holes), k->occupied & ~wanted);
}

/* A connected set of so many cells: a winding way with branches, or a heap. */
static uint32_t draw_region(const walker *k, dl_rng *rng, int cells)
{
    bool winds = dl_rng_below(rng, 4) > 0;
    int last = pick(rng, k->all);
    uint32_t region = 1u << last;
    for (int count = 1; count < cells; count++) {
        uint32_t ahead = winds && dl_rng_below(rng, 8) ? k->adjacent[last] & ~region : 0;
        last = pick(rng, ahead ? ahead : neighbors_of(k, region));
        region |= 1u << last;
    }
    return region;
}

/* Somebody beside a free cell goes for a walk and does not turn back. */
static void walk(walker *k, dl_rng *rng)
{
    uint32_t beside = neighbors_of(k, k->all & ~k->occupied), back = 0;
    if (!beside) return;
    int cell = pick(rng, beside);
    for (uint32_t ahead; (ahead = k->adjacent[cell] & ~k->occupied & ~back);) {
        int to = pick(rng, ahead);
        back = 1u << cell;
        k->occupied ^= back | 1u << to;
        k->who[to] = k->who[cell];
        cell = to;
        if (dl_rng_below(rng, 6) == 0) return;
    }
}

/* A full ring, if there is one, turns by one cell, either way. */
static void turn(walker *k, dl_rng *rng)
{
    const world *w = k->world;
    int first = w->rings ? (int)dl_rng_below(rng, (uint32_t)w->rings) : 0;
    for (int i = 0; i < w->rings; i++) {
        int r = (first + i) % w->rings, length = w->ring[r].length;
        if (w->ring[r].mask & ~k->occupied) continue;
        bool back = dl_rng_below(rng, 2);
        uint8_t carried = k->who[w->ring[r].cell[0]];
        for (int j = 1; j <= length; j++) {
            int cell = w->ring[r].cell[back ? length - j : j % length];
            uint8_t here = k->who[cell];
            k->who[cell] = carried;
            carried = here;
        }
        return;
    }
}

void walker_wander(walker *k, dl_rng *rng, int rounds)
{
    int blanks = __builtin_popcount(k->all & ~k->home);
    for (int round = 0; round < rounds; round++) {
        if (blanks > 0) gather(k, rng, k->all & ~draw_region(k, rng, blanks));
        for (uint32_t steps = 1 + dl_rng_below(rng, 4); steps > 0; steps--)
            if (k->rings_turn && dl_rng_below(rng, 2))
                turn(k, rng);
            else
                walk(k, rng);
    }
}

void walker_return(walker *k, dl_rng *rng)
{
    gather(k, rng, k->home);
}

world_permutation walker_arrangement(const walker *k)
{
    world_permutation at = {{0}};
    for (uint32_t left = k->occupied; left; left &= left - 1)
        at.to[k->who[__builtin_ctz(left)]] = (uint8_t)__builtin_ctz(left);
    return at;
}

world_permutation walker_permutation(const walker *k)
{
    world_permutation g = {{0}};
    for (uint32_t left = k->home; left; left &= left - 1)
        g.to[k->who[__builtin_ctz(left)]] = k->host[__builtin_ctz(left)];
    return g;
}
