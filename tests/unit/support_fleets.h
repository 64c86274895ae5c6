/* Small fleets for tests, drawn and driven through the public interface. */
#ifndef TESTS_SUPPORT_FLEETS_H
#define TESTS_SUPPORT_FLEETS_H

#include "mapf/grid.h"
#include "support.h"

static inline difflns_map *map_of(const char *rows)
{
    dl_grid *grid = test_grid(rows);
    difflns_map *map;
    assert_int_equal(difflns_map_create(grid->height, grid->width, grid->blocked, &map, NULL), DIFFLNS_OK);
    dl_grid_free(grid);
    return map;
}

static inline difflns_fleet *fleet_on(difflns_map *map)
{
    difflns_fleet *fleet;
    assert_int_equal(difflns_fleet_create(map, &fleet, NULL), DIFFLNS_OK);
    return fleet;
}

static inline int add(difflns_fleet *fleet, int row, int col)
{
    int robot;
    assert_int_equal(difflns_fleet_add(fleet, (difflns_cell){row, col}, &robot, NULL), DIFFLNS_OK);
    return robot;
}

static inline void send(difflns_fleet *fleet, int robot, int row, int col)
{
    assert_int_equal(difflns_fleet_add_goal(fleet, robot, (difflns_cell){row, col}, NULL), DIFFLNS_OK);
}

#endif
