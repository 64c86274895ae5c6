/* A controller's loop: a fleet on a warehouse floor, robots that are late, goals that arrive while others drive. */
#include <difflns.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 11, ROBOTS = 24, TICKS = 300 };

static int fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    return EXIT_FAILURE;
}

static difflns_cell random_aisle(void)
{
    return (difflns_cell){rand() % (SIDE / 2 + 1) * 2, rand() % SIDE}; /* every second row is an aisle */
}

int main(void)
{
    uint8_t blocked[SIDE * SIDE] = {0};
    for (int row = 1; row < SIDE; row += 2)
        for (int col = 1; col < SIDE - 1; col++) blocked[row * SIDE + col] = col % 3 != 0; /* shelves */
    difflns_error err;
    difflns_map *map;
    difflns_fleet *fleet;
    if (difflns_map_create(SIDE, SIDE, blocked, &map, &err)) return fail(err.message);
    if (difflns_fleet_create(map, &fleet, &err)) return fail(err.message);
    for (int i = 0; i < ROBOTS; i++) {
        int robot;
        if (difflns_fleet_add(fleet, (difflns_cell){i / SIDE * 2, i % SIDE}, &robot, &err)) return fail(err.message);
    }
    int64_t reached = 0;
    for (int tick = 0; tick < TICKS; tick++) {
        for (int robot = 0; robot < ROBOTS; robot++) /* orders come in */
            if (difflns_fleet_goals(fleet, robot) < 2 && difflns_fleet_add_goal(fleet, robot, random_aisle(), &err))
                return fail(err.message);
        if (difflns_fleet_plan(fleet, 10, &err)) return fail(err.message);
        difflns_cell was[ROBOTS];
        for (int robot = 0; robot < ROBOTS; robot++)
            was[robot] = difflns_fleet_at(fleet, robot); /* and send it to difflns_fleet_next(fleet, robot) */
        if (difflns_fleet_tick(fleet, &err)) return fail(err.message);
        int late = rand() % ROBOTS; /* one did not get away; who was to follow it is late, too */
        if (difflns_fleet_observe(fleet, late, was[late], &err)) return fail(err.message);
    }
    for (int robot = 0; robot < ROBOTS; robot++) reached += difflns_fleet_reached(fleet, robot);
    printf("%lld goals reached in %d ticks\n", (long long)reached, TICKS);
    difflns_fleet_free(fleet);
    difflns_map_free(map);
    return reached > TICKS ? EXIT_SUCCESS : fail("the fleet got stuck");
}
