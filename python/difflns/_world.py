"""Maps and instances."""
from __future__ import annotations

import ctypes
import os
from collections.abc import Mapping
from typing import Any, Union

import numpy as np

from . import _arrays
from ._native import Error, call, check, encoded, make, text

Path = Union[str, "os.PathLike[str]"]


def _grid_of(handle: Any) -> np.ndarray:
    """(H, W) bool, True = obstacle: the rows of the .map file, all at once."""
    rows = text("map_print", handle).partition("\nmap\n")[2].encode()
    height, width = call.map_height(handle), call.map_width(handle)
    return np.frombuffer(rows, dtype=np.uint8).reshape(height, width + 1)[:, :width] != ord(".")


class Map:
    """A grid with its distance fields, kept from call to call. Share one among all instances on it.

    ``Map(grid)`` takes an (H, W) array: True or non-zero is an obstacle.
    """

    __slots__ = ("_handle",)

    def __init__(self, grid: Any) -> None:
        array = _arrays.grid(grid)
        self._handle = make("map_create", array.shape[0], array.shape[1], array.ctypes.data)

    @classmethod
    def _of(cls, handle: ctypes.c_void_p) -> "Map":
        new = cls.__new__(cls)
        new._handle = handle
        return new

    @classmethod
    def load(cls, path: Path, name: str | None = None) -> "Map":
        """Reads a MovingAI .map or a POGEMA YAML file; ``name`` picks one map of several."""
        return cls._of(make("map_load", encoded(path), encoded(name)))

    @classmethod
    def parse(cls, data: bytes | str, name: str | None = None) -> "Map":
        """The same from the contents of a file."""
        raw = data.encode() if isinstance(data, str) else data
        return cls._of(make("map_parse", raw, len(raw), encoded(name)))

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            call.map_free(self._handle)

    @property
    def shape(self) -> tuple[int, int]:
        """(height, width)"""
        return call.map_height(self._handle), call.map_width(self._handle)

    @property
    def free_cells(self) -> int:
        return call.map_free_cells(self._handle)

    @property
    def grid(self) -> np.ndarray:
        """(H, W) bool, True = obstacle."""
        return _grid_of(self._handle)

    def distance(self, start: tuple[int, int], goal: tuple[int, int]) -> int:
        """Steps of a shortest path; -1 if there is none."""
        return call.map_distance(self._handle, _arrays.cell("start", start), _arrays.cell("goal", goal))

    @property
    def memory(self) -> int:
        """Bytes held by distance fields now."""
        return call.map_memory(self._handle)

    def limit_memory(self, size: int) -> None:
        """Distance fields beyond so many bytes are given back, the least recently used first."""
        err = Error()
        check(call.map_limit_memory(self._handle, _arrays.integer("bytes", size, _arrays.SIZE), ctypes.byref(err)), err)

    def to_text(self) -> str:
        """The MovingAI .map file."""
        return text("map_print", self._handle)

    def __reduce__(self) -> tuple[Any, ...]:
        return Map, (self.grid,)

    def __repr__(self) -> str:
        height, width = self.shape
        return f"<difflns.Map {height}x{width}, {self.free_cells} free cells>"


def _by_agent(what: str, given: Any, agents: int) -> dict[int, Any]:
    """What a dict or a sequence says of each agent; None says nothing."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        if len(given) != agents:
            raise ValueError(f"{what}: {len(given)} of them: expected one for each of {agents} agents, or a dict")
        given = dict(enumerate(given))
    for agent in given:
        if not isinstance(agent, (int, np.integer)) or not 0 <= agent < agents:
            raise ValueError(f"{what}: agent {agent!r}: expected 0 to {agents - 1}")
    return {int(agent): value for agent, value in given.items() if value is not None}


class Instance:
    """A map, and a start and a goal for each agent.

    ``Instance(grid, starts, goals)``: ``grid`` is a Map or an (H, W) array (True = obstacle); ``starts`` and ``goals``
    are (N, 2) integers, (row, col).

    Agents may be held to more, each by a dict {agent: value} or a sequence with a value (or None) for each agent:
    ``departures``: times before which they wait on their start; ``prefixes``: (T, 2) cells with which their paths begin;
    ``goal_queues``: (K, 2) goals, visited in order, the last one instead of that in ``goals``.
    """

    __slots__ = ("_handle", "_map")

    def __init__(self, grid: Any, starts: Any, goals: Any, *, departures: Any = None, prefixes: Any = None,
                 goal_queues: Any = None) -> None:
        world = grid if isinstance(grid, Map) else Map(grid)
        self._map: Map | None = world
        first, last = _arrays.cells("starts", starts), _arrays.cells("goals", goals).copy()
        if len(first) != len(last):
            raise ValueError(f"{len(first)} starts and {len(last)} goals: expected as many of both")
        queues = {agent: _arrays.cells("goal_queues", queue)
                  for agent, queue in _by_agent("goal_queues", goal_queues, len(first)).items()}
        for agent, queue in queues.items():
            last[agent] = queue[-1]
        self._handle = make("instance_create_on", world._handle, len(first), first.ctypes.data, last.ctypes.data)
        times = _by_agent("departures", departures, len(first))
        cells = _by_agent("prefixes", prefixes, len(first))
        if both := sorted(set(times) & set(cells)):
            raise ValueError(f"agent {both[0]} has a departure and a prefix: expected one of them")
        for agent, time in times.items():
            self.set_departure(agent, time)
        for agent, prefix in cells.items():
            self.set_prefix(agent, prefix)
        for agent, queue in queues.items():
            self.set_goals(agent, queue)

    @classmethod
    def _of(cls, handle: ctypes.c_void_p) -> "Instance":
        new = cls.__new__(cls)
        new._handle, new._map = handle, None
        return new

    @classmethod
    def load(cls, map: Path, scen: Path | None = None, agents: int = 0, *, map_name: str | None = None,
             scenario: str | None = None) -> "Instance":
        """Reads MovingAI or POGEMA files: the first ``agents`` agents (0 = all)."""
        return cls._of(make("instance_load_named", encoded(map), encoded(map_name), encoded(scen), encoded(scenario),
                            _arrays.integer("agents", agents)))

    @classmethod
    def parse(cls, map: bytes | str, scen: bytes | str | None = None, agents: int = 0, *, map_name: str | None = None,
              scenario: str | None = None) -> "Instance":
        """The same from the contents of files."""
        world = map.encode() if isinstance(map, str) else map
        rows = scen.encode() if isinstance(scen, str) else scen
        return cls._of(make("instance_parse", world, len(world), encoded(map_name), rows, len(rows or b""), encoded(scenario),
                            _arrays.integer("agents", agents)))

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            call.instance_free(self._handle)

    @property
    def agents(self) -> int:
        return call.instance_agents(self._handle)

    @property
    def shape(self) -> tuple[int, int]:
        """(height, width) of the map"""
        return call.instance_height(self._handle), call.instance_width(self._handle)

    @property
    def grid(self) -> np.ndarray:
        """(H, W) bool, True = obstacle."""
        return _grid_of(call.instance_map(self._handle))

    def _cells(self, of: Any) -> np.ndarray:
        cells = [of(self._handle, agent) for agent in range(self.agents)]
        return np.array([(cell.row, cell.col) for cell in cells], dtype=np.int32)

    @property
    def starts(self) -> np.ndarray:
        """(N, 2) int32, (row, col)"""
        return self._cells(call.instance_start)

    @property
    def goals(self) -> np.ndarray:
        """(N, 2) int32, (row, col)"""
        return self._cells(call.instance_goal)

    def _set(self, name: str, *arguments: Any) -> None:
        err = Error()
        check(getattr(call, name)(self._handle, *arguments, ctypes.byref(err)), err)

    def set_departure(self, agent: int, time: int) -> None:
        """The agent waits on its start until ``time`` at least; 0: it may leave at once."""
        self._set("instance_set_departure", self._agent(agent), _arrays.integer("departure", time))

    def set_prefix(self, agent: int, cells: Any) -> None:
        """The agent's path begins with these (T, 2) cells, one per timestep from its start on; none: nothing is fixed."""
        array = _arrays.cells("prefix", cells) if len(cells) else np.empty((0, 2), np.int32)
        self._set("instance_set_prefix", self._agent(agent), array.ctypes.data, len(array))

    def set_goals(self, agent: int, cells: Any) -> None:
        """The agent visits these (K, 2) goals in order and stays on the last, which must be nobody else's last."""
        array = _arrays.cells("goals", cells)
        self._set("instance_set_goals", self._agent(agent), array.ctypes.data, len(array))

    def _agent(self, agent: int) -> int:
        return _arrays.integer("agent", agent, (0, self.agents - 1))

    def _list(self, of: Any, agent: int) -> np.ndarray:
        count = of(self._handle, self._agent(agent), None, 0)
        cells = np.empty((count, 2), np.int32)
        of(self._handle, agent, cells.ctypes.data, count)
        return cells

    def prefix(self, agent: int) -> np.ndarray:
        """(T, 2) int32: the cells with which the agent's path must begin, waits for a departure included."""
        return self._list(call.instance_prefix, agent)

    def goal_queue(self, agent: int) -> np.ndarray:
        """(K, 2) int32: the agent's goals in order."""
        return self._list(call.instance_goals, agent)

    @property
    def sum_of_distances(self) -> int:
        """The sum of the least that paths alone can cost: no plan costs less. -1 if a goal can't be reached."""
        return call.instance_sum_of_distances(self._handle)

    def to_text(self) -> str:
        """The MovingAI .scen file."""
        return text("instance_print", self._handle)

    def __reduce__(self) -> tuple[Any, ...]:
        departures, prefixes, queues = {}, {}, {}
        for agent, start in enumerate(self.starts):
            prefix, queue = self.prefix(agent), self.goal_queue(agent)
            if len(prefix) and (prefix == start).all():
                departures[agent] = len(prefix) - 1
            elif len(prefix):
                prefixes[agent] = prefix
            if len(queue) > 1:
                queues[agent] = queue
        world = self._map if self._map is not None else self.grid
        return _rebuilt, (world, self.starts, self.goals, departures, prefixes, queues)

    def __repr__(self) -> str:
        height, width = self.shape
        return f"<difflns.Instance {self.agents} agents on {height}x{width}>"


def _rebuilt(world: Any, starts: np.ndarray, goals: np.ndarray, departures: Any, prefixes: Any, queues: Any) -> Instance:
    return Instance(world, starts, goals, departures=departures, prefixes=prefixes, goal_queues=queues)


def generate(family: str, agents: int, seed: int = 1) -> Instance:
    """A random instance of a family (see ``families()``): the same everywhere for the same arguments."""
    return Instance._of(make("generate", family.encode(), _arrays.integer("agents", agents),
                             _arrays.integer("seed", seed, _arrays.SEED)))


def families() -> list[str]:
    """The names that ``generate`` takes."""
    names: list[str] = []
    while (name := call.family_name(len(names))) is not None:
        names.append(name.decode())
    return names
