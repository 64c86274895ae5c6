"""What type checkers must accept and, where marked, refuse: read by mypy, not run."""
from __future__ import annotations

import numpy as np

import difflns


def solves(grid: np.ndarray) -> int:
    plan = difflns.solve(grid, [(0, 0)], [(1, 1)], time_limit=2, init="pp", neighbors=8, on_interrupt="return")
    solver = difflns.Solver(seed=3, fallback=False, repair_time=0.5, stop="first")
    solver.set(threads=2)
    better = [found.soc for found in solver.improve(plan.instance)]
    event_kinds: list[str] = []
    again = solver.solve(plan.instance, start=plan, on_event=lambda event: event_kinds.append(event.kind))
    return again.soc + len(better) + int(plan.paths[0, 0, 1]) + plan.safe_time


def drives(world: difflns.Map) -> tuple[int, int]:
    fleet = difflns.Fleet(world, window=12, seed=1)
    robot = fleet.add((0, 0), [(1, 1), (2, 2)])
    fleet.plan(milliseconds=10)
    fleet.tick()
    return fleet.at(robot)


def refused(grid: np.ndarray) -> None:
    difflns.solve(grid, [(0, 0)], [(1, 1)], init="teleport")  # type: ignore[arg-type]
    difflns.Solver(threads="many")  # type: ignore[arg-type]
    difflns.Solver(swamp=1)  # type: ignore[call-arg]
    difflns.Fleet(grid).add("here")  # type: ignore[arg-type]
