"""The fleet from Python."""
import threading

import numpy as np
import pytest

import difflns


def fleet_of(agents, number, **options):
    instance = difflns.generate("medium-warehouse", agents, number)
    fleet = difflns.Fleet(instance.grid, **options)
    for start, goal in zip(instance.starts.tolist(), instance.goals.tolist()):
        fleet.add(start, [goal])
    return fleet, instance


def drive(fleet, instance, ticks, rng, delay=0.0):
    free = np.argwhere(~instance.grid)
    for _ in range(ticks):
        fleet.plan(1000)
        at = [fleet.at(robot) for robot in fleet.robots]
        to = [fleet.next(robot) for robot in fleet.robots]
        assert len(set(to)) == len(to)
        moves = {a: b for a, b in zip(at, to) if a != b}
        assert all(moves.get(b) != a for a, b in moves.items())
        fleet.tick()
        late = [r for r in fleet.robots if to[r] != at[r] and rng.random() < delay]
        if late:  # one that is late holds up those that follow; the fleet knows
            fleet.observe(late[0], at[late[0]])
        for robot in fleet.robots:
            if len(fleet.goals(robot)) == 1 and fleet.at(robot) == fleet.goals(robot)[0]:
                fleet.add_goal(robot, tuple(free[rng.integers(len(free))].tolist()))


def test_robots_reach_goals_without_collisions():
    fleet, instance = fleet_of(60, 2, iterations=200)
    drive(fleet, instance, 60, np.random.default_rng(1))
    assert sum(fleet.reached(robot) for robot in fleet.robots) > 60
    assert fleet.now == 60 and fleet.positions.shape == (60, 2)


def test_a_robot_that_cannot_pass_is_called_stuck_in_time():
    fleet = difflns.Fleet(np.zeros((1, 4), bool), iterations=10)
    here, there = fleet.add((0, 0), [(0, 3)]), fleet.add((0, 3), [(0, 0)])
    assert not fleet.stuck(here)
    for _ in range(200):  # more than 64 ticks and 8 for each robot
        fleet.plan(1000)
        fleet.tick()
    assert fleet.stuck(here) and fleet.stuck(there)
    fleet.remove(there)
    for _ in range(5):
        fleet.plan(1000)
        fleet.tick()
    assert fleet.at(here) == (0, 3) and not fleet.stuck(here)
    with pytest.raises(ValueError):
        fleet.stuck(7)


def test_the_same_seed_and_iterations_give_the_same_run():
    runs = []
    for _ in range(2):
        fleet, instance = fleet_of(40, 3, iterations=100, seed=5)
        drive(fleet, instance, 25, np.random.default_rng(4), delay=0.1)
        runs.append(fleet.positions.tolist())
    assert runs[0] == runs[1]


def test_what_cannot_be_is_refused_and_changes_nothing():
    grid = np.array([[0, 0, 1, 0]], dtype=bool)
    fleet = difflns.Fleet(grid)
    robot = fleet.add((0, 0))
    for wrong in (lambda: fleet.add((0, 2)), lambda: fleet.add((0, 0)), lambda: fleet.add((0, 1), [(0, 3)]),
                  lambda: fleet.add_goal(robot, (0, 3)), lambda: fleet.observe(robot, (0, 2)),
                  lambda: fleet.add_goal(7, (0, 1)), lambda: fleet.next(7), lambda: fleet.goals(7)):
        with pytest.raises(ValueError):
            wrong()
    assert fleet.robots == [robot] and fleet.goals(robot) == [] and fleet.at(robot) == (0, 0)


def test_all_moves_at_once_are_those_of_each():
    fleet, _ = fleet_of(30, 5, iterations=50)
    fleet.remove(3)
    fleet.plan(1000)
    moves = fleet.moves
    assert moves["robot"].tolist() == sorted(fleet.robots) and fleet.window > 0
    for robot, at, to in moves:
        assert tuple(at) == fleet.at(robot) and tuple(to) == fleet.next(robot)
    fleet.add(tuple(np.argwhere(~fleet._map.grid)[-1].tolist()))
    assert fleet.positions.tolist() == [list(fleet.at(robot)) for robot in fleet.robots]
    assert difflns.Fleet(np.zeros((2, 2), bool)).positions.shape == (0, 2)


@pytest.mark.parametrize("number", [2**32, 2**32 + 1, -2**32, 2**70, -2**70])
def test_whole_numbers_that_do_not_fit_are_refused(number):
    fleet = difflns.Fleet(np.zeros((3, 5), bool))
    robot = fleet.add((0, 0))
    for wrong in (lambda: fleet.add((number, 1)), lambda: fleet.add((1, number)), lambda: fleet.add((1, 1), [(number, 0)]),
                  lambda: fleet.add_goal(number, (1, 1)), lambda: fleet.add_goal(robot, (1, number)),
                  lambda: fleet.at(number), lambda: fleet.next(number), lambda: fleet.goals(number),
                  lambda: fleet.reached(number), lambda: fleet.stuck(number), lambda: fleet.after(number),
                  lambda: fleet.remove(number), lambda: fleet.clear_goals(number), lambda: fleet.hold(number, 1),
                  lambda: fleet.hold(robot, -abs(number)), lambda: fleet.hold(robot, number << 40),
                  lambda: fleet.observe(number, (1, 1)), lambda: fleet.observe(robot, (number, 1)),
                  lambda: difflns.Fleet(fleet._map, window=number), lambda: difflns.Fleet(fleet._map, seed=number << 40),
                  lambda: difflns.Fleet(fleet._map, iterations=number << 40)):
        with pytest.raises(ValueError):
            wrong()
    assert fleet.robots == [robot] and fleet.at(robot) == (0, 0) and fleet.goals(robot) == []


def test_cells_have_two_numbers():
    fleet = difflns.Fleet(np.zeros((3, 5), bool))
    for wrong in ((1,), (1, 2, 3), 1):
        with pytest.raises(ValueError, match=r"expected \(row, col\)"):
            fleet.add(wrong)
    with pytest.raises(TypeError):
        fleet.add((1.5, 0))
    assert fleet.robots == []


def test_threads_take_turns_with_one_fleet():
    """One thread drives while another adds and removes: what crashed without a lock."""
    fleet, instance = fleet_of(20, 4, iterations=20)
    spare = [tuple(cell) for cell in np.argwhere(~instance.grid).tolist()][::7]
    over = threading.Event()
    failed = []

    def drive_on():
        try:
            while not over.is_set():
                fleet.plan(2)
                fleet.tick()
        except BaseException as error:
            failed.append(error)

    driver = threading.Thread(target=drive_on)
    driver.start()
    for turn in range(150):
        try:
            robot = fleet.add(spare[turn % len(spare)], [spare[(turn * 5 + 1) % len(spare)]])
        except ValueError:
            continue  # somebody is there
        assert fleet.at(robot) and len(fleet.positions) == 21
        fleet.remove(robot)
    over.set()
    driver.join()
    assert not failed and len(fleet.robots) == 20


def test_closed_cells_and_edges_are_not_entered_and_named():
    fleet = difflns.Fleet(np.zeros((3, 3), bool), iterations=10)
    robot, broken = fleet.add((0, 0), [(2, 2)]), fleet.add((1, 1))
    fleet.hold(broken, 1000)
    fleet.block(cells=[(0, 2)])
    assert fleet.blocked(robot) == []
    fleet.block(edges=[((1, 0), (2, 0))])
    assert fleet.blocked(robot) in ([((0, 1), (0, 2), -1)], [((1, 0), (2, 0), -1)], [((0, 1), (1, 1), broken)],
                                    [((1, 0), (1, 1), broken)])
    for _ in range(5):
        fleet.plan(1000)
        assert fleet.next(robot) in [(0, 0), (0, 1), (1, 0)]
        fleet.tick()
    fleet.unblock(cells=[(0, 2)], edges=[((1, 0), (2, 0))])
    for _ in range(8):
        fleet.plan(1000)
        fleet.tick()
    assert fleet.at(robot) == (2, 2)
    with pytest.raises(ValueError, match="neighbors"):
        fleet.block(edges=[((0, 0), (2, 2))])
    with pytest.raises(ValueError, match="expected"):
        fleet.block(edges=[(0, 0)])
    with pytest.raises(ValueError, match="no such robot"):
        fleet.blocked(9)
