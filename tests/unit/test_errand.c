/* Errands: prefixes that stay and goals one after the other. Setters, the checker, and both engines against a plain
 * table over (time, cell, goals visited). */
#include "support.h"

#include "base/memory.h"
#include "engine/planner.h"
#include "mapf/check.h"
#include "mapf/distance.h"

static dl_status set_prefix(dl_instance *instance, int agent, int count, const int cells[][2])
{
    difflns_cell list[32];
    for (int i = 0; i < count; i++) list[i] = (difflns_cell){cells[i][0], cells[i][1]};
    return dl_instance_set_prefix(instance, agent, list, count, NULL);
}

static dl_status set_goals(dl_instance *instance, int agent, int count, const int cells[][2])
{
    difflns_cell list[80];
    for (int i = 0; i < count; i++) list[i] = (difflns_cell){cells[i][0], cells[i][1]};
    return dl_instance_set_goals(instance, agent, list, count, NULL);
}

static void prefixes_that_are_no_path_are_refused(void **state)
{
    (void)state;
    dl_instance *instance = test_instance("..@/...", 1, (const int[][4]){{0, 0, 1, 2}});
    assert_int_equal(set_prefix(instance, 0, 2, (const int[][2]){{1, 0}, {1, 1}}), DIFFLNS_BAD_INPUT);
    assert_int_equal(set_prefix(instance, 0, 2, (const int[][2]){{0, 0}, {1, 1}}), DIFFLNS_BAD_INPUT);
    assert_int_equal(set_prefix(instance, 0, 3, (const int[][2]){{0, 0}, {0, 1}, {0, 2}}), DIFFLNS_BAD_INPUT);
    assert_int_equal(set_prefix(instance, 0, 2, (const int[][2]){{0, 0}, {-1, 0}}), DIFFLNS_BAD_INPUT);
    assert_int_equal(dl_instance_fixed(instance, 0), 0);
    assert_int_equal(set_prefix(instance, 0, 3, (const int[][2]){{0, 0}, {0, 0}, {1, 0}}), DIFFLNS_OK);
    assert_int_equal(dl_instance_fixed(instance, 0), 2);
    assert_int_equal(set_prefix(instance, 0, 2, (const int[][2]){{0, 0}, {1, 1}}), DIFFLNS_BAD_INPUT);
    assert_int_equal(dl_instance_fixed(instance, 0), 2); /* as it was */
    assert_int_equal(set_prefix(instance, 0, 0, NULL), DIFFLNS_OK);
    assert_int_equal(dl_instance_fixed(instance, 0), 0);
    dl_instance_free(instance);
}

static void waits_are_kept_as_waits_and_too_many_are_refused(void **state)
{
    (void)state;
    enum { SIDE = 17, MANY = 240, LATE = DL_LONGEST_PREFIX, FIT = DL_MOST_FIXED_STEPS / LATE };
    dl_rng rng = dl_rng_stream(1, DL_PURPOSE('w', 'a', 'i', 't'), 0);
    dl_instance *instance = test_random_instance(&rng, SIDE, SIDE, 0, MANY);
    dl_error err;
    for (int agent = 0; agent < FIT; agent++) {
        assert_int_equal(dl_instance_set_departure(instance, agent, LATE, &err), DIFFLNS_OK);
        assert_int_equal(instance->errand[agent].walk, 0); /* one cell, not a million */
        assert_int_equal(dl_instance_fixed(instance, agent), LATE);
        assert_int_equal(dl_errand_at(&instance->errand[agent], LATE), instance->start[agent]);
    }
    assert_int_equal(dl_instance_set_departure(instance, FIT, LATE, &err), DIFFLNS_BAD_INPUT);
    assert_non_null(strstr(err.message, "17000000 steps"));
    assert_int_equal(dl_instance_fixed(instance, FIT), 0);
    assert_int_equal(dl_instance_set_departure(instance, 0, LATE, &err), DIFFLNS_OK); /* again is not twice */
    assert_int_equal(dl_instance_set_departure(instance, 0, 0, &err), DIFFLNS_OK);
    assert_int_equal(dl_instance_set_departure(instance, FIT, LATE, &err), DIFFLNS_OK);
    dl_instance_free(instance);
}

static void only_last_goals_must_differ(void **state)
{
    (void)state;
    dl_instance *instance = test_instance("..../....", 2, (const int[][4]){{0, 0, 0, 3}, {1, 0, 1, 3}});
    const int shared[][2] = {{0, 2}, {0, 2}, {1, 1}, {0, 3}};
    assert_int_equal(set_goals(instance, 0, 4, shared), DIFFLNS_OK);
    assert_int_equal(dl_instance_stops(instance, 0), 2); /* twice in a row is one visit */
    assert_int_equal(set_goals(instance, 1, 4, shared), DIFFLNS_BAD_INPUT);
    assert_int_equal(dl_instance_stops(instance, 1), 0);
    assert_int_equal(set_goals(instance, 1, 3, shared), DIFFLNS_OK);
    assert_int_equal(instance->goal[1], dl_grid_cell(instance->grid, 1, 1));
    assert_int_equal(set_goals(instance, 1, 0, shared), DIFFLNS_BAD_INPUT);
    int many[80][2] = {{0}};
    assert_int_equal(set_goals(instance, 1, DL_MOST_GOALS + 1, many), DIFFLNS_BAD_INPUT);
    dl_instance_free(instance);
}

static void colliding_prefixes_are_found(void **state)
{
    (void)state;
    int pair[2], time;
    bool fits;
    dl_instance *instance = test_instance("....", 2, (const int[][4]){{0, 0, 0, 2}, {0, 1, 0, 3}});
    assert_false(dl_instance_prefixes_collide(instance, pair, &time, &fits));
    set_prefix(instance, 0, 2, (const int[][2]){{0, 0}, {0, 1}});
    assert_false(dl_instance_prefixes_collide(instance, pair, &time, &fits)); /* nobody holds the other one there */
    set_prefix(instance, 1, 2, (const int[][2]){{0, 1}, {0, 1}});
    assert_true(dl_instance_prefixes_collide(instance, pair, &time, &fits));
    assert_int_equal(time, 1);
    assert_true(pair[0] == 0 && pair[1] == 1 && fits);
    set_prefix(instance, 1, 3, (const int[][2]){{0, 1}, {0, 2}, {0, 1}});
    assert_false(dl_instance_prefixes_collide(instance, pair, &time, &fits));
    set_prefix(instance, 0, 3, (const int[][2]){{0, 0}, {0, 1}, {0, 2}});
    assert_true(dl_instance_prefixes_collide(instance, pair, &time, &fits)); /* they exchange cells */
    assert_int_equal(time, 2);
    dl_instance_free(instance);
}

/* The violations of a plan of one agent. */
static dl_check_result check_path(const dl_instance *instance, int length, const int cells[][2],
                                  difflns_violation *first)
{
    dl_plan *plan = dl_plan_create(1);
    for (int t = 0; t < length; t++)
        assert_true(dl_path_append(&plan->path[0], (difflns_cell){cells[t][0], cells[t][1]}));
    dl_check_result result;
    assert_true(dl_check(instance, plan, &result, first, 1, NULL));
    dl_plan_free(plan);
    return result;
}

static void the_checker_holds_agents_to_their_prefix(void **state)
{
    (void)state;
    difflns_violation first;
    dl_instance *instance = test_instance("...", 1, (const int[][4]){{0, 0, 0, 2}});
    set_prefix(instance, 0, 4, (const int[][2]){{0, 0}, {0, 0}, {0, 1}, {0, 1}});
    dl_check_result r = check_path(instance, 5, (const int[][2]){{0, 0}, {0, 0}, {0, 1}, {0, 1}, {0, 2}}, &first);
    assert_true(r.violations == 0 && r.soc == 4);
    r = check_path(instance, 3, (const int[][2]){{0, 0}, {0, 1}, {0, 2}}, &first);
    assert_true(r.violations == 1 && r.by_kind[DIFFLNS_WRONG_PREFIX] == 1);
    assert_true(first.kind == DIFFLNS_WRONG_PREFIX && first.time == 1 && first.cell.col == 1);
    /* An agent that rests at home is held to leave it, although the plan says no more. */
    set_prefix(instance, 0, 6, (const int[][2]){{0, 0}, {0, 1}, {0, 2}, {0, 2}, {0, 2}, {0, 1}});
    r = check_path(instance, 3, (const int[][2]){{0, 0}, {0, 1}, {0, 2}}, &first);
    assert_true(r.violations == 1 && first.kind == DIFFLNS_WRONG_PREFIX && first.time == 5);
    /* A prefix that ends at home may be all there is. */
    set_prefix(instance, 0, 5, (const int[][2]){{0, 0}, {0, 1}, {0, 2}, {0, 2}, {0, 2}});
    r = check_path(instance, 3, (const int[][2]){{0, 0}, {0, 1}, {0, 2}}, &first);
    assert_true(r.violations == 0 && r.soc == 2);
    dl_instance_free(instance);
}

static void the_checker_wants_goals_in_order(void **state)
{
    (void)state;
    difflns_violation first;
    dl_instance *instance = test_instance("...", 1, (const int[][4]){{0, 1, 0, 1}});
    set_goals(instance, 0, 3, (const int[][2]){{0, 0}, {0, 2}, {0, 1}});
    dl_check_result r = check_path(instance, 5, (const int[][2]){{0, 1}, {0, 0}, {0, 1}, {0, 2}, {0, 1}}, &first);
    assert_int_equal(r.violations, 0);
    r = check_path(instance, 5, (const int[][2]){{0, 1}, {0, 2}, {0, 1}, {0, 0}, {0, 1}}, &first); /* out of order */
    assert_true(r.violations == 1 && first.kind == DIFFLNS_MISSED_GOAL && first.time == 4 && first.cell.col == 2);
    r = check_path(instance, 1, (const int[][2]){{0, 1}}, &first);
    assert_true(r.violations == 1 && first.kind == DIFFLNS_MISSED_GOAL && first.cell.col == 0);
    r = check_path(instance, 4, (const int[][2]){{0, 1}, {0, 0}, {0, 1}, {0, 2}}, &first);
    assert_true(r.violations == 1 && first.kind == DIFFLNS_WRONG_GOAL);
    dl_instance_free(instance);
}

static void the_least_cost_counts_waits_and_all_goals(void **state)
{
    (void)state;
    dl_instance *instance = test_instance("..../....", 3, (const int[][4]){{0, 0, 0, 3}, {1, 0, 1, 0}, {1, 3, 1, 2}});
    set_prefix(instance, 0, 3, (const int[][2]){{0, 0}, {0, 0}, {0, 1}});
    set_prefix(instance, 1, 4, (const int[][2]){{1, 0}, {1, 0}, {1, 0}, {1, 0}});
    set_goals(instance, 2, 3, (const int[][2]){{1, 2}, {1, 3}, {1, 2}});
    dl_distance *distance = dl_distance_create(instance);
    assert_int_equal(dl_distance_of_start(distance, 0), 4);
    assert_int_equal(dl_distance_of_start(distance, 1), 0); /* it waits at home, which costs nothing */
    assert_int_equal(dl_distance_of_start(distance, 2), 3);
    assert_int_equal(dl_distance_lower_bound(distance), 7);
    dl_distance_free(distance);
    dl_instance_free(instance);
}

/* ---- both engines against a plain table ---- */

enum { NONE = 1 << 20, NOWHERE = -1 };

/* Where the table has an agent, also when only its prefix is in. */
static int place(const dl_planner *p, int agent, int t)
{
    const dl_track *track = &p->track[agent];
    int fixed = dl_instance_fixed(p->instance, agent);
    if (fixed > 0 && t <= fixed) return dl_errand_at(&p->instance->errand[agent], t);
    if (!p->in_table[agent]) return NOWHERE;
    return track->at[t < track->cost ? t : track->cost];
}

/* The last time at which it is not at rest. */
static int last_move(const dl_planner *p, int agent)
{
    int fixed = dl_instance_fixed(p->instance, agent), cost = p->in_table[agent] ? p->track[agent].cost : -1;
    return fixed > 0 && fixed > cost ? fixed : cost;
}

static bool busy(const dl_planner *p, int agent, dl_cell cell, int t)
{
    for (int b = 0; b < p->instance->agents; b++)
        if (b != agent && place(p, b, t) == cell) return true;
    return false;
}

static bool is_swap(const dl_planner *p, int agent, dl_cell from, dl_cell to, int t)
{
    for (int b = 0; b < p->instance->agents; b++)
        if (b != agent && place(p, b, t - 1) == to && place(p, b, t) == from) return true;
    return false;
}

static int later_visits(const dl_planner *p, int agent, dl_cell goal, int t)
{
    int visits = 0;
    for (int b = 0; b < p->instance->agents; b++)
        for (int u = t + 1; b != agent && u <= last_move(p, b); u++) visits += place(p, b, u) == goal;
    return visits;
}

/* The least (conflicts, cost) of a path that keeps the agent's errand. */
static void reference(const dl_planner *p, int agent, const dl_request *request, int *conflicts, int *cost)
{
    const dl_instance *instance = p->instance;
    const dl_grid *grid = instance->grid;
    const dl_errand *errand = &instance->errand[agent];
    dl_cell goal = instance->goal[agent];
    int cells = grid->cells, levels = errand->stops + 1, began = errand->fixed, touched = 0;
    int end = (p->makespan > began ? p->makespan : began) + levels * cells + request->earliest + 2;
    int *now = DL_ARRAY(int, cells *levels), *next = DL_ARRAY(int, cells *levels);
    *conflicts = *cost = NONE;
    for (int i = 0; i < cells * levels; i++) now[i] = NONE;
    int visited = dl_instance_stops_in_prefix(instance, agent);
    dl_cell from = dl_instance_released(instance, agent);
    now[visited * cells + from] = 0;
    for (int t = 0; t <= began && began > 0; t++) {
        bool swap = t > 0 && dl_errand_at(errand, t) != dl_errand_at(errand, t - 1) &&
                    is_swap(p, agent, dl_errand_at(errand, t - 1), dl_errand_at(errand, t), t);
        touched += swap || busy(p, agent, dl_errand_at(errand, t), t);
    }
    if (from == goal && visited == errand->stops && request->earliest <= began) {
        *conflicts = later_visits(p, agent, goal, began);
        *cost = dl_instance_prefix_arrival(instance, agent);
    }
    for (int t = began + 1; t <= end; t++) {
        for (int i = 0; i < cells * levels; i++) next[i] = NONE;
        for (int level = 0; level < levels; level++)
            for (dl_cell u = 0; u < cells; u++) {
                int c = now[level * cells + u];
                for (int d = -1; d < DL_DIRECTIONS && c < NONE; d++) {
                    dl_cell v = d < 0 ? u : grid->neighbor[u][d];
                    if (v == DL_NO_CELL) continue;
                    bool taken = busy(p, agent, v, t);
                    bool joined = (began == 0 || t - 1 > began) && busy(p, agent, u, t - 1);
                    int paid = d < 0 ? taken && !joined : taken || is_swap(p, agent, u, v, t);
                    int there = dl_errand_visit(errand, level, v) * cells + v;
                    if (c + paid < next[there]) next[there] = c + paid;
                    bool ends = d >= 0 && v == goal && dl_errand_visit(errand, level, v) == errand->stops;
                    if (!ends || t < request->earliest || t > request->latest) continue;
                    int total = c + paid + later_visits(p, agent, goal, t);
                    if (total < *conflicts) {
                        *conflicts = total;
                        *cost = t;
                    }
                }
            }
        int *swap = now;
        now = next;
        next = swap;
    }
    free(now);
    free(next);
    if (*conflicts < NONE) *conflicts += touched;
    if (*conflicts == NONE || *conflicts > (request->hard ? 0 : request->most_conflicts)) *conflicts = DL_NO_PATH;
}

/* A random walk from the start as the prefix of about every second agent; stops for some. */
static void draw_errands(dl_rng *rng, dl_instance *instance, bool queues)
{
    const dl_grid *grid = instance->grid;
    difflns_cell cell[16];
    for (int agent = 0; agent < instance->agents; agent++) {
        int count = (int)dl_rng_below(rng, 2) * (2 + (int)dl_rng_below(rng, 8));
        dl_cell at = instance->start[agent];
        for (int t = 0; t < count; t++) {
            cell[t] = dl_grid_position(grid, at);
            uint32_t d = dl_rng_below(rng, DL_ACTIONS);
            if (d > 0 && grid->neighbor[at][d - 1] != DL_NO_CELL) at = grid->neighbor[at][d - 1];
        }
        assert_int_equal(dl_instance_set_prefix(instance, agent, cell, count, NULL), DIFFLNS_OK);
        int goals = 1 + (queues ? (int)dl_rng_below(rng, 4) : 0);
        for (int i = 0; i < goals - 1; i++) {
            dl_cell stop;
            do stop = (dl_cell)dl_rng_below(rng, (uint32_t)grid->cells);
            while (grid->component[stop] != grid->component[instance->start[agent]]);
            cell[i] = dl_grid_position(grid, stop);
        }
        cell[goals - 1] = dl_grid_position(grid, instance->goal[agent]);
        assert_int_equal(dl_instance_set_goals(instance, agent, cell, goals, NULL), DIFFLNS_OK);
    }
}

static bool keeps_errand(const dl_instance *instance, int agent, const dl_track *track)
{
    const dl_errand *errand = &instance->errand[agent];
    const dl_grid *grid = instance->grid;
    int visited = 0;
    for (int t = 0; t <= track->cost; t++) {
        bool step = t == 0 || track->at[t] == track->at[t - 1];
        for (int d = 0; t > 0 && d < DL_DIRECTIONS; d++)
            step = step || grid->neighbor[track->at[t - 1]][d] == track->at[t];
        if (!step || (errand->fixed > 0 && t <= errand->fixed && track->at[t] != dl_errand_at(errand, t))) return false;
        visited = dl_errand_visit(errand, visited, track->at[t]);
    }
    return track->at[0] == instance->start[agent] && track->at[track->cost] == instance->goal[agent] &&
           visited == errand->stops && track->cost >= dl_instance_prefix_arrival(instance, agent);
}

static int count_partners(const dl_planner *p, int agent)
{
    const dl_track *own = &p->spare[agent];
    int count = 0;
    for (int b = 0; b < p->instance->agents; b++) {
        bool meets = false;
        int end = p->in_table[b] && p->track[b].cost > own->cost ? p->track[b].cost : own->cost;
        for (int t = 0; t <= end + 16 && p->in_table[b]; t++) {
            dl_cell here = own->at[t < own->cost ? t : own->cost];
            dl_cell before = t == 0 ? here : own->at[t - 1 < own->cost ? t - 1 : own->cost];
            meets = meets || place(p, b, t) == here;
            meets = meets || (t > 0 && place(p, b, t) == before && place(p, b, t - 1) == here);
        }
        count += meets;
    }
    return count;
}

/* How often SIPPS arrives later than it could: only inside soft runs of the goal. */
typedef struct counts {
    int searches, later, errands;
} counts;

static void compare_all(dl_engine engine, uint64_t seed, bool queues, counts *tally)
{
    dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('e', 'r', 'r', 'a'), queues);
    int height = 1 + (int)dl_rng_below(&rng, 6), width = 2 + (int)dl_rng_below(&rng, 5);
    int agents = 1 + (int)dl_rng_below(&rng, (uint32_t)(height * width) / 2);
    dl_instance *instance = test_random_instance(&rng, height, width, 0.25 * dl_rng_unit(&rng), agents);
    if (!instance) return;
    draw_errands(&rng, instance, queues);
    dl_distance *distance = dl_distance_create(instance);
    dl_planner *p = dl_planner_create(instance, distance, engine);
    p->rng = dl_rng_stream(seed, DL_PURPOSE('t', 'i', 'e', 's'), 1);
    int32_t *list = DL_ARRAY(int32_t, agents);
    for (int i = 0; i < 3 * agents; i++) {
        int agent = i < agents ? i : (int)dl_rng_below(&rng, (uint32_t)agents);
        if (p->in_table[agent]) dl_planner_remove(p, agent);
        dl_request request = DL_SOFT_REQUEST;
        request.rule = (dl_tie_rule)dl_rng_below(&rng, DL_TIE_RULES);
        if (dl_rng_below(&rng, 4) == 0) request.earliest = (int)dl_rng_below(&rng, 16);
        request.hard = dl_rng_below(&rng, 3) == 0;
        bool bounded = request.hard || engine == DL_ENGINE_BOARDS; /* SIPPS knows no latest arrival with conflicts */
        if (bounded && dl_rng_below(&rng, 4) == 0) request.latest = (int)dl_rng_below(&rng, 40);
        int conflicts, cost;
        reference(p, agent, &request, &conflicts, &cost);
        int found = dl_planner_plan(p, agent, &request);
        tally->searches++;
        bool later = engine == DL_ENGINE_SIPPS && found == conflicts && found > 0 && p->spare[agent].cost > cost;
        tally->later += later;
        if (found != conflicts || (found >= 0 && p->spare[agent].cost != cost && !later))
            fail_msg("%s, seed %d%s, agent %d: (%d,%d) instead of (%d,%d); earliest %d latest %d hard %d", p->ops->name,
                     (int)seed, queues ? " with queues" : "", agent, found, p->spare[agent].cost, conflicts, cost,
                     request.earliest, request.latest, request.hard);
        if (found < 0) {
            request = DL_SOFT_REQUEST;
            found = dl_planner_plan(p, agent, &request);
            assert_true(found >= 0);
        }
        if (!keeps_errand(instance, agent, &p->spare[agent])) fail_msg("seed %d: agent %d", (int)seed, agent);
        int partners = dl_planner_partners(p, &p->spare[agent], agents, list), counted = count_partners(p, agent);
        if (partners != counted || (found == 0 && counted > 0))
            fail_msg("%s, seed %d, agent %d: %d conflicts, %d partners, counted %d", p->ops->name, (int)seed, agent,
                     found, partners, counted);
        assert_true(dl_planner_adopt(p, agent));
        if (i == 2 * agents) dl_planner_clear(p);
        if (!p->ops->audit(p)) fail_msg("%s, seed %d: the table is not what it should be", p->ops->name, (int)seed);
        tally->errands += instance->errand[agent].fixed > 0 || instance->errand[agent].stops > 0;
    }
    dl_planner_park(p); /* and on another instance nothing is left of it */
    dl_instance *plain = NULL;
    dl_task *tasks = DL_ARRAY(dl_task, agents);
    for (int a = 0; a < agents; a++)
        tasks[a] = (dl_task){.start = dl_grid_position(instance->grid, instance->start[a]),
                             .goal = dl_grid_position(instance->grid, instance->goal[a])};
    assert_int_equal(dl_instance_create_on(instance->map, "m", "s", agents, tasks, &plain, NULL), DIFFLNS_OK);
    dl_distance *other = dl_distance_create(plain);
    assert_true(dl_planner_reuse(p, plain, other) && p->makespan == 0 && p->ops->audit(p));
    free(tasks);
    free(list);
    dl_planner_free(p);
    dl_distance_free(other);
    dl_distance_free(distance);
    dl_instance_free(plain);
    dl_instance_free(instance);
}

static void compare_engine(dl_engine engine)
{
    counts tally = {0};
    for (uint64_t seed = 0; seed < 300; seed++) {
        compare_all(engine, seed, false, &tally);
        compare_all(engine, seed, true, &tally);
    }
    assert_true(tally.searches > 2000 && tally.errands > 1000);
    assert_true(tally.later * 20 < tally.searches);
}

static void boards_plan_errands_as_well_as_a_plain_table(void **state)
{
    (void)state;
    compare_engine(DL_ENGINE_BOARDS);
}

static void sipps_plans_errands_as_well_as_a_plain_table(void **state)
{
    (void)state;
    compare_engine(DL_ENGINE_SIPPS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prefixes_that_are_no_path_are_refused),
        cmocka_unit_test(waits_are_kept_as_waits_and_too_many_are_refused),
        cmocka_unit_test(only_last_goals_must_differ),
        cmocka_unit_test(colliding_prefixes_are_found),
        cmocka_unit_test(the_checker_holds_agents_to_their_prefix),
        cmocka_unit_test(the_checker_wants_goals_in_order),
        cmocka_unit_test(the_least_cost_counts_waits_and_all_goals),
        cmocka_unit_test(boards_plan_errands_as_well_as_a_plain_table),
        cmocka_unit_test(sipps_plans_errands_as_well_as_a_plain_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
