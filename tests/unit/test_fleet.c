/* Fleets through the public interface: whatever happens to the robots, their next steps are legal. */
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "support_fleets.h"

static void plan(difflns_fleet *fleet)
{
    assert_int_equal(difflns_fleet_plan(fleet, INFINITY, NULL), DIFFLNS_OK);
}

static void tick(difflns_fleet *fleet)
{
    assert_int_equal(difflns_fleet_tick(fleet, NULL), DIFFLNS_OK);
}

static bool same(difflns_cell a, difflns_cell b)
{
    return a.row == b.row && a.col == b.col;
}

/* Plans and ticks until nobody has a goal; the ticks that took, at most `most`. */
static int drive(difflns_fleet *fleet, int robots, int most)
{
    for (int ticks = 0; ticks <= most; ticks++) {
        plan(fleet);
        int goals = 0;
        for (int robot = 0; robot < robots; robot++) goals += difflns_fleet_goals(fleet, robot);
        if (goals == 0) return ticks;
        tick(fleet);
    }
    fail_msg("not there after %d ticks", most);
    return -1;
}

/* ---- A world that does what it likes ---- */

enum { MOST = 128 };

typedef struct simulation {
    difflns_map *map;
    difflns_fleet *fleet;
    dl_rng rng;
    bool present[MOST];
    difflns_cell at[MOST]; /* the truth */
    int64_t hold[MOST];
    double delay;
} simulation;

static difflns_cell random_cell(simulation *s)
{
    difflns_cell cell;
    do {
        cell.row = (int)dl_rng_below(&s->rng, (uint32_t)difflns_map_height(s->map));
        cell.col = (int)dl_rng_below(&s->rng, (uint32_t)difflns_map_width(s->map));
    } while (difflns_map_blocked(s->map, cell.row, cell.col));
    return cell;
}

static int robot_on(const simulation *s, difflns_cell cell)
{
    for (int robot = 0; robot < MOST; robot++)
        if (s->present[robot] && same(s->at[robot], cell)) return robot;
    return -1;
}

static void try_to_add(simulation *s)
{
    difflns_cell cell = random_cell(s);
    int robot, there = robot_on(s, cell);
    difflns_status status = difflns_fleet_add(s->fleet, cell, &robot, NULL);
    assert_int_equal(status, there >= 0 ? DIFFLNS_BAD_INPUT : DIFFLNS_OK);
    if (status) return;
    assert_in_range(robot, 0, MOST - 1);
    assert_false(s->present[robot]);
    s->present[robot] = true;
    s->at[robot] = cell;
    s->hold[robot] = 0;
}

/* Counts what is wrong with everybody's next step, from the truth alone. */
static int illegal_steps(const simulation *s)
{
    int count = 0;
    for (int a = 0; a < MOST; a++) {
        if (!s->present[a]) continue;
        difflns_cell next = difflns_fleet_next(s->fleet, a);
        int distance = abs(next.row - s->at[a].row) + abs(next.col - s->at[a].col);
        count += distance > 1 || difflns_map_blocked(s->map, next.row, next.col);
        count += distance > 0 && difflns_fleet_now(s->fleet) < s->hold[a];
        count += !same(difflns_fleet_at(s->fleet, a), s->at[a]);
        int there = robot_on(s, next);
        count += difflns_fleet_after(s->fleet, a) != (there == a ? -1 : there);
        for (int b = 0; b < a; b++) {
            if (!s->present[b]) continue;
            difflns_cell other = difflns_fleet_next(s->fleet, b);
            count += same(next, other);
            count += same(next, s->at[b]) && same(other, s->at[a]);
        }
    }
    return count;
}

/* Robots fail at random, and with them those who would enter their cells; now and then one is found where it likes. The
 * fleet is told of those who failed by themselves only. */
static void move(simulation *s)
{
    bool failed[MOST] = {false}, late[MOST];
    difflns_cell next[MOST];
    for (int robot = 0; robot < MOST; robot++) {
        failed[robot] = s->present[robot] && dl_rng_unit(&s->rng) < s->delay;
        late[robot] = failed[robot];
        next[robot] = difflns_fleet_next(s->fleet, robot);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (int robot = 0; robot < MOST; robot++) {
            if (!s->present[robot] || late[robot]) continue;
            int ahead = difflns_fleet_after(s->fleet, robot);
            if (ahead < 0 || (!late[ahead] && !same(next[ahead], s->at[ahead]))) continue;
            late[robot] = changed = true;
        }
    }
    tick(s->fleet);
    for (int robot = 0; robot < MOST; robot++) {
        if (!s->present[robot]) continue;
        if (!late[robot]) s->at[robot] = next[robot];
        if (!failed[robot]) continue;
        assert_int_equal(difflns_fleet_observe(s->fleet, robot, s->at[robot], NULL), DIFFLNS_OK);
    }
    for (int robot = 0; robot < MOST; robot++)
        if (s->present[robot]) assert_true(same(difflns_fleet_at(s->fleet, robot), s->at[robot]));
}

static void meddle(simulation *s)
{
    int robot = (int)dl_rng_below(&s->rng, MOST);
    if (!s->present[robot]) return;
    difflns_cell cell = random_cell(s);
    switch (dl_rng_below(&s->rng, 6)) {
    case 0:
        assert_int_equal(difflns_fleet_remove(s->fleet, robot, NULL), DIFFLNS_OK);
        s->present[robot] = false;
        return;
    case 1:
        s->hold[robot] = difflns_fleet_now(s->fleet) + (int64_t)dl_rng_below(&s->rng, 20);
        assert_int_equal(difflns_fleet_hold(s->fleet, robot, s->hold[robot], NULL), DIFFLNS_OK);
        return;
    case 2:
        assert_int_equal(difflns_fleet_clear_goals(s->fleet, robot, NULL), DIFFLNS_OK);
        return;
    case 3:
        if (robot_on(s, cell) >= 0 || difflns_map_distance(s->map, s->at[robot], cell) < 0) return;
        assert_int_equal(difflns_fleet_observe(s->fleet, robot, cell, NULL), DIFFLNS_OK);
        s->at[robot] = cell;
        return;
    default:
        try_to_add(s);
    }
}

static void simulate(uint64_t seed, int ticks)
{
    simulation s = {.rng = dl_rng_stream(seed, DL_PURPOSE('t', 'f', 'l', 't'), 0)};
    int height = 1 + (int)dl_rng_below(&s.rng, 10), width = 1 + (int)dl_rng_below(&s.rng, 10);
    uint8_t blocked[100] = {0};
    double density = 0.4 * dl_rng_unit(&s.rng);
    for (int i = 1; i < height * width; i++) blocked[i] = dl_rng_unit(&s.rng) < density;
    assert_int_equal(difflns_map_create(height, width, blocked, &s.map, NULL), DIFFLNS_OK);
    s.fleet = fleet_on(s.map);
    s.delay = dl_rng_below(&s.rng, 3) * 0.15;
    assert_int_equal(difflns_fleet_set_seed(s.fleet, seed, NULL), DIFFLNS_OK);
    assert_int_equal(difflns_fleet_set_window(s.fleet, 1 + (int)dl_rng_below(&s.rng, 16), NULL), DIFFLNS_OK);
    assert_int_equal(difflns_fleet_set_iterations(s.fleet, dl_rng_below(&s.rng, 20), NULL), DIFFLNS_OK);
    int robots = 1 + (int)dl_rng_below(&s.rng, (uint32_t)difflns_map_free_cells(s.map));
    for (int i = 0; i < robots; i++) try_to_add(&s);
    for (int t = 0; t < ticks; t++) {
        for (int robot = 0; robot < MOST; robot++) {
            difflns_cell goal = random_cell(&s);
            if (!s.present[robot] || difflns_fleet_goals(s.fleet, robot) >= (int)dl_rng_below(&s.rng, 4)) continue;
            if (difflns_map_distance(s.map, s.at[robot], goal) < 0) continue;
            assert_int_equal(difflns_fleet_add_goal(s.fleet, robot, goal, NULL), DIFFLNS_OK);
        }
        assert_int_equal(difflns_fleet_plan(s.fleet, t % 2 ? 0 : INFINITY, NULL), DIFFLNS_OK);
        if (illegal_steps(&s) > 0) fail_msg("seed %llu, tick %d: illegal steps", (unsigned long long)seed, t);
        move(&s);
        if (dl_rng_below(&s.rng, 4) == 0) meddle(&s);
        if (dl_rng_below(&s.rng, 8) == 0 && s.delay == 0) /* without a plan in between everybody goes on or waits */
            if (illegal_steps(&s) > 0)
                fail_msg("seed %llu, tick %d: illegal without a plan", (unsigned long long)seed, t);
    }
    difflns_map_free(s.map); /* the fleet keeps it */
    difflns_fleet_free(s.fleet);
}

static void steps_are_legal_whatever_happens(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 150; seed++) simulate(seed, 60);
}

/* ---- Single traits ---- */

static void robots_without_a_task_make_way(void **state)
{
    (void)state;
    difflns_map *map = map_of("....../@@@.@@");
    difflns_fleet *fleet = fleet_on(map);
    int mover = add(fleet, 0, 0);
    add(fleet, 0, 2);
    send(fleet, mover, 0, 5);
    assert_in_range(drive(fleet, 2, 30), 5, 30);
    assert_true(same(difflns_fleet_at(fleet, mover), (difflns_cell){0, 5}));
    difflns_fleet_free(fleet);
    difflns_map_free(map);
}

static void a_goal_may_be_shared_and_queued(void **state)
{
    (void)state;
    difflns_map *map = map_of("...../...../.....");
    difflns_fleet *fleet = fleet_on(map);
    for (int robot = 0; robot < 4; robot++) {
        add(fleet, 0, robot);
        send(fleet, robot, 2, 4);
        send(fleet, robot, 1, 0);
    }
    assert_in_range(drive(fleet, 4, 100), 8, 100);
    for (int robot = 0; robot < 4; robot++) assert_int_equal(difflns_fleet_reached(fleet, robot), 2);
    difflns_fleet_free(fleet);
    difflns_map_free(map);
}

static void a_lone_robot_takes_the_shortest_way_through_its_queue(void **state)
{
    (void)state;
    difflns_map *map = map_of("...../...../.....");
    difflns_fleet *fleet = fleet_on(map);
    int robot = add(fleet, 0, 0);
    send(fleet, robot, 0, 4);
    send(fleet, robot, 2, 4);
    send(fleet, robot, 2, 0);
    assert_true(same(difflns_fleet_goal(fleet, robot, 1), (difflns_cell){2, 4}));
    assert_int_equal(drive(fleet, 1, 50), 10);
    difflns_fleet_free(fleet);
    difflns_map_free(map);
}

static void a_held_robot_waits_until_its_tick(void **state)
{
    (void)state;
    difflns_map *map = map_of(".....");
    difflns_fleet *fleet = fleet_on(map);
    int robot = add(fleet, 0, 0);
    send(fleet, robot, 0, 4);
    assert_int_equal(difflns_fleet_hold(fleet, robot, 3, NULL), DIFFLNS_OK);
    assert_int_equal(drive(fleet, 1, 50), 7);
    difflns_fleet_free(fleet);
    difflns_map_free(map);
}

static void those_behind_a_late_robot_count_as_late(void **state)
{
    (void)state;
    difflns_map *map = map_of("......");
    difflns_fleet *fleet = fleet_on(map);
    for (int robot = 0; robot < 3; robot++) {
        add(fleet, 0, 2 - robot);
        send(fleet, robot, 0, 5 - robot);
    }
    plan(fleet);
    assert_int_equal(difflns_fleet_after(fleet, 0), -1);
    assert_int_equal(difflns_fleet_after(fleet, 1), 0);
    assert_int_equal(difflns_fleet_after(fleet, 2), 1);
    tick(fleet);
    assert_int_equal(difflns_fleet_observe(fleet, 1, (difflns_cell){0, 1}, NULL), DIFFLNS_OK);
    assert_true(same(difflns_fleet_at(fleet, 0), (difflns_cell){0, 3}));
    assert_true(same(difflns_fleet_at(fleet, 2), (difflns_cell){0, 0}));
    assert_true(same(difflns_fleet_next(fleet, 1), (difflns_cell){0, 1})); /* nobody moves on a plan that failed */
    assert_int_equal(drive(fleet, 3, 50), 3);
    difflns_fleet_free(fleet);
    difflns_map_free(map);
}

static void a_full_corridor_waits_and_a_full_ring_turns(void **state)
{
    (void)state;
    difflns_map *map = map_of("...");
    difflns_fleet *fleet = fleet_on(map);
    for (int robot = 0; robot < 3; robot++) {
        add(fleet, 0, robot);
        send(fleet, robot, 0, 2 - robot);
    }
    plan(fleet);
    for (int robot = 0; robot < 3; robot++)
        assert_true(same(difflns_fleet_next(fleet, robot), difflns_fleet_at(fleet, robot)));
    difflns_fleet_free(fleet);
    difflns_map_free(map);

    map = map_of("../..");
    fleet = fleet_on(map);
    const int ring[4][2] = {{0, 0}, {0, 1}, {1, 1}, {1, 0}};
    for (int robot = 0; robot < 4; robot++) {
        add(fleet, ring[robot][0], ring[robot][1]);
        send(fleet, robot, ring[(robot + 1) % 4][0], ring[(robot + 1) % 4][1]);
    }
    assert_int_equal(drive(fleet, 4, 10), 1);
    difflns_fleet_free(fleet);
    difflns_map_free(map);
}

static void two_head_on_in_a_corridor_find_the_junction(void **state)
{
    (void)state;
    difflns_map *map = map_of("......../@@@@.@@@");
    difflns_fleet *fleet = fleet_on(map);
    add(fleet, 0, 0);
    add(fleet, 0, 7);
    send(fleet, 0, 0, 7);
    send(fleet, 1, 0, 0);
    assert_in_range(drive(fleet, 2, 60), 8, 60);
    difflns_fleet_free(fleet);
    difflns_map_free(map);
}

static void refused(difflns_status status, const difflns_error *err, const char *message)
{
    assert_int_equal(status, DIFFLNS_BAD_INPUT);
    assert_string_equal(err->message, message);
}

static void bad_input_leaves_the_fleet_as_it_was(void **state)
{
    (void)state;
    difflns_map *map = map_of("...@./...@.");
    difflns_fleet *fleet = fleet_on(map);
    difflns_error err;
    add(fleet, 0, 0);
    add(fleet, 1, 1);
    send(fleet, 0, 0, 2);
    plan(fleet);
    const difflns_cell next = difflns_fleet_next(fleet, 0);
    int robot;
    refused(difflns_fleet_observe(fleet, 0, (difflns_cell){0, 3}, &err), &err,
            "robot 0: observed (0, 3) is on an obstacle");
    refused(difflns_fleet_observe(fleet, 0, (difflns_cell){5, 0}, &err), &err,
            "robot 0: observed (5, 0) is outside the map");
    refused(difflns_fleet_observe(fleet, 0, (difflns_cell){1, 1}, &err), &err,
            "robot 0: cell (1, 1) is taken by robot 1");
    refused(difflns_fleet_observe(fleet, 0, (difflns_cell){0, 4}, &err), &err,
            "robot 0: observed at (0, 4), from where no way leads to its goal");
    refused(difflns_fleet_observe(fleet, 7, (difflns_cell){0, 0}, &err), &err, "robot 7: there is no such robot");
    refused(difflns_fleet_add_goal(fleet, 0, (difflns_cell){0, 4}, &err), &err,
            "robot 0: no way leads to its goal (0, 4)");
    refused(difflns_fleet_add_goal(fleet, 0, (difflns_cell){1, 3}, &err), &err,
            "robot 0: its goal (1, 3) is on an obstacle");
    refused(difflns_fleet_add_goal(fleet, -1, (difflns_cell){0, 0}, &err), &err, "robot -1: there is no such robot");
    refused(difflns_fleet_add(fleet, (difflns_cell){1, 1}, &robot, &err), &err,
            "robot 2: cell (1, 1) is taken by robot 1");
    refused(difflns_fleet_add(fleet, (difflns_cell){0, 3}, &robot, &err), &err,
            "robot 2: its cell (0, 3) is on an obstacle");
    refused(difflns_fleet_remove(fleet, 2, &err), &err, "robot 2: there is no such robot");
    refused(difflns_fleet_hold(fleet, 2, 1, &err), &err, "robot 2: there is no such robot");
    refused(difflns_fleet_clear_goals(fleet, 2, &err), &err, "robot 2: there is no such robot");
    refused(difflns_fleet_plan(fleet, -1, &err), &err, "-1 milliseconds: expected 0 or more");
    refused(difflns_fleet_plan(fleet, NAN, &err), &err, "nan milliseconds: expected 0 or more");
    refused(difflns_fleet_set_window(fleet, 65, &err), &err, "a window of 65 steps: expected 0 to 64");
    refused(difflns_fleet_set_iterations(fleet, -2, &err), &err, "-2 iterations: expected -1 or more");
    assert_int_equal(difflns_fleet_robots(fleet), 2);
    assert_int_equal(difflns_fleet_goals(fleet, 0), 1);
    assert_true(same(difflns_fleet_at(fleet, 0), (difflns_cell){0, 0}));
    assert_true(same(difflns_fleet_next(fleet, 0), next));
    difflns_fleet_free(fleet);
    difflns_map_free(map);
}

static void questions_that_make_no_sense_have_an_answer(void **state)
{
    (void)state;
    difflns_map *map = map_of("..");
    difflns_fleet *fleet = fleet_on(map);
    difflns_fleet_free(NULL);
    assert_int_equal(difflns_fleet_create(NULL, &(difflns_fleet *){NULL}, NULL), DIFFLNS_BAD_INPUT);
    assert_int_equal(difflns_fleet_plan(NULL, 1, NULL), DIFFLNS_BAD_INPUT);
    assert_int_equal(difflns_fleet_robots(NULL), -1);
    assert_int_equal(difflns_fleet_now(NULL), -1);
    assert_int_equal(difflns_fleet_window(NULL), -1);
    assert_int_equal(difflns_fleet_moves(NULL, NULL, 0), -1);
    assert_int_equal(difflns_fleet_goals(fleet, 0), -1);
    assert_int_equal(difflns_fleet_reached(fleet, 0), -1);
    assert_int_equal(difflns_fleet_after(fleet, 0), -1);
    assert_int_equal(difflns_fleet_stuck(fleet, 0), -1);
    assert_int_equal(difflns_fleet_next(fleet, 0).row, -1);
    assert_int_equal(difflns_fleet_goal(fleet, 0, 0).row, -1);
    plan(fleet); /* of nobody */
    tick(fleet);
    difflns_fleet_free(fleet);
    difflns_map_free(map);
}

/* ---- Wrong observations ---- */

/* Four robots turn a ring, and a fifth is said to be on it: to make room they would all have to turn back, with one of
 * them where the fifth is. */
static void a_robot_seen_on_a_ring_that_turned_is_refused(void **state)
{
    (void)state;
    static const int RING[4][2] = {{0, 0}, {0, 1}, {1, 1}, {1, 0}};
    difflns_map *map = map_of("..@/...");
    difflns_fleet *fleet = fleet_on(map);
    for (int robot = 0; robot < 4; robot++) {
        const int *next = RING[(robot + 1) % 4];
        add(fleet, RING[robot][0], RING[robot][1]);
        send(fleet, robot, next[0], next[1]);
    }
    int fifth = add(fleet, 1, 2);
    plan(fleet);
    tick(fleet);
    for (int robot = 0; robot < 4; robot++) {
        const int *next = RING[(robot + 1) % 4];
        assert_true(same(difflns_fleet_at(fleet, robot), (difflns_cell){next[0], next[1]}));
    }
    difflns_error err;
    refused(difflns_fleet_observe(fleet, fifth, (difflns_cell){1, 1}, &err), &err,
            "robot 4: cell (1, 1) is taken by robot 1");
    assert_true(same(difflns_fleet_at(fleet, fifth), (difflns_cell){1, 2}));
    assert_int_equal(difflns_fleet_observe(fleet, 1, (difflns_cell){0, 1}, NULL),
                     DIFFLNS_OK); /* the ring did not turn */
    for (int robot = 0; robot < 4; robot++)
        assert_true(same(difflns_fleet_at(fleet, robot), (difflns_cell){RING[robot][0], RING[robot][1]}));
    difflns_fleet_free(fleet);
    difflns_map_free(map);
}

static void ticks_and_steps_may_be_any_number(void **state)
{
    (void)state;
    difflns_map *map = map_of("....");
    difflns_fleet *fleet = fleet_on(map);
    int robot = add(fleet, 0, 0);
    send(fleet, robot, 0, 3);
    static const int64_t PAST[] = {INT64_MIN, -1, 0};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(difflns_fleet_hold(fleet, robot, PAST[i], NULL), DIFFLNS_OK);
        plan(fleet);
        assert_true(same(difflns_fleet_next(fleet, robot), (difflns_cell){0, i + 1}));
        assert_true(same(difflns_fleet_ahead(fleet, robot, INT_MAX), (difflns_cell){0, 3}));
        tick(fleet);
        assert_true(same(difflns_fleet_ahead(fleet, robot, INT_MAX), (difflns_cell){0, 3}));
    }
    send(fleet, robot, 0, 0);
    assert_int_equal(difflns_fleet_hold(fleet, robot, INT64_MAX, NULL), DIFFLNS_OK);
    plan(fleet);
    assert_true(same(difflns_fleet_next(fleet, robot), (difflns_cell){0, 3}));
    difflns_fleet_free(fleet);
    difflns_map_free(map);
}

/* ---- Two threads ---- */

typedef struct driver {
    difflns_fleet *fleet;
    atomic_bool enough;
    atomic_int planned;
} driver;

static void *drive_on(void *context)
{
    driver *d = context;
    while (!atomic_load(&d->enough)) {
        if (difflns_fleet_plan(d->fleet, 5, NULL) == DIFFLNS_OK) atomic_fetch_add(&d->planned, 1);
        difflns_fleet_tick(d->fleet, NULL);
    }
    return NULL;
}

/* Adding makes the fleet's arrays grow, which would pull them from under the other thread. */
static void pause_briefly(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
}

static void a_second_thread_is_told_that_the_fleet_is_busy(void **state)
{
    (void)state;
    difflns_map *map = map_of("................/................/................/................/................");
    driver d = {.fleet = fleet_on(map)};
    for (int robot = 0; robot < 30; robot++) {
        add(d.fleet, robot / 8, robot % 8);
        send(d.fleet, robot, 4 - robot / 8, 15 - robot % 8);
    }
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, drive_on, &d), 0);
    int busy = 0, robot;
    difflns_error err;
    while (busy < 100 || atomic_load(&d.planned) < 5) {
        difflns_status status = difflns_fleet_add(d.fleet, (difflns_cell){4, 15}, &robot, &err);
        if (status == DIFFLNS_OK)
            while (difflns_fleet_remove(d.fleet, robot, NULL) == DIFFLNS_BUSY) busy++, pause_briefly();
        if (status == DIFFLNS_BUSY) assert_string_equal(err.message, "the fleet is busy: another thread is calling it");
        busy += status == DIFFLNS_BUSY;
        difflns_fleet_at(d.fleet, 0);
        pause_briefly(); /* or, on a loaded core, this thread alone gets in */
    }
    atomic_store(&d.enough, true);
    pthread_join(thread, NULL);
    assert_int_equal(difflns_fleet_robots(d.fleet), 30);
    difflns_fleet_free(d.fleet);
    difflns_map_free(map);
}

/* ---- Repeatable runs ---- */

static uint64_t run(uint64_t seed)
{
    difflns_map *map = map_of("......../.@@.@@../......../.@@.@@../........");
    difflns_fleet *fleet = fleet_on(map);
    dl_rng rng = dl_rng_stream(9, DL_PURPOSE('t', 'f', 'l', 't'), 1);
    uint64_t mix = 0;
    assert_int_equal(difflns_fleet_set_seed(fleet, seed, NULL), DIFFLNS_OK);
    assert_int_equal(difflns_fleet_set_iterations(fleet, 15, NULL), DIFFLNS_OK);
    for (int robot = 0; robot < 16; robot++) add(fleet, robot / 8 * 2, robot % 8);
    for (int t = 0; t < 80; t++) {
        for (int robot = 0; robot < 16; robot++)
            if (difflns_fleet_goals(fleet, robot) == 0)
                send(fleet, robot, 2 * (int)dl_rng_below(&rng, 3), (int)dl_rng_below(&rng, 8));
        plan(fleet);
        tick(fleet);
        for (int robot = 0; robot < 16; robot++) {
            difflns_cell at = difflns_fleet_at(fleet, robot);
            mix = (mix ^ (uint64_t)(at.row * 8 + at.col)) * 0x9E3779B97F4A7C15u;
        }
    }
    difflns_fleet_free(fleet);
    difflns_map_free(map);
    return mix;
}

static void the_same_seed_gives_the_same_run(void **state)
{
    (void)state;
    assert_true(run(5) == run(5));
    assert_false(run(5) == run(6));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_legal_whatever_happens),
        cmocka_unit_test(robots_without_a_task_make_way),
        cmocka_unit_test(a_goal_may_be_shared_and_queued),
        cmocka_unit_test(a_lone_robot_takes_the_shortest_way_through_its_queue),
        cmocka_unit_test(a_held_robot_waits_until_its_tick),
        cmocka_unit_test(those_behind_a_late_robot_count_as_late),
        cmocka_unit_test(a_full_corridor_waits_and_a_full_ring_turns),
        cmocka_unit_test(two_head_on_in_a_corridor_find_the_junction),
        cmocka_unit_test(bad_input_leaves_the_fleet_as_it_was),
        cmocka_unit_test(questions_that_make_no_sense_have_an_answer),
        cmocka_unit_test(a_robot_seen_on_a_ring_that_turned_is_refused),
        cmocka_unit_test(ticks_and_steps_may_be_any_number),
        cmocka_unit_test(a_second_thread_is_told_that_the_fleet_is_busy),
        cmocka_unit_test(the_same_seed_gives_the_same_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
