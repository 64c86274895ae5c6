#include "support.h"

#include "base/memory.h"
#include "mapf/check.h"

/* ---- A twin of the checker, written the slow and obvious way ----------------------------------------------------- */

enum { ROOM = 100000 };

typedef struct verdict {
    dl_check_result sum;
    difflns_violation *list; /* [ROOM] */
    size_t listed;
} verdict;

static void note(verdict *v, difflns_violation_kind kind, int agent, int other, int time, difflns_cell cell)
{
    assert_true(v->listed < ROOM);
    v->list[v->listed++] = (difflns_violation){kind, agent, other, time, cell};
    v->sum.by_kind[kind]++;
    v->sum.violations++;
}

static bool same(difflns_cell a, difflns_cell b)
{
    return a.row == b.row && a.col == b.col;
}

static bool neighbors(difflns_cell a, difflns_cell b)
{
    int64_t down = (int64_t)a.row - b.row, right = (int64_t)a.col - b.col;
    return (down == 0 && (right == 1 || right == -1)) || (right == 0 && (down == 1 || down == -1));
}

static difflns_cell at(const dl_plan *plan, int agent, int time)
{
    const dl_path *path = &plan->path[agent];
    return path->at[time < path->length ? time : path->length - 1];
}

/* Prefix and stops, one agent after the other. */
static void judge_errand(const dl_instance *instance, const dl_plan *plan, int a, verdict *v)
{
    const dl_errand *errand = &instance->errand[a];
    for (int t = 0; t <= errand->fixed && errand->fixed > 0; t++)
        if (!same(at(plan, a, t), dl_grid_position(instance->grid, dl_errand_at(errand, t)))) {
            note(v, DIFFLNS_WRONG_PREFIX, a, -1, t, at(plan, a, t));
            break;
        }
    int t = 0, last = plan->path[a].length - 1;
    for (int i = 0; i < errand->stops; i++, t++) {
        difflns_cell stop = dl_grid_position(instance->grid, errand->stop[i]);
        while (t <= last && !same(at(plan, a, t), stop)) t++;
        if (t <= last) continue;
        note(v, DIFFLNS_MISSED_GOAL, a, -1, last, stop);
        break;
    }
}

static void judge(const dl_instance *instance, const dl_plan *plan, verdict *v)
{
    const dl_grid *grid = instance->grid;
    int horizon = 0;
    memset(&v->sum, 0, sizeof v->sum);
    v->listed = 0;
    if (plan->agents != instance->agents) {
        note(v, DIFFLNS_AGENT_COUNT, plan->agents, -1, 0, (difflns_cell){0, 0});
        return;
    }
    for (int a = 0; a < plan->agents; a++) {
        if (plan->path[a].length > horizon) horizon = plan->path[a].length;
        int arrival = 0;
        for (int t = 1; t < plan->path[a].length; t++)
            if (!same(at(plan, a, t), at(plan, a, t - 1))) arrival = t;
        v->sum.soc += arrival;
        if (arrival > v->sum.makespan) v->sum.makespan = arrival;
        difflns_cell first = at(plan, a, 0), last = at(plan, a, INT32_MAX);
        if (!same(first, dl_grid_position(grid, instance->start[a]))) note(v, DIFFLNS_WRONG_START, a, -1, 0, first);
        if (!same(last, dl_grid_position(grid, instance->goal[a])))
            note(v, DIFFLNS_WRONG_GOAL, a, -1, plan->path[a].length - 1, last);
        if (instance->errand) judge_errand(instance, plan, a, v);
        for (int t = 0; t < plan->path[a].length; t++) {
            difflns_cell here = at(plan, a, t);
            if (here.row < 0 || here.col < 0 || here.row >= grid->height || here.col >= grid->width)
                note(v, DIFFLNS_BOUNDS, a, -1, t, here);
            else if (grid->blocked[here.row * grid->width + here.col])
                note(v, DIFFLNS_OBSTACLE, a, -1, t, here);
            if (t > 0 && !same(here, at(plan, a, t - 1)) && !neighbors(here, at(plan, a, t - 1)))
                note(v, DIFFLNS_TELEPORT, a, -1, t, here);
        }
    }
    for (int t = 0; t < horizon; t++)
        for (int a = 0; a < plan->agents; a++)
            for (int b = a + 1; b < plan->agents; b++) {
                difflns_cell p = at(plan, a, t), q = at(plan, b, t);
                bool p_on_map = dl_grid_inside(grid, p.row, p.col), q_on_map = dl_grid_inside(grid, q.row, q.col);
                if (!p_on_map || !q_on_map) continue; /* off the map nobody meets anybody */
                if (same(p, q)) note(v, DIFFLNS_VERTEX, a, b, t, p);
                if (t > 0 && !same(p, q) && same(p, at(plan, b, t - 1)) && same(q, at(plan, a, t - 1)))
                    note(v, DIFFLNS_SWAP, a, b, t, p);
            }
}

static int by_everything(const void *left, const void *right)
{
    const difflns_violation *a = left, *b = right;
    const int32_t x[] = {a->time, (int32_t)a->kind, a->agent, a->other, a->cell.row, a->cell.col};
    const int32_t y[] = {b->time, (int32_t)b->kind, b->agent, b->other, b->cell.row, b->cell.col};
    for (int i = 0; i < 6; i++)
        if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
    return 0;
}

/* The checker's verdict in `v`, after proving that the twin says the same, violation by violation. */
static void check_twice(const dl_instance *instance, const dl_plan *plan, verdict *v, verdict *twin, uint64_t seed)
{
    memset(v->list, 0xEE, sizeof *v->list); /* an unset row must not look like a right one */
    assert_true(dl_check(instance, plan, &v->sum, v->list, ROOM, &v->listed));
    for (size_t i = 1; i < v->listed; i++) assert_true(v->list[i - 1].time <= v->list[i].time);
    judge(instance, plan, twin);
    qsort(v->list, v->listed, sizeof *v->list, by_everything);
    qsort(twin->list, twin->listed, sizeof *twin->list, by_everything);
    bool equal = v->listed == twin->listed && memcmp(&v->sum, &twin->sum, sizeof v->sum) == 0;
    for (size_t i = 0; equal && i < v->listed; i++) equal = by_everything(&v->list[i], &twin->list[i]) == 0;
    if (!equal) fail_msg("seed %llu: the checker and its twin disagree", (unsigned long long)seed);
    assert_int_equal(dl_check_valid(instance, plan), v->listed == 0);
}

static verdict *new_verdict(void)
{
    verdict *v = DL_NEW(verdict);
    v->list = DL_ARRAY(difflns_violation, ROOM);
    return v;
}

static void free_verdict(verdict *v)
{
    free(v->list);
    free(v);
}

/* ---- Valid plans: random legal joint motion, and goals where it ends --------------------------------------------- */

typedef struct world {
    dl_instance *instance;
    dl_plan *plan;
} world;

static void free_world(world *w)
{
    dl_plan_free(w->plan);
    dl_instance_free(w->instance);
}

/* Agents in random order take a random step that no other's step forbids, or wait. */
static void step_all(dl_rng *rng, const dl_grid *grid, int agents, dl_cell *here)
{
    dl_cell *next = DL_ARRAY(dl_cell, agents);
    int32_t *order = DL_ARRAY(int32_t, agents);
    memcpy(next, here, sizeof *next * (size_t)agents);
    for (int i = 0; i < agents; i++) order[i] = i;
    dl_rng_shuffle(rng, order, agents);
    for (int i = 0; i < agents; i++) {
        int a = order[i];
        dl_cell target = grid->neighbor[here[a]][dl_rng_below(rng, DL_DIRECTIONS)];
        bool legal = target != DL_NO_CELL && dl_rng_below(rng, 4) > 0;
        for (int b = 0; b < agents && legal; b++)
            if (b != a) legal = next[b] != target && !(here[b] == target && next[b] == here[a]);
        if (legal) next[a] = target;
    }
    memcpy(here, next, sizeof *next * (size_t)agents);
    free(next);
    free(order);
}

static bool anybody_moves(const dl_plan *plan)
{
    return dl_plan_makespan(plan) > 0;
}

/* On a map with an obstacle, with at least one step that is not a wait; paths end with 0 to 3 waits. */
static bool random_world(dl_rng *rng, world *w)
{
    int height = 3 + (int)dl_rng_below(rng, 6), width = 3 + (int)dl_rng_below(rng, 6);
    uint8_t blocked[64];
    for (int i = 0; i < height * width; i++) blocked[i] = dl_rng_below(rng, 5) == 0;
    blocked[dl_rng_below(rng, (uint32_t)(height * width))] = 1;
    dl_grid *grid;
    dl_error err;
    assert_int_equal(dl_grid_create(height, width, blocked, &grid, &err), DIFFLNS_OK);
    int agents = 2 + (int)dl_rng_below(rng, 9), steps = 1 + (int)dl_rng_below(rng, 15);
    if (agents > grid->cells) {
        dl_grid_free(grid);
        return false;
    }
    int32_t here[64];
    dl_task tasks[16] = {0};
    for (int i = 0; i < grid->cells; i++) here[i] = i;
    dl_rng_shuffle(rng, here, grid->cells);
    w->plan = dl_plan_create(agents);
    for (int t = 0; t <= steps; t++) {
        if (t > 0) step_all(rng, grid, agents, here);
        for (int a = 0; a < agents; a++)
            assert_true(dl_path_append(&w->plan->path[a], dl_grid_position(grid, here[a])));
    }
    bool moves = anybody_moves(w->plan);
    dl_plan_trim(w->plan);
    for (int a = 0; a < agents; a++) {
        dl_path *path = &w->plan->path[a];
        tasks[a] = (dl_task){.start = path->at[0], .goal = path->at[path->length - 1]};
        for (uint32_t waits = dl_rng_below(rng, 4); waits > 0; waits--)
            assert_true(dl_path_append(path, tasks[a].goal));
    }
    assert_int_equal(dl_instance_create(grid, "m", "s", agents, tasks, &w->instance, &err), DIFFLNS_OK);
    if (!moves) free_world(w);
    return moves;
}

/* ---- The mutations: each breaks a valid plan in one way and says what must be found ------------------------------ */

static void put(dl_plan *plan, int agent, int time, difflns_cell cell)
{
    dl_path *path = &plan->path[agent];
    while (path->length <= time) assert_true(dl_path_append(path, path->at[path->length - 1]));
    path->at[time] = cell;
}

static int below(dl_rng *rng, int n)
{
    return (int)dl_rng_below(rng, (uint32_t)n);
}

static int horizon_of(const dl_plan *plan)
{
    int horizon = 0;
    for (int a = 0; a < plan->agents; a++)
        if (plan->path[a].length > horizon) horizon = plan->path[a].length;
    return horizon;
}

static difflns_violation mutate_vertex(dl_rng *rng, const dl_grid *grid, dl_plan *plan)
{
    (void)grid;
    int a = below(rng, plan->agents), b = (a + 1 + below(rng, plan->agents - 1)) % plan->agents;
    int time = below(rng, horizon_of(plan));
    difflns_cell cell = at(plan, b, time);
    put(plan, a, time, cell);
    return (difflns_violation){DIFFLNS_VERTEX, a < b ? a : b, a < b ? b : a, time, cell};
}

static difflns_violation mutate_swap(dl_rng *rng, const dl_grid *grid, dl_plan *plan)
{
    (void)grid;
    int a, time;
    do {
        a = below(rng, plan->agents);
        time = 1 + below(rng, horizon_of(plan));
    } while (same(at(plan, a, time), at(plan, a, time - 1)));
    int b = (a + 1 + below(rng, plan->agents - 1)) % plan->agents;
    difflns_cell from = at(plan, a, time - 1), to = at(plan, a, time);
    put(plan, b, time, from);
    put(plan, b, time - 1, to);
    return (difflns_violation){DIFFLNS_SWAP, a < b ? a : b, a < b ? b : a, time, a < b ? to : from};
}

static difflns_violation mutate_teleport(dl_rng *rng, const dl_grid *grid, dl_plan *plan)
{
    int a = below(rng, plan->agents), time = 1 + below(rng, horizon_of(plan));
    difflns_cell before = at(plan, a, time - 1), cell;
    do cell = (difflns_cell){below(rng, grid->height), below(rng, grid->width)};
    while (same(before, cell) || neighbors(before, cell));
    put(plan, a, time, cell);
    return (difflns_violation){DIFFLNS_TELEPORT, a, -1, time, cell};
}

static difflns_violation mutate_obstacle(dl_rng *rng, const dl_grid *grid, dl_plan *plan)
{
    int a = below(rng, plan->agents), time = below(rng, horizon_of(plan));
    difflns_cell cell;
    do cell = (difflns_cell){below(rng, grid->height), below(rng, grid->width)};
    while (!grid->blocked[cell.row * grid->width + cell.col]);
    put(plan, a, time, cell);
    return (difflns_violation){DIFFLNS_OBSTACLE, a, -1, time, cell};
}

static difflns_violation mutate_bounds(dl_rng *rng, const dl_grid *grid, dl_plan *plan)
{
    int a = below(rng, plan->agents), time = below(rng, horizon_of(plan));
    difflns_cell cell = at(plan, a, time);
    int by = 1 + below(rng, 3);
    switch (below(rng, 6)) {
    case 0:
        cell.row = -by;
        break;
    case 1:
        cell.row = grid->height - 1 + by;
        break;
    case 2:
        cell.col = -by;
        break;
    case 3:
        cell.col = grid->width - 1 + by;
        break;
    case 4:
        cell.row = INT32_MIN;
        break;
    default:
        cell.col = INT32_MAX;
        break;
    }
    put(plan, a, time, cell);
    return (difflns_violation){DIFFLNS_BOUNDS, a, -1, time, cell};
}

static difflns_violation mutate_start(dl_rng *rng, const dl_grid *grid, dl_plan *plan)
{
    int a = below(rng, plan->agents);
    difflns_cell cell;
    do cell = dl_grid_position(grid, below(rng, grid->cells));
    while (same(cell, at(plan, a, 0)));
    put(plan, a, 0, cell);
    return (difflns_violation){DIFFLNS_WRONG_START, a, -1, 0, cell};
}

static difflns_violation mutate_goal(dl_rng *rng, const dl_grid *grid, dl_plan *plan)
{
    int a = below(rng, plan->agents),
        time = plan->path[a].length - 1 + below(rng, 2); /* instead of the goal, or after */
    difflns_cell cell;
    do cell = dl_grid_position(grid, below(rng, grid->cells));
    while (same(cell, at(plan, a, time)));
    put(plan, a, time, cell);
    return (difflns_violation){DIFFLNS_WRONG_GOAL, a, -1, time, cell};
}

static difflns_violation mutate_count(dl_rng *rng, const dl_grid *grid, dl_plan *plan)
{
    (void)grid;
    if (below(rng, 2)) {
        free(plan->path[--plan->agents].at);
    } else {
        plan->path = dl_realloc(plan->path, (size_t)plan->agents + 1, sizeof *plan->path);
        plan->path[plan->agents++] = (dl_path){0};
        assert_true(dl_path_append(&plan->path[plan->agents - 1], at(plan, 0, 0)));
    }
    return (difflns_violation){DIFFLNS_AGENT_COUNT, plan->agents, -1, 0, {0, 0}};
}

static difflns_violation (*const MUTATIONS[])(dl_rng *rng, const dl_grid *grid, dl_plan *plan) = {
    mutate_vertex, mutate_swap,  mutate_teleport, mutate_obstacle,
    mutate_bounds, mutate_start, mutate_goal,     mutate_count};
enum { MUTATION_COUNT = sizeof MUTATIONS / sizeof MUTATIONS[0], VALID_PLANS = 10000 };

static bool found(const verdict *v, const difflns_violation *expected)
{
    for (size_t i = 0; i < v->listed; i++)
        if (by_everything(&v->list[i], expected) == 0) return true;
    return false;
}

static void every_mutation_of_ten_thousand_valid_plans_is_caught(void **state)
{
    (void)state;
    verdict *v = new_verdict(), *twin = new_verdict();
    int worlds = 0, caught = 0;
    for (uint64_t seed = 0; worlds < VALID_PLANS; seed++) {
        dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('m', 'u', 't', 'a'), 0);
        world w;
        if (!random_world(&rng, &w)) continue;
        worlds++;
        check_twice(w.instance, w.plan, v, twin, seed);
        if (v->listed != 0) fail_msg("seed %llu: a valid plan was refused", (unsigned long long)seed);
        for (int m = 0; m < MUTATION_COUNT; m++) {
            dl_plan *broken = dl_plan_copy(w.plan);
            difflns_violation expected = MUTATIONS[m](&rng, w.instance->grid, broken);
            check_twice(w.instance, broken, v, twin, seed);
            if (!found(v, &expected))
                fail_msg("seed %llu: %s of agent %d at time %d was not found", (unsigned long long)seed,
                         difflns_violation_name(expected.kind), expected.agent, expected.time);
            caught++;
            dl_plan_free(broken);
        }
        free_world(&w);
    }
    assert_int_equal(caught, VALID_PLANS * MUTATION_COUNT);
    free_verdict(v);
    free_verdict(twin);
}

/* Holds some agents to a random walk at the beginning, and to stops anywhere. */
static void add_errands(dl_rng *rng, dl_instance *instance)
{
    const dl_grid *grid = instance->grid;
    for (int agent = 0; agent < instance->agents; agent++) {
        difflns_cell cell[16];
        int steps = below(rng, 2) ? below(rng, 15) : 0, stops = below(rng, 3);
        dl_cell here = instance->start[agent];
        for (int t = 0; t < steps; t++) {
            cell[t] = dl_grid_position(grid, here);
            int d = below(rng, DL_ACTIONS);
            if (d > 0 && grid->neighbor[here][d - 1] != DL_NO_CELL) here = grid->neighbor[here][d - 1];
        }
        assert_int_equal(dl_instance_set_prefix(instance, agent, cell, steps, NULL), DIFFLNS_OK);
        for (int i = 0; i < stops; i++) cell[i] = dl_grid_position(grid, below(rng, grid->cells));
        cell[stops] = dl_grid_position(grid, instance->goal[agent]);
        assert_int_equal(dl_instance_set_goals(instance, agent, cell, stops + 1, NULL), DIFFLNS_OK);
    }
}

static void the_twin_agrees_on_random_nonsense(void **state)
{
    (void)state;
    verdict *v = new_verdict(), *twin = new_verdict();
    int64_t kinds[DL_VIOLATION_KINDS] = {0};
    for (uint64_t seed = 0; seed < 5000; seed++) {
        dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('n', 'o', 'n', 's'), 0);
        int height = 2 + below(&rng, 4), width = 2 + below(&rng, 4);
        dl_instance *instance = test_random_instance(&rng, height, width, 0.2, 1 + below(&rng, 4));
        if (!instance) continue;
        dl_plan *plan = dl_plan_create(below(&rng, 20) ? instance->agents : 1 + below(&rng, 6));
        for (int a = 0; a < plan->agents; a++) {
            difflns_cell cell = {below(&rng, height), below(&rng, width)};
            for (int left = 1 + below(&rng, 12); left > 0; left--) {
                assert_true(dl_path_append(&plan->path[a], cell));
                if (below(&rng, 6) == 0) /* anywhere, the ring around the map included */
                    cell = (difflns_cell){below(&rng, height + 2) - 1, below(&rng, width + 2) - 1};
                else if (below(&rng, 3))
                    *(below(&rng, 2) ? &cell.row : &cell.col) += below(&rng, 2) ? 1 : -1;
            }
        }
        if (seed % 2) add_errands(&rng, instance);
        check_twice(instance, plan, v, twin, seed);
        for (int k = 0; k < DL_VIOLATION_KINDS; k++) kinds[k] += v->sum.by_kind[k];
        dl_plan_free(plan);
        dl_instance_free(instance);
    }
    for (int k = 0; k < DL_VIOLATION_KINDS; k++) assert_true(kinds[k] > 100); /* every kind was put to the test */
    free_verdict(v);
    free_verdict(twin);
}

/* ---- Single cases ------------------------------------------------------------------------------------------------ */

static dl_plan *plan_of(int agents, const char *const *paths)
{
    dl_plan *plan = dl_plan_create(agents);
    for (int a = 0; a < agents; a++) /* pairs of digits: row, column */
        for (const char *c = paths[a]; *c; c += c[2] ? 3 : 2)
            assert_true(dl_path_append(&plan->path[a], (difflns_cell){c[0] - '0', c[1] - '0'}));
    return plan;
}

static void four_agents_may_turn_in_a_circle(void **state)
{
    (void)state;
    dl_instance *instance =
        test_instance("../..", 4, (const int[][4]){{0, 0, 0, 1}, {0, 1, 1, 1}, {1, 1, 1, 0}, {1, 0, 0, 0}});
    dl_plan *plan = plan_of(4, (const char *[]){"00 01", "01 11", "11 10", "10 00"});
    assert_true(dl_check_valid(instance, plan));
    dl_plan_free(plan);
    dl_instance_free(instance);
}

static void an_agent_may_follow_another_but_not_pass_a_resting_one(void **state)
{
    (void)state;
    dl_instance *instance = test_instance("....", 2, (const int[][4]){{0, 1, 0, 2}, {0, 0, 0, 1}});
    dl_plan *follow = plan_of(2, (const char *[]){"01 02", "00 01"});
    assert_true(dl_check_valid(instance, follow));
    dl_plan_free(follow);

    /* Agent 0 rests on (0, 2) from time 1 on; agent 1 runs over it at time 2 and ends elsewhere. */
    dl_plan *pass = plan_of(2, (const char *[]){"01 02", "00 01 02 03"});
    dl_check_result result;
    difflns_violation list[8];
    size_t listed;
    assert_true(dl_check(instance, pass, &result, list, 8, &listed));
    assert_int_equal(result.violations, 2);
    assert_int_equal(list[0].kind, DIFFLNS_VERTEX);
    assert_int_equal(list[0].time, 2);
    assert_int_equal(list[0].cell.col, 2);
    assert_int_equal(list[1].kind, DIFFLNS_WRONG_GOAL);
    assert_int_equal(list[1].time, 3);
    assert_int_equal(result.soc, 1 + 3);
    assert_int_equal(result.makespan, 3);
    dl_plan_free(pass);
    dl_instance_free(instance);
}

static void trailing_waits_cost_nothing_and_waits_before_a_return_do(void **state)
{
    (void)state;
    dl_instance *instance = test_instance("...", 1, (const int[][4]){{0, 0, 0, 1}});
    dl_plan *plan = plan_of(1, (const char *[]){"00 01 01 02 01 01 01"});
    dl_check_result result;
    assert_true(dl_check(instance, plan, &result, NULL, 0, NULL));
    assert_int_equal(result.violations, 0);
    assert_int_equal(result.soc, 4);
    assert_int_equal(result.makespan, 4);
    dl_plan_free(plan);
    dl_instance_free(instance);
}

static void the_list_is_cut_but_the_counts_are_not(void **state)
{
    (void)state;
    dl_instance *instance = test_instance("...", 1, (const int[][4]){{0, 0, 0, 0}});
    dl_plan *plan = plan_of(1, (const char *[]){"02 00 02 00 02"});
    dl_check_result result;
    difflns_violation list[3];
    size_t listed;
    assert_true(dl_check(instance, plan, &result, list, 3, &listed));
    assert_int_equal(listed, 3);
    assert_int_equal(result.by_kind[DIFFLNS_TELEPORT], 4);
    assert_int_equal(result.by_kind[DIFFLNS_WRONG_START], 1);
    assert_int_equal(result.by_kind[DIFFLNS_WRONG_GOAL], 1);
    assert_int_equal(result.violations, 6);
    dl_plan_free(plan);
    dl_instance_free(instance);
}

static void an_agent_without_a_path_is_missing(void **state)
{
    (void)state;
    dl_instance *instance = test_instance("...", 2, (const int[][4]){{0, 0, 0, 0}, {0, 1, 0, 1}});
    dl_plan *plan = plan_of(2, (const char *[]){"00", ""});
    dl_check_result result;
    difflns_violation list[2];
    size_t listed;
    assert_true(dl_check(instance, plan, &result, list, 2, &listed));
    assert_int_equal(result.violations, 1);
    assert_int_equal(list[0].kind, DIFFLNS_AGENT_COUNT);
    assert_int_equal(list[0].agent, 1);
    dl_plan_free(plan);
    dl_instance_free(instance);
}

static void coordinates_at_the_ends_of_their_type_do_no_harm(void **state)
{
    (void)state;
    dl_instance *instance = test_instance("...", 1, (const int[][4]){{0, 0, 0, 0}});
    dl_plan *plan = dl_plan_create(1);
    assert_true(dl_path_append(&plan->path[0], (difflns_cell){INT32_MIN, INT32_MIN}));
    assert_true(dl_path_append(&plan->path[0], (difflns_cell){INT32_MAX, INT32_MAX}));
    assert_true(dl_path_append(&plan->path[0], (difflns_cell){0, 0}));
    dl_check_result result;
    assert_true(dl_check(instance, plan, &result, NULL, 0, NULL));
    assert_int_equal(result.by_kind[DIFFLNS_BOUNDS], 2);
    assert_int_equal(result.by_kind[DIFFLNS_TELEPORT], 2);
    assert_int_equal(result.by_kind[DIFFLNS_WRONG_START], 1);
    assert_int_equal(result.violations, 5);
    dl_plan_free(plan);
    dl_instance_free(instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_mutation_of_ten_thousand_valid_plans_is_caught),
        cmocka_unit_test(the_twin_agrees_on_random_nonsense),
        cmocka_unit_test(four_agents_may_turn_in_a_circle),
        cmocka_unit_test(an_agent_may_follow_another_but_not_pass_a_resting_one),
        cmocka_unit_test(trailing_waits_cost_nothing_and_waits_before_a_return_do),
        cmocka_unit_test(the_list_is_cut_but_the_counts_are_not),
        cmocka_unit_test(an_agent_without_a_path_is_missing),
        cmocka_unit_test(coordinates_at_the_ends_of_their_type_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
