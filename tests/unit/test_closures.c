/* Cells and edges that are closed while a fleet drives, and robots that stand in the way for long. */
#include <math.h>

#include "support_fleets.h"

static void advance(difflns_fleet *fleet)
{
    assert_int_equal(difflns_fleet_plan(fleet, INFINITY, NULL), DIFFLNS_OK);
    assert_int_equal(difflns_fleet_tick(fleet, NULL), DIFFLNS_OK);
}

static bool is_at(const difflns_fleet *fleet, int robot, int row, int col)
{
    difflns_cell at = difflns_fleet_at(fleet, robot);
    return at.row == row && at.col == col;
}

/* Ticks until the robot is there, at most `most`. */
static int ticks_to(difflns_fleet *fleet, int robot, int row, int col, int most)
{
    int ticks = 0;
    for (; ticks < most && !is_at(fleet, robot, row, col); ticks++) advance(fleet);
    return ticks;
}

static const char AISLES[] =
    "....................../.@@@@@@@@@@@@@@@@@@@@./....................../.@@@@@@@@@@@@@@@@@@@@./"
    "......................";

static void a_broken_robot_in_an_aisle_is_passed_by_the_free_one(void **state)
{
    (void)state;
    difflns_map *map = map_of(AISLES);
    difflns_fleet *fleet = fleet_on(map);
    int broken = add(fleet, 2, 11), robot = add(fleet, 2, 0);
    assert_int_equal(difflns_fleet_hold(fleet, broken, (int64_t)1 << 40, NULL), DIFFLNS_OK);
    send(fleet, robot, 2, 21);
    assert_in_range(ticks_to(fleet, robot, 2, 21, 41), 25, 40);
    difflns_fleet_free(fleet);
    difflns_map_free(map);
}

/* It turns round where it learns of it; a short hold is waited for. */
static void a_hold_costs_what_it_takes(void **state)
{
    (void)state;
    difflns_map *map = map_of(AISLES);
    for (int hold = 13; hold <= 60; hold += 47) {
        difflns_fleet *fleet = fleet_on(map);
        int late = add(fleet, 2, 2), robot = add(fleet, 2, 0);
        send(fleet, late, 2, 21);
        assert_int_equal(difflns_fleet_hold(fleet, late, hold, NULL), DIFFLNS_OK);
        send(fleet, robot, 2, 20);
        assert_int_equal(difflns_fleet_blocked(fleet, robot, NULL, 0), 0);
        int ticks = ticks_to(fleet, robot, 2, 20, 80);
        if (hold == 13) assert_in_range(ticks, 26, 33);
        if (hold == 60) assert_in_range(ticks, 26, 30); /* the detour takes 26 */
        difflns_fleet_free(fleet);
    }
    difflns_map_free(map);
}

enum { ROWS = 42, COLS = 21, DOORS = 36, CROWD = 30 };

static void of_two_doors_the_free_one_is_taken(void **state)
{
    (void)state;
    char rows[ROWS * (COLS + 1)];
    for (int row = 0; row < ROWS; row++) {
        memset(rows + (size_t)row * (COLS + 1), '.', COLS);
        if (row != 2 && row != 2 + DOORS) rows[row * (COLS + 1) + COLS / 2] = '@';
        rows[row * (COLS + 1) + COLS] = row + 1 < ROWS ? '/' : '\0';
    }
    difflns_map *map = map_of(rows);
    difflns_fleet *fleet = fleet_on(map);
    int broken = add(fleet, 2, COLS / 2), across = 0;
    assert_int_equal(difflns_fleet_hold(fleet, broken, (int64_t)1 << 40, NULL), DIFFLNS_OK);
    int robot[CROWD];
    for (int i = 0; i < CROWD; i++) {
        robot[i] = add(fleet, i / 6, i % 6);
        send(fleet, robot[i], i / 6, COLS - 1 - i % 6);
    }
    for (int tick = 0; tick < 200; tick++) advance(fleet);
    for (int i = 0; i < CROWD; i++) across += difflns_fleet_reached(fleet, robot[i]) == 1;
    assert_int_equal(across, CROWD);
    difflns_fleet_free(fleet);
    difflns_map_free(map);
}

static void what_is_in_the_way_is_named_at_once(void **state)
{
    (void)state;
    difflns_map *map = map_of("....../.@@@@./......");
    difflns_fleet *fleet = fleet_on(map);
    int robot = add(fleet, 0, 0), broken = add(fleet, 2, 3);
    send(fleet, robot, 2, 5);
    difflns_fleet_obstacle found[4];
    assert_int_equal(difflns_fleet_hold(fleet, broken, 1000, NULL), DIFFLNS_OK);
    assert_int_equal(difflns_fleet_blocked(fleet, robot, found, 4), 0);
    const difflns_edge edge = {{0, 3}, {0, 4}};
    assert_int_equal(difflns_fleet_block(fleet, NULL, 0, &edge, 1, NULL), DIFFLNS_OK);
    assert_int_equal(difflns_fleet_blocked(fleet, robot, found, 4), 1);
    bool first = found[0].robot == -1;
    if (first) {
        assert_memory_equal(&found[0].step, &edge, sizeof edge);
    } else {
        assert_int_equal(found[0].robot, broken);
        assert_true(found[0].step.to.row == 2 && found[0].step.to.col == 3);
    }
    for (int tick = 0; tick < 20; tick++) advance(fleet);
    assert_int_equal(difflns_fleet_blocked(fleet, robot, NULL, 0), 1);
    assert_int_equal(difflns_fleet_goals(fleet, robot), 1);
    assert_int_equal(difflns_fleet_unblock(fleet, NULL, 0, &edge, 1, NULL), DIFFLNS_OK);
    assert_int_equal(difflns_fleet_blocked(fleet, robot, NULL, 0), 0);
    assert_in_range(ticks_to(fleet, robot, 2, 5, 40), 1, 20);
    assert_int_equal(difflns_fleet_blocked(fleet, 7, NULL, 0), -1);
    assert_int_equal(difflns_fleet_blocked(NULL, 0, NULL, 0), -1);
    difflns_fleet_free(fleet);
    difflns_map_free(map);
}

static void a_closed_cell_is_left_and_not_entered(void **state)
{
    (void)state;
    difflns_map *map = map_of("...");
    difflns_fleet *fleet = fleet_on(map);
    const difflns_cell middle = {0, 1};
    int robot = add(fleet, 0, 1), other = add(fleet, 0, 0);
    send(fleet, robot, 0, 2);
    send(fleet, other, 0, 1);
    assert_int_equal(difflns_fleet_block(fleet, &middle, 1, NULL, 0, NULL), DIFFLNS_OK);
    assert_int_equal(difflns_fleet_blocked(fleet, robot, NULL, 0), 0);
    assert_int_equal(difflns_fleet_blocked(fleet, other, NULL, 0), 1);
    for (int tick = 0; tick < 5; tick++) advance(fleet);
    assert_true(is_at(fleet, robot, 0, 2) && is_at(fleet, other, 0, 0));
    assert_int_equal(difflns_fleet_unblock(fleet, &middle, 1, NULL, 0, NULL), DIFFLNS_OK);
    assert_in_range(ticks_to(fleet, other, 0, 1, 5), 1, 1);
    difflns_fleet_free(fleet);
    difflns_map_free(map);
}

static void one_way_streets_are_driven_one_way(void **state)
{
    (void)state;
    difflns_map *map = map_of("..../.@@./....");
    difflns_fleet *fleet = fleet_on(map);
    const difflns_edge edge = {{0, 1}, {0, 2}};
    int robot = add(fleet, 0, 0);
    assert_int_equal(difflns_fleet_block(fleet, NULL, 0, &edge, 1, NULL), DIFFLNS_OK);
    send(fleet, robot, 0, 3);
    assert_int_equal(ticks_to(fleet, robot, 0, 3, 40), 7);
    send(fleet, robot, 0, 0);
    assert_int_equal(ticks_to(fleet, robot, 0, 0, 40), 3);
    difflns_fleet_free(fleet);
    difflns_map_free(map);
}

static void bad_closures_change_nothing(void **state)
{
    (void)state;
    difflns_map *map = map_of("..@");
    difflns_fleet *fleet = fleet_on(map);
    int robot = add(fleet, 0, 0);
    send(fleet, robot, 0, 1);
    difflns_error err;
    const difflns_cell cells[] = {{0, 1}, {0, 2}};
    const difflns_edge edges[] = {{{0, 0}, {0, 1}}, {{0, 0}, {0, 0}}};
    assert_int_equal(difflns_fleet_block(fleet, cells, 2, NULL, 0, &err), DIFFLNS_BAD_INPUT);
    assert_string_equal(err.message, "cell (0, 2): expected a free cell of the map");
    assert_int_equal(difflns_fleet_block(fleet, cells, 1, edges, 2, &err), DIFFLNS_BAD_INPUT);
    assert_string_equal(err.message, "edge from (0, 0) to (0, 0): expected free cells that are neighbors");
    assert_int_equal(difflns_fleet_block(fleet, NULL, 1, NULL, 0, &err), DIFFLNS_BAD_INPUT);
    assert_int_equal(difflns_fleet_block(NULL, cells, 1, NULL, 0, &err), DIFFLNS_BAD_INPUT);
    assert_int_equal(difflns_fleet_blocked(fleet, robot, NULL, 0), 0);
    assert_int_equal(ticks_to(fleet, robot, 0, 1, 3), 1);
    difflns_fleet_free(fleet);
    difflns_map_free(map);
}

/* ---- Anything may close, and the oracle knows no more than what it said ---- */

enum { SIDE = 10, MOST = 12, CHANGES = 5, WAIT = 600, SEEDS = 60 };

typedef struct site {
    difflns_map *map;
    difflns_fleet *fleet;
    dl_rng rng;
    bool closed[SIDE][SIDE];
    bool shut[SIDE][SIDE][4];
    int robots;
    int64_t hold[MOST];
} site;

static const int ROW[] = {-1, 1, 0, 0}, COL[] = {0, 0, -1, 1};

static bool is_free(const site *s, int row, int col)
{
    return row >= 0 && col >= 0 && row < SIDE && col < SIDE && !difflns_map_blocked(s->map, row, col);
}

static int robot_on(const site *s, int row, int col)
{
    for (int robot = 0; robot < s->robots; robot++)
        if (is_at(s->fleet, robot, row, col)) return robot;
    return -1;
}

static difflns_cell draw_cell(site *s)
{
    difflns_cell cell;
    do {
        cell.row = (int)dl_rng_below(&s->rng, SIDE);
        cell.col = (int)dl_rng_below(&s->rng, SIDE);
    } while (!is_free(s, cell.row, cell.col));
    return cell;
}

static bool holds_long(const site *s, int robot)
{
    return robot >= 0 && s->hold[robot] - difflns_fleet_now(s->fleet) >= 64;
}

static void fill(const site *s, int row, int col, bool (*seen)[SIDE])
{
    if (seen[row][col]) return;
    seen[row][col] = true;
    for (int d = 0; d < 4; d++) {
        int r = row + ROW[d], c = col + COL[d];
        if (is_free(s, r, c) && !s->shut[row][col][d] && !s->closed[r][c] && !holds_long(s, robot_on(s, r, c)))
            fill(s, r, c, seen);
    }
}

static bool can_get_there(const site *s, int robot)
{
    bool seen[SIDE][SIDE] = {{false}};
    difflns_cell at = difflns_fleet_at(s->fleet, robot), goal = difflns_fleet_goal(s->fleet, robot, 0);
    fill(s, at.row, at.col, seen);
    return seen[goal.row][goal.col];
}

/* A claim is true, and what it names is closed. Returns whether the robot is blocked. */
static bool check_claim(const site *s, int robot)
{
    if (difflns_fleet_goals(s->fleet, robot) == 0) return false;
    difflns_fleet_obstacle found[SIDE * SIDE];
    int count = difflns_fleet_blocked(s->fleet, robot, found, SIDE * SIDE);
    assert_int_equal(count == 0, can_get_there(s, robot));
    for (int i = 0; i < count; i++) {
        difflns_cell a = found[i].step.from, b = found[i].step.to;
        int d = 0;
        while (d < 4 && (a.row + ROW[d] != b.row || a.col + COL[d] != b.col)) d++;
        assert_in_range(d, 0, 3);
        if (found[i].robot >= 0)
            assert_true(holds_long(s, found[i].robot) && is_at(s->fleet, found[i].robot, b.row, b.col));
        else
            assert_true(s->shut[a.row][a.col][d] || s->closed[b.row][b.col]);
    }
    return count > 0;
}

static void change(site *s)
{
    difflns_cell cell = draw_cell(s);
    bool closes = dl_rng_below(&s->rng, 2), *one = &s->closed[cell.row][cell.col];
    int d = (int)dl_rng_below(&s->rng, 4), robot = (int)dl_rng_below(&s->rng, (uint32_t)s->robots);
    difflns_edge edge = {cell, {cell.row + ROW[d], cell.col + COL[d]}};
    bool is_edge = is_free(s, edge.to.row, edge.to.col) && dl_rng_below(&s->rng, 2);
    if (is_edge) one = &s->shut[cell.row][cell.col][d];
    *one = closes;
    assert_int_equal((closes ? difflns_fleet_block : difflns_fleet_unblock)(s->fleet, &cell, is_edge ? 0 : 1, &edge,
                                                                            is_edge ? 1 : 0, NULL),
                     DIFFLNS_OK);
    if (dl_rng_below(&s->rng, 3)) return;
    s->hold[robot] = difflns_fleet_now(s->fleet) + (int64_t)dl_rng_below(&s->rng, 100);
    assert_int_equal(difflns_fleet_hold(s->fleet, robot, s->hold[robot], NULL), DIFFLNS_OK);
}

/* One tick: nobody enters what is closed, and nobody who is held moves. */
static void drive(site *s)
{
    difflns_cell at[MOST];
    assert_int_equal(difflns_fleet_plan(s->fleet, INFINITY, NULL), DIFFLNS_OK);
    for (int robot = 0; robot < s->robots; robot++) at[robot] = difflns_fleet_at(s->fleet, robot);
    int64_t now = difflns_fleet_now(s->fleet);
    assert_int_equal(difflns_fleet_tick(s->fleet, NULL), DIFFLNS_OK);
    for (int robot = 0; robot < s->robots; robot++) {
        difflns_cell to = difflns_fleet_at(s->fleet, robot), from = at[robot];
        if (to.row == from.row && to.col == from.col) continue;
        int d = 0;
        while (from.row + ROW[d] != to.row || from.col + COL[d] != to.col) d++;
        assert_true(s->hold[robot] <= now);
        assert_false(s->closed[to.row][to.col] || s->shut[from.row][from.col][d]);
    }
}

static void open_site(site *s, uint64_t seed)
{
    *s = (site){.rng = dl_rng_stream(seed, DL_PURPOSE('c', 'l', 'o', 's'), 0)};
    uint8_t blocked[SIDE * SIDE] = {0};
    for (int i = 0; i < SIDE * SIDE; i++) blocked[i] = dl_rng_below(&s->rng, 8) == 0;
    assert_int_equal(difflns_map_create(SIDE, SIDE, blocked, &s->map, NULL), DIFFLNS_OK);
    s->fleet = fleet_on(s->map);
    assert_int_equal(difflns_fleet_set_iterations(s->fleet, 50, NULL), DIFFLNS_OK);
    int robots = 2 + (int)dl_rng_below(&s->rng, MOST - 1);
    while (s->robots < robots) {
        difflns_cell cell = draw_cell(s);
        if (robot_on(s, cell.row, cell.col) < 0) s->robots = add(s->fleet, cell.row, cell.col) + 1;
    }
}

/* Robots that are not blocked, and yet have not arrived after so many ticks. */
static int left_over(site *s, int ticks)
{
    int left = 0;
    for (int tick = 0; tick < ticks; tick++) drive(s);
    for (int robot = 0; robot < s->robots; robot++)
        left += difflns_fleet_goals(s->fleet, robot) > 0 && !check_claim(s, robot);
    return left;
}

static void open_everything(site *s)
{
    for (int i = 0; i < SIDE * SIDE * 4; i++) {
        difflns_cell from = {i / 4 / SIDE, i / 4 % SIDE}, to = {from.row + ROW[i % 4], from.col + COL[i % 4]};
        const difflns_edge edge = {from, to};
        s->closed[from.row][from.col] = s->shut[from.row][from.col][i % 4] = false;
        if (!is_free(s, from.row, from.col)) continue;
        size_t edges = is_free(s, to.row, to.col);
        assert_int_equal(difflns_fleet_unblock(s->fleet, &from, 1, &edge, edges, NULL), DIFFLNS_OK);
    }
}

/* Closures make pockets that robots can't change places in; such are few. */
static void anything_may_close(void **state)
{
    (void)state;
    int blocked = 0, arrived = 0, pocketed = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        site s;
        open_site(&s, seed);
        for (int round = 0; round < CHANGES; round++) {
            for (int robot = 0; robot < s.robots; robot++)
                if (difflns_fleet_goals(s.fleet, robot) == 0)
                    (void)!difflns_fleet_add_goal(s.fleet, robot, draw_cell(&s), NULL);
            for (int i = 0; i < 6; i++) change(&s);
            for (int tick = 0; tick < 30; tick++) {
                for (int robot = 0; robot < s.robots; robot++) blocked += check_claim(&s, robot);
                drive(&s);
            }
        }
        pocketed += left_over(&s, WAIT);
        open_everything(&s);
        assert_int_equal(left_over(&s, WAIT), 0);
        for (int robot = 0; robot < s.robots; robot++) arrived += (int)difflns_fleet_reached(s.fleet, robot);
        difflns_fleet_free(s.fleet);
        difflns_map_free(s.map);
    }
    assert_true(blocked > 500 && arrived > 500);
    assert_in_range(pocketed, 0, arrived / 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_broken_robot_in_an_aisle_is_passed_by_the_free_one),
        cmocka_unit_test(a_hold_costs_what_it_takes),
        cmocka_unit_test(of_two_doors_the_free_one_is_taken),
        cmocka_unit_test(what_is_in_the_way_is_named_at_once),
        cmocka_unit_test(a_closed_cell_is_left_and_not_entered),
        cmocka_unit_test(one_way_streets_are_driven_one_way),
        cmocka_unit_test(bad_closures_change_nothing),
        cmocka_unit_test(anything_may_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
