/* Costs of edges: distances with them against a search of another kind, and fleets that drive by them. */
#include <math.h>

#include "fleet/fleet.h"
#include "fleet/guidance_file.h"
#include "mapf/map.h"
#include "support.h"

static dl_edge_costs *random_costs(dl_rng *rng, const dl_grid *grid, int most, double never)
{
    dl_edge_costs *costs = dl_edge_costs_create(grid);
    assert_non_null(costs);
    for (dl_cell cell = 0; cell < grid->cells; cell++)
        for (int d = 0; d < DL_DIRECTIONS; d++)
            costs->extra[cell][d] =
                dl_rng_unit(rng) < never ? DL_COST_NEVER : (uint8_t)dl_rng_below(rng, (uint32_t)most + 1);
    return costs;
}

/* Bellman and Ford: relaxes every edge until nothing gets shorter. */
static void bellman_ford(const dl_grid *grid, const dl_edge_costs *costs, dl_cell goal, int *far)
{
    for (dl_cell cell = 0; cell < grid->cells; cell++) far[cell] = cell == goal ? 0 : DL_UNREACHABLE;
    for (bool changed = true; changed;) {
        changed = false;
        for (dl_cell cell = 0; cell < grid->cells; cell++)
            for (int d = 0; d < DL_DIRECTIONS; d++) {
                dl_cell to = grid->neighbor[cell][d];
                if (to == DL_NO_CELL || costs->extra[cell][d] == DL_COST_NEVER || far[to] == DL_UNREACHABLE) continue;
                int cost = far[to] + DL_STEP_UNITS + costs->extra[cell][d];
                if (cost >= far[cell]) continue;
                far[cell] = cost;
                changed = true;
            }
    }
}

static void fields_with_costs_equal_bellman_ford(void **state)
{
    (void)state;
    static const int MOST[] = {0, 3, DL_COST_MOST};
    for (uint64_t seed = 0; seed < 200; seed++) {
        dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('t', 'e', 'd', 'g'), 0);
        int height = 1 + (int)dl_rng_below(&rng, 12), width = 1 + (int)dl_rng_below(&rng, 12);
        dl_instance *instance = test_random_instance(&rng, height, width, 0.3, 1);
        if (!instance) continue;
        const dl_grid *grid = instance->grid;
        dl_edge_costs *costs = random_costs(&rng, grid, MOST[seed % 3], seed % 2 ? 0.2 : 0);
        int *far = DL_ARRAY(int, grid->cells);
        dl_field field = {0};
        dl_cell goal = instance->goal[0];
        bellman_ford(grid, costs, goal, far);
        assert_true(dl_field_fill_with_costs(&field, grid, costs, goal, NULL));
        for (dl_cell cell = 0; cell < grid->cells; cell++)
            if (dl_field_at(&field, cell) != far[cell])
                fail_msg("seed %llu: from %d to %d", (unsigned long long)seed, cell, goal);
        dl_field_free(&field);
        dl_edge_costs_free(costs);
        free(far);
        dl_instance_free(instance);
    }
}

/* A corridor so long and dear that 16 bits do not hold its distances. */
static void far_fields_are_wide(void **state)
{
    (void)state;
    enum { LENGTH = 400 };
    uint8_t blocked[LENGTH] = {0};
    dl_grid *grid;
    dl_field field = {0};
    assert_int_equal(dl_grid_create(1, LENGTH, blocked, &grid, NULL), DIFFLNS_OK);
    dl_edge_costs *costs = dl_edge_costs_create(grid);
    for (dl_cell cell = 0; cell < LENGTH; cell++) costs->extra[cell][DL_LEFT - 1] = DL_COST_MOST;
    assert_true(dl_field_fill_with_costs(&field, grid, costs, 0, NULL));
    assert_int_equal(dl_field_at(&field, LENGTH - 1), (LENGTH - 1) * (DL_STEP_UNITS + DL_COST_MOST));
    assert_true(dl_field_fill_with_costs(&field, grid, costs, LENGTH - 1, NULL)); /* in the same memory, narrow again */
    assert_int_equal(dl_field_at(&field, 0), (LENGTH - 1) * DL_STEP_UNITS);
    dl_field_free(&field);
    dl_edge_costs_free(costs);
    dl_grid_free(grid);
}

/* Maps under different costs keep their own fields, and the grid lives as long as one of them. */
static void a_map_knows_the_costs_of_its_fields(void **state)
{
    (void)state;
    dl_map *map = dl_map_create(test_grid("..../.@@./...."));
    const dl_grid *grid = dl_map_grid(map);
    dl_edge_costs *costs = dl_edge_costs_create(grid);
    costs->extra[0][DL_RIGHT - 1] = 40;
    dl_map *under = dl_map_under(map, costs);
    assert_non_null(under);
    assert_ptr_equal(dl_map_costs(under), costs);
    assert_null(dl_map_costs(map));
    const dl_field *plain = dl_map_acquire(map, 3, NULL), *costly = dl_map_acquire(under, 3, NULL);
    assert_int_equal(dl_field_at(plain, 0), 3);
    assert_int_equal(dl_field_at(costly, 0), 7 * DL_STEP_UNITS); /* round the block */
    dl_map_release(map, 3);
    dl_edge_costs_free(costs);
    dl_map_free(map);
    dl_map_release(under, 3);
    dl_map_free(under);
}

/* ---- Lanes ---- */

/* From everywhere to everywhere, and steps that all ways must take cost nothing extra. */
static void lanes_cut_nobody_off(void **state)
{
    (void)state;
    static const char *const FAMILY[] = {"small-random", "medium-maze", "medium-room", "medium-warehouse"};
    for (int i = 0; i < 4; i++) {
        dl_instance *instance = test_preset_instance(FAMILY[i], 5, 11);
        const dl_grid *grid = instance->grid;
        const dl_lanes lanes = {1, 1, 16};
        dl_edge_costs *costs = dl_lanes_lay(grid, &lanes);
        dl_field with = {0}, without = {0};
        assert_true(dl_field_fill(&without, grid, instance->goal[0], NULL));
        assert_true(dl_field_fill_with_costs(&with, grid, costs, instance->goal[0], NULL));
        for (dl_cell cell = 0; cell < grid->cells; cell++) {
            int steps = dl_field_at(&without, cell), cost = dl_field_at(&with, cell);
            assert_int_equal(steps == DL_UNREACHABLE, cost == DL_UNREACHABLE);
            if (steps != DL_UNREACHABLE) assert_in_range(cost, DL_STEP_UNITS * steps, (DL_STEP_UNITS + 16) * steps);
        }
        dl_field_free(&with);
        dl_field_free(&without);
        dl_edge_costs_free(costs);
        dl_instance_free(instance);
    }
    dl_grid *corridor = test_grid("......");
    dl_edge_costs *none = dl_lanes_lay(corridor, &(dl_lanes){1, 1, 16});
    for (dl_cell cell = 0; cell < corridor->cells; cell++)
        for (int d = 0; d < DL_DIRECTIONS; d++) assert_int_equal(none->extra[cell][d], 0);
    dl_edge_costs_free(none);
    dl_grid_free(corridor);
}

/* ---- Fleets ---- */

typedef struct world {
    dl_instance *instance;
    dl_fleet *fleet;
    int robots;
} world;

static world begin(const char *family, int robots, uint64_t seed)
{
    world w = {.instance = test_preset_instance(family, robots, seed), .robots = robots};
    const dl_grid *grid = w.instance->grid;
    assert_int_equal(dl_fleet_create(w.instance->map, &w.fleet, NULL), DIFFLNS_OK);
    w.fleet->iterations = 30;
    for (int i = 0; i < robots; i++) {
        int robot;
        assert_int_equal(dl_fleet_add(w.fleet, dl_grid_position(grid, w.instance->start[i]), &robot, NULL), DIFFLNS_OK);
        assert_int_equal(dl_fleet_add_goal(w.fleet, robot, dl_grid_position(grid, w.instance->goal[i]), NULL),
                         DIFFLNS_OK);
    }
    return w;
}

static void end(world *w)
{
    dl_fleet_free(w->fleet);
    dl_instance_free(w->instance);
}

static void step(world *w)
{
    const dl_deadline never = dl_no_deadline();
    assert_int_equal(dl_fleet_plan(w->fleet, &never, NULL), DIFFLNS_OK);
    dl_fleet_tick(w->fleet);
}

/* Whatever the costs, and though they change again and again, every robot reaches its goal. */
static void every_robot_arrives_whatever_the_costs(void **state)
{
    (void)state;
    static const char *const FAMILY[] = {"small-random", "medium-maze", "medium-warehouse"};
    for (int i = 0; i < 3; i++) {
        world w = begin(FAMILY[i], 40, 5);
        dl_rng rng = dl_rng_stream(3, DL_PURPOSE('t', 'e', 'd', 'g'), (uint64_t)i);
        int64_t reached = 0;
        for (int t = 0; t < 3000 && reached < w.robots; t++) {
            if (t % 25 == 0) {
                dl_edge_costs *costs = random_costs(&rng, w.instance->grid, 60, 0);
                assert_int_equal(dl_fleet_set_table(w.fleet, costs, NULL), DIFFLNS_OK);
                dl_edge_costs_free(costs);
            }
            step(&w);
            reached = 0;
            for (int robot = 0; robot < w.robots; robot++) reached += w.fleet->robot[robot].reached > 0;
        }
        assert_int_equal(reached, w.robots);
        end(&w);
    }
}

/* A closed edge is not used: the robot goes round, and where it is opened again straight on. */
static void closed_edges_are_gone_round(void **state)
{
    (void)state;
    dl_map *map = dl_map_create(test_grid("...../.@@@./....."));
    const dl_grid *grid = dl_map_grid(map);
    for (int closed = 0; closed < 2; closed++) {
        dl_fleet *fleet;
        int robot, ticks = 0;
        assert_int_equal(dl_fleet_create(map, &fleet, NULL), DIFFLNS_OK);
        dl_edge_costs *costs = dl_edge_costs_create(grid);
        if (closed) dl_edge_costs_close_cell(costs, grid, dl_grid_cell(grid, 0, 2));
        assert_int_equal(dl_fleet_set_table(fleet, costs, NULL), DIFFLNS_OK);
        dl_edge_costs_free(costs);
        assert_int_equal(dl_fleet_add(fleet, (difflns_cell){0, 0}, &robot, NULL), DIFFLNS_OK);
        assert_int_equal(dl_fleet_add_goal(fleet, robot, (difflns_cell){0, 4}, NULL), DIFFLNS_OK);
        world w = {.fleet = fleet};
        while (fleet->robot[robot].reached == 0 && ticks < 50) {
            step(&w);
            ticks++;
        }
        assert_int_equal(ticks, closed ? 9 : 5); /* the last plan sees that it is there */
        dl_fleet_free(fleet);
    }
    dl_map_free(map);
}

static void guidance_is_named_or_read_from_a_file(void **state)
{
    (void)state;
    world w = begin("medium-warehouse", 20, 3);
    dl_rng rng = dl_rng_stream(4, DL_PURPOSE('t', 'e', 'd', 'g'), 0);
    dl_edge_costs *costs = random_costs(&rng, w.instance->grid, DL_COST_MOST, 0.1), *back;
    const char *path = "test_edge_costs.guidance.json";
    assert_int_equal(dl_guidance_write(costs, w.instance->grid, path, NULL), DIFFLNS_OK);
    assert_int_equal(dl_guidance_read(path, w.instance->grid, &back, NULL), DIFFLNS_OK);
    for (dl_cell cell = 0; cell < w.instance->grid->cells; cell++)
        assert_memory_equal(back->extra[cell], costs->extra[cell], DL_DIRECTIONS);
    dl_edge_costs_free(back);
    static const char *const NAME[] = {"none", "traffic", "lanes", "auto", "test_edge_costs.guidance.json"};
    for (int i = 0; i < 5; i++) {
        assert_int_equal(difflns_fleet_set_guidance(w.fleet, NAME[i], NULL), DIFFLNS_OK);
        for (int t = 0; t < 30; t++) step(&w);
    }
    dl_error err;
    assert_int_equal(difflns_fleet_set_guidance(w.fleet, "no-such-file", &err), DIFFLNS_BAD_INPUT);
    dl_grid *other = test_grid("...");
    assert_int_equal(dl_guidance_read(path, other, &back, &err), DIFFLNS_BAD_INPUT);
    assert_string_equal(err.message, "test_edge_costs.guidance.json: \"up\": expected 1 rows, as many as the map has");
    dl_grid_free(other);
    dl_edge_costs_free(costs);
    remove(path);
    end(&w);
}

/* By itself a fleet in a dense warehouse finds rules that serve better than none. */
static int64_t drive_by(const char *guidance, uint64_t seed)
{
    world w = begin("medium-warehouse", 180, seed);
    dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('t', 'e', 'd', 'g'), 1);
    int64_t reached = 0;
    assert_int_equal(dl_fleet_set_guidance(w.fleet, guidance, NULL), DIFFLNS_OK);
    w.fleet->iterations = 100;
    for (int t = 0; t < 330; t++) {
        step(&w);
        for (int robot = 0; robot < w.robots; robot++) {
            if (w.fleet->robot[robot].goals > 0) continue;
            reached += t >= 200;
            dl_cell goal = (dl_cell)dl_rng_below(&rng, (uint32_t)w.instance->grid->cells);
            (void)!dl_fleet_add_goal(w.fleet, robot, dl_grid_position(w.instance->grid, goal), NULL);
        }
    }
    end(&w);
    return reached;
}

static void a_fleet_finds_its_guidance_by_itself(void **state)
{
    (void)state;
    int64_t none = drive_by("none", 8), found = drive_by("auto", 8);
    assert_true((double)found > 1.05 * (double)none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_with_costs_equal_bellman_ford),
        cmocka_unit_test(far_fields_are_wide),
        cmocka_unit_test(a_map_knows_the_costs_of_its_fields),
        cmocka_unit_test(lanes_cut_nobody_off),
        cmocka_unit_test(every_robot_arrives_whatever_the_costs),
        cmocka_unit_test(closed_edges_are_gone_round),
        cmocka_unit_test(guidance_is_named_or_read_from_a_file),
        cmocka_unit_test(a_fleet_finds_its_guidance_by_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
