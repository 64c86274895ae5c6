/* Plan dependencies against a relation worked out pair by pair, and their execution against an adversary who delays
 * whom it likes: on small worlds every choice of its, on large ones at random. */
#include "base/memory.h"
#include "mapf/check.h"
#include "order/dependencies.h"
#include "order/execute.h"
#include "support_plans.h"

/* ---- The whole relation, straight from the plan ---- */

/* Steps are numbered agent after agent, each agent's from 0, which is standing on its start. */
typedef struct relation {
    int agents, steps;
    int *first; /* [agents + 1] */
    difflns_cell *cell;
    int *time, *agent; /* [steps] */
    int edges;
    int (*edge)[2]; /* edge[i][1] may be made only once, or when, edge[i][0] has been made, of another agent */
} relation;

static bool same(difflns_cell a, difflns_cell b)
{
    return a.row == b.row && a.col == b.col;
}

/* Every two visits of a cell by different agents: the later waits for the end of the earlier. */
static relation relation_of(const dl_plan *plan)
{
    relation r = {.agents = plan->agents, .first = DL_ARRAY(int, plan->agents + 1)};
    int room = 0;
    for (int i = 0; i < plan->agents; i++) room += plan->path[i].length;
    r.cell = DL_ARRAY(difflns_cell, room);
    r.time = DL_ARRAY(int, room);
    r.agent = DL_ARRAY(int, room);
    for (int i = 0; i < plan->agents; i++) {
        const dl_path *path = &plan->path[i];
        for (int t = 0; t < path->length; t++) {
            if (t > 0 && same(path->at[t], path->at[t - 1])) continue;
            r.cell[r.steps] = path->at[t];
            r.time[r.steps] = t;
            r.agent[r.steps++] = i;
        }
        r.first[i + 1] = r.steps;
    }
    for (int count = 0; count < 2; count++) {
        r.edges = 0;
        for (int x = 0; x < r.steps; x++)
            for (int y = 0; y < r.steps; y++) {
                if (r.agent[x] == r.agent[y] || !same(r.cell[x], r.cell[y]) || r.time[x] >= r.time[y]) continue;
                if (count) {
                    r.edge[r.edges][0] = x + 1;
                    r.edge[r.edges][1] = y;
                }
                r.edges++;
            }
        if (!count) r.edge = dl_calloc((size_t)r.edges, sizeof *r.edge);
    }
    return r;
}

static void relation_free(relation *r)
{
    free(r->first);
    free(r->cell);
    free(r->time);
    free(r->agent);
    free(r->edge);
}

/* The same steps with the dependencies listed instead. */
static relation listed_relation(const relation *whole, const dl_dependencies *d)
{
    relation r = *whole;
    difflns_dependency *list = DL_ARRAY(difflns_dependency, d->count);
    dl_dependencies_list(d, list);
    r.edges = d->count;
    r.edge = dl_calloc((size_t)r.edges, sizeof *r.edge);
    for (int i = 0; i < r.edges; i++) {
        r.edge[i][0] = r.first[list[i].other] + list[i].other_step;
        r.edge[i][1] = r.first[list[i].agent] + list[i].step;
    }
    free(list);
    return r;
}

enum { NOTHING, NOT_AFTER, BEFORE };

/* reach[y]: must step `from` be made before y, not after y, or neither? Without the edge number `without`. */
static void reach_from(const relation *r, const int *head, const int *next, int from, int without, uint8_t *reach)
{
    int *stack = DL_ARRAY(int, 2 * r->steps + 2), top = 0;
    memset(reach, NOTHING, (size_t)r->steps);
    reach[from] = NOT_AFTER;
    stack[top++] = from;
    while (top > 0) {
        int x = stack[--top];
        bool own = x + 1 < r->steps && r->agent[x + 1] == r->agent[x];
        if (own && reach[x + 1] < BEFORE) {
            reach[x + 1] = BEFORE;
            stack[top++] = x + 1;
        }
        for (int e = head[x]; e >= 0; e = next[e]) {
            int y = r->edge[e][1];
            if (e == without || reach[y] >= reach[x]) continue;
            reach[y] = reach[x];
            stack[top++] = y;
        }
    }
    free(stack);
}

typedef struct adjacency {
    int *head, *next;
} adjacency;

static adjacency adjacency_of(const relation *r)
{
    adjacency a = {DL_ARRAY(int, r->steps), DL_ARRAY(int, r->edges)};
    for (int x = 0; x < r->steps; x++) a.head[x] = -1;
    for (int e = 0; e < r->edges; e++) {
        a.next[e] = a.head[r->edge[e][0]];
        a.head[r->edge[e][0]] = e;
    }
    return a;
}

static void adjacency_free(adjacency *a)
{
    free(a->head);
    free(a->next);
}

/* What is listed says the same as the whole relation, and nothing twice. */
static void assert_reduced_exactly(const relation *whole, const dl_dependencies *d)
{
    relation listed = listed_relation(whole, d);
    adjacency all = adjacency_of(whole), few = adjacency_of(&listed);
    uint8_t *expected = DL_ARRAY(uint8_t, whole->steps), *found = DL_ARRAY(uint8_t, whole->steps);
    for (int x = 0; x < whole->steps; x++) {
        reach_from(whole, all.head, all.next, x, -1, expected);
        reach_from(&listed, few.head, few.next, x, -1, found);
        assert_memory_equal(found, expected, (size_t)whole->steps);
    }
    for (int e = 0; e < listed.edges; e++) {
        reach_from(&listed, few.head, few.next, listed.edge[e][0], e, found);
        assert_int_equal(found[listed.edge[e][1]], NOTHING);
    }
    free(expected);
    free(found);
    adjacency_free(&all);
    adjacency_free(&few);
    free(listed.edge);
}

/* Rotations are the steps that must not be made after each other. */
static void assert_rotations(const relation *whole, const dl_dependencies *d)
{
    adjacency all = adjacency_of(whole);
    uint8_t *reach = DL_ARRAY(uint8_t, whole->steps), *back = DL_ARRAY(uint8_t, whole->steps);
    for (int x = 0; x < whole->steps; x++) {
        int members = 0;
        reach_from(whole, all.head, all.next, x, -1, reach);
        for (int y = 0; y < whole->steps; y++) {
            if (y == x || reach[y] != NOT_AFTER) continue;
            reach_from(whole, all.head, all.next, y, -1, back);
            bool together = back[x] == NOT_AFTER;
            assert_int_equal(together, d->rotation[x] >= 0 && d->rotation[x] == d->rotation[y]);
            members += together;
        }
        assert_int_equal(members > 0, d->rotation[x] >= 0);
        assert_true(members == 0 || members >= 3);
        assert_true(d->rotation[x] < d->rotations);
    }
    free(reach);
    free(back);
    adjacency_free(&all);
}

static dl_dependencies *dependencies_of(const dl_instance *instance, const dl_plan *plan)
{
    dl_dependencies *d;
    dl_error err;
    if (dl_dependencies_create(instance, plan, &d, &err) != DIFFLNS_OK) fail_msg("%s", err.message);
    return d;
}

static void assert_right(const dl_instance *instance, const dl_plan *plan)
{
    relation whole = relation_of(plan);
    dl_dependencies *d = dependencies_of(instance, plan);
    assert_int_equal(d->first[d->agents], whole.steps);
    for (int x = 0; x < whole.steps; x++) assert_true(same(d->cell[x], whole.cell[x]));
    assert_reduced_exactly(&whole, d);
    assert_rotations(&whole, d);
    dl_dependencies_free(d);
    relation_free(&whole);
}

/* ---- The adversary ---- */

enum { MOST_AGENTS = 8, MOST_STATES = 1 << 22 };

typedef struct game {
    const relation *whole;
    const dl_dependencies *d;
    int agents;
    uint64_t states; /* visited */
} game;

static int code_of(const game *g, const int32_t *progress)
{
    int code = 0;
    for (int i = 0; i < g->agents; i++) code = code * (dl_dependencies_steps(g->d, i) + 1) + progress[i];
    return code;
}

static void decode(const game *g, int code, int32_t *progress)
{
    for (int i = g->agents - 1; i >= 0; i--) {
        int base = dl_dependencies_steps(g->d, i) + 1;
        progress[i] = code % base;
        code /= base;
    }
}

static bool arrived(const game *g, const int32_t *progress)
{
    for (int i = 0; i < g->agents; i++)
        if (progress[i] < dl_dependencies_steps(g->d, i)) return false;
    return true;
}

static void assert_legal(const relation *whole, const int32_t *before, const int32_t *after)
{
    for (int i = 0; i < whole->agents; i++)
        for (int k = 0; k < i; k++) {
            difflns_cell from = whole->cell[whole->first[i] + before[i]], to = whole->cell[whole->first[i] + after[i]];
            difflns_cell other_from = whole->cell[whole->first[k] + before[k]];
            difflns_cell other_to = whole->cell[whole->first[k] + after[k]];
            assert_false(same(to, other_to));
            assert_false(same(from, other_to) && same(to, other_from));
        }
}

/* The largest set that may move, by trying all sets against the whole relation: unions of sets that may move may. */
static unsigned largest_set(const game *g, const int32_t *progress, unsigned delayed)
{
    const relation *r = g->whole;
    unsigned largest = 0;
    for (unsigned set = 0; set < 1u << g->agents; set++) {
        bool may = (set & delayed) == 0;
        for (int i = 0; i < g->agents && may; i++)
            may = !(set >> i & 1) || progress[i] < r->first[i + 1] - r->first[i] - 1;
        for (int e = 0; e < r->edges && may; e++) {
            int step = r->edge[e][1], agent = r->agent[step], other = r->agent[r->edge[e][0]];
            if (!(set >> agent & 1) || step != r->first[agent] + progress[agent] + 1) continue;
            int made = r->first[other] + progress[other] + (int)(set >> other & 1);
            may = r->edge[e][0] <= made;
        }
        if (may) largest |= set;
    }
    return largest;
}

/* A controller that never lets one follow into a cell in the instant it is left, but turns rotations as a whole, is
 * not stuck either. */
static bool cautious_can_move(const game *g, const int32_t *progress)
{
    const dl_dependencies *d = g->d;
    int turning[MOST_AGENTS * 64] = {0}, members[MOST_AGENTS * 64] = {0};
    assert_true(d->rotations < MOST_AGENTS * 64);
    for (int32_t visit = 0; visit < d->first[d->agents]; visit++)
        if (d->rotation[visit] >= 0) members[d->rotation[visit]]++;
    for (int i = 0; i < g->agents; i++) {
        int32_t visit = d->first[i] + progress[i] + 1;
        if (visit == d->first[i + 1]) continue;
        int32_t other = d->after[visit], rotation = d->rotation[visit];
        if (rotation < 0 && (other < 0 || other <= d->first[d->agent[other]] + progress[d->agent[other]])) return true;
        if (rotation >= 0 && ++turning[rotation] == members[rotation]) return true;
    }
    return false;
}

/* All progress that any delays can lead to. */
static uint64_t play_all(const dl_plan *plan, const dl_dependencies *d)
{
    relation whole = relation_of(plan);
    game g = {&whole, d, plan->agents, 0};
    int64_t codes = 1;
    for (int i = 0; i < g.agents; i++) codes *= dl_dependencies_steps(d, i) + 1;
    assert_true(g.agents <= MOST_AGENTS && codes <= MOST_STATES);
    uint8_t *seen = DL_ARRAY(uint8_t, codes);
    int *stack = DL_ARRAY(int, codes), top = 0;
    seen[0] = 1;
    stack[top++] = 0;
    while (top > 0) {
        int32_t progress[MOST_AGENTS], after[MOST_AGENTS];
        decode(&g, stack[--top], progress);
        g.states++;
        bool done = arrived(&g, progress);
        if (!done) assert_true(cautious_can_move(&g, progress));
        for (unsigned delayed = 0; delayed < 1u << g.agents; delayed++) {
            uint8_t late[MOST_AGENTS], moves[MOST_AGENTS];
            unsigned moving = 0;
            for (int i = 0; i < g.agents; i++) late[i] = delayed >> i & 1;
            int count = dl_execute(d, progress, late, moves);
            for (int i = 0; i < g.agents; i++) {
                assert_true(moves[i] <= 1);
                moving |= (unsigned)moves[i] << i;
                after[i] = progress[i] + moves[i];
            }
            assert_int_equal(count, __builtin_popcount(moving));
            if (g.agents <= 5) assert_int_equal(moving, largest_set(&g, progress, delayed));
            if (!delayed) assert_true(done ? count == 0 : count > 0);
            assert_legal(&whole, progress, after);
            int code = code_of(&g, after);
            if (!seen[code]) stack[top++] = code;
            seen[code] = 1;
        }
    }
    free(seen);
    free(stack);
    relation_free(&whole);
    return g.states;
}

static void assert_survives_any_delays(const dl_instance *instance, const dl_plan *plan)
{
    assert_true(dl_check_valid(instance, plan));
    assert_right(instance, plan);
    dl_dependencies *d = dependencies_of(instance, plan);
    play_all(plan, d);
    dl_dependencies_free(d);
}

/* ---- Plans made by hand ---- */

static void assert_walks_survive(const char *rows, int agents, const test_walk *walks)
{
    dl_plan *plan;
    dl_instance *instance = test_walks(rows, agents, walks, &plan);
    assert_survives_any_delays(instance, plan);
    dl_plan_free(plan);
    dl_instance_free(instance);
}

#define SURVIVES(rows, ...)                                                                                            \
    do {                                                                                                               \
        const test_walk walks[] = {__VA_ARGS__};                                                                       \
        assert_walks_survive(rows, (int)(sizeof walks / sizeof walks[0]), walks);                                      \
    } while (0)

static void agents_that_follow_each_other_survive_any_delays(void **state)
{
    (void)state;
    SURVIVES(".......", {0, 0, "rrrr"}, {0, 1, "rrrr"}, {0, 2, "rrrr"});
    SURVIVES(".......", {0, 0, "wrwrwr"}, {0, 2, "wrwwrr"}, {0, 3, "rwwrwr"});
    SURVIVES("...../@@.@@", {0, 0, "rrrr"}, {1, 2, "wwwul"});
}

static void full_rings_turn_under_any_delays(void **state)
{
    (void)state;
    SURVIVES("../..", {0, 0, "rd"}, {0, 1, "dl"}, {1, 1, "lu"}, {1, 0, "ur"});
    SURVIVES("../..", {0, 0, "rwl"}, {0, 1, "dwu"}, {1, 1, "lwr"}, {1, 0, "uwd"});
    SURVIVES(".../.@./...", {0, 0, "rr"}, {0, 1, "rd"}, {0, 2, "dd"}, {1, 2, "dl"}, {2, 2, "ll"}, {2, 1, "lu"},
             {2, 0, "uu"}, {1, 0, "ur"});
    /* One ring, then another that shares two cells with it. */
    SURVIVES(".../...", {0, 0, "rr"}, {0, 1, "du"}, {1, 1, "lw"}, {1, 0, "uw"}, {0, 2, "wd"}, {1, 2, "wl"});
}

static void corridors_with_a_siding_survive_any_delays(void **state)
{
    (void)state;
    SURVIVES("...../@@.@@", {0, 0, "rrdwwurr"}, {0, 4, "wwllll"});
    SURVIVES("....../@@..@@", {0, 0, "rrdwwwurrr"}, {0, 4, "wwllll"}, {0, 5, "wwllll"});
}

static void goals_that_others_cross_first_survive_any_delays(void **state)
{
    (void)state;
    SURVIVES("...../..@..", {1, 1, "wwwwwu"}, {0, 0, "rrrr"}, {0, 4, "wwwd"});
    /* It stands on its goal, makes way and comes back. */
    SURVIVES(".../@.@", {0, 1, "dwwwu"}, {0, 0, "rr"});
    SURVIVES("...../@@.@@", {0, 2, "dwwwwwu"}, {0, 1, "rrr"}, {0, 0, "wrrr"});
    /* It leaves and returns, and nobody was there in the meantime. */
    SURVIVES("...", {0, 0, "rlrl"}, {0, 2, "wwww"});
}

static void what_is_listed_is_what_a_reader_expects(void **state)
{
    (void)state;
    /* Agent 1 follows agent 0: each of its steps waits for one of the other's. */
    dl_plan *plan;
    dl_instance *instance = test_walks(".....", 2, (const test_walk[]){{0, 1, "rrr"}, {0, 0, "wrwr"}}, &plan);
    dl_dependencies *d = dependencies_of(instance, plan);
    difflns_dependency list[8];
    assert_int_equal(d->count, 2);
    dl_dependencies_list(d, list);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(list[i].agent, 1);
        assert_int_equal(list[i].step, i + 1);
        assert_int_equal(list[i].other, 0);
        assert_int_equal(list[i].other_step, i + 1);
        assert_int_equal(list[i].rotation, -1);
    }
    dl_dependencies_free(d);
    dl_plan_free(plan);
    dl_instance_free(instance);
    /* Agent 1 goes back where agent 0 came from: once the last cell is left, so are those before. */
    instance = test_walks("...../@@@.@", 2, (const test_walk[]){{0, 0, "rrrd"}, {0, 4, "wwwllll"}}, &plan);
    d = dependencies_of(instance, plan);
    assert_int_equal(d->count, 1);
    dl_dependencies_list(d, list);
    assert_memory_equal(&list[0], (&(difflns_dependency){1, 1, 0, 4, -1}), sizeof list[0]);
    dl_dependencies_free(d);
    dl_plan_free(plan);
    dl_instance_free(instance);
}

/* ---- Random plans ---- */

static void random_walks_on_small_worlds_survive_any_delays(void **state)
{
    (void)state;
    static const int SIZE[][3] = {{2, 2, 4}, {2, 3, 5}, {2, 3, 6}, {3, 3, 3}, {3, 3, 5}, {2, 4, 4}, {1, 7, 4}};
    int rotations = 0;
    for (uint64_t seed = 1; seed <= 210; seed++) {
        const int *size = SIZE[seed % 7];
        dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('d', 'e', 'p', 's'), 0);
        dl_plan *plan;
        dl_instance *instance =
            test_random_walks(&rng, size[0], size[1], 0.1, size[2], 4 + (int)(seed % 3), 0.2, &plan);
        if (!instance) continue;
        print_message("seed %llu\n", (unsigned long long)seed);
        assert_survives_any_delays(instance, plan);
        dl_dependencies *d = dependencies_of(instance, plan);
        rotations += d->rotations;
        dl_dependencies_free(d);
        dl_plan_free(plan);
        dl_instance_free(instance);
    }
    assert_true(rotations > 50);
}

static void solved_small_worlds_survive_any_delays(void **state)
{
    (void)state;
    int played = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('d', 'e', 'p', 's'), 1);
        dl_instance *instance = test_random_instance(&rng, 3, 4, 0.15, 3 + (int)(seed % 3));
        dl_plan *plan = instance ? test_solved_plan(instance, seed) : NULL;
        if (plan && dl_plan_makespan(plan) <= 12) {
            print_message("seed %llu\n", (unsigned long long)seed);
            assert_survives_any_delays(instance, plan);
            played++;
        }
        dl_plan_free(plan);
        dl_instance_free(instance);
    }
    assert_true(played > 20);
}

/* Executes with delays of probability `late`; agent `stuck` (-1 = none) is always delayed. When nobody has moved for a
 * while there is an instant without delays: a long ring may never turn before. Returns the instants it took. */
static int drive(const dl_plan *plan, const dl_dependencies *d, dl_rng *rng, double late, int stuck)
{
    relation whole = relation_of(plan);
    int32_t *progress = DL_ARRAY(int32_t, d->agents), *after = DL_ARRAY(int32_t, d->agents);
    uint8_t *delayed = DL_ARRAY(uint8_t, d->agents), *moves = DL_ARRAY(uint8_t, d->agents);
    bool free_run = late == 0 && stuck < 0, done = false;
    int instants = 0;
    for (int idle = 0; !done;) {
        for (int i = 0; i < d->agents; i++) delayed[i] = i == stuck || dl_rng_unit(rng) < late;
        bool nobody_late = free_run || idle > 100;
        int count = dl_execute(d, progress, nobody_late ? NULL : delayed, moves);
        instants++;
        idle = count ? 0 : idle + 1;
        assert_true(count > 0 || !nobody_late);
        done = true;
        for (int i = 0; i < d->agents; i++) {
            after[i] = progress[i] + moves[i];
            bool home = after[i] == dl_dependencies_steps(d, i);
            /* Without delays nobody is ever behind the plan. */
            assert_true(!free_run || home || whole.time[whole.first[i] + after[i] + 1] > instants);
            done = done && home;
        }
        assert_legal(&whole, progress, after);
        memcpy(progress, after, sizeof *progress * (size_t)d->agents);
    }
    free(progress);
    free(after);
    free(delayed);
    free(moves);
    relation_free(&whole);
    return instants;
}

static void drive_variously(const dl_plan *plan, const dl_dependencies *d, dl_rng *rng)
{
    assert_true(drive(plan, d, rng, 0, -1) <= dl_plan_makespan(plan));
    drive(plan, d, rng, 0.1, -1);
    drive(plan, d, rng, 0.6, -1);
    drive(plan, d, rng, 0.2, (int)dl_rng_below(rng, (uint32_t)plan->agents));
}

static void crowds_are_reduced_exactly_and_arrive_whatever_the_delays(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        print_message("seed %llu\n", (unsigned long long)seed);
        dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('d', 'e', 'p', 's'), 2);
        dl_plan *plan;
        dl_instance *instance = test_random_walks(&rng, 8, 8, 0.1, 20 + 3 * (int)seed, 25, 0.3, &plan);
        if (!instance) continue;
        assert_true(dl_check_valid(instance, plan));
        assert_right(instance, plan);
        dl_dependencies *d = dependencies_of(instance, plan);
        drive_variously(plan, d, &rng);
        dl_dependencies_free(d);
        dl_plan_free(plan);
        dl_instance_free(instance);
    }
}

static void tight_worlds_are_reduced_exactly(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 150; seed++) {
        print_message("seed %llu\n", (unsigned long long)seed);
        dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('d', 'e', 'p', 's'), 5);
        dl_plan *plan;
        dl_instance *instance = test_random_walks(&rng, 4, 4, 0, 8 + (int)(seed % 7), 20, 0.1, &plan);
        assert_right(instance, plan);
        dl_plan_free(plan);
        dl_instance_free(instance);
    }
}

static void solved_crowds_arrive_whatever_the_delays(void **state)
{
    (void)state;
    int driven = 0;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('d', 'e', 'p', 's'), 3);
        dl_instance *instance = test_random_instance(&rng, 20, 20, 0.1, 120);
        dl_plan *plan = test_solved_plan(instance, seed);
        if (plan) {
            print_message("seed %llu\n", (unsigned long long)seed);
            dl_dependencies *d = dependencies_of(instance, plan);
            drive_variously(plan, d, &rng);
            dl_dependencies_free(d);
            driven++;
        }
        dl_plan_free(plan);
        dl_instance_free(instance);
    }
    assert_true(driven > 0);
}

/* ---- Refusals ---- */

static void plans_are_refused_exactly_when_the_checker_finds_more_than_missed_goals(void **state)
{
    (void)state;
    int refused = 0, taken = 0;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('d', 'e', 'p', 's'), 4);
        dl_plan *plan;
        dl_instance *instance = test_random_walks(&rng, 4, 5, 0.2, 5, 8, 0.4, &plan);
        if (!instance) continue;
        dl_path *path = &plan->path[dl_rng_below(&rng, 5)];
        int time = (int)dl_rng_below(&rng, (uint32_t)path->length);
        if (seed % 4 == 0)
            path->length = time; /* also 0: no path at all */
        else if (seed % 4 < 3)
            path->at[time] = (difflns_cell){(int)dl_rng_below(&rng, 6) - 1, (int)dl_rng_below(&rng, 7) - 1};
        dl_check_result check;
        assert_true(dl_check(instance, plan, &check, NULL, 0, NULL));
        int64_t faults = check.violations - check.by_kind[DIFFLNS_WRONG_GOAL];
        dl_dependencies *d;
        dl_error err = {.status = DIFFLNS_OK};
        dl_status status = dl_dependencies_create(instance, plan, &d, &err);
        if ((status == DIFFLNS_OK) != (faults == 0)) fail_msg("seed %llu: %s", (unsigned long long)seed, err.message);
        assert_int_equal(status, faults ? DIFFLNS_BAD_INPUT : DIFFLNS_OK);
        assert_int_equal(d != NULL, faults == 0);
        if (faults) assert_true(strlen(err.message) > 10);
        *(faults ? &refused : &taken) += 1;
        dl_dependencies_free(d);
        dl_plan_free(plan);
        dl_instance_free(instance);
    }
    assert_true(refused > 100 && taken > 50);
}

/* ---- The public functions ---- */

static void a_stranger_can_list_and_execute_dependencies(void **state)
{
    (void)state;
    dl_plan *plan;
    dl_instance *instance =
        test_walks("../..", 4, (const test_walk[]){{0, 0, "wr"}, {0, 1, "wd"}, {1, 1, "wl"}, {1, 0, "wu"}}, &plan);
    difflns_dependencies *d;
    difflns_error err;
    assert_int_equal(difflns_dependencies_create(instance, plan, &d, &err), DIFFLNS_OK);
    assert_int_equal(difflns_dependencies_count(d), 4);
    difflns_dependency list[4];
    assert_int_equal(difflns_dependencies_list(d, list, 4, &err), DIFFLNS_OK);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(list[i].agent, i);
        assert_int_equal(list[i].step, 1);
        assert_int_equal(list[i].other, (i + 1) % 4);
        assert_int_equal(list[i].other_step, 1);
        assert_int_equal(list[i].rotation, 0);
        assert_int_equal(difflns_dependencies_steps(d, i), 1);
    }
    difflns_cell cells[2];
    assert_int_equal(difflns_dependencies_path(d, 2, cells, 2, &err), DIFFLNS_OK);
    assert_true(same(cells[0], (difflns_cell){1, 1}) && same(cells[1], (difflns_cell){1, 0}));
    int32_t progress[4] = {0};
    uint8_t may[4], late[4] = {0, 0, 1, 0};
    assert_int_equal(difflns_dependencies_next(d, progress, late, may, &err), DIFFLNS_OK);
    assert_memory_equal(may, ((uint8_t[]){0, 0, 0, 0}), 4);
    assert_int_equal(difflns_dependencies_next(d, progress, NULL, may, &err), DIFFLNS_OK);
    assert_memory_equal(may, ((uint8_t[]){1, 1, 1, 1}), 4);
    difflns_dependencies_free(d);
    dl_plan_free(plan);
    dl_instance_free(instance);
}

static void nonsense_gets_a_status_and_a_line(void **state)
{
    (void)state;
    dl_plan *plan;
    dl_instance *instance = test_walks("...", 2, (const test_walk[]){{0, 0, "r"}, {0, 1, "r"}}, &plan);
    difflns_dependencies *d = NULL;
    difflns_error err;
    difflns_cell cells[2];
    difflns_dependency list[1];
    int32_t progress[2] = {0, 2};
    uint8_t may[2];
    assert_int_equal(difflns_dependencies_create(instance, plan, NULL, &err), DIFFLNS_BAD_INPUT);
    assert_int_equal(difflns_dependencies_create(NULL, plan, &d, &err), DIFFLNS_BAD_INPUT);
    assert_string_equal(err.message, "instance is NULL");
    assert_int_equal(difflns_dependencies_create(instance, NULL, &d, NULL), DIFFLNS_BAD_INPUT);
    assert_null(d);
    assert_int_equal(difflns_dependencies_count(NULL), -1);
    assert_int_equal(difflns_dependencies_steps(NULL, 0), -1);
    assert_int_equal(difflns_dependencies_list(NULL, list, 1, &err), DIFFLNS_BAD_INPUT);
    assert_int_equal(difflns_dependencies_path(NULL, 0, cells, 2, &err), DIFFLNS_BAD_INPUT);
    assert_int_equal(difflns_dependencies_next(NULL, progress, NULL, may, &err), DIFFLNS_BAD_INPUT);
    difflns_dependencies_free(NULL);
    assert_int_equal(difflns_dependencies_create(instance, plan, &d, &err), DIFFLNS_OK);
    assert_int_equal(difflns_dependencies_list(d, list, 0, &err), DIFFLNS_BAD_INPUT);
    assert_string_equal(err.message, "room for 0 dependencies: expected 1");
    assert_int_equal(difflns_dependencies_list(d, NULL, 1, &err), DIFFLNS_BAD_INPUT);
    assert_int_equal(difflns_dependencies_steps(d, 2), -1);
    assert_int_equal(difflns_dependencies_path(d, -1, cells, 2, &err), DIFFLNS_BAD_INPUT);
    assert_int_equal(difflns_dependencies_path(d, 0, cells, 1, &err), DIFFLNS_BAD_INPUT);
    assert_int_equal(difflns_dependencies_path(d, 0, NULL, 2, &err), DIFFLNS_BAD_INPUT);
    assert_int_equal(difflns_dependencies_next(d, NULL, NULL, may, &err), DIFFLNS_BAD_INPUT);
    assert_int_equal(difflns_dependencies_next(d, progress, NULL, NULL, &err), DIFFLNS_BAD_INPUT);
    assert_int_equal(difflns_dependencies_next(d, progress, NULL, may, &err), DIFFLNS_BAD_INPUT);
    assert_string_equal(err.message, "agent 1 has made 2 steps: expected 0 to 1");
    difflns_dependencies_free(d);
    dl_plan_free(plan);
    dl_instance_free(instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_listed_is_what_a_reader_expects),
        cmocka_unit_test(agents_that_follow_each_other_survive_any_delays),
        cmocka_unit_test(full_rings_turn_under_any_delays),
        cmocka_unit_test(corridors_with_a_siding_survive_any_delays),
        cmocka_unit_test(goals_that_others_cross_first_survive_any_delays),
        cmocka_unit_test(random_walks_on_small_worlds_survive_any_delays),
        cmocka_unit_test(solved_small_worlds_survive_any_delays),
        cmocka_unit_test(crowds_are_reduced_exactly_and_arrive_whatever_the_delays),
        cmocka_unit_test(tight_worlds_are_reduced_exactly),
        cmocka_unit_test(solved_crowds_arrive_whatever_the_delays),
        cmocka_unit_test(plans_are_refused_exactly_when_the_checker_finds_more_than_missed_goals),
        cmocka_unit_test(a_stranger_can_list_and_execute_dependencies),
        cmocka_unit_test(nonsense_gets_a_status_and_a_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
