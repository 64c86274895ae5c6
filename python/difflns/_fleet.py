"""A fleet in motion: robots, goals that keep coming, delays."""
from __future__ import annotations

import ctypes
import threading
from typing import Any, Iterable

import numpy as np

from . import _arrays
from ._native import Cell, Error, Obstacle, call, check, make
from ._world import Map


class Fleet:
    """Robots on a map, and the plan they are driving, mended tick by tick.

        fleet = Fleet(grid)
        robots = [fleet.add(cell, goals) for cell, goals in zip(cells, queues)]
        while working:
            fleet.plan(milliseconds=50)
            drive every robot to fleet.next(robot)
            fleet.tick()
            fleet.observe(robot, cell)         # for each robot that is not where it should be

    After every ``plan`` the next steps of all robots are free of collisions, however short the time was. ``grid`` is a
    Map or an (H, W) array, True = obstacle; cells are (row, col). ``window``: collisions are planned away so many steps
    ahead, 0 = what suits most maps. ``iterations`` instead of time makes runs repeatable: -1 = until it pays no more.
    ``guidance``: traffic rules, "auto", "none", "lanes", "traffic" or the name of a file with costs of steps.
    Calls from several threads wait for each other.
    """

    def __init__(self, grid: Any, *, window: int = 0, seed: int = 1, iterations: int = -1,
                 guidance: str = "auto") -> None:
        self._map = grid if isinstance(grid, Map) else Map(grid)
        self._lock = threading.RLock()
        self._handle = make("fleet_create", self._map._handle)
        self._robots: list[int] = []
        self._do("fleet_set_window", _arrays.integer("window", window))
        self._do("fleet_set_seed", _arrays.integer("seed", seed, _arrays.SEED))
        self._do("fleet_set_iterations", _arrays.integer("iterations", iterations, _arrays.INT64))
        self._do("fleet_set_guidance", guidance.encode())

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            call.fleet_free(self._handle)

    def _do(self, name: str, *arguments: Any) -> None:
        err = Error()
        with self._lock:
            check(getattr(call, name)(self._handle, *arguments, ctypes.byref(err)), err)

    def _ask(self, name: str, robot: int, *arguments: Any) -> Any:
        """What an accessor says of a robot."""
        number = _robot(robot)
        with self._lock:
            answer = getattr(call, name)(self._handle, number, *arguments)
        if (answer.row if isinstance(answer, Cell) else answer) < 0:
            raise ValueError(f"robot {robot}: there is no such robot")
        return (answer.row, answer.col) if isinstance(answer, Cell) else answer

    def add(self, at: tuple[int, int], goals: Iterable[tuple[int, int]] = ()) -> int:
        """One more robot; returns its number."""
        cell, queue = _arrays.cell("robot", at), [_arrays.cell("goal", goal) for goal in goals]
        robot, err = ctypes.c_int(), Error()
        with self._lock:
            check(call.fleet_add(self._handle, cell, ctypes.byref(robot), ctypes.byref(err)), err)
            try:
                for goal in queue:
                    self._do("fleet_add_goal", robot.value, goal)
            except BaseException:
                self._do("fleet_remove", robot.value)
                raise
            self._robots.append(robot.value)
        return robot.value

    def remove(self, robot: int) -> None:
        with self._lock:
            self._do("fleet_remove", _robot(robot))
            self._robots.remove(robot)

    @property
    def robots(self) -> list[int]:
        """The numbers of all robots, in the order they were added."""
        with self._lock:
            return list(self._robots)

    def add_goal(self, robot: int, goal: tuple[int, int]) -> None:
        """Appends to the robot's queue. Several robots may have the same goal."""
        self._do("fleet_add_goal", _robot(robot), _arrays.cell("goal", goal))

    def clear_goals(self, robot: int) -> None:
        self._do("fleet_clear_goals", _robot(robot))

    def goals(self, robot: int) -> list[tuple[int, int]]:
        """The robot's queue; the first is where it is going."""
        with self._lock:
            return [self._ask("fleet_goal", robot, i) for i in range(self._ask("fleet_goals", robot))]

    def reached(self, robot: int) -> int:
        """Goals it has reached since it was added."""
        return self._ask("fleet_reached", robot)

    def stuck(self, robot: int) -> bool:
        """Whether it can't reach its goal wherever the others go; known once it has been on its way for long."""
        return bool(self._ask("fleet_stuck", robot))

    def hold(self, robot: int, until: int) -> None:
        """The robot does not move before the tick ``until``."""
        self._do("fleet_hold", _robot(robot), _arrays.integer("tick", until, _arrays.TICK))

    def block(self, cells: Iterable[tuple[int, int]] = (),
              edges: Iterable[tuple[tuple[int, int], tuple[int, int]]] = ()) -> None:
        """Closes cells, and edges ((row, col), (row, col)) in that direction, until ``unblock``. A robot on a closed
        cell may leave it."""
        self._close("fleet_block", cells, edges)

    def unblock(self, cells: Iterable[tuple[int, int]] = (),
                edges: Iterable[tuple[tuple[int, int], tuple[int, int]]] = ()) -> None:
        """Opens them again."""
        self._close("fleet_unblock", cells, edges)

    def _close(self, name: str, cells: Any, edges: Any) -> None:
        where = [_arrays.cell("cell", cell) for cell in cells]
        steps = [_arrays.cell("edge", end) for edge in edges for end in _pair(edge)]
        self._do(name, (Cell * len(where))(*where), len(where), (Cell * len(steps))(*steps), len(steps) // 2)

    def blocked(self, robot: int) -> list[tuple[tuple[int, int], tuple[int, int], int]]:
        """What would have to open for the robot to get to its goal, nearest first: steps (from, to, robot) with the
        robot that is held there, -1 = blocked. Empty if there is a way."""
        with self._lock:
            count = call.fleet_blocked(self._handle, _robot(robot), None, 0)
            if count < 0:
                raise ValueError(f"robot {robot}: there is no such robot")
            found = (Obstacle * count)()
            call.fleet_blocked(self._handle, _robot(robot), found, count)
        return [((o.start.row, o.start.col), (o.end.row, o.end.col), o.robot) for o in found]

    def observe(self, robot: int, at: tuple[int, int]) -> None:
        """Says where a robot really is, when it is not where it should be."""
        self._do("fleet_observe", _robot(robot), _arrays.cell(f"robot {robot}", at))

    def plan(self, milliseconds: float = 100.0) -> None:
        """Mends the plan within that time."""
        self._do("fleet_plan", milliseconds)

    def tick(self) -> None:
        """A tick passes: everybody is thought to be where ``next`` said."""
        self._do("fleet_tick")

    def next(self, robot: int) -> tuple[int, int]:
        """Where the robot goes in this tick; its own cell means that it waits."""
        return self._ask("fleet_next", robot)

    def at(self, robot: int) -> tuple[int, int]:
        """Where the robot is, as far as is known."""
        return self._ask("fleet_at", robot)

    def after(self, robot: int) -> int:
        """The robot that must leave the next cell first or in the same instant; -1 = nobody."""
        with self._lock:
            self.at(robot)
            return call.fleet_after(self._handle, _robot(robot))

    @property
    def window(self) -> int:
        """Collisions are planned away so many steps ahead."""
        with self._lock:
            return call.fleet_window(self._handle)

    @property
    def moves(self) -> np.ndarray:
        """Where all robots are and go in this tick, by number: fields robot, at and next, (row, col)."""
        with self._lock:
            out = np.empty(len(self._robots), dtype=_arrays.MOVE)
            call.fleet_moves(self._handle, out.ctypes.data, len(out))
            return out

    @property
    def now(self) -> int:
        """Ticks so far."""
        with self._lock:
            return call.fleet_now(self._handle)

    @property
    def positions(self) -> np.ndarray:
        """(robots, 2) int32, (row, col), in the order of ``robots``."""
        with self._lock:
            place = np.argsort(np.argsort(self._robots, kind="stable"), kind="stable")
            return self.moves["at"][place]

    def __repr__(self) -> str:
        return f"<difflns.Fleet {len(self.robots)} robots, tick {self.now}>"


def _robot(number: int) -> int:
    return _arrays.integer("robot", number)


def _pair(edge: Any) -> Any:
    try:
        start, end = edge
    except (TypeError, ValueError):
        raise ValueError(f"edge: {edge!r}: expected ((row, col), (row, col))") from None
    return start, end
