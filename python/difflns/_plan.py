"""Plans and the checker."""
from __future__ import annotations

import ctypes
import html
import os
from typing import Any

import numpy as np

from . import _arrays
from ._native import Error, call, check as raise_for, encoded, make, text
from ._world import Instance

ORDERS = {"auto": 0, "rowcol": 1, "colrow": 2}


class Plan:
    """A path for each agent of an instance.

    ``Plan(instance, paths)`` takes positions of shape (times, agents, 2), (row, col). Plans of a solver also have
    ``status``, ``reason`` and ``report``.
    """

    __slots__ = ("_handle", "_paths", "instance", "reason", "report", "status")

    def __init__(self, instance: Instance, paths: Any) -> None:
        array = _arrays.positions(paths)
        self._set(instance, make("plan_from_positions", array.shape[1], array.shape[0], array.ctypes.data))

    def _set(self, instance: Instance, handle: ctypes.c_void_p | None) -> None:
        self.instance, self._handle = instance, handle
        self._paths: np.ndarray | None = None
        self.status, self.reason = "given", ""
        self.report: dict[str, Any] = {}

    @classmethod
    def _of(cls, instance: Instance, handle: ctypes.c_void_p | None) -> "Plan":
        new = cls.__new__(cls)
        new._set(instance, handle)
        return new

    @classmethod
    def read(cls, instance: Instance, path: "str | os.PathLike[str]") -> "Plan":
        """Reads any plan format, told apart by content."""
        return cls._of(instance, make("plan_read", instance._handle, encoded(path)))

    @classmethod
    def parse(cls, instance: Instance, data: bytes | str, order: str = "auto") -> "Plan":
        """The same from the contents of a file. ``order`` of path text: "auto", "rowcol" or "colrow"."""
        if order not in ORDERS:
            raise ValueError(f"order {order!r}: expected one of {', '.join(ORDERS)}")
        raw = data.encode() if isinstance(data, str) else data
        return cls._of(instance, make("plan_parse", instance._handle, raw, len(raw), ORDERS[order]))

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            call.plan_free(self._handle)

    def __bool__(self) -> bool:
        """False if the solver found no plan."""
        return self._handle is not None

    def _need(self) -> ctypes.c_void_p:
        if self._handle is None:
            raise ValueError(f"there is no plan: {self.status}, {self.reason}")
        return self._handle

    @property
    def agents(self) -> int:
        return call.plan_agents(self._need())

    @property
    def soc(self) -> int:
        """Sum of costs: each path costs the time of its last arrival."""
        return call.plan_soc(self._need())

    @property
    def makespan(self) -> int:
        """The time of the latest arrival."""
        return call.plan_makespan(self._need())

    @property
    def paths(self) -> np.ndarray:
        """Positions (makespan + 1, agents, 2) int32, (row, col). Read-only."""
        if self._paths is None:
            out = np.empty((self.makespan + 1, self.agents, 2), dtype=np.int32)
            err = Error()
            raise_for(call.plan_positions(self._need(), 0, len(out), out.ctypes.data, ctypes.byref(err)), err)
            out.flags.writeable = False
            self._paths = out
        return self._paths

    @property
    def dependencies(self) -> np.ndarray:
        """Who may step only after whom, for execution under delays: fields agent, step, other, other_step, rotation."""
        handle = make("dependencies_create", self.instance._handle, self._need())
        try:
            out = np.empty(call.dependencies_count(handle), dtype=_arrays.DEPENDENCY)
            err = Error()
            raise_for(call.dependencies_list(handle, out.ctypes.data, len(out), ctypes.byref(err)), err)
            return out
        finally:
            call.dependencies_free(handle)

    @property
    def safe_time(self) -> int:
        """The last time up to which all agents can follow the plan without a violation."""
        time, err = ctypes.c_int(), Error()
        raise_for(call.plan_safe_time(self.instance._handle, self._need(), ctypes.byref(time), ctypes.byref(err)), err)
        return time.value

    def write(self, path: "str | os.PathLike[str]", format: str = "json") -> None:
        """Writes the file whole or not at all."""
        err = Error()
        raise_for(call.plan_write(self.instance._handle, self._need(), _format(format), encoded(path), ctypes.byref(err)), err)

    def to_text(self, format: str = "json") -> str:
        """The file as text: "json", "paths", "result" or "tracker"."""
        return text("plan_print", self.instance._handle, self._need(), _format(format))

    def to_html(self, title: str | None = None) -> str:
        """One self-contained page that plays the plan."""
        return text("page_print", self.instance._handle, self._need(), encoded(title), None, None)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (self.instance, self.paths if self else None, self.status, self.reason, self.report)

    def _repr_html_(self) -> str:
        if self._handle is None:
            return html.escape(repr(self))
        page = html.escape(self.to_html(), quote=True)
        return f'<iframe srcdoc="{page}" style="width:100%;height:640px;border:0"></iframe>'

    def __repr__(self) -> str:
        if self._handle is None:
            return f"<difflns.Plan {self.status}: {self.reason}>"
        return f"<difflns.Plan {self.status}: {self.agents} agents, soc {self.soc}, makespan {self.makespan}>"


def _rebuilt(instance: Instance, paths: np.ndarray | None, status: str, reason: str, report: dict[str, Any]) -> Plan:
    plan = Plan(instance, paths) if paths is not None else Plan._of(instance, None)
    plan.status, plan.reason, plan.report = status, reason, report
    return plan


def _format(name: str) -> int:
    number = call.format_find(name.encode())
    if number < 0:
        raise ValueError(f"format {name!r}: there is no such format")
    return number


def check(plan: Plan, instance: Instance | None = None, most: int = 1000) -> np.ndarray:
    """The violations of a plan, at most ``most``, in order of time: fields kind, agent, other, time, row, col.

    An empty array means that the plan is valid. ``violation_name(kind)`` says what a kind is called.
    """
    judged = instance if instance is not None else plan.instance
    most = _arrays.integer("most", most, _arrays.COUNT)
    out = np.empty(most, dtype=_arrays.VIOLATION)
    count, err = ctypes.c_int64(), Error()
    raise_for(call.plan_check(judged._handle, plan._need(), out.ctypes.data, most, ctypes.byref(count), ctypes.byref(err)), err)
    return out[: min(most, count.value)].copy()


def violation_name(kind: int) -> str:
    """"vertex", "swap", ..."""
    return call.violation_name(_arrays.integer("kind", kind)).decode()
