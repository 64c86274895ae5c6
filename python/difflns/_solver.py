"""The solver: options as keywords, events, better plans as they come, Ctrl-C."""
from __future__ import annotations

import ctypes
import json
import queue
import threading
from dataclasses import dataclass
from typing import Any, Callable, Iterator

from . import _native
from ._interrupt import stops
from ._model import Model
from ._native import Error, Unsolvable, call, check, make
from ._plan import Plan
from ._world import Instance, Map

EVENT_NAMES = ("started", "repairing", "first plan", "improving", "better plan", "finished")


@dataclass(frozen=True)
class Option:
    """A row of the library's table of options."""

    name: str
    help: str
    default: str
    choices: tuple[str, ...]


def options() -> list[Option]:
    """Every option of a solver: the keywords of ``Solver`` and ``solve``."""
    rows = []
    for index in range(call.option_count()):
        default, err = ctypes.create_string_buffer(64), Error()
        check(call.option_default(index, default, len(default), ctypes.byref(err)), err)
        words = call.option_choices(index)
        name = call.option_name(index).decode().replace("-", "_")
        rows.append(Option(name, call.option_help(index).decode(), default.value.decode(),
                           tuple(words.decode().split("|")) if words else ()))
    return rows


@dataclass(frozen=True)
class Event:
    """What a listener is told."""

    kind: str
    seconds: float
    conflicts: int
    soc: int
    iterations: int
    plan: Plan | None
    """The best plan so far, with "first plan" and "better plan"."""


def _text(value: Any) -> bytes:
    if isinstance(value, bool):
        return b"on" if value else b"off"
    return str(value).encode()


class Solver:
    """Options and working memory for one solve after the other.

    Options are keywords, named as on the command line (``options()`` lists them); ``time_limit`` is the same as
    ``time``. ``model`` is a Model, for drafts and redrafts. Use one solver from one thread at a time; ``stop`` may be
    called from any.
    """

    def __init__(self, *, model: Model | None = None, time_limit: float | None = None, **settings: Any) -> None:
        self._handle = make("solver_create")
        self._model: Model | None = None
        self._listener = _native.LISTENER()
        if time_limit is not None:
            settings["time"] = time_limit
        self.set(**settings)
        if model is not None:
            self._set_model(model)

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            call.solver_free(self._handle)

    def set(self, **settings: Any) -> None:
        """Changes options."""
        for name, value in settings.items():
            err = Error()
            check(call.solver_set(self._handle, name.encode(), _text(value), ctypes.byref(err)), err)

    def get(self, name: str) -> str:
        """An option's value as text."""
        value, err = ctypes.create_string_buffer(64), Error()
        check(call.solver_get(self._handle, name.encode(), value, len(value), ctypes.byref(err)), err)
        return value.value.decode()

    def _set_model(self, model: Model) -> None:
        err = Error()
        check(call.solver_set_model(self._handle, model._handle, ctypes.byref(err)), err)
        self._model = model  # the library does not keep it alive

    def stop(self) -> None:
        """Asks a solve at work to stop soon; it returns the best plan it has."""
        call.solver_stop(self._handle)

    def solve(self, instance: Instance, *, start: Plan | None = None, on_event: Callable[[Event], None] | None = None,
              raise_unsolvable: bool = True) -> Plan:
        """Finds a plan. ``plan.status`` is "solved", "unsolved", "unsolvable" or "stopped"; a plan that was not found
        is false. ``start`` is a plan to begin with, collisions allowed. Ctrl-C stops and returns the best plan."""
        err = Error()
        check(call.solver_set_start(self._handle, start._need() if start is not None else None, ctypes.byref(err)), err)
        if start is not None:
            self.set(init="plan")
        self._listen(instance, on_event)
        out = ctypes.c_void_p()
        with stops(self.stop):
            status = call.solver_solve(self._handle, instance._handle, ctypes.byref(out), ctypes.byref(err))
        plan = Plan._of(instance, out if out.value else None)
        if status in (_native.OK, _native.UNSOLVED, _native.UNSOLVABLE, _native.STOPPED):
            plan.status = _native.STATUS_NAMES[status]
            plan.reason = call.solver_reason(self._handle).decode()
            plan.report = json.loads(call.solver_report(self._handle) or b"{}")
            if status == _native.UNSOLVABLE and raise_unsolvable:
                raise Unsolvable(plan.reason)
            return plan
        check(status, err)
        return plan

    def _listen(self, instance: Instance, on_event: Callable[[Event], None] | None) -> None:
        def hear(_user: int, event: int) -> None:
            kind = call.event_kind(event)
            plan = None
            if kind in (_native.EVENT_FIRST_PLAN, _native.EVENT_BETTER_PLAN):
                plan = Plan._of(instance, make("event_plan", event))
                plan.status = "solved"
            on_event(Event(EVENT_NAMES[kind], call.event_seconds(event), call.event_conflicts(event),
                           call.event_soc(event), call.event_iterations(event), plan))

        self._listener = _native.LISTENER(hear) if on_event else _native.LISTENER()
        err = Error()
        check(call.solver_set_listener(self._handle, self._listener, None, ctypes.byref(err)), err)

    def improve(self, instance: Instance, **arguments: Any) -> Iterator[Plan]:
        """Solves and yields the first plan and every better one as they are found; closing the iterator stops."""
        found: queue.SimpleQueue[Plan | BaseException | None] = queue.SimpleQueue()

        def hear(event: Event) -> None:
            if event.plan is not None:
                found.put(event.plan)

        def work() -> None:
            try:
                self.solve(instance, on_event=hear, **arguments)
                found.put(None)
            except BaseException as error:  # handed to the thread that iterates
                found.put(error)

        helper = threading.Thread(target=work, daemon=True)
        helper.start()
        try:
            while (plan := found.get()) is not None:
                if isinstance(plan, BaseException):
                    raise plan
                yield plan
        finally:
            self.stop()
            helper.join()

    def colliding_plan(self, instance: Instance) -> Plan:
        """The plan with the fewest collisions that the last solve saw, for solves that found no valid one."""
        plan = Plan._of(instance, make("solver_colliding_plan", self._handle))
        plan.status = "colliding"
        return plan


def solve(grid: Any, starts: Any, goals: Any, *, start: Plan | None = None, raise_unsolvable: bool = True,
          **settings: Any) -> Plan:
    """Finds collision-free paths: ``solve(grid, starts, goals, time_limit=2)``.

    ``grid`` is a Map or an (H, W) array, True = obstacle; ``starts`` and ``goals`` are (N, 2) integers, (row, col).
    Other keywords are options of ``Solver``.
    """
    instance = Instance(grid if isinstance(grid, Map) else Map(grid), starts, goals)
    return Solver(**settings).solve(instance, start=start, raise_unsolvable=raise_unsolvable)
