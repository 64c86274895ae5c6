/* The public interface: fleets. */
#include <math.h>

#include "fleet/fleet.h"
#include "solver/api.h"

static const difflns_cell NOWHERE = {-1, -1};

difflns_status difflns_fleet_create(difflns_map *map, difflns_fleet **out, difflns_error *err)
{
    DL_REQUIRE_OUT(out);
    DL_REQUIRE(map);
    return dl_fleet_create(map, out, err);
}

void difflns_fleet_free(difflns_fleet *fleet)
{
    dl_fleet_free(fleet);
}

difflns_status difflns_fleet_set_window(difflns_fleet *fleet, int steps, difflns_error *err)
{
    DL_REQUIRE(fleet);
    if (steps < 0 || steps > DL_WINDOW_MOST)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "a window of %d steps: expected 0 to %d", steps, DL_WINDOW_MOST);
    return dl_fleet_set_window(fleet, steps, err);
}

difflns_status difflns_fleet_set_seed(difflns_fleet *fleet, uint64_t seed, difflns_error *err)
{
    DL_REQUIRE(fleet);
    fleet->seed = seed;
    return DIFFLNS_OK;
}

difflns_status difflns_fleet_set_iterations(difflns_fleet *fleet, int64_t iterations, difflns_error *err)
{
    DL_REQUIRE(fleet);
    if (iterations < -1)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%lld iterations: expected -1 or more", (long long)iterations);
    fleet->iterations = iterations;
    return DIFFLNS_OK;
}

/* ---- Robots and goals ---- */

difflns_status difflns_fleet_add(difflns_fleet *fleet, difflns_cell at, int *robot, difflns_error *err)
{
    DL_REQUIRE(fleet);
    DL_REQUIRE(robot);
    *robot = -1;
    return dl_fleet_add(fleet, at, robot, err);
}

difflns_status difflns_fleet_remove(difflns_fleet *fleet, int robot, difflns_error *err)
{
    DL_REQUIRE(fleet);
    return dl_fleet_remove(fleet, robot, err);
}

int difflns_fleet_robots(const difflns_fleet *fleet)
{
    return fleet ? fleet->window.robots : -1;
}

difflns_status difflns_fleet_add_goal(difflns_fleet *fleet, int robot, difflns_cell goal, difflns_error *err)
{
    DL_REQUIRE(fleet);
    return dl_fleet_add_goal(fleet, robot, goal, err);
}

difflns_status difflns_fleet_clear_goals(difflns_fleet *fleet, int robot, difflns_error *err)
{
    DL_REQUIRE(fleet);
    return dl_fleet_clear_goals(fleet, robot, err);
}

difflns_status difflns_fleet_hold(difflns_fleet *fleet, int robot, int64_t until, difflns_error *err)
{
    DL_REQUIRE(fleet);
    return dl_fleet_hold(fleet, robot, until, err);
}

int difflns_fleet_goals(const difflns_fleet *fleet, int robot)
{
    return fleet && dl_fleet_has(fleet, robot) ? fleet->robot[robot].goals : -1;
}

difflns_cell difflns_fleet_goal(const difflns_fleet *fleet, int robot, int index)
{
    if (!fleet || !dl_fleet_has(fleet, robot)) return NOWHERE;
    const dl_robot *r = &fleet->robot[robot];
    if (index < 0 || index >= r->goals) return NOWHERE;
    return dl_grid_position(fleet->grid, r->queue[r->first + index]);
}

int64_t difflns_fleet_reached(const difflns_fleet *fleet, int robot)
{
    return fleet && dl_fleet_has(fleet, robot) ? fleet->robot[robot].reached : -1;
}

int difflns_fleet_stuck(const difflns_fleet *fleet, int robot)
{
    return fleet && dl_fleet_has(fleet, robot) ? fleet->robot[robot].stuck : -1;
}

/* ---- Time ---- */

difflns_status difflns_fleet_observe(difflns_fleet *fleet, int robot, difflns_cell at, difflns_error *err)
{
    DL_REQUIRE(fleet);
    return dl_fleet_observe(fleet, robot, at, err);
}

difflns_status difflns_fleet_plan(difflns_fleet *fleet, double milliseconds, difflns_error *err)
{
    DL_REQUIRE(fleet);
    if (isnan(milliseconds) || milliseconds < 0)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%g milliseconds: expected 0 or more", milliseconds);
    dl_deadline deadline = dl_deadline_after(1e-3 * milliseconds, NULL);
    return dl_fleet_plan(fleet, &deadline, err);
}

difflns_status difflns_fleet_tick(difflns_fleet *fleet, difflns_error *err)
{
    DL_REQUIRE(fleet);
    dl_fleet_tick(fleet);
    return DIFFLNS_OK;
}

int64_t difflns_fleet_now(const difflns_fleet *fleet)
{
    return fleet ? fleet->now : -1;
}

difflns_cell difflns_fleet_ahead(const difflns_fleet *fleet, int robot, int steps)
{
    if (!fleet || !dl_fleet_has(fleet, robot) || steps < 0) return NOWHERE;
    return dl_grid_position(fleet->grid, dl_fleet_ahead(fleet, robot, steps));
}

difflns_cell difflns_fleet_at(const difflns_fleet *fleet, int robot)
{
    if (!fleet || !dl_fleet_has(fleet, robot)) return NOWHERE;
    return dl_grid_position(fleet->grid, fleet->robot[robot].at);
}

difflns_cell difflns_fleet_next(const difflns_fleet *fleet, int robot)
{
    return difflns_fleet_ahead(fleet, robot, 1);
}

int difflns_fleet_after(const difflns_fleet *fleet, int robot)
{
    if (!fleet || !dl_fleet_has(fleet, robot)) return -1;
    int other = fleet->on[dl_fleet_ahead(fleet, robot, 1)];
    return other == DL_NO_ROBOT || other == robot ? -1 : other;
}
