#include "certificate.h"

/* Seven are enough on average, more than a thousand are rarely needed. Where the certificate has not been found by
 * then, all sets of cells are searched, which takes up to a second. */
enum { MOST_LOOPS = 6000 };
/* Random products of loops that are looked at for each new loop. */
enum { PRODUCTS = 6 };
/* Other sets of cells for which the prediction is compared. */
enum { OTHER_SETS = 3 };
enum { MOST_GENERATORS = 48 };

typedef struct proof {
    prediction p;
    bool turns, evens;
    int generators;
    world_permutation generator[MOST_GENERATORS], product;
    uint8_t swapped[WORLD_MAX_CELLS]; /* union-find: the group has every permutation of a set */
    uint8_t cycled[WORLD_MAX_CELLS];  /* every even one */
    int amount[WORLD_MAX_CELLS];      /* by class: the greatest common divisor of its turns and its size */
    uint8_t place[WORLD_MAX_CELLS];   /* of an agent in a class that turns */
} proof;

static int common_divisor(int a, int b)
{
    while (b) {
        int rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static int leader_of(const uint8_t *leader, int agent)
{
    while (leader[agent] != agent) agent = leader[agent];
    return agent;
}

/* False if they are together already. */
static bool unite(uint8_t *leader, int a, int b)
{
    a = leader_of(leader, a);
    b = leader_of(leader, b);
    leader[a] = (uint8_t)b;
    return a != b;
}

static void begin(proof *f)
{
    f->generators = 0;
    f->turns = f->evens = false;
    for (int agent = 0; agent < f->p.agents; agent++)
        f->swapped[agent] = f->cycled[agent] = f->product.to[agent] = (uint8_t)agent;
    for (int class = 0; class < f->p.classes; class ++) {
        f->amount[class] = f->p.size[class];
        f->evens |= f->p.kind[class] == DL_EXCHANGE_EVEN;
        if (f->p.kind[class] != DL_EXCHANGE_TURN) continue;
        f->turns = true;
        int first = 0;
        while (f->p.class_of[first] != class) first++;
        for (int agent = first, place = 0; place < f->p.size[class]; agent = f->p.next[agent])
            f->place[agent] = (uint8_t)place++;
    }
}

/* What of a group's element all its powers show. */
typedef struct cycles {
    int count;
    uint8_t first[WORLD_MAX_CELLS], length[WORLD_MAX_CELLS];
} cycles;

static void find_cycles(int agents, const world_permutation *g, cycles *c)
{
    c->count = 0;
    for (uint32_t left = (1u << agents) - 1; left;) {
        int first = __builtin_ctz(left), length = 0;
        for (int agent = first; left >> agent & 1; agent = g->to[agent], length++) left ^= 1u << agent;
        if (length < 2) continue;
        c->first[c->count] = (uint8_t)first;
        c->length[c->count++] = (uint8_t)length;
    }
}

/* The only cycle whose length is a multiple of the prime, if its length is the prime; -1 = none. A power of the element
 * is that cycle alone. */
static int lone_cycle(const cycles *c, int prime)
{
    int lone = -1;
    for (int i = 0; i < c->count; i++) {
        if (c->length[i] % prime) continue;
        if (lone >= 0 || c->length[i] != prime) return -1;
        lone = c->first[i];
    }
    return lone;
}

/* A power of g that rests outside of the class turns it by this. */
static int lone_turn(const proof *f, const world_permutation *g, const cycles *c, int class)
{
    int power = 1, amount = 0, size = f->p.size[class];
    for (int i = 0; i < c->count; i++) {
        int agent = c->first[i];
        if (f->p.class_of[agent] == class)
            amount = (f->place[g->to[agent]] - f->place[agent] + size) % size;
        else
            power *= c->length[i] / common_divisor(power, c->length[i]);
    }
    return amount * power % size;
}

static void learn(proof *f, const world_permutation *g)
{
    cycles c;
    find_cycles(f->p.agents, g, &c);
    int two = lone_cycle(&c, 2), three = f->evens ? lone_cycle(&c, 3) : -1;
    if (two >= 0) unite(f->swapped, two, g->to[two]);
    if (three >= 0) {
        unite(f->cycled, three, g->to[three]);
        unite(f->cycled, three, g->to[g->to[three]]);
    }
    for (int class = 0; f->turns && class < f->p.classes; class ++) {
        if (f->p.kind[class] != DL_EXCHANGE_TURN) continue;
        f->amount[class] = common_divisor(f->amount[class], lone_turn(f, g, &c, class));
    }
}

/* If the group has all permutations of a set, it also has all of each set that its elements carry it to, and of the
 * union of such sets that overlap. */
static void conjugate(const proof *f, uint8_t *leader)
{
    for (bool news = true; news;) {
        news = false;
        for (int i = 0; i < f->generators; i++)
            for (int agent = 0; agent < f->p.agents; agent++) {
                int to = leader[agent];
                if (to != agent) news |= unite(leader, f->generator[i].to[agent], f->generator[i].to[to]);
            }
    }
}

static bool is_complete(proof *f)
{
    int first[WORLD_MAX_CELLS];
    memset(first, -1, sizeof first);
    conjugate(f, f->swapped);
    if (f->evens) conjugate(f, f->cycled);
    for (int class = 0; class < f->p.classes; class ++)
        if (f->p.kind[class] == DL_EXCHANGE_TURN && f->amount[class] > 1) return false;
    for (int agent = 0; agent < f->p.agents; agent++) {
        int class = f->p.class_of[agent];
        if (class < 0 || f->p.kind[class] == DL_EXCHANGE_TURN) continue;
        if (first[class] < 0) first[class] = agent;
        if (f->p.kind[class] == DL_EXCHANGE_EVEN && f->p.size[class] < 3) continue;
        const uint8_t *leader = f->p.kind[class] == DL_EXCHANGE_EVEN ? f->cycled : f->swapped;
        if (leader_of(leader, agent) != leader_of(leader, first[class])) return false;
    }
    return true;
}

static bool is_identity(int agents, const world_permutation *g)
{
    for (int agent = 0; agent < agents; agent++)
        if (g->to[agent] != agent) return false;
    return true;
}

/* From a loop and from products of loops. */
static void learn_loop(proof *f, const world_permutation *g, dl_rng *rng)
{
    if (is_identity(f->p.agents, g)) return;
    int i = f->generators < MOST_GENERATORS ? f->generators++ : (int)dl_rng_below(rng, MOST_GENERATORS);
    f->generator[i] = *g;
    learn(f, g);
    for (int n = 0; n < PRODUCTS; n++) {
        const world_permutation *factor = &f->generator[dl_rng_below(rng, (uint32_t)f->generators)];
        for (int agent = 0; agent < f->p.agents; agent++) f->product.to[agent] = factor->to[f->product.to[agent]];
        learn(f, &f->product);
    }
}

exchange_verdict certificate_find(walker *k, const dl_blocks *blocks, dl_rules rules, uint32_t occupied, dl_rng *rng,
                                  certificate_tally *tally)
{
    proof f;
    prediction other;
    int agents = __builtin_popcount(occupied), left = OTHER_SETS;
    walker_begin(k, occupied);
    world_permutation at = walker_arrangement(k);
    prediction_make(k->world, blocks, rules, agents, &at, &f.p);
    begin(&f);
    tally->groups++;
    tally->sets++;
    bool complete = is_complete(&f);
    for (int loop = 0; !complete || left > 0; loop++) {
        if (loop == MOST_LOOPS) {
            tally->exhaustive++;
            return exchange_compare_exhaustively(k->world, blocks, rules, agents, &tally->sets);
        }
        tally->loops++;
        walker_begin(k, occupied);
        walker_wander(k, rng, 1 + (int)dl_rng_below(rng, 3));
        if (left > 0) {
            left--;
            tally->sets++;
            at = walker_arrangement(k);
            prediction_make(k->world, blocks, rules, agents, &at, &other);
            if (!prediction_same(&f.p, &other)) return EXCHANGE_CHANGES_ON_THE_WAY;
        }
        walker_return(k, rng);
        world_permutation g = walker_permutation(k);
        if (!prediction_permits(&f.p, &g)) return EXCHANGE_MORE_IS_POSSIBLE;
        if (complete) continue;
        learn_loop(&f, &g, rng);
        complete = is_complete(&f);
    }
    return EXCHANGE_AGREES;
}
