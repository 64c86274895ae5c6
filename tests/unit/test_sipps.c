/* SIPPS against the spec's single calls, and against a plain dynamic program over (conflicts, time, cell). */
#include "support.h"

#include "base/memory.h"
#include "engine/sipps/sipps.h"

typedef struct world {
    dl_instance *instance;
    dl_distance *distance;
    dl_planner *planner;
} world;

static world open_world(dl_instance *instance)
{
    world w = {.instance = instance};
    w.distance = dl_distance_create(instance);
    w.planner = dl_sipps_planner_create(instance, w.distance);
    return w;
}

static void close_world(world *w)
{
    dl_planner_free(w->planner);
    dl_distance_free(w->distance);
    dl_instance_free(w->instance);
}

/* Puts `length` cells (row, col) into the table as the agent's path. */
static void put(world *w, int agent, int length, const int cells[][2])
{
    dl_path path = {0};
    for (int t = 0; t < length; t++) assert_true(dl_path_append(&path, (difflns_cell){cells[t][0], cells[t][1]}));
    assert_true(dl_planner_read_path(w->planner, agent, &path));
    assert_true(dl_planner_insert(w->planner, agent));
    free(path.at);
}

static void expect(world *w, int agent, int conflicts, int cost, int partner_count)
{
    int32_t list[16];
    dl_request soft = DL_SOFT_REQUEST;
    for (int rule = 0; rule < DL_TIE_RULES; rule++) {
        soft.rule = (dl_tie_rule)rule;
        assert_int_equal(dl_planner_plan(w->planner, agent, &soft), conflicts);
        const dl_track *track = &w->planner->spare[agent];
        assert_int_equal(track->cost, cost);
        assert_int_equal(track->at[0], w->instance->start[agent]);
        assert_int_equal(track->at[cost], w->instance->goal[agent]);
        assert_int_equal(dl_planner_partners(w->planner, track, 16, list), partner_count);
    }
}

static void single_calls_of_the_specification(void **state)
{
    (void)state;
    world w = open_world(test_instance("...", 2, (const int[][4]){{0, 1, 0, 1}, {0, 0, 0, 2}})); /* U1 */
    put(&w, 0, 1, (const int[][2]){{0, 1}});
    expect(&w, 1, 1, 2, 1);
    close_world(&w);
    w = open_world(test_instance("..", 2, (const int[][4]){{0, 0, 0, 1}, {0, 1, 0, 0}})); /* U2 */
    put(&w, 0, 2, (const int[][2]){{0, 0}, {0, 1}});
    expect(&w, 1, 1, 1, 1);
    close_world(&w);
    w = open_world(test_instance(".../.../...", 2, (const int[][4]){{2, 2, 0, 2}, {0, 0, 0, 1}})); /* U3 */
    put(&w, 0, 10, (const int[][2]){{2, 2}, {2, 2}, {2, 2}, {2, 2}, {2, 2}, {2, 2}, {2, 1}, {1, 1}, {0, 1}, {0, 2}});
    expect(&w, 1, 0, 9, 0);
    close_world(&w);
    w = open_world(test_instance(".../@.@/@.@", 2, (const int[][4]){{1, 1, 1, 1}, {0, 0, 0, 2}})); /* U4 */
    put(&w, 0, 5, (const int[][2]){{1, 1}, {0, 1}, {0, 1}, {0, 1}, {1, 1}});
    expect(&w, 1, 0, 5, 0);
    close_world(&w);
    w = open_world(test_instance("....", 2, (const int[][4]){{0, 1, 0, 2}, {0, 0, 0, 3}})); /* U5 */
    put(&w, 0, 2, (const int[][2]){{0, 1}, {0, 2}});
    expect(&w, 1, 1, 3, 1);
    close_world(&w);
    w = open_world(test_instance("...", 2, (const int[][4]){{0, 2, 0, 0}, {0, 0, 0, 2}})); /* U6 */
    put(&w, 0, 3, (const int[][2]){{0, 2}, {0, 1}, {0, 0}});
    expect(&w, 1, 1, 2, 1);
    close_world(&w);
    w = open_world(test_instance(".../@.@", 2, (const int[][4]){{1, 1, 1, 1}, {0, 0, 0, 1}})); /* U7 */
    put(&w, 0, 8, (const int[][2]){{1, 1}, {1, 1}, {1, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}, {1, 1}});
    expect(&w, 1, 0, 7, 0);
    close_world(&w);
    w = open_world(test_instance("...", 2, (const int[][4]){{0, 0, 0, 2}, {0, 1, 0, 1}})); /* U8 */
    put(&w, 0, 3, (const int[][2]){{0, 0}, {0, 1}, {0, 2}});
    expect(&w, 1, 1, 0, 1);
    close_world(&w);
    w = open_world(test_instance("../..", 4, /* U9: three of a rotation have moved, the fourth follows */
                                 (const int[][4]){{0, 0, 0, 1}, {0, 1, 1, 1}, {1, 1, 1, 0}, {1, 0, 0, 0}}));
    put(&w, 0, 2, (const int[][2]){{0, 0}, {0, 1}});
    put(&w, 1, 2, (const int[][2]){{0, 1}, {1, 1}});
    put(&w, 2, 2, (const int[][2]){{1, 1}, {1, 0}});
    expect(&w, 3, 0, 1, 0);
    close_world(&w);
}

/* A random walk of up to `wander` steps, then a shortest path to the goal. */
static void put_random(world *w, dl_rng *rng, int agent, int wander)
{
    const dl_grid *grid = w->instance->grid;
    const dl_field *distance = dl_distance_acquire(w->distance, agent);
    dl_track *track = &w->planner->track[agent];
    dl_cell at = w->instance->start[agent];
    int t = 0, steps = (int)dl_rng_below(rng, (uint32_t)wander + 1);
    assert_true(dl_track_reserve(track, steps + grid->cells));
    track->at[0] = at;
    while (t < steps || dl_field_at(distance, at) > 0) {
        uint32_t choice = dl_rng_below(rng, DL_ACTIONS);
        dl_cell next = choice == 0 ? at : grid->neighbor[at][choice - 1];
        if (t >= steps)
            for (int d = 0; d < DL_DIRECTIONS; d++)
                if (grid->neighbor[at][d] >= 0 &&
                    dl_field_at(distance, grid->neighbor[at][d]) < dl_field_at(distance, at))
                    next = grid->neighbor[at][d];
        if (next == DL_NO_CELL) next = at;
        track->at[++t] = at = next;
    }
    while (t > 0 && track->at[t] == track->at[t - 1]) t--;
    track->cost = t;
    assert_true(dl_planner_insert(w->planner, agent));
    dl_distance_release(w->distance, agent);
}

enum { MOST_CELLS = 36, HORIZON = 120, LAYERS = 12 };

static bool occupied(const world *w, dl_cell cell, int time)
{
    for (int a = 0; a < w->instance->agents; a++)
        if (w->planner->in_table[a]) {
            const dl_track *track = &w->planner->track[a];
            if (track->at[time < track->cost ? time : track->cost] == cell) return true;
        }
    return false;
}

static bool swaps(const world *w, dl_cell from, dl_cell to, int time)
{
    for (int a = 0; a < w->instance->agents; a++)
        if (w->planner->in_table[a]) {
            const dl_track *track = &w->planner->track[a];
            if (time <= track->cost && track->at[time - 1] == to && track->at[time] == from) return true;
        }
    return false;
}

/* The least conflicts, and the earliest arrival with them, by a plain dynamic program; conflicts as in 2.5 of the
 * specification. */
static void reference(const world *w, int agent, bool hard, int *conflicts, int *cost)
{
    static bool reach[HORIZON + 1][LAYERS][MOST_CELLS], arrived[HORIZON + 1][LAYERS];
    const dl_grid *grid = w->instance->grid;
    dl_cell goal = w->instance->goal[agent];
    memset(reach, 0, sizeof reach);
    memset(arrived, 0, sizeof arrived);
    reach[0][0][w->instance->start[agent]] = true;
    arrived[0][0] = w->instance->start[agent] == goal;
    for (int t = 0; t < HORIZON; t++)
        for (int c = 0; c < LAYERS; c++)
            for (dl_cell u = 0; u < grid->cells; u++) {
                if (!reach[t][c][u]) continue;
                for (int d = -1; d < DL_DIRECTIONS; d++) {
                    dl_cell v = d < 0 ? u : grid->neighbor[u][d];
                    if (v == DL_NO_CELL) continue;
                    bool busy = occupied(w, v, t + 1);
                    int extra = d < 0 ? busy && !occupied(w, u, t) : busy || swaps(w, u, v, t + 1);
                    if (hard && (busy || (d >= 0 && swaps(w, u, v, t + 1)))) continue;
                    if (c + extra >= LAYERS) continue;
                    reach[t + 1][c + extra][v] = true;
                    if (d >= 0 && v == goal) arrived[t + 1][c + extra] = true;
                }
            }
    *conflicts = LAYERS;
    *cost = -1;
    for (int t = 0; t <= HORIZON; t++) {
        int behind = 0; /* (agent, time) pairs that pass the goal later */
        for (int a = 0; a < w->instance->agents; a++)
            for (int later = t + 1; w->planner->in_table[a] && later <= w->planner->track[a].cost; later++)
                behind += w->planner->track[a].at[later] == goal;
        for (int c = 0; c < LAYERS; c++)
            if (arrived[t][c] && (!hard || behind == 0) && c + behind < *conflicts) {
                *conflicts = c + behind;
                *cost = t;
            }
    }
}

static void agrees_with_a_plain_dynamic_programme(void **state)
{
    (void)state;
    int compared = 0, later = 0, unsolved = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('s', 'i', 'p', 'p'), 0);
        int agents = 2 + (int)dl_rng_below(&rng, 8);
        dl_instance *instance = test_random_instance(&rng, 3 + (int)dl_rng_below(&rng, 4), 6, 0.2, agents);
        if (!instance) continue;
        world w = open_world(instance);
        w.planner->rng = dl_rng_stream(seed, DL_PURPOSE('t', 'i', 'e', 's'), 1);
        for (int a = 1; a < agents; a++) put_random(&w, &rng, a, 12);
        assert_true(w.planner->ops->audit(w.planner));
        for (int mode = 0; mode < 2; mode++) {
            dl_request request = mode ? DL_HARD_REQUEST : DL_SOFT_REQUEST;
            request.rule = (dl_tie_rule)(seed % DL_TIE_RULES);
            int c, cost, is = dl_planner_plan(w.planner, 0, &request);
            reference(&w, 0, request.hard, &c, &cost);
            if (c == LAYERS) {
                if (request.hard) assert_int_equal(is, DL_NO_PATH);
                unsolved += request.hard;
                continue;
            }
            const dl_track *track = &w.planner->spare[0];
            if (is != c || track->cost < cost) fail_msg("seed %d: c %d, expected %d", (int)seed, is, c);
            int32_t list[16];
            int partners = dl_planner_partners(w.planner, track, 16, list);
            if ((partners == 0) != (is == 0)) fail_msg("seed %d: c %d with %d partners", (int)seed, is, partners);
            compared++;
            later += track->cost > cost;
        }
        close_world(&w);
    }
    assert_true(compared > 600 && unsolved > 0);
    assert_true(later * 20 < compared); /* only inside soft runs of the goal, see 5.3 of the specification */
}

static void removing_leaves_the_table_as_it_was(void **state)
{
    (void)state;
    dl_rng rng = dl_rng_stream(7, DL_PURPOSE('s', 'i', 'p', 'p'), 1);
    world w = open_world(test_random_instance(&rng, 12, 12, 0.2, 40));
    for (int a = 0; a < 40; a++) put_random(&w, &rng, a, 100);
    for (int i = 0; i < 2000; i++) {
        int agent = (int)dl_rng_below(&rng, 40);
        if (w.planner->in_table[agent])
            dl_planner_remove(w.planner, agent);
        else
            put_random(&w, &rng, agent, 100);
        if (i % 100 == 0) assert_true(w.planner->ops->audit(w.planner));
    }
    close_world(&w);
}

static void earliest_and_latest_bound_the_arrival(void **state)
{
    (void)state;
    world w = open_world(test_instance("...", 1, (const int[][4]){{0, 0, 0, 2}}));
    dl_request request = DL_SOFT_REQUEST;
    request.earliest = 7;
    assert_int_equal(dl_planner_plan(w.planner, 0, &request), 0);
    assert_int_equal(w.planner->spare[0].cost, 7);
    request.latest = 6;
    assert_int_equal(dl_planner_plan(w.planner, 0, &request), DL_NO_PATH);
    close_world(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_calls_of_the_specification),
        cmocka_unit_test(agrees_with_a_plain_dynamic_programme),
        cmocka_unit_test(removing_leaves_the_table_as_it_was),
        cmocka_unit_test(earliest_and_latest_bound_the_arrival),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
