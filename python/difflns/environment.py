"""Agents that act for themselves: an environment with the parallel interface of PettingZoo.

    env = MapfEnv("small-random", agents=30)
    observations, infos = env.reset(seed=1)
    while env.agents:
        actions = {agent: policy(observations[agent]) for agent in env.agents}
        observations, rewards, terminations, truncations, infos = env.step(actions)

Neither PettingZoo nor Gymnasium is imported unless it is there: then spaces are Gymnasium's, else stand-ins with the same
attributes. What the library adds is ``env.expert_plan()``: a plan from where the agents are, to learn from or to compare with.
"""
from __future__ import annotations

from typing import Any

import numpy as np

from ._plan import Plan
from ._solver import Solver
from ._spaces import box, discrete
from ._world import Instance, Map, generate

MOVES = np.array([(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)], dtype=np.int32)
"""Actions: 0 wait, 1 up, 2 down, 3 left, 4 right; the same as POGEMA's."""
OBSTACLES, AGENTS, GOAL = range(3)


class MapfEnv:
    """Agents on a grid, each with a goal; all act at once.

    ``world`` is a family (``difflns.families()``), of which each episode draws another instance, or an Instance. An agent sees
    the (2 radius + 1)^2 cells around it: obstacles, other agents, and its goal, moved to the rim if it is farther away. Who
    would collide or leave the free cells stays, and so do those who would follow into that cell. ``on_target``: "nothing"
    (the episode ends when everybody is on its goal) or "restart" (each agent that reaches its goal gets another).

    Rewards: 1 for reaching the goal (with "nothing": once all have, for each) and ``step_cost`` less for each step off it.
    """

    metadata = {"name": "difflns_mapf_v0", "is_parallelizable": True, "render_modes": ["ansi"]}

    def __init__(self, world: "str | Instance", agents: int = 32, *, radius: int = 5, max_steps: int = 256,
                 on_target: str = "nothing", step_cost: float = 0.01, render_mode: "str | None" = None) -> None:
        if on_target not in ("nothing", "restart"):
            raise ValueError(f"on_target {on_target!r}: expected 'nothing' or 'restart'")
        self._world, self._count = world, world.agents if isinstance(world, Instance) else agents
        self.radius, self.max_steps, self.on_target, self.step_cost = radius, max_steps, on_target, step_cost
        self.render_mode = render_mode
        self.possible_agents = [f"agent_{number}" for number in range(self._count)]
        self.agents: "list[str]" = []
        side = 2 * radius + 1
        self._observed, self._acts = box(0, 1, (3, side, side), np.uint8), discrete(len(MOVES))

    def observation_space(self, agent: str) -> Any:
        return self._observed

    def action_space(self, agent: str) -> Any:
        return self._acts

    def reset(self, seed: "int | None" = None, options: "dict[str, Any] | None" = None) -> "tuple[dict[str, Any], dict[str, Any]]":
        """A new episode: with the same seed the same one."""
        self._random = np.random.default_rng(seed)
        if isinstance(self._world, Instance):
            instance = self._world
        else:
            instance = generate(self._world, self._count, int(self._random.integers(2**32)))
        self.map = Map(instance.grid)
        self.positions, self.goals = instance.starts, instance.goals
        self._walls = np.pad(instance.grid, self.radius + 1, constant_values=True)
        self._free = np.argwhere(~instance.grid).astype(np.int32)
        self.steps = 0
        self.agents = list(self.possible_agents)
        return self._observe(), self._infos()

    def step(self, actions: "dict[str, int]") -> "tuple[dict[str, Any], ...]":
        """Everybody acts at once; agents without an action wait."""
        wanted = np.array([int(actions.get(agent, 0)) for agent in self.agents])
        if ((wanted < 0) | (wanted >= len(MOVES))).any():
            raise ValueError(f"an action of {wanted.min()} or {wanted.max()}: expected 0 to {len(MOVES) - 1}")
        self.positions = self._move(self.positions + MOVES[wanted])
        self.steps += 1
        arrived = (self.positions == self.goals).all(axis=1)
        over = self.on_target == "nothing" and bool(arrived.all())
        rewards = np.where(arrived, 0.0, -self.step_cost) + (arrived if self.on_target == "restart" else over)
        if self.on_target == "restart":
            self._draw_goals(arrived)
        late = self.steps >= self.max_steps
        names, observations, infos = self.agents, self._observe(), self._infos()
        if over or late:
            self.agents = []
        return (observations, dict(zip(names, rewards.tolist())), {name: over for name in names},
                {name: late and not over for name in names}, infos)

    def expert_plan(self, **options: Any) -> Plan:
        """A plan for everybody from here to the goals, by ``Solver(**options)``; false if there is none."""
        return Solver(**options).solve(Instance(self.map, self.positions, self.goals), raise_unsolvable=False)

    def actions_along(self, plan: Plan, time: int) -> "dict[str, int]":
        """The actions that take everybody from ``time`` to the next step of a plan."""
        paths = plan.paths
        last = len(paths) - 1
        moved = paths[min(time + 1, last)] - paths[min(time, last)]
        chosen = (moved[:, None, :] == MOVES[None]).all(axis=2).argmax(axis=1)
        return dict(zip(self.possible_agents, chosen.tolist()))

    def render(self) -> "str | None":
        """The map as text, when ``render_mode`` is "ansi": @ obstacles, o agents, * agents on their goals."""
        if self.render_mode != "ansi":
            return None
        picture = np.where(self.map.grid, "@", ".")
        picture[tuple(self.positions.T)] = np.where((self.positions == self.goals).all(axis=1), "*", "o")
        return "\n".join("".join(row) for row in picture) + "\n"

    def close(self) -> None:
        """Nothing is held open."""

    def _move(self, wanted: np.ndarray) -> np.ndarray:
        """Where everybody gets to that wants to be there: refusals spread until nothing collides."""
        here, rim = self.positions, self.radius + 1
        wanted = np.where(self._walls[tuple((wanted + rim).T)][:, None], here, wanted)
        owner = {cell: agent for agent, cell in enumerate(_pairs(here))}
        while True:
            takers: "dict[tuple[int, int], list[int]]" = {}
            for agent, cell in enumerate(_pairs(wanted)):
                takers.setdefault(cell, []).append(agent)
            refused = [agent for agents in takers.values() if len(agents) > 1 for agent in agents]
            for agent, cell in enumerate(_pairs(wanted)):
                other = owner.get(cell, agent)
                if other != agent and (wanted[other] == here[agent]).all():
                    refused.append(agent)  # they would change places
            refused = [agent for agent in refused if (wanted[agent] != here[agent]).any()]
            if not refused:
                return wanted
            wanted[refused] = here[refused]

    def _draw_goals(self, arrived: np.ndarray) -> None:
        """Another goal in its part of the map for each that arrived, one that is nobody else's."""
        taken, here = set(_pairs(self.goals)), _pairs(self.positions)
        for agent in np.flatnonzero(arrived):
            for goal in _pairs(self._random.permutation(self._free)):
                if goal not in taken and self.map.distance(here[agent], goal) > 0:
                    taken.add(goal)
                    self.goals[agent] = goal
                    break

    def _observe(self) -> "dict[str, np.ndarray]":
        side, rim = 2 * self.radius + 1, self.radius + 1
        others = np.zeros(self._walls.shape, np.uint8)
        others[tuple((self.positions + rim).T)] = 1
        seen = {}
        for agent, (at, goal) in zip(self.agents, zip(self.positions, self.goals)):
            window = tuple(slice(corner + 1, corner + 1 + side) for corner in at)
            view = np.zeros((3, side, side), np.uint8)
            view[OBSTACLES], view[AGENTS] = self._walls[window], others[window]
            view[AGENTS, self.radius, self.radius] = 0  # itself
            row, col = np.clip(goal - at, -self.radius, self.radius) + self.radius
            view[GOAL, row, col] = 1
            seen[agent] = view
        return seen

    def _infos(self) -> "dict[str, dict[str, Any]]":
        return {agent: {"position": at, "goal": goal}
                for agent, at, goal in zip(self.agents, _pairs(self.positions), _pairs(self.goals))}


def _pairs(cells: np.ndarray) -> "list[tuple[int, int]]":
    return [(row, col) for row, col in cells.tolist()]
