// The same loop in C++: a robot breaks down, another joins, one is held at a charger.
#include <difflns.h>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

struct Freer {
    void operator()(difflns_map *map) const { difflns_map_free(map); }
    void operator()(difflns_fleet *fleet) const { difflns_fleet_free(fleet); }
};

static difflns_error error;

static void check(difflns_status status)
{
    if (status != DIFFLNS_OK) throw std::runtime_error(error.message);
}

static void drive(difflns_fleet *fleet, int ticks)
{
    for (int i = 0; i < ticks; i++) {
        check(difflns_fleet_plan(fleet, 20, &error));
        // Here every robot is sent to difflns_fleet_next(fleet, robot), as soon as difflns_fleet_after(fleet, robot) leaves.
        check(difflns_fleet_tick(fleet, &error));
    }
}

int main()
try {
    const int height = 8, width = 12;
    std::vector<uint8_t> blocked(height * width, 0);
    difflns_map *raw_map = nullptr;
    check(difflns_map_create(height, width, blocked.data(), &raw_map, &error));
    std::unique_ptr<difflns_map, Freer> map(raw_map);
    difflns_fleet *raw_fleet = nullptr;
    check(difflns_fleet_create(map.get(), &raw_fleet, &error));
    std::unique_ptr<difflns_fleet, Freer> fleet(raw_fleet);

    std::vector<int> robots(20);
    for (int i = 0; i < 20; i++) {
        check(difflns_fleet_add(fleet.get(), {i / 10, i % 10}, &robots[i], &error));
        check(difflns_fleet_add_goal(fleet.get(), robots[i], {height - 1 - i / 10, width - 1 - i % 10}, &error));
        check(difflns_fleet_add_goal(fleet.get(), robots[i], {i / 10, i % 10}, &error)); // and home again
    }
    check(difflns_fleet_hold(fleet.get(), robots[3], 12, &error)); // charging until tick 12
    drive(fleet.get(), 5);
    check(difflns_fleet_remove(fleet.get(), robots[7], &error)); // broken and carried away
    int extra = -1;
    check(difflns_fleet_add(fleet.get(), {height - 1, 0}, &extra, &error)); // one more takes its place
    check(difflns_fleet_add_goal(fleet.get(), extra, {0, width - 1}, &error));
    drive(fleet.get(), 95);

    int left = 0;
    for (int robot = 0; robot < 20; robot++) left += difflns_fleet_goals(fleet.get(), robot) > 0;
    std::cout << left << " robots still on their way after " << difflns_fleet_now(fleet.get()) << " ticks\n";
    return left == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const std::exception &failure) {
    std::cerr << failure.what() << '\n';
    return EXIT_FAILURE;
}
