/* Lower bounds on the sum of costs: what is called optimal rests on them. Compared with Dijkstra over joint states. */
#include "complete/lower_bound.h"

#include "complete/joint_astar.h"
#include "support.h"

enum { MOST_AGENTS = 3, MOST_CELLS = 9, MOST_COST = 60, WORLDS = 60 };
enum { STATES = MOST_CELLS * MOST_CELLS * MOST_CELLS << MOST_AGENTS };

/* ---- the truth ---- */

/* Where everybody is, and who stays there for ever. */
typedef struct joint {
    dl_cell at[MOST_AGENTS];
    unsigned done;
} joint;

typedef struct oracle {
    const dl_instance *instance;
    int cost[STATES]; /* the least known so far */
    bool settled[STATES];
    bool changed; /* something became cheaper in this round */
} oracle;

static int code_of(const oracle *o, const joint *j)
{
    int code = 0;
    for (int i = 0; i < o->instance->agents; i++) code = code * o->instance->grid->cells + j->at[i];
    return code << o->instance->agents | (int)j->done;
}

static joint state_of(const oracle *o, int code)
{
    joint j = {.done = (unsigned)code & ((1u << o->instance->agents) - 1)};
    code >>= o->instance->agents;
    for (int i = o->instance->agents - 1; i >= 0; i--, code /= o->instance->grid->cells)
        j.at[i] = code % o->instance->grid->cells;
    return j;
}

static void offer(oracle *o, const joint *to, int cost)
{
    int code = code_of(o, to);
    if (cost >= o->cost[code]) return;
    o->cost[code] = cost;
    o->changed = true;
}

static bool collides(const joint *from, const joint *to, int agent)
{
    for (int i = 0; i < agent; i++)
        if (to->at[i] == to->at[agent] || (to->at[i] == from->at[agent] && to->at[agent] == from->at[i])) return true;
    return false;
}

/* Every legal step of the agents from number `agent` on; each that is not done costs one. */
static void step(oracle *o, const joint *from, joint *to, int agent, int cost)
{
    if (agent == o->instance->agents) {
        offer(o, to, cost);
        return;
    }
    bool done = from->done >> agent & 1;
    const dl_cell *neighbor = o->instance->grid->neighbor[from->at[agent]];
    for (int d = -1; d < (done ? 0 : DL_DIRECTIONS); d++) {
        to->at[agent] = d < 0 ? from->at[agent] : neighbor[d];
        if (to->at[agent] != DL_NO_CELL && !collides(from, to, agent)) step(o, from, to, agent + 1, cost + !done);
    }
}

/* The least sum of costs, -1 if nothing up to MOST_COST will do. */
static int least_cost(const dl_instance *instance)
{
    oracle *o = calloc(1, sizeof *o);
    o->instance = instance;
    int agents = instance->agents, states = 1, found = -1;
    for (int i = 0; i < agents; i++) states *= instance->grid->cells;
    states <<= agents;
    for (int code = 0; code < states; code++) o->cost[code] = MOST_COST;
    joint start = {0};
    memcpy(start.at, instance->start, sizeof *start.at * (size_t)agents);
    offer(o, &start, 0);
    for (int cost = 0; cost < MOST_COST && found < 0; cost++)
        do { /* being done costs nothing, so more of the same cost may turn up */
            o->changed = false;
            for (int code = 0; code < states && found < 0; code++) {
                if (o->cost[code] != cost || o->settled[code]) continue;
                o->settled[code] = true;
                joint from = state_of(o, code), to = from;
                if (from.done == (1u << agents) - 1) found = cost;
                for (int i = 0; i < agents; i++)
                    if (from.at[i] == instance->goal[i] && !(from.done >> i & 1)) {
                        joint ended = from;
                        ended.done |= 1u << i;
                        offer(o, &ended, cost);
                    }
                step(o, &from, &to, 0, cost);
            }
        } while (o->changed && found < 0);
    free(o);
    return found;
}

/* ---- bounds ---- */

static dl_instance *draw_world(uint64_t number)
{
    dl_rng rng = dl_rng_stream(number, DL_PURPOSE('b', 'o', 'u', 'n'), 0);
    dl_instance *instance = test_random_instance(&rng, 3, 3, 0.2, 2 + (int)(number % 2));
    if (instance && instance->grid->components == 1) return instance;
    dl_instance_free(instance);
    return NULL;
}

static void a_bound_lies_between_the_distances_and_the_least_cost(void **state)
{
    (void)state;
    dl_deadline never = dl_no_deadline();
    int above = 0, compared = 0;
    for (uint64_t number = 0; number < WORLDS; number++) {
        dl_instance *instance = draw_world(number);
        if (!instance) continue;
        int least = least_cost(instance);
        dl_distance *distance = dl_distance_create(instance);
        int64_t apart = dl_distance_lower_bound(distance);
        int64_t pairs = dl_lower_bound_of_pairs(instance, distance, &never);
        int64_t bound = dl_lower_bound(instance, distance, &never);
        if (least >= 0 && (pairs > least || bound != least))
            fail_msg("world %llu: bounds %lld and %lld, the least cost is %d", (unsigned long long)number,
                     (long long)pairs, (long long)bound, least);
        assert_true(apart <= pairs && pairs <= bound);
        compared += least >= 0;
        above += least >= 0 && pairs > apart;
        dl_distance_free(distance);
        dl_instance_free(instance);
    }
    assert_true(compared > 10 && above > 0);
}

static void a_search_that_is_cut_short_is_a_bound_all_the_same(void **state)
{
    (void)state;
    dl_deadline never = dl_no_deadline(), passed = {0, NULL};
    dl_joint_astar astar = {0};
    for (uint64_t number = 0; number < WORLDS; number++) {
        dl_instance *instance = draw_world(number);
        if (!instance) continue;
        int least = least_cost(instance);
        dl_distance *distance = dl_distance_create(instance);
        int64_t apart = dl_distance_lower_bound(distance);
        const int32_t all[] = {0, 1, 2};
        for (int32_t most = 2; most < 300; most *= 3) {
            bool exact;
            int64_t bound = dl_joint_astar_run(&astar, instance, distance, all, instance->agents, most, &never, &exact);
            assert_true(least < 0 || (bound >= apart && bound <= least));
            if (exact) assert_int_equal(bound, least);
            bound = dl_joint_astar_run(&astar, instance, distance, all, instance->agents, most, &passed, &exact);
            assert_true(least < 0 || (bound >= apart && bound <= least));
        }
        dl_distance_free(distance);
        dl_instance_free(instance);
    }
    dl_joint_astar_free(&astar);
}

/* They meet in the middle of a corridor with one pocket: two steps aside for one of them. */
static void two_that_must_pass_each_other_cost_more(void **state)
{
    (void)state;
    dl_deadline never = dl_no_deadline();
    dl_instance *instance = test_instance("...../@@.@@", 2, (const int[][4]){{0, 0, 0, 4}, {0, 4, 0, 0}});
    dl_distance *distance = dl_distance_create(instance);
    assert_int_equal(dl_distance_lower_bound(distance), 8);
    assert_true(dl_lower_bound_of_pairs(instance, distance, &never) > 8);
    assert_int_equal(dl_lower_bound(instance, distance, &never), 11);
    dl_distance_free(distance);
    dl_instance_free(instance);
}

/* Pairs without a common agent add up, others do not. */
static void pairs_that_have_nothing_to_do_with_each_other_add_up(void **state)
{
    (void)state;
    dl_deadline never = dl_no_deadline();
    static const int TASKS[][4] = {{0, 0, 0, 4}, {0, 4, 0, 0}, {3, 0, 3, 4}, {3, 4, 3, 0}};
    dl_instance *both = test_instance("...../@@.@@/@@@@@/...../@@.@@", 4, TASKS);
    dl_instance *one = test_instance("...../@@.@@/@@@@@/...../@@.@@", 2, TASKS);
    dl_distance *distance[] = {dl_distance_create(both), dl_distance_create(one)};
    int64_t of_both = dl_lower_bound_of_pairs(both, distance[0], &never);
    int64_t of_one = dl_lower_bound_of_pairs(one, distance[1], &never);
    assert_int_equal(of_both, 2 * of_one);
    dl_distance_free(distance[0]);
    dl_distance_free(distance[1]);
    dl_instance_free(both);
    dl_instance_free(one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bound_lies_between_the_distances_and_the_least_cost),
        cmocka_unit_test(a_search_that_is_cut_short_is_a_bound_all_the_same),
        cmocka_unit_test(two_that_must_pass_each_other_cost_more),
        cmocka_unit_test(pairs_that_have_nothing_to_do_with_each_other_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
