"""DiffLNS as an algorithm of pogema-toolbox, for one-shot and lifelong POGEMA environments.

The two classes follow the toolbox's protocol by their attributes and methods alone; neither POGEMA nor the toolbox is
imported. Register them the way the toolbox registers any algorithm:

    ToolboxRegistry.register_algorithm("DiffLNS", DiffLNSInference, DiffLNSInferenceConfig)

The environment must be made with ``observation_type="MAPF"``: each observation then holds ``global_obstacles``,
``global_xy`` and ``global_target_xy`` with a border of ``obs_radius`` obstacles around the map.
"""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Sequence

import numpy as np

from ._fleet import Fleet
from ._native import Unsolvable
from ._solver import Solver
from ._world import Instance, Map

WAIT, UP, DOWN, LEFT, RIGHT = range(5)
_ACTION_OF = {(0, 0): WAIT, (-1, 0): UP, (1, 0): DOWN, (0, -1): LEFT, (0, 1): RIGHT}


@dataclass
class DiffLNSInferenceConfig:
    """What the toolbox asks of a configuration, and ours. Its own field ``extra`` holds options of ``Solver``."""

    name: str = "DiffLNS"
    time_limit: float = 1.0
    """Seconds for the plan of a one-shot episode."""
    deadline: float = 0.1
    """Seconds for a step of a lifelong episode."""
    window: int = 0
    lifelong: "bool | None" = None
    """None: found out from the goals, which move or are shared in lifelong episodes."""
    seed: int = 0
    num_process: int = 1
    parallel_backend: str = "sequential"
    device: str = "cpu"
    preprocessing: "str | None" = None
    extra: "dict[str, Any]" = field(default_factory=dict)


class DiffLNSInference:
    """``act(observations)`` returns an action per agent: 0 wait, 1 up, 2 down, 3 left, 4 right.

    One-shot: the first call plans the episode, later ones follow the plan, and plan again from where the agents are if
    they are not where they should be. Lifelong: each call mends the fleet's plan within the deadline.
    """

    def __init__(self, config: "DiffLNSInferenceConfig | None" = None, **_ignored: Any) -> None:
        self.cfg = config if config is not None else DiffLNSInferenceConfig()
        self.reset_states()

    def reset_states(self, env: Any = None) -> None:
        """A new episode begins."""
        self._map: "Map | None" = None
        self._paths: "np.ndarray | None" = None
        self._goals: "np.ndarray | None" = None
        self._fleet: "Fleet | None" = None
        self._step = 0
        self._stuck_at: "np.ndarray | None" = None

    def after_step(self, dones: Any) -> None:
        if len(dones) and all(dones):
            self.reset_states()

    def after_reset(self) -> None:
        self.reset_states()

    def act(self, observations: Sequence[Any], rewards: Any = None, dones: Any = None, info: Any = None,
            skip_agents: Any = None) -> list[int]:
        at = np.array([o["global_xy"] for o in observations], dtype=np.int32)
        goals = np.array([o["global_target_xy"] for o in observations], dtype=np.int32)
        if self._map is None:
            self._map = Map(np.asarray(observations[0]["global_obstacles"]) != 0)
        if self._fleet is None and self._is_lifelong(goals):
            self._fleet = Fleet(self._map, window=self.cfg.window, seed=self.cfg.seed)
            for cell in at:
                self._fleet.add(_pair(cell))
        self._goals = goals
        targets = self._drive(self._fleet, at, goals) if self._fleet is not None else self._follow(at, goals)
        return [_ACTION_OF[_pair(step)] for step in targets - at]

    def _is_lifelong(self, goals: np.ndarray) -> bool:
        if self.cfg.lifelong is not None:
            return self.cfg.lifelong
        moved = self._goals is not None and not np.array_equal(goals, self._goals)
        return moved or len(np.unique(goals, axis=0)) < len(goals)

    # ---- One-shot

    def _follow(self, at: np.ndarray, goals: np.ndarray) -> np.ndarray:
        on_course = self._paths is not None and np.array_equal(self._paths[min(self._step, len(self._paths) - 1)], at)
        if not on_course and not (self._stuck_at is not None and np.array_equal(self._stuck_at, at)):
            self._paths, self._step = self._plan(at, goals), 0
            self._stuck_at = at if self._paths is None else None
        if self._paths is None:
            return at  # no plan from here: everybody waits
        self._step += 1
        return self._paths[min(self._step, len(self._paths) - 1)]

    def _plan(self, at: np.ndarray, goals: np.ndarray) -> "np.ndarray | None":
        solver = Solver(time_limit=self.cfg.time_limit, seed=self.cfg.seed, **self.cfg.extra)
        try:
            plan = solver.solve(Instance(self._map, at, goals))
        except Unsolvable:
            return None
        return plan.paths if plan else None

    # ---- Lifelong

    def _drive(self, fleet: Fleet, at: np.ndarray, goals: np.ndarray) -> np.ndarray:
        late = [robot for robot in range(len(at)) if fleet.at(robot) != _pair(at[robot])]
        for robot in late:
            fleet.observe(robot, _pair(at[robot]))
        for robot, goal in enumerate(map(_pair, goals)):
            if fleet.goals(robot)[-1:] != [goal] or fleet.at(robot) in fleet.goals(robot):
                fleet.clear_goals(robot)
                fleet.add_goal(robot, goal)
        fleet.plan(1000 * self.cfg.deadline)
        targets = np.array([fleet.next(robot) for robot in range(len(at))], dtype=np.int32)
        fleet.tick()
        return targets


def _pair(cell: np.ndarray) -> tuple[int, int]:
    row, col = cell.tolist()
    return row, col
