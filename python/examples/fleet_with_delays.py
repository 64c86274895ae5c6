"""A fleet that never stops: random goals, one robot in ten late at every step, replanned every tick."""
import difflns
import numpy as np

TICKS, DELAY = 100, 0.1
instance = difflns.generate("medium-warehouse", 120, seed=4)
rng = np.random.default_rng(0)
free = np.argwhere(~instance.grid)
fleet = difflns.Fleet(instance.grid, iterations=300)
for start, goal in zip(instance.starts.tolist(), instance.goals.tolist()):
    fleet.add(start, [goal])

held_up = 0
for _ in range(TICKS):
    fleet.plan(milliseconds=100)
    at = {robot: fleet.at(robot) for robot in fleet.robots}
    stays = {robot for robot in fleet.robots if fleet.next(robot) != at[robot] and rng.random() < DELAY}
    fleet.tick()
    for robot in stays:  # robots that were to follow into its cell wait, too: the fleet works that out
        fleet.observe(robot, at[robot])
    held_up += len(stays)
    for robot in fleet.robots:
        if fleet.at(robot) == fleet.goals(robot)[0]:
            fleet.add_goal(robot, tuple(free[rng.integers(len(free))].tolist()))
reached = sum(fleet.reached(robot) for robot in fleet.robots)
print(f"{reached} goals in {TICKS} ticks, {reached / TICKS:.2f} per tick; robots were late {held_up} times")
