#include "support.h"

#include "base/memory.h"
#include "engine/boards/sweep.h"
#include "engine/planner.h"
#include "mapf/distance.h"

/* ---- worlds from strings ---- */

typedef struct world {
    dl_instance *instance;
    dl_distance *distance;
    dl_planner *planner;
} world;

static world open_world(dl_instance *instance)
{
    world w = {.instance = instance, .distance = dl_distance_create(instance)};
    w.planner = dl_planner_create(instance, w.distance, DL_ENGINE_BOARDS);
    return w;
}

static void close_world(world *w)
{
    dl_planner_free(w->planner);
    dl_distance_free(w->distance);
    dl_instance_free(w->instance);
}

/* Inserts a path given as col,row pairs. */
static void insert_path(world *w, int agent, int cells, const int path[][2])
{
    dl_track *track = &w->planner->track[agent];
    assert_true(dl_track_reserve(track, cells - 1));
    for (int t = 0; t < cells; t++) track->at[t] = dl_grid_cell(w->instance->grid, path[t][1], path[t][0]);
    track->cost = cells - 1;
    assert_true(dl_planner_insert(w->planner, agent));
}

static void expect_plan(world *w, int agent, int conflicts, int cost)
{
    for (int rule = 0; rule < DL_TIE_RULES; rule++) {
        dl_request request = DL_SOFT_REQUEST;
        request.rule = (dl_tie_rule)rule;
        assert_int_equal(dl_planner_plan(w->planner, agent, &request), conflicts);
        assert_int_equal(w->planner->spare[agent].cost, cost);
    }
}

static void expect_partners(world *w, int agent, int count)
{
    int32_t list[16];
    assert_int_equal(dl_planner_partners(w->planner, &w->planner->spare[agent], 16, list), count);
}

/* ---- the cases of the specification, section 7 ---- */

static void u1_a_resting_agent_in_a_corridor_is_one_conflict(void **state)
{
    (void)state;
    world w = open_world(test_instance("...", 2, (const int[][4]){{0, 1, 0, 1}, {0, 0, 0, 2}}));
    insert_path(&w, 0, 1, (const int[][2]){{1, 0}});
    expect_plan(&w, 1, 1, 2);
    expect_partners(&w, 1, 1);
    close_world(&w);
}

static void u2_a_swap_is_one_conflict(void **state)
{
    (void)state;
    world w = open_world(test_instance("..", 2, (const int[][4]){{0, 0, 0, 1}, {0, 1, 0, 0}}));
    insert_path(&w, 0, 2, (const int[][2]){{0, 0}, {1, 0}});
    expect_plan(&w, 1, 1, 1);
    expect_partners(&w, 1, 1);
    close_world(&w);
}

static void u3_conflicts_count_before_length(void **state)
{
    (void)state;
    world w = open_world(test_instance(".../.../...", 2, (const int[][4]){{2, 2, 0, 2}, {0, 0, 0, 1}}));
    insert_path(&w, 0, 10,
                (const int[][2]){{2, 2}, {2, 2}, {2, 2}, {2, 2}, {2, 2}, {2, 2}, {1, 2}, {1, 1}, {1, 0}, {2, 0}});
    expect_plan(&w, 1, 0, 9);
    expect_partners(&w, 1, 0);
    close_world(&w);
}

static void u4_waits_until_the_crossing_agent_has_left(void **state)
{
    (void)state;
    world w = open_world(test_instance(".../@.@/@.@", 2, (const int[][4]){{1, 1, 1, 1}, {0, 0, 0, 2}}));
    insert_path(&w, 0, 5, (const int[][2]){{1, 1}, {1, 0}, {1, 0}, {1, 0}, {1, 1}});
    expect_plan(&w, 1, 0, 5);
    close_world(&w);
}

static void u5_a_resting_agent_is_crossed_once(void **state)
{
    (void)state;
    world w = open_world(test_instance("....", 2, (const int[][4]){{0, 1, 0, 2}, {0, 0, 0, 3}}));
    insert_path(&w, 0, 2, (const int[][2]){{1, 0}, {2, 0}});
    expect_plan(&w, 1, 1, 3);
    close_world(&w);
}

static void u6_a_vertex_conflict_hides_the_swap(void **state)
{
    (void)state;
    world w = open_world(test_instance("...", 2, (const int[][4]){{0, 2, 0, 0}, {0, 0, 0, 2}}));
    insert_path(&w, 0, 3, (const int[][2]){{2, 0}, {1, 0}, {0, 0}});
    expect_plan(&w, 1, 1, 2);
    close_world(&w);
}

static void u7_comes_to_rest_after_the_last_visitor(void **state)
{
    (void)state;
    world w = open_world(test_instance(".../@.@", 2, (const int[][4]){{1, 1, 1, 1}, {0, 0, 0, 1}}));
    insert_path(&w, 0, 8, (const int[][2]){{1, 1}, {1, 1}, {1, 1}, {1, 0}, {1, 0}, {1, 0}, {1, 0}, {1, 1}});
    expect_plan(&w, 1, 0, 7);
    close_world(&w);
}

static void u8_an_agent_that_never_moves_has_partners(void **state)
{
    (void)state;
    world w = open_world(test_instance("...", 2, (const int[][4]){{0, 0, 0, 2}, {0, 1, 0, 1}}));
    insert_path(&w, 0, 3, (const int[][2]){{0, 0}, {1, 0}, {2, 0}});
    expect_plan(&w, 1, 1, 0);
    expect_partners(&w, 1, 1);
    close_world(&w);
}

static void u9_a_rotation_is_free_of_conflicts(void **state)
{
    (void)state;
    world w =
        open_world(test_instance("../..", 4, (const int[][4]){{0, 0, 0, 1}, {0, 1, 1, 1}, {1, 1, 1, 0}, {1, 0, 0, 0}}));
    insert_path(&w, 0, 2, (const int[][2]){{0, 0}, {1, 0}});
    insert_path(&w, 1, 2, (const int[][2]){{1, 0}, {1, 1}});
    insert_path(&w, 2, 2, (const int[][2]){{1, 1}, {0, 1}});
    expect_plan(&w, 3, 0, 1);
    close_world(&w);
}

static void a_cell_crossed_by_two_counts_two_partners(void **state)
{
    (void)state;
    world w = open_world(test_instance("@.@/.../@.@", 3, (const int[][4]){{0, 1, 2, 1}, {2, 1, 0, 1}, {1, 0, 1, 2}}));
    insert_path(&w, 0, 3, (const int[][2]){{1, 0}, {1, 1}, {1, 2}});
    insert_path(&w, 1, 3, (const int[][2]){{1, 2}, {1, 1}, {1, 0}});
    int32_t list[3];
    dl_track *track = &w.planner->track[2];
    assert_true(dl_track_reserve(track, 2));
    for (int t = 0; t < 3; t++) track->at[t] = dl_grid_cell(w.instance->grid, 1, t);
    track->cost = 2;
    assert_int_equal(dl_planner_partners(w.planner, track, 3, list), 2);
    close_world(&w);
}

static void a_demanded_delay_is_kept(void **state)
{
    (void)state;
    world w = open_world(test_instance("...../@@.@@", 2, (const int[][4]){{0, 0, 0, 4}, {0, 4, 0, 0}}));
    dl_request request = DL_SOFT_REQUEST;
    for (request.earliest = 0; request.earliest < 20; request.earliest++) {
        assert_int_equal(dl_planner_plan(w.planner, 0, &request), 0);
        int wanted = request.earliest < 4 ? 4 : request.earliest;
        assert_int_equal(w.planner->spare[0].cost, wanted);
        assert_int_not_equal(w.planner->spare[0].at[wanted - 1], w.planner->spare[0].at[wanted]);
    }
    close_world(&w);
}

/* ---- against the plainest possible program ---- */

static int place(const dl_track *track, int t)
{
    return track->at[t < track->cost ? t : track->cost];
}

static bool tracks_collide(const dl_track *a, const dl_track *b)
{
    int end = a->cost > b->cost ? a->cost : b->cost;
    for (int t = 0; t <= end; t++) {
        if (place(a, t) == place(b, t)) return true;
        if (t > 0 && place(a, t) == place(b, t - 1) && place(a, t - 1) == place(b, t)) return true;
    }
    return false;
}

/* Which cells are taken at which time, [time][cell]. */
static uint8_t *busy_table(const dl_planner *p, int end)
{
    size_t cells = (size_t)p->instance->grid->cells;
    uint8_t *busy = DL_ARRAY(uint8_t, cells * ((size_t)end + 1));
    for (int b = 0; b < p->instance->agents; b++)
        for (int t = 0; p->in_table[b] && t <= end; t++) busy[(size_t)t * cells + (size_t)place(&p->track[b], t)] = 1;
    return busy;
}

static bool is_swap(const dl_planner *p, dl_cell from, dl_cell to, int t)
{
    for (int b = 0; b < p->instance->agents; b++)
        if (p->in_table[b] && place(&p->track[b], t - 1) == to && place(&p->track[b], t) == from) return true;
    return false;
}

static int later_visits(const dl_planner *p, dl_cell goal, int t)
{
    int visits = 0;
    for (int b = 0; b < p->instance->agents; b++)
        for (int u = t + 1; p->in_table[b] && u <= p->track[b].cost; u++) visits += p->track[b].at[u] == goal;
    return visits;
}

/* The least (conflicts, arrival) by a table of (time, cell); hard: only conflict-free steps. */
static void reference(const dl_planner *p, int agent, const dl_request *request, int *conflicts, int *cost)
{
    enum { NONE = 1 << 20 };
    const dl_grid *grid = p->instance->grid;
    dl_cell start = p->instance->start[agent], goal = p->instance->goal[agent];
    int cells = grid->cells, end = p->makespan + cells + request->earliest + 2;
    int *now = DL_ARRAY(int, cells), *next = DL_ARRAY(int, cells);
    uint8_t *busy_at = busy_table(p, end);
    *conflicts = *cost = NONE;
    for (int v = 0; v < cells; v++) now[v] = NONE;
    now[start] = 0;
    if (start == goal && request->earliest == 0) {
        *conflicts = later_visits(p, goal, 0);
        *cost = 0;
    }
    for (int t = 1; t <= end; t++) {
        const uint8_t *was = busy_at + (size_t)(t - 1) * (size_t)cells, *is = was + cells;
        for (int v = 0; v < cells; v++) {
            int moved = NONE;
            for (int d = 0; d < DL_DIRECTIONS; d++) {
                dl_cell u = grid->neighbor[v][d];
                if (u < 0 || now[u] == NONE) continue;
                int c = now[u] + (is[v] || (was[v] && is[u] && is_swap(p, u, v, t)));
                if (c < moved) moved = c;
            }
            int stay = now[v] + (is[v] && !was[v]);
            next[v] = moved < stay ? moved : stay;
            if (next[v] > NONE) next[v] = NONE;
            if (v != goal || moved == NONE || t < request->earliest || t > request->latest) continue;
            int total = moved + later_visits(p, goal, t);
            if (total >= *conflicts) continue;
            *conflicts = total;
            *cost = t;
        }
        int *swap = now;
        now = next;
        next = swap;
    }
    if (request->hard ? *conflicts > 0 : *conflicts > request->most_conflicts) *conflicts = DL_NO_PATH;
    if (*cost == NONE) *conflicts = DL_NO_PATH;
    free(now);
    free(next);
    free(busy_at);
}

static void check_track(const world *w, int agent, uint64_t seed)
{
    const dl_track *track = &w->planner->spare[agent];
    dl_cell first = track->at[0], last = track->at[track->cost];
    if (first != w->instance->start[agent] || last != w->instance->goal[agent]) fail_msg("seed %d", (int)seed);
    for (int t = 1; t <= track->cost; t++) {
        bool step = track->at[t] == track->at[t - 1];
        for (int d = 0; d < DL_DIRECTIONS; d++)
            step = step || w->instance->grid->neighbor[track->at[t - 1]][d] == track->at[t];
        if (!step) fail_msg("seed %d: agent %d jumps at %d", (int)seed, agent, t);
    }
    if (track->cost > 0 && track->at[track->cost - 1] == last) fail_msg("seed %d: trailing wait", (int)seed);
}

static void check_partners(const world *w, int agent, int conflicts, uint64_t seed)
{
    int agents = w->instance->agents, count = 0;
    int32_t *list = DL_ARRAY(int32_t, agents);
    for (int b = 0; b < agents; b++)
        count += w->planner->in_table[b] && tracks_collide(&w->planner->spare[agent], &w->planner->track[b]);
    int found = dl_planner_partners(w->planner, &w->planner->spare[agent], agents, list);
    if (found != count) fail_msg("seed %d: %d partners, counted %d", (int)seed, count, found);
    if ((conflicts == 0) != (count == 0)) fail_msg("seed %d: %d conflicts, %d partners", (int)seed, conflicts, count);
    free(list);
}

/* Plans all agents one after the other, some twice, and compares every search with the reference. */
static void compare_all(dl_rng *rng, int height, int width, double density, int agents, uint64_t seed)
{
    dl_instance *instance = test_random_instance(rng, height, width, density, agents);
    if (!instance) return;
    world w = open_world(instance);
    w.planner->rng = dl_rng_stream(seed, DL_PURPOSE('t', 'e', 's', 't'), 1);
    for (int i = 0; i < 2 * agents; i++) {
        int agent = i < agents ? i : (int)dl_rng_below(rng, (uint32_t)agents);
        if (w.planner->in_table[agent]) dl_planner_remove(w.planner, agent);
        dl_request request = DL_SOFT_REQUEST;
        request.rule = (dl_tie_rule)dl_rng_below(rng, DL_TIE_RULES);
        if (dl_rng_below(rng, 4) == 0) request.earliest = (int)dl_rng_below(rng, 12);
        if (dl_rng_below(rng, 4) == 0) request.latest = (int)dl_rng_below(rng, 24);
        if (dl_rng_below(rng, 4) == 0) request.most_conflicts = (int)dl_rng_below(rng, 3);
        request.hard = dl_rng_below(rng, 4) == 0;
        int conflicts, cost;
        reference(w.planner, agent, &request, &conflicts, &cost);
        int found = dl_planner_plan(w.planner, agent, &request);
        if (found != conflicts || (found >= 0 && w.planner->spare[agent].cost != cost))
            fail_msg("seed %d agent %d: (%d,%d) instead of (%d,%d); earliest %d latest %d hard %d", (int)seed, agent,
                     found, w.planner->spare[agent].cost, conflicts, cost, request.earliest, request.latest,
                     request.hard);
        if (found < 0) {
            request = DL_SOFT_REQUEST;
            found = dl_planner_plan(w.planner, agent, &request);
            assert_true(found >= 0);
        }
        check_track(&w, agent, seed);
        check_partners(&w, agent, found, seed);
        dl_planner_exchange(w.planner, agent);
        assert_true(dl_planner_insert(w.planner, agent));
    }
    if (!w.planner->ops->audit(w.planner)) fail_msg("seed %d: the table is not what its tracks say", (int)seed);
    close_world(&w);
}

static void every_search_is_as_good_as_the_plain_programme(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 250; seed++) {
        dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('t', 'e', 's', 't'), 0);
        int height = 1 + (int)dl_rng_below(&rng, 9), width = 2 + (int)dl_rng_below(&rng, 9);
        int agents = 1 + (int)dl_rng_below(&rng, (uint32_t)(height * width) / 2);
        compare_all(&rng, height, width, 0.25 * dl_rng_unit(&rng), agents, seed);
    }
}

static void boards_of_every_width_agree_with_the_plain_programme(void **state)
{
    (void)state;
    static const int SIZE[][2] = {{12, 21}, {20, 20}, {25, 25}, {30, 33}, {36, 36}, {6, 62}, {5, 63},
                                  {5, 64},  {4, 70},  {3, 130}, {50, 50}, {90, 5},  {62, 62}};
    for (size_t i = 0; i < sizeof SIZE / sizeof SIZE[0]; i++) {
        dl_rng rng = dl_rng_stream(i, DL_PURPOSE('w', 'i', 'd', 'e'), 0);
        compare_all(&rng, SIZE[i][0], SIZE[i][1], 0.2, 12, i);
    }
}

static void inserting_and_removing_in_any_order_leaves_an_equal_table(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++) {
        dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('t', 'a', 'b', 'l'), 0);
        dl_instance *instance = test_random_instance(&rng, 8, 8, 0.1, 20);
        world w = open_world(instance);
        for (int agent = 0; agent < 20; agent++) { /* wandering paths, some far longer than the first horizon */
            dl_track *track = &w.planner->track[agent];
            dl_request request = DL_SOFT_REQUEST;
            request.rule = DL_UNIFORM;
            request.earliest = (int)dl_rng_below(&rng, seed < 45 ? 60 : 600);
            if (dl_planner_plan(w.planner, agent, &request) < 0) { /* walled in on its goal: it can't be late */
                request.earliest = 0;
                assert_true(dl_planner_plan(w.planner, agent, &request) >= 0);
            }
            assert_true(dl_track_copy(track, &w.planner->spare[agent]));
        }
        for (int i = 0; i < 200; i++) {
            int agent = (int)dl_rng_below(&rng, 20);
            if (w.planner->in_table[agent])
                dl_planner_remove(w.planner, agent);
            else
                assert_true(dl_planner_insert(w.planner, agent));
            if (i % 20 == 0 && !w.planner->ops->audit(w.planner)) fail_msg("seed %d, change %d", (int)seed, i);
        }
        close_world(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(u1_a_resting_agent_in_a_corridor_is_one_conflict),
        cmocka_unit_test(u2_a_swap_is_one_conflict),
        cmocka_unit_test(u3_conflicts_count_before_length),
        cmocka_unit_test(u4_waits_until_the_crossing_agent_has_left),
        cmocka_unit_test(u5_a_resting_agent_is_crossed_once),
        cmocka_unit_test(u6_a_vertex_conflict_hides_the_swap),
        cmocka_unit_test(u7_comes_to_rest_after_the_last_visitor),
        cmocka_unit_test(u8_an_agent_that_never_moves_has_partners),
        cmocka_unit_test(u9_a_rotation_is_free_of_conflicts),
        cmocka_unit_test(a_cell_crossed_by_two_counts_two_partners),
        cmocka_unit_test(a_demanded_delay_is_kept),
        cmocka_unit_test(every_search_is_as_good_as_the_plain_programme),
        cmocka_unit_test(boards_of_every_width_agree_with_the_plain_programme),
        cmocka_unit_test(inserting_and_removing_in_any_order_leaves_an_equal_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
