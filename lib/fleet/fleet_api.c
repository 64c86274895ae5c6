/* The public interface: fleets. Each call has the fleet for itself; one that comes meanwhile is refused. */
#include <assert.h>
#include <math.h>

#include "fleet/fleet.h"
#include "solver/api.h"

static const difflns_cell NOWHERE = {-1, -1};

/* Refuses NULL, and a second call while one is at work; else the fleet is the caller's until it calls leave. */
#define ENTER(fleet)                                                                                                   \
    do {                                                                                                               \
        DL_REQUIRE(fleet);                                                                                             \
        DL_BUSY_ENTER(&(fleet)->busy, "fleet");                                                                        \
    } while (0)

static difflns_status leave(difflns_fleet *fleet, difflns_status status)
{
    return dl_busy_left(&fleet->busy, status);
}

/* For questions, which have no status to refuse with. A fleet is never a constant object. */
static bool may_ask(const difflns_fleet *fleet)
{
    return fleet && dl_busy_enter(&((difflns_fleet *)fleet)->busy);
}

static void asked(const difflns_fleet *fleet)
{
    dl_busy_leave(&((difflns_fleet *)fleet)->busy);
}

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
    ENTER(fleet);
    if (steps >= 0 && steps <= DL_WINDOW_MOST) return leave(fleet, dl_fleet_set_window(fleet, steps, err));
    return leave(fleet,
                 dl_fail(err, DIFFLNS_BAD_INPUT, "a window of %d steps: expected 0 to %d", steps, DL_WINDOW_MOST));
}

difflns_status difflns_fleet_set_seed(difflns_fleet *fleet, uint64_t seed, difflns_error *err)
{
    ENTER(fleet);
    fleet->seed = seed;
    return leave(fleet, DIFFLNS_OK);
}

difflns_status difflns_fleet_set_iterations(difflns_fleet *fleet, int64_t iterations, difflns_error *err)
{
    if (fleet && iterations < DL_FLEET_SETTLED)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%lld iterations: expected -1 or more", (long long)iterations);
    ENTER(fleet);
    fleet->iterations = iterations;
    return leave(fleet, DIFFLNS_OK);
}

difflns_status difflns_fleet_set_guidance(difflns_fleet *fleet, const char *guidance, difflns_error *err)
{
    DL_REQUIRE(guidance);
    ENTER(fleet);
    return leave(fleet, dl_fleet_set_guidance(fleet, guidance, err));
}

/* ---- Robots and goals ---- */

difflns_status difflns_fleet_add(difflns_fleet *fleet, difflns_cell at, int *robot, difflns_error *err)
{
    DL_REQUIRE(robot);
    *robot = -1;
    ENTER(fleet);
    return leave(fleet, dl_fleet_add(fleet, at, robot, err));
}

difflns_status difflns_fleet_remove(difflns_fleet *fleet, int robot, difflns_error *err)
{
    ENTER(fleet);
    return leave(fleet, dl_fleet_remove(fleet, robot, err));
}

int difflns_fleet_robots(const difflns_fleet *fleet)
{
    if (!may_ask(fleet)) return -1;
    int robots = fleet->window.robots;
    asked(fleet);
    return robots;
}

difflns_status difflns_fleet_add_goal(difflns_fleet *fleet, int robot, difflns_cell goal, difflns_error *err)
{
    ENTER(fleet);
    return leave(fleet, dl_fleet_add_goal(fleet, robot, goal, err));
}

difflns_status difflns_fleet_clear_goals(difflns_fleet *fleet, int robot, difflns_error *err)
{
    ENTER(fleet);
    return leave(fleet, dl_fleet_clear_goals(fleet, robot, err));
}

difflns_status difflns_fleet_hold(difflns_fleet *fleet, int robot, int64_t until, difflns_error *err)
{
    ENTER(fleet);
    return leave(fleet, dl_fleet_hold(fleet, robot, until, err));
}

/* Lists that are NULL are empty. */
static difflns_status block(difflns_fleet *fleet, const dl_block_list *list, bool closed, difflns_error *err)
{
    ENTER(fleet);
    if ((list->cells > 0 && !list->cell) || (list->edges > 0 && !list->edge))
        return leave(fleet, dl_fail(err, DIFFLNS_BAD_INPUT, "cells or edges are NULL: expected as many as counted"));
    return leave(fleet, dl_fleet_block(fleet, list, closed, err));
}

difflns_status difflns_fleet_block(difflns_fleet *fleet, const difflns_cell *cells, size_t cell_count,
                                   const difflns_edge *edges, size_t edge_count, difflns_error *err)
{
    return block(fleet, &(dl_block_list){cells, cell_count, edges, edge_count}, true, err);
}

difflns_status difflns_fleet_unblock(difflns_fleet *fleet, const difflns_cell *cells, size_t cell_count,
                                     const difflns_edge *edges, size_t edge_count, difflns_error *err)
{
    return block(fleet, &(dl_block_list){cells, cell_count, edges, edge_count}, false, err);
}

int difflns_fleet_blocked(const difflns_fleet *fleet, int robot, difflns_fleet_obstacle *obstacles, size_t room)
{
    if (!may_ask(fleet)) return -1;
    int count = -1;
    if (dl_fleet_has(fleet, robot)) count = dl_fleet_blocked((difflns_fleet *)fleet, robot, obstacles, room);
    asked(fleet);
    return count;
}

int difflns_fleet_goals(const difflns_fleet *fleet, int robot)
{
    if (!may_ask(fleet)) return -1;
    int goals = dl_fleet_has(fleet, robot) ? fleet->robot[robot].goals : -1;
    asked(fleet);
    return goals;
}

difflns_cell difflns_fleet_goal(const difflns_fleet *fleet, int robot, int index)
{
    if (!may_ask(fleet)) return NOWHERE;
    difflns_cell goal = NOWHERE;
    const dl_robot *r = dl_fleet_has(fleet, robot) ? &fleet->robot[robot] : NULL;
    if (r && index >= 0 && index < r->goals) goal = dl_grid_position(fleet->grid, r->queue[r->first + index]);
    asked(fleet);
    return goal;
}

int64_t difflns_fleet_reached(const difflns_fleet *fleet, int robot)
{
    if (!may_ask(fleet)) return -1;
    int64_t reached = dl_fleet_has(fleet, robot) ? fleet->robot[robot].reached : -1;
    asked(fleet);
    return reached;
}

int difflns_fleet_stuck(const difflns_fleet *fleet, int robot)
{
    if (!may_ask(fleet)) return -1;
    int stuck = dl_fleet_has(fleet, robot) ? fleet->robot[robot].stuck : -1;
    asked(fleet);
    return stuck;
}

/* ---- Time ---- */

difflns_status difflns_fleet_observe(difflns_fleet *fleet, int robot, difflns_cell at, difflns_error *err)
{
    ENTER(fleet);
    return leave(fleet, dl_fleet_observe(fleet, robot, at, err));
}

difflns_status difflns_fleet_plan(difflns_fleet *fleet, double milliseconds, difflns_error *err)
{
    if (fleet && (isnan(milliseconds) || milliseconds < 0))
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%g milliseconds: expected 0 or more", milliseconds);
    ENTER(fleet);
    dl_deadline deadline = dl_deadline_after(1e-3 * milliseconds, NULL);
    return leave(fleet, dl_fleet_plan(fleet, &deadline, err));
}

difflns_status difflns_fleet_tick(difflns_fleet *fleet, difflns_error *err)
{
    ENTER(fleet);
    dl_fleet_tick(fleet);
    return leave(fleet, DIFFLNS_OK);
}

int64_t difflns_fleet_now(const difflns_fleet *fleet)
{
    if (!may_ask(fleet)) return -1;
    int64_t now = fleet->now;
    asked(fleet);
    return now;
}

difflns_cell difflns_fleet_ahead(const difflns_fleet *fleet, int robot, int steps)
{
    if (steps < 0 || !may_ask(fleet)) return NOWHERE;
    difflns_cell cell = NOWHERE;
    if (dl_fleet_has(fleet, robot)) cell = dl_grid_position(fleet->grid, dl_fleet_ahead(fleet, robot, steps));
    asked(fleet);
    return cell;
}

difflns_cell difflns_fleet_at(const difflns_fleet *fleet, int robot)
{
    if (!may_ask(fleet)) return NOWHERE;
    difflns_cell at = dl_fleet_has(fleet, robot) ? dl_grid_position(fleet->grid, fleet->robot[robot].at) : NOWHERE;
    asked(fleet);
    return at;
}

difflns_cell difflns_fleet_next(const difflns_fleet *fleet, int robot)
{
    return difflns_fleet_ahead(fleet, robot, 1);
}

int difflns_fleet_after(const difflns_fleet *fleet, int robot)
{
    if (!may_ask(fleet)) return -1;
    int other = dl_fleet_has(fleet, robot) ? fleet->on[dl_fleet_ahead(fleet, robot, 1)] : DL_NO_ROBOT;
    asked(fleet);
    return other == DL_NO_ROBOT || other == robot ? -1 : other;
}

int difflns_fleet_window(const difflns_fleet *fleet)
{
    if (!may_ask(fleet)) return -1;
    int steps = fleet->window.steps;
    asked(fleet);
    return steps;
}

int difflns_fleet_moves(const difflns_fleet *fleet, difflns_fleet_move *moves, size_t room)
{
    if (!may_ask(fleet)) return -1;
    size_t count = 0;
    for (int robot = 0; robot < fleet->room; robot++) {
        if (!dl_fleet_has(fleet, robot)) continue;
        if (moves && count < room)
            moves[count] = (difflns_fleet_move){.robot = robot,
                                                .at = dl_grid_position(fleet->grid, fleet->robot[robot].at),
                                                .next = dl_grid_position(fleet->grid, dl_fleet_ahead(fleet, robot, 1))};
        count++;
    }
    assert(count == (size_t)fleet->window.robots);
    asked(fleet);
    return (int)count;
}
