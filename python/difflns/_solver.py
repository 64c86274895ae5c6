"""The solver: options as keywords, events, better plans as they come, Ctrl-C."""
from __future__ import annotations

import ctypes
import json
import queue
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Iterator, Literal

from . import _native
from ._interrupt import stops
from ._model import Model
from ._native import Error, Unsolvable, call, check, make
from ._plan import Plan
from ._turn import Turn
from ._world import Instance, Map

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import Options

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
    ``time``. ``model`` is a Model, for drafts. Calls from several threads wait for each other; only
    ``stop`` interrupts. In a listener, and between the plans of ``improve``, other calls raise RuntimeError.
    """

    def __init__(self, *, model: Model | None = None, time_limit: float | None = None, **settings: Unpack[Options]) -> None:
        self._handle = make("solver_create")
        self._turn = Turn()
        self._model: Model | None = None
        if time_limit is not None:
            settings["time"] = time_limit
        self.set(**settings)
        if model is not None:
            err = Error()
            check(call.solver_set_model(self._handle, model._handle, ctypes.byref(err)), err)
            self._model = model  # the library does not keep it alive

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            call.solver_free(self._handle)

    def set(self, **settings: Unpack[Options]) -> None:
        """Changes options."""
        with self._turn:
            for name, value in settings.items():
                self._set(name, value)

    def _set(self, name: str, value: Any) -> None:
        err = Error()
        check(call.solver_set(self._handle, name.encode(), _text(value), ctypes.byref(err)), err)

    def get(self, name: str) -> str:
        """An option's value as text."""
        with self._turn:
            return self._get(name)

    def _get(self, name: str) -> str:
        value, err = ctypes.create_string_buffer(64), Error()
        check(call.solver_get(self._handle, name.encode(), value, len(value), ctypes.byref(err)), err)
        return value.value.decode()

    def stop(self) -> None:
        """Asks a solve at work to stop soon; it returns the best plan it has."""
        call.solver_stop(self._handle)

    def solve(self, instance: Instance, *, start: Plan | None = None, on_event: Callable[[Event], None] | None = None,
              raise_unsolvable: bool = True, on_interrupt: Literal["raise", "return"] = "raise") -> Plan:
        """Finds a plan. ``plan.status`` is "solved", "unsolved", "unsolvable" or "stopped"; a plan that was not found
        is false. ``start`` is a plan to begin with, this once, collisions allowed. Ctrl-C stops the solve and raises
        KeyboardInterrupt; with ``on_interrupt="return"`` it returns the best plan instead."""
        if on_interrupt not in ("raise", "return"):
            raise ValueError(f"on_interrupt {on_interrupt!r}: expected 'raise' or 'return'")
        with self._turn, self._starting_from(start), self._telling(instance, on_event):
            out, err = ctypes.c_void_p(), Error()
            with stops(self.stop, raising=on_interrupt == "raise"):
                status = call.solver_solve(self._handle, instance._handle, ctypes.byref(out), ctypes.byref(err))
                plan = Plan._of(instance, out if out.value else None)
            if status not in (_native.OK, _native.UNSOLVED, _native.UNSOLVABLE, _native.STOPPED):
                check(status, err)
            plan.status = _native.STATUS_NAMES[status]
            plan.reason = call.solver_reason(self._handle).decode()
            plan.report = json.loads(call.solver_report(self._handle) or b"{}")
        if status == _native.UNSOLVABLE and raise_unsolvable:
            raise Unsolvable(plan.reason)
        return plan

    @contextmanager
    def _starting_from(self, start: Plan | None) -> Iterator[None]:
        """Within it, solves begin with that plan."""
        if start is None:
            yield
            return
        err, usual = Error(), self._get("init")
        check(call.solver_set_start(self._handle, start._need(), ctypes.byref(err)), err)
        self._set("init", "plan")
        try:
            yield
        finally:
            self._set("init", usual)
            call.solver_set_start(self._handle, None, None)

    @contextmanager
    def _telling(self, instance: Instance, on_event: Callable[[Event], None] | None) -> Iterator[None]:
        """Within it, ``on_event`` hears of what happens; what it raises ends the solve and is raised."""
        if on_event is None:
            yield
            return
        tell, raised = on_event, list[BaseException]()

        def hear(_user: int, event: int) -> None:
            try:
                with self._turn.serving():
                    tell(self._event(instance, event))
            except BaseException as error:
                raised.append(error)
                self.stop()

        err, listener = Error(), _native.LISTENER(hear)
        check(call.solver_set_listener(self._handle, listener, None, ctypes.byref(err)), err)
        try:
            yield
        finally:
            call.solver_set_listener(self._handle, _native.NOBODY, None, None)
        if raised:
            raise raised[0]

    @staticmethod
    def _event(instance: Instance, event: int) -> Event:
        kind = call.event_kind(event)
        plan = None
        if kind in (_native.EVENT_FIRST_PLAN, _native.EVENT_BETTER_PLAN):
            plan = Plan._of(instance, make("event_plan", event))
            plan.status = "solved"
        return Event(EVENT_NAMES[kind], call.event_seconds(event), call.event_conflicts(event), call.event_soc(event),
                     call.event_iterations(event), plan)

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
            while True:
                plan = found.get()
                if plan is None:
                    return
                if isinstance(plan, BaseException):
                    raise plan
                with self._turn.serving():
                    yield plan
        finally:
            while helper.is_alive():  # again, in case the solve had not begun yet
                self.stop()
                helper.join(0.02)

    def colliding_plan(self, instance: Instance) -> Plan:
        """The plan with the fewest collisions that the last solve saw, for solves that found no valid one."""
        with self._turn:
            plan = Plan._of(instance, make("solver_colliding_plan", self._handle))
        plan.status = "colliding"
        return plan


def solve(grid: Any, starts: Any, goals: Any, *, start: Plan | None = None, raise_unsolvable: bool = True,
          on_interrupt: Literal["raise", "return"] = "raise", model: Model | None = None, time_limit: float | None = None,
          **settings: Unpack[Options]) -> Plan:
    """Finds collision-free paths: ``solve(grid, starts, goals, time_limit=2)``.

    ``grid`` is a Map or an (H, W) array, True = obstacle; ``starts`` and ``goals`` are (N, 2) integers, (row, col).
    Other keywords are options of ``Solver``.
    """
    instance = Instance(grid if isinstance(grid, Map) else Map(grid), starts, goals)
    solver = Solver(model=model, time_limit=time_limit, **settings)
    return solver.solve(instance, start=start, raise_unsolvable=raise_unsolvable, on_interrupt=on_interrupt)
